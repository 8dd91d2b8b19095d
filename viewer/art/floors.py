"""Laid ground: boards, tiles, carpet, flagstones, pavement, cobbles. Each paints the masked pixels of a part of the town.

A painter paints the masked pixels of a part whose upper left corner lies at (x0, y0). `pattern` keeps what it paints on
240 x 240 pixels; `lay` repeats that over the town, so that patterns run on from room to room.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import numpy.typing as npt

from viewer.art.canvas import Pixels
from viewer.art.noise import scatter
from viewer.art.palette import number

Mask = npt.NDArray[np.bool_]
Grid = npt.NDArray[np.int64]


Painter = Callable[[Pixels, Mask, int, int], None]
PERIOD = 240


@cache
def pattern(paint: Painter) -> Pixels:
    """What a painter makes of 240 x 240 pixels; 0 where it leaves what was there."""
    part = np.zeros((PERIOD, PERIOD), dtype=np.uint8)
    paint(part, np.ones(part.shape, dtype=bool), 0, 0)
    return part


def lay(part: Pixels, mask: Mask, paint: Painter, x0: int, y0: int) -> None:
    """Lays a painter's pattern over the masked pixels of a part of the town."""
    rows, columns = np.nonzero(mask)
    found = pattern(paint)[(rows + y0) % PERIOD, (columns + x0) % PERIOD]
    keep = found != 0
    part[rows[keep], columns[keep]] = found[keep]


def _grid(part: Pixels, x0: int, y0: int) -> tuple[Grid, Grid]:
    height, width = part.shape
    y, x = np.mgrid[y0 : y0 + height, x0 : x0 + width]
    return x.astype(np.int64), y.astype(np.int64)


def _fill(part: Pixels, mask: Mask, where: Mask, colour: str) -> None:
    part[mask & where] = number(colour)


def _boards(part: Pixels, mask: Mask, x0: int, y0: int, tones: tuple[str, str, str, str], rows: int) -> None:
    """Boards that run west-east, `rows` pixels each, with ends at a place of their own in each row, and some grain."""
    x, y = _grid(part, x0, y0)
    board = y // rows
    shift = scatter(board, 0 * board, 41).astype(np.int64) % 37
    number_in_row = (x + shift) // 37
    tone = scatter(number_in_row, board, 43) % 9
    part[mask] = number(tones[1])
    _fill(part, mask, tone < 2, tones[0])
    _fill(part, mask, (y % rows == rows - 1), tones[2])
    _fill(part, mask, ((x + shift) % 37 == 0) & (y % rows != rows - 1), tones[2])
    _fill(part, mask, ((x + shift) % 37 == 1) & (y % rows == 0), tones[3])
    grain = scatter(x // 5, y, 47) % 23
    _fill(part, mask, (grain == 0) & (y % rows != rows - 1), tones[2])


def boards(part: Pixels, mask: Mask, x0: int, y0: int) -> None:
    """Honey-coloured boards of homes."""
    _boards(part, mask, x0, y0, ("wood4", "wood4", "wood3", "cream1"), 5)
    x, y = _grid(part, x0, y0)
    _fill(part, mask, (y % 5 == 4) & (scatter(x // 9, y, 49) % 9 == 0), "wood2")


def planks(part: Pixels, mask: Mask, x0: int, y0: int) -> None:
    """Dark, broad planks of workshops, pubs and classrooms."""
    _boards(part, mask, x0, y0, ("wood3", "wood3", "wood2", "wood4"), 8)
    x, y = _grid(part, x0, y0)
    _fill(part, mask, (y % 8 == 7) & (scatter(x // 7, y, 51) % 3 == 0), "wood1")


def tiles(part: Pixels, mask: Mask, x0: int, y0: int) -> None:
    """Kitchen and bathroom tiles: cream and pale blue, eight pixels square, with a light upper left rim."""
    x, y = _grid(part, x0, y0)
    odd = (x // 8 + y // 8) % 2 == 0
    part[mask] = number("cream2")
    _fill(part, mask, odd, "blue4")
    _fill(part, mask, (x % 8 == 7) | (y % 8 == 7), "cream1")
    _fill(part, mask, odd & ((x % 8 == 7) | (y % 8 == 7)), "slate3")
    _fill(part, mask, (x % 8 == 0) & (y % 8 == 0), "cream3")


def carpet(part: Pixels, mask: Mask, x0: int, y0: int) -> None:
    """A plain carpet with a small woven figure."""
    x, y = _grid(part, x0, y0)
    part[mask] = number("teal1")
    _fill(part, mask, (x + y) % 2 + scatter(x, y, 53) % 5 == 0, "teal1")
    cell = (x % 12 - 6, (y + (x // 12) % 2 * 6) % 12 - 6)
    _fill(part, mask, abs(cell[0]) + abs(cell[1]) == 2, "teal2")
    _fill(part, mask, (cell[0] == 0) & (cell[1] == 0), "gold3")
    _fill(part, mask, scatter(x, y, 55) % 19 == 0, "teal0")


def flagstones(part: Pixels, mask: Mask, x0: int, y0: int) -> None:
    """Flagstones of two sizes."""
    _slabs(part, mask, x0, y0, ("stone2", "stone3", "stone2", "cream1"), 12, 16)


def pavement(part: Pixels, mask: Mask, x0: int, y0: int) -> None:
    """Pale slabs."""
    _slabs(part, mask, x0, y0, ("stone2", "stone3", "stone2", "cream1"), 8, 16)


def plaza(part: Pixels, mask: Mask, x0: int, y0: int) -> None:
    """Warm setts in rows, some of them red."""
    x, y = _grid(part, x0, y0)
    row = y // 5
    column = (x + row % 2 * 4) // 8
    tone = scatter(column, row, 57) % 16
    part[mask] = number("cream1")
    _fill(part, mask, tone == 4, "cream0")
    _fill(part, mask, tone > 12, "cream2")
    _fill(part, mask, (y % 5 == 4) | ((x + row % 2 * 4) % 8 == 7), "cream0")
    _fill(part, mask, (y % 5 == 4) & (scatter(x // 2, y, 58) % 3 == 0), "stone2")


def street(part: Pixels, mask: Mask, x0: int, y0: int) -> None:
    """Grey cobbles."""
    x, y = _grid(part, x0, y0)
    row = y // 4
    column = (x + row % 2 * 3) // 6
    tone = scatter(column, row, 59) % 11
    inside = (x + row % 2 * 3) % 6
    part[mask] = number("stone1")
    _fill(part, mask, (tone == 0) & (y % 4 != 3) & (inside != 5), "stone2")
    _fill(part, mask, (y % 4 == 0) & (inside < 4) & (tone > 7), "stone2")
    _fill(part, mask, ((y % 4 == 3) & (scatter(x // 3, y, 61) % 6 == 0)) | ((inside == 5) & (tone < 2) & (y % 4 != 3)), "stone0")


def _slabs(part: Pixels, mask: Mask, x0: int, y0: int, tones: tuple[str, str, str, str], rows: int, columns: int) -> None:
    x, y = _grid(part, x0, y0)
    row = y // rows
    along = x + scatter(row, 0 * row, 63).astype(np.int64) % columns
    tone = scatter(along // columns, row, 65) % 7
    part[mask] = number(tones[1])
    _fill(part, mask, (tone == 0) & (y % rows == 0) & (along % columns < 9), tones[3])
    _fill(part, mask, (y % rows == rows - 1) | (along % columns == columns - 1), tones[2])
    _fill(part, mask, (scatter(x, y, 67) % 61 == 0), tones[0])
