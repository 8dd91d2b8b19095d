"""Where two lives part: the first row in which they differ, of what the digest reads.

    parting(first, second, until)  -> Parting

Rows come in the order of the digest (step, resident, table, n). Where the first differing rows aren't of one place in that
order, only the earlier of them is a difference: the other life has nothing there.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from simulation.storing.digest import rows_in_order
from simulation.storing.runfile import RunFile

Row = list[Any]


@dataclass(frozen=True, slots=True)
class Parting:
    """`step` None: no difference. `rows` in each run: [table, step, resident, n, ...]; None: it has none there."""

    step: int | None
    rows: tuple[Row | None, Row | None]

    @property
    def row(self) -> Row | None:
        """One of the two that is there, the first's when both are."""
        return next((row for row in self.rows if row is not None), None)


def parting(first: RunFile, second: RunFile, until: int) -> Parting:
    """The first difference before step `until`."""
    for one, other in zip(rows_in_order(first, until), rows_in_order(second, until), strict=True):
        if one == other:
            continue
        for mine, theirs in zip_longest(one, other):
            if mine != theirs:
                return _earlier(mine, theirs)
    return Parting(None, (None, None))


def _earlier(mine: Row | None, theirs: Row | None) -> Parting:
    places = [None if row is None else (row[1], row[2], row[0], row[3]) for row in (mine, theirs)]
    here, there = places
    if here is not None and (there is None or here < there):
        return Parting(here[0], (mine, None))
    if there is not None and (here is None or there < here):
        return Parting(there[0], (None, theirs))
    assert here is not None
    return Parting(here[0], (mine, theirs))
