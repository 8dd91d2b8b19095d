"""Cafes, pubs, shops and classrooms: seats, counters, shelves of goods."""

from __future__ import annotations

from viewer.art.noise import pick
from viewer.art.stage import Stage, draws

GOODS = (
    ("red2", "red1"),
    ("gold2", "gold1"),
    ("green3", "green2"),
    ("blue2", "blue1"),
    ("rose1", "rose0"),
    ("cream3", "cream1"),
    ("teal1", "teal0"),
    ("red3", "red2"),
)


def chair(s: Stage, wood: str, seat: str, shade: str) -> None:
    """A chair that faces its table: the back stands away from it."""
    w1, w2, w3 = f"{wood}1", f"{wood}2", f"{wood}3"
    if s.facing == "north":
        s.rect(4, 10, 2, 4, w1).rect(10, 10, 2, 4, w1).rect(4, 3, 8, 4, seat).rect(4, 6, 8, 1, shade)
        s.rect(3, 6, 10, 6, w2).rect(3, 6, 10, 1, w3).rect(5, 8, 2, 3, w1).rect(9, 8, 2, 3, w1).rect(3, 11, 10, 1, w1)
        return
    s.rect(4, 9, 2, 5, w1).rect(10, 9, 2, 5, w1).rect(3, 4, 10, 5, seat).rect(3, 8, 10, 2, shade)
    if s.facing == "south":
        s.rect(3, -6, 10, 10, w2).rect(3, -6, 10, 2, w3).rect(5, -3, 2, 6, w1).rect(9, -3, 2, 6, w1)
    elif s.facing == "east":
        s.rect(2, -6, 3, 13, w2).rect(2, -6, 1, 13, w3).rect(2, -6, 3, 1, w3).rect(2, 7, 2, 7, w1)
    else:
        s.rect(11, -6, 3, 13, w2).rect(11, -6, 1, 13, w3).rect(11, -6, 3, 1, w3).rect(12, 7, 2, 7, w1)


@draws("cafe seating", rise=10, foot=4)
def cafe_chair(s: Stage) -> None:
    """A bentwood chair with a red cushion."""
    chair(s, "wood", "red3", "red2")


@draws("class seating", rise=10, foot=4)
def class_chair(s: Stage) -> None:
    """A plain wooden chair."""
    chair(s, "wood", "wood4", "wood3")


@draws("chair", rise=10, foot=4)
def plain_chair(s: Stage) -> None:
    """A chair with a green cushion."""
    chair(s, "wood", "green3", "green2")


@draws("pub seating", rise=6, foot=4)
def stool(s: Stage) -> None:
    """A round stool with a leather seat; at a table, a chair of dark wood."""
    s.rect(5, 6, 2, 8, "wood1").rect(9, 6, 2, 8, "wood1").rect(5, 10, 6, 1, "wood2")
    s.oval(3, 1, 10, 7, "red1").oval(3, 0, 10, 6, "red2").oval(4, 1, 5, 2, "red3").rect(4, 5, 8, 1, "gold1")


