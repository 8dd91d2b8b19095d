"""The atlas: every picture of the town, drawn once and kept.

    load_atlas()    the atlas (one for the process)
    Atlas           town layers: ground, tall, water, roof, lights, things; sprites: object, person, icon; window parts:
                    bubble, cursor, marker

Pictures are pygame surfaces; no display is needed. Equal arguments give the same surface: don't draw on it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cache
from typing import TypeVar, cast

import pygame

from personas.spec import Look
from town.tree import TownMap
from viewer.art import icons, marks, objects, people, plants, roofs, terrain, things, walls, water
from viewer.art.canvas import opaque
from viewer.art.pieces import TILE, Facing, Light, Piece, Placed, Pose, Sprite

T = TypeVar("T")


class _Town:
    """What was drawn for one town (found by identity: a town doesn't change)."""

    def __init__(self, town: TownMap) -> None:
        self.town = town
        self.done: dict[Hashable, object] = {}


class Atlas:
    """All pictures; see the methods. Coordinates are pixels at 16 per tile."""

    TILE = TILE
    WATER_FRAMES = 2
    PERSON_SIZE = (16, 24)
    PERSON_OFFSET = (0, -10)
    """Where a person's picture goes relative to the upper left corner of their tile; their foot line is the tile's + 14."""

    def __init__(self) -> None:
        self._towns: dict[int, _Town] = {}
        self._kept: dict[Hashable, object] = {}

    # --- a whole town
    def ground(self, town: TownMap) -> pygame.Surface:
        """Everything that lies flat, for the whole town: grass, paths, floors, water, doors, shadows; without alpha."""
        return self._of(town, "ground", lambda: opaque(walls.shade_ground(town, terrain.paint_ground(town))))

    def tall(self, town: TownMap) -> tuple[Piece, ...]:
        """What stands on the ground and never changes (walls, trees, hedges, lamps, small tables), in order of foot line.
        Draw it together with the objects and the people."""
        return self._of(town, "tall", lambda: _sorted(walls.pieces(town) + plants.pieces(town)))

    def water(self, town: TownMap, frame: int) -> tuple[Piece, ...]:
        """The shimmer to lay over the water of `ground`; `frame` counts on, two or three a second look right."""
        frame %= self.WATER_FRAMES
        return self._of(town, ("water", frame), lambda: water.shimmer(town, frame))

    def roof(self, town: TownMap, sector: str) -> Sprite | None:
        """The roof of a building for far zoom (dx, dy in the town's pixels, not relative), tinted by the place; None for a
        sector without walls. Its middle is calm enough to carry a name."""
        return self._of(town, ("roof", sector), lambda: roofs.roof(town, sector))

    def wood(self) -> pygame.Surface:
        """Tree tops without end: what lies around a town. Fits itself on all sides; without alpha."""
        return self._keep(("wood",), lambda: opaque(plants.wood().pixels))

    def lights(self, town: TownMap) -> tuple[Light, ...]:
        """Lamps and windows, for the night."""
        return self._of(town, "lights", lambda: walls.lights(town))

    def things(self, town: TownMap) -> tuple[Placed, ...]:
        """The objects of a town as connected parts, in map order, each to be drawn with `object`."""
        return self._of(town, "things", lambda: things.placed(town))

    # --- sprites
    def object(
        self,
        kind: str,
        width: int = 1,
        height: int = 1,
        state: str = "",
        frame: int = 0,
        facing: Facing = "south",
        variant: int = 0,
    ) -> Sprite:
        """A thing of `width` x `height` tiles. `state` in words as the run has it: effects are found in it (fire, steam,
        a puddle, decorations ...); its kind's idle state, "in use" or "" show nothing; any other word a small mark.
        Effects move: `frame` counts on, about six a second (four pictures, then again)."""
        key = ("object", kind, width, height, objects.appearance(kind, state), facing, variant % 32)
        first = self._keep((key, 0), lambda: objects.draw(kind, width, height, state, 0, facing, variant))
        frame %= objects.FRAMES
        if frame == 0 or not first.moves:
            return first
        return self._keep((key, frame), lambda: objects.draw(kind, width, height, state, frame, facing, variant))

    def person(
        self, look: Look | None, name: str, pose: Pose = "walk", facing: Facing = "south", frame: int = 0
    ) -> pygame.Surface:
        """A resident, 16 x 24, feet two pixels above the lower rim. `walk` and `carry` have 3 frames, to be shown in the
        order 0 1 0 2; 0 stands still. `sleep` lies (frame moves the z). Without a look, the name decides."""
        key = ("person", people.look_of(look, name), pose, facing, frame % people.FRAMES)
        return self._keep(key, lambda: people.draw(look, name, pose, facing, frame).surface())

    def face(self, look: Look | None, name: str) -> pygame.Surface:
        """Head and shoulders, 16 x 16, for lists and panels."""
        key = ("face", people.look_of(look, name))
        return self._keep(key, lambda: people.face(look, name).surface())

    def icon(self, name: str) -> pygame.Surface:
        """What somebody is doing, 11 x 11; a dot when the name is unknown."""
        return self._keep(("icon", icons.known(name)), lambda: icons.draw(name).surface())

    # --- parts of the window
    def bubble(self, width: int, height: int, style: str = "talk", tail: bool = True) -> pygame.Surface:
        """A speech bubble for `width` x `height` pixels of content (6 px margins come on top, and 5 px of tail below its
        middle). Styles: talk (cream), thought (rounder, dots for a tail), news (slate)."""
        key = ("bubble", width, height, style, tail)
        return self._keep(key, lambda: marks.bubble(width, height, style, tail).surface())

    def cursor(self, name: str = "arrow") -> pygame.Surface:
        """Mouse pointers: arrow, hand, move, inject. Unknown names give the arrow."""
        return self._keep(("cursor", name), lambda: marks.cursor(name).surface())

    def marker(self, name: str = "followed", frame: int = 0) -> pygame.Surface:
        """Marks in the town: followed (brackets on the tile, 20 x 20), talk (dots, far zoom), spark, pin."""
        return self._keep(("marker", name, frame % 4), lambda: marks.marker(name, frame).surface())

    def colour(self, name: str) -> tuple[int, int, int]:
        """A colour of the palette by name ("cream2"), for whatever the window draws itself."""
        from viewer.art.palette import number, palette

        r, g, b, _ = (int(v) for v in palette().rgba[number(name)])
        return r, g, b

    def _keep(self, key: Hashable, make: Callable[[], T]) -> T:
        if key not in self._kept:
            self._kept[key] = make()
        return cast(T, self._kept[key])

    def _of(self, town: TownMap, key: Hashable, make: Callable[[], T]) -> T:
        kept = self._towns.get(id(town))
        if kept is None or kept.town is not town:
            kept = self._towns[id(town)] = _Town(town)
        if key not in kept.done:
            kept.done[key] = make()
        return cast(T, kept.done[key])


def _sorted(pieces: list[Piece]) -> tuple[Piece, ...]:
    return tuple(sorted(pieces, key=lambda piece: (piece.foot, piece.x, piece.y)))


@cache
def load_atlas() -> Atlas:
    """The atlas of this process. Cheap: each picture is drawn when it is first asked for."""
    return Atlas()
