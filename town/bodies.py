"""Bodies: what others see of a resident (a pose), and what the engine keeps of it.

Pose     immutable, the outside of a body in some V_k; poses are what histories keep and percepts are made of
Body     mutable, belongs to the engine alone: path, wake-up step, signals, the conversation it is in
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from town.acts import Act
from town.percepts import Signal, Tile
from town.talks import Talk


class Pose(NamedTuple):
    """A body as others see it. `arena` is an address; `version` that of its act (the same act is the same news)."""

    tile: Tile
    arena: str
    act: Act | None
    version: str
    there: bool
    walking: bool
    asleep: bool
    busy: bool
    look: str = ""


@dataclass(slots=True, eq=False)
class Body:
    """One resident's body.

    act, over    the present act (kept after its end until there is a new one), and whether it is over
    there        at the place of the act; goal: the tile where it is to be done (None: nowhere to go)
    path, along  the walk to the goal and the index of the tile one is on; empty when not walking
    moving       the journal has been told of a segment that goes on; turned: the path is not the one it was told
    wake         the step to be asked again at; signals: what to be asked about at the next step
    end_owed     the act ended during a conversation; the mind is told when that is over
    view         versions of all that was in view at the last step
    gone         has left town (or hasn't come yet): nowhere, perceived by nobody, asked about nothing
    visitor      a user's body in the town; `look` in words, for those who don't know its name
    """

    name: str
    index: int
    tile: Tile
    arena: str
    pose: Pose
    act: Act | None = None
    over: bool = True
    version: str = ""
    there: bool = False
    goal: Tile | None = None
    path: tuple[Tile, ...] = ()
    along: int = 0
    moving: bool = False
    turned: bool = False
    wake: int | None = None
    signals: list[Signal] = field(default_factory=list)
    talk: Talk | None = None
    end_owed: bool = False
    view: frozenset[str] = frozenset()
    gone: bool = False
    visitor: bool = False
    look: str = ""

    @property
    def asleep(self) -> bool:
        """Asleep: in bed with a running act of sleeping (on the way to bed one is awake)."""
        act = self.act
        return act is not None and act.asleep and self.there and not self.over

    @property
    def private(self) -> bool:
        """Not to be talked to now."""
        act = self.act
        return act is not None and act.private and not self.over

    @property
    def rests(self) -> bool:
        """Takes up its tile: has reached the place of its act (or has just stepped on it)."""
        return self.there or (self.goal is not None and self.goal == self.tile)

    def outside(self) -> Pose:
        """The pose others see from now on."""
        asleep = self.asleep
        return Pose(
            self.tile,
            self.arena,
            self.act,
            self.version,
            self.there,
            bool(self.path) and self.talk is None,
            asleep,
            asleep or self.talk is not None or self.private,
            self.look,
        )

    @property
    def under_way(self) -> bool:
        """Whether it goes on walking at the next step."""
        return bool(self.path) and self.talk is None

    def stop(self) -> None:
        """No further on this path."""
        self.path = ()
        self.along = 0
        self.goal = None
