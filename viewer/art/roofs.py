"""Roofs for far zoom, when rooms are too small to see.

roof    TownMap, sector's address -> the roof over its rooms, or None
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from town.tree import TownMap
from viewer.art.canvas import Canvas
from viewer.art.faces import chosen, sector_style
from viewer.art.noise import scatter
from viewer.art.palette import number, palette
from viewer.art.pieces import TILE, Sprite

# ridge, light side, middle, dark side, joint
RAMPS = (("red3", "red3", "red2", "red1", "red0"), ("slate3", "slate3", "slate2", "slate1", "slate0"),
         ("gold2", "red3", "red2", "red1", "red0"), ("gold3", "gold2", "gold1", "wood2", "wood1"),
         ("cream1", "stone3", "stone2", "stone1", "stone0"), ("teal2", "teal2", "teal1", "teal0", "blue0"))  # fmt: skip
RISE = 14
"""Pixels that the roof stands higher than the walls."""
EAVES = 13
"""Pixels of the south front that stay in sight below the eaves, with its windows and doors."""
COURSE = 8
STEEP = 1.7
"""How much shorter the far side of a roof looks than the near one."""

Mask = npt.NDArray[np.bool_]


def roof(town: TownMap, address: str) -> Sprite | None:
    """A hipped roof: four slopes, those to the north and west in the light; the south front is seen below its eaves."""
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
    area = _area(mask, c.height)
    slopes, ridge = _slopes(area)
    _tiles(c, area, slopes, ridge, RAMPS[sector_style(address)])
    _shade(c, area)
    _extras(c, area, slopes, address)
    return Sprite(c.surface(), x0 * TILE, y0 * TILE - RISE, (y0 + height) * TILE)


def _area(mask: Mask, height: int) -> Mask:
    """What the roof covers: the tiles, raised, without the lowest front of each column."""
    fine = mask.repeat(TILE, axis=0).repeat(TILE, axis=1)
    area = np.zeros((height, fine.shape[1]), dtype=bool)
    for rise in range(RISE + 1):
        area[RISE - rise : RISE - rise + fine.shape[0]] |= fine
    below = np.zeros_like(area)
    below[:-EAVES] = area[EAVES:]
    return area & below


def _slopes(area: Mask) -> tuple[npt.NDArray[np.int8], Mask]:
    """Which slope a pixel lies on (0 north, 1 south, 2 west, 3 east), by the nearest rim; and where two slopes meet."""

    def run(part: Mask, axis: int) -> npt.NDArray[np.float32]:
        """How far the rim is, looking back along an axis."""
        count = np.zeros(part.shape, dtype=np.float32)
        lanes = np.moveaxis(count, axis, 0)
        for i, row in enumerate(np.moveaxis(part, axis, 0)):
            lanes[i] = np.where(row, (lanes[i - 1] if i else 0) + 1, 0)
        return count

    north = run(area, 0) * STEEP
    south = run(area[::-1], 0)[::-1]
    west, east = run(area, 1) * 1.15, run(area[:, ::-1], 1)[:, ::-1] * 1.15
    slopes = np.argmin(np.stack((north, south, west, east)), axis=0).astype(np.int8)
    ridge = np.zeros_like(area)
    ridge[1:] |= slopes[1:] != slopes[:-1]
    ridge[:, 1:] |= slopes[:, 1:] != slopes[:, :-1]
    ridge[:-1] |= ridge[1:]
    return slopes, ridge & area


def _tiles(c: Canvas, area: Mask, slopes: npt.NDArray[np.int8], ridge: Mask, ramp: tuple[str, str, str, str, str]) -> None:
    crest, light, middle, dark, joint = ramp
    y, x = np.mgrid[0 : c.height, 0 : c.width]
    for slope, tone in enumerate((light, middle, light, dark)):
        c.pixels[area & (slopes == slope)] = number(tone)
    along, across = np.where(slopes < 2, y, x), np.where(slopes < 2, x, y)
    course = along // COURSE
    darker = palette().darker
    seam = area & (along % COURSE == COURSE - 1)
    c.pixels[seam] = darker[c.pixels[seam]]
    butt = area & ((across + course % 2 * 6) % 12 == 11) & (along % COURSE > 2)
    c.pixels[butt] = darker[c.pixels[butt]]
    odd = area & (scatter(across // 12, course, 133) % 11 == 0) & ~seam
    c.pixels[odd] = darker[c.pixels[odd]]
    c.pixels[ridge] = number(crest)
    under = np.zeros_like(ridge)
    under[2:] = ridge[:-2]
    c.pixels[under & ~ridge & area] = number(joint)
    padded = np.pad(area, 2)
    inner = padded[:-4, 2:-2] & padded[4:, 2:-2] & padded[2:-2, :-4] & padded[2:-2, 4:]
    c.pixels[area & ~inner] = number(joint)
    gutter = area & ~np.pad(area, ((0, 3), (0, 0)))[3:]
    c.pixels[gutter] = number("wood1")


def _shade(c: Canvas, area: Mask) -> None:
    """The shadow of the eaves on the front."""
    for down in range(1, 5):
        below = np.zeros_like(area)
        below[down:] = area[:-down]
        c.pixels[below & ~area & (c.pixels == 0)] = number("shadow")


def _extras(c: Canvas, area: Mask, slopes: npt.NDArray[np.int8], address: str) -> None:
    """Dormers on the near slope, and a chimney on the far one."""
    near = area & (slopes == 1)
    rows = np.nonzero(near.any(axis=1))[0]
    if len(rows) == 0:
        return
    top, bottom = int(rows[0]), int(rows[-1])
    y = top + (bottom - top) * 3 // 5
    columns = np.nonzero(near[min(y + 10, bottom)])[0]
    if len(columns) > 60 and bottom - top > 44:
        left, right = int(columns[0]) + 14, int(columns[-1]) - 14
        count = max(1, (right - left) // 88)
        for k in range(count):
            _dormer(c, left + (right - left) * (2 * k + 1) // (2 * count) - 9, y)
    x = int(c.width * (0.72 if chosen(address, 2) else 0.24))
    _chimney(c, x, max(16, top - 2))


def _dormer(c: Canvas, x: int, y: int) -> None:
    c.rect(x + 1, y + 3, 16, 12, "cream2").rect(x + 15, y + 3, 2, 12, "cream0").rect(x + 4, y + 5, 9, 9, "wood1")
    c.rect(x + 5, y + 6, 7, 7, "blue3").rect(x + 5, y + 6, 3, 3, "blue4").rect(x + 8, y + 6, 1, 7, "cream3")
    for k in range(9):
        c.rect(x + 8 - k, y - 5 + k, 2 + 2 * k, 1, "wood2" if k else "wood3")
    c.rect(x - 1, y + 3, 20, 1, "wood0").rect(x + 1, y + 15, 16, 1, "wood0")


def _chimney(c: Canvas, x: int, ridge: int) -> None:
    c.rect(x - 1, ridge - 14, 14, 5, "stone2").rect(x - 1, ridge - 14, 14, 1, "cream1").rect(x - 1, ridge - 10, 14, 1, "stone0")
    c.rect(x, ridge - 9, 12, 14, "red2").rect(x + 9, ridge - 9, 3, 14, "red1")
    for j in range(-6, 5, 4):
        c.rect(x, ridge + j, 12, 1, "red1")
    c.rect(x + 2, ridge - 13, 8, 2, "wood0").rect(x, ridge + 5, 12, 1, "wood0")
