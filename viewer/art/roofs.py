"""Roofs for far zoom, when rooms are too small to see.

roof    TownMap, sector's address -> the roof over its rooms, or None
"""

from __future__ import annotations

import numpy as np

from town.tree import TownMap
from viewer.art.canvas import Canvas
from viewer.art.faces import sector_style
from viewer.art.noise import scatter
from viewer.art.palette import number, palette
from viewer.art.pieces import TILE, Sprite

# light side, dark side, joint
RAMPS = (("red2", "red1", "red0"), ("slate2", "slate1", "slate0"), ("red3", "red2", "red1"),
         ("gold1", "wood2", "wood1"), ("stone2", "stone1", "stone0"), ("teal2", "teal1", "teal0"))  # fmt: skip
RISE = 10


def roof(town: TownMap, address: str) -> Sprite | None:
    """A hipped look: the northern half of the roof lies in the light, the ridge runs west-east."""
    tiles = {tile for arena in town.sector(address).arenas if not arena.outdoors for tile in arena.tiles}
    if not tiles or not any((x, y - 1) in town.walls for x, y in tiles):
        return None
    around = {(x + dx, y + dy) for x, y in tiles for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
    covered = tiles | {tile for tile in around if tile in town.walls or tile in town.doors}
    x0, y0 = min(x for x, _ in covered), min(y for _, y in covered)
    width, height = max(x for x, _ in covered) - x0 + 1, max(y for _, y in covered) - y0 + 1
    c = Canvas(width * TILE, height * TILE + RISE)
    mask = np.zeros((height, width), dtype=bool)
    for x, y in covered:
        mask[y - y0, x - x0] = True
    fine = mask.repeat(TILE, axis=0).repeat(TILE, axis=1)
    area = np.zeros((c.height, c.width), dtype=bool)
    for rise in range(RISE + 1):
        area[RISE - rise : RISE - rise + fine.shape[0]] |= fine
    light, dark, joint = RAMPS[sector_style(address)]
    y, x = np.mgrid[0 : c.height, 0 : c.width]
    first = np.argmax(area, axis=0)[None, :]
    last = c.height - 1 - np.argmax(area[::-1], axis=0)[None, :]
    ridge = (first + last) // 2
    row, course = y // 6, (x + (y // 6) % 2 * 4) % 8
    c.pixels[area] = number(light)
    c.pixels[area & (y > ridge)] = number(dark)
    c.pixels[area & (y % 6 == 5)] = palette().darker[c.pixels[area & (y % 6 == 5)]]
    c.pixels[area & (course == 7) & (y % 6 > 1)] = palette().darker[c.pixels[area & (course == 7) & (y % 6 > 1)]]
    c.pixels[area & (scatter(x // 8, row, 133) % 9 == 0) & (y % 6 != 5)] = number(dark)
    c.pixels[area & (abs(y - ridge) <= 1)] = number("cream1")
    c.pixels[area & (y - ridge == 2)] = number(joint)
    padded = np.pad(area, 3)
    inner = padded[2:-4, 3:-3] & padded[4:-2, 3:-3] & padded[3:-3, 2:-4] & padded[3:-3, 4:-2]
    c.pixels[area & ~inner] = number(joint)
    eaves = area & ~padded[6:, 3:-3]
    c.pixels[eaves] = number("wood1")
    _chimney(c, int(c.width * 0.78), int(ridge[0, int(c.width * 0.78)]))
    return Sprite(c.surface(), x0 * TILE, y0 * TILE - RISE, (y0 + height) * TILE)


def _chimney(c: Canvas, x: int, ridge: int) -> None:
    c.rect(x - 1, ridge - 14, 12, 4, "stone1").rect(x - 1, ridge - 14, 12, 1, "stone3").rect(x, ridge - 10, 10, 14, "red2")
    c.rect(x + 8, ridge - 10, 2, 14, "red1")
    for j in range(-8, 4, 4):
        c.rect(x, ridge + j, 10, 1, "red1")
    c.rect(x + 2, ridge - 13, 6, 2, "wood0").rect(x, ridge + 4, 10, 1, "wood0")
