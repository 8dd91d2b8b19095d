"""Courses of time: where somebody walked, and what was so since when. Kept in memory, added to at the end, asked anywhere.

Walk     one resident's path segments: position, direction and way walked at any fractional step
Since    values with the step they hold from
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Generic, TypeVar

from simulation.storing.rows import path_tiles
from town.percepts import Tile
from viewer.snapshot import Facing

V = TypeVar("V")

_WAYS: dict[Tile, Facing] = {(1, 0): "E", (-1, 0): "W", (0, 1): "S", (0, -1): "N"}


class Since(Generic[V]):
    """Values in order of the step they hold from; of several for one step the last counts."""

    __slots__ = ("steps", "values")

    def __init__(self) -> None:
        self.steps: list[int] = []
        self.values: list[V] = []

    def add(self, step: int, value: V) -> None:
        """One more; steps may not fall, but for a value that came late (it is put in its place)."""
        if self.steps and step < self.steps[-1]:
            at = bisect_right(self.steps, step)
            self.steps.insert(at, step)
            self.values.insert(at, value)
        else:
            self.steps.append(step)
            self.values.append(value)

    def at(self, step: float) -> V | None:
        """What holds at a step, None before the first."""
        found = bisect_right(self.steps, step) - 1
        return self.values[found] if found >= 0 else None


class Walk:
    """One resident's way through the run."""

    __slots__ = ("_segments", "_tiles")

    def __init__(self) -> None:
        self._segments: Since[tuple[int, int, str]] = Since()
        self._tiles: dict[int, list[Tile]] = {}  # by number of the segment, laid out when first asked for

    def add(self, step: int, x: int, y: int, path: str) -> None:
        """A segment as in the table `moves`."""
        self._segments.add(step, (x, y, path))

    def tile(self, step: int) -> Tile | None:
        """Where the body stands as `step` begins; None before the run."""
        number = bisect_right(self._segments.steps, step) - 1
        if number < 0:
            return None
        tiles = self._laid(number)
        return tiles[min(step - self._segments.steps[number], len(tiles) - 1)]

    def at(self, step: float) -> tuple[float, float, Facing | None, float] | None:
        """(x, y, direction of walking, way walked in this segment) at a fractional step; direction None: it stands still."""
        whole = int(step)
        here, there = self.tile(whole), self.tile(whole + 1)
        if here is None or there is None:
            return None
        way = _WAYS.get((there[0] - here[0], there[1] - here[1]))
        if way is None:
            return here[0], here[1], None, 0.0
        part = step - whole
        number = bisect_right(self._segments.steps, whole) - 1
        walked = whole - self._segments.steps[number] + part
        return here[0] + (there[0] - here[0]) * part, here[1] + (there[1] - here[1]) * part, way, walked

    def stand(self, step: int) -> tuple[Tile, bool, Facing | None] | None:
        """(tile, whether it is left within the step, direction of the last tile walked before in the segment that holds then)
        as a step begins; None before the run."""
        steps = self._segments.steps
        number = bisect_right(steps, step) - 1
        if number < 0:
            return None
        tiles = self._laid(number)
        end = min(step - steps[number], len(tiles) - 1)
        last = number + 1 == len(steps) or steps[number + 1] > step + 1
        onward = tiles[min(end + 1, len(tiles) - 1)] if last else self.tile(step + 1)
        for at in range(end, 0, -1):
            way = _WAYS.get((tiles[at][0] - tiles[at - 1][0], tiles[at][1] - tiles[at - 1][1]))
            if way is not None:
                return tiles[end], onward != tiles[end], way
        return tiles[end], onward != tiles[end], None

    def _laid(self, number: int) -> list[Tile]:
        tiles = self._tiles.get(number)
        if tiles is None:
            tiles = self._tiles[number] = path_tiles(*self._segments.values[number])
        return tiles
