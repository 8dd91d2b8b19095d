"""Light by the clock: one layer multiplied over the picture, blue by night, with warm pools under lamps and in lit rooms.

ambient(minute)            the colour that everything is multiplied with at a minute of the day
Lighting(town, atlas)      .draw(surface, view, minute, awake)  multiplies the picture
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import pairwise

import pygame

from town import TownMap
from viewer.art import TILE, Atlas, Light
from viewer.backdrop import roofs_closed
from viewer.camera import View

Colour = tuple[int, int, int]

HOURS: tuple[tuple[float, Colour], ...] = (
    (0, (76, 88, 146)),
    (4.5, (80, 92, 150)),
    (5.6, (124, 112, 160)),
    (6.4, (240, 194, 186)),
    (7.3, (255, 230, 212)),
    (8.8, (255, 250, 240)),
    (11, (255, 255, 255)),
    (14.5, (255, 255, 255)),
    (17.2, (255, 246, 226)),
    (18.6, (255, 222, 182)),
    (19.6, (238, 180, 164)),
    (20.4, (160, 134, 176)),
    (21.4, (98, 102, 158)),
    (24, (76, 88, 146)),
)
"""Hour of the day and colour: dawn rose, clear noon, amber evening, blue night."""

WARM: Colour = (255, 214, 150)
ROOM: Colour = (236, 208, 172)
DUSK = 0.05
"""The darkness from which lamps are seen."""
GRAIN = 4
"""Light pixels a tile."""


def ambient(minute: float) -> Colour:
    """The colour of daylight at a minute of the day."""
    hour = minute / 60 % 24
    for (start, before), (end, after) in pairwise(HOURS):
        if start <= hour <= end:
            part = (hour - start) / (end - start)
            r, g, b = (round(a + (z - a) * part) for a, z in zip(before, after, strict=True))
            return r, g, b
    return HOURS[0][1]


def darkness(colour: Colour) -> float:
    """0 by day, 1 in the depth of night."""
    return max(0.0, min(1.0, (235 - min(colour[0], colour[1])) / 130))


def is_dark(minute: float) -> bool:
    """Whether lamps are lit at a minute of the day."""
    return darkness(ambient(minute)) > DUSK


class Lighting:
    """The light over one town."""

    def __init__(self, town: TownMap, atlas: Atlas) -> None:
        self.town = town
        self._lights = atlas.lights(town)
        indoors = {tile for arena in town.arenas() if not arena.outdoors for tile in arena.tiles}
        open_air = {(x, y) for y in range(town.height) for x in range(town.width)} - indoors - town.walls - town.doors
        self._outside = {
            (x, y) for x, y in town.walls if any((x + dx, y + dy) in open_air for dx, dy in ((0, 1), (1, 0), (-1, 0)))
        }
        self._rooms: dict[str, tuple[pygame.Surface, int, int]] = {}
        self._pools: dict[tuple[int, int], pygame.Surface] = {}
        self._key: object = None
        self._layer: pygame.Surface | None = None

    def draw(
        self, surface: pygame.Surface, view: View, minute: float, awake: Iterable[str], shining: tuple[Light, ...] = ()
    ) -> None:
        """Multiplies the picture. `awake`: the addresses of rooms in which somebody is awake; `shining`: fires and the like."""
        r, g, b = ambient(minute)
        colour = (r // 2 * 2, g // 2 * 2, b // 2 * 2)
        dark = darkness(colour)
        if min(colour) >= 254:
            return
        if dark <= DUSK:
            surface.fill(colour, special_flags=pygame.BLEND_RGB_MULT)
            return
        lit = tuple(sorted(awake))
        key = (view, colour, lit, shining)
        if key != self._key or self._layer is None:
            self._layer = self._make(view, colour, dark, lit, shining)
            self._key = key
        surface.blit(self._layer, (0, 0), special_flags=pygame.BLEND_RGB_MULT)

    def _make(self, view: View, colour: Colour, dark: float, lit: tuple[str, ...], shining: tuple[Light, ...]) -> pygame.Surface:
        # The tiles in view, in a small picture of GRAIN pixels a tile, enlarged smoothly at the end.
        left, top = view.tile(0, 0)
        right, bottom = view.tile(view.width, view.height)
        left, top, right, bottom = left - 1, top - 1, right + 2, bottom + 2
        small = pygame.Surface(((right - left) * GRAIN, (bottom - top) * GRAIN))
        small.fill(colour)
        closed = roofs_closed(view.zoom)
        for address in lit if closed < 1.0 else ():
            room = self._room(address)
            if room is not None:
                picture, x, y = room
                small.blit(
                    _dimmed(picture, dark * (1.0 - closed)),
                    ((x - left) * GRAIN, (y - top) * GRAIN),
                    special_flags=pygame.BLEND_RGB_MAX,
                )
        for light in (*self._lights, *shining):
            arena = getattr(light, "arena", None)
            if arena and (arena not in lit or (closed > 0.0 and (light.x // TILE, light.y // TILE) not in self._outside)):
                continue
            across, down = light.x / TILE - left, light.y / TILE - top
            reach = light.radius * (1.0 + 0.6 * closed if arena else 1.0) / TILE
            if -reach < across < right - left + reach and -reach < down < bottom - top + reach:
                pool = self._pool(max(4, round(reach * GRAIN)), round(dark * 16))
                small.blit(
                    pool,
                    (across * GRAIN - pool.get_width() / 2, down * GRAIN - pool.get_height() / 2),
                    special_flags=pygame.BLEND_RGB_MAX,
                )
        size = (max(1, round((right - left) * TILE * view.zoom)), max(1, round((bottom - top) * TILE * view.zoom)))
        large = pygame.transform.smoothscale(small, size)
        x, y = view.screen(left * TILE, top * TILE)
        return large.subsurface(pygame.Rect(-x, -y, view.width, view.height).clip(large.get_rect()))

    def _room(self, address: str) -> tuple[pygame.Surface, int, int] | None:
        """A room's floor and the walls around it, glowing; (picture, x, y) with x, y in tiles."""
        if address in self._rooms:
            return self._rooms[address]
        arena = next((arena for arena in self.town.arenas() if arena.address == address), None)
        if arena is None or arena.outdoors or not arena.tiles:
            return None
        around = {(x + dx, y + dy) for x, y in arena.tiles for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
        tiles = arena.tiles | (around & (self.town.walls | self.town.doors))
        x0, y0 = min(x for x, _ in tiles), min(y for _, y in tiles)
        x1, y1 = max(x for x, _ in tiles), max(y for _, y in tiles)
        picture = pygame.Surface(((x1 - x0 + 1) * GRAIN, (y1 - y0 + 1) * GRAIN))
        for x, y in tiles:
            picture.fill(ROOM, ((x - x0) * GRAIN, (y - y0) * GRAIN, GRAIN, GRAIN))
        found = self._rooms[address] = (picture, x0, y0)
        return found

    def _pool(self, radius: int, strength: int) -> pygame.Surface:
        """A round pool of warm light, fading to black."""
        found = self._pools.get((radius, strength))
        if found is None:
            found = pygame.Surface((2 * radius, 2 * radius))
            for at in range(radius, 0, -1):
                part = (1 - at / radius) ** 0.8
                colour = tuple(round(channel * min(1.0, part * 1.25) * strength / 16) for channel in WARM)
                pygame.draw.circle(found, colour, (radius, radius), at)
            self._pools[radius, strength] = found
        return found


def _dimmed(picture: pygame.Surface, dark: float) -> pygame.Surface:
    """Lamps are switched on with the dusk: at `dark` 0 they add nothing."""
    level = round(255 * math.sqrt(dark))
    if level >= 250:
        return picture
    copy = picture.copy()
    copy.fill((level, level, level), special_flags=pygame.BLEND_RGB_MULT)
    return copy