@draws("behind the counter", rise=0, foot=-1, outlined=False, shadow=False)
def mat(s: Stage) -> None:
    """A mat to stand on, flat on the floor."""
    s.rect(1, 1, s.W - 2, s.H - 2, "red1").frame(1, 1, s.W - 2, s.H - 2, "red0").frame(3, 3, s.W - 6, s.H - 6, "gold1")
    for y in range(6, s.H - 5, 4):
        for x in range(6 + (y // 4) % 2 * 2, s.W - 5, 4):
            s.dots("red2", (x, y))


@draws("counter", rise=10)
def counter(s: Stage) -> None:
    """A shop counter with a till, scales, jars."""
    w, h = s.W, s.H
    s.rect(0, -8, w, h - 4, "wood4").rect(0, -8, w, 1, "cream1").rect(0, -8, 1, h - 4, "cream1").rect(0, h - 13, w, 1, "wood3")
    s.rect(0, h - 12, w, 11, "wood2").rect(0, h - 2, w, 1, "wood1").rect(w - 1, -8, 1, h + 7, "wood2")
    for x in range(2, w - 6, 16):
        s.frame(x, h - 10, 12, 7, "wood1").rect(x + 1, h - 9, 10, 1, "wood3")
    if h >= w:
        _till(s, 3, -6)
        for y in range(14, h - 18, 16):
            _jars(s, 3, y, y // 16)
        return
    _till(s, 3, -12)
    for x in range(20, w - 10, 14):
        _jars(s, x, -10, x // 14)


def _till(s: Stage, x: int, y: int) -> None:
    s.rect(x, y, 10, 4, "slate2").rect(x, y, 10, 1, "slate3").rect(x, y + 4, 10, 5, "slate1").rect(x + 1, y + 1, 6, 2, "teal2")
    s.dots("cream3", (x + 2, y + 6), (x + 4, y + 6), (x + 6, y + 6)).rect(x, y + 8, 10, 1, "slate0")


def _jars(s: Stage, x: int, y: int, n: int) -> None:
    bright, dark = GOODS[(n + s.variant) % 8]
    s.rect(x, y, 5, 7, "blue4").rect(x, y + 2, 5, 5, bright).rect(x + 4, y + 2, 1, 5, dark).rect(x, y - 1, 5, 1, "wood2")
    s.rect(x, y, 5, 1, "cream3")
    bright, dark = GOODS[(n + s.variant + 3) % 8]
    s.rect(x + 6, y + 2, 4, 5, bright).rect(x + 9, y + 2, 1, 5, dark).rect(x + 6, y + 1, 4, 1, "gold1")


@draws("shop shelf", rise=10)
def goods(s: Stage) -> None:
    """A low rack of goods, open to the front."""
    w, b = s.W, s.H - 1
    s.rect(0, -9, w, 6, "wood4").rect(0, -9, w, 1, "cream1").rect(0, -3, w, b + 3, "wood2").rect(w - 1, -3, 1, b + 3, "wood1")
    for x in range(2, w - 4, 6):
        n = pick(x, s.variant, 221, 8)
        bright, dark = GOODS[n]
        s.rect(x, -11, 4, 6, bright).rect(x + 3, -11, 1, 6, dark).rect(x, -12, 4, 1, dark)
    for level, y in enumerate((-1, 7)):
        s.rect(1, y, w - 2, 6, "wood0").rect(1, y + 6, w - 2, 1, "wood3")
        for x in range(2, w - 3, 5):
            n = pick(x + 50 * level, s.variant, 223, 16)
            bright, dark = GOODS[n % 8]
            tall = 4 + n % 2
            s.rect(x, y + 6 - tall, 4, tall, bright).rect(x + 3, y + 6 - tall, 1, tall, dark).dots("cream3", (x, y + 7 - tall))


@draws("bottle shelf", rise=16)
def bottles(s: Stage) -> None:
    """Bottles in rows before a mirror."""
    w, b = s.W - 2, s.H - 4
    s.rect(1, -15, w, 3, "wood3").rect(1, -15, w, 1, "wood4").rect(1, -12, w, b + 12, "wood1")
    levels = max(2, (b + 10) // 10)
    for level in range(levels):
        y = -11 + level * ((b + 11) // levels)
        s.rect(2, y, w - 2, 8, "slate1").rect(2, y + 8, w - 2, 1, "wood3")
        for x in range(3, w - 1, 3):
            n = pick(x, level + s.variant, 225, 6)
            bright, dark = (
                ("green2", "green1"),
                ("gold2", "gold1"),
                ("red2", "red1"),
                ("blue3", "blue2"),
                ("cream2", "cream0"),
                ("teal1", "teal0"),
            )[n]
            s.rect(x, y + 3, 2, 5, bright).dots(dark, (x + 1, y + 7), (x + 1, y + 6)).dots(bright, (x, y + 2))
            s.dots("cream3", (x, y + 4))


@draws("crate", rise=6)
def crate(s: Stage) -> None:
    """A crate: what is drawn for kinds that nobody has drawn yet."""
    s.box(1, -3, s.W - 2, s.H - 8, 9, "wood")
    for x in range(2, s.W - 2, 4):
        s.rect(x, s.H - 10, 1, 8, "wood1").rect(x, -2, 1, s.H - 10, "wood2")
    s.frame(1, -3, s.W - 2, s.H - 8, "wood2")
