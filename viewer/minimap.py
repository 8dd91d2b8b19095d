"""The small map in a corner: the whole town, everybody as a dot, what is in view as a frame; a click goes there."""

from __future__ import annotations

import pygame

from viewer.backdrop import Backdrop, quick
from viewer.camera import TILE, View
from viewer.fonts import Fonts
from viewer.look import AMBER, CREAM, EDGE
from viewer.snapshot import Snapshot

WIDTH = 190
OFTEN = 2
"""Pictures of it for each step."""


class Minimap:
    """Draws the small map; `rect` is its place."""

    def __init__(self, backdrop: Backdrop) -> None:
        self._backdrop = backdrop
        self._picture: pygame.Surface | None = None
        self._grounds: dict[int, pygame.Surface] = {}
        self.rect = pygame.Rect(0, 0, 0, 0)
        self._sheet = pygame.Surface((1, 1))
        self._drawn: tuple[object, object] = (None, None)
        self._dots = (_dot(CREAM), _dot(AMBER))

    def layout(self, right: int, bottom: int, fonts: Fonts) -> None:
        """Its lower right corner."""
        width = fonts.size(WIDTH)
        if self._picture is None or self._picture.get_width() != width:
            self._picture = self.ground(width)
        height = self._picture.get_height()
        self.rect = pygame.Rect(right - width, bottom - height, width, height)

    def ground(self, width: int) -> pygame.Surface:
        """The town as a picture of a width."""
        found = self._grounds.get(width)
        if found is None:
            wide, high = self._backdrop.picture.get_size()
            self._grounds.clear()
            found = quick(pygame.transform.smoothscale(self._backdrop.picture, (width, round(width * high / wide))))
            self._grounds[width] = found
        return found

    def draw(
        self, surface: pygame.Surface, snapshot: Snapshot, view: View, light: tuple[int, int, int], marked: str | None
    ) -> None:
        """Draws it under the light of the hour."""
        if self._picture is None:
            return
        pygame.draw.rect(surface, EDGE, self.rect.inflate(4, 4), border_radius=4)
        scale = self.rect.width / self._backdrop.picture.get_width()
        surface.blit(self._peopled(snapshot, light, marked, scale), self.rect)
        left, top = view.town(0, 0)
        right, bottom = view.town(view.width, view.height)
        frame = pygame.Rect(
            self.rect.x + left * scale, self.rect.y + top * scale, (right - left) * scale, (bottom - top) * scale
        ).clip(self.rect)  # fmt: skip
        pygame.draw.rect(surface, CREAM, frame, 1)
        chosen = snapshot.bodies.get(marked or "")
        if chosen is not None:
            at = (self.rect.x + (chosen.x + 0.5) * TILE * scale, self.rect.y + (chosen.y + 0.5) * TILE * scale)
            pygame.draw.circle(surface, (30, 26, 34), at, 5)
            pygame.draw.circle(surface, AMBER, at, 4)

    def _peopled(self, snapshot: Snapshot, light: tuple[int, int, int], marked: str | None, scale: float) -> pygame.Surface:
        """The ground with everybody's dot; made anew when walkers have gone about a pixel."""
        assert self._picture is not None
        still, key = self._drawn
        wanted = (int(snapshot.step * OFTEN), light, marked, self._picture)
        if still is not snapshot.still or key != wanted:
            self._drawn = (snapshot.still, wanted)
            self._sheet = sheet = self._picture.copy()
            sheet.fill(tuple(min(255, channel + 50) for channel in light), special_flags=pygame.BLEND_RGB_MULT)
            tile, rim = TILE * scale, TILE * scale / 2 - 3
            sheet.fblits(
                [
                    (self._dots[body.talk is not None], (rim + body.x * tile, rim + body.y * tile))
                    for body in snapshot.bodies.values()
                    if body.name != marked
                ]
            )
        return self._sheet

    def tile_at(self, point: tuple[int, int]) -> tuple[float, float]:
        """The tile under a point of the small map."""
        scale = self.rect.width / self._backdrop.picture.get_width() * TILE
        return (point[0] - self.rect.x) / scale - 0.5, (point[1] - self.rect.y) / scale - 0.5


def _dot(colour: tuple[int, int, int]) -> pygame.Surface:
    dot = pygame.Surface((7, 7), pygame.SRCALPHA)
    pygame.draw.circle(dot, (30, 26, 34), (3, 3), 3)
    pygame.draw.circle(dot, colour, (3, 3), 2)
    return quick(dot)
