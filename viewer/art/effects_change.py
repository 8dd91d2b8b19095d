"""What becomes of a thing itself in some states: snow, ice, cracks, paint, drops, sparks, smell, glow, music, or nothing left.

Each function draws on a Stage, over what is there already.
"""

from __future__ import annotations

import numpy as np

from viewer.art.noise import pick
from viewer.art.palette import number, palette
from viewer.art.stage import Stage

NAMES = ("snow", "ice", "broken", "paint", "watered", "sparks", "smell", "glow", "notes", "gone")


def _upper(s: Stage) -> list[tuple[int, int, int]]:
    """(x, y, depth) in the picture's own pixels: where each column of the thing begins, and how far down it goes."""
    solid = palette().rgba[s.pixels][..., 3] == 255
    return [
        (int(x), int(np.argmax(solid[:, x])), int(solid[:, x].sum())) for x in range(s.width) if solid[:, x].any()
    ]  # fmt: skip


def snow(s: Stage) -> None:
    """A cap of snow on every ledge; flakes."""
    for x, y, deep in _upper(s):
        thick = min(deep, 3 + pick(x // 2, s.variant, 331, 3))
        s.pixels[max(0, y - 1) : y + thick, x] = number("cream3")
        s.pixels[min(y + thick, s.height - 1), x] = number("blue4")
    for k in range(5):
        s.dots("cream3", (pick(k, 3, 333, max(4, s.W)), -12 + (pick(k, 5, 335, 24) + 3 * s.tick) % 24))


def ice(s: Stage) -> None:
    """Blue all over, icicles below the rim, a gleam."""
    frozen = {
        "wood": "blue2",
        "cream": "blue4",
        "gold": "blue3",
        "red": "blue2",
        "green": "teal2",
        "stone": "blue3",
        "slate": "blue3",
    }
    for ramp, colour in frozen.items():
        for tone in range(1, 5):
            name = f"{ramp}{tone}"
            if name in palette().numbers:
                s.pixels[s.pixels == number(name)] = number(colour)
    for k, (x, y, deep) in enumerate(_upper(s)):
        if k % 4 == 1:
            length = 3 + pick(x, s.variant, 337, 4)
            s.pixels[y + min(3, deep) : y + min(3, deep) + length, x] = number("blue4")
    s.dots("cream3", (3 + 2 * s.tick, 1), (4 + 2 * s.tick, 0))


def broken(s: Stage) -> None:
    """A crack from top to bottom, splinters on the ground."""
    x, y = s.W // 2, -4
    for k in range((s.H + 4) // 3):
        step = (-2, 3, -1, 2, -3)[(k + s.variant) % 5]
        s.line(x, y, x + step, y + 3, "night0").line(x + 1, y, x + step + 1, y + 3, "wood0")
        if k % 2:
            s.line(x, y, x - step * 2, y + 2, "night0")
        x, y = x + step, y + 3
    for k in range(4 + s.W // 8):
        sx, sy = pick(k, s.variant, 341, max(4, s.W - 3)), s.H - 5 + pick(k, s.variant, 343, 4)
        s.rect(sx, sy, 3, 2, ("cream3", "wood3", "slate3")[k % 3]).dots("wood0", (sx + 2, sy + 1))


def paint(s: Stage) -> None:
    """Blots of bright paint that run down."""
    for k in range(3 + s.W // 8):
        colour = ("rose1", "teal1", "gold2", "plum2", "red3")[(k + s.variant) % 5]
        x, y = pick(k, s.variant, 345, max(4, s.W - 5)), -2 + pick(k, s.variant, 347, max(6, s.H - 8))
        s.oval(x, y, 5, 4, colour).rect(x + 2, y + 3, 1, 3 + k % 3, colour).dots("cream3", (x + 1, y + 1))


def watered(s: Stage) -> None:
    """Drops that catch the light."""
    for k in range(3 * max(1, s.W // 16) * max(1, s.H // 16)):
        x, y = 1 + pick(k, s.variant, 351, max(2, s.W - 3)), pick(k, s.variant, 353, max(4, s.H - 4))
        bright = (k + s.tick) % 4 == 0
        s.dots("blue4" if not bright else "cream3", (x, y)).dots("blue2", (x, y + 1), (x + 1, y + 1)).dots("blue3", (x + 1, y))


def sparks(s: Stage) -> None:
    """Forks of lightning that jump about."""
    for k in range(2 + s.W // 16):
        if (k + s.tick) % 3 == 2:
            continue
        x, y = pick(k, s.tick, 355, max(4, s.W - 6)), -9 + pick(k, s.tick, 357, 12)
        s.line(x, y, x + 3, y + 3, "gold3").line(x + 3, y + 3, x + 1, y + 4, "gold3").line(x + 1, y + 4, x + 5, y + 8, "gold3")
        s.dots("cream3", (x + 3, y + 3), (x + 1, y + 4)).dots("blue4", (x + 6, y + 1), (x - 1, y + 5))


def smell(s: Stage) -> None:
    """Green wisps, and flies."""
    for k in range(max(2, s.W // 8)):
        x = 3 + k * s.W // max(2, s.W // 8)
        for j in range(10):
            s.dots("green4" if j < 5 else "green3", (x + (0, 1, 1, 0, -1, -1)[(j + s.tick + k) % 6], -4 - j))
    for k in range(3):
        s.dots("night0", (pick(k, s.tick, 361, max(4, s.W)), -12 + pick(k, s.tick, 363, 14)))


def glow(s: Stage) -> None:
    """A warm shine around it, and motes of light."""
    breath = (0, 1, 2, 1)[s.tick]
    under = type(s)(s.W // 16, s.H // 16, s.rise, s.facing, s.variant, (), 0)
    under.oval(-2, -6 - breath, s.W + 4, s.H + 6 + breath, "glow")
    free = s.pixels == 0
    s.pixels[free] = under.pixels[free]
    for k in range(4):
        s.dots("gold3", (pick(k, 1, 365, max(4, s.W)), -10 + (pick(k, 2, 367, 16) - 2 * s.tick) % 16))
    s.dots("cream3", (s.W // 2 - 4 + 3 * s.tick, -3))


def notes(s: Stage) -> None:
    """Notes that rise."""
    for k, colour in enumerate(("plum1", "red2", "blue1")[: max(2, s.W // 16 + 1)]):
        x = 2 + k * max(6, s.W // 3) + (0, 1, 0, -1)[(s.tick + k) % 4]
        y = -12 - (s.tick * 2 + k * 3) % 8
        s.rows(x, y, (".nnn", ".n.n", ".n.n", "nnnn", "nn.."), {"n": colour})


def gone(s: Stage) -> None:
    """Nothing but an outline of dust where it stood."""
    s.pixels[:] = 0
    for k in range(2 * (s.W + s.H)):
        along = k % (s.W + s.H)
        x, y = (along, 2 if k < s.W + s.H else s.H - 2) if along < s.W else (0 if k < s.W + s.H else s.W - 1, along - s.W + 2)
        if k % 4 < 2 and y < s.H:
            s.dots("cream2", (x, y))
    s.dots("stone1", (s.W // 2, s.H // 2), (s.W // 2 + 3, s.H // 2 + 2), (s.W // 3, s.H // 2 + 1))
