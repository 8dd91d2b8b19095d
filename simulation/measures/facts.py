"""Who knows a fact, from whom, since when (Park et al. 2023, section 7.1.1: information diffusion).

    Learned              how one resident came to know a fact
    spread(reading, id)  everybody who knows it, in the order they came to

Knowing is having a memory that carries the fact. A *holder* knows it of themselves (from the start, or told by nobody);
the *first hand* is who heard it from a holder; the *second hand* who heard it from anybody else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from memory import Record
from simulation.measures.reading import Reading

Hand = Literal["holder", "first", "second"]


@dataclass(frozen=True, slots=True)
class Learned:
    """`source` told it (None: a holder) at `place`; `record` is the memory, `words` the utterance, as ids."""

    resident: str
    step: int
    source: str | None
    hand: Hand
    place: str | None
    record: str
    words: str | None


def spread(reading: Reading, fact_id: str) -> list[Learned]:
    """Everybody who knows the fact, by the time of learning; a fact that takes another back is followed like any."""
    first: dict[str, Record] = {}
    for name in reading.names:
        for record in reading.memories[name]:
            if record.fact is None or record.fact.id != fact_id:
                continue
            known = first.get(name)
            # One's own answer ("promise") is noted in the same step as the news it answers: the news counts.
            if known is None or (known.heard_from is None and record.heard_from is not None and record.created == known.created):
                first[name] = record
    holders = {name for name, record in first.items() if record.heard_from is None}
    order = {name: place for place, name in enumerate(reading.names)}
    return [
        Learned(
            name, record.created, record.heard_from, _hand(record, holders), record.address, str(record.id),
            str(record.source) if record.source is not None else None,
        )
        for name, record in sorted(first.items(), key=lambda item: (item[1].created, order[item[0]]))
    ]  # fmt: skip


def _hand(record: Record, holders: set[str]) -> Hand:
    if record.heard_from is None:
        return "holder"
    return "first" if record.heard_from in holders else "second"
