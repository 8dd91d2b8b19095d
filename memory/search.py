"""Similarity search over the memories of a whole town (no recency, no importance), with faiss.

faiss finds by inner product, exact on whole numbers below 2^24; the hits are then ranked by their exact cosines, ties by
id. faiss is imported when a search is built: it takes a while.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from language.embedding import norms
from language.model import Embedder
from memory.protocols import Readable
from memory.record import Record

DECIMALS = 9


@dataclass(frozen=True, slots=True)
class Hit:
    """A record found: whose it is, and its cosine with the query (9 decimals)."""

    resident: str
    record: Record
    score: float


class TownSearch:
    """An index over memories as they are now: records added later aren't found.

    Only what each `Readable` shows is indexed, so a search under a condition is one over filtered views.
    Raises ValueError when memories of different embedders are mixed.
    """

    def __init__(self, views: Mapping[str, Readable]) -> None:
        import faiss

        self._records: list[tuple[str, Record]] = []
        self._embedder: Embedder | None = None
        self._index: Any = None
        lengths: list[NDArray[np.float64]] = []
        for resident, view in views.items():
            if self._embedder is None:
                self._embedder = view.embedder
                self._index = faiss.IndexFlatIP(view.embedder.dimensions)
            elif view.embedder.name != self._embedder.name:
                raise ValueError(
                    f"memories embedded by {view.embedder.name} and {self._embedder.name} can't be searched together"
                )
            candidates = view.candidates()
            if candidates.records:
                self._index.add(np.ascontiguousarray(candidates.vectors))
                self._records.extend((resident, record) for record in candidates.records)
                lengths.append(candidates.norms)
        self._norms = np.concatenate(lengths) if lengths else np.ones(0)

    def __len__(self) -> int:
        return len(self._records)

    def search(self, query: str, k: int = 10) -> list[Hit]:
        """The `k` records most like a text, best first. Nothing for a text without words.

        Exactly the k best cosines: the k best inner products give a bound, and all that could beat it are looked at.
        """
        if self._embedder is None or not self._records or k <= 0:
            return []
        vector = np.asarray(self._embedder.embed([query]), dtype=np.float32)
        if not vector.any():
            return []
        length = norms(vector)[0]
        dots, rows = self._index.search(vector, min(k, len(self._records)))
        bound = float(np.min(dots[0] / self._norms[rows[0]]))
        if bound > 0.0:
            least = bound * float(self._norms.min())
            _, dots_flat, rows_flat = self._index.range_search(vector, np.nextafter(np.float32(least), np.float32(-1)) - 1)
        else:
            dots, rows = self._index.search(vector, len(self._records))
            dots_flat, rows_flat = dots[0], rows[0]
        scores = np.round(dots_flat.astype(np.float64) / (self._norms[rows_flat] * length), DECIMALS)
        found = []
        for row, score in zip(rows_flat.tolist(), scores.tolist(), strict=True):
            resident, record = self._records[row]
            found.append(Hit(resident, record, score))
        found.sort(key=lambda hit: (-hit.score, hit.record.id))
        return found[:k]
