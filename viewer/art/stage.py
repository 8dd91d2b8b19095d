"""Where a thing of the town is drawn: a canvas in its tiles' coordinates, and the register of what draws which kind.

Stage      canvas + size in pixels, facing, variant, what its state shows, frame (`tick`)
draws      decorator: registers a function for kinds, with how far they rise above their tiles and their foot line
DRAWERS    kind -> Drawer
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from viewer.art.canvas import Canvas
from viewer.art.pieces import TILE, Facing

MARGIN = 2


class Stage(Canvas):
    """(0, 0) is the upper left corner of the first tile; `W`, `H` the size of all tiles in pixels."""

    def __init__(
        self, width: int, height: int, rise: int, facing: Facing, variant: int, shows: tuple[str, ...], frame: int
    ) -> None:
        self.W, self.H, self.rise = width * TILE, height * TILE, rise
        super().__init__(self.W + 2 * MARGIN, self.H + rise + MARGIN)
        self.ox, self.oy = MARGIN, rise
        self.facing, self.variant, self.shows, self._tick = facing, variant, shows, frame
        self.moves = False

    @property
    def tick(self) -> int:
        """The number of the picture; whoever asks for it draws something that moves."""
        self.moves = True
        return self._tick

    def on(self) -> bool:
        """Is it in use, or worse?"""
        return "used" in self.shows or "steam" in self.shows or "fire" in self.shows


@dataclass(frozen=True)
class Drawer:
    """`foot`: None is the lower rim; a number is pixels from the upper rim (seats and beds lie behind who uses them)."""

    draw: Callable[[Stage], object]
    rise: int
    foot: int | None
    outlined: bool
    shadow: bool
    own: tuple[str, ...] = ()
    """Effects that the drawing shows in a way of its own."""


DRAWERS: dict[str, Drawer] = {}


def draws(
    *kinds: str, rise: int = 8, foot: int | None = None, outlined: bool = True, shadow: bool = True, own: tuple[str, ...] = ()
) -> Callable[[Callable[[Stage], object]], Callable[[Stage], object]]:
    """Registers a drawing function for kinds of `maps/objects.yaml`."""

    def register(function: Callable[[Stage], object]) -> Callable[[Stage], object]:
        for kind in kinds:
            DRAWERS[kind] = Drawer(function, rise, foot, outlined, shadow, own)
        return function

    return register
