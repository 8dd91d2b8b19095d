"""The mind contract: what a cognitive architecture must do to live in the town. One page.

    mind = factory(MindInit(...))                       # composition root; seeds are in the stream already
    thought = mind.prepare(moment)                      # pure; an Intention, or a Deliberation to be driven with `ask`
    intention = await thought(ask)                      # only for a Deliberation; may ask operations, may take long
    mind.commit(moment, intention, outcome)             # applies intention.writes (a `Writes`), and nothing else
    rest = await intention.later()                      # only if it left something to think: nobody waits for that ...
    mind.commit(moment, rest, outcome)                  # ... but the mind's next Deliberation, and `state`
    mind.state() / mind.restore(...)                    # key by key; equal state -> equal behaviour from there on
    await mind.answer(question, view, ask, dialogue)    # an interview: reads `view`, leaves no trace

A mind never writes the world: its Intention carries proposals, the engine resolves them. Plug-ins register a factory
under the entry-point group `townfolk.minds`; `agents.testing` is the kit every mind must pass.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from agents.settings import MindSettings
from kernel import Clock, Json, RecordId
from language import Ask, Line, Person
from memory import MindView, Record, Retrieval, Stream
from planning.places import Places
from planning.schedule import PlanEntry
from town.protocols import Intention, Moment, Outcome
from town.speech import Fact


@dataclass(frozen=True, slots=True)
class Writes:
    """A mind's own writes, applied and journaled only at commit.

    records     new memories, in order; retrievals made while thinking (they move last-accessed steps)
    plans       plan entries made or changed
    state       changed keys of the mind's state; None deletes a key
    """

    records: tuple[Record, ...] = ()
    retrievals: tuple[Retrieval, ...] = ()
    plans: tuple[PlanEntry, ...] = ()
    state: Mapping[str, Json] = field(default_factory=dict)


Deliberation = Callable[[Ask], Awaitable[Intention]]


@dataclass(frozen=True, slots=True)
class InterviewAnswer:
    """An answer, and the records it rests on."""

    text: str
    rests_on: tuple[RecordId, ...]
    knows: bool


class Mind(Protocol):
    """A cognitive architecture in one resident."""

    @property
    def name(self) -> str:
        """The resident's full name."""

    def prepare(self, moment: Moment) -> Intention | Deliberation:
        """Decide at once, or return a deliberation. Pure: reads the moment and committed state, writes nothing."""

    def commit(self, moment: Moment, intention: Intention, outcome: Outcome) -> Writes:
        """Apply the intention's writes, completed by what became of the proposals; returns what is to be journaled."""

    def state(self) -> Mapping[str, Json]:
        """The whole state beside the memory stream, key by key."""

    def restore(self, state: Mapping[str, Json]) -> None:
        """Inverse of `state`, into a freshly made mind whose stream has been filled."""

    async def answer(self, question: str, view: MindView, ask: Ask, dialogue: tuple[Line, ...] = ()) -> InterviewAnswer:
        """Interview: answers from `view` only (a read-only, possibly filtered view as of a step).

        `dialogue` is what was asked and answered before in the same interview, so that a question may follow up.
        """


@dataclass(frozen=True, slots=True)
class Tiding:
    """A memory that the scenario puts into a mind on the way (a signal `told` names it by its key)."""

    text: str
    importance: int
    about: str | None = None
    fact: Fact | None = None


@dataclass(frozen=True, slots=True)
class MindInit:
    """What the composition root gives a mind factory.

    stream        the resident's memory, seeds in it already; the mind appends to it in `commit` only
    places        the town's geometry for planning; known_places addresses known at the start (sectors, arenas, objects)
    bed           address of the object slept in
    tidings       by key: what signals `told` may put into this mind
    settings      of the scenario (`MindSettings` for the generative mind)
    """

    person: Person
    seed: int
    clock: Clock
    stream: Stream
    places: Places
    bed: str
    known_places: tuple[str, ...] = ()
    tidings: Mapping[str, Tiding] = field(default_factory=dict)
    settings: MindSettings = field(default_factory=MindSettings)
