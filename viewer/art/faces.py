"""The faces of what bounds a room: wallpapers and facades, windows, doors, gates, hedges and fences.

front         the south face of a wall tile (16 x 16): a wallpaper indoors, a facade outdoors
door          a door in a wall that runs west-east (16 x 22), side_door: in one that runs north-south, gate: in a hedge
hedge_sheet   all hedges and fences of a town on one sheet
"""

from __future__ import annotations

from functools import cache
from hashlib import blake2b

import numpy as np
import numpy.typing as npt

from town.tree import Arena, TownMap
from viewer.art.canvas import Canvas, Pixels
from viewer.art.noise import clouds, pick, scatter
from viewer.art.palette import number
from viewer.art.terrain import letters_of

TILE, HEDGE_RAISED = 16, 8
# wall, its shade, pattern, wainscot, its shade
PAPERS = (
    ("cream2", "cream1", "cream3", "wood3", "wood2"),
    ("rose2", "cream1", "cream2", "cream3", "cream1"),
    ("green5", "green4", "cream2", "wood3", "wood2"),
    ("blue4", "blue3", "cream3", "cream2", "cream0"),
    ("gold3", "cream1", "cream3", "wood3", "wood2"),
    ("slate3", "slate2", "blue4", "wood3", "wood2"),
)
PANELLED = ("red1", "red0", "red2", "wood2", "wood1")
TILED = ("cream3", "blue4", "blue3", "blue4", "blue3")
STONY = ("stone3", "stone2", "cream2", "stone2", "stone1")
# wall, its shade, stripes or bricks, corner beams, skirting
FACADES = (("cream2", "cream1", "plaster", "wood2", "stone1"), ("red2", "red1", "brick", "cream1", "stone1"),
           ("cream3", "cream1", "timber", "wood1", "stone1"), ("blue3", "blue2", "boards", "cream3", "stone1"),
           ("stone3", "stone2", "stones", "stone1", "stone1"), ("gold2", "gold1", "plaster", "wood1", "stone1"))  # fmt: skip


def chosen(text: str, below: int) -> int:
    """A whole number below `below` that depends on the text alone."""
    return int.from_bytes(blake2b(text.encode(), digest_size=4).digest(), "big") % below


def sector_style(address: str) -> int:
    """Which facade (and roof) a building has."""
    return chosen(address, len(FACADES))


def front(town: TownMap, x: int, y: int, *, window: bool, side: int = 0) -> Canvas:
    """The face of the wall at tile (x, y), as one south of it (`side`: south-west -1, south-east 1) sees it."""
    room = town.arena_of_tile.get((x + side, y + 1))
    if room is not None and not room.outdoors:
        floor = _floor(town, room)
        bare = (
            not window and not side and (x, y + 1) not in town.solid and (x, y + 1) not in town.seats and (x, y) not in town.doors
        )
        hung = pick(x, y, 241, 24) if bare else 0
        return _paper(floor, chosen(room.address, len(PAPERS)), window, hung if hung <= len(HUNG) else 0)
    inside = next(
        (a for dy in (-1, -2) for dx in (0, 1, -1) if (a := town.arena_of_tile.get((x + dx, y + dy))) and not a.outdoors), None
    )
    style = sector_style(inside.address.rpartition(" : ")[0]) if inside else 0
    return _facade(style, x % 2, window)


def _floor(town: TownMap, room: Arena) -> str:
    """What most of a room's floor is, of the kinds that go with a wall of their own."""
    seen = [town.ground[y][x] for x, y in room.tiles]
    return next(
        (name for name in ("tiles", "planks", "stone") if 2 * sum(seen.count(at) for at in letters_of(name)) > len(seen)), ""
    )


