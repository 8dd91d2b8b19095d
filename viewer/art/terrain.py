"""The ground outdoors and the floors indoors: a whole town's, in colour numbers, from its letters.

    paint_ground     TownMap -> pixels [height * 16, width * 16]
    half_letters     the letters on a grid of half tiles, floors carried on under walls

Soft things (meadow, path, sand, water, earth) have edges that wander a little; laid things (pavement, street, plaza,
floors) have straight ones. Nothing here stands upright: see `walls` and `plants`.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.ndimage import binary_dilation, uniform_filter

from maps import grounds
from town.tree import TownMap
from viewer.art import floors
from viewer.art.canvas import Pixels
from viewer.art.floors import Painter, lay
from viewer.art.noise import clouds, scatter
from viewer.art.palette import number, palette

Mask = npt.NDArray[np.bool_]
TILE, HALF = 16, 8
UPRIGHT = ("wall", "window", "door")
ON_GRASS = ("grass", "meadow", "flowers", "tree", "fruit tree", "pine", "bush", "hedge", "fence", "rock")
PAVED_FIRST = ("pavement", "plaza", "street", "crossing", "path", "sand", "stone", "wood", "planks", "tiles", "carpet", "rug")


def letters_of(*names: str) -> frozenset[str]:
    """Ground letters by kind; kinds a map doesn't know are left out."""
    known = grounds()
    return frozenset(known[name].letter for name in names if name in known)


def half_letters(town: TownMap) -> npt.NDArray[np.str_]:
    """Letters on half tiles [2 * height, 2 * width]. A wall's quarter shows the ground of its neighbour on that side; what
    stands on the ground (a lamp, a table, a rock in the river) shows what most of its neighbours are."""
    rows = np.array([list(row) for row in town.ground])
    quarters = rows.repeat(2, axis=0).repeat(2, axis=1)
    walls = letters_of(*UPRIGHT)
    standing = letters_of("lamp", "small table", "counter top", "rock")
    floor = letters_of(*PAVED_FIRST, "water", "bridge")
    grass = grounds()["grass"].letter
    height, width = rows.shape

    def at(x: int, y: int) -> str:
        return str(rows[y, x]) if 0 <= x < width and 0 <= y < height else grass

    for y, x in zip(*np.nonzero(np.isin(rows, sorted(walls))), strict=True):
        for dy in (-1, 1):
            for dx in (-1, 1):
                beside = (at(x + dx, y), at(x, y + dy), at(x + dx, y + dy))
                found = next((letter for letter in beside if letter not in walls), None)
                quarters[2 * y + (dy > 0), 2 * x + (dx > 0)] = found or at(x, y)
    for _ in range(2):  # twice: what stands beside a wall is carried on under it as well
        for y, x in zip(*np.nonzero(np.isin(quarters, sorted(standing))), strict=True):
            near = [str(quarters[j, i]) for i, j in ((x - 1, y), (x + 1, y), (x, y + 1), (x, y - 1), (x - 2, y), (x + 2, y))
                    if 0 <= i < 2 * width and 0 <= j < 2 * height]  # fmt: skip
            laid = [letter for letter in near if letter in floor]
            if laid:
                quarters[y, x] = max(laid, key=laid.count)
    return quarters


def paint_ground(town: TownMap) -> Pixels:
    """The ground of a town, shadows of walls included, without anything that stands on it."""
    width, height = town.width * TILE, town.height * TILE
    quarters = half_letters(town)
    picture = _grass(width, height)

    def area(*names: str) -> Mask:
        return np.isin(quarters, sorted(letters_of(*names)))

    _soft(picture, area("meadow"), _meadow, blur=22, rough=0.35, level=0.4)
    _soft(picture, area("sand", "water", "bridge"), _sand, blur=13, rough=0.22, level=0.42, rim=("green2", "cream0"))
    paved = area("pavement", "plaza", "street", "crossing", "wall", "window", "door")
    path = area("path")
    _soft(
        picture,
        path | (binary_dilation(path, iterations=2) & paved),
        _path,
        blur=9,
        rough=0.25,
        level=0.47,
        rim=("green1", "cream0"),
    )
    _soft(picture, area("bed of earth"), _earth, blur=5, rough=0.16, level=0.5, rim=("green1", "wood0"))
    for names, paint in (
        (("pavement",), floors.pavement), (("street", "crossing"), floors.street), (("plaza",), floors.plaza),
        (("wood",), floors.boards), (("planks",), floors.planks), (("tiles",), floors.tiles),
        (("carpet",), floors.carpet), (("stone",), floors.flagstones),
    ):  # fmt: skip
        _laid(picture, area(*names), paint)
    _curbs(picture, area("pavement"), area("street", "crossing"))
    _crossings(picture, np.array([list(row) for row in town.ground]))
    rug = area("rug")
    _rugs(picture, rug | (_moved(rug, 2, 0) & _moved(rug, -2, 0)))  # what stands on a rug stands on a rug
    _water(picture, area("water", "bridge"))
    return picture


