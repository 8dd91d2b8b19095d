"""What a mind adds while it thinks: an overlay over its memory that writes nothing.

draft = Draft(stream, resident, step)
record = draft.add("observation", text, importance=2, tag="seen")
found = draft.retrieve(text, purpose="react")
Writes(records=draft.records, retrievals=draft.retrievals)     # applied at commit by `Stream.apply`
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from kernel import Clock, RecordId
from language.model import Embedder
from memory.index import Index
from memory.protocols import Candidates, Readable
from memory.record import Kind, Record
from memory.retrieval import Retrieval, Weights, retrieve
from town.speech import Fact


class Draft:
    """A memory plus what is pending; implements `Readable`. Ids are (resident, step, n), n from 0 within the draft (after
    what a newcomer brought along at this very step), counted apart for records and retrievals (one commit per step).

    Pending records show in every reading method, but are no candidates of retrieval: what one has just noticed is the
    query, not the answer.
    """

    def __init__(self, base: Readable, resident: str, step: int) -> None:
        self.resident = resident
        self.step = step
        self._base = base
        self._index = Index()
        self._pending: list[Record] = []
        self._retrievals: list[Retrieval] = []
        self._first = 0
        while base.has(RecordId(resident, step, self._first)):
            self._first += 1

    @property
    def owner(self) -> str:
        """Full name of whose memory this is."""
        return self._base.owner

    @property
    def clock(self) -> Clock:
        """Game time of the steps in it."""
        return self._base.clock

    @property
    def embedder(self) -> Embedder:
        """What made its vectors."""
        return self._base.embedder

    @property
    def records(self) -> tuple[Record, ...]:
        """Records added here, in order."""
        return tuple(self._pending)

    @property
    def retrievals(self) -> tuple[Retrieval, ...]:
        """Retrievals made here, in order."""
        return tuple(self._retrievals)

    def next_id(self) -> RecordId:
        """The id that the next added record will have."""
        return RecordId(self.resident, self.step, self._first + len(self._pending))

    def add(
        self,
        kind: Kind,
        text: str,
        *,
        importance: int = 1,
        people: tuple[str, ...] = (),
        about: str | None = None,
        address: str | None = None,
        evidence: tuple[RecordId, ...] = (),
        fact: Fact | None = None,
        heard_from: str | None = None,
        source: RecordId | None = None,
        span: tuple[int, int] | None = None,
        tag: str = "",
        tone: float = 0.0,
        how: str = "",
    ) -> Record:
        """A new pending record, created at this step (fields as in `Record`)."""
        row = len(self._pending)
        record = Record(
            id=self.next_id(), kind=kind, text=text, created=self.step, importance=importance,
            people=people, about=about, address=address, evidence=evidence, fact=fact, heard_from=heard_from,
            source=source, span=span, tag=tag, tone=tone, how=how,
        )  # fmt: skip
        self._index.add(record, row)
        self._pending.append(record)
        return record

    def rate(self, id: RecordId, importance: int) -> None:
        """Gives a pending record its importance. KeyError when there is none of this id."""
        row = self._index.by_id[id]
        self._pending[row] = replace(self._pending[row], importance=importance)

    def retrieve(
        self,
        query: str | NDArray[Any],
        *,
        purpose: str,
        id: RecordId | None = None,
        step: int | None = None,
        k: int = 30,
        token_budget: int | None = None,
        weights: Weights | None = None,
        kinds: Collection[Kind] | None = None,
        people: Collection[str] = (),
        about: str | None = None,
        exclude: Collection[RecordId] = (),
    ) -> Retrieval:
        """As `memory.retrieval.retrieve` over what is committed; kept in `retrievals`, with the next id unless given."""
        found = retrieve(
            self._base, query, id=id or RecordId(self.resident, self.step, len(self._retrievals)),
            step=self.step if step is None else step, purpose=purpose, k=k, token_budget=token_budget, weights=weights,
            kinds=kinds, people=people, about=about, exclude=exclude,
        )  # fmt: skip
        self._retrievals.append(found)
        return found

    def __len__(self) -> int:
        return len(self._base) + len(self._pending)

    def since(self, start: int = 0) -> list[Record]:
        """All records from position `start` on, pending ones last."""
        return self._base.since(start) + self._pending[max(0, start - len(self._base)) :]

    def has(self, id: RecordId) -> bool:
        """Whether there is a record of this id, committed or pending."""
        return id in self._index.by_id or self._base.has(id)

    def get(self, id: RecordId) -> Record:
        """The record of an id. Raises KeyError when there is none."""
        row = self._index.by_id.get(id)
        return self._base.get(id) if row is None else self._pending[row]

    def latest(self, n: int, kinds: Collection[Kind] | None = None) -> list[Record]:
        """The last `n` records (of these kinds), oldest of them first."""
        if n <= 0:
            return []
        fresh = [record for record in self._pending if kinds is None or record.kind in kinds][-n:]
        return self._base.latest(n - len(fresh), kinds) + fresh

    def mentioning(self, name: str) -> list[Record]:
        """Records concerning whom `name` (or a text) names; see `Readable.mentioning`."""
        return self._base.mentioning(name) + [self._pending[row] for row in self._index.mentioning(name)]

    def concerning(self, full_name: str) -> list[Record]:
        """Records concerning exactly the person of this full name (in any case)."""
        return self._base.concerning(full_name) + self._of(self._index.by_person.get(full_name.casefold()))

    def tagged(self, tag: str) -> list[Record]:
        """Records of a tag."""
        return self._base.tagged(tag) + self._of(self._index.by_tag.get(tag))

    def of_kind(self, kind: Kind) -> list[Record]:
        """Records of a kind."""
        return self._base.of_kind(kind) + self._of(self._index.by_kind.get(kind))

    def carrying(self, fact_id: str) -> list[Record]:
        """Records that carry a fact."""
        return self._base.carrying(fact_id) + self._of(self._index.by_fact.get(fact_id))

    def facts(self) -> tuple[tuple[Fact, Record], ...]:
        """Every fact known, once, with the first record that carries it, in order of learning."""
        known = self._base.facts()
        if not self._index.by_fact:
            return known
        ids = {fact.id for fact, _ in known}
        fresh = [self._pending[rows[0]] for fact_id, rows in self._index.by_fact.items() if fact_id not in ids]
        return known + tuple((record.fact, record) for record in fresh if record.fact is not None)

    def importance_of(self, text: str) -> int | None:
        """The importance of the latest record of exactly this text, None when there is none."""
        rows = self._index.by_text.get(text)
        return self._pending[rows[-1]].importance if rows else self._base.importance_of(text)

    def accessed(self, id: RecordId) -> int:
        """The step at which a record was last retrieved (or stored). KeyError when it isn't shown."""
        return self.step if id in self._index.by_id else self._base.accessed(id)

    def candidates(self) -> Candidates:
        """The columns to score: what is committed."""
        return self._base.candidates()

    def _of(self, rows: list[int] | None) -> list[Record]:
        return [self._pending[row] for row in rows or ()]


if TYPE_CHECKING:

    def _is_readable(draft: Draft) -> Readable:
        return draft
