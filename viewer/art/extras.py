"""What residents wear besides: glasses, apron, cap, scarf, beard, moustache, headphones, hat, bag, tie.

over    draws all of an outfit's extras over body and hair
"""

from __future__ import annotations

from collections.abc import Callable

from viewer.art.canvas import Canvas
from viewer.art.pieces import Facing
from viewer.art.wardrobe import Outfit

ORDER = ("tie", "apron", "bag", "beard", "moustache", "glasses", "scarf", "cap", "hat", "headphones")


def over(c: Canvas, wears: Outfit, side: Facing, low: int) -> None:
    """Draws them in the order in which they cover each other."""
    for name in ORDER:
        if name in wears.extras:
            _DRAW[name](c, wears, side, low)


def _glasses(c: Canvas, wears: Outfit, side: Facing, y: int) -> None:
    rim = "slate1" if wears.skin[1] not in ("skin1", "skin2") else "gold2"
    if side == "south":
        c.rect(5, y + 8, 2, 2, "cream3").rect(9, y + 8, 2, 2, "cream3").dots("night0", (6, y + 9), (9, y + 9))
        c.dots("blue4", (5, y + 8), (9, y + 8))
        c.dots(rim, (4, y + 8), (7, y + 8), (8, y + 8), (11, y + 8), (5, y + 7), (6, y + 7), (9, y + 7), (10, y + 7))
    elif side == "east":
        c.rect(8, y + 8, 3, 2, "cream3").dots("night0", (9, y + 9)).dots("blue4", (8, y + 8))
        c.dots(rim, (5, y + 8), (6, y + 8), (7, y + 8), (8, y + 7), (9, y + 7), (10, y + 7))


def _apron(c: Canvas, wears: Outfit, side: Facing, y: int) -> None:
    main, shade = ("cream3", "cream1") if wears.top[1] not in ("cream3", "cream2") else ("teal1", "teal0")
    if side == "south":
        c.rect(5, y + 13, 6, 2, main).rect(4, y + 15, 8, 5, main).rect(11, y + 15, 1, 5, shade).rect(4, y + 19, 8, 1, shade)
        c.dots(shade, (5, y + 12), (10, y + 12), (6, y + 17), (7, y + 17), (8, y + 17), (9, y + 17))
    elif side == "north":
        c.dots(main, (5, y + 12), (10, y + 12), (6, y + 13), (9, y + 13), (7, y + 14), (8, y + 14)).rect(4, y + 16, 8, 1, main)
        c.dots(shade, (7, y + 17), (8, y + 17))
    else:
        c.rect(9, y + 13, 2, 7, main).rect(8, y + 15, 3, 5, main).rect(8, y + 19, 3, 1, shade).rect(5, y + 16, 3, 1, shade)


def _cap(c: Canvas, wears: Outfit, side: Facing, y: int) -> None:
    dark, mid, light = wears.accent
    c.rect(5, y + 1, 6, 1, mid).rect(4, y + 2, 8, 1, mid).rect(3, y + 3, 10, 3, mid).rect(4, y + 2, 2, 2, light)
    c.rect(12, y + 3, 1, 3, dark).rect(3, y + 5, 10, 1, dark)
    if side == "south":
        c.rect(4, y + 5, 8, 2, dark).rect(5, y + 5, 6, 1, mid)
    elif side == "east":
        c.rect(10, y + 5, 5, 1, dark).rect(10, y + 4, 4, 1, mid)


def _hat(c: Canvas, wears: Outfit, side: Facing, y: int) -> None:
    dark, mid, light = ("gold1", "gold2", "gold3") if wears.hair[1] not in ("gold2",) else wears.accent
    c.rect(4, y + 1, 8, 3, mid).rect(5, y, 6, 1, mid).rect(4, y + 1, 2, 2, light).rect(11, y + 1, 1, 3, dark)
    c.rect(4, y + 4, 8, 1, wears.accent[1])
    c.rect(1, y + 5, 14, 1, mid).rect(2, y + 5, 4, 1, light).rect(2, y + 6, 12, 1, dark)


