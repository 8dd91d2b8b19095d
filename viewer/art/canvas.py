"""What sprites are drawn on: a small grid of colour numbers, with the few moves pixel art needs.

    Canvas        rect, line, dot, oval, text map, stamp, outline, shadow; finally `surface()`
    opaque        a whole picture without transparent pixels -> surface

Colours are named (`wood2`); 0 is transparent. Light comes from the north-west, so `box` brightens the upper and left
rims. Nothing here needs a display.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pygame

from viewer.art.palette import number, palette

Pixels = npt.NDArray[np.uint8]


class Canvas:
    """`pixels[y, x]` colour numbers; whatever falls outside is cut off. `ox`, `oy` move the origin of what is drawn
    from then on, so that a thing can be drawn in its tile's coordinates though it rises above it."""

    def __init__(self, width: int, height: int, pixels: Pixels | None = None) -> None:
        self.width, self.height = width, height
        self.ox, self.oy = 0, 0
        self.pixels: Pixels = np.zeros((height, width), dtype=np.uint8) if pixels is None else pixels

    def rect(self, x: int, y: int, w: int, h: int, colour: str) -> Canvas:
        """A filled rectangle."""
        x, y = x + self.ox, y + self.oy
        self.pixels[max(0, y) : max(0, y + h), max(0, x) : max(0, x + w)] = number(colour)
        return self

    def dots(self, colour: str, *places: tuple[int, int]) -> Canvas:
        """Single pixels."""
        at = number(colour)
        for i, j in places:
            x, y = i + self.ox, j + self.oy
            if 0 <= x < self.width and 0 <= y < self.height:
                self.pixels[y, x] = at
        return self

    def line(self, x0: int, y0: int, x1: int, y1: int, colour: str) -> Canvas:
        """A line of single pixels, both ends drawn."""
        steps = max(abs(x1 - x0), abs(y1 - y0), 1)
        return self.dots(
            colour, *((x0 + round(i * (x1 - x0) / steps), y0 + round(i * (y1 - y0) / steps)) for i in range(steps + 1))
        )

    def frame(self, x: int, y: int, w: int, h: int, colour: str) -> Canvas:
        """The rim of a rectangle."""
        self.rect(x, y, w, 1, colour).rect(x, y + h - 1, w, 1, colour)
        return self.rect(x, y, 1, h, colour).rect(x + w - 1, y, 1, h, colour)

    def oval(self, x: int, y: int, w: int, h: int, colour: str) -> Canvas:
        """A filled ellipse in the given box."""
        x, y = x + self.ox, y + self.oy
        rows, columns = np.ogrid[0:h, 0:w]
        inside = ((2 * columns + 1 - w) * h) ** 2 + ((2 * rows + 1 - h) * w) ** 2 <= (w * h) ** 2 * 1.02
        x0, y0 = max(0, x), max(0, y)
        part = self.pixels[y0 : max(0, y + h), x0 : max(0, x + w)]
        part[inside[y0 - y : y0 - y + part.shape[0], x0 - x : x0 - x + part.shape[1]]] = number(colour)
        return self

    def box(self, x: int, y: int, w: int, top: int, front: int, ramp: str, tone: int = 2) -> Canvas:
        """A thing in three-quarter view: `top` rows of upper face (lighter, its north-west rim lightest), `front` rows of
        south face (a tone darker, its foot darkest)."""
        self.rect(x, y, w, top, f"{ramp}{tone + 1}")
        self.rect(x, y + top, w, front, f"{ramp}{tone}")
        self.rect(x, y + top + front - 1, w, 1, f"{ramp}{tone - 1}")
        return self.rect(x + w - 1, y + top, 1, front, f"{ramp}{tone - 1}")

    def rows(self, x: int, y: int, lines: Sequence[str], colours: Mapping[str, str]) -> Canvas:
        """A text map: one letter per pixel; '.' and ' ' leave what is there."""
        x, y = x + self.ox, y + self.oy
        for j, line in enumerate(lines):
            for i, letter in enumerate(line):
                if letter not in ". " and 0 <= y + j < self.height and 0 <= x + i < self.width:
                    self.pixels[y + j, x + i] = number(colours[letter])
        return self

    def stamp(self, other: Canvas, x: int, y: int) -> Canvas:
        """Another canvas over this one, its transparent pixels left out."""
        x, y = x + self.ox, y + self.oy
        x0, y0 = max(0, x), max(0, y)
        x1, y1 = min(self.width, x + other.width), min(self.height, y + other.height)
        if x0 < x1 and y0 < y1:
            source = other.pixels[y0 - y : y1 - y, x0 - x : x1 - x]
            target = self.pixels[y0:y1, x0:x1]
            np.copyto(target, source, where=source != 0)
        return self

    def behind(self, x: int, y: int, w: int, h: int, colour: str) -> Canvas:
        """A rectangle that shows only where nothing is yet."""
        x, y = x + self.ox, y + self.oy
        target = self.pixels[max(0, y) : max(0, y + h), max(0, x) : max(0, x + w)]
        target[target == 0] = number(colour)
        return self

    def shadow_oval(self, x: int, y: int, w: int, h: int) -> Canvas:
        """A soft shadow that lies behind what is drawn already."""
        under = Canvas(self.width, self.height).oval(x + self.ox, y + self.oy, w, h, "shadow")
        free = self.pixels == 0
        self.pixels[free] = under.pixels[free]
        return self

    def outline(self) -> Canvas:
        """Transparent pixels that touch something become the outline of what they touch: below and right first."""
        padded = np.pad(self.pixels, 1)
        edge, free = palette().edge, self.pixels == 0
        rim = np.zeros_like(self.pixels)
        for near in (padded[1:-1, 2:], padded[1:-1, :-2], padded[:-2, 1:-1], padded[2:, 1:-1]):
            rim = np.where(edge[near] != 0, edge[near], rim)
        self.pixels[free] = rim[free]
        return self

    def flipped(self) -> Canvas:
        """The mirror image, left for right."""
        return Canvas(self.width, self.height, np.ascontiguousarray(self.pixels[:, ::-1]))

    def copy(self) -> Canvas:
        """An independent copy."""
        return Canvas(self.width, self.height, self.pixels.copy())

    def recoloured(self, changes: Mapping[str, str]) -> Canvas:
        """A copy in which colours are exchanged."""
        table = np.arange(256, dtype=np.uint8)
        for old, new in changes.items():
            table[number(old)] = number(new)
        return Canvas(self.width, self.height, table[self.pixels])

    def surface(self) -> pygame.Surface:
        """The picture with its transparency (32 bit, per-pixel alpha)."""
        rgba = palette().rgba[self.pixels]
        return pygame.image.frombytes(rgba.tobytes(), (self.width, self.height), "RGBA")


def opaque(pixels: Pixels) -> pygame.Surface:
    """A picture [height, width] without transparency (32 bit, no alpha)."""
    height, width = pixels.shape
    return pygame.image.frombytes(palette().rgba[pixels].tobytes(), (width, height), "RGBX")
