"""Who knows whom, and how dense that is (Park et al. 2023, section 7.1.2: relationship formation).

    acquaintance(reading, step)   the directed graph of who knows whom, as all steps < `step` left it
    density(graph)                2E / (V (V - 1)), E the pairs who know of each other (see memory.relationships)
    known_since(reading)          when each came to know each other: (who, whom) -> step, -1 from the start

All from memories alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from memory import Readable, Record, Relationships, density
from simulation.measures.reading import Reading

if TYPE_CHECKING:
    import networkx

__all__ = ["acquaintance", "density", "known_since"]


class _Growing:
    """A memory of which only the first `shown` records can be read. `Relationships` asks for no more than this."""

    def __init__(self, owner: str, records: Sequence[Record], shown: int) -> None:
        self.owner = owner
        self.shown = shown
        self._records = records

    def since(self, start: int = 0) -> Sequence[Record]:
        """Records from position `start` on."""
        return self._records[start : self.shown]


def acquaintance(reading: Reading, step: int) -> networkx.DiGraph[str]:
    """An edge a -> b when a knows b, with `how` and `closeness`; residents only. Step 0 is the start."""
    import networkx

    graph: networkx.DiGraph[str] = networkx.DiGraph()
    graph.add_nodes_from(reading.names)
    for name in reading.names:
        records = reading.memories[name]
        shown = sum(1 for record in records if record.created < step)
        known = Relationships(cast(Readable, _Growing(name, records, shown)))
        for other in reading.names:
            found = known.of(other)
            if other != name and found.known:
                graph.add_edge(name, other, how=found.how, closeness=found.closeness)
    return graph


def known_since(reading: Reading) -> dict[tuple[str, str], int]:
    """(who, whom) -> step since which who knows whom, for all who do."""
    spelled = {name.casefold(): name for name in reading.names}
    found: dict[tuple[str, str], int] = {}
    for name in reading.names:
        records = reading.memories[name]
        growing = _Growing(name, records, 0)
        relationships = Relationships(cast(Readable, growing))
        while growing.shown < len(records):
            step = records[growing.shown].created
            while growing.shown < len(records) and records[growing.shown].created == step:
                growing.shown += 1
            for other in relationships.known():
                if other.casefold() in spelled:
                    found.setdefault((name, spelled[other.casefold()]), step)
    return found