def _box(mask: Mask, margin: int) -> tuple[slice, slice] | None:
    """Rows and columns of half tiles around what is set, a margin more; None when nothing is."""
    rows, columns = np.nonzero(mask.any(axis=1))[0], np.nonzero(mask.any(axis=0))[0]
    if not rows.size:
        return None
    return slice(max(0, int(rows[0]) - margin), int(rows[-1]) + 1 + margin), slice(
        max(0, int(columns[0]) - margin), int(columns[-1]) + 1 + margin
    )


def _pixels(part: slice, size: int) -> slice:
    return slice(part.start * HALF, min(part.stop * HALF, size))


def soft_mask(halves: Mask, blur: int, rough: float, level: float, salt: int) -> Mask:
    """Half tiles -> pixels with rounded, wandering edges."""
    fine = halves.repeat(HALF, axis=0).repeat(HALF, axis=1).astype(np.float32)
    fine = uniform_filter(uniform_filter(fine, blur, mode="nearest"), max(3, blur // 2), mode="nearest")
    height, width = fine.shape
    wander = (clouds(576, 576, 9, salt) - 0.5) * np.float32(rough)
    fine += np.tile(wander, (height // 576 + 1, width // 576 + 1))[:height, :width]
    return np.asarray(fine > level)


def _soft(
    picture: Pixels, halves: Mask, paint: Painter, *, blur: int, rough: float, level: float, rim: tuple[str, str] | None = None
) -> None:
    """Paints an area with soft edges; `rim`: the colour just outside, to the south and east, and the inner edge."""
    found = _box(halves, 3)
    if found is None:
        return
    top, left = _pixels(found[0], picture.shape[0]), _pixels(found[1], picture.shape[1])
    part = picture[top, left]
    mask = soft_mask(halves[found], blur, rough, level, salt=blur)[: part.shape[0], : part.shape[1]]
    if rim:
        below, above = _moved(mask, 0, 1), _moved(mask, 0, -1)
        part[(below | _moved(mask, 1, 0) | _moved(mask, -1, 0) | above) & ~mask] = number(rim[0])
    lay(part, mask, paint, left.start, top.start)
    if rim:
        inner = mask & ~(_moved(mask, 0, 1) & _moved(mask, 1, 0))
        part[inner] = number(rim[1])


def _moved(mask: Mask, dx: int, dy: int) -> Mask:
    """The mask moved by pixels; what comes in from outside repeats the border."""
    padded = np.pad(mask, 3, mode="edge")
    height, width = mask.shape
    return np.asarray(padded[3 - dy : 3 - dy + height, 3 - dx : 3 - dx + width])


def _laid(picture: Pixels, halves: Mask, paint: Painter) -> None:
    """Paints an area with the straight edges of half tiles."""
    found = _box(halves, 0)
    if found is None:
        return
    top, left = _pixels(found[0], picture.shape[0]), _pixels(found[1], picture.shape[1])
    mask = halves[found].repeat(HALF, axis=0).repeat(HALF, axis=1)
    lay(picture[top, left], mask, paint, left.start, top.start)


def _grass(width: int, height: int) -> Pixels:
    """Grass: one green, darker and lighter islands, and single blades."""
    field = np.tile(clouds(840, 840, 70, 11), (height // 840 + 1, width // 840 + 1))[:height, :width]
    dots = np.tile(_speckle(512, 512, 13), (height // 512 + 1, width // 512 + 1))[:height, :width]
    picture = np.full((height, width), number("green3"), dtype=np.uint8)
    picture[(dots < 12) & (field < 0.6)] = number("green2")
    picture[(dots > 1006) & (field > 0.35)] = number("green4")
    return picture


def _speckle(width: int, height: int, salt: int, x0: int = 0, y0: int = 0) -> npt.NDArray[np.uint32]:
    """A number below 1024 for each pixel of the town."""
    return scatter(np.arange(x0, x0 + width)[None, :], np.arange(y0, y0 + height)[:, None], salt) & np.uint32(1023)


def _meadow(part: Pixels, mask: Mask, x0: int, y0: int) -> None:
    dots = _speckle(part.shape[1], part.shape[0], 17, x0, y0)
    part[mask & (dots < 90)] = number("green4")
    part[mask & (dots < 12)] = number("green5")


def _path(part: Pixels, mask: Mask, x0: int, y0: int) -> None:
    dots = _speckle(part.shape[1], part.shape[0], 19, x0, y0)
    part[mask] = number("cream1")
    part[mask & (dots < 22)] = number("cream0")
    part[mask & (dots > 1004)] = number("cream2")


def _sand(part: Pixels, mask: Mask, x0: int, y0: int) -> None:
    dots = _speckle(part.shape[1], part.shape[0], 23, x0, y0)
    part[mask] = number("cream2")
    part[mask & (dots < 26)] = number("cream1")
    part[mask & (dots > 1014)] = number("cream3")


def _earth(part: Pixels, mask: Mask, x0: int, y0: int) -> None:
    rows = (np.arange(y0, y0 + part.shape[0])[:, None] % 8) * np.ones((1, part.shape[1]), dtype=int)
    part[mask] = number("wood2")
    part[mask & (rows >= 5)] = number("wood1")
    dots = _speckle(part.shape[1], part.shape[0], 29, x0, y0)
    part[mask & (dots < 30)] = number("wood1")
    part[mask & (dots > 1000) & (rows < 5)] = number("wood3")


def _curbs(picture: Pixels, pavement: Mask, street: Mask) -> None:
    """A light edge of the pavement, and its shade on the street."""
    for paved, dx, dy in ((pavement, 0, 1), (pavement, 0, -1), (pavement, 1, 0), (pavement, -1, 0)):
        halves = paved & _moved(street, -dx, -dy)
        for y, x in zip(*np.nonzero(halves), strict=True):
            top, left = y * HALF, x * HALF
            rows = slice(top + HALF - 2, top + HALF) if dy > 0 else slice(top, top + 2) if dy < 0 else slice(top, top + HALF)
            columns = (
                slice(left + HALF - 2, left + HALF) if dx > 0 else slice(left, left + 2) if dx < 0 else slice(left, left + HALF)
            )
            picture[rows, columns] = number("stone3")
            if dy > 0:
                picture[top + HALF : top + HALF + 2, columns] = number("stone0")
            if dx > 0:
                picture[rows, left + HALF : left + HALF + 1] = number("stone0")
            if dy < 0:
                picture[top + 1, columns] = number("stone1")


def _crossings(picture: Pixels, rows: npt.NDArray[np.str_]) -> None:
    """White bars, along the way the street runs."""
    crossing = np.isin(rows, sorted(letters_of("crossing")))
    street = np.isin(rows, sorted(letters_of("street", "crossing")))
    for y, x in zip(*np.nonzero(crossing), strict=True):
        run = sum(bool(street[y, min(max(x + d, 0), rows.shape[1] - 1)]) for d in (-3, 3))
        tall = sum(bool(street[min(max(y + d, 0), rows.shape[0] - 1), x]) for d in (-3, 3))
        tile = picture[y * TILE : (y + 1) * TILE, x * TILE : (x + 1) * TILE]
        for k in (1, 9):
            if run >= tall:
                tile[:, k : k + 5][:, :] = number("cream2")
                tile[:, k + 4] = number("stone2")
            else:
                tile[k : k + 5] = number("cream2")
                tile[k + 4] = number("stone2")


def _rugs(picture: Pixels, halves: Mask) -> None:
    """A woven rug with a border and a fringe at its short ends."""
    found = _box(halves, 1)
    if found is None:
        return
    top, left = _pixels(found[0], picture.shape[0]), _pixels(found[1], picture.shape[1])
    part = picture[top, left]
    mask = halves[found].repeat(HALF, axis=0).repeat(HALF, axis=1)[: part.shape[0], : part.shape[1]]
    inner = [mask]
    for _ in range(6):
        last = inner[-1]
        inner.append(last & _moved(last, 1, 0) & _moved(last, -1, 0) & _moved(last, 0, 1) & _moved(last, 0, -1))
    part[mask] = number("red1")
    for depth, colour in ((1, "red2"), (3, "gold3"), (4, "red2"), (6, "red1")):
        part[inner[depth]] = number(colour)
    y, x = np.mgrid[0 : part.shape[0], 0 : part.shape[1]]
    part[inner[6] & ((x + y) % 6 + (x - y) % 6 == 0)] = number("gold2")
    part[mask & ~_moved(mask, 0, -1)] = number("red0")


def water_mask(halves: Mask) -> Mask:
    """Where water is, in pixels of the whole town."""
    return soft_mask(halves, 13, 0.2, 0.52, salt=3)


def _water(picture: Pixels, halves: Mask) -> None:
    """Water with a bank to the north (its south face shows), a line of foam, and darker depths."""
    if not halves.any():
        return
    mask = water_mask(halves)[: picture.shape[0], : picture.shape[1]]
    bank = mask & ~_moved(mask, 0, 3)
    deep = (
        mask
        & _moved(mask, 0, 3)
        & _moved(_moved(mask, 0, 3), 0, 3)
        & _moved(mask, 3, 0)
        & _moved(mask, -3, 0)
        & _moved(mask, 0, -3)
    )
    picture[mask] = number("blue3")
    picture[deep] = number("blue2")
    height, width = picture.shape
    streaks = clouds(576, 1728, 34, 31)[::3]  # they run along with the stream
    field = np.tile(streaks, (height // 576 + 1, width // 576 + 1))[:height, :width]
    picture[deep & (field > 0.78)] = number("blue3")
    picture[bank] = number("cream0")
    picture[bank & ~_moved(mask, 0, 1)] = number("cream1")
    picture[mask & ~bank & ~_moved(mask & ~bank, 0, 1)] = number("cream3")
    outside = ~mask & (_moved(mask, 0, -1) | _moved(mask, 1, 0) | _moved(mask, -1, 0))
    picture[outside] = palette().darker[picture[outside]]
