"""The contracts of the memory room: what can be read, whether it is a whole stream, a filtered view or a draft.

Parts: `Candidates` (what retrieval scores), `Readable` (the reading API). All record lists are in stream order, oldest
first. Nothing read through a `Readable` shows a record its condition hides.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from kernel import Clock, RecordId
from language.model import Embedder
from memory.record import Kind, Record
from town.speech import Fact

if TYPE_CHECKING:
    from memory.retrieval import Retrieval, Weights

Vector = NDArray[np.float32]
"""(d,) or (n, d) whole numbers -127..127 (see `language.embedding`)."""

KIND_CODES: dict[Kind, int] = {"observation": 0, "conversation": 1, "reflection": 2, "plan": 3}


@dataclass(frozen=True, slots=True)
class Candidates:
    """All records that a `Readable` shows, as columns for scoring; row i of each belongs to records[i]. Not to be written.

    vectors (n, d) float32 levels; norms (n,) float64, 1.0 for a zero vector; accessed (n,) int64 step of last access;
    importance (n,) float64; kinds (n,) int8 as in KIND_CODES. `ordered`: ids ascend with the rows. `locate` gives the
    row of an id, None when it isn't shown.
    """

    records: Sequence[Record]
    vectors: Vector
    norms: NDArray[np.float64]
    accessed: NDArray[np.int64]
    importance: NDArray[np.float64]
    kinds: NDArray[np.int8]
    ordered: bool
    locate: Callable[[RecordId], int | None]


class Readable(Protocol):
    """A memory that can be read: `Stream` (all of it), `MindView` (as of a step, filtered), `Draft` (plus what is pending)."""

    @property
    def owner(self) -> str:
        """Full name of whose memory this is."""

    @property
    def clock(self) -> Clock:
        """Game time of the steps in it."""

    @property
    def embedder(self) -> Embedder:
        """What made its vectors; turns queries into vectors."""

    def __len__(self) -> int:
        """Number of records shown."""

    def since(self, start: int = 0) -> list[Record]:
        """All records from position `start` on."""

    def has(self, id: RecordId) -> bool:
        """Whether there is a record of this id that isn't hidden."""

    def get(self, id: RecordId) -> Record:
        """The record of an id. Raises KeyError when there is none, or it is hidden."""

    def latest(self, n: int, kinds: Collection[Kind] | None = None) -> list[Record]:
        """The last `n` records (of these kinds), oldest of them first."""

    def mentioning(self, name: str) -> list[Record]:
        """Records concerning a person, by full name in any case; or, given any other text, everybody whose full or
        first name the text contains."""

    def concerning(self, full_name: str) -> list[Record]:
        """Records concerning exactly the person of this full name (in any case)."""

    def tagged(self, tag: str) -> list[Record]:
        """Records of a tag."""

    def of_kind(self, kind: Kind) -> list[Record]:
        """Records of a kind."""

    def carrying(self, fact_id: str) -> list[Record]:
        """Records that carry a fact."""

    def facts(self) -> tuple[tuple[Fact, Record], ...]:
        """Every fact known, once, with the first record that carries it, in order of learning."""

    def importance_of(self, text: str) -> int | None:
        """The importance of the latest record of exactly this text, None when there is none."""

    def accessed(self, id: RecordId) -> int:
        """The step at which a record was last retrieved (or stored). KeyError when it isn't shown."""

    def candidates(self) -> Candidates:
        """The columns to score (see `memory.retrieval`)."""

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
