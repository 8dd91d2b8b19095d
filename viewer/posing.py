"""How a body that doesn't walk holds itself: asleep in a bed, seated on a chair, turned to whom or what it is busy with.

Posing(town).stance(tile, deed, others, way)  -> (facing, pose)
"""

from __future__ import annotations

from collections.abc import Sequence

from town import TownMap
from town.percepts import Tile
from town.tree import GameObject
from viewer.art.things import placed
from viewer.snapshot import Deed, Facing, Pose

BEDS = ("sleep",)
WAYS: dict[str, Facing] = {"north": "N", "east": "E", "south": "S", "west": "W"}
KEPT = 20_000
"""Stances of people by themselves that are kept."""
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
        self._alone: dict[tuple[Tile, str, bool, Facing | None], tuple[Facing, Pose]] = {}
        self._seat_ways: dict[Tile, Facing] = {
            (part.x + dx, part.y + dy): WAYS[part.facing]
            for part in placed(town)
            for dx in range(part.width)
            for dy in range(part.height)
            if (part.x + dx, part.y + dy) in town.seats
        }

    def stance(self, tile: Tile, deed: Deed | None, others: Sequence[Tile], way: Facing | None) -> tuple[Facing, Pose]:
        """`others` are the tiles of those one talks with, `way` the direction one came from."""
        if others:
            return self._stance(tile, deed, others, way)
        key = (tile, deed.target, deed.asleep, way) if deed is not None else (tile, "", False, way)
        found = self._alone.get(key)
        if found is None:
            if len(self._alone) > KEPT:
                self._alone.clear()
            found = self._alone[key] = self._stance(tile, deed, others, way)
        return found

    def _stance(self, tile: Tile, deed: Deed | None, others: Sequence[Tile], way: Facing | None) -> tuple[Facing, Pose]:
        under = self._on.get(tile)
        if deed is not None and deed.asleep and under is not None and any(use in under.affords for use in BEDS):
            return "S", "sleep"
        target = self._things.get(deed.target) if deed is not None else None
        facing = _towards(tile, others) if others else None
        if facing is None and target is not None and tile not in target.tiles:
            facing = _towards(tile, target.tiles)
        if under is not None and any(use in under.affords for use in SEATS) and tile in self._seats:
            return facing or self._seat_ways.get(tile, "S"), "sit"
        return facing or way or "S", "stand"


def _towards(tile: Tile, others: Sequence[Tile]) -> Facing | None:
    """The direction of the nearest of some tiles, None for one's own."""
    x, y = min(others, key=lambda other: (abs(other[0] - tile[0]) + abs(other[1] - tile[1]), other))
    dx, dy = x - tile[0], y - tile[1]
    if dx == 0 and dy == 0:
        return None
    if abs(dx) >= abs(dy):
        return "E" if dx > 0 else "W"
    return "S" if dy > 0 else "N"
