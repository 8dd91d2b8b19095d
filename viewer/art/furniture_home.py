"""Bedrooms, living rooms and bathrooms: each function draws the kinds it is registered for on a `Stage`.

Light from the north-west: upper faces a tone lighter, right rims a tone darker. Lower rims stand a few pixels off the
tile's, for most things stand against a wall to the north.
"""

from __future__ import annotations

from viewer.art.noise import pick
from viewer.art.stage import Stage, draws

COVERS = (("blue0", "blue1", "blue2", "blue3"), ("red0", "red1", "red2", "red3"), ("green0", "green1", "green2", "green3"),
          ("plum0", "plum1", "plum2", "rose2"), ("teal0", "teal1", "teal1", "teal2"), ("gold0", "gold1", "gold2", "gold3"),
          ("rose0", "rose1", "rose2", "rose2"), ("slate0", "slate1", "slate2", "slate3"))  # fmt: skip


@draws("bed", "double bed", rise=10, foot=6)
def bed(s: Stage) -> None:
    """Headboard, pillows, a turned-down sheet, a patched cover, a foot end."""
    _, shade, cover, light = COVERS[s.variant % 8]
    w, h = s.W, s.H
    s.rect(1, -7, w - 2, 12, "wood2").rect(1, -7, w - 2, 2, "wood4").rect(1, -5, w - 2, 1, "wood3")
    s.rect(w - 2, -5, 1, 10, "wood1")
    s.rect(0, -8, 3, 14, "wood3").rect(w - 3, -8, 3, 14, "wood2").rect(0, -9, 3, 2, "wood4").rect(w - 3, -9, 3, 2, "wood4")
    s.rect(1, 1, w - 2, h - 7, "cream3").rect(w - 2, 1, 1, h - 7, "cream1")
    for k in range(w // 16):
        x = 16 * k
        s.rect(x + 3, 1, 10, 6, "cream3").rect(x + 3, 6, 10, 1, "cream1").rect(x + 3, 1, 10, 1, "cream2")
        s.dots("cream1", (x + 12, 2), (x + 12, 3), (x + 12, 4), (x + 12, 5), (x + 2, 5))
    s.rect(1, 8, w - 2, 3, "cream2").rect(1, 11, w - 2, 1, "cream0")
    s.rect(1, 12, w - 2, h - 18, cover).rect(1, 12, 1, h - 18, light).rect(w - 2, 12, 1, h - 18, shade)
    for j in range(15, h - 8, 6):
        for i in range(3 + (j // 6) % 2 * 4, w - 3, 8):
            s.rect(i, j, 2, 2, light).dots(shade, (i + 1, j + 1))
    s.rect(1, h - 7, w - 2, 2, shade).rect(0, h - 6, w, 5, "wood2").rect(0, h - 6, w, 1, "wood4").rect(0, h - 2, w, 1, "wood1")
    s.rect(w - 1, h - 6, 1, 5, "wood1")
    if {"dirty", "used", "rumpled"} & set(s.shows):
        s.rect(3, 9, w - 7, 7, "cream3").rect(3, 15, w - 9, 2, "cream1").rect(w - 8, 10, 5, 8, cover)
        s.rect(w - 8, 10, 1, 9, light).rect(4, 17, w - 7, 2, shade).line(5, 11, w - 10, 14, "cream1")
        for k in range(w // 16):
            s.dots("cream0", (16 * k + 6, 4), (16 * k + 7, 3), (16 * k + 9, 4))


@draws("closet", rise=14)
def closet(s: Stage) -> None:
    """A wardrobe with two doors; open, coats show."""
    w, b = s.W - 2, s.H - 3
    s.rect(1, -12, w, 4, "wood4").rect(1, -12, w, 1, "cream1").rect(1, -8, w, b + 8, "wood2").rect(1, -8, w, 1, "wood3")
    s.rect(w, -8, 1, b + 8, "wood1")
    half = w // 2
    for x in (2, half + 1):
        s.rect(x, -6, half - 1, b + 3, "wood3").frame(x + 1, -5, half - 3, 8, "wood2").frame(x + 1, 4, half - 3, b - 8, "wood2")
        s.rect(x, -6, 1, b + 3, "wood4")
    s.rect(half, -6, 1, b + 3, "wood1").dots("gold3", (half - 1, 3), (half + 2, 3)).rect(1, b - 2, w, 2, "wood1")
    if s.on():
        s.rect(3, -6, w - 4, b + 2, "wood0")
        for k, colour in enumerate(("red2", "blue2", "gold2", "teal1", "plum2")):
            s.rect(4 + 2 * k, -3, 2, 11 + k % 3, colour)


@draws("sofa", "library sofa", rise=8, foot=6)
def sofa(s: Stage) -> None:
    """A sofa of cushions between two arms; one turned away shows its back."""
    dark, shade, mid, light = COVERS[(s.variant + 1) % 8]
    w, h = s.W, s.H
    if s.facing == "north":
        s.rect(0, 2, w, 6, mid).rect(0, 0, 3, 12, light).rect(w - 3, 0, 3, 12, mid).rect(1, 4, w - 2, 10, shade)
        s.rect(1, 4, w - 2, 2, light).rect(1, 13, w - 2, 1, dark)
        return
    s.rect(2, -7, w - 4, 10, mid).rect(2, -7, w - 4, 2, light).rect(w - 3, -5, 1, 8, shade)
    s.rect(2, 2, w - 4, 7, light).rect(2, 8, w - 4, 1, mid).rect(2, 9, w - 4, h - 13, shade).rect(2, h - 5, w - 4, 1, dark)
    for i in range(16, w - 4, 16):
        s.rect(i, -5, 1, 14, shade)
    for x in (0, w - 4):
        s.rect(x, -2, 4, 5, light).rect(x, 3, 4, h - 7, mid).rect(x + 3, -1, 1, h - 4, shade).rect(x, h - 5, 4, 1, dark)
    s.rect(1, h - 4, 2, 2, "wood1").rect(w - 3, h - 4, 2, 2, "wood1")
    pillow = "gold3" if mid != "gold2" else "teal2"
    s.rect(5, -3, 6, 5, pillow).rect(5, 1, 6, 1, "gold2" if pillow == "gold3" else "teal1")


@draws("table", rise=18)
def table(s: Stage) -> None:
    """A table with a runner, a bowl of fruit or a vase, legs and stools tucked under its front."""
    w, h = s.W, s.H
    s.rect(2, h - 8, 3, 6, "wood1").rect(w - 5, h - 8, 3, 6, "wood1")
    s.rect(1, -4, w - 2, h - 6, "wood3").rect(1, -4, w - 2, 1, "wood4").rect(1, -3, 1, h - 8, "wood4")
    for j in range(1, h - 10, 6):
        s.rect(4 + (j * 5) % 9, j, w // 3, 1, "wood2")
    s.rect(1, h - 10, w - 2, 4, "wood2").rect(1, h - 7, w - 2, 1, "wood1").rect(w - 2, h - 10, 1, 4, "wood1")
    middle, y = w // 2, (h - 14) // 2
    if w > 16:
        cloth = ("red2", "teal1", "blue2", "rose1")[s.variant % 4]
        s.rect(middle - 8, -4, 16, h - 6, cloth).rect(middle - 8, -4, 1, h - 6, "cream2")
        s.rect(middle + 7, -4, 1, h - 6, "cream2").rect(middle - 8, h - 10, 16, 3, "cream2")
    if s.variant % 2:
        s.oval(middle - 5, y - 2, 10, 7, "cream2").oval(middle - 4, y - 2, 8, 4, "cream0").rect(middle - 3, y - 4, 3, 3, "red2")
        s.rect(middle, y - 4, 3, 3, "gold2").rect(middle - 1, y - 6, 3, 3, "green3")
        s.dots("red3", (middle - 3, y - 4)).dots("gold3", (middle, y - 4))
    else:
        s.rect(middle - 2, y - 3, 4, 6, "blue2").rect(middle - 2, y - 3, 1, 5, "blue3")
        s.dots("green2", (middle - 1, y - 4), (middle, y - 5), (middle + 1, y - 4))
        s.rect(middle - 4, y - 8, 3, 3, "rose1").rect(middle + 1, y - 9, 3, 3, "gold3").rect(middle - 1, y - 10, 3, 3, "cream3")
        s.dots("red2", (middle - 3, y - 7), (middle, y - 9), (middle + 2, y - 8))


@draws("bathroom sink", rise=16)
def washstand(s: Stage) -> None:
    """A basin under a mirror."""
    s.rect(3, -14, 10, 10, "wood3").rect(4, -13, 8, 8, "blue3")
    s.dots("blue4", (5, -8), (6, -9), (7, -10), (8, -11), (5, -10), (6, -11)).rect(3, -14, 10, 1, "wood4")
    s.rect(2, 0, 12, 5, "cream3").oval(4, 1, 8, 4, "blue3" if s.on() else "slate3").dots("slate2", (7, -1), (8, -1), (8, 0))
    s.rect(2, 5, 12, 2, "slate3")
    s.rect(3, 7, 10, 6, "cream2").rect(12, 5, 1, 8, "cream1").rect(3, 12, 10, 1, "cream1").rect(8, 8, 1, 4, "cream1")
    if s.on():
        s.rect(8, 1, 1, 2, "blue4")


@draws("toilet", rise=8, foot=6)
def toilet(s: Stage) -> None:
    """A cistern, a seat."""
    s.rect(4, -6, 8, 7, "cream3").rect(4, -6, 8, 2, "cream3").rect(4, -4, 8, 1, "slate3").rect(11, -4, 1, 5, "cream1")
    s.dots("gold2", (9, -2), (10, -2))
    s.oval(3, 0, 10, 10, "cream3").oval(5, 2, 6, 6, "slate3").oval(6, 3, 4, 4, "blue3").rect(5, 9, 6, 4, "cream2")
    s.rect(5, 12, 6, 1, "cream0").rect(10, 9, 1, 4, "cream1")


@draws("shower", rise=16, foot=6)
def shower(s: Stage) -> None:
    """A tray, a rail, a curtain drawn aside, water when it runs."""
    s.rect(1, 2, 14, 11, "slate3").rect(1, 2, 14, 1, "cream3").rect(2, 4, 12, 7, "blue4").rect(1, 12, 14, 1, "slate2")
    s.dots("slate1", (7, 8), (8, 8))
    s.rect(1, -14, 1, 17, "slate2").rect(1, -14, 14, 1, "slate3").rect(14, -14, 1, 17, "slate2")
    s.rect(2, -12, 4, 15, "teal2").rect(2, -12, 1, 15, "cream3").rect(4, -12, 1, 15, "teal1").rect(2, 2, 4, 1, "teal1")
    s.rect(9, -11, 3, 1, "slate2").rect(8, -10, 5, 1, "slate2").rect(11, -11, 1, 14, "slate1")
    if s.on():
        for k in range(4):
            s.dots("blue3", *((8 + k, -8 + (j * 3 + s.tick + k * 2) % 14) for j in range(4)))


@draws("guitar", rise=12)
def guitar(s: Stage) -> None:
    """A guitar on its stand."""
    s.rect(4, 9, 8, 2, "slate0").line(5, 10, 3, 13, "slate1").line(10, 10, 12, 13, "slate1")
    s.oval(3, 2, 10, 9, "gold1").oval(4, -3, 8, 7, "gold1").oval(4, 2, 6, 6, "gold2").oval(5, -2, 4, 4, "gold2")
    s.oval(6, 1, 4, 4, "wood0").rect(5, 7, 6, 1, "wood1")
    s.rect(7, -10, 2, 13, "wood1").rect(7, -10, 1, 12, "wood2").rect(6, -12, 4, 3, "wood2").dots("cream2", (5, -11), (10, -11))


@draws("harp", rise=16)
def harp(s: Stage) -> None:
    """A gilded harp."""
    s.rect(3, -14, 2, 25, "gold2").rect(3, -14, 1, 25, "gold3").line(4, -14, 9, -12, "gold2").line(9, -12, 13, -8, "gold2")
    s.line(4, -13, 9, -11, "gold1").line(9, -11, 13, -7, "gold1")
    s.line(13, -7, 6, 9, "gold1").line(14, -7, 7, 9, "gold2").rect(3, 10, 8, 3, "gold1").rect(3, 10, 8, 1, "gold2")
    for k, x in enumerate(range(6, 13, 2)):
        s.line(x, -11 + k, x, 6 - 5 * k, "cream3")
    s.oval(2, -15, 4, 4, "gold3")


@draws("game console", rise=12)
def console(s: Stage) -> None:
    """A television on a low board, a console and two pads."""
    s.rect(1, 3, 14, 4, "wood3").rect(1, 3, 14, 1, "wood4").rect(1, 7, 14, 6, "wood2").rect(8, 8, 1, 4, "wood1")
    s.rect(1, 12, 14, 1, "wood1")
    s.rect(2, -10, 12, 11, "slate0").rect(3, -9, 10, 8, "teal1" if s.on() else "slate1").rect(6, 1, 4, 2, "slate1")
    s.rect(2, -10, 12, 1, "slate2")
    if s.on():
        s.rect(3, -4, 10, 3, "green3").rect(5 + s.tick, -7, 2, 3, "red2").rect(10, -6, 2, 2, "gold3")
    else:
        s.dots("slate3", (4, -8), (5, -8), (4, -7))
    s.rect(3, 4, 5, 2, "slate1").dots("red2", (7, 4)).rect(10, 4, 3, 2, "slate2").dots("gold3", (12, 4))


@draws("lifting weight", rise=8)
def weights(s: Stage) -> None:
    """A barbell on a rack."""
    s.rect(4, -3, 2, 16, "slate2").rect(10, -3, 2, 16, "slate2").rect(3, 12, 4, 1, "slate1").rect(9, 12, 4, 1, "slate1")
    s.rect(4, 6, 8, 4, "red2").rect(4, 6, 8, 1, "red3").rect(4, 9, 8, 1, "red1")
    s.rect(0, -2, 16, 2, "slate3").rect(1, -6, 3, 9, "slate1").rect(12, -6, 3, 9, "slate1").rect(1, -6, 1, 9, "slate2")
    s.rect(12, -6, 1, 9, "slate2")


@draws("shelf", "bookshelf", rise=18)
def shelf(s: Stage) -> None:
    """Shelves of books, with a plant or a trinket between them."""
    w, b = s.W - 2, s.H - 4
    s.rect(1, -17, w, 4, "wood4").rect(1, -17, w, 1, "cream1").rect(1, -13, w, b + 13, "wood2").rect(w, -13, 1, b + 13, "wood1")
    height = b + 11
    boards = max(2, height // 9)
    for level in range(boards):
        top = -11 + level * height // boards
        tall = height // boards - 2
        s.rect(2, top, w - 2, tall, "wood0").rect(2, top + tall, w - 2, 1, "wood3")
        x = 3
        while x < w - 2:
            n = pick(x + 37 * s.variant, level + 5 * s.variant, 211, 90)
            if n > 83 and x < w - 6:
                s.rect(x, top + tall - 3, 3, 3, "red3").rect(x, top + tall - 5, 3, 2, "green3")
                s.dots("green4", (x + 1, top + tall - 6))
                x += 4
                continue
            if n % 11 == 0:
                x += 1
                continue
            colour = ("red2", "blue1", "green2", "gold2", "plum1", "cream2", "teal1", "red1", "blue2", "rose1")[n % 10]
            size = tall - 1 - n % 3
            wide = 2 if n % 4 else 3
            s.rect(x, top + tall - size, wide, size, colour).rect(x + wide - 1, top + tall - size, 1, size, _darker(colour))
            if wide == 3:
                s.dots("gold3", (x, top + tall - size + 2), (x + 1, top + tall - size + 2))
            x += wide
    s.rect(1, b - 2, w, 2, "wood1")


def _darker(colour: str) -> str:
    ramp, tone = colour.rstrip("0123456789"), int(colour[-1])
    return f"{ramp}{max(0, tone - 1)}"
