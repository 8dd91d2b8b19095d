"""What comes over the town from outside: the scenario's happenings and a user's interventions.

Happening    due at a step: an event at a place, an object's state, an inner voice, a memory put into a mind, a body that
             comes or goes, something a user wants a visitor to do
Event        an event that is visible now
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from town.percepts import Tile


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that is to happen at step `at`, before anyone reads V_at.

    event    `text` is visible at `place` (town, sector, arena or object) in steps [at, until)
    object   the object at `place` is in state `text` from then on
    voice    the inner voice of `resident` says `text`; told: `resident` is given the memory with the scenario's key `text`
    arrive   a body called `resident` comes into town, at `place` or on `tile`; visitors look like `text` ("" for residents)
    depart   the body of `resident` leaves town
    bid      whoever moves the body of `resident` wants it to do `text` (the engine doesn't read it)
    """

    at: int
    kind: Literal["event", "object", "voice", "told", "arrive", "depart", "bid"]
    text: str
    place: str | None = None
    resident: str | None = None
    until: int | None = None
    tile: Tile | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """An event in steps [step, until). `tile` None: it is everywhere in `arenas` (addresses)."""

    id: str
    step: int
    until: int
    place: str
    text: str
    arenas: tuple[str, ...]
    tile: Tile | None
