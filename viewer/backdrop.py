"""Everything in the town that isn't a person, as pictures: ground, walls, trees and things in their present state.

    Backdrop(town, atlas)      .show(states, beat)   brings things into a state; only what changed is drawn anew
                               .draw(surface, view)  the part in view
                               .before(rect, foot)   what stands before a person; .cover(...) draws it over that person

The town is kept as one picture at 16 pixels a tile; what is seen is that picture in enlarged blocks, kept as long as the
zoom stays. People are drawn on top of it, and whatever has its foot line in front of theirs is drawn over them again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pygame

from town import TownMap
from viewer.art import TILE, Atlas, Light, Placed, Sprite
from viewer.art.objects import appearance
from viewer.camera import View

BLOCK = 256
"""Side of an enlarged block, in town pixels."""
KEPT_PIXELS = 20_000_000
KEPT_COVERS = 3000
CELL = 64
ROOFS_FROM, ROOFS_FULL = 0.75, 0.5
"""Zooms between which roofs close over the houses."""
SHINE = {"fire": 72, "glow": 44, "sparks": 28}
"""How far what burns or glows lights up the night, in town pixels."""
BEATS = 5
"""Moving pictures a second."""


@dataclass(slots=True)
class Item:
    """A picture standing in the town, in town pixels; flat things have a foot line at their upper rim or above."""

    surface: pygame.Surface
    rect: pygame.Rect
    foot: int
    order: int


class Enlarged:
    """Pictures at a zoom, kept."""

    def __init__(self) -> None:
        self._kept: dict[tuple[int, float], tuple[pygame.Surface, pygame.Surface]] = {}

    def get(self, surface: pygame.Surface, zoom: float) -> pygame.Surface:
        """The picture at a zoom; don't draw on it."""
        key = (id(surface), zoom)
        found = self._kept.get(key)
        if found is None:
            if len(self._kept) > 4000:
                self._kept.clear()
            size = (max(1, round(surface.get_width() * zoom)), max(1, round(surface.get_height() * zoom)))
            # The original is kept with it, so that its id stays its own.
            found = self._kept[key] = (quick(enlarged(surface, size, zoom)), surface)
        return found[0]


def quick(surface: pygame.Surface) -> pygame.Surface:
    """In the screen's own format, which is drawn fastest."""
    if pygame.display.get_surface() is None:
        return surface
    return surface.convert_alpha() if surface.get_flags() & pygame.SRCALPHA else surface.convert()


def enlarged(surface: pygame.Surface, size: tuple[int, int], zoom: float) -> pygame.Surface:
    """Scaled so that pixels stay crisp above 1 and blend below."""
    if zoom >= 1.0 and zoom == int(zoom):
        return pygame.transform.scale(surface, size)
    if zoom > 1.0:
        up = math.ceil(zoom)
        surface = pygame.transform.scale(surface, (surface.get_width() * up, surface.get_height() * up))
    return pygame.transform.smoothscale(surface, size)


