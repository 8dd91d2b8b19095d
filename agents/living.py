"""A resident's way through the day: planning in the morning, the next task, what to do when the way is barred, sleep.

plan          today's schedule, made at waking or made again when something has changed
next_act      the act for now: a task settled somewhere, getting ready for bed, or sleep
summarise     the cached self-summary (section 4.3, appendix A)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from agents import recollecting
from agents.directing import whereabouts
from agents.thought import Thought
from kernel import Dice, RecordId
from language import PlanDay, Recollection, SummariseSelf, phrase
from memory import KnownMap, Retrieval
from planning.day import minutes_of_parts, person_bedtime, plan_day
from planning.diary import Appointment, appointments
from planning.places import Places
from planning.schedule import Block, Part, Schedule, Slot
from planning.tasks import settle, slots_for
from planning.when import day_words, span_fields
from town.acts import Because
from town.protocols import ProposeAct
from town.tree import Sector, parent

TASK = 1
"""Importance of a task record: its part has been rated, the task only says what exactly."""
WAKE_SPREAD = 12
"""Minutes around the usual hour within which one wakes."""
RECENT_TASKS = 8
OFF = "off "
"""Before the id of a fact whose gathering is called off, in the state `planned_for`."""
INTENTION_DAYS = 2
"""How long an intention stays on one's mind when plans are made."""


class At(NamedTuple):
    """Where the present block was settled, so that its further tasks needn't ask again. `call` is the answer's key."""

    block: str
    target: str
    icon: str
    state: str | None
    private: bool
    call: str


async def summarise(thought: Thought) -> str:
    """Core characteristics, occupation and how things go: cached until the next reflection."""
    cached = thought.get("summary")
    if isinstance(cached, str):
        return cached
    me = thought.person.name
    answer = await thought.ask(
        SummariseSelf(
            person=thought.person,
            core=thought.recollect(thought.retrieve(phrase("query.core", perceiver=me), "self", k=10)),
            occupation=thought.recollect(thought.retrieve(phrase("query.occupation", perceiver=me), "self", k=10)),
            progress=thought.recollect(thought.retrieve(phrase("query.progress", perceiver=me), "self", k=10)),
        )
    )
    thought.put("summary", answer.reply.text)
    return answer.reply.text


async def plan(thought: Thought, known: KnownMap, reason: str, *, anew: bool) -> Schedule:
    """Plans today from now on. `anew` in the morning; else the rest of the running day is planned again.

    Without planning (the setting `plan`, for whole-trajectory ablations) the day is what the persona's routine makes of it: no
    memory, promise or yesterday enters, and whatever happens, it isn't planned again.
    """
    await thought.rated()
    clock, person, step = thought.clock, thought.person, thought.step
    day = _day_of_life(thought, step)
    old = None if anew else thought.schedule()
    before = thought.schedule()
    bed = person_bedtime(person, clock, day)
    known_of = appointments(thought.draft, person.name, step, bed)
    diary = [a for a in known_of if not a.refused]
    if not thought.settings.plan:
        return await _routine(thought, known, reason, before if not anew else None, diary)
    summary = await summarise(thought)
    found = thought.retrieve(phrase("query.today", day=day_words(clock.at(step))), "plan")
    yesterday: tuple[Recollection, ...] = ()
    if anew and before is not None:
        yesterday = thought.recollections(thought.records(part.plan for part in before.parts))
    planned = await plan_day(
        thought.ask, thought.draft, clock, day, step,
        PlanDay(
            person=person, summary=summary, scene=thought.scene(), recent=_on_my_mind(thought, found), yesterday=yesterday,
            commitments=tuple(recollecting.commitment(a, clock) for a in diary),
            known_places=tuple(known.sectors()), replanning="" if anew else reason,
            current=() if old is None else minutes_of_parts(_still_on(thought, old, known_of), clock, day),
        ),
        old=old, reason=reason,
    )  # fmt: skip
    thought.entries.extend(planned.entries)
    thought.put("schedule", planned.schedule.to_json())
    thought.put("planned_for", [*sorted(_held(diary))])
    if planned.thought:
        thought.draft.add("plan", planned.thought, importance=4, tag="thought")
    return planned.schedule


