"""Looking at a stream as of a step, with kinds of records hidden (the ablations of Park et al. section 6).

Parts: `Condition` with its presets, `MindView`. A view is a snapshot: neither later records nor later accesses show in
it. All that a mind says of itself under a condition is derived from such a view, so that nothing hidden can leak.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kernel import RecordId, UsageError, nearest
from memory.protocols import KIND_CODES, Candidates
from memory.reading import Reading
from memory.record import Kind
from memory.stream import Stream

if TYPE_CHECKING:
    from memory.protocols import Readable


@dataclass(frozen=True, slots=True)
class Condition:
    """Kinds of records that can't be read. Hiding observations hides conversations, too: they are observed."""

    hide: frozenset[Kind] = frozenset()

    def __post_init__(self) -> None:
        if "observation" in self.hide:
            object.__setattr__(self, "hide", self.hide | {"conversation"})

    @classmethod
    def parse(cls, text: str) -> Condition:
        """Reads "reflection,plan" (in any case, plural or not; "" hides nothing). Raises UsageError."""
        hidden: set[Kind] = set()
        for word in text.split(","):
            wanted = word.strip().casefold()
            if not wanted:
                continue
            for kind in KIND_CODES:
                if wanted in (kind, kind + "s"):
                    hidden.add(kind)
                    break
            else:
                near = nearest(wanted, KIND_CODES)
                raise UsageError(
                    f"'{word.strip()}' is not a kind of memory",
                    hint=f"did you mean {near}?" if near else "kinds are " + ", ".join(KIND_CODES),
                )
        return cls(frozenset(hidden))

    def __str__(self) -> str:
        """As `parse` reads it."""
        return ",".join(kind for kind in KIND_CODES if kind in self.hide)


FULL = Condition()
NO_REFLECTION = Condition(frozenset({"reflection"}))
NO_REFLECTION_NO_PLAN = Condition(frozenset({"reflection", "plan"}))
NONE = Condition(frozenset({"observation", "conversation", "reflection", "plan"}))


class MindView(Reading):
    """A stream as all steps < `step` left it, without what `condition` hides. Read-only. Implements `Readable`.

    Evidence ids of a visible record may point to hidden ones; `has` tells which can be followed.
    """

    def __init__(self, stream: Stream, step: int, condition: Condition = FULL) -> None:
        self.owner = stream.owner
        self.clock = stream.clock
        self.embedder = stream.embedder
        self.step = step
        self.condition = condition
        self._stream = stream
        self._index = stream.index
        self._candidates: Candidates | None = None
        created = stream.created
        self._limit = int(np.searchsorted(created, step)) if stream.chronological else len(created)
        self._rows: NDArray[np.int64] | None = None  # None: the first `_limit` rows
        if condition.hide or not stream.chronological:
            keep = created[: self._limit] < step
            if condition.hide:
                keep &= ~np.isin(stream.kinds[: self._limit], [KIND_CODES[kind] for kind in condition.hide])
            self._rows = np.flatnonzero(keep).astype(np.int64)
            every = stream.since()
            self._shown = [every[row] for row in self._rows.tolist()]
        else:
            self._shown = stream.since()[: self._limit]
        self._accessed = stream.accessed_before(step, self._limit)
        if self._rows is not None:
            self._accessed = self._accessed[self._rows]
        self._position = {row: position for position, row in enumerate(self._rows.tolist())} if self._rows is not None else {}

    def accessed(self, id: RecordId) -> int:
        """The step < `step` at which a record was last retrieved (or stored). KeyError when it isn't shown."""
        position = self._locate(id)
        if position is None:
            raise KeyError(id)
        return int(self._accessed[position])

    def candidates(self) -> Candidates:
        """The columns to score, of shown records only."""
        if self._candidates is None:
            whole = self._stream.candidates()
            chosen: NDArray[np.int64] | slice = slice(0, self._limit) if self._rows is None else self._rows
            self._candidates = Candidates(
                records=self._shown,
                vectors=whole.vectors[chosen],
                norms=whole.norms[chosen],
                accessed=self._accessed,
                importance=whole.importance[chosen],
                kinds=whole.kinds[chosen],
                ordered=whole.ordered,
                locate=self._locate,
            )
        return self._candidates

    def _positions(self, rows: Sequence[int]) -> Sequence[int]:
        if self._rows is None:
            return rows if not rows or rows[-1] < self._limit else rows[: bisect_left(rows, self._limit)]
        position = self._position
        return [position[row] for row in rows if row in position]


if TYPE_CHECKING:

    def _is_readable(view: MindView) -> Readable:
        return view
