"""The reading API, once, for whoever shows a selection of a store's rows: all of them (`Stream`) or some (`MindView`)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from numpy.typing import NDArray

from kernel import Clock, RecordId
from language.model import Embedder
from memory.index import Index
from memory.protocols import Candidates
from memory.record import Kind, Record
from memory.retrieval import Retrieval, Weights, retrieve
from town.speech import Fact


class Reading:
    """Base of `Stream` and `MindView`. A *row* counts the store's records, a *position* those shown here."""

    owner: str
    clock: Clock
    embedder: Embedder
    _index: Index
    _shown: list[Record]

    def _positions(self, rows: Sequence[int]) -> Sequence[int]:
        """The positions of those rows that are shown."""
        raise NotImplementedError

    def accessed(self, id: RecordId) -> int:
        """See `Readable`."""
        raise NotImplementedError

    def candidates(self) -> Candidates:
        """See `Readable`."""
        raise NotImplementedError

    def __len__(self) -> int:
        return len(self._shown)

    def since(self, start: int = 0) -> list[Record]:
        """All records from position `start` on."""
        return self._shown[start:]

    def has(self, id: RecordId) -> bool:
        """Whether there is a record of this id that isn't hidden."""
        return self._locate(id) is not None

    def get(self, id: RecordId) -> Record:
        """The record of an id. Raises KeyError when there is none, or it is hidden."""
        position = self._locate(id)
        if position is None:
            raise KeyError(id)
        return self._shown[position]

    def latest(self, n: int, kinds: Collection[Kind] | None = None) -> list[Record]:
        """The last `n` records (of these kinds), oldest of them first."""
        if n <= 0:
            return []
        if kinds is None:
            return self._shown[-n:]
        found: list[Record] = []
        for record in reversed(self._shown):
            if record.kind in kinds:
                found.append(record)
                if len(found) == n:
                    break
        found.reverse()
        return found

    def mentioning(self, name: str) -> list[Record]:
        """Records concerning a person, by full name in any case; or, given any other text, everybody whose full or
        first name the text contains."""
        return self._pick(self._index.mentioning(name))

    def concerning(self, full_name: str) -> list[Record]:
        """Records concerning exactly the person of this full name (in any case)."""
        return self._pick(self._index.by_person.get(full_name.casefold(), ()))

    def tagged(self, tag: str) -> list[Record]:
        """Records of a tag."""
        return self._pick(self._index.by_tag.get(tag, ()))

    def of_kind(self, kind: Kind) -> list[Record]:
        """Records of a kind."""
        return self._pick(self._index.by_kind.get(kind, ()))

    def carrying(self, fact_id: str) -> list[Record]:
        """Records that carry a fact."""
        return self._pick(self._index.by_fact.get(fact_id, ()))

    def facts(self) -> tuple[tuple[Fact, Record], ...]:
        """Every fact known, once, with the first record that carries it, in order of learning."""
        first: list[int] = []
        for rows in self._index.by_fact.values():
            positions = self._positions(rows)
            if positions:
                first.append(positions[0])
        found = [self._shown[position] for position in sorted(first)]
        return tuple((record.fact, record) for record in found if record.fact is not None)

    def importance_of(self, text: str) -> int | None:
        """The importance of the latest record of exactly this text, None when there is none."""
        positions = self._positions(self._index.by_text.get(text, ()))
        return self._shown[positions[-1]].importance if positions else None

    def retrieve(
        self,
        query: str | NDArray[Any],
        *,
        id: RecordId,
        step: int,
        purpose: str,
        k: int = 30,
        token_budget: int | None = None,
        weights: Weights | None = None,
        kinds: Collection[Kind] | None = None,
        people: Collection[str] = (),
        about: str | None = None,
        exclude: Collection[RecordId] = (),
    ) -> Retrieval:
        """See `memory.retrieval.retrieve`."""
        return retrieve(
            self, query, id=id, step=step, purpose=purpose, k=k, token_budget=token_budget, weights=weights,
            kinds=kinds, people=people, about=about, exclude=exclude,
        )  # fmt: skip

    def _locate(self, id: RecordId) -> int | None:
        row = self._index.by_id.get(id)
        if row is None:
            return None
        positions = self._positions((row,))
        return positions[0] if positions else None

    def _pick(self, rows: Sequence[int]) -> list[Record]:
        shown = self._shown
        return [shown[position] for position in self._positions(rows)]
