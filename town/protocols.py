"""The contract between the engine and whoever lives in a body. One page; it knows nothing of minds or of language.

The life of a resident, as the engine sees it:

    resident = ...                                # made by the composition root
    moment = Moment(step=0, ..., signals=(Signal("started"),))
    intention = resident.prepare(moment)          # pure: reads V_k and its own committed state, writes nothing
    if awaitable: intention = await intention     # thinking that asks a language model; may take any wall time
    outcome = ...                                 # the engine resolves proposals of step k in resident order
    resident.commit(moment, intention, outcome)   # now, and only now, the mind's own writes are applied
    if intention.later: ...                       # what only the mind can tell is thought when there is time, and committed
    ...                                           # called again at intention.wake, at a signal, or when the view changes

`prepare` is called at step k only when there is a reason: a signal, or something new in view since step k-1. Between
calls the body goes on by itself: it walks one tile per step along its whole path, does its act, and talks no one.
Save and restore are the resident's own business (its state is journaled key by key in `commit`); the engine saves its
bodies, objects and conversations through `Engine.state()` / `Engine.restore()`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from kernel import Clock, RecordId
from town.acts import Act, Because
from town.percepts import Percept, Signal, Tile
from town.speech import Citation, Conversation, Fact, Gathering, SpeechAct, Utterance


@dataclass(frozen=True, slots=True)
class ProposeAct:
    """I want to do this now (replaces the present act). Fields as in `Act`; `until` is a step, exclusive, > now.

    `tile`: exactly there, instead of where the target is used from or a free place in it.
    """

    text: str
    icon: str
    target: str
    until: int
    state: str | None = None
    leaves: str | None = None
    asleep: bool = False
    private: bool = False
    because: Because = Because()
    tile: Tile | None = None


@dataclass(frozen=True, slots=True)
class ProposeWords:
    """I want to say this now.

    `conversation` None opens one with everybody in `to` (who must be in earshot, awake and free); an id one isn't in
    joins that conversation. Other fields as in `Utterance`.
    """

    to: tuple[str, ...]
    text: str
    act: SpeechAct
    conversation: str | None = None
    passes_on: tuple[Fact, ...] = ()
    rests_on: tuple[RecordId, ...] = ()
    gathering: Gathering | None = None
    ends: bool = False
    citation: Citation = "uncited"
    call: str | None = None
    because: Because = Because()


@dataclass(frozen=True, slots=True)
class ProposeLeave:
    """I leave the conversation I am in without a word (or let my turn pass with `stay`)."""

    conversation: str
    stay: bool = False


Proposal = ProposeAct | ProposeWords | ProposeLeave


@dataclass(frozen=True, slots=True)
class Intention:
    """What a resident made of a moment.

    proposals   at most one of each kind; resolved in the order given
    wake        the step at which to be asked again at the latest, None: at the end of the act
    writes      the mind's own writes, opaque to the engine, applied by `Resident.commit`
    later       what is left to think of the moment, which shows in nothing the body does: to be awaited before the resident is
                asked for another thought, and before the step is told. It gives the same intention with all its writes
    holds       it is my turn and I am still thinking what to say: the turn stays mine until it lapses (`talks.TURN_STEPS`)
    """

    proposals: tuple[Proposal, ...] = ()
    wake: int | None = None
    writes: object = None
    holds: bool = False
    later: Callable[[], Awaitable[Intention]] | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of an intention's proposals. `refused` is None, or why words or act weren't taken ("busy", ...)."""

    act: Act | None = None
    utterance: Utterance | None = None
    refused: str | None = None


@dataclass(frozen=True, slots=True)
class Moment:
    """All that a resident may know of V_k, the world as all steps < k left it.

    place       address of the arena the body stands in
    act         the present act (None only before the first)
    there       the body is at the place of its act (False while walking)
    percepts    everything in view now, nearest first (ties by subject); words heard since the last step included
    fresh       versions of percepts that are new in view since the previous step
    signals     why one is asked, in order of importance
    conversation  the conversation one is in, else None
    """

    step: int
    clock: Clock
    tile: Tile
    place: str
    act: Act | None
    there: bool
    percepts: tuple[Percept, ...]
    fresh: frozenset[str]
    signals: tuple[Signal, ...]
    conversation: Conversation | None


class Resident(Protocol):
    """Whoever lives in a body."""

    @property
    def name(self) -> str:
        """Unique in the town; resident order is the order in which the scenario lists them."""

    def prepare(self, moment: Moment) -> Intention | Awaitable[Intention]:
        """Think about V_k. Pure: calling it twice, or dropping the result, changes nothing."""

    def commit(self, moment: Moment, intention: Intention, outcome: Outcome) -> None:
        """Apply the intention's own writes; called once per accepted `prepare`, in resident order.

        Where something is left to think, it is called again with what `later` gave (an empty intention where that failed)
        and the same outcome. In between `prepare` may be called; a thought it answers with is awaited only afterwards.
        """


class Journal(Protocol):
    """Where the engine reports what has become true. All rows of step k are reported before `committed(k)`."""

    def moved(self, resident: str, start: int, tiles: tuple[Tile, ...]) -> None:
        """A path segment, told as it begins: at step `start` the body is at tiles[0], then one tile further each step.

        It holds until the body's next segment, which may come before its end (a walk cut short, a turn: one tile says
        "stands here from `start` on"). So at step k a body is at tiles[min(k - start, len(tiles) - 1)] of its last
        segment with start <= k.
        """

    def acted(self, act: Act) -> None:
        """An act was committed at step act.start."""

    def act_over(self, resident: str, act: RecordId, step: int, why: str) -> None:
        """An act ended at `step`: "done", "replaced", "blocked: closed" ..."""

    def object_changed(self, address: str, step: int, state: str, by: RecordId | None) -> None:
        """From `step` on the object is in this state; `by` is the act that did it, None for a user or the scenario."""

    def happened(self, event: str, step: int, until: int, place: str, text: str) -> None:
        """An event at a place that is nobody's act, visible in steps [step, until). `event` is its id."""

    def conversation(self, conversation: Conversation, step: int) -> None:
        """A conversation opened, changed its participants, or closed at `step`."""

    def uttered(self, utterance: Utterance, because: Because) -> None:
        """An utterance was spoken at its id's step and is heard at the next."""

    def came(self, name: str, step: int, tile: Tile, look: str, visitor: bool) -> None:
        """A body came into town: it is there from `step` on. Told before its first segment."""

    def went(self, name: str, step: int, tile: Tile, look: str, visitor: bool) -> None:
        """A body left town from a tile: at `step` it isn't there any more."""

    def failed(self, resident: str, step: int, error: BaseException) -> None:
        """A mind raised; the resident idles, the others go on."""

    def committed(self, step: int) -> None:
        """Everything of steps <= `step` has been reported; the world is now V_{step+1}."""