async def _routine(
    thought: Thought, known: KnownMap, reason: str, going_on: Schedule | None, diary: Sequence[Appointment]
) -> Schedule:
    """The day of somebody who doesn't plan: the persona's own."""
    thought.put("planned_for", [*sorted(_held(diary))])
    if going_on is not None:
        return going_on
    clock, step = thought.clock, thought.step
    operation = PlanDay(person=thought.person, summary="", scene=thought.scene(), known_places=tuple(known.sectors()))
    day = _day_of_life(thought, step)
    planned = await plan_day(thought.ask, thought.draft, clock, day, step, operation, old=None, reason=reason)
    thought.entries.extend(planned.entries)
    thought.put("schedule", planned.schedule.to_json())
    return planned.schedule


def _still_on(thought: Thought, old: Schedule, diary: Sequence[Appointment]) -> list[Part]:
    """The parts of the present plan that aren't over; without those for what was called off or refused since."""
    gone = {a.fact.id for a in diary if a.called_off or a.refused}
    found = []
    for part in old.parts:
        facts = (record.fact for record in thought.records(part.rests_on))
        if part.end > thought.step and not any(fact is not None and fact.id in gone for fact in facts):
            found.append(part)
    return found


def _on_my_mind(thought: Thought, found: Retrieval) -> tuple[Recollection, ...]:
    """What a plan is made with: what was retrieved, and the latest intentions and voices whatever their scores."""
    since = thought.step - thought.clock.steps(days=INTENTION_DAYS)
    meant = [r for tag in ("intention", "voice") for r in thought.draft.tagged(tag)[-4:] if r.created >= since]
    chosen = thought.records(found.ids)
    return thought.recollections(list({r.id: r for r in (*meant, *chosen)}.values()))


def diary_changed(thought: Thought) -> bool:
    """Whether today's firm appointments, or what one knows to be off, differ from what the schedule was made for."""
    schedule = thought.schedule()
    if schedule is None or thought.step >= schedule.bed:
        return False
    had = thought.get("planned_for")
    me, step = thought.person.name, thought.step
    now = _held(appointments(thought.draft, me, step, schedule.bed))
    past = [a for a in appointments(thought.draft, me, 0, step + 1) if a.gathering.end <= step]
    over = {name for a in past for name in (a.fact.id, OFF + a.fact.id)}
    return now != {str(name) for name in (had if isinstance(had, list) else ())} - over


def _held(diary: Iterable[Appointment]) -> set[str]:
    """What a schedule hangs on: facts of firm appointments, and those of what is off, which one may have meant to look at."""
    return {OFF + a.fact.id if a.called_off else a.fact.id for a in diary if a.firm or a.called_off}


def asleep_until(thought: Thought) -> int:
    """The step of the next waking: the usual hour, give or take some minutes."""
    clock, person, step = thought.clock, thought.person, thought.step
    day = clock.day(step)
    usual = clock.step_on(day, person.wakes)
    if usual <= step + clock.steps(minutes=WAKE_SPREAD):
        usual = clock.step_on(day + timedelta(days=1), person.wakes)
    dice = Dice(thought.seed, person.name, usual, "wake")
    return usual + round((2 * dice.random() - 1) * clock.steps(minutes=WAKE_SPREAD))


async def next_act(thought: Thought, places: Places, known: KnownMap, bed: str) -> ProposeAct:
    """What to do now, by the schedule; in the evening: get ready for bed, then sleep."""
    step, clock = thought.step, thought.clock
    schedule = thought.schedule()
    if schedule is None:
        return sleep(thought, bed)
    if step >= schedule.bed:
        if thought.get("night") is None:
            thought.put("night", True)
            return ProposeAct(
                text=phrase("sleep.before"), icon="wash", target=bed, until=step + clock.steps(minutes=8), private=True,
                because=Because(note=phrase("reason.asleep")),
            )  # fmt: skip
        return sleep(thought, bed)
    block = schedule.block_at(step)
    if block is None:
        later = min((b.start for b in schedule.blocks if b.start > step), default=schedule.bed)
        return _idle(thought, later)
    slot = schedule.slot_at(step)
    calls: tuple[str, ...] = ()
    if slot is None:
        recent = thought.get("recent")
        slots, call = await slots_for(
            thought.ask, thought.person, thought.scene(), clock, block, step,
            tuple(str(r) for r in recent) if isinstance(recent, list) else (),
        )  # fmt: skip
        calls = (call,)
        schedule = schedule.with_slots(slots)
        thought.put("schedule", schedule.to_json())
        slot = slots[0]
    return await settled_act(thought, places, known, slot, block, calls)


