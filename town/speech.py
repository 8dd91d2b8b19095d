"""What people say, and what passes from mouth to ear: facts, gatherings, utterances.

The town carries these values and never reads a meaning into them. Two relations are kept apart (design rule 3):
an utterance *rests on* records of its speaker, and it *passes on* facts; only the second gives a hearer the fact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kernel import RecordId

SpeechAct = Literal[
    "greet", "introduce", "ask", "answer", "remark", "tell", "gossip", "invite", "ask_help", "accept", "decline",
    "ask_why", "explain", "apologise", "retract", "puzzled", "part",
]  # fmt: skip

Citation = Literal["checked", "cited", "uncited"]
"""How a link from words to records came about: checked by the program, the model's own claim, or none given."""


@dataclass(frozen=True, slots=True)
class Gathering:
    """Something people can come to: what, where, when, and who holds it.

    `place` is an address (text form); `start` and `end` are steps, end exclusive. A private meeting of two ("help me
    decorate at three") is a gathering too.
    """

    name: str
    place: str
    start: int
    end: int
    host: str


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that can be known and passed on, undistorted.

    `id` is the scenario's name for it, or the text form of the record that first stated it. `text` is one full
    sentence in the third person with full names. `private` facts are told only to close ones. `retracts` is the id of
    a fact that this one takes back or replaces.
    """

    id: str
    text: str
    about: str | None = None
    private: bool = False
    gathering: Gathering | None = None
    retracts: str | None = None


@dataclass(frozen=True, slots=True)
class Utterance:
    """One turn in a conversation.

    `to` are the addressed participants (never empty); `gathering` is what an invite, ask_help, accept, decline,
    ask_why, explain or apologise is about; `call` is the key of the model call that made it (see `language`).
    """

    id: RecordId
    conversation: str
    speaker: str
    to: tuple[str, ...]
    text: str
    act: SpeechAct
    passes_on: tuple[Fact, ...] = ()
    rests_on: tuple[RecordId, ...] = ()
    gathering: Gathering | None = None
    ends: bool = False
    citation: Citation = "uncited"
    call: str | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation as of some step: an object of the world with two or more participants (design rule 6).

    `id` is the text form of the RecordId of its first utterance. `participants` are those still in it, `everybody`
    all who ever were. `turn` is who may speak next (None once closed). `ended` is the step at which it closed.
    """

    id: str
    started: int
    place: str
    participants: tuple[str, ...]
    everybody: tuple[str, ...]
    utterances: tuple[Utterance, ...]
    turn: str | None
    ended: int | None = None
