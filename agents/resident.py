"""A mind in a body: what the engine gets to see of a resident, and where its own writes go.

MindJournal   where a mind's committed writes are reported (the run file implements it)
Dweller       implements `town.Resident` around any mind: hands it its `ask`, journals what it wrote
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from agents.exposing import Exposing
from agents.mind import Mind
from kernel import Json
from language import Ask
from memory import Exposed, Exposure, Record, Retrieval, Stream
from planning.schedule import PlanEntry
from town.protocols import Intention, Moment, Outcome


class MindJournal(Protocol):
    """Where minds report what they have written; called at commit only, in resident order."""

    def remembered(self, record: Record, vector: bytes) -> None:
        """A new memory and its embedding (int8 levels)."""

    def retrieved(self, retrieval: Retrieval) -> None:
        """Records chosen for a moment; the chosen ones' last-accessed step is the retrieval's step."""

    def exposed(self, resident: str, step: int, exposed: Exposed) -> None:
        """What was shown for a decision, and what was left out, where an exposure has a cap."""

    def planned(self, resident: str, entry: PlanEntry) -> None:
        """A plan made, changed or dropped."""

    def state_changed(self, resident: str, key: str, step: int, value: Json) -> None:
        """A key of the mind's state has a new value from the end of `step` on; None: it is gone."""


class Dweller:
    """A resident: one mind, its stream, and the two ways out (questions to a model, rows to the journal).

    An `exposure` with a cap bounds every question, whatever the mind.
    """

    def __init__(
        self, mind: Mind, stream: Stream, asker: Callable[[str, int], Ask], journal: MindJournal, exposure: Exposure | None = None
    ) -> None:
        self.mind = mind
        self.stream = stream
        self._asker = asker
        self._journal = journal
        self._exposure = exposure if exposure is not None and exposure.bounded else None
        self._exposing: dict[int, Exposing] = {}  # by step: one may still be thinking of another moment

    @property
    def name(self) -> str:
        """The resident's full name."""
        return self.mind.name

    def prepare(self, moment: Moment) -> Intention | Awaitable[Intention]:
        """The mind's intention, or its deliberation already given what it may ask."""
        decided = self.mind.prepare(moment)
        if isinstance(decided, Intention):
            return decided
        ask = self._asker(self.name, moment.step)
        if self._exposure is None:
            return decided(ask)
        self._exposing[moment.step] = exposing = Exposing(ask, self._exposure)
        return decided(exposing)

    def commit(self, moment: Moment, intention: Intention, outcome: Outcome) -> None:
        """Lets the mind apply its writes, and journals them."""
        before = len(self.stream)
        writes = self.mind.commit(moment, intention, outcome)
        for record, vector in zip(writes.records, self.stream.vectors(before), strict=True):
            self._journal.remembered(record, vector)
        for retrieval in writes.retrievals:
            self._journal.retrieved(retrieval)
        exposing = self._exposing.pop(moment.step, None) if intention.later is None else None
        if exposing is not None:
            for exposed in sorted(exposing.log, key=lambda one: one.call):
                self._journal.exposed(self.name, moment.step, exposed)
        for entry in writes.plans:
            self._journal.planned(self.name, entry)
        for key, value in writes.state.items():
            self._journal.state_changed(self.name, key, moment.step, value)
