"""Walls, windows, doors and hedges in three-quarter view: a top face, and a front face wherever south of them is free.

    pieces         TownMap -> the upright parts, one for each run of a row
    shade_ground   doors, bridges, flat decoration and the shadows of what stands, painted into the ground
    lights         lamps and windows

A wall is 6 pixels thick and 16 high: seen in its tile are its front (16 rows) and, 6 rows into the tile to the north,
its top. So rooms stay open to the eye and people show their heads behind a wall.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from maps import grounds
from town.tree import TownMap
from viewer.art import faces, flat
from viewer.art.canvas import Canvas, Pixels
from viewer.art.palette import number, palette
from viewer.art.pieces import TILE, Light, Piece
from viewer.art.terrain import letters_of

RAISED, LEFT, RIGHT = 6, 5, 11
Letters = npt.NDArray[np.str_]


class Plan:
    """The letters of a town with a rim of grass, and questions about a tile's neighbours."""

    def __init__(self, town: TownMap) -> None:
        self.town = town
        self.rows = np.pad(np.array([list(row) for row in town.ground]), 1, constant_values=grounds()["grass"].letter)
        self.wall, self.window, self.door = (np.isin(self.rows, sorted(letters_of(name))) for name in ("wall", "window", "door"))
        self.solid = self.wall | self.window
        self.hedge = np.isin(self.rows, sorted(letters_of("hedge", "fence")))

    def across(self, y: int, x: int) -> bool:
        """A door between walls to its west and east (padded coordinates)."""
        row = self.door[y] | self.solid[y]
        return bool(self.door[y, x] and row[x - 1] and row[x + 1])

    def along(self, y: int, x: int) -> bool:
        """A door between walls to its north and south."""
        column = self.door[:, x] | self.solid[:, x]
        return bool(self.door[y, x] and not self.across(y, x) and column[y - 1] and column[y + 1])

    def arms(self, y: int, x: int) -> tuple[bool, bool, bool]:
        """Does the wall go on to the west, the east, the south?"""
        west = bool(self.solid[y, x - 1] or self.across(y, x - 1))
        east = bool(self.solid[y, x + 1] or self.across(y, x + 1))
        return west, east, bool(self.solid[y + 1, x])


def _layer(plan: Plan) -> Pixels:
    """All walls of a town on one sheet (a margin of one tile around), to be cut into pieces."""
    height, width = plan.rows.shape
    sheet = Canvas(width * TILE, height * TILE)
    cap = np.zeros(sheet.pixels.shape, dtype=bool)
    glass = np.zeros_like(cap)
    for y, x in zip(*(int_pair for int_pair in np.nonzero(plan.solid)), strict=True):
        west, east, south = plan.arms(y, x)
        top, left = y * TILE, x * TILE
        x0, x1 = 0 if west else LEFT, TILE if east else RIGHT
        cap[top - RAISED : top, left + x0 : left + x1] = True
        if not south or west or east:
            part = Canvas(TILE, TILE)
            window = bool(plan.window[y, x]) and (west or east) and not south
            if south:  # the wall goes on to the south between two rooms: each sees its own half
                for side, half in ((-1, slice(0, LEFT)), (1, slice(RIGHT, TILE))):
                    face = faces.front(plan.town, int(x) - 1, int(y) - 1, window=window, side=side)
                    part.pixels[:, half] = face.pixels[:, half]
            else:
                part.stamp(faces.front(plan.town, int(x) - 1, int(y) - 1, window=window), 0, 0)
            part.pixels[:, :x0] = 0
            part.pixels[:, x1:] = 0
            if not west:
                part.pixels[:, x0] = number("wood1")
            if not east:
                part.pixels[:, x1 - 1] = number("wood1")
            sheet.stamp(part, left, top)
        if south:
            cap[top - RAISED : top + TILE, left + LEFT : left + RIGHT] = True
            if plan.window[y, x] and not (west or east):
                glass[top - RAISED + 2 : top + TILE - RAISED - 2, left + LEFT + 1 : left + RIGHT - 1] = True
    _paint_caps(sheet.pixels, cap, glass)
    return sheet.pixels


def _paint_caps(sheet: Pixels, cap: npt.NDArray[np.bool_], glass: npt.NDArray[np.bool_]) -> None:
    padded = np.pad(cap, 1)
    above, below, before, after = padded[:-2, 1:-1], padded[2:, 1:-1], padded[1:-1, :-2], padded[1:-1, 2:]
    sheet[cap] = number("wood2")
    inner = cap & above & below & before & after
    ring = np.pad(inner, 1)
    sheet[inner & ~(ring[:-2, 1:-1] & ring[1:-1, :-2])] = number("wood3")
    sheet[cap & ~(above & before & after)] = number("wood0")
    sheet[cap & ~below] = number("wood1")
    shadow = np.zeros_like(cap)
    shadow[1:] = cap[:-1] & ~cap[1:]
    sheet[shadow & (sheet != 0)] = palette().darker[sheet[shadow & (sheet != 0)]]
    sheet[glass] = number("blue3")
    edge = np.pad(glass, 1)
    sheet[glass & ~(edge[1:-1, :-2] & edge[:-2, 1:-1])] = number("blue4")


