"""Small things that lie flat: tufts, flowers, pebbles, bridges; and the shadows of trees and lamps.

decorate      into the ground's pixels
add_shadows   into a mask of shaded pixels
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from maps import grounds
from town.tree import TownMap
from viewer.art.canvas import Canvas, Pixels
from viewer.art.noise import pick
from viewer.art.terrain import TILE, letters_of

TUFTS = (("..a..", "b.a.a", "abab."), ("a..b", ".ab.", ".aa."), ("b.a.b", ".aba."))
BLOOMS = ((".p.", "pgp", ".p.", ".s."), ("p.", "ps", ".s"), (".pp", "ppp", ".s.", "s.."))
PETALS = (("rose1", "gold3"), ("cream3", "gold2"), ("gold3", "gold1"), ("plum2", "gold3"), ("red2", "gold3"), ("blue3", "cream3"))


def decorate(town: TownMap, picture: Pixels) -> None:
    """Tufts and single flowers on grass, more on meadows; clumps on flower beds; planks of bridges; pebbles on paths."""
    c = Canvas(picture.shape[1], picture.shape[0], picture)
    grass, meadow, flowers = letters_of("grass"), letters_of("meadow"), letters_of("flowers")
    bridge, path = letters_of("bridge"), letters_of("path")
    trees = letters_of("tree", "fruit tree", "pine", "bush")
    for y, row in enumerate(town.ground):
        for x, letter in enumerate(row):
            left, top, n = x * TILE, y * TILE, pick(x, y, 111, 100)
            if letter in grass or letter in meadow:
                _green(c, left, top, n, x, y, wild=letter in meadow)
            elif letter in flowers:
                if _paved_around(town, x, y) > 1:
                    _planter(c, left, top, "green2")
                for k in range(5):
                    _bloom(
                        c, left + pick(x * 5 + k, y, 113, 12), top + pick(x * 5 + k, y, 115, 11), pick(x // 3, y // 3, 117, 6), k
                    )
            elif letter in bridge:
                _bridge(c, town, x, y)
            elif letter in path and n < 14:
                at = (left + 3 + n % 9, top + 3 + n * 7 % 9)
                c.dots("cream0", at, (at[0] + 1, at[1])).dots("stone1", (at[0], at[1] + 1)).dots("cream2", (at[0], at[1] - 1))
            elif letter in trees and _paved_around(town, x, y) > 1:
                _planter(c, left, top, "wood2")


def _paved_around(town: TownMap, x: int, y: int) -> int:
    paved = letters_of("plaza", "pavement", "stone", "street")
    near = ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))
    return sum(0 <= i < town.width and 0 <= j < town.height and town.ground[j][i] in paved for i, j in near)


def _planter(c: Canvas, left: int, top: int, fill: str) -> None:
    """A bed let into the pavement, with a kerb."""
    c.rect(left, top, TILE, TILE, fill).frame(left, top, TILE, TILE, "stone3").rect(left, top + 15, TILE, 1, "stone1")
    c.rect(left + 15, top + 1, 1, 15, "stone1")
    c.rect(left + 1, top + 1, 14, 1, "stone1").rect(left + 1, top + 1, 1, 14, "stone1")
    dark = "green1" if fill == "green2" else "wood1"
    c.dots(dark, *((left + 3 + k * 5 % 11, top + 3 + k * 7 % 11) for k in range(9)))


def _green(c: Canvas, left: int, top: int, n: int, x: int, y: int, *, wild: bool) -> None:
    at = (left + pick(x, y, 119, 11), top + pick(x, y, 121, 12))
    if n < (55 if wild else 22):
        colours = {"a": "green4" if n % 3 else "green2", "b": "green2"}
        c.rows(*at, TUFTS[n % 3], colours)
    if n > (78 if wild else 95):
        _bloom(c, left + pick(x, y, 123, 12), top + pick(x, y, 125, 11), pick(x // 4, y // 4, 127, 6), n)


def _bloom(c: Canvas, x: int, y: int, colour: int, shape: int) -> None:
    petal, heart = PETALS[colour]
    c.rows(x, y, BLOOMS[shape % 3], {"p": petal, "g": heart, "s": "green1"})


def _bridge(c: Canvas, town: TownMap, x: int, y: int) -> None:
    """Planks across, with a rail on the free sides."""
    bridge, left, top = letters_of("bridge"), x * TILE, y * TILE
    for j in range(0, TILE, 4):
        c.rect(left, top + j, TILE, 3, "wood3").rect(left, top + j + 3, TILE, 1, "wood1").rect(left, top + j, TILE, 1, "wood4")
        c.dots("wood1", (left + 2, top + j + 1), (left + 13, top + j + 1))
    for side, edge in ((-1, 0), (1, TILE - 3)):
        if not (0 <= x + side < town.width and town.ground[y][x + side] in bridge):
            c.rect(left + edge, top, 3, TILE, "wood2").rect(left + edge, top, 1, TILE, "wood4")
            c.rect(left + edge + 2, top, 1, TILE, "wood0")
            c.rect(left + edge - (1 if side > 0 else 0), top + 4, 4, 4, "wood3")
            c.rect(left + edge - (1 if side > 0 else 0), top + 7, 4, 1, "wood1")


def add_shadows(town: TownMap, shade: npt.NDArray[np.bool_]) -> None:
    """Ovals under trees, bushes and lamps, a little to the south-east."""
    kinds = {kind.letter: name for name, kind in grounds().items()}
    sizes = {"tree": (24, 10), "fruit tree": (20, 9), "pine": (20, 9), "bush": (16, 6), "lamp": (9, 4), "rock": (16, 6)}
    for y, row in enumerate(town.ground):
        for x, letter in enumerate(row):
            size = sizes.get(kinds.get(letter, ""))
            if size:
                w, h = size
                left, top = x * TILE + 10 - w // 2, y * TILE + 15 - h // 2
                j, i = np.ogrid[0:h, 0:w]
                oval = ((2 * i + 1 - w) * h) ** 2 + ((2 * j + 1 - h) * w) ** 2 <= (w * h) ** 2
                y0, x0 = max(0, top), max(0, left)
                part = shade[y0 : top + h, x0 : left + w]
                part |= oval[y0 - top : y0 - top + part.shape[0], x0 - left : x0 - left + part.shape[1]]