def _scarf(c: Canvas, wears: Outfit, side: Facing, y: int) -> None:
    dark, mid, light = wears.accent
    c.rect(4, y + 11, 8, 2, mid).rect(4, y + 11, 3, 1, light).rect(4, y + 12, 8, 1, dark)
    if side == "south":
        c.rect(9, y + 12, 2, 4, mid).rect(10, y + 12, 1, 4, dark).dots(light, (9, y + 15))
    elif side == "north":
        c.rect(5, y + 12, 2, 5, mid).rect(6, y + 12, 1, 5, dark)
    else:
        c.rect(4, y + 12, 2, 4, mid).dots(dark, (5, y + 15))


def _beard(c: Canvas, wears: Outfit, side: Facing, y: int) -> None:
    dark, mid, _ = wears.hair
    if side == "south":
        c.rect(4, y + 9, 1, 2, mid).rect(11, y + 9, 1, 2, dark).rect(4, y + 10, 8, 2, mid).rect(5, y + 12, 6, 1, dark)
        c.rect(6, y + 10, 4, 1, mid).dots(wears.skin[0], (7, y + 11), (8, y + 11))
    elif side == "east":
        c.rect(7, y + 10, 5, 2, mid).rect(6, y + 9, 1, 2, mid).rect(8, y + 12, 4, 1, dark)


def _moustache(c: Canvas, wears: Outfit, side: Facing, y: int) -> None:
    dark, mid, _ = wears.hair
    if side == "south":
        c.rect(5, y + 10, 6, 1, mid).dots(dark, (5, y + 11), (10, y + 11))
    elif side == "east":
        c.rect(9, y + 10, 3, 1, mid).dots(dark, (9, y + 11))


def _headphones(c: Canvas, wears: Outfit, side: Facing, y: int) -> None:
    dark, mid, light = wears.accent
    if side == "east":
        c.rect(6, y + 1, 2, 5, "slate1").rect(5, y + 6, 4, 4, mid).rect(5, y + 6, 1, 3, light).rect(8, y + 6, 1, 4, dark)
        return
    c.rect(4, y + 1, 8, 1, "slate1").rect(3, y + 2, 1, 4, "slate1").rect(12, y + 2, 1, 4, "slate1").rect(2, y + 6, 2, 4, mid)
    c.rect(12, y + 6, 2, 4, dark).rect(2, y + 6, 1, 3, light).rect(12, y + 6, 1, 3, mid)


def _bag(c: Canvas, wears: Outfit, side: Facing, y: int) -> None:
    if side == "south":
        c.line(5, y + 12, 11, y + 16, "wood1").rect(10, y + 15, 4, 5, "wood3").rect(10, y + 15, 4, 2, "wood2")
        c.dots("gold3", (11, y + 17))
    elif side == "north":
        c.line(11, y + 12, 4, y + 16, "wood1").rect(2, y + 15, 4, 5, "wood3").rect(2, y + 15, 4, 2, "wood2")
    else:
        c.line(9, y + 12, 6, y + 15, "wood1").rect(4, y + 15, 5, 4, "wood3").rect(4, y + 15, 5, 2, "wood2")
        c.dots("gold3", (6, y + 17))


def _tie(c: Canvas, wears: Outfit, side: Facing, y: int) -> None:
    if side == "south":
        c.dots("cream3", (6, y + 12), (9, y + 12)).rect(7, y + 12, 2, 4, wears.accent[1]).rect(8, y + 12, 1, 4, wears.accent[0])


_DRAW: dict[str, Callable[[Canvas, Outfit, Facing, int], None]] = {
    "glasses": _glasses, "apron": _apron, "cap": _cap, "scarf": _scarf, "beard": _beard, "moustache": _moustache,
    "headphones": _headphones, "hat": _hat, "bag": _bag, "tie": _tie,
}  # fmt: skip
