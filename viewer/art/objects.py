"""Objects of the town and what their states show.

    draw          kind, size in tiles, state, frame -> Sprite
    appearance    state in words -> the effects it shows ("fire", "steam" ...), as a tuple
"""

from __future__ import annotations

from viewer.art.canvas import Canvas
from viewer.art.pieces import TILE, Facing, Sprite

FRAMES = 4


def appearance(kind: str, state: str) -> tuple[str, ...]:
    """What a state shows."""
    return ()


def draw(kind: str, width: int, height: int, state: str = "", frame: int = 0, facing: Facing = "south", variant: int = 0) -> Sprite:
    """The picture of a thing."""
    c = Canvas(width * TILE + 2, height * TILE + 8).box(1, 1, width * TILE, height * TILE, 6, "wood").outline()
    return Sprite(c.surface(), -1, -7, height * TILE - 1)
