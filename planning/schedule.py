"""The schedule of one day: broad parts > hour blocks > tasks, and what is due at a step.

    Part    5-8 a day, from waking to sleep        (PlanDay)
    Block   about an hour, within a part           (PlanHours)
    Slot    a task of 5-15 minutes, within a block (Decompose, just in time)

All times are steps, end exclusive. A schedule is a value: planning makes a new one, the mind keeps it in its state
as JSON and hands it to the journal at commit (Park et al. 2023, section 4.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from kernel import Json, RecordId


@dataclass(frozen=True, slots=True)
class Part:
    """A broad part of the day. `plan` is the record of it in the memory stream; `place` a hint in words."""

    start: int
    end: int
    activity: str
    place: str | None
    plan: RecordId
    rests_on: tuple[RecordId, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """An hour or so of one activity; `part` indexes `Schedule.parts`."""

    start: int
    end: int
    activity: str
    place: str | None
    plan: RecordId
    part: int


@dataclass(frozen=True, slots=True)
class Slot:
    """A task. `block` is the record of the block it belongs to; `stays`: done where the task before it was."""

    start: int
    end: int
    activity: str
    block: RecordId
    stays: bool = False


@dataclass(frozen=True, slots=True)
class PlanEntry:
    """A plan as the run file keeps it. `level` is day, hour or task; `status` made, changed or dropped."""

    id: RecordId
    level: str
    start: int
    end: int
    text: str
    place: str | None
    status: str
    reason: str
    rests_on: tuple[RecordId, ...] = ()


@dataclass(frozen=True, slots=True)
class Schedule:
    """A day from `wake` to `bed` (steps). `slots` cover the block being lived and perhaps the next, no more."""

    wake: int
    bed: int
    parts: tuple[Part, ...] = ()
    blocks: tuple[Block, ...] = ()
    slots: tuple[Slot, ...] = ()

    def part_at(self, step: int) -> Part | None:
        """The part that covers `step`."""
        return _covering(self.parts, step)

    def block_at(self, step: int) -> Block | None:
        """The block that covers `step`."""
        return _covering(self.blocks, step)

    def slot_at(self, step: int) -> Slot | None:
        """The task that covers `step`, None when its block isn't decomposed yet."""
        return _covering(self.slots, step)

    def rest_of_day(self, step: int) -> tuple[str, ...]:
        """Activities of the parts that aren't over at `step`."""
        return tuple(p.activity for p in self.parts if p.end > step)

    def with_slots(self, slots: Sequence[Slot]) -> Schedule:
        """The same day with these tasks (older ones are dropped: they are in the memory stream)."""
        return replace(self, slots=tuple(slots))

    def to_json(self) -> Json:
        """As JSON, for the mind's state."""
        return {
            "wake": self.wake,
            "bed": self.bed,
            "parts": [[p.start, p.end, p.activity, p.place, str(p.plan), [str(r) for r in p.rests_on]] for p in self.parts],
            "blocks": [[b.start, b.end, b.activity, b.place, str(b.plan), b.part] for b in self.blocks],
            "slots": [[s.start, s.end, s.activity, str(s.block), s.stays] for s in self.slots],
        }

    @classmethod
    def from_json(cls, data: Json) -> Schedule:
        """Inverse of `to_json`."""
        assert isinstance(data, dict)
        rid = RecordId.parse
        parts: list[list[object]] = data["parts"]  # type: ignore[assignment]
        blocks: list[list[object]] = data["blocks"]  # type: ignore[assignment]
        slots: list[list[object]] = data["slots"]  # type: ignore[assignment]
        return cls(
            wake=int(data["wake"]),  # type: ignore[arg-type]
            bed=int(data["bed"]),  # type: ignore[arg-type]
            parts=tuple(
                Part(s, e, a, p, rid(i), tuple(rid(r) for r in on))  # type: ignore[arg-type, attr-defined]
                for s, e, a, p, i, on in parts
            ),
            blocks=tuple(Block(s, e, a, p, rid(i), n) for s, e, a, p, i, n in blocks),  # type: ignore[arg-type]
            slots=tuple(Slot(s, e, a, rid(i), bool(on)) for s, e, a, i, on in slots),  # type: ignore[arg-type]
        )


class _Span(Protocol):
    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


S = TypeVar("S", bound=_Span)


def _covering(spans: Sequence[S], step: int) -> S | None:
    return next((span for span in spans if span.start <= step < span.end), None)
