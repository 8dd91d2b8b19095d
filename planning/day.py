"""Planning a day: broad parts, then hour blocks, each a record in the memory stream (Park et al. 2023, section 4.3).

    plan_day   asks PlanDay and PlanHours, makes sense of the answers, and returns a Schedule with its plan entries

An answer is never trusted: times are clipped to the day, sorted, made to follow one another without gaps.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import TypeVar

from kernel import Clock, RecordId, minutes_of
from language import Ask, Person, PlanDay, PlanHours, RateImportance, phrase, side_by_side
from language.replies import DayOutline, HourPlan
from language.replies import Part as OutlinePart
from memory import Draft
from planning.schedule import Block, Part, PlanEntry, Schedule
from planning.when import span_fields

T = TypeVar("T")

LATEST_BED = 120
"""Minutes past the usual bedtime that a plan may keep somebody up."""
ROUTINE = 2
"""Importance of an hour block: its part has been rated, the block only says when."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A schedule just made: the entries that changed, the calls and thoughts it came from."""

    schedule: Schedule
    entries: tuple[PlanEntry, ...]
    calls: tuple[str, ...]
    thought: str


@dataclass(frozen=True, slots=True)
class Span:
    """A part of an outline in steps, before it has a record."""

    start: int
    end: int
    part: OutlinePart

    @property
    def activity(self) -> str:
        """What is done."""
        return self.part.activity

    @property
    def place(self) -> str | None:
        """Where, None: wherever it is done."""
        return self.part.place


async def plan_day(
    ask: Ask, draft: Draft, clock: Clock, day: date, step: int, operation: PlanDay, *, old: Schedule | None, reason: str
) -> Planned:
    """Plans the time from `step` to bedtime of `day`. `old` is the schedule it replaces from now on, if any.

    Raises nothing for a bad answer: the gateway has fallen back already, and what is left over is clipped.
    """
    person = operation.person
    outline = await ask(operation)
    bed = clock.step_on(day, person.sleeps)
    spans = make_spans(outline.reply, clock, day, step, bed)
    kept = _unchanged(old, spans, step, clock)
    known = frozenset(str(i) for i in _ids(operation))
    new = [span for i, span in enumerate(spans) if i not in kept]
    calls = [outline.call]
    importance: Iterator[int] = iter(())
    hourly = HourPlan(blocks=[])
    if new:
        ratings, hours = await side_by_side(
            ask,
            RateImportance(person=person, texts=tuple(span.activity for span in new)),
            PlanHours(person=person, scene=operation.scene, parts=minutes_of_parts(new, clock, day)),
        )
        calls += [ratings.call, hours.call]
        importance, hourly = iter(ratings.reply.importance), hours.reply
    entries = [] if old is None else _dropped(old, step, reason, [part.plan for part in kept.values()])
    parts: list[Part] = [] if old is None else [part for part in old.parts if part.end <= step]
    made: list[int] = []
    for i, span in enumerate(spans):
        if i in kept:
            parts.append(kept[i])
            continue
        rests_on = tuple(RecordId.parse(cited) for cited in span.part.rests_on if cited in known)
        if old is not None:
            rests_on = tuple(dict.fromkeys((*rests_on, *_before(old, span.part.activity, step))))
        fields = span_fields(clock, span.start, span.end)
        place = span.part.place
        record = draft.add(
            "plan",
            phrase(
                "plan.part_at" if place else "plan.part",
                perceiver=person.name, activity=span.part.activity, place=place, **fields,
            ),
            importance=next(importance), tag="day", span=(span.start, span.end), evidence=rests_on,
        )  # fmt: skip
        made.append(len(parts))
        parts.append(Part(span.start, span.end, span.part.activity, place, record.id, rests_on))
        entries.append(PlanEntry(record.id, "day", span.start, span.end, span.part.activity, place, "made", reason, rests_on))
    blocks = list(_kept_blocks(old, step, parts))
    for block in _blocks(hourly, parts, made, clock, day):
        record = draft.add(
            "plan",
            phrase("plan.block", perceiver=person.name, activity=block.activity, **span_fields(clock, block.start, block.end)),
            importance=ROUTINE, tag="hour", span=(block.start, block.end), evidence=(block.plan,),
        )  # fmt: skip
        blocks.append(Block(block.start, block.end, block.activity, block.place, record.id, block.part))
        entries.append(
            PlanEntry(record.id, "hour", block.start, block.end, block.activity, block.place, "made", reason, (block.plan,))
        )
    blocks.sort(key=lambda block: block.start)
    alive = {block.plan for block in blocks}
    schedule = Schedule(
        wake=step if old is None else old.wake, bed=parts[-1].end, parts=tuple(parts), blocks=tuple(blocks),
        slots=() if old is None else tuple(slot for slot in old.slots if slot.block in alive),
    )  # fmt: skip
    return Planned(schedule, tuple(entries), tuple(calls), outline.reply.thought)


def _unchanged(old: Schedule | None, spans: Sequence[Span], step: int, clock: Clock) -> dict[int, Part]:
    """By index of their span: the old parts that the new outline repeats with their times; they stay as they are."""
    if old is None:
        return {}
    minute = clock.steps(minutes=1)
    found: dict[int, Part] = {}
    for i, span in enumerate(spans):
        for part in old.parts:
            if part.end <= step or part.activity != span.part.activity or (span.part.place or part.place) != part.place:
                continue
            begun = part.start <= step and span.start <= step + minute
            if abs(part.end - span.end) <= minute and (begun or abs(part.start - span.start) <= minute):
                found[i] = part
                break
    return found


