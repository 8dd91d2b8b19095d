"""Objects of a town as connected parts: sixteen chairs are one seating, and sixteen pictures.

placed    TownMap -> the parts, in map order
"""

from __future__ import annotations

from maps import catalogue
from town.percepts import Tile
from town.tree import GameObject, TownMap
from viewer.art.noise import pick
from viewer.art.pieces import Facing, Placed
from viewer.art.terrain import letters_of

SINGLE = ("seating", "chair", "garden")
SIDES: tuple[tuple[Facing, int, int], ...] = (("south", 0, 1), ("east", 1, 0), ("west", -1, 0), ("north", 0, -1))
SEAT_SIDES = (SIDES[3], SIDES[1], SIDES[2], SIDES[0])  # of two tables a pupil takes the one towards the board
SURFACES = ("table", "counter", "desk")


def placed(town: TownMap) -> tuple[Placed, ...]:
    """All parts of all objects."""
    tables = {
        tile
        for thing in town.objects()
        if any(word in thing.kind for word in SURFACES) and "behind" not in thing.kind
        for tile in thing.tiles
    }
    flat = letters_of("small table", "counter top")
    tables |= {(x, y) for y, row in enumerate(town.ground) for x, letter in enumerate(row) if letter in flat}
    return tuple(part for thing in town.objects() for part in _parts(town, thing, tables))


def _parts(town: TownMap, thing: GameObject, tables: set[Tile]) -> list[Placed]:
    seat = thing.kind in catalogue() and catalogue()[thing.kind].use == "on" and catalogue()[thing.kind].solid
    single = any(word in thing.kind for word in SINGLE)
    found: list[Placed] = []
    left = dict.fromkeys(sorted(thing.tiles, key=lambda tile: (tile[1], tile[0])))
    while left:
        first = next(iter(left))
        x, y, width, height = _rectangle(first, left, single)
        for dy in range(height):
            for dx in range(width):
                left.pop((x + dx, y + dy), None)
        facing = _facing(town, thing, (x, y, width, height), tables, seat)
        found.append(Placed(thing.address, thing.kind, x, y, width, height, facing, pick(x, y, 71, 32)))
    return found


def _rectangle(first: Tile, left: dict[Tile, None], single: bool) -> tuple[int, int, int, int]:
    """The largest rectangle that begins at the first tile: along the row, then down."""
    x, y = first
    if single:
        return x, y, 1, 1
    width = 1
    while (x + width, y) in left:
        width += 1
    height = 1
    while all((x + i, y + height) in left for i in range(width)):
        height += 1
    return x, y, width, height


def _facing(town: TownMap, thing: GameObject, box: tuple[int, int, int, int], tables: set[Tile], seat: bool) -> Facing:
    """Seats look at their table; other things face the side they are used from, south before all."""
    x, y, width, height = box
    spots, paths = set(thing.spots), letters_of("path", "pavement", "plaza")
    for facing, dx, dy in SEAT_SIDES if seat else SIDES:
        rim = [(x + i, y + j) for i in range(width) for j in range(height)]
        beyond = [(i + dx, j + dy) for i, j in rim if not (x <= i + dx < x + width and y <= j + dy < y + height)]
        if seat and any(tile in tables for tile in beyond):
            return facing
        if not seat and beyond and all(tile in spots for tile in beyond):
            return facing
    if seat:
        for facing, dx, dy in SIDES:
            near = [(x + i + k * dx, y + j + k * dy) for i in range(width) for j in range(height) for k in (1, 2)]
            long_side = (dy != 0) if width >= height else (dx != 0)
            if long_side and any(0 <= j < town.height and 0 <= i < town.width and town.ground[j][i] in paths for i, j in near):
                return facing
        if height > width:
            return "east"
    return "south"
