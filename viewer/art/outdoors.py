"""Gardens, benches, the fountain, the well, the notice board."""

from __future__ import annotations

from viewer.art.noise import pick
from viewer.art.stage import Stage, draws


@draws("garden", rise=6, foot=12, outlined=False, shadow=False)
def vegetables(s: Stage) -> None:
    """One tile of a kitchen garden: two plants of a row, on whatever earth the ground has."""
    n = s.variant % 4
    for x, y in ((1, 3), (9, 6)):
        if n == 0:
            s.oval(x, y, 7, 6, "green1").oval(x, y - 1, 6, 5, "green3").oval(x + 1, y, 3, 3, "green4")
            s.dots("green1", (x + 3, y + 2))
        elif n == 1:
            s.rect(x + 2, y, 2, 5, "red3").dots("red2", (x + 3, y + 4)).line(x + 2, y, x, y - 4, "green3")
            s.line(x + 3, y, x + 3, y - 5, "green2").line(x + 3, y, x + 6, y - 4, "green3")
        elif n == 2:
            s.rect(x + 3, y - 6, 1, 11, "wood3").oval(x + 1, y - 5, 5, 9, "green2")
            s.dots("green3", (x + 2, y - 4), (x + 2, y - 1)).dots("red2", (x + 4, y - 2), (x + 2, y + 1), (x + 4, y + 2))
        else:
            s.oval(x, y, 7, 4, "green2").dots("green3", (x + 1, y), (x + 3, y + 1)).oval(x + 2, y + 1, 5, 4, "gold2")
            s.dots("gold3", (x + 3, y + 1)).dots("gold1", (x + 4, y + 3), (x + 6, y + 3))


@draws("park garden", rise=6, foot=10, outlined=False, shadow=False)
def flowers(s: Stage) -> None:
    """One tile of a flower garden: a loose clump, its colours drifting from tile to tile."""
    petals = (
        ("rose1", "rose2"),
        ("gold3", "gold2"),
        ("plum2", "rose2"),
        ("red2", "red3"),
        ("cream3", "gold3"),
        ("blue2", "blue3"),
        ("rose1", "cream3"),
        ("plum2", "gold3"),
    )[s.variant % 8]
    for k in range(4):
        x, y = 1 + k % 2 * 7 + pick(k, s.variant, 231, 6), k // 2 * 7 + pick(k, s.variant, 233, 6)
        s.dots("green1", (x + 1, y + 3), (x, y + 3)).dots("green2", (x + 1, y + 2), (x + 2, y + 3), (x + 3, y + 2))
        if pick(k, s.variant, 235, 5):
            s.rect(x, y - 1, 3, 2, petals[0]).dots("green1", (x + 1, y + 1)).dots(petals[1], (x + 1, y - 1), (x, y - 1))
        else:
            s.dots("green4", (x, y + 2), (x + 2, y + 1))


@draws("bench", rise=8, foot=4)
def bench(s: Stage) -> None:
    """A park bench of slats with iron ends."""
    w, h = s.W, s.H
    if h > w:
        back = 1 if s.facing == "east" else w - 5
        s.rect(3, 0, w - 6, h - 3, "wood3")
        for y in range(2, h - 4, 4):
            s.rect(3, y, w - 6, 1, "wood2")
        s.rect(back, -6, 4, h - 2, "wood2").rect(back, -6, 1, h - 2, "wood4").rect(3, h - 4, w - 6, 2, "wood1")
        s.rect(3, h - 2, 2, 2, "slate0").rect(w - 5, h - 2, 2, 2, "slate0")
        return
    if s.facing == "north":
        s.rect(1, 3, w - 2, 3, "wood3").rect(1, 2, 2, 12, "slate1").rect(w - 3, 2, 2, 12, "slate1")
        for y in (3, 7):
            s.rect(1, y, w - 2, 3, "wood3").rect(1, y, w - 2, 1, "wood4").rect(1, y + 2, w - 2, 1, "wood1")
        return
    for y in (-6, -2):
        s.rect(1, y, w - 2, 3, "wood3").rect(1, y, w - 2, 1, "wood4").rect(1, y + 2, w - 2, 1, "wood1")
    s.rect(1, 3, w - 2, 6, "wood3").rect(1, 3, w - 2, 1, "wood4").rect(1, 6, w - 2, 1, "wood2").rect(1, 8, w - 2, 1, "wood1")
    for x in (1, w - 3):
        s.rect(x, -7, 2, 20, "slate1").rect(x, 0, 2, 2, "slate2").rect(x, 12, 2, 1, "slate0")


