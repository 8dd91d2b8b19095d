"""Growing arrays beside the records of a stream: what scoring needs, one row per record."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from language.embedding import norms
from memory.protocols import KIND_CODES, Vector
from memory.record import Record


class Columns:
    """Rows are added with `add`; their vectors may come later, in batches (`fill`). Capacity doubles when used up."""

    __slots__ = ("_accessed", "_created", "_first_accessed", "_importance", "_kinds", "_norms", "_vectors", "embedded", "size")

    def __init__(self, dimensions: int, capacity: int = 64) -> None:
        self.size = 0
        self.embedded = 0  # rows [0, embedded) have their vectors
        self._vectors = np.zeros((capacity, dimensions), dtype=np.float32)
        self._norms = np.ones(capacity, dtype=np.float64)
        self._created = np.zeros(capacity, dtype=np.int64)
        self._accessed = np.zeros(capacity, dtype=np.int64)
        self._first_accessed = np.zeros(capacity, dtype=np.int64)
        self._importance = np.zeros(capacity, dtype=np.float64)
        self._kinds = np.zeros(capacity, dtype=np.int8)

    def add(self, record: Record, accessed: int) -> None:
        """One more row, without a vector yet."""
        row = self.size
        if row == len(self._created):
            self._grow()
        self._created[row] = record.created
        self._accessed[row] = self._first_accessed[row] = accessed
        self._importance[row] = record.importance
        self._kinds[row] = KIND_CODES[record.kind]
        self.size = row + 1

    def fill(self, vectors: Vector) -> None:
        """Vectors (n, d) of the next n rows that have none."""
        start, end = self.embedded, self.embedded + len(vectors)
        self._vectors[start:end] = vectors
        self._norms[start:end] = norms(vectors)
        self.embedded = end

    def touch(self, rows: Sequence[int], step: int) -> None:
        """Moves the last-accessed steps of rows forward to `step`."""
        chosen = np.asarray(rows, dtype=np.int64)
        self._accessed[chosen] = np.maximum(self._accessed[chosen], step)

    @property
    def vectors(self) -> Vector:
        """(size, d); not to be written."""
        return self._vectors[: self.size]

    @property
    def norms(self) -> NDArray[np.float64]:
        """(size,) lengths of the vectors; 1.0 for zero ones."""
        return self._norms[: self.size]

    @property
    def created(self) -> NDArray[np.int64]:
        """(size,) steps of storing."""
        return self._created[: self.size]

    @property
    def accessed(self) -> NDArray[np.int64]:
        """(size,) steps of the last access."""
        return self._accessed[: self.size]

    @property
    def first_accessed(self) -> NDArray[np.int64]:
        """(size,) steps of the last access as the rows were added (later, when restored)."""
        return self._first_accessed[: self.size]

    @property
    def importance(self) -> NDArray[np.float64]:
        """(size,) 1..10."""
        return self._importance[: self.size]

    @property
    def kinds(self) -> NDArray[np.int8]:
        """(size,) codes as in KIND_CODES."""
        return self._kinds[: self.size]

    def _grow(self) -> None:
        for name in ("_vectors", "_norms", "_created", "_accessed", "_first_accessed", "_importance", "_kinds"):
            old = getattr(self, name)
            new = np.zeros((2 * len(old), *old.shape[1:]), dtype=old.dtype)
            new[: len(old)] = old
            setattr(self, name, new)