class Backdrop:
    """The town without its people."""

    def __init__(self, town: TownMap, atlas: Atlas) -> None:
        self.town, self.atlas = town, atlas
        self.scaled = Enlarged()
        self._ground = quick(atlas.ground(town))
        self.picture = self._ground.copy()
        self._roofs: list[Sprite] = []
        self.roofed: dict[tuple[int, int], str] = {}
        """The tiles that lie under roofs, and the addresses of the buildings."""
        self.roofs: dict[str, pygame.Rect] = {}
        """What lies under each roof, in town pixels."""
        self.forgotten = 0
        """How often the lists of `before` were thrown away; until then they are kept as they should be."""
        for sector in town.sectors:
            roof = atlas.roof(town, sector.address)
            if roof is not None:
                self._roofs.append(roof)
                tiles = [tile for arena in sector.arenas if not arena.outdoors for tile in arena.tiles]
                self.roofed |= dict.fromkeys(tiles, sector.address)
                corners = [pygame.Rect(x * TILE, y * TILE, TILE, TILE) for x, y in tiles]
                self.roofs[sector.address] = corners[0].unionall(corners[1:])
        self._cells: dict[tuple[int, int], list[Item]] = {}
        self._parts: dict[str, list[Placed]] = {}
        self._shown: dict[Placed, Item] = {}
        self._order: dict[Placed, int] = {}
        self._states: dict[str, str] = {}
        self._moving: dict[str, str] = {}
        self._beat = 0
        self._blocks: dict[tuple[int, int], pygame.Surface] = {}
        self._before: dict[tuple[int, ...], list[Item]] = {}
        self._near: dict[tuple[int, int], list[tuple[int, ...]]] = {}
        self._zoom = 0.0
        self._quick = False
        for number, piece in enumerate(atlas.tall(town)):
            self._add(Item(piece.surface, piece.surface.get_rect(topleft=(piece.x, piece.y)), piece.foot, number))
        for number, part in enumerate(atlas.things(town)):
            self._order[part] = 100_000 + number
            self._parts.setdefault(part.address, []).append(part)
            sprite = self._sprite(part, "", 0)
            self._shown[part] = self._add(self._item(part, sprite))
            if sprite.moves:
                self._moving[part.address] = ""
        self._redraw(self.picture.get_rect())

    # ------------------------------------------------------------------ things and their states

    def show(self, states: Mapping[str, str], beat: int) -> None:
        """Brings all things into a state; `beat` counts on while time passes on the screen, for what moves."""
        changed = {address for address, state in states.items() if self._states.get(address) != state}
        changed |= {address for address in self._states if address not in states}
        if beat != self._beat:
            self._beat = beat
            changed |= set(self._moving)
        for address in sorted(changed):
            self._change(address, states.get(address, ""))
        self._states = dict(states)

    def shining(self, states: Mapping[str, str]) -> tuple[Light, ...]:
        """The light of things that burn or glow in these states."""
        found = []
        for address, state in states.items():
            for part in self._parts.get(address, ()):
                radius = max((SHINE[name] for name in appearance(part.kind, state) if name in SHINE), default=0)
                if radius:
                    x, y = round((part.x + part.width / 2) * TILE), round((part.y + part.height / 2) * TILE)
                    found.append(Light(x, y, radius + 8 * part.width, "lamp"))
        return tuple(found)

    def _change(self, address: str, state: str) -> None:
        moves = False
        for part in self._parts.get(address, ()):
            old, sprite = self._shown[part], self._sprite(part, state, self._beat)
            moves = moves or sprite.moves
            if sprite.surface is old.surface:
                continue
            new = self._item(part, sprite)
            self._remove(old)
            self._shown[part] = self._add(new)
            self._redraw(old.rect.union(new.rect))
        if moves:
            self._moving[address] = state
        else:
            self._moving.pop(address, None)

    def _sprite(self, part: Placed, state: str, frame: int) -> Sprite:
        return self.atlas.object(part.kind, part.width, part.height, state, frame, part.facing, part.variant)

    def _item(self, part: Placed, sprite: Sprite) -> Item:
        x, y = part.x * TILE, part.y * TILE
        return Item(
            sprite.surface, sprite.surface.get_rect(topleft=(x + sprite.dx, y + sprite.dy)), y + sprite.foot, self._order[part]
        )

    def _add(self, item: Item) -> Item:
        for cell in _cells(item.rect):
            self._cells.setdefault(cell, []).append(item)
        self._reconsider(item)
        return item

    def _remove(self, item: Item) -> None:
        for cell in _cells(item.rect):
            self._cells[cell].remove(item)
        self._reconsider(item)

    def _reconsider(self, item: Item) -> None:
        """What stands before people near a thing that came or went."""
        for key in {key for cell in _cells(item.rect) for key in self._near.get(cell, ())}:
            rect = pygame.Rect(key[:4])
            if rect.colliderect(item.rect):
                self._before[key][:] = self._beyond(rect, key[4])

    def _beyond(self, rect: pygame.Rect, foot: int) -> list[Item]:
        return [item for item in self._within(rect) if item.foot > foot]

    def _within(self, rect: pygame.Rect) -> list[Item]:
        found = {id(item): item for cell in _cells(rect) for item in self._cells.get(cell, ()) if rect.colliderect(item.rect)}
        return sorted(found.values(), key=lambda item: (item.foot, item.order))

    def _redraw(self, rect: pygame.Rect) -> None:
        rect = rect.clip(self.picture.get_rect())
        self.picture.set_clip(rect)
        self.picture.blit(self._ground, rect, rect)
        for item in self._within(rect):
            self.picture.blit(item.surface, item.rect)
        self.picture.set_clip(None)
        for block in _blocks(rect):
            self._blocks.pop(block, None)

    # ------------------------------------------------------------------ on the screen

    def draw(self, surface: pygame.Surface, view: View) -> None:
        """Draws the part of the town in view."""
        gliding = view.zoom != self._zoom and self._zoom > 0.0
        if gliding or self._quick or sum(1 for _ in self._blocks) * (BLOCK * view.zoom) ** 2 > KEPT_PIXELS:
            self._blocks.clear()
        self._zoom, self._quick = view.zoom, gliding and view.zoom != int(view.zoom)
        zoom, side = view.zoom, BLOCK * view.zoom
        columns = range(
            max(0, math.floor(view.left / side)), min(self._count(0), math.floor((view.left + view.width) / side) + 1)
        )
        rows = range(max(0, math.floor(view.top / side)), min(self._count(1), math.floor((view.top + view.height) / side) + 1))
        for row in rows:
            for column in columns:
                block = self._blocks.get((column, row))
                x, y = round(column * BLOCK * zoom), round(row * BLOCK * zoom)
                if block is None:
                    block = self._blocks[column, row] = self._enlarge(column, row, x, y, zoom)
                surface.blit(block, (x - view.left, y - view.top))

    def before(self, town_rect: pygame.Rect, foot: int) -> list[Item]:
        """What has its foot line before `foot`, within the place of a person (town pixels); a list that goes with the town."""
        key = (*town_rect, foot)
        items = self._before.get(key)
        if items is None:
            if len(self._before) > KEPT_COVERS:
                self._before.clear()
                self._near.clear()
                self.forgotten += 1
            items = self._before[key] = self._beyond(town_rect, foot)
            for cell in _cells(town_rect):
                self._near.setdefault(cell, []).append(key)
        return items

    def cover(self, surface: pygame.Surface, view: View, town_rect: pygame.Rect, items: Iterable[Item]) -> None:
        """Draws `items` again, within the place of a person."""
        left, top = view.screen(town_rect.left, town_rect.top)
        right, bottom = view.screen(town_rect.right, town_rect.bottom)
        clip = surface.get_clip()
        surface.set_clip(pygame.Rect(left, top, right - left, bottom - top).clip(clip))
        for item in items:
            surface.blit(self.scaled.get(item.surface, view.zoom), view.screen(item.rect.x, item.rect.y))
        surface.set_clip(clip)

    def _count(self, axis: int) -> int:
        return -(-self.picture.get_size()[axis] // BLOCK)

    def _enlarge(self, column: int, row: int, x: int, y: int, zoom: float) -> pygame.Surface:
        rect = pygame.Rect(column * BLOCK, row * BLOCK, BLOCK, BLOCK).clip(self.picture.get_rect())
        size = (max(1, round(rect.right * zoom) - x), max(1, round(rect.bottom * zoom) - y))
        part = self.picture.subsurface(rect)
        block = quick(pygame.transform.scale(part, size) if self._quick else enlarged(part, size, zoom))
        closed = roofs_closed(zoom)
        if closed > 0.0:
            for roof in self._roofs:
                if rect.colliderect(roof.surface.get_rect(topleft=(roof.dx, roof.dy))):
                    picture = self.scaled.get(roof.surface, zoom)
                    picture.set_alpha(round(255 * closed))
                    block.blit(picture, (round(roof.dx * zoom) - x, round(roof.dy * zoom) - y))
        return block


def roofs_closed(zoom: float) -> float:
    """How far the roofs have closed over the houses at a zoom, 0 to 1."""
    return min(1.0, max(0.0, (ROOFS_FROM - zoom) / (ROOFS_FROM - ROOFS_FULL)))


def _cells(rect: pygame.Rect) -> Iterable[tuple[int, int]]:
    for y in range(rect.top // CELL, (rect.bottom - 1) // CELL + 1):
        for x in range(rect.left // CELL, (rect.right - 1) // CELL + 1):
            yield x, y


def _blocks(rect: pygame.Rect) -> Iterable[tuple[int, int]]:
    for y in range(rect.top // BLOCK, (rect.bottom - 1) // BLOCK + 1):
        for x in range(rect.left // BLOCK, (rect.right - 1) // BLOCK + 1):
            yield x, y
