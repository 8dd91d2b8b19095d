"""What the window gets: pictures with the place they belong to, in pixels of the town (16 per tile).

Sprite    a picture and where it goes relative to the upper left corner of its first tile
Piece     a picture placed in the town
Placed    one connected part of an object of the town, to be drawn with `Atlas.object`
Light     what shines at night
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import pygame

TILE = 16
Facing = Literal["south", "north", "east", "west"]
Pose = Literal["walk", "stand", "sit", "sleep", "carry"]


@dataclass(frozen=True, slots=True)
class Sprite:
    """`surface` is drawn at (x + dx, y + dy) when the thing's upper left tile begins at (x, y); `foot` (relative to y too)
    is its place in the order of drawing. Flat things (a garden bed) have `foot` <= 0: they lie under everybody."""

    surface: pygame.Surface
    dx: int = 0
    dy: int = 0
    foot: int = 0
    moves: bool = False
    """Whether other frames show another picture."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A picture at (x, y) of the town; drawn in order of `foot`, people among them (their foot: lower rim of their tile - 2)."""

    surface: pygame.Surface
    x: int
    y: int
    foot: int


@dataclass(frozen=True, slots=True)
class Placed:
    """A connected part of an object: `x`, `y`, `width`, `height` in tiles, `facing` where its front is, `variant` a number
    that tells equal things apart (the books on a shelf). `address` is the object's."""

    address: str
    kind: str
    x: int
    y: int
    width: int
    height: int
    facing: Facing = "south"
    variant: int = 0


@dataclass(frozen=True, slots=True)
class Light:
    """A warm pool of light around (x, y) pixels, `radius` pixels wide. Lamps burn at night; a window while somebody in
    `arena` (an address) is awake."""

    x: int
    y: int
    radius: int
    kind: Literal["lamp", "window"]
    arena: str = ""
