"""How near two bodies are to having to do with each other, in steps of walking.

    Nearness     rows of distances into the surroundings of a tile, made when first asked for

The surroundings of a tile are all places from which somebody may change what somebody on that tile reads within a step:
what is in view there or one step on, in its own arena and in those next door; wherever an object in view can be used from;
the whole of a room with a capacity; what is three steps away. Distances are walking steps on the grid with seats crossable:
never too long.
"""

from __future__ import annotations

from bisect import bisect_left

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order

from town.grid import Grid
from town.percepts import Tile
from town.tree import TownMap

FAR = 20_000
"""Steps to where there is no way."""
ROUND = 3
"""Steps within which anything counts as near, through doors too."""


class Nearness:
    """Distances for a view of half-width `radius`. `table`: [row, cell] int16; `row_of(tile)` says which row."""

    def __init__(self, town: TownMap, grid: Grid, radius: int) -> None:
        self._town, self._grid = town, grid
        self._reach = radius + 1  # one step on
        self._used_from: dict[Tile, list[Tile]] = {}
        for thing in town.objects():
            for tile in thing.tiles or thing.spots:
                self._used_from.setdefault(tile, []).extend(thing.spots)
        self._size = grid.width * grid.height
        self._rows: dict[Tile, int] = {}
        self.table: npt.NDArray[np.int16] = np.empty((64, self._size), dtype=np.int16)
        near = [sorted(grid.neighbours((cell % grid.width, cell // grid.width)), key=self.cell) for cell in range(self._size)]
        self._starts = np.cumsum([0, *(len(tiles) for tiles in near)], dtype=np.int32)
        self._ends = np.fromiter((self.cell(tile) for tiles in near for tile in tiles), dtype=np.int32, count=self._starts[-1])

    def cell(self, tile: Tile) -> int:
        """Number of a tile."""
        return tile[1] * self._grid.width + tile[0]

    def row_of(self, tile: Tile) -> int:
        """The row with the distances into the surroundings of `tile`."""
        row = self._rows.get(tile)
        if row is None:
            row = self._rows[tile] = len(self._rows)
            if row == len(self.table):
                self.table = np.concatenate([self.table, np.empty_like(self.table)])
            self.table[row] = self._search(self.surroundings(tile))
        return row

    def surroundings(self, tile: Tile) -> frozenset[Tile]:
        """All tiles that somebody on `tile` may read or change within a step."""
        town, x, y, reach = self._town, *tile, self._reach
        arenas = {
            arena.address: arena
            for arena in map(town.arena_of_tile.get, (tile, *self._grid.neighbours(tile)))
            if arena is not None
        }
        square = ((i, j) for j in range(y - reach, y + reach + 1) for i in range(x - reach, x + reach + 1))
        found = {at for at in square if (arena := town.arena_of_tile.get(at)) is not None and arena.address in arenas}
        for arena in arenas.values():
            if arena.capacity is not None:
                found |= arena.tiles
        found.update(*(self._used_from[at] for at in found if at in self._used_from))
        ring = {tile}
        for _ in range(ROUND):
            found |= ring
            ring = {onward for at in ring for onward in self._grid.neighbours(at)} - found
        return frozenset(found | ring)

    def _search(self, goals: frozenset[Tile]) -> npt.NDArray[np.int16]:
        """Steps from each cell to the nearest of `goals`."""
        inside = np.sort(np.fromiter((self.cell(tile) for tile in goals), dtype=np.int32, count=len(goals)))
        ends = np.concatenate([self._ends, inside])
        starts = np.append(self._starts, np.int32(len(ends)))
        graph = csr_array((np.ones(len(ends)), ends, starts), shape=(self._size + 1, self._size + 1))
        graph.has_canonical_format = True  # nothing to sort or to add up
        order, before = breadth_first_order(graph, self._size, directed=True)
        steps = np.full(self._size + 1, FAR, dtype=np.int32)
        place = np.empty(self._size + 1, dtype=np.int64)
        place[order] = np.arange(len(order))
        pointers = place[before[order[1:]]]
        ends_of = pointers.tolist()
        rings = [1]
        while rings[-1] <= len(ends_of):
            rings.append(1 + bisect_left(ends_of, rings[-1]))
        steps[order] = np.repeat(np.arange(len(rings)), np.diff([0, *rings]))
        return np.minimum(steps[: self._size] - 1, FAR).clip(0).astype(np.int16)