async def settled_act(
    thought: Thought, places: Places, known: KnownMap, slot: Slot, block: Block, calls: tuple[str, ...] = ()
) -> ProposeAct:
    """A task somewhere: asks where, records the task as a plan, proposes the act."""
    step, clock, me = thought.step, thought.clock, thought.person.name
    minutes = max(1, round((slot.end - step) * clock.step_seconds / 60))
    until = slot.end
    settled = _same_place(thought, places, slot)
    if settled is None:
        options = places.options(
            me, known, thought.moment.tile, thought.moment.place, step, slot.end,
            f"{block.place or whereabouts(thought, block)} {block.activity} {slot.activity}", barred_places(thought),
        )  # fmt: skip
        chosen = await settle(thought.ask, thought.person, thought.scene(), slot, minutes, block, options)
        if chosen.option is not None and chosen.option.minutes_away:
            until = max(until, step + clock.steps(minutes=chosen.option.minutes_away + 3))
        settled = At(
            str(slot.block), chosen.option.address if chosen.option else thought.moment.place,
            chosen.reply.icon, chosen.reply.state, chosen.reply.private, chosen.call,
        )  # fmt: skip
        thought.put("at", [*settled])
    record = thought.draft.add(
        "plan",
        phrase("plan.task", perceiver=me, activity=slot.activity, minutes=minutes, **span_fields(clock, step, until)),
        importance=TASK, tag="task", span=(step, until), address=settled.target, evidence=(slot.block,),
    )  # fmt: skip
    done = thought.get("recent")
    recent = [*(done if isinstance(done, list) else []), slot.activity]
    thought.put("recent", recent[-RECENT_TASKS:])
    return ProposeAct(
        text=slot.activity, icon=settled.icon, target=settled.target, until=until, state=settled.state,
        private=settled.private,
        because=Because(
            plan=record.id, records=(slot.block, block.plan), calls=(*calls, settled.call), note=phrase("reason.plan")
        ),
    )  # fmt: skip


def _same_place(thought: Thought, places: Places, slot: Slot) -> At | None:
    """Where the task before was done, when this one stays there, one is still there, and may be."""
    held = thought.get("at")
    if not slot.stays or not isinstance(held, list):
        return None
    at = At(*held)  # type: ignore[arg-type]
    if at.block != str(slot.block) or thought.moment.place not in (at.target, parent(at.target)):
        return None
    if at.target in barred_places(thought):
        return None
    sector = places.town.by_address.get(places.sector_of(at.target))
    me, clock = thought.person.name, thought.clock
    if isinstance(sector, Sector) and not places.is_open(sector, max(thought.step, slot.end - clock.steps(minutes=1)), me):
        return None
    return at


def sleep(thought: Thought, bed: str) -> ProposeAct:
    """To bed until the next waking."""
    thought.put("night", True)
    return ProposeAct(
        text=phrase("sleep.asleep"), icon="sleep", target=bed, until=asleep_until(thought), asleep=True,
        because=Because(note=phrase("reason.asleep")),
    )  # fmt: skip


def _idle(thought: Thought, until: int) -> ProposeAct:
    return ProposeAct(
        text=phrase("idle"), icon="dot", target=thought.moment.place, until=until, because=Because(note=phrase("reason.idle"))
    )


def bar(thought: Thought, address: str, minutes: float) -> None:
    """Notes that a place can't be used for a while."""
    until = thought.step + thought.clock.steps(minutes=minutes)
    held = thought.get("barred")
    kept = {a: s for a, s in held.items() if isinstance(s, int) and s > thought.step} if isinstance(held, dict) else {}
    thought.put("barred", {**kept, address: until})


def barred_places(thought: Thought) -> tuple[str, ...]:
    """Places found full or closed a moment ago."""
    held = thought.get("barred")
    if not isinstance(held, dict):
        return ()
    return tuple(address for address, until in held.items() if isinstance(until, int) and until > thought.step)


def _day_of_life(thought: Thought, step: int) -> date:
    """The day that is being lived: after midnight it is still yesterday's until one has slept."""
    clock = thought.clock
    day = clock.day(step)
    if clock.minute_of_day(step) < thought.person.sleeps - 1440:
        return day - timedelta(days=1)
    return day


def evidence_of(schedule: Schedule) -> tuple[RecordId, ...]:
    """Everything today's parts rest on."""
    return tuple(dict.fromkeys(r for part in schedule.parts for r in part.rests_on))
