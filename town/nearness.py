"""How near two bodies are to having to do with each other, in steps of walking.

    Nearness     rows of distances into the surroundings of a tile, made when asked for, forgotten when there are too many

The surroundings of a tile are all places from which somebody may change what somebody on that tile reads within a step:
what is in view there or one step on, in its own arena and in those next door; wherever an object in view can be used from;
the whole of a room with a capacity; what is three steps away. Distances are walking steps on the grid with seats crossable:
never too long.
"""

from __future__ import annotations

from itertools import chain

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
BUDGET = 256_000_000
"""Bytes that rows may take before the first is forgotten: one for every tile of 140 x 96, 1,500 on 409 x 302."""

LEEWAY = 4
"""Steps by which the row of a tile close by may be too long."""
CLOSE_BY = sorted(
    ((dx, dy) for dx in range(-LEEWAY, LEEWAY + 1) for dy in range(-LEEWAY, LEEWAY + 1) if 0 < abs(dx) + abs(dy) <= LEEWAY),
    key=lambda offset: (abs(offset[0]) + abs(offset[1]), offset),
)


class Nearness:
    """Distances for a view of half-width `radius`. `table`: [row, cell] int16; `row_of(tile)` and `cell(tile)` say which.

    `exact` until the first row of another tile has stood in for one's own (`at_least`).

    Cells are the walkable tiles, from the north-west. The table is replaced as it grows: ask for it after `row_of`. `budget` is
    in bytes.
    """

    def __init__(self, town: TownMap, grid: Grid, radius: int, budget: int = BUDGET) -> None:
        self._town, self._grid = town, grid
        self._reach = radius + 1  # one step on
        self._used_from: dict[Tile, list[Tile]] = {}
        for thing in town.objects():
            for tile in thing.tiles or thing.spots:
                self._used_from.setdefault(tile, []).extend(thing.spots)
        tiles = [(x, y) for y in range(grid.height) for x in range(grid.width) if grid.walkable((x, y))]
        self._cells = {tile: cell for cell, tile in enumerate(tiles)}
        self._size = len(tiles)
        self._most = budget // (2 * max(1, self._size))
        self.exact = True
        self._stand_ins: dict[Tile, tuple[Tile, int]] = {}
        self._rows: dict[Tile, int] = {}  # the one not asked for for the longest time first
        self.table: npt.NDArray[np.int16] = np.empty((64, self._size), dtype=np.int16)
        near = [sorted(map(self.cell, grid.neighbours(tile))) for tile in tiles]
        starts = np.cumsum([0, *map(len, near), self._size], dtype=np.int32)
        ends = np.zeros(starts[-1], dtype=np.int32)
        self._ways = int(starts[-2])
        ends[: self._ways] = np.fromiter(chain.from_iterable(near), dtype=np.int32, count=self._ways)
        # the last node stands for the surroundings searched from; `_search` says which cells they are
        self._graph = csr_array((np.ones(len(ends)), ends, starts), shape=(self._size + 1, self._size + 1))
        self._graph.has_canonical_format = True  # nothing to sort or to add up

    def cell(self, tile: Tile) -> int:
        """Number of a walkable tile. KeyError."""
        return self._cells[tile]

    def row_of(self, tile: Tile, in_use: npt.NDArray[np.int64] | None = None) -> int:
        """The row with the distances into the surroundings of `tile`.

        in_use   rows that the caller goes on reading. Others may be forgotten, and their places reused, when rows take more
                 than the budget (and more than twice those in use); None: nothing is forgotten
        """
        row = self._rows.pop(tile, None)
        if row is None:
            row = self._vacant(in_use)
            self.table[row] = self._search(self.surroundings(tile))
        self._rows[tile] = row
        return row

    def at_least(self, tile: Tile, in_use: npt.NDArray[np.int64]) -> tuple[int, int]:
        """A row, and by how much it may be too long: from `tile` it is at least as far as the row says less that.

        The tile's own row, and 0, while the budget lasts. Then the row of a tile close by does, if it is at most LEEWAY too
        long: on a large map everybody who walks would have far more rows made than can be kept.
        """
        if tile not in self._rows and len(self._rows) >= self._limit(in_use):
            found = self._stand_in(tile)
            if found is not None:
                other, excess = found
                return self.row_of(other), excess
        return self.row_of(tile, in_use), 0

    def _stand_in(self, tile: Tile) -> tuple[Tile, int] | None:
        """A tile close by that has a row, and the excess: from all that is around `tile` it isn't further to what the row
        leads to, so that by the triangle's inequality no way can be shorter than the row says by more than that."""
        known = self._stand_ins.get(tile)
        if known is not None and known[0] in self._rows:
            return known
        around = [self._cells[at] for at in self.surroundings(tile) if at in self._cells]
        for dx, dy in CLOSE_BY:
            other = (tile[0] + dx, tile[1] + dy)
            if other in self._rows:
                excess = int(self.table[self._rows[other], around].max(initial=0))
                if excess <= LEEWAY:
                    self._stand_ins[tile] = other, excess
                    self.exact = False
                    return other, excess
        return None

    def _limit(self, in_use: npt.NDArray[np.int64]) -> int:
        """How many rows are kept."""
        return max(self._most, 2 * len(in_use))

    def _vacant(self, in_use: npt.NDArray[np.int64] | None) -> int:
        """A row to write: a further one, or one that may be forgotten."""
        made = len(self._rows)
        if in_use is not None and made >= self._limit(in_use):
            needed = frozenset(in_use.tolist())
            return self._rows.pop(next(tile for tile, row in self._rows.items() if row not in needed))
        if made == len(self.table):
            table = np.empty((2 * made, self._size), dtype=np.int16)  # takes no memory where nothing has been written
            table[:made] = self.table
            self.table = table
        return made

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
        inside = np.array(sorted(self._cells[tile] for tile in goals if tile in self._cells), dtype=np.int32)
        graph, end = self._graph, self._ways + len(inside)
        graph.indices[self._ways : end] = inside
        graph.indptr[-1] = end
        order, before = breadth_first_order(graph, self._size, directed=True)
        # nodes come ring by ring and each points to one of the ring before: rings end where the pointers pass them
        place = np.empty(self._size + 1, dtype=np.int64)
        place[order] = np.arange(len(order))
        pointers = place[before[order[1:]]]
        rings = [1]
        while rings[-1] <= len(pointers):
            rings.append(1 + int(pointers.searchsorted(rings[-1])))
        steps = np.full(self._size + 1, FAR, dtype=np.int16)
        steps[order] = np.repeat(np.minimum(np.arange(-1, len(rings) - 1), FAR), np.diff([0, *rings]))
        return steps[: self._size]
