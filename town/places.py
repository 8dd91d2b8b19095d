"""What places allow: opening hours, who is let in, and where one can stand or sit.

Places      questions about the static map; knows nobody's position
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from kernel import Clock
from town.grid import Grid
from town.percepts import Tile
from town.tree import Arena, Sector, TownMap

DAY = 24 * 60
STANDING_PLACES = 16
"""How many tiles of an arena are offered first for standing in it: few, so that few distance fields are needed."""


class Places:
    """Static knowledge, precomputed or cached. `staff`: sector address -> residents who work there."""

    def __init__(self, town: TownMap, grid: Grid, clock: Clock, staff: Mapping[str, frozenset[str]]) -> None:
        self.town = town
        self.grid = grid
        self.clock = clock
        self.sector_of: dict[str, Sector] = {a.address: s for s in town.sectors for a in s.arenas}
        self.capacity: dict[str, int] = {a.address: a.capacity for a in town.arenas() if a.capacity is not None}
        self._exempt = {s.address: frozenset(s.owners) | staff.get(s.address, frozenset()) for s in town.sectors}
        self._standing: dict[str, tuple[tuple[Tile, ...], tuple[Tile, ...]]] = {}
        self._free: dict[str, frozenset[Tile]] = {}
        self._closings: tuple[int, list[tuple[int, str]]] = (-1, [])
        self._spots = frozenset(tile for thing in town.objects() for tile in (*thing.spots, *thing.tiles))

    def arena_at(self, tile: Tile) -> str:
        """Address of the arena a tile lies in (the town itself for a tile of none)."""
        arena = self.town.arena_of_tile.get(tile)
        return arena.address if arena is not None else self.town.name

    def admit_always(self, sector: str, resident: str) -> None:
        """From now on a resident lives or works in a sector (address)."""
        self._exempt[sector] = self._exempt.get(sector, frozenset()) | {resident}

    def open(self, sector: Sector, step: int) -> bool:
        """Whether a place is open to the public when `step` begins."""
        if sector.hours is None:
            return True
        begin, end = sector.hours
        minute = self.clock.minute_of_day(step)
        return begin <= minute < end or begin <= minute + DAY < end

    def exempt(self, sector: Sector, resident: str) -> bool:
        """Whether opening hours don't concern a resident: it lives or works there."""
        return resident in self._exempt[sector.address]

    def admits(self, sector: Sector, resident: str, step: int) -> bool:
        """Whether a resident may go in at `step`."""
        return sector.hours is None or self.exempt(sector, resident) or self.open(sector, step)

    def next_closing(self, step: int) -> int | None:
        """The first step at or after `step` at which a place closes; None if none ever does."""
        return next((at for at, _ in self._from(step) if at >= step), None)

    def closing(self, step: int) -> list[str]:
        """Addresses of the sectors that close at exactly `step`."""
        return [sector for at, sector in self._from(step) if at == step]

    def _from(self, step: int) -> list[tuple[int, str]]:
        """Closings around the day of `step`, in order, cached for that day."""
        day = self.clock.day(step)
        if self._closings[0] != day.toordinal():
            found = []
            for sector in self.town.sectors:
                if sector.hours is not None and sector.hours[1] - sector.hours[0] < DAY:
                    found += [(self.clock.step_on(day + timedelta(days=d), sector.hours[1]), sector.address) for d in (-1, 0, 1)]
            self._closings = (day.toordinal(), sorted(found))
        return self._closings[1]

    def free(self, arena: Arena) -> frozenset[Tile]:
        """All tiles of an arena on which one can stand out of everybody's way."""
        known = self._free.get(arena.address)
        if known is None:
            known = self._free[arena.address] = frozenset(self.standing(arena)[1])
        return known

    def standing(self, arena: Arena) -> tuple[tuple[Tile, ...], tuple[Tile, ...]]:
        """Where one can stand in an arena out of everybody's way: a few tiles spread over it, and all of them.

        Tiles of objects, the spots they are used from and doors are left out, unless there are no others.
        """
        known = self._standing.get(arena.address)
        if known is None:
            walkable = sorted(t for t in arena.tiles if self.grid.walkable(t))
            free = tuple(t for t in walkable if t not in self._spots and t not in self.town.doors) or tuple(walkable)
            if len(free) <= STANDING_PLACES:
                few = free
            else:
                # Every (n/16)-th tile, in column order, from the middle of each stretch.
                few = tuple(free[(2 * i + 1) * len(free) // (2 * STANDING_PLACES)] for i in range(STANDING_PLACES))
            known = self._standing[arena.address] = (few, free)
        return known
