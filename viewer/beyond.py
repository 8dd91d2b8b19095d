"""What lies around the town: woods, drawn only where the town doesn't fill the picture.

Beyond(width, height, atlas).draw(surface, view)
"""

from __future__ import annotations

import pygame

from viewer.art import TILE, Atlas
from viewer.backdrop import enlarged, quick
from viewer.camera import View


class Beyond:
    """The surroundings of a town of `width` x `height` tiles."""

    def __init__(self, width: int, height: int, atlas: Atlas) -> None:
        self._size, self._atlas = (width * TILE, height * TILE), atlas
        self._key: object = None
        self._sheet = pygame.Surface((1, 1))
        self._side = 1

    def draw(self, surface: pygame.Surface, view: View) -> None:
        """Draws what the town leaves free; the trees move with the town."""
        left, top = view.screen(0, 0)
        right, bottom = view.screen(*self._size)
        if left <= 0 and top <= 0 and right >= view.width and bottom >= view.height:
            return
        key = (view.zoom, view.width, view.height)
        if key != self._key:
            self._key = key
            self._sheet = self._make(view)
        side = self._side
        surface.blit(self._sheet, (left % side - side, top % side - side))

    def _make(self, view: View) -> pygame.Surface:
        """A sheet of trees a little larger than the screen."""
        one = self._atlas.wood()
        self._side = side = max(8, round(one.get_width() * view.zoom))
        small = quick(enlarged(one, (side, side), view.zoom if side == one.get_width() * view.zoom else 0.9))
        sheet = pygame.Surface((view.width + 2 * side, view.height + 2 * side))
        sheet.fblits([(small, (x, y)) for y in range(0, sheet.get_height(), side) for x in range(0, sheet.get_width(), side)])
        return quick(sheet)