def pieces(town: TownMap) -> list[Piece]:
    """Walls and windows, then hedges and fences."""
    plan = Plan(town)
    found: list[Piece] = []
    sheet = _layer(plan)
    done = np.zeros_like(plan.solid)
    for y, x in zip(*np.nonzero(plan.solid), strict=True):
        if done[y, x]:
            continue
        right, bottom = int(x), int(y)
        if plan.solid[y, x + 1]:
            while plan.solid[y, right + 1]:
                right += 1
        else:
            while plan.solid[bottom + 1, x] and not (plan.solid[bottom + 1, x - 1] or plan.solid[bottom + 1, x + 1]):
                bottom += 1
        done[y : bottom + 1, x : right + 1] = True
        found.append(_cut(sheet, int(x), int(y), right, bottom, RAISED))
    return found + _hedges(plan)


def _cut(sheet: Pixels, x: int, y: int, right: int, bottom: int, raised: int) -> Piece:
    """Tiles x..right, y..bottom (padded coordinates) of a sheet, with what rises above them."""
    part = sheet[y * TILE - raised : (bottom + 1) * TILE, x * TILE : (right + 1) * TILE]
    canvas = Canvas(part.shape[1], part.shape[0], np.ascontiguousarray(part))
    return Piece(canvas.surface(), (x - 1) * TILE, (y - 1) * TILE - raised, bottom * TILE)


def _hedges(plan: Plan) -> list[Piece]:
    sheet = faces.hedge_sheet(plan.rows)
    found: list[Piece] = []
    height, width = plan.hedge.shape
    for y in range(height):
        x = 0
        while x < width:
            if not plan.hedge[y, x]:
                x += 1
                continue
            right = x
            while right + 1 < width and plan.hedge[y, right + 1]:
                right += 1
            found.append(_cut(sheet, x, y, right, y, faces.HEDGE_RAISED))
            x = right + 1
    return found


def shade_ground(town: TownMap, picture: Pixels) -> Pixels:
    """Adds to the ground of `terrain`: tufts and flowers, bridges, shadows, doors and gates. Returns the same array."""
    plan = Plan(town)
    flat.decorate(town, picture)
    shade = np.zeros(picture.shape, dtype=bool)
    for y, x in zip(*np.nonzero(plan.solid), strict=True):
        west, east, south = plan.arms(y, x)
        top, left = (int(y) - 1) * TILE, (int(x) - 1) * TILE
        x0, x1 = 0 if west else LEFT, TILE if east else RIGHT
        if not south:
            shade[max(0, top + TILE) : top + TILE + 4, max(0, left + x0) : left + x1 + 3] = True
        else:
            shade[max(0, top) : top + TILE, max(0, left + RIGHT) : left + RIGHT + 4] = True
    flat.add_shadows(town, shade)
    picture[shade] = palette().darker[picture[shade]]
    for y, x in zip(*np.nonzero(plan.door), strict=True):
        top, left = (int(y) - 1) * TILE, (int(x) - 1) * TILE
        if plan.across(y, x):
            art = faces.door(town, int(x) - 1, int(y) - 1, left=bool(plan.door[y, x + 1]), right=bool(plan.door[y, x - 1]))
        elif plan.along(y, x):
            art = faces.side_door()
        else:
            art = faces.gate(upright=bool(plan.hedge[y - 1, x] or plan.hedge[y + 1, x]))
        target = Canvas(picture.shape[1], picture.shape[0], picture)
        target.stamp(art, left, top - RAISED)
    return picture


def lights(town: TownMap) -> tuple[Light, ...]:
    """Lamps, and windows with the arena they light."""
    plan, lamps = Plan(town), letters_of("lamp")
    found: list[Light] = []
    for y, row in enumerate(town.ground):
        for x, letter in enumerate(row):
            if letter in lamps:
                found.append(Light(x * TILE + 8, y * TILE - 8, 48, "lamp"))
            elif plan.window[y + 1, x + 1]:
                near = ((x, y - 1), (x, y + 1), (x - 1, y), (x + 1, y))
                rooms = [arena for tile in near if (arena := town.arena_of_tile.get(tile)) is not None and not arena.outdoors]
                found.append(Light(x * TILE + 8, y * TILE + 8, 22, "window", rooms[0].address if rooms else ""))
    return tuple(found)
