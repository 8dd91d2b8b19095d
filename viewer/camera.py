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
    """Looks at a town of `width` x `height` tiles."""

    def __init__(self, width: int, height: int) -> None:
        self.town_size = (width * TILE, height * TILE)
        self.x, self.y = self.town_size[0] / 2, self.town_size[1] / 2
        self.zoom = 1.0
        self._goal = (self.x, self.y, self.zoom)

    @property
    def goal_zoom(self) -> float:
        """The zoom it is gliding to."""
        return self._goal[2]

    def view(self, size: tuple[int, int]) -> View:
        """The mapping for this frame."""
        return View(
            round(self.x * self.zoom - size[0] / 2), round(self.y * self.zoom - size[1] / 2), self.zoom, size[0], size[1]
        )  # fmt: skip

    def look(self, x: float, y: float, zoom: float | None = None, *, at_once: bool = False) -> None:
        """Sets the goal, in tiles."""
        self._set((x + 0.5) * TILE, (y + 0.5) * TILE, zoom if zoom is not None else self._goal[2])
        if at_once:
            self.x, self.y, self.zoom = self._goal

    def fit(self, size: tuple[int, int], *, at_once: bool = False) -> None:
        """The whole town."""
        zoom = min(size[0] / self.town_size[0], size[1] / self.town_size[1])
        self._set(self.town_size[0] / 2, self.town_size[1] / 2, max(WIDEST, min(NEAREST, zoom)))
        if at_once:
            self.x, self.y, self.zoom = self._goal

    def pan(self, dx: float, dy: float) -> None:
        """Moves by screen pixels, at once."""
        self.x, self.y = self._within(self.x + dx / self.zoom, self.y + dy / self.zoom)
        self._goal = (self.x, self.y, self._goal[2])

    def zoom_at(self, point: tuple[float, float], size: tuple[int, int], notches: int) -> None:
        """Zooms by stops so that what is under the cursor stays there."""
        zoom = self._goal[2]
        for _ in range(abs(notches)):
            if notches > 0:
                zoom = next((stop for stop in STOPS if stop > zoom + 1e-6), NEAREST)
            else:
                zoom = next((stop for stop in reversed(STOPS) if stop < zoom - 1e-6), WIDEST)
        dx, dy = point[0] - size[0] / 2, point[1] - size[1] / 2
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
        self._goal = (*self._within(x, y), zoom)

    def _within(self, x: float, y: float) -> tuple[float, float]:
        return min(max(x, 0.0), float(self.town_size[0])), min(max(y, 0.0), float(self.town_size[1]))
