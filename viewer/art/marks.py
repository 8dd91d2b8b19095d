"""Parts of the window drawn in the town's palette: speech bubbles, mouse pointers, marks in the town.

bubble    a rounded box with a tail, for a given size of content
cursor    arrow, hand, move, inject
marker    followed, talk, spark, pin
"""

from __future__ import annotations

from viewer.art.canvas import Canvas

MARGIN, TAIL = 6, 5
STYLES = {"talk": ("cream3", "cream1", "wood1"), "thought": ("blue4", "blue3", "blue0"), "news": ("slate1", "slate0", "night0")}
POINTERS = {
    "arrow": ("o...........", "oo..........", "oco.........", "occo........", "occco.......", "occcco......", "occccco.....",
              "occcccco....", "occccccco...", "occcccoooo..", "occocco.....", "oco.occo....", "oo..occo....", ".....oo....."),
    "hand": (".....oo.....", "....occo....", "....occo....", "....occo....", "....occooo..", ".oo.occocoo.", "occooccococo",
             "ocococcccoco", ".occccccccco", "..occccccco.", "..occccccco.", "...occccco..", "...ooooooo.."),
    "move": (".....oo.....", "....occo....", "...occcco...", "....occo....", "..o.occo.o..", ".oc.occo.co.", "occcccccccco",
             "occcccccccco", ".oc.occo.co.", "..o.occo.o..", "...occcco...", "....occo....", ".....oo....."),
    "inject": ("....oooo....", "...oggggo...", "...oghhgo...", "...oghhgo...", "...oghhgo...", "...oghhgo...", "...oggggo...",
               "....oooo....", "....oggo....", "....oggo....", "....oooo...."),
}  # fmt: skip
SPARK = (("..w..", ".wyw.", "wyyyw", ".wyw.", "..w.."), (".....", "..w..", ".wyw.", "..w..", "....."))


def bubble(width: int, height: int, style: str, tail: bool) -> Canvas:
    """See `Atlas.bubble`."""
    fill, shade, rim = STYLES.get(style, STYLES["talk"])
    w, h = width + 2 * MARGIN, height + 2 * MARGIN
    c = Canvas(w, h + TAIL)
    c.rect(2, 0, w - 4, h, rim).rect(0, 2, w, h - 4, rim).rect(1, 1, w - 2, h - 2, rim)
    c.rect(2, 1, w - 4, h - 2, fill).rect(1, 2, w - 2, h - 4, fill)
    c.rect(2, h - 2, w - 4, 1, shade).rect(w - 2, 2, 1, h - 4, shade)
    middle = w // 2
    if tail and style == "thought":
        c.oval(middle - 2, h, 4, 3, rim).dots(fill, (middle - 1, h + 1), (middle, h + 1))
        c.dots(rim, (middle - 3, h + 4), (middle - 2, h + 4))
    elif tail:
        for j in range(TAIL):
            half = TAIL - 1 - j
            c.rect(middle - half, h - 1 + j, 2 * half + 1, 1, rim)
            if half > 1:
                c.rect(middle - half + 1, h - 1 + j, 2 * half - 1, 1, fill)
            elif half == 1:
                c.dots(fill, (middle, h - 1 + j))
    return c


def cursor(name: str) -> Canvas:
    """See `Atlas.cursor`."""
    lines = POINTERS.get(name, POINTERS["arrow"])
    return Canvas(12, 14).rows(0, 0, lines, {"o": "wood0", "c": "cream3", "g": "gold2", "h": "gold3"})


def marker(name: str, frame: int) -> Canvas:
    """See `Atlas.marker`."""
    if name == "talk":
        c = (
            Canvas(13, 9)
            .rect(1, 0, 11, 7, "wood1")
            .rect(0, 1, 13, 5, "wood1")
            .rect(1, 1, 11, 5, "cream3")
            .dots("wood1", (5, 7), (6, 7), (7, 7), (6, 8))
        )
        for k in range(3):
            c.rect(3 + 3 * k, 3 - (1 if k == frame % 4 else 0), 2, 2, "wood2")
        return c
    if name == "spark":
        return Canvas(7, 7).rows(1, 1, SPARK[frame % 2], {"w": "cream3", "y": "gold3"}).outline()
    if name == "pin":
        c = Canvas(11, 15).oval(1, 1, 9, 9, "red2").oval(3, 3, 3, 3, "rose2").rect(4, 9, 3, 2, "red1").rect(5, 11, 1, 3, "red0")
        return c.outline()
    c = Canvas(20, 20)
    inset = 1 if frame % 4 in (1, 2) else 0
    for x, sx in ((inset, 1), (19 - inset, -1)):
        for y, sy in ((inset, 1), (19 - inset, -1)):
            for k in range(5):
                c.dots("gold3", (x + sx * k, y), (x, y + sy * k))
                c.dots("gold1", (x + sx * k, y + sy), (x + sx, y + sy * k)) if k > 0 else None
    return c
