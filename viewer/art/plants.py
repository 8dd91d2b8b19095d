"""Trees, bushes, lamps, rocks and the small tables of cafes: what stands on a single tile of ground.

    pieces      TownMap -> those of a town
    tree        one of the kinds, in several shapes (also for the sheet)
    wood        tree tops for what lies around a town

A crown is a heap of round clumps, each lit from the north-west in four tones; leaves break the edges of the tones.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import pygame

from maps import grounds
from town.tree import TownMap
from viewer.art.canvas import Canvas
from viewer.art.noise import pick, scatter
from viewer.art.palette import number
from viewer.art.pieces import TILE, Piece

VARIANTS = 5
# kind -> width, height, lobes (x, y, radius), tones dark to light
CROWNS = {
    "tree": (
        30,
        38,
        ((15, 12, 10.5), (8, 17, 7.5), (22, 17, 7.5), (15, 20, 9)),
        ("green0", "green1", "green2", "green3", "green4"),
    ),
    "fruit tree": (
        26,
        32,
        ((13, 10, 9), (7, 14, 6.5), (19, 14, 6.5), (13, 16, 8)),
        ("green0", "green1", "green2", "green3", "green5"),
    ),
    "bush": (18, 16, ((9, 7, 6.5), (5, 9, 4.5), (13, 9, 4.5)), ("green0", "green1", "green2", "green3", "green4")),
}

KINDS = (*CROWNS, "pine")
STANDING = (*CROWNS, "pine", "lamp", "rock", "small table", "counter top")


@cache
def tree(kind: str, variant: int) -> Canvas:
    """The picture of a plant; its trunk's foot is at the middle of the lower rim."""
    if kind == "pine":
        return _pine(variant)
    width, height, lobes, tones = CROWNS[kind]
    c = Canvas(width, height)
    foot = height - 2
    if kind != "bush":
        middle = width // 2
        c.rect(middle - 2, foot - 14, 5, 14, "wood2").rect(middle - 2, foot - 14, 1, 14, "wood3")
        c.rect(middle + 2, foot - 14, 1, 14, "wood1")
        c.rect(middle, foot - 8, 1, 6, "wood1").dots("wood2", (middle - 3, foot - 1), (middle + 3, foot - 1))
        c.rect(middle - 2, foot - 14, 5, 5, "wood1")
    y, x = np.mgrid[0:height, 0:width]
    light = np.full((height, width), -1.0)
    for n, (cx, cy, radius) in enumerate(lobes):
        cx = cx + pick(variant, n, 91, 3) - 1
        cy = cy + pick(variant, n, 93, 3) - 1
        r = radius - 0.3 + 0.2 * pick(variant, n, 95, 4)
        dx, dy = (x - cx) / r, (y - cy) / r * 1.08
        ragged = 1 + 0.1 * ((scatter(x // 2, y // 2, 97 + variant) % 3).astype(int) - 1)
        inside = dx * dx + dy * dy <= ragged
        shade = 0.5 - 0.42 * dx - 0.55 * dy - 0.02 * n
        light = np.where(
            inside, np.maximum(shade * 0.75 + 0.25 * (0.5 - (cy - 12) / 24), np.where(light < 0, 0, light * 0.72)), light
        )
    leaf = (scatter(x // 2, y, 99 + variant) % 100) / 100 - 0.5
    value = light + 0.22 * leaf
    for level, tone in zip((-0.5, 0.18, 0.42, 0.66, 0.93), tones, strict=True):
        c.pixels[(light >= 0) & ((value > level) | (level < 0))] = number(tone)
    if kind == "fruit tree":
        places = [(int(i), int(j)) for j, i in zip(*np.nonzero(light >= 0.25), strict=True)]
        for k in range(7):
            i, j = places[pick(k, variant, 101, len(places))]
            c.dots("red2", (i, j), (i + 1, j)).dots("red1", (i, j + 1), (i + 1, j + 1)).dots("rose2", (i, j))
    return c.outline()


def _pine(variant: int) -> Canvas:
    """A fir in tiers, each with a lit western side and a fringe."""
    c = Canvas(24, 42)
    c.rect(10, 34, 4, 6, "wood1").rect(10, 34, 1, 6, "wood2")
    for tier, (top, half) in enumerate(((2, 5), (9, 7), (17, 9), (25, 11))):
        for j in range(11):
            reach = round(half * (j + 1) / 11)
            for i in range(-reach, reach + 1):
                fringe = j == 10 and (i + variant + tier) % 3 == 0
                if fringe:
                    continue
                lit = i < -reach * 0.35
                leaf = int(scatter(12 + i, top + j, 103 + variant)) % 7
                tone = "pine1"
                if lit and leaf < 5:
                    tone = "green1"
                if lit and leaf < 2 and j > 1:
                    tone = "green2"
                if i > reach * 0.4 or (j > 8 and leaf < 4):
                    tone = "pine0"
                if leaf == 6:
                    tone = "pine0"
                c.dots(tone, (12 + i, top + j))
    return c.outline()


@cache
def lamp() -> Canvas:
    """A street lamp of iron with a lantern."""
    c = Canvas(12, 38)
    c.rect(5, 12, 2, 23, "slate1").rect(5, 12, 1, 23, "slate2").rect(4, 33, 4, 2, "slate1").rect(3, 35, 6, 2, "slate0")
    c.rect(4, 22, 4, 1, "slate0")
    c.rect(3, 4, 6, 7, "gold3").rect(3, 4, 2, 6, "gold2").rect(5, 5, 2, 4, "cream3").rect(3, 3, 6, 1, "slate1")
    c.rect(4, 2, 4, 1, "slate1")
    c.rect(5, 1, 2, 1, "slate2").rect(3, 11, 6, 1, "slate1").rect(2, 4, 1, 7, "slate0").rect(9, 4, 1, 7, "slate0")
    return c.outline()


@cache
def rock(variant: int) -> Canvas:
    """A boulder."""
    c = Canvas(18, 15)
    c.oval(1, 3, 15, 11, "stone1").oval(1, 2, 13, 9, "stone2").oval(3, 3, 7, 4, "stone3")
    c.dots("stone0", (9, 9), (10, 9), (11, 8), (6, 11)).dots("stone3", (10, 5))
    c.outline()
    return c if variant % 2 else c.flipped()


@cache
def small_table(west: bool, east: bool, manner: str, variant: int) -> Canvas:
    """A cafe table with something on it; joined to its neighbours."""
    c = Canvas(16, 22)
    x0, x1 = 0 if west else 1, 16 if east else 15
    c.rect(7, 12, 2, 7, "wood1").rect(5, 18, 6, 2, "wood1")
    c.rect(x0, 4, x1 - x0, 9, "wood3").rect(x0, 4, x1 - x0, 1, "wood4").rect(x0, 13, x1 - x0, 3, "wood2")
    c.rect(x0, 15, x1 - x0, 1, "wood1")
    things = {"class": (4, 4, 5, 6), "drink": (0, 7, 8, 7), "": (0, 1, 2, 3)}[manner]
    thing = things[variant % 4]
    if thing == 0:
        c.rect(4, 7, 4, 3, "cream3").rect(5, 7, 2, 1, "wood1").rect(4, 10, 4, 1, "cream1").dots("cream1", (8, 8))
    elif thing == 1:
        c.rect(7, 3, 2, 5, "teal1").dots("rose1", (6, 2), (8, 1)).dots("gold3", (9, 3)).dots("green2", (7, 2), (8, 3))
    elif thing == 2:
        c.rect(3, 6, 6, 4, "cream3").rect(3, 9, 6, 1, "cream1").dots("slate2", (4, 7), (5, 7), (7, 7), (4, 8), (6, 8))
    elif thing == 3:
        c.oval(4, 6, 7, 5, "cream3").oval(5, 7, 5, 3, "gold2").dots("gold1", (7, 8))
    elif thing == 4:
        c.rect(4, 6, 4, 5, "cream3").rect(9, 6, 4, 5, "cream3").rect(8, 6, 1, 5, "cream0")
        c.dots("slate2", (5, 7), (6, 9), (10, 7), (11, 9))
    elif thing == 5:
        c.rect(5, 5, 6, 5, "cream3").dots("slate2", (6, 6), (7, 6), (8, 6), (6, 8), (7, 8)).line(10, 9, 13, 6, "gold2")
    elif thing == 6:
        c.rect(4, 5, 7, 3, "blue1").rect(4, 7, 7, 1, "cream2").rect(5, 3, 6, 2, "red2").rect(5, 5, 6, 1, "cream2")
    elif thing == 7:
        for x in (3, 9):
            c.rect(x, 5, 3, 5, "gold2").rect(x, 5, 3, 1, "cream3").dots("gold1", (x + 3, 7), (x + 3, 8))
            c.rect(x + 2, 6, 1, 4, "gold1")
    else:
        c.rect(7, 4, 2, 4, "cream2").dots("gold3", (7, 2), (8, 2)).dots("red3", (7, 3)).rect(5, 8, 6, 2, "gold1")
    return c.outline()


@cache
def counter(west: bool, east: bool, north: bool, south: bool, variant: int) -> Canvas:
    """A counter: a polished top and a panelled front, joined to its neighbours."""
    c = Canvas(16, 26)
    x0, x1 = 0 if west else 1, 16 if east else 15
    top0 = 0 if north else 3
    c.rect(x0, top0, x1 - x0, 26 - top0 if south else 13 - top0 + 3, "wood4").rect(x0, top0, 1, 13, "cream1")
    if not north:
        c.rect(x0, top0, x1 - x0, 1, "cream1").rect(x0, top0 - 1, x1 - x0, 1, "wood0")
    if not south:
        c.rect(x0, 15, x1 - x0, 1, "wood3").rect(x0, 16, x1 - x0, 9, "wood2").rect(x0, 24, x1 - x0, 1, "wood1")
        c.rect(x0 + 2, 18, x1 - x0 - 4, 5, "wood1")
        c.rect(x0 + 3, 19, x1 - x0 - 6, 4, "wood2").rect(x0, 25, x1 - x0, 1, "wood0")
    if not west:
        c.rect(x0, top0, 1, 23, "wood0" if south else "wood1")
    if not east:
        c.rect(x1 - 1, top0, 1, 26 - top0, "wood1")
    if variant == 1:
        c.rect(4, 5, 7, 5, "cream3").rect(4, 9, 7, 2, "cream1").rect(5, 3, 5, 3, "gold2").dots("gold3", (5, 3), (7, 3), (9, 4))
        c.rect(5, 6, 5, 1, "gold1")
    elif variant == 2:
        c.rect(4, 3, 8, 7, "slate1").rect(5, 4, 6, 2, "teal2").rect(4, 10, 8, 2, "slate0").dots("slate3", (5, 8), (7, 8), (9, 8))
    elif variant == 3:
        c.rect(4, 6, 3, 4, "cream3").rect(9, 7, 3, 4, "cream3").dots("cream1", (7, 7), (12, 8)).rect(4, 6, 3, 1, "wood1")
        c.rect(9, 7, 3, 1, "wood1")
    return c


def _manner(town: TownMap, x: int, y: int) -> str:
    """What lies on the tables of a room: school things, glasses, or what a cafe serves."""
    room = town.arena_of_tile.get((x, y))
    affords = {key for thing in room.objects if thing.kind.endswith("seating") for key in thing.affords} if room else set()
    return "class" if "attend_class" in affords else "drink" if "drink" in affords and "read" not in affords else ""


def pieces(town: TownMap) -> list[Piece]:
    """All plants, lamps, rocks, small tables and counters of a town, each with the foot line of its tile."""
    kinds = {kind.letter: name for name, kind in grounds().items()}
    surfaces: dict[int, pygame.Surface] = {}
    found: list[Piece] = []

    def name(x: int, y: int) -> str:
        return kinds.get(town.ground[y][x], "") if 0 <= x < town.width and 0 <= y < town.height else ""

    for y, row in enumerate(town.ground):
        for x, letter in enumerate(row):
            kind = kinds.get(letter, "")
            if kind not in STANDING:
                continue
            n = pick(x, y, 107, 40)
            drop = 0
            if kind in CROWNS or kind == "pine":
                c, drop = tree(kind, n % VARIANTS), 1
            elif kind == "lamp":
                c = lamp()
            elif kind == "rock":
                c = rock(n)
            elif kind == "small table":
                c, drop = small_table(name(x - 1, y) == kind, name(x + 1, y) == kind, _manner(town, x, y), n % 4), 2
            else:
                sides = (name(x - 1, y) == kind, name(x + 1, y) == kind, name(x, y - 1) == kind, name(x, y + 1) == kind)
                c, drop = counter(*sides, n % 5), 0
            if id(c) not in surfaces:
                surfaces[id(c)] = c.surface()
            shift = pick(x, y, 109, 5) - 2 if kind in CROWNS or kind == "pine" else 0
            bottom = (y + 1) * TILE + drop - 1 if kind != "counter top" else (y + 1) * TILE
            found.append(Piece(surfaces[id(c)], x * TILE + 8 - c.width // 2 + shift, bottom - c.height, (y + 1) * TILE - 1))
    return found


WOOD = 24
"""Tiles after which the wood around a town repeats."""


@cache
def wood() -> Canvas:
    """A square of dense wood, firs among leafy crowns, that fits itself on all sides."""
    side = WOOD * TILE
    c = Canvas(side, side).rect(0, 0, side, side, "pine0")
    rows, columns = side // 12, side // 16
    for line in range(-3, rows + 4):  # some more than are seen, so that the last row is covered as the others are
        row = line % rows
        for column in range(columns):
            n = pick(column, row, 251, 24)
            firs = 4 + 8 * int(pick(column // 6, row // 8, 255, 3) == 0)
            art = tree("pine" if n < firs else "tree", n % VARIANTS)
            x = column * 16 + row % 2 * 8 + pick(column, row, 253, 7) - 3
            for dx in (-side, 0, side):
                c.stamp(art, x + dx, line * 12 - art.height // 2)
    return c.recoloured({"green4": "green2", "green3": "green1", "green2": "green1", "green1": "green0", "green0": "pine0"})
