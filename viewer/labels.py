"""Words over the picture that give way to each other: names of residents, names of places, what somebody is doing.

place_label(rect, taken, shifts)         the first free place, or None
draw_names(...), Icons, PlaceNames
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from typing import NamedTuple

import pygame

from town import TownMap
from town.tree import leaf
from viewer.art import TILE, Atlas
from viewer.backdrop import Enlarged, quick
from viewer.camera import View
from viewer.fonts import Fonts
from viewer.people import Stand

LIGHT, DARK, WARM = (255, 250, 236), (44, 36, 48), (255, 222, 140)
SMALLEST = 9
DISC, DISC_RIM = (255, 248, 228), (96, 70, 66)


def free(rect: pygame.Rect, taken: list[pygame.Rect]) -> bool:
    """Whether a place is free."""
    return rect.collidelist(taken) < 0


def draw_names(
    surface: pygame.Surface, fonts: Fonts, stands: Mapping[str, Stand], short: Mapping[str, str], important: Collection[str],
    taken: list[pygame.Rect], everybody: bool,
) -> None:  # fmt: skip
    """First names under feet; the important ones and visitors always and first, the others where there is room."""
    first = {name for name in stands if name in important or name not in short}
    order = sorted(stands.values(), key=lambda stand: (stand.body.name not in first, stand.body.name))
    for stand in order:
        wanted = stand.body.name in first
        if not wanted and not everybody:
            continue
        text = fonts.outlined(short.get(stand.body.name, stand.body.name), 11, WARM if wanted else LIGHT, DARK)
        rect = text.get_rect(midtop=(stand.feet[0], stand.feet[1] + 2))
        if wanted and not free(rect, taken):
            rect.move_ip(0, rect.height - 2)
        if free(rect, taken) or wanted:
            surface.blit(text, rect)
            taken.append(rect)


class Icons:
    """What everybody does, on small discs over their heads."""

    def __init__(self, atlas: Atlas, scaled: Enlarged) -> None:
        self._atlas, self._scaled = atlas, scaled
        self._discs: dict[tuple[str, float], pygame.Surface] = {}

    def draw(
        self, surface: pygame.Surface, stands: Mapping[str, Stand], quiet: Collection[str], zoom: float, taken: list[pygame.Rect]
    ) -> None:
        """Draws them, but not over those whose words are shown (`quiet`), nor over sleepers."""
        size = 2.0 if zoom >= 3 else 1.0 if zoom < 2 else 1.5
        for stand in stands.values():
            deed = stand.body.deed
            if deed is None or stand.body.name in quiet or stand.body.pose == "sleep":
                continue
            disc = self._disc("walk" if stand.body.pose == "walk" else deed.icon, size)
            rect = disc.get_rect(midbottom=(stand.head[0], stand.head[1]))
            if free(rect.inflate(-rect.width // 2, -rect.height // 2), taken):
                surface.blit(disc, rect)
                taken.append(rect)

    def _disc(self, name: str, size: float) -> pygame.Surface:
        found = self._discs.get((name, size))
        if found is None:
            picture = self._scaled.get(self._atlas.icon(name), size)
            side = picture.get_width() + round(4 * size) + 2
            found = pygame.Surface((side, side), pygame.SRCALPHA)
            pygame.draw.circle(found, DISC_RIM, (side / 2, side / 2), side / 2)
            pygame.draw.circle(found, DISC, (side / 2, side / 2), side / 2 - 1)
            found.blit(picture, picture.get_rect(center=(side // 2, side // 2)))
            self._discs[name, size] = found = quick(found)
        return found


class _Place(NamedTuple):
    """A building or a park: its middle in town pixels; width, first row and height in tiles."""

    name: str
    x: float
    y: float
    width: int
    top: int
    height: int
    address: str


class PlaceNames:
    """The names of buildings and parks, each over the middle of its place."""

    def __init__(self, town: TownMap) -> None:
        self._places: list[_Place] = []
        self._heights: tuple[object, dict[str, int]] = (None, {})
        for sector in town.sectors:
            rooms = [arena for arena in sector.arenas if not arena.outdoors] or sector.arenas
            tiles = [tile for arena in rooms for tile in arena.tiles]
            if not tiles or sector.kind == "street":
                continue
            x0, x1 = min(x for x, _ in tiles), max(x for x, _ in tiles) + 1
            y0, y1 = min(y for _, y in tiles), max(y for _, y in tiles) + 1
            middle = (x0 + x1) / 2 * TILE, (y0 + y1) / 2 * TILE
            self._places.append(_Place(leaf(sector.address), *middle, x1 - x0, y0, y1 - y0, sector.address))
        self._pictures: dict[tuple[object, ...], pygame.Surface] = {}
        self._places.sort(key=lambda place: (-place.width, place.name))

    def draw(self, surface: pygame.Surface, fonts: Fonts, view: View, taken: list[pygame.Rect], heads: list[pygame.Rect]) -> None:
        """Far away on the roofs, off the `heads` seen there; nearer above the upper walls. Without room, none."""
        near = view.zoom >= 1.0
        for name, x, y, width, top, height, _ in self._places:
            at = view.screen(x, top * TILE - 20) if near else view.screen(x, y)
            if not view.shows(*at, margin=200):
                continue
            picture = self._at_zoom(fonts, name, width, view.zoom)
            rect = picture.get_rect(center=at)
            if not near and rect.inflate(-8, -8).collidelist(heads) >= 0:
                spare = max(0, round(height * TILE * view.zoom) - rect.height) // 2
                places = [rect.move(0, round(part * (spare - 6))) for part in (0, 0.5, 1, -0.5, -1)] + [rect.move(0, spare + 2)]
                rect = min(places, key=lambda place: len(place.inflate(-8, -8).collidelistall(heads)))
            if free(rect.inflate(4, 0), taken):
                surface.blit(picture, rect)
                taken.append(rect)

    def heights(self, fonts: Fonts, zoom: float) -> dict[str, int]:
        """How many pixels of the screen each building's name is high at a zoom."""
        if self._heights[0] != (fonts.scale, zoom):
            found = {place.address: self._at_zoom(fonts, place.name, place.width, zoom).get_height() for place in self._places}
            self._heights = ((fonts.scale, zoom), found)
        return self._heights[1]

    def _at_zoom(self, fonts: Fonts, name: str, width: int, zoom: float) -> pygame.Surface:
        largest = 11 if zoom < 0.45 else 12 if zoom < 1.0 else 13
        room = round(width * TILE * zoom * (1.0 if zoom >= 1.0 else 0.92))
        return self._picture(fonts, name, _fitting(fonts, name, largest, room), max(room, fonts.size(56)))

    def _picture(self, fonts: Fonts, name: str, size: int, width: int) -> pygame.Surface:
        key = (name, size, width, fonts.scale)
        found = self._pictures.get(key)
        if found is None:
            if len(self._pictures) > 200:
                self._pictures.clear()
            texts = [fonts.outlined(line, size, LIGHT, DARK) for line in fonts.wrap(name, size, width, bold=True)]
            step = texts[0].get_height() - 4
            found = pygame.Surface((max(text.get_width() for text in texts), step * len(texts) + 4), pygame.SRCALPHA)
            for number, text in enumerate(texts):
                found.blit(text, text.get_rect(midtop=(found.get_width() // 2, number * step)))
            self._pictures[key] = found
        return found


@cache
def _fitting(fonts: Fonts, name: str, largest: int, room: int) -> int:
    """The size of letters with which a name fits its place in two lines."""
    for size in range(largest, SMALLEST, -1):
        lines = fonts.wrap(name, size, room, bold=True)
        if len(lines) <= 2 and max(fonts.width(line, size, True) for line in lines) <= room:
            return size
    return SMALLEST
