"""What a resident notices: structured percepts, put into words by whoever perceives them, and the body's own signals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from town.speech import Conversation, Utterance

Tile = tuple[int, int]
"""(x, y), x to the east, y to the south, from 0."""


@dataclass(frozen=True, slots=True)
class Percept:
    """One thing in view (or in earshot) as of a step.

    kind      person: `subject` (a resident) is doing `text` (an act's text)
              object: `subject` (an object's address) is in state `text`
              event:  something happened here that is nobody's act; `subject` is the event's id, `text` tells it
              words:  `utterance` was heard; `subject` is the speaker, `text` the words
    version   identifies this state of this subject: equal versions are the same news (an act's id, address@step ...)
    place     address (arena or object) where it is; for a person, where the act is done once they are there
    tile      where it is; `distance` is the larger of |dx|, |dy| to the perceiver
    idle      an object in its initial state, or someone asleep: never stored as an event
    busy      a person who can't be talked to (asleep, private act, already in a conversation)
    walking   a person on the way to where the act will be done
    look      how a visitor looks, in words; "" for residents
    """

    kind: Literal["person", "object", "event", "words"]
    subject: str
    text: str
    version: str
    place: str
    tile: Tile
    distance: int
    idle: bool = False
    busy: bool = False
    walking: bool = False
    utterance: Utterance | None = None
    look: str = ""


@dataclass(frozen=True, slots=True)
class Signal:
    """Something the body tells its own mind.

    started        the run begins (or the resident has just been added)
    due            the wake-up step asked for has come
    act_ended      the present act is over
    arrived        the body reached the place of its act
    blocked        the way into the act's target is barred; `detail` is "closed", "full" or "unreachable"
    closing        the place one is in closes now and one does not work there
    your_turn      one may speak in `conversation`
    conversation_ended   `conversation` is over (or was left by all others)
    refused        an opening wasn't taken up; `detail` says why ("busy", "asleep", "gone")
    voice          the inner voice: `detail` is a directive, to be taken as one's own
    told           the scenario or a user put a memory into this mind; `detail` is the scenario's key of it
    bid            whoever moves this body wants something done: `detail`, as it was put in
    """

    kind: Literal[
        "started", "due", "act_ended", "arrived", "blocked", "closing", "your_turn", "conversation_ended", "refused",
        "voice", "told", "bid",
    ]  # fmt: skip
    detail: str = ""
    conversation: Conversation | None = None
