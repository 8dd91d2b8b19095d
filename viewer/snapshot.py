"""What is to be seen at one moment of a run: plain values, made by `viewer.source` and drawn by `viewer.scene`.

    Line       one utterance                   Talk       a conversation, with all its lines
    Body       one resident as they stand      Happening  something for the ticker and the scrubber's marks
    Snapshot   the whole town at a (fractional) step

Positions are in tiles, (0, 0) the north-west corner of the map; a body's position is the middle of the tile it stands on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from town.percepts import Tile

Facing = Literal["N", "E", "S", "W"]
Pose = Literal["stand", "walk", "sit", "sleep"]


@dataclass(frozen=True, slots=True)
class Line:
    """Words spoken at `step` (see `town.speech`); `facts` are the ids of what they pass on."""

    id: str
    step: int
    speaker: str
    to: tuple[str, ...]
    text: str
    act: str
    facts: tuple[str, ...]
    talk: str


@dataclass(slots=True)
class Talk:
    """A conversation; `changes` are (step, those in it from then on); `ended` None: still going on."""

    id: str
    place: str
    started: int
    ended: int | None
    everybody: tuple[str, ...]
    changes: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)

    def people(self, step: int) -> tuple[str, ...]:
        """Those in it as of a step."""
        found: tuple[str, ...] = ()
        for since, people in self.changes:
            if since > step:
                break
            found = people
        return found or self.everybody

    def said(self, step: float) -> list[Line]:
        """What had been said up to a step."""
        return [line for line in self.lines if line.step <= step]


@dataclass(frozen=True, slots=True)
class Deed:
    """An act; `until` is its real end, where known, else the planned one. `text` is a phrase after "... is"."""

    id: str
    step: int
    until: int
    text: str
    icon: str
    target: str
    asleep: bool


@dataclass(frozen=True, slots=True)
class Body:
    """A resident at a moment. `stride` is the way walked in tiles, for the walking picture; `deed` None: nothing yet."""

    name: str
    x: float
    y: float
    facing: Facing
    pose: Pose
    stride: float
    deed: Deed | None
    talk: Talk | None

    @property
    def tile(self) -> Tile:
        """The tile the body is nearest to."""
        return round(self.x), round(self.y)


@dataclass(frozen=True, slots=True)
class Happening:
    """Something worth a word: `kind` is a key of the wording's `ticker`; `weight` 0..1 how much it is worth seeing."""

    step: int
    kind: str
    who: str
    people: tuple[str, ...]
    text: str
    place: str | None
    weight: float
    id: str


@dataclass(frozen=True, slots=True)
class Event:
    """A happening at a place that is nobody's act, seen in steps [step, until)."""

    id: str
    step: int
    until: int
    place: str
    text: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The town at `step`. `bodies` in resident order; `states` holds objects that aren't as at the start.

    `still` is everybody as if they stood, one and the same mapping for all of a step; `walkers` those of whom `bodies` says more.
    """

    step: float
    bodies: Mapping[str, Body]
    talks: tuple[Talk, ...]
    states: Mapping[str, str]
    events: tuple[Event, ...]
    still: Mapping[str, Body]
    walkers: tuple[str, ...]
