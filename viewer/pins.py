"""Far away, whoever is under a roof is shown as a face on a small disc, as on a map.

Pins(looks, atlas, roofed)    .holds(body, zoom)  .draw(surface, bodies, view)  -> where each was drawn
    .brighten(surface, bodies, places)    over the light: those who are awake
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import pygame

from personas import Look
from town.percepts import Tile
from viewer.art import TILE, Atlas
from viewer.backdrop import quick
from viewer.camera import View
from viewer.snapshot import Body

FROM = 0.6
"""The zoom below which roofs hide who is under them."""
DISC, RIM, WALKING = (255, 248, 228), (96, 70, 66), (242, 190, 104)
SIDE = 22
WIDE, HIGH = 18, 16
"""Of so many pixels of the screen each disc takes one cell."""
ASIDE = ((0, 0), (1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1), (2, 0), (-2, 0), (2, -1), (-2, -1))


class Pins:
    """Draws the discs. `roofed` are the tiles that roofs cover."""

    def __init__(self, looks: Mapping[str, Look | None], atlas: Atlas, roofed: Collection[Tile]) -> None:
        self._looks, self._atlas, self._roofed = looks, atlas, frozenset(roofed)
        self._discs: dict[tuple[str, bool], pygame.Surface] = {}

    def holds(self, body: Body, zoom: float) -> bool:
        """Whether a body is shown as a pin."""
        return zoom < FROM and body.tile in self._roofed

    def draw(self, surface: pygame.Surface, bodies: Sequence[Body], view: View) -> dict[str, pygame.Rect]:
        """Draws those that `holds` chose, the northern ones first; who stands close to another moves aside."""
        found: dict[str, pygame.Rect] = {}
        cells: set[tuple[int, int]] = set()
        pictures = []
        for body in sorted(bodies, key=lambda body: (body.y, body.x, body.name)):
            x, y = view.screen(body.x * TILE + TILE / 2, body.y * TILE + 4)
            if not view.shows(x, y):
                continue
            column, row = (x + view.left) // WIDE, (y + view.top) // HIGH
            for dx, dy in ASIDE:
                cell = (column + dx, row + dy)
                if cell not in cells:
                    cells.add(cell)
                    x, y = x + dx * WIDE, y + dy * HIGH
                    break
            rect = pygame.Rect(x - SIDE // 2, y - SIDE // 2, SIDE, SIDE)
            pictures.append((self._disc(body.name, body.pose == "walk"), rect))
            found[body.name] = rect
        surface.fblits(pictures)
        return found

    def brighten(self, surface: pygame.Surface, bodies: Mapping[str, Body], places: Mapping[str, pygame.Rect]) -> None:
        """Over the light of the night, those again who are awake."""
        awake = [bodies[name] for name in places if (deed := bodies[name].deed) is None or not deed.asleep]
        surface.fblits([(self._disc(body.name, body.pose == "walk"), places[body.name]) for body in awake])

    def _disc(self, name: str, walking: bool) -> pygame.Surface:
        disc = self._discs.get((name, walking))
        if disc is None:
            disc = pygame.Surface((SIDE, SIDE), pygame.SRCALPHA)
            middle = (SIDE / 2, SIDE / 2)
            pygame.draw.circle(disc, RIM, middle, SIDE / 2)
            pygame.draw.circle(disc, WALKING if walking else DISC, middle, SIDE / 2 - 1.5)
            face = self._atlas.face(self._looks.get(name), name)
            bust = pygame.Surface((SIDE, SIDE), pygame.SRCALPHA)
            bust.blit(face, face.get_rect(midbottom=(SIDE // 2, SIDE - 2)))
            mask = pygame.Surface((SIDE, SIDE), pygame.SRCALPHA)
            pygame.draw.circle(mask, (255, 255, 255, 255), middle, SIDE / 2 - 1.5)
            bust.blit(mask, (0, 0), special_flags=pygame.BLEND_RGBA_MIN)
            disc.blit(bust, (0, 0))
            self._discs[name, walking] = disc = quick(disc)
        return disc