@cache
def _paper(floor: str, style: int, window: bool, hung: int) -> Canvas:
    paper, shade, pattern, wood, dark = {"tiles": TILED, "planks": PANELLED, "stone": STONY}.get(floor, PAPERS[style])
    c = Canvas(TILE, TILE).rect(0, 0, TILE, TILE, paper)
    if floor == "tiles":
        for k in (3, 7, 11):
            c.rect(k, 0, 1, 11, shade)
        c.rect(15, 0, 1, 11, shade).rect(0, 3, TILE, 1, shade).rect(0, 7, TILE, 1, shade).rect(0, 9, TILE, 1, pattern)
    elif style % 3 == 0:
        for k in (1, 5, 9, 13):
            c.rect(k, 0, 1, 11, pattern)
    elif style % 3 == 1:
        c.dots(pattern, (2, 3), (10, 3), (6, 7), (14, 7), (3, 3), (11, 3), (7, 7), (15, 7), (2, 4), (10, 4), (6, 8), (14, 8))
    else:
        c.dots(pattern, *((k, 2 + (k // 2) % 2 * 4) for k in range(0, 16, 2)))
    c.rect(0, 0, TILE, 1, shade)
    c.rect(0, 11, TILE, 1, "cream3" if floor != "planks" else "wood3").rect(0, 12, TILE, 3, wood).rect(0, 15, TILE, 1, dark)
    if floor != "tiles":
        c.rect(0, 12, 1, 3, dark).rect(8, 12, 1, 3, dark)
    if window:
        _pane(c, 2, 1, 12, 9, inside=True)
    elif hung:
        HUNG[hung - 1](c)
    return c


def _landscape(c: Canvas) -> None:
    c.rect(3, 2, 10, 8, "wood1").rect(4, 3, 8, 6, "blue3").rect(4, 6, 8, 3, "green2").rect(9, 3, 2, 2, "gold3")
    c.dots("green3", (5, 6), (6, 5), (7, 6)).rect(3, 2, 10, 1, "wood3")


def _portrait(c: Canvas) -> None:
    c.rect(4, 1, 8, 10, "gold1").rect(5, 2, 6, 8, "wood1").rect(7, 3, 2, 3, "skin4").rect(6, 6, 4, 4, "red1")
    c.rect(4, 1, 8, 1, "gold3")


def _clock(c: Canvas) -> None:
    c.oval(4, 1, 9, 9, "wood1").oval(5, 2, 7, 7, "cream3").line(8, 5, 8, 3, "wood0").line(8, 5, 10, 5, "wood0")
    c.dots("wood3", (4, 5), (8, 1))


def _board(c: Canvas) -> None:
    c.rect(2, 7, 12, 2, "wood3").rect(2, 8, 12, 1, "wood1").rect(3, 3, 2, 4, "red2").rect(5, 4, 2, 3, "blue1")
    c.rect(9, 5, 4, 2, "red3").dots("green2", (9, 4), (10, 3), (11, 4), (12, 3)).dots("green3", (10, 4), (11, 3))


def _fern(c: Canvas) -> None:
    c.rect(6, 5, 4, 3, "red3").rect(6, 7, 4, 1, "red2").dots("wood1", (8, 0), (7, 2), (9, 2), (8, 1))
    c.dots("green2", (4, 4), (5, 3), (6, 4), (10, 3), (11, 4), (12, 6), (4, 6), (7, 3), (9, 4))
    c.dots("green3", (5, 4), (8, 3), (10, 4), (11, 5), (4, 5))


HUNG = (_landscape, _portrait, _clock, _board, _fern)


@cache
def _facade(style: int, odd: int, window: bool) -> Canvas:
    wall, shade, manner, beam, foot = FACADES[style]
    c = Canvas(TILE, TILE).rect(0, 0, TILE, TILE, wall)
    if manner == "brick":
        for j in range(0, 13, 3):
            c.rect(0, j + 2, TILE, 1, shade)
            for i in range(2 + (j // 3) % 2 * 4, TILE, 8):
                c.rect(i, j, 1, 2, shade)
        c.dots("red3", (3, 3), (4, 3), (11, 6), (12, 6), (7, 10))
    elif manner == "boards":
        for j in (3, 7, 11):
            c.rect(0, j, TILE, 1, shade)
    elif manner == "stones":
        for i, j, w in ((0, 2, 6), (7, 2, 8), (3, 6, 8), (0, 10, 5), (6, 10, 9), (12, 6, 4)):
            c.rect(i, j, w, 1, shade).rect(i + w - 1, j - 3, 1, 3, shade)
    elif manner == "timber":
        c.rect(0, 6, TILE, 2, beam).rect(0 if odd else 7, 0, 2, 14, beam)
    else:
        c.dots(shade, (3, 4), (4, 4), (11, 9), (12, 9), (7, 6))
    c.rect(0, 0, TILE, 2, shade).rect(0, 13, TILE, 3, foot).rect(0, 13, TILE, 1, "stone2")
    c.dots("stone0", (4, 14), (4, 15), (11, 14), (11, 15))
    if window:
        _pane(c, 2, 2, 12, 9, inside=False)
    return c


def _pane(c: Canvas, x: int, y: int, w: int, h: int, *, inside: bool) -> None:
    """A window: frame, two panes with a gleam, a sill; flowers before it outdoors, curtains indoors."""
    c.rect(x - 1, y - 1, w + 2, h + 2, "wood1").rect(x, y, w, h, "cream3")
    for px in (x + 1, x + w // 2 + 1):
        width = w // 2 - 2
        c.rect(px, y + 1, width, h - 2, "blue3").rect(px, y + 1, width, 1, "blue2")
        c.dots("blue4", (px, y + 5), (px + 1, y + 4), (px + 2, y + 3), (px + 1, y + 5), (px + 2, y + 4), (px + 3, y + 2))
    if inside:
        c.rect(x, y, 2, h - 2, "rose1").rect(x + w - 2, y, 2, h - 2, "rose1").rect(x - 1, y - 1, w + 2, 1, "gold1")
    else:
        c.rect(x - 1, y + h, w + 2, 2, "wood2").rect(x - 1, y + h - 1, w + 2, 1, "green2")
        c.dots("rose1", (x, y + h - 2), (x + 4, y + h - 2), (x + 9, y + h - 2))
        c.dots("gold3", (x + 2, y + h - 2), (x + 7, y + h - 2))
        c.dots("green3", (x + 1, y + h - 2), (x + 6, y + h - 2), (x + 10, y + h - 2))


def door(town: TownMap, x: int, y: int, *, left: bool, right: bool) -> Canvas:
    """A door seen from the south, under its lintel; `left`, `right`: it is that leaf of a double door."""
    outside = (room := town.arena_of_tile.get((x, y + 1))) is None or room.outdoors
    ramp = (
        ("red", "teal", "blue", "green")[chosen(town.arena_of_tile[(x, y - 1)].address, 4)]
        if outside and (x, y - 1) in town.arena_of_tile
        else "wood"
    )
    return _door(ramp, left, right, outside)


@cache
def _door(ramp: str, left: bool, right: bool, outside: bool) -> Canvas:
    dark, mid, light = {"red": ("red0", "red1", "red2"), "teal": ("teal0", "teal1", "teal2"), "blue": ("blue0", "blue1", "blue2"),
                        "green": ("green0", "green1", "green2"), "wood": ("wood1", "wood2", "wood3")}[ramp]  # fmt: skip
    c = Canvas(TILE, 22)
    c.rect(0, 0, TILE, 6, "wood2").rect(0, 0, TILE, 1, "wood0").rect(0, 1, TILE, 1, "wood3").rect(0, 5, TILE, 1, "wood1")
    c.rect(0, 6, TILE, 16, "wood1").rect(0, 6, TILE, 1, "wood0")
    x0, x1 = 0 if right else 2, TILE if left else TILE - 2
    c.rect(x0, 8, x1 - x0, 13, mid).rect(x0, 8, x1 - x0, 1, dark)
    if not right:
        c.rect(0, 6, 2, 16, "cream1").rect(0, 6, 1, 16, "cream0")
    if not left:
        c.rect(14, 6, 2, 16, "cream0").rect(15, 6, 1, 16, "wood1")
    c.rect(x0 + 2, 10, x1 - x0 - 4, 4, "blue3" if outside else light).rect(x0 + 2, 16, x1 - x0 - 4, 3, light)
    c.rect(x0 + 2, 10, x1 - x0 - 4, 1, dark if not outside else "blue1").rect(x0 + 2, 16, x1 - x0 - 4, 1, dark)
    if outside:
        c.dots("blue4", (x0 + 3, 12), (x0 + 4, 11), (x0 + 3, 13))
    knob = x1 - 2 if left else x0 + 1 if right else x1 - 2
    c.dots("gold3", (knob, 15)).dots("gold2", (knob, 16))
    return c.rect(0, 21, TILE, 1, "stone3" if outside else "wood0").rect(x0, 20, x1 - x0, 1, dark)


@cache
def side_door() -> Canvas:
    """A door in a wall that runs north-south, seen from above: a strip of wood between its jambs."""
    c = Canvas(TILE, 22)
    c.rect(4, 0, 8, 22, "wood1").rect(5, 6, 6, 16, "cream0").rect(5, 6, 6, 1, "wood1")
    c.rect(5, 1, 6, 13, "wood3").rect(5, 1, 1, 13, "wood4").rect(10, 1, 1, 13, "wood2").rect(5, 7, 6, 1, "wood2")
    return c.rect(5, 14, 6, 2, "wood2").dots("gold3", (7, 11), (8, 11)).rect(5, 19, 6, 3, "wood2")


@cache
def gate(*, upright: bool) -> Canvas:
    """A low garden gate of pales between posts (`upright`: in a hedge that runs north-south)."""
    c = Canvas(TILE, 22)
    if upright:
        c.rect(6, 2, 4, 18, "wood3").rect(6, 2, 1, 18, "wood4").rect(9, 2, 1, 18, "wood1")
        for j in (5, 10, 15):
            c.rect(6, j, 4, 1, "wood1")
        return c.rect(5, 20, 6, 1, "wood0")
    for i in (2, 5, 8, 11):
        c.rect(i, 9, 3, 11, "wood3").rect(i, 9, 1, 11, "wood4").rect(i + 2, 10, 1, 10, "wood1").dots("wood4", (i + 1, 8))
    c.rect(1, 12, 14, 1, "wood2").rect(1, 17, 14, 1, "wood2").rect(1, 20, 14, 1, "wood0")
    for i in (0, 14):
        c.rect(i, 6, 2, 15, "wood2").rect(i, 6, 2, 1, "wood4").rect(i, 20, 2, 1, "wood0")
    return c.dots("gold3", (11, 14))


def hedge_sheet(rows: npt.NDArray[np.str_]) -> Pixels:
    """Hedges and fences of a (padded) town: a leafy top, raised by 8, and a darker front."""
    hedge = np.isin(rows, sorted(letters_of("hedge")))
    height, width = rows.shape
    sheet = np.zeros((height * TILE, width * TILE), dtype=np.uint8)
    full = hedge.repeat(TILE, axis=0).repeat(TILE, axis=1)
    x, y = np.arange(full.shape[1])[None, :], np.arange(full.shape[0])[:, None]
    body = np.zeros_like(full)
    for y0, x0 in zip(*np.nonzero(hedge), strict=True):
        left = x0 * TILE + (0 if hedge[y0, x0 - 1] else 1)
        right = (x0 + 1) * TILE - (0 if hedge[y0, min(x0 + 1, width - 1)] else 1)
        body[y0 * TILE - 5 : (y0 + 1) * TILE - 1, left:right] = True
        top = y0 * TILE - 6 - 0
        bumps = (scatter(np.arange(left, right) // 3, y0, 81) % 3) > 0
        if not hedge[y0 - 1, x0]:
            body[top, left:right] |= bumps
    front = body.copy()
    front[:-9] &= ~body[9:]
    leaf = np.tile(scatter(x[:, :480] // 2, y[:480] // 2, 83) % 8, (full.shape[0] // 480 + 1, full.shape[1] // 480 + 1))[
        : full.shape[0], : full.shape[1]
    ]
    field = np.tile(clouds(480, 480, 6, 85), (full.shape[0] // 480 + 1, full.shape[1] // 480 + 1))[
        : full.shape[0], : full.shape[1]
    ]
    sheet[body] = number("green2")
    sheet[body & (field > 0.62)] = number("green3")
    sheet[body & (leaf == 0)] = number("green3")
    sheet[body & (leaf == 1)] = number("green1")
    sheet[front] = number("green1")
    sheet[front & (leaf < 2)] = number("green2")
    sheet[front & (leaf == 3)] = number("green0")
    edge = np.pad(body, 1)
    sheet[body & ~edge[:-2, 1:-1]] = number("green4")
    sheet[body & ~(edge[2:, 1:-1] & edge[1:-1, :-2] & edge[1:-1, 2:])] = number("green0")
    canvas = Canvas(full.shape[1], full.shape[0], sheet)
    fence = np.isin(rows, sorted(letters_of("fence")))
    for y0, x0 in zip(*np.nonzero(fence), strict=True):
        _fence(canvas, int(x0), int(y0), bool(fence[y0, x0 - 1]), bool(fence[y0, min(x0 + 1, width - 1)]))
    return sheet


def _fence(c: Canvas, x: int, y: int, west: bool, east: bool) -> None:
    left, top = x * TILE, y * TILE
    start, end = 0 if west else 6, TILE if east else 10
    for j in (2, 8):
        c.rect(left + start, top + j, end - start, 2, "wood3").rect(left + start, top + j + 2, end - start, 1, "wood1")
    c.rect(left + 6, top - 2, 4, 16, "wood3").rect(left + 6, top - 2, 1, 16, "wood4").rect(left + 9, top - 2, 1, 16, "wood1")
    c.rect(left + 6, top - 3, 4, 1, "wood4").rect(left + 6, top + 14, 4, 1, "wood0")
