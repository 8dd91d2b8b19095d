"""Where everybody was, exact to the step, from the `moves` of a run.

Whereabouts.stays[name]     (start, end, tile) stretches, walks tile by tile
Whereabouts.rooms[name]     (start, end, arena) stretches
.minutes(name, sector, ...) how long somebody was in a sector between two steps
.tile_at, .room_at          where somebody was as a step began
"""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property

from simulation.measures.reading import Reading, sector_of
from simulation.reading.whereabouts import stays

Tile = tuple[int, int]


class Whereabouts:
    """Positions of all residents of a run."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    @cached_property
    def stays(self) -> dict[str, list[tuple[int, int, Tile]]]:
        """(start, end, tile) per resident, in order, without gaps from their first move on."""
        found: dict[str, list[tuple[int, int, Tile]]] = {}
        for name in self._reading.names:
            mine: list[tuple[int, int, Tile]] = []
            for tile, start, end in stays(self._reading.run, name, 0, self._reading.committed):
                if mine and mine[-1][2] == tile and mine[-1][1] == start:
                    mine[-1] = (mine[-1][0], end, tile)
                else:
                    mine.append((start, end, tile))
            found[name] = mine
        return found

    @cached_property
    def rooms(self) -> dict[str, list[tuple[int, int, str]]]:
        """(start, end, arena address) per resident; the town itself for tiles of no arena."""
        arena_of = {
            tile: place.address for place in self._reading.places.values() if place.level == "arena" for tile in place.tiles
        }
        nowhere = next((place.address for place in self._reading.places.values() if place.level == "town"), "")
        found: dict[str, list[tuple[int, int, str]]] = {}
        for name, mine in self.stays.items():
            rooms: list[tuple[int, int, str]] = []
            for start, end, tile in mine:
                room = arena_of.get(tile, nowhere)
                if rooms and rooms[-1][2] == room and rooms[-1][1] == start:
                    rooms[-1] = (rooms[-1][0], end, room)
                else:
                    rooms.append((start, end, room))
            found[name] = rooms
        return found

    def minutes(self, name: str, sector: str, start: int, end: int) -> float:
        """Game minutes a resident spent in a sector in steps [start, end)."""
        steps = sum(
            max(0, min(stop, end) - max(begin, start))
            for begin, stop, room in self.rooms.get(name, ())
            if sector_of(room) == sector
        )
        return self._reading.clock.hours(steps) * 60

    def tile_at(self, name: str, step: int) -> Tile | None:
        """The tile of a resident as `step` begins."""
        mine = self.stays[name]
        at = bisect_right(mine, step, key=lambda stay: stay[0]) - 1
        return mine[at][2] if at >= 0 else None

    def room_at(self, name: str, step: int) -> str:
        """The arena of a resident as `step` begins, "" before the run."""
        mine = self.rooms[name]
        at = bisect_right(mine, step, key=lambda stay: stay[0]) - 1
        return mine[at][2] if at >= 0 else ""
