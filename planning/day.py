"""Planning a day: broad parts, then hour blocks, each a record in the memory stream (Park et al. 2023, section 4.3).

    plan_day   asks PlanDay and PlanHours, makes sense of the answers, and returns a Schedule with its plan entries

An answer is never trusted: times are clipped to the day, sorted, made to follow one another without gaps.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from datetime import date
from typing import TypeVar

from kernel import Clock, RecordId, minutes_of
from language import Ask, Person, PlanDay, PlanHours, RateImportance, phrase
from language.replies import DayOutline, HourPlan
from language.replies import Part as OutlinePart
from memory import Draft
from planning.schedule import Block, Part, PlanEntry, Schedule
from planning.when import face, span_fields

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
    known = frozenset(str(i) for i in _ids(operation))
    ratings = await ask(RateImportance(person=person, texts=tuple(span.part.activity for span in spans)))
    entries = [] if old is None else _dropped(old, step, reason)
    parts: list[Part] = [] if old is None else [part for part in old.parts if part.end <= step]
    first_new = len(parts)
    for span, importance in zip(spans, ratings.reply.importance, strict=True):
        rests_on = tuple(RecordId.parse(cited) for cited in span.part.rests_on if cited in known)
        fields = span_fields(clock, span.start, span.end)
        place = span.part.place
        record = draft.add(
            "plan",
            phrase(
                "plan.part_at" if place else "plan.part",
                perceiver=person.name, activity=span.part.activity, place=place, **fields,
            ),
            importance=importance, tag="day", span=(span.start, span.end), evidence=rests_on,
        )  # fmt: skip
        parts.append(Part(span.start, span.end, span.part.activity, place, record.id, rests_on))
        entries.append(PlanEntry(record.id, "day", span.start, span.end, span.part.activity, place, "made", reason, rests_on))
    hours = await ask(PlanHours(person=person, scene=operation.scene, parts=_for_hours(parts[first_new:], clock, day)))
    blocks = list(_kept_blocks(old, step))
    for block in _blocks(hours.reply, parts, first_new, clock, day):
        record = draft.add(
            "plan",
            phrase("plan.block", perceiver=person.name, activity=block.activity, **span_fields(clock, block.start, block.end)),
            importance=ROUTINE, tag="hour", span=(block.start, block.end), evidence=(block.plan,),
        )  # fmt: skip
        blocks.append(Block(block.start, block.end, block.activity, block.place, record.id, block.part))
        entries.append(
            PlanEntry(record.id, "hour", block.start, block.end, block.activity, block.place, "made", reason, (block.plan,))
        )
    schedule = Schedule(
        wake=step if old is None else old.wake, bed=parts[-1].end, parts=tuple(parts), blocks=tuple(blocks), slots=()
    )
    return Planned(schedule, tuple(entries), (outline.call, ratings.call, hours.call), outline.reply.thought)


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


def _for_hours(parts: list[Part], clock: Clock, day: date) -> tuple[tuple[int, int, str, str | None], ...]:
    midnight = clock.step_on(day, 0)
    per_minute = 60 / clock.step_seconds

    def minute(step: int) -> int:
        return round((step - midnight) / per_minute)

    return tuple((minute(p.start), minute(p.end), p.activity, p.place) for p in parts)


def _blocks(plan: HourPlan, parts: list[Part], first: int, clock: Clock, day: date) -> list[Block]:
    """Blocks that cover each part without gaps; a part no block was given for is one block."""
    by_part: dict[int, list[tuple[int, str, str | None]]] = {}
    for raw in plan.blocks:
        index = first + raw.part
        if not first <= index < len(parts):
            continue
        try:
            start = clock.step_on(day, minutes_of(raw.start))
        except ValueError:
            continue
        part = parts[index]
        if start < part.start - clock.steps(hours=12):
            start += clock.steps(days=1)
        if part.start <= start < part.end:
            by_part.setdefault(index, []).append((start, raw.activity, raw.place or part.place))
    blocks: list[Block] = []
    for index in range(first, len(parts)):
        part = parts[index]
        chosen = sorted(by_part.get(index, []), key=lambda c: c[0]) or [(part.start, part.activity, part.place)]
        bounds = [part.start, *(start for start, _, _ in chosen[1:]), part.end]
        for (begin, end), (_, activity, place) in zip(itertools.pairwise(bounds), chosen, strict=True):
            if end > begin:
                blocks.append(Block(begin, end, activity, place, part.plan, index))
    return blocks


def _kept_blocks(old: Schedule | None, step: int) -> tuple[Block, ...]:
    return () if old is None else tuple(block for block in old.blocks if block.end <= step)


def _dropped(old: Schedule, step: int, reason: str) -> list[PlanEntry]:
    """Entries that say which plans of the rest of the day are given up, and why."""
    return [
        PlanEntry(p.plan, "day", p.start, p.end, p.activity, p.place, "changed", reason, p.rests_on)
        for p in old.parts
        if p.end > step
    ]


def plan_words(schedule: Schedule, clock: Clock) -> tuple[tuple[str, str, str], ...]:
    """The day as ("HH:MM", "HH:MM", activity), for questions about it."""
    return tuple((face(clock.at(p.start)), face(clock.at(p.end)), p.activity) for p in schedule.parts)


def person_bedtime(person: Person, clock: Clock, day: date) -> int:
    """The usual bedtime of a day as a step."""
    return clock.step_on(day, person.sleeps)
