"""Desks, boards, easels, instruments and games: where people work and play."""

from __future__ import annotations

from viewer.art.stage import Stage, draws


def _desk(s: Stage) -> None:
    w, b = s.W, s.H - 2
    s.rect(1, -3, w - 2, b - 5, "wood3").rect(1, -3, w - 2, 1, "wood4").rect(1, b - 8, w - 2, 8, "wood2")
    s.rect(1, b - 8, w - 2, 1, "wood1").rect(w - 2, b - 8, 1, 8, "wood1")
    s.rect(2, b - 6, 5, 5, "wood3").dots("gold3", (4, b - 4)).rect(8, b - 6, max(1, w - 11), 6, "wood0")
    s.rect(1, b - 1, 7, 1, "wood1")


@draws("desk", rise=10)
def desk(s: Stage) -> None:
    """A writing desk: papers, ink, a lamp, books."""
    _desk(s)
    s.rect(4, 0, 6, 4, "cream3").rect(5, 1, 4, 1, "cream0").rect(5, 3, 3, 1, "cream0").dots("blue1", (11, 2), (11, 3))
    s.line(10, 4, 12, 1, "wood0")
    s.rect(11, -9, 4, 3, "green2").rect(11, -9, 4, 1, "green3").rect(13, -6, 1, 5, "gold1").rect(12, -1, 3, 1, "gold2")
    s.rect(1, -6, 4, 3, "red2").rect(1, -6, 4, 1, "cream2").rect(1, -8, 4, 2, "blue1")
    if s.H > 16:
        s.rect(3, 9, 8, 6, "gold2").rect(4, 10, 6, 1, "gold3").rect(4, 12, 4, 1, "gold1")


def _screen(s: Stage, x: int, y: int) -> None:
    s.rect(x, y, 11, 8, "slate0").rect(x, y, 11, 1, "slate2").rect(x + 1, y + 1, 9, 6, "blue2" if s.on() else "slate1")
    s.rect(x + 4, y + 8, 3, 2, "slate1").rect(x + 3, y + 10, 5, 1, "slate2")
    if s.on():
        for k, length in enumerate((6, 4, 7)):
            s.rect(x + 2, y + 2 + k * 2 - (1 if k else 0), (length + s.tick) % 7 + 1, 1, "blue4")
    else:
        s.dots("slate3", (x + 2, y + 2), (x + 3, y + 2), (x + 2, y + 3))


@draws("computer desk", "computer", rise=12)
def computer(s: Stage) -> None:
    """A desk with a screen, a keyboard, a mug; a broad one has a tower and a plant too."""
    _desk(s)
    x = s.W // 2 - 6
    _screen(s, x, -10)
    s.rect(x + 1, 2, 9, 3, "cream2").rect(x + 1, 4, 9, 1, "cream0")
    s.dots("slate1", (x + 2, 2), (x + 4, 2), (x + 6, 2), (x + 8, 2), (x + 3, 3), (x + 5, 3), (x + 7, 3))
    if s.W > 16:
        s.rect(2, -6, 5, 9, "slate3").rect(6, -6, 1, 9, "slate2").dots("green3", (3, -4)).rect(s.W - 7, -2, 4, 4, "red3")
        s.oval(s.W - 8, -8, 7, 7, "green2").dots("green3", (s.W - 7, -6), (s.W - 5, -7))


@draws("easel", rise=16)
def easel(s: Stage) -> None:
    """A canvas on three legs; while somebody paints, a landscape comes to be on it."""
    s.line(3, 12, 6, -12, "wood2").line(12, 12, 9, -12, "wood2").line(4, 12, 7, -12, "wood3").rect(7, -14, 2, 4, "wood2")
    s.rect(2, -10, 12, 14, "cream3").rect(13, -10, 1, 14, "cream1").rect(2, 3, 12, 1, "cream1")
    if "picture" in s.shows or s.on():
        s.rect(3, -9, 10, 12, "blue4").rect(3, -4, 10, 4, "green3").rect(3, 0, 10, 3, "green2")
        s.rect(9, -8, 3, 3, "gold3").rect(5, -6, 3, 3, "plum2").dots("red2", (5, 1), (8, 1)).dots("gold3", (10, 1))
    else:
        s.line(4, -3, 7, -6, "cream1").line(7, -6, 11, -2, "cream1").line(4, 0, 11, 0, "cream1")
    s.rect(1, 4, 14, 2, "wood3").rect(1, 5, 14, 1, "wood1").dots("red2", (3, 3)).dots("blue2", (5, 3))


