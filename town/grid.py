"""The tiles of a town: who can walk where, exact shortest paths, and what is in view.

    Grid    walkable, neighbours, distance, distances_to, path, nearest, reach, standing, sees, visible

Distances to a goal are one breadth-first search, kept as a field of int16 (-1: unreachable) and shared by all who go
there. Seats (beds, chairs) can be entered and left, but nobody cuts across them.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order

from town.percepts import Tile
from town.tree import Arena, TownMap

SIDES = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""North, east, south, west: the order that breaks ties."""


KEPT_FIELDS = 1024
"""How many distance fields a grid remembers (27 kB each on 140 x 96 tiles); the oldest go first."""


class Grid:
    """The walking grid of a town map. Cells are numbered y * width + x."""

    def __init__(self, town: TownMap) -> None:
        self.town = town
        self.width, self.height = town.width, town.height
        size = self.width * self.height
        blocked = town.walls | town.solid
        self._walkable = bytearray(size)
        self._crossable = bytearray(size)
        for y in range(self.height):
            for x in range(self.width):
                if (x, y) not in blocked:
                    self._walkable[y * self.width + x] = 1
                    self._crossable[y * self.width + x] = (x, y) not in town.seats
        self._near: list[tuple[int, ...]] = [self._around(cell) for cell in range(size)]
        self._graph, self._leaving = self._steps_out()
        self._fields: dict[int, array[int]] = {}
        self._arena_of: dict[Tile, Arena] = town.arena_of_tile
        self._standing: dict[str, tuple[Tile, ...]] = {}

    def _around(self, cell: int) -> tuple[int, ...]:
        y, x = divmod(cell, self.width)
        steps = ((x + dx, y + dy) for dx, dy in SIDES)
        cells = (ny * self.width + nx for nx, ny in steps if 0 <= nx < self.width and 0 <= ny < self.height)
        return tuple(n for n in cells if self._walkable[n]) if self._walkable[cell] else ()

    def _cell(self, tile: Tile) -> int:
        """Number of a tile, -1 outside the town."""
        x, y = tile
        return y * self.width + x if 0 <= x < self.width and 0 <= y < self.height else -1

    def walkable(self, tile: Tile) -> bool:
        """Whether somebody can be there (False outside the town)."""
        cell = self._cell(tile)
        return cell >= 0 and bool(self._walkable[cell])

    def neighbours(self, tile: Tile) -> tuple[Tile, ...]:
        """Walkable tiles one step away: north, east, south, west. Empty for a tile nobody can be on."""
        cell = self._cell(tile)
        return tuple((n % self.width, n // self.width) for n in self._near[cell]) if cell >= 0 else ()

    def _steps_out(self) -> tuple[csr_array, dict[int, int]]:
        """The graph that a search from a goal follows, and the node that stands for each seat as a goal.

        A seat's own node has no way out, so that nobody cuts across it; a second node leads from it.
        """
        size = self.width * self.height
        seats = [cell for cell in range(size) if self._walkable[cell] and not self._crossable[cell]]
        leaving = {seat: size + i for i, seat in enumerate(seats)}
        out = [self._near[cell] if self._crossable[cell] else () for cell in range(size)] + [self._near[seat] for seat in seats]
        starts = np.cumsum([0, *(len(ways) for ways in out)], dtype=np.int32)
        ends = np.fromiter((n for ways in out for n in ways), dtype=np.int32, count=int(starts[-1]))
        return csr_array((np.ones(len(ends)), ends, starts), shape=(len(out), len(out))), leaving

    def _search(self, goal: int) -> array[int]:
        """Steps from each cell to `goal` (ways are as long in both directions), -1: no way."""
        size = self.width * self.height
        steps = np.full(len(self._leaving) + size, -1, dtype=np.int16)
        if self._walkable[goal]:
            order, before = breadth_first_order(self._graph, self._leaving.get(goal, goal), directed=True)
            # nodes come ring by ring and each points to one of the ring before: rings end where the pointers pass them
            place = np.empty(len(steps), dtype=np.int64)
            place[order] = np.arange(len(order))
            pointers = place[before[order[1:]]].tolist()
            ends = [1]
            while ends[-1] <= len(pointers):
                ends.append(1 + bisect_left(pointers, ends[-1]))
            steps[order] = np.repeat(np.arange(len(ends)), np.diff([0, *ends]))
            steps[goal] = 0
        return array("h", steps[:size].tobytes())

    def _field(self, goal: int) -> array[int]:
        """The distances to `goal`, remembered."""
        known = self._fields.get(goal)
        if known is None:
            if len(self._fields) >= KEPT_FIELDS:
                del self._fields[next(iter(self._fields))]
            known = self._fields[goal] = self._search(goal)
        return known

    def distances_to(self, goal: Tile) -> npt.NDArray[np.int16]:
        """Steps from every tile to `goal`: [height, width] int16, -1 where there is no way. Read-only, cached."""
        cell = self._cell(goal)
        if cell < 0:
            return np.full((self.height, self.width), -1, dtype=np.int16)
        view = np.frombuffer(self._field(cell), dtype=np.int16).reshape(self.height, self.width)
        view.flags.writeable = False
        return view

    def distance(self, start: Tile, goal: Tile) -> int | None:
        """Steps of the shortest path, 0 for the same tile; None if there is none."""
        here, there = self._cell(start), self._cell(goal)
        if here < 0 or there < 0:
            return None
        if there not in self._fields and here in self._fields:
            here, there = there, here  # ways are as long in both directions
        steps = self._field(there)[here]
        return steps if steps >= 0 else None

    def path(self, start: Tile, goal: Tile) -> tuple[Tile, ...]:
        """The shortest path, both ends included; empty if there is none.

        Among equally short ways the one that keeps its direction, else turns north, east, south, west in this order.
        """
        here, there = self._cell(start), self._cell(goal)
        if here < 0 or there < 0:
            return ()
        field = self._field(there)
        left = field[here]
        if left < 0:
            return ()
        out = [start]
        stride = 0
        near, crossable, width = self._near, self._crossable, self.width
        while here != there:
            left -= 1
            ways = [n for n in near[here] if field[n] == left and (crossable[n] or n == there)]
            onward = here + stride
            chosen = onward if stride and onward in ways else ways[0]
            stride = chosen - here
            here = chosen
            out.append((here % width, here // width))
        return tuple(out)

    def nearest(self, start: Tile, goals: Iterable[Tile]) -> Tile | None:
        """The goal with the shortest way from `start` (ties: the first given); None if none can be reached."""
        given = [(self._cell(goal), goal) for goal in goals]
        here = self._cell(start)
        if here < 0:
            return None
        # ways are as long in both directions, so one search from the start will do
        steps = self._fields.get(here) or self._search(here)
        best = [(steps[cell], i) for i, (cell, _) in enumerate(given) if cell >= 0 and steps[cell] >= 0]
        return given[min(best)[1]][1] if best else None

    def reach(self, *tiles: Tile) -> frozenset[Tile]:
        """All tiles from which at least one of `tiles` can be reached, these included."""
        found = np.zeros((self.height, self.width), dtype=bool)
        for tile in tiles:
            found |= self.distances_to(tile) >= 0
        rows, columns = np.nonzero(found)
        return frozenset(zip(columns.tolist(), rows.tolist(), strict=True))

    def standing(self, arena: Arena) -> tuple[Tile, ...]:
        """Tiles of an arena to stand on, row by row: walkable, no seats, no doors."""
        known = self._standing.get(arena.address)
        if known is None:
            free = (t for t in arena.tiles if self.walkable(t) and t not in self.town.seats and t not in self.town.doors)
            known = self._standing[arena.address] = tuple(sorted(free, key=lambda t: (t[1], t[0])))
        return known

    def sees(self, tile: Tile, other: Tile, radius: int) -> bool:
        """Whether `other` is in view from `tile`: in the square of half-width `radius` and in the same arena."""
        if abs(tile[0] - other[0]) > radius or abs(tile[1] - other[1]) > radius:
            return False
        arena = self._arena_of.get(tile)
        return arena is not None and arena is self._arena_of.get(other)

    def visible(self, tile: Tile, radius: int) -> frozenset[Tile]:
        """All tiles in view from `tile` (see `sees`)."""
        arena = self._arena_of.get(tile)
        if arena is None:
            return frozenset()
        x, y = tile
        square = ((i, j) for j in range(y - radius, y + radius + 1) for i in range(x - radius, x + radius + 1))
        return frozenset(t for t in square if self._arena_of.get(t) is arena)
