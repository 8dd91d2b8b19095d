"""How a body that doesn't walk holds itself: asleep in a bed, seated on a chair, turned to whom or what it is busy with.

Posing(town).stance(tile, deed, others, way)  -> (facing, pose)
"""

from __future__ import annotations

from collections.abc import Sequence

from town import TownMap
from town.percepts import Tile
from town.tree import GameObject
from viewer.snapshot import Deed, Facing, Pose

BEDS = ("sleep",)
SEATS = ("sit", "attend_class", "drink", "eat", "toilet")


class Posing:
    """Stances in one town."""

    def __init__(self, town: TownMap) -> None:
        self._things = {thing.address: thing for thing in town.objects()}
        self._on: dict[Tile, GameObject] = {}
        for thing in self._things.values():
            for tile in thing.tiles:
                self._on.setdefault(tile, thing)
        self._seats = town.seats

    def stance(self, tile: Tile, deed: Deed | None, others: Sequence[Tile], way: Facing | None) -> tuple[Facing, Pose]:
        """`others` are the tiles of those one talks with, `way` the direction one came from."""
        under = self._on.get(tile)
        if deed is not None and deed.asleep and under is not None and any(use in under.affords for use in BEDS):
            return "S", "sleep"
        target = self._things.get(deed.target) if deed is not None else None
        facing = _towards(tile, others) if others else None
        if facing is None and target is not None and tile not in target.tiles:
            facing = _towards(tile, target.tiles)
        if under is not None and any(use in under.affords for use in SEATS) and tile in self._seats:
            return facing or self._seat_way(tile), "sit"
        return facing or way or "S", "stand"

    def _seat_way(self, tile: Tile) -> Facing:
        """From a seat one looks at a table beside it, else to the south."""
        x, y = tile
        beside: tuple[tuple[Tile, Facing], ...] = (((x, y + 1), "S"), ((x + 1, y), "E"), ((x - 1, y), "W"), ((x, y - 1), "N"))
        for neighbour, way in beside:
            thing = self._on.get(neighbour)
            if thing is not None and neighbour not in self._seats:
                return way
        return "S"


def _towards(tile: Tile, others: Sequence[Tile]) -> Facing | None:
    """The direction of the nearest of some tiles, None for one's own."""
    x, y = min(others, key=lambda other: (abs(other[0] - tile[0]) + abs(other[1] - tile[1]), other))
    dx, dy = x - tile[0], y - tile[1]
    if dx == 0 and dy == 0:
        return None
    if abs(dx) >= abs(dy):
        return "E" if dx > 0 else "W"
    return "S" if dy > 0 else "N"