@draws("piano", rise=16)
def piano(s: Stage) -> None:
    """An upright piano with its keys, candles and a sheet of music."""
    w = s.W
    s.rect(0, -14, w, 4, "wood2").rect(0, -14, w, 1, "wood3").rect(0, -10, w, 12, "wood1").rect(0, -10, w, 1, "wood0")
    s.rect(2, -8, w - 4, 8, "wood2").frame(2, -8, w - 4, 8, "wood0")
    s.rect(0, 1, w, 5, "wood1").rect(1, 1, w - 2, 4, "cream3").rect(1, 4, w - 2, 1, "cream1")
    for x in range(3, w - 2, 2):
        if (x // 2) % 4:
            s.rect(x, 1, 1, 2, "wood0")
    s.rect(0, 6, w, 7, "wood1").rect(0, 6, w, 1, "wood2").rect(2, 8, w - 4, 5, "wood0").rect(w // 2 - 1, 11, 2, 2, "gold2")
    s.rect(w // 2 - 5, -9, 10, 7, "cream3").rect(w // 2, -9, 1, 7, "cream1")
    s.dots("wood0", (w // 2 - 3, -7), (w // 2 - 2, -5), (w // 2 + 2, -6), (w // 2 + 3, -4))
    for x in (3, w - 5):
        s.rect(x, -17 + 4, 2, 4, "cream2").dots("gold3", (x, -14))
    if s.on():
        s.rows(w - 6 + s.tick % 2, -16, (".nn", ".n.", "nn."), {"n": "plum1"})


@draws("microphone", rise=14)
def microphone(s: Stage) -> None:
    """A microphone on its stand in a round of light."""
    s.oval(1, 6, 14, 8, "glow").rect(7, -6, 2, 16, "slate2").rect(7, -6, 1, 16, "slate3").rect(4, 9, 8, 3, "slate1")
    s.rect(5, 9, 6, 1, "slate2")
    s.oval(5, -13, 6, 7, "slate2").oval(6, -12, 3, 3, "slate3").rect(5, -8, 6, 1, "gold2").rect(6, -7, 4, 2, "slate0")


@draws("pool table", rise=6)
def pool(s: Stage) -> None:
    """Green cloth in a wooden rim, pockets, balls, a cue."""
    w, h = s.W, s.H
    s.rect(3, h - 7, 4, 6, "wood0").rect(w - 7, h - 7, 4, 6, "wood0")
    s.rect(0, -4, w, h - 5, "wood2").rect(0, -4, w, 1, "wood4").rect(0, h - 9, w, 5, "wood1").rect(0, h - 9, w, 1, "wood3")
    s.rect(0, h - 5, w, 1, "wood0")
    s.rect(3, -1, w - 6, h - 11, "green2").rect(3, -1, w - 6, 1, "green1").rect(3, -1, 1, h - 11, "green1")
    s.rect(4, h - 13, w - 8, 1, "green3")
    for x in (2, w // 2 - 2, w - 6):
        s.rect(x, -2, 4, 3, "wood0").rect(x, h - 13, 4, 3, "wood0")
    for k, colour in enumerate(("red2", "gold3", "blue1", "cream3", "plum1", "red1")):
        x, y = w // 2 + 3 + (k % 3) * 4 - (k // 3), 3 + (k // 3) * 5 + (k % 2) * 2
        s.rect(x, y, 3, 3, colour).dots("cream3", (x, y))
    s.rect(10, 7, 3, 3, "cream3").line(12, 14, w // 2 - 3, 5, "cream1")


@draws("blackboard", rise=18, own=("papers", "books", "picture"))
def blackboard(s: Stage) -> None:
    """A blackboard hung on the wall behind, chalk on its ledge; wiped clean, traces of the sponge."""
    w = s.W
    s.rect(0, -15, w, 16, "wood3").rect(0, -15, w, 1, "wood4").rect(1, -14, w - 2, 13, "pine0").rect(1, -14, w - 2, 1, "night0")
    s.rect(0, 0, w, 2, "wood2").rect(0, 2, w, 1, "wood1")
    if not {"used", "papers", "picture", "books"} & set(s.shows):
        for x in range(4, w - 12, 18):
            s.line(x, -5, x + 9, -10, "pine1").line(x + 2, -4, x + 11, -9, "pine1")
    elif w > 16:
        s.line(5, -9, 15, -9, "cream2").line(5, -6, 12, -6, "slate3").oval(w // 2 - 4, -12, 9, 9, "cream2")
        s.oval(w // 2 - 3, -11, 7, 7, "pine0").line(w // 2, -8, w // 2 + 3, -10, "cream2")
        s.line(w - 22, -4, w - 8, -11, "gold3").line(w - 22, -4, w - 22, -12, "cream2").line(w - 22, -4, w - 7, -4, "cream2")
    else:
        s.line(3, -11, 9, -11, "cream2").line(3, -8, 11, -8, "slate3").line(3, -5, 7, -5, "cream2")
        s.dots("gold3", (11, -5), (12, -5))
    s.dots("cream3", (3, 0), (4, 0), (w - 5, 0)).dots("rose1", (6, 0)).rect(2, 3, 2, 9, "wood2").rect(w - 4, 3, 2, 9, "wood2")


@draws("podium", rise=10)
def podium(s: Stage) -> None:
    """A lectern with an open book."""
    s.rect(3, 0, 10, 13, "wood2").rect(3, 0, 1, 13, "wood3").rect(12, 0, 1, 13, "wood1").frame(5, 4, 6, 6, "wood1")
    s.rect(2, 12, 12, 1, "wood1")
    s.rect(1, -7, 14, 7, "wood3").rect(1, -7, 14, 1, "wood4").rect(1, 0, 14, 1, "wood1").rect(3, -5, 4, 4, "cream3")
    s.rect(8, -5, 4, 4, "cream3").rect(7, -5, 1, 4, "cream1").dots("cream0", (4, -4), (5, -3), (9, -4), (10, -3))


@draws("library table", rise=6)
def reading_table(s: Stage) -> None:
    """A long table with green lamps and open books, benches along it."""
    w, h = s.W, s.H
    s.rect(2, h - 6, 3, 5, "wood0").rect(w - 5, h - 6, 3, 5, "wood0").rect(0, -4, w, h - 4, "wood2").rect(0, -4, w, 1, "wood4")
    s.rect(0, h - 8, w, 5, "wood1").rect(0, h - 8, w, 1, "wood3").rect(0, h - 4, w, 1, "wood0")
    s.rect(3, -2, w - 6, h - 8, "green1").frame(3, -2, w - 6, h - 8, "gold1")
    for x in range(5, w - 12, 16):
        y = 2 + (x // 16 + s.variant) % 2 * 7
        s.rect(x, y, 4, 5, "cream3").rect(x + 5, y, 4, 5, "cream3").rect(x + 4, y, 1, 5, "cream0")
        s.dots("slate2", (x + 1, y + 1), (x + 2, y + 3), (x + 6, y + 1), (x + 7, y + 3))
        s.rect(x + 1, (h - 10) // 2 - 6 + (3 if h > 16 else 0) + 9, 6, 2, "red2") if (x // 16) % 2 else s.rect(
            x + 2, h - 15, 5, 2, "blue1"
        )
    s.rect(w // 2 - 3, -6, 7, 3, "green3").rect(w // 2 - 3, -6, 7, 1, "green4").rect(w // 2, -3, 1, 5, "gold2")
    s.rect(w // 2 - 1, 2, 3, 1, "gold2").oval(w // 2 - 4, 2, 9, 3, "glow")


@draws("workbench", rise=10)
def workbench(s: Stage) -> None:
    """A bench with a vice, a saw, shavings."""
    w, b = s.W, s.H - 2
    s.rect(1, -4, w - 2, b - 4, "wood4").rect(1, -4, w - 2, 1, "cream1").rect(1, b - 8, w - 2, 3, "wood2")
    s.rect(2, b - 5, 3, 5, "wood1").rect(w - 5, b - 5, 3, 5, "wood1").rect(4, b - 3, w - 8, 1, "wood1")
    s.rect(w - 6, -7, 5, 4, "slate2").rect(w - 6, -7, 5, 1, "slate3").rect(w - 4, -3, 1, 3, "slate1").line(2, 3, 8, 0, "slate3")
    s.line(2, 4, 8, 1, "slate2").rect(8, -1, 3, 3, "red2")
    s.dots("cream3", (5, -2), (6, -2), (10, 4), (11, 3), (3, -1)).rect(3, -8, 2, 4, "wood2").rect(2, -9, 4, 2, "slate2")