def _before(old: Schedule, activity: str, step: int) -> tuple[RecordId, ...]:
    """What an activity that only moves to other hours, or is what is left of one, rested on."""
    return next((part.rests_on for part in old.parts if part.end > step and activity in part.activity), ())


def make_spans(outline: DayOutline, clock: Clock, day: date, step: int, bed: int) -> list[Span]:
    """The outline's parts as consecutive spans from `step` to bedtime, whatever order, overlap or gap it has.

    Bedtime moves to the end of the last part, within LATEST_BED minutes after (or 90 before) the usual hour.
    """
    timed: list[tuple[int, int, OutlinePart]] = []
    last = -1
    for part in outline.parts:
        try:
            start, end = minutes_of(part.start), minutes_of(part.end)
        except ValueError:
            continue
        if start < last - 720:  # "00:30" after "23:00" is the next morning
            start += 1440
        if end <= start:
            end += 1440
        last = start
        timed.append((clock.step_on(day, start), clock.step_on(day, end), part))
    timed.sort(key=lambda t: (t[0], t[1]))
    latest = bed + clock.steps(minutes=LATEST_BED)
    over = min(max((end for _, end, _ in timed), default=bed), latest)
    over = max(over, bed - clock.steps(minutes=90), step + clock.steps(minutes=10))
    starts = [max(start, step) for start, _, _ in timed]
    spans: list[Span] = []
    for i, (_, _, part) in enumerate(timed):
        end = min(starts[i + 1] if i + 1 < len(starts) else over, over)
        start = step if not spans else spans[-1].end
        if end > start:
            spans.append(Span(start, end, part))
    if not spans:
        filler = outline.parts[-1] if outline.parts else OutlinePart(activity=phrase("idle"), start="0:00", end="24:00")
        spans.append(Span(step, over, filler))
    return spans


def _ids(operation: PlanDay) -> tuple[str, ...]:
    """Every id an outline may cite."""
    return (
        *(s.id for s in operation.person.statements),
        *(r.id for r in operation.recent),
        *(r.id for r in operation.yesterday),
        *(c.id for c in operation.commitments),
    )


def minutes_of_parts(parts: Sequence[Part | Span], clock: Clock, day: date) -> tuple[tuple[int, int, str, str | None], ...]:
    """Parts as operations see them: (start, end, activity, place), in minutes since the midnight `day` began with."""
    midnight = clock.step_on(day, 0)
    per_minute = 60 / clock.step_seconds

    def minute(step: int) -> int:
        return round((step - midnight) / per_minute)

    return tuple((minute(p.start), minute(p.end), p.activity, p.place) for p in parts)


def _blocks(plan: HourPlan, parts: list[Part], asked: Sequence[int], clock: Clock, day: date) -> list[Block]:
    """Blocks that cover each part asked about without gaps; a part no block was given for is one block."""
    by_part: dict[int, list[tuple[int, str, str | None]]] = {}
    for raw in plan.blocks:
        if not 0 <= raw.part < len(asked):
            continue
        try:
            start = clock.step_on(day, minutes_of(raw.start))
        except ValueError:
            continue
        part = parts[asked[raw.part]]
        if start < part.start - clock.steps(hours=12):
            start += clock.steps(days=1)
        if part.start - clock.steps(minutes=1) < start < part.end:  # a minute has several steps; a part may begin within
            by_part.setdefault(asked[raw.part], []).append((max(start, part.start), raw.activity, raw.place or part.place))
    blocks: list[Block] = []
    for index in asked:
        part = parts[index]
        chosen = sorted(by_part.get(index, []), key=lambda c: c[0]) or [(part.start, part.activity, part.place)]
        bounds = [part.start, *(start for start, _, _ in chosen[1:]), part.end]
        for (begin, end), (_, activity, place) in zip(itertools.pairwise(bounds), chosen, strict=True):
            if end > begin:
                blocks.append(Block(begin, end, activity, place, part.plan, index))
    return blocks


def _kept_blocks(old: Schedule | None, step: int, parts: Sequence[Part]) -> Iterator[Block]:
    """Blocks that are over, and those of parts that stay as they are."""
    if old is None:
        return
    index = {part.plan: i for i, part in enumerate(parts)}
    for block in old.blocks:
        at = index.get(old.parts[block.part].plan) if block.part < len(old.parts) else None
        if block.end <= step or at is not None:
            yield block if at is None else replace(block, part=at)


def _dropped(old: Schedule, step: int, reason: str, kept: Sequence[RecordId]) -> list[PlanEntry]:
    """Entries that say which plans of the rest of the day are given up, and why."""
    return [
        PlanEntry(p.plan, "day", p.start, p.end, p.activity, p.place, "changed", reason, p.rests_on)
        for p in old.parts
        if p.end > step and p.plan not in kept
    ]


def person_bedtime(person: Person, clock: Clock, day: date) -> int:
    """The usual bedtime of a day as a step."""
    return clock.step_on(day, person.sleeps)
