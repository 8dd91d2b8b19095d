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
NEAR = 14
"""Discs keep so many pixels apart."""
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
        for body in sorted(bodies, key=lambda body: (body.y, body.x, body.name)):
            x, y = view.screen(body.x * TILE + TILE / 2, body.y * TILE + 4)
            if not view.shows(x, y):
                continue
            disc = self._disc(body.name, body.pose == "walk")
            rect = disc.get_rect(center=(x, y))
            for dx, dy in ASIDE:
                place = rect.move(dx * (SIDE - 4), dy * (SIDE - 6))
                near = place.inflate(NEAR - SIDE, NEAR - SIDE)
                if not any(near.colliderect(other.inflate(NEAR - SIDE, NEAR - SIDE)) for other in found.values()):
                    rect = place
                    break
            surface.blit(disc, rect)
            found[body.name] = rect
        return found

    def brighten(self, surface: pygame.Surface, bodies: Mapping[str, Body], places: Mapping[str, pygame.Rect]) -> None:
        """Over the light of the night, those again who are awake."""
        for name, rect in places.items():
            deed = bodies[name].deed
            if deed is None or not deed.asleep:
                surface.blit(self._disc(name, bodies[name].pose == "walk"), rect)

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
