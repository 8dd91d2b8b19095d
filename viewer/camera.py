"""The camera: which part of the town is seen, how large, and how it gets there.

    View      one frame's mapping between town pixels (16 a tile) and the screen; frozen
    Camera    pans, zooms to the cursor, follows, glides; `view(size)` gives the frame's View

Zoom is screen pixels per town pixel, 0.25 to 4. At rest it stands on one of `STOPS`, where pixels come out even.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

TILE = 16
STOPS = (0.25, 0.35, 0.5, 0.7, 1.0, 2.0, 3.0, 4.0)
NEAREST, WIDEST = STOPS[-1], STOPS[0]
RIM = 24
HEIGHT = 660
GLIDE = 6.0
"""How quickly the camera nears its goal: the rest shrinks by a factor e in 1/GLIDE seconds."""


@dataclass(frozen=True, slots=True)
class View:
    """`left, top`: the screen's corner in zoomed town pixels (whole numbers, so that nothing shimmers)."""

    left: int
    top: int
    zoom: float
    width: int
    height: int

    def screen(self, x: float, y: float) -> tuple[int, int]:
        """Town pixels to the screen."""
        return round(x * self.zoom) - self.left, round(y * self.zoom) - self.top

    def tile_middle(self, x: float, y: float) -> tuple[int, int]:
        """The middle of a tile (a body's place) on the screen."""
        return self.screen((x + 0.5) * TILE, (y + 0.5) * TILE)

    def town(self, x: float, y: float) -> tuple[float, float]:
        """The screen to town pixels."""
        return (x + self.left) / self.zoom, (y + self.top) / self.zoom

    def tile(self, x: float, y: float) -> tuple[int, int]:
        """The tile under a point of the screen."""
        px, py = self.town(x, y)
        return math.floor(px / TILE), math.floor(py / TILE)

    def shows(self, x: int, y: int, margin: int = 64) -> bool:
        """Whether a point of the screen is on it, or nearly."""
        return -margin <= x < self.width + margin and -margin <= y < self.height + margin


class Camera:
    """Looks at a town of `width` x `height` tiles through the free part of the screen (`place`)."""

    def __init__(self, width: int, height: int, size: tuple[int, int] = (1280, 720)) -> None:
        self.town_size = (width * TILE, height * TILE)
        self.x, self.y = self.town_size[0] / 2, self.town_size[1] / 2
        self.zoom = 1.0
        self._goal = (self.x, self.y, self.zoom)
        self._size, self._left, self._right = size, 0, 0

    def place(self, size: tuple[int, int], left: int = 0, right: int = 0) -> None:
        """The screen's size, and how much of it is covered at its sides: what is looked at is in the middle of the rest."""
        if (size, left, right) != (self._size, self._left, self._right):
            self._size, self._left, self._right = size, left, right
            self._set(*self._goal)

    @property
    def goal_zoom(self) -> float:
        """The zoom it is gliding to."""
        return self._goal[2]

    @property
    def gliding(self) -> bool:
        """Whether it is on its way still, by more than a screen pixel."""
        x, y, zoom = self._goal
        return self.zoom != zoom or abs(self.x - x) * zoom > 1 or abs(self.y - y) * zoom > 1

    def view(self) -> View:
        """The mapping for this frame."""
        middle = (self._left + self._size[0] - self._right) / 2
        return View(
            round(self.x * self.zoom - middle), round(self.y * self.zoom - self._size[1] / 2), self.zoom, *self._size
        )  # fmt: skip

    def look(self, x: float, y: float, zoom: float | None = None, *, at_once: bool = False) -> None:
        """Sets the goal, in tiles."""
        self._set((x + 0.5) * TILE, (y + 0.5) * TILE, zoom if zoom is not None else self._goal[2])
        if at_once:
            self.x, self.y, self.zoom = self._goal

    def suited(self, zoom: float) -> float:
        """The stop that shows as much in this screen as `zoom` does in one of 1280 x 720."""
        wanted = zoom * self._size[1] / HEIGHT
        return min(STOPS, key=lambda stop: abs(math.log(stop / wanted)))

    def fit(self, *, at_once: bool = False) -> None:
        """The whole town."""
        width = self._size[0] - self._left - self._right
        zoom = min(width / self.town_size[0], self._size[1] / self.town_size[1])
        self._set(self.town_size[0] / 2, self.town_size[1] / 2, max(WIDEST, min(NEAREST, zoom)))
        if at_once:
            self.x, self.y, self.zoom = self._goal

    def pan(self, dx: float, dy: float) -> None:
        """Moves by screen pixels, at once."""
        self.x, self.y = self._within(self.x + dx / self.zoom, self.y + dy / self.zoom, self.zoom)
        self._goal = (self.x, self.y, self._goal[2])

    def zoom_at(self, point: tuple[float, float], notches: int) -> None:
        """Zooms by stops so that what is under the cursor stays there."""
        zoom = self._goal[2]
        for _ in range(abs(notches)):
            if notches > 0:
                zoom = next((stop for stop in STOPS if stop > zoom + 1e-6), NEAREST)
            else:
                zoom = next((stop for stop in reversed(STOPS) if stop < zoom - 1e-6), WIDEST)
        dx = point[0] - (self._left + self._size[0] - self._right) / 2
        dy = point[1] - self._size[1] / 2
        x, y = self._goal[0] + dx / self._goal[2], self._goal[1] + dy / self._goal[2]
        self._set(x - dx / zoom, y - dy / zoom, zoom)

    def advance(self, seconds: float) -> None:
        """Glides towards the goal."""
        part = 1.0 - math.exp(-GLIDE * seconds)
        x, y, zoom = self._goal
        self.zoom *= (zoom / self.zoom) ** part
        if abs(self.zoom / zoom - 1.0) < 0.004:
            self.zoom = zoom
        self.x += (x - self.x) * part
        self.y += (y - self.y) * part

    def _set(self, x: float, y: float, zoom: float) -> None:
        self._goal = (*self._within(x, y, zoom), zoom)

    def _within(self, x: float, y: float, zoom: float) -> tuple[float, float]:
        """Keeps the town in view: no more than a rim of RIM pixels beyond it is seen."""
        room = (self._size[0] - self._left - self._right, self._size[1])
        found = []
        for at, length, seen in zip((x, y), self.town_size, room, strict=True):
            half = seen / zoom / 2 - RIM
            found.append(length / 2 if 2 * half >= length else min(max(at, half), length - half))
        return found[0], found[1]