@draws("garden chair", rise=10, foot=4)
def garden_chair(s: Stage) -> None:
    """A deck chair of white slats with a cushion."""
    s.rect(3, -6, 10, 10, "cream3").rect(5, -5, 1, 9, "cream1").rect(8, -5, 1, 9, "cream1").rect(11, -5, 1, 9, "cream1")
    s.rect(3, -6, 10, 1, "cream2")
    s.rect(2, 3, 12, 6, "teal2").rect(2, 8, 12, 1, "teal1").rect(1, 0, 2, 9, "cream3").rect(13, 0, 2, 9, "cream1")
    s.rect(2, 9, 2, 5, "cream1").rect(12, 9, 2, 5, "cream1")


@draws("notice board", rise=16)
def notices(s: Stage) -> None:
    """A board under a little roof, papers pinned to it."""
    s.rect(1, -8, 2, 21, "wood1").rect(13, -8, 2, 21, "wood1").rect(0, -14, 16, 3, "red2").rect(0, -14, 16, 1, "red3")
    s.rect(-1, -11, 18, 2, "red1")
    s.rect(1, -9, 14, 14, "wood3").rect(2, -8, 12, 12, "cream0").rect(1, 4, 14, 1, "wood1")
    s.rect(3, -7, 4, 5, "cream3").rect(8, -7, 5, 4, "gold3").rect(3, -1, 5, 4, "blue4").rect(9, -2, 4, 5, "cream3")
    s.dots("red2", (5, -7), (10, -7), (5, -1), (11, -2))
    s.dots("wood2", (4, -5), (5, -5), (4, -3), (10, 0), (11, 0), (9, -5), (11, -5))


@draws("fountain", rise=18)
def fountain(s: Stage) -> None:
    """A stone basin, a bowl on a column, water that plays."""
    w, h = s.W, s.H
    s.oval(-1, 2, w + 2, h - 3, "stone1").oval(-1, -1, w + 2, h - 4, "stone3").oval(2, 1, w - 4, h - 9, "stone1")
    s.oval(3, 3, w - 6, h - 11, "blue2").oval(5, 4, w - 10, h - 16, "blue3")
    m = w // 2
    s.rect(m - 2, -4, 4, 16, "stone2").rect(m - 2, -4, 1, 16, "stone3").rect(m + 1, -4, 1, 16, "stone1")
    s.oval(m - 8, -8, 16, 8, "stone2").oval(m - 8, -9, 16, 6, "stone3").oval(m - 6, -8, 12, 4, "blue3")
    f = s.tick
    s.rect(m - 1, -15 - f % 2, 2, 8, "blue4").dots("cream3", (m - 1, -15 - f % 2), (m, -16 + f % 2))
    for side in (-1, 1):
        for k in range(4):
            s.dots(
                "blue4" if (k + f) % 2 else "cream3",
                (m + side * (2 + k) - (side > 0), -13 + k * k // 2),
                (m + side * (7 + k // 3) - (side > 0), -4 + 3 * k + f % 3),
            )
    s.dots("cream3", (m - 8 + f, 13), (m + 6 - f, 14), (m + 2, 17)).rect(m - 9 + f, 10, 4, 1, "blue4")
    s.rect(m + 5 - f, 16, 4, 1, "blue4")


@draws("well", rise=20)
def well(s: Stage) -> None:
    """A round well with a tiled roof, a bucket on its rope."""
    w, h = s.W, s.H
    m = w // 2
    s.oval(3, 9, w - 6, h - 12, "stone1").rect(3, 10, w - 6, 9, "stone2").oval(3, 4, w - 6, 14, "stone3")
    s.oval(6, 6, w - 12, 9, "slate0").oval(8, 9, w - 16, 5, "blue1")
    for x, y in ((6, 20), (13, 22), (20, 20), (10, 25), (17, 26)):
        s.rect(x, y, 5, 1, "stone0").rect(x + 4, y - 2, 1, 2, "stone0")
    s.rect(4, -10, 2, 22, "wood2").rect(w - 6, -10, 2, 22, "wood1").rect(6, -4, w - 12, 2, "wood3").rect(m, -4, 1, 9, "cream1")
    s.rect(m - 2, 3, 5, 5, "wood2").rect(m - 2, 4, 5, 1, "slate3")
    s.rect(4, -19, w - 8, 3, "red3").rect(2, -16, w - 4, 4, "red2").rect(0, -12, w, 4, "red2").rect(0, -9, w, 1, "red1")
    for x in range(1, w, 4):
        s.rect(x, -16 + (x // 4) % 2 * 2, 1, 6, "red1")
