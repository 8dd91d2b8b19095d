"""What lies on a thing in some states: papers, books, a game, plates, dishes, treats, flowers, a sign, a cat.

Each function draws on a Stage; things lie on the upper face, which most furniture has between `TOP` and `_front`.
"""

from __future__ import annotations

from collections.abc import Iterator

from viewer.art.noise import pick
from viewer.art.stage import Stage

NAMES = ("papers", "books", "game", "plates", "dishes", "treats", "flowers", "sign", "cat")
TOP = -3
CAT = (
    ("..d....d..", "..od..do..", "..oooooo..", ".ooeooeoo.", ".oooppooo.", "..oooooo..", ".oocccoooo", ".oocccooo.o",
     ".ooooooo..o", ".dooodoo.oo"),
    ("..d....d..", "..od..do..", "..oooooo..", ".ooeooeoo.", ".oooppooo.", "..oooooo..", ".oocccoo..", ".oocccooo..",
     ".oooooooooo", ".dooodoo.."),
)  # fmt: skip
FUR = {"o": "gold1", "d": "gold0", "c": "cream3", "e": "night0", "p": "rose1"}


def _front(s: Stage) -> int:
    """Where the upper face ends."""
    return max(5, s.H - 11)


def _places(s: Stage, width: int, height: int, apart: int, salt: int) -> Iterator[tuple[int, int, int]]:
    """(x, y, number) of things of a size strewn over the upper face, no two on one spot."""
    columns, rows = max(1, (s.W - 2) // (width + apart)), max(1, (_front(s) - TOP) // (height + 1))
    for row in range(rows):
        for column in range(columns):
            k = row * columns + column
            x = 2 + column * (s.W - 2) // columns + pick(k, s.variant, salt, max(1, apart))
            y = TOP + row * (_front(s) - TOP) // rows + pick(k, s.variant, salt + 2, 2)
            yield min(x, s.W - width - 1), y, k


def papers(s: Stage) -> None:
    """Sheets, written on, a few askew."""
    for x, y, k in _places(s, 5, 4, 1, 301):
        s.rect(x, y, 5, 4, "cream3").rect(x, y + 3, 5, 1, "cream0").rect(x + 1, y + 1, 3 - k % 2, 1, "slate2")
        if k % 3 == 0:
            s.rect(x + 1, y - 1, 5, 3, "cream2").rect(x + 2, y, 3, 1, "blue1")


def books(s: Stage) -> None:
    """Piles of books."""
    bindings = (("red2", "red1"), ("blue2", "blue1"), ("green2", "green1"), ("gold2", "gold1"), ("plum1", "plum0"))
    for x, y, k in _places(s, 6, 5, 3, 305):
        for level in range(1 + pick(k, s.variant, 307, 3)):
            bright, dark = bindings[(k + level + s.variant) % 5]
            s.rect(x + level % 2, y + 3 - 2 * level, 6, 2, bright).rect(x + level % 2, y + 4 - 2 * level, 6, 1, dark)
            s.dots("cream3", (x + 5 + level % 2, y + 3 - 2 * level))


def game(s: Stage) -> None:
    """A board of squares with men of two colours."""
    x, y = s.W // 2 - 6, TOP + (_front(s) - TOP) // 2 - 5
    s.rect(x - 1, y - 1, 14, 10, "wood0").rect(x, y, 12, 8, "cream2")
    for j in range(4):
        for i in range(6):
            if (i + j) % 2:
                s.rect(x + 2 * i, y + 2 * j, 2, 2, "wood2")
    s.dots("red2", (x + 1, y), (x + 5, y), (x + 8, y + 3)).dots("slate0", (x + 3, y + 6), (x + 7, y + 7), (x + 10, y + 5))
    s.rect(x + 13, y + 5, 2, 2, "cream3")


def plates(s: Stage) -> None:
    """Laid: plates with something on them, a fork beside each."""
    food = (("gold2", "green3"), ("red3", "green2"), ("gold3", "red2"), ("wood3", "cream2"))
    for x, y, k in _places(s, 8, 5, 4, 311):
        bright, green = food[(k + s.variant) % 4]
        s.oval(x, y, 7, 5, "cream3").oval(x + 1, y + 1, 5, 3, "slate3").rect(x + 2, y + 1, 2, 2, bright).dots(
            green, (x + 4, y + 2)
        )
        s.rect(x + 8, y, 1, 4, "slate3")


def dishes(s: Stage) -> None:
    """Dishes in tottering piles."""
    for x, y, k in _places(s, 8, 8, 2, 313):
        for level in range(2 + k % 2):
            s.oval(x + level % 2, y + 3 - 2 * level, 8, 4, "cream1").oval(x + level % 2, y + 2 - 2 * level, 8, 4, "cream3")
        s.dots("wood2", (x + 3, y - 1), (x + 4, y))


def treats(s: Stage) -> None:
    """A cake on its stand, buns beside it."""
    x, y = s.W // 2 - 5, TOP - 6
    s.oval(x - 1, y + 7, 12, 4, "cream3").rect(x + 1, y + 4, 8, 5, "rose1").rect(x + 1, y + 4, 8, 2, "cream3").rect(
        x + 8, y + 6, 1, 3, "rose0"
    )
    s.dots("red2", (x + 2, y + 3), (x + 5, y + 3), (x + 8, y + 3)).dots("cream3", (x + 3, y + 6), (x + 6, y + 6))
    for i, (bx, by, _) in enumerate(_places(s, 4, 4, 8, 317)):
        if abs(bx - x) > 11 or by > y + 12:
            s.oval(bx, by, 5, 4, "gold2").dots("gold3", (bx + 1, by)).dots("red2" if i % 2 else "wood1", (bx + 2, by + 1))


def flowers(s: Stage) -> None:
    """A bunch in a jug."""
    x, y = s.W // 2 - 3, TOP - 2
    s.rect(x, y, 6, 6, "blue3").rect(x, y, 6, 1, "blue4").rect(x + 5, y + 1, 1, 5, "blue1")
    for i, (dx, dy) in enumerate(((-2, -4), (1, -6), (4, -5), (6, -3), (2, -3), (-1, -1))):
        s.line(x + 2, y, x + dx + 1, y + dy + 2, "green2")
        s.rect(x + dx, y + dy, 3, 3, ("rose1", "red2", "gold3", "plum2", "cream3", "rose2")[(i + s.variant) % 6])
        s.dots("gold3", (x + dx + 1, y + dy + 1))


def sign(s: Stage) -> None:
    """A paper notice hung on the front."""
    x, y = s.W // 2 - 5, max(0, s.H - 15)
    s.rect(x - 1, y - 1, 12, 10, "wood0").rect(x, y, 10, 8, "cream3").rect(x + 1, y + 2, 8, 1, "red2").rect(
        x + 1, y + 4, 6, 1, "slate1"
    )
    s.rect(x + 1, y + 6, 7, 1, "slate1").dots("red2", (x + 5, y))


def cat(s: Stage) -> None:
    """A ginger cat that swings its tail."""
    x, y = s.W // 2 - 5, (TOP if s.H <= 16 else s.H // 2 - 8) - 6
    s.oval(x, y + 8, 11, 3, "shadow").rows(x, y, CAT[s.tick // 2 % 2], FUR)
