"""Far away, whoever is under a roof is shown as a face on a small disc, as on a map.

Pins(looks, atlas)    .draw(surface, bodies, view)  -> where each was drawn
    .brighten(surface, bodies, places)    over the light: those who are awake
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pygame

from personas import Look
from viewer.art import TILE, Atlas
from viewer.backdrop import quick
from viewer.camera import View
from viewer.snapshot import Body

PINS_FROM = 0.6
"""The zoom below which roofs hide who is under them."""
DISC, RIM, WALKING = (255, 248, 228), (96, 70, 66), (242, 190, 104)
SIDE = 22
WIDE, HIGH = 18, 16
"""Of so many pixels of the screen each disc takes one cell."""
ASIDE = ((0, 0), (1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1), (2, 0), (-2, 0), (2, -1), (-2, -1))


class Pins:
    """Draws the discs."""

    def __init__(self, looks: Mapping[str, Look | None], atlas: Atlas) -> None:
        self._looks, self._atlas = looks, atlas
        self._discs: dict[tuple[str, bool], pygame.Surface] = {}

    def draw(self, surface: pygame.Surface, bodies: Sequence[Body], view: View) -> dict[str, pygame.Rect]:
        """Draws them, the northern ones first, as they are given; who stands close to another moves aside."""
        found: dict[str, pygame.Rect] = {}
        cells: set[tuple[int, int]] = set()
        pictures = []
        tile, left, top, half, discs = TILE * view.zoom, view.left, view.top, SIDE // 2, self._discs
        for body in bodies:
            name, walking = body.name, body.pose == "walk"
            x, y = round((body.x + 0.5) * tile), round((body.y + 0.25) * tile)
            column, row = x // WIDE, y // HIGH
            for dx, dy in ASIDE:
                if (column + dx, row + dy) not in cells:
                    cells.add((column + dx, row + dy))
                    x, y = x + dx * WIDE, y + dy * HIGH
                    break
            rect = pygame.Rect(x - left - half, y - top - half, SIDE, SIDE)
            pictures.append((discs.get((name, walking)) or self._disc(name, walking), rect))
            found[name] = rect
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
