"""The memory stream of one resident (Park et al. section 4.1): append-only, indexed, its vectors beside it.

Life of a stream:

    stream = Stream("Klaus Mueller", embedder, clock)
    stream.extend(seeds)                              # created -1
    ... a mind reads it, or a `Draft` over it, and proposes records and retrievals ...
    stream.apply(records, retrievals)                 # at commit: appends, and moves last-accessed steps
    rows = stream.vectors(), stream.accessed_steps()  # to save; `restore` is the inverse

Texts are embedded in batches, when a vector is first needed. Last-accessed steps can be read as of any earlier step,
since the touches that moved them are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kernel import Clock, RecordId, RunFileError
from language.model import Embedder
from memory.columns import Columns
from memory.index import Index
from memory.protocols import Candidates
from memory.reading import Reading
from memory.record import Record
from memory.retrieval import Retrieval
from town.speech import Fact

if TYPE_CHECKING:
    from memory.protocols import Readable


class Stream(Reading):
    """All memories of `owner`, oldest first. Implements `memory.protocols.Readable`."""

    def __init__(self, owner: str, embedder: Embedder, clock: Clock) -> None:
        self.owner = owner
        self.embedder = embedder
        self.clock = clock
        self.ordered = True  # ids ascend with the rows
        self.chronological = True  # created steps do so, too
        self._index = Index()
        self._shown: list[Record] = []
        self._facts: tuple[tuple[Fact, Record], ...] = ()
        self._columns = Columns(embedder.dimensions)
        self._touches: list[tuple[int, NDArray[np.int64]]] = []

    # -- writing ------------------------------------------------------------------------------------------------

    def append(self, record: Record) -> None:
        """Adds one record; touches nothing else. Raises ValueError when its id is in the stream already."""
        self._add(record, record.created)

    def extend(self, records: Iterable[Record]) -> None:
        """Adds records in order."""
        for record in records:
            self._add(record, record.created)

    def touch(self, ids: Iterable[RecordId], step: int) -> None:
        """Records were retrieved at `step`: moves their last access there. Raises KeyError for an unknown id."""
        rows = [self._index.by_id[id] for id in ids]
        if rows:
            self._touches.append((step, np.array(rows, dtype=np.int64)))
            self._columns.touch(rows, step)

    def apply(self, records: Iterable[Record], retrievals: Iterable[Retrieval]) -> None:
        """What a mind wrote in one step: appends the records, then touches what each retrieval chose."""
        self.extend(records)
        for retrieval in retrievals:
            self.touch(retrieval.ids, retrieval.step)

    # -- reading (the rest is in `Reading`) ---------------------------------------------------------------------

    def facts(self) -> tuple[tuple[Fact, Record], ...]:
        """Every fact known, once, with the first record that carries it, in order of learning: kept, since asked all day."""
        return self._facts

    def accessed(self, id: RecordId) -> int:
        """The step at which a record was last retrieved (or stored). KeyError when it isn't here."""
        return int(self._columns.accessed[self._index.by_id[id]])

    def candidates(self) -> Candidates:
        """The columns to score: views of the stream's own arrays, valid until it is written."""
        self._embed()
        columns = self._columns
        return Candidates(
            records=self._shown,
            vectors=columns.vectors,
            norms=columns.norms,
            accessed=columns.accessed,
            importance=columns.importance,
            kinds=columns.kinds,
            ordered=self.ordered,
            locate=self._index.by_id.get,
        )

    def accessed_before(self, step: int, count: int) -> NDArray[np.int64]:
        """A copy of the last-accessed steps of the first `count` rows, as all steps < `step` left them."""
        out = self._columns.accessed[:count].copy()
        late = np.flatnonzero(out >= step)
        if len(late):
            first = self._columns.first_accessed[late]
            out[late] = np.where(first < step, first, np.minimum(self._columns.created[late], step - 1))
            again = np.zeros(self._columns.size, dtype=bool)
            again[late] = True
            for at, rows in self._touches:
                if at < step:
                    hit = rows[again[rows]]
                    out[hit] = np.maximum(out[hit], at)
        return out

    @property
    def created(self) -> NDArray[np.int64]:
        """(n,) steps of storing; not to be written."""
        return self._columns.created

    @property
    def kinds(self) -> NDArray[np.int8]:
        """(n,) kind codes; not to be written."""
        return self._columns.kinds

    @property
    def index(self) -> Index:
        """The stream's indices, for views over it; not to be written."""
        return self._index

    # -- saving -------------------------------------------------------------------------------------------------

    def vectors(self, start: int = 0) -> list[bytes]:
        """Embeddings from row `start` on, each as int8 bytes (one per dimension), for the run file."""
        self._embed()
        return [row.tobytes() for row in self._columns.vectors[start:].astype(np.int8)]

    def accessed_steps(self) -> list[int]:
        """Last-accessed steps of all rows, for the run file."""
        steps: list[int] = self._columns.accessed.tolist()
        return steps

    def accessed_since(self) -> list[list[int]]:
        """[row, last-accessed step] of the rows that have been retrieved since they were stored."""
        created, accessed = self._columns.created, self._columns.accessed
        rows = np.flatnonzero(accessed != created)
        moved: list[list[int]] = np.column_stack((rows, accessed[rows])).tolist()
        return moved

    def restore(
        self,
        records: Sequence[Record],
        vectors: Sequence[bytes] | None = None,
        accessed: Sequence[int] | None = None,
        touches: Iterable[tuple[int, Iterable[RecordId]]] = (),
    ) -> None:
        """Fills an empty stream as saved.

        vectors   as `vectors()` gave them; None: embedded afresh when needed
        accessed  as `accessed_steps()` gave them; None: as stored, moved by the touches
        touches   (step, ids chosen) of earlier retrievals in order: needed, with accessed None, to read it as of steps
                  before the one it is restored at

        Raises RunFileError when a vector has another length than the embedder's, ValueError for unequal counts.
        """
        if self._shown:
            raise ValueError("only an empty stream can be restored")
        steps = [record.created for record in records] if accessed is None else accessed
        for record, step in zip(records, steps, strict=True):
            self._add(record, step)
        if vectors is not None:
            self._columns.fill(self._levels(records, vectors))
        for at, ids in touches:
            self.touch(ids, at)

    # -- inside -------------------------------------------------------------------------------------------------

    def _levels(self, records: Sequence[Record], vectors: Sequence[bytes]) -> NDArray[np.float32]:
        width = self.embedder.dimensions
        for record, row in zip(records, vectors, strict=True):
            if len(row) != width:
                raise RunFileError(
                    f"the saved embedding has {len(row)} dimensions, {self.embedder.name} has {width}",
                    place=str(record.id),
                    hint="resume with the embedder of the run, or embed its memories afresh",
                )
        return np.frombuffer(b"".join(vectors), dtype=np.int8).reshape(len(vectors), width).astype(np.float32)

    def _positions(self, rows: Sequence[int]) -> Sequence[int]:
        return rows

    def _add(self, record: Record, accessed: int) -> None:
        self._index.add(record, len(self._shown))
        if self._shown:
            last = self._shown[-1]
            self.ordered = self.ordered and last.id < record.id
            self.chronological = self.chronological and last.created <= record.created
        self._shown.append(record)
        if record.fact is not None and len(self._index.by_fact[record.fact.id]) == 1:
            self._facts += ((record.fact, record),)
        self._columns.add(record, accessed)

    def _embed(self) -> None:
        waiting = self._shown[self._columns.embedded :]
        if waiting:
            self._columns.fill(np.asarray(self.embedder.embed([record.text for record in waiting]), dtype=np.float32))


if TYPE_CHECKING:

    def _is_readable(stream: Stream) -> Readable:
        return stream
