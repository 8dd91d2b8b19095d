"""Tasks: a block taken apart just in time, and a task settled somewhere (Park et al. 2023, sections 4.3 and 5.1).

slots_for   Decompose: the tasks of the block that is being lived
settle      Settle: place, object, icon and object state in one answer
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from kernel import Clock
from language import Answer, Ask, Decompose, Person, PlaceOption, Scene, Settle
from language.replies import Settling
from planning.schedule import Block, Slot

LEAST_MINUTES = 3
"""A leftover shorter than this is joined to the task before it."""


async def slots_for(
    ask: Ask, person: Person, scene: Scene, clock: Clock, block: Block, step: int, recent: tuple[str, ...]
) -> tuple[tuple[Slot, ...], str]:
    """The tasks of `block` from `step` on, filling it exactly; and the key of the call."""
    start = max(step, block.start)
    minutes = max(1, round((block.end - start) * clock.step_seconds / 60))
    answer = await ask(
        Decompose(
            person=person, scene=scene, activity=block.activity, start=clock.minute_of_day(start), minutes=minutes,
            place=block.place, recent=recent,
        )
    )  # fmt: skip
    slots: list[Slot] = []
    at = start
    for task in answer.reply.tasks:
        if at >= block.end:
            break
        end = min(at + clock.steps(minutes=task.minutes), block.end)
        slots.append(Slot(at, end, task.activity, block.plan, task.stays and bool(slots)))
        at = end
    if not slots:
        slots.append(Slot(start, block.end, block.activity, block.plan))
    if at < block.end:
        last = slots.pop()
        if block.end - at < clock.steps(minutes=LEAST_MINUTES):
            slots.append(replace(last, end=block.end))
        else:
            slots.extend((last, Slot(at, block.end, block.activity, block.plan, stays=True)))
    return tuple(slots), answer.call


@dataclass(frozen=True, slots=True)
class Settled:
    """Where a task is done. `option` is None when nothing fits: one stays where one is."""

    reply: Settling
    option: PlaceOption | None
    call: str


async def settle(
    ask: Ask, person: Person, scene: Scene, slot: Slot, minutes: int, block: Block, options: tuple[PlaceOption, ...]
) -> Settled:
    """Asks where to do a task; an address that isn't an option counts as none (the gateway repairs near misses)."""
    answer: Answer[Settling] = await ask(
        Settle(
            person=person, scene=scene, activity=slot.activity, minutes=minutes, hint=block.place, options=options,
            purpose=block.activity if block.activity != slot.activity else "",
        )
    )  # fmt: skip
    chosen = next((option for option in options if option.address == answer.reply.address), None)
    return Settled(answer.reply, chosen, answer.call)
