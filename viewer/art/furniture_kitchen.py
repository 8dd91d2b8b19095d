"""Kitchens: stove, oven, sink, refrigerator, toaster."""

from __future__ import annotations

from viewer.art.stage import Stage, draws


def _unit(s: Stage, ramp: str = "cream") -> int:
    """A kitchen unit: worktop and front; returns where the front begins."""
    b = s.H - 2
    s.rect(0, -4, s.W, 9, "stone3").rect(0, -4, s.W, 1, "cream3").rect(0, 4, s.W, 1, "stone1")
    tone = 2 if ramp == "cream" else 1
    s.rect(0, 5, s.W, b - 5, f"{ramp}{tone}").rect(0, b - 1, s.W, 1, f"{ramp}{tone - 1}" if ramp != "cream" else "cream0")
    s.rect(s.W - 1, 5, 1, b - 5, f"{ramp}{tone - 1}")
    return 5


@draws("cooking area", rise=14)
def stove(s: Stage) -> None:
    """A range: four plates, an oven door with its window, a kettle and a pan, a hood's rail behind."""
    b = s.H - 2
    for x in range(0, s.W, 16):
        s.rect(x, -5, 16, 10, "slate2").rect(x, -5, 16, 1, "slate3").rect(x, 4, 16, 1, "slate0").rect(x, 5, 16, b - 5, "slate1")
        s.rect(x + 15, 5, 1, b - 5, "slate0")
        s.rect(x, -8, 16, 3, "slate1").rect(x, -8, 16, 1, "slate2").dots("red2", (x + 3, -7))
        s.dots("cream3", (x + 6, -7), (x + 9, -7), (x + 12, -7))
        for i, j in ((2, -4), (9, -4), (2, 0), (9, 0)):
            s.oval(x + i, j, 5, 4, "slate0")
            if s.on():
                s.oval(x + i + 1, j + 1, 3, 2, "red2").dots("gold3", (x + i + 2, j + 1))
        s.rect(x + 2, 7, 12, 6, "slate0").rect(x + 3, 9, 10, 3, "red2" if s.on() else "night0").rect(x + 2, 6, 12, 1, "slate3")
        if s.on():
            s.rect(x + 4, 10, 8, 1, "gold2")
        s.rect(x + 9, -7, 5, 5, "red2").rect(x + 9, -7, 1, 5, "red3").rect(x + 10, -8, 3, 1, "red1").dots("wood1", (x + 11, -9))
        s.dots("red1", (x + 14, -6), (x + 15, -7))
        s.oval(x + 1, -3, 6, 4, "slate1").oval(x + 2, -3, 4, 2, "slate3").dots("wood2", (x + 7, -1), (x + 8, 0))


@draws("oven", rise=16)
def oven(s: Stage) -> None:
    """A baker's oven of brick with an arched mouth."""
    w, b = s.W, s.H - 2
    s.rect(0, -12, w, 5, "red3").rect(0, -12, w, 1, "cream2").rect(0, -7, w, b + 7, "red2").rect(w - 1, -7, 1, b + 7, "red1")
    for j in range(-4, b, 4):
        s.rect(0, j, w, 1, "red1")
        for i in range((j // 4) % 2 * 4, w, 8):
            s.rect(i, j - 3, 1, 3, "red1")
    middle = w // 2
    s.oval(middle - 7, -4, 14, 14, "stone2").rect(middle - 7, 3, 14, 8, "stone2").oval(middle - 5, -2, 10, 12, "wood0")
    s.rect(middle - 5, 3, 10, 7, "wood0")
    s.rect(middle - 8, 10, 16, 2, "stone3").rect(middle - 8, 12, 16, 1, "stone1")
    s.oval(middle - 4, 5, 8, 5, "red2").dots("gold3", (middle - 2, 6 - s.tick % 2), (middle + 1, 6), (middle, 5))
    s.rect(middle - 3, 8, 6, 2, "gold2")
    if w > 24:
        s.rect(w - 7, -6, 5, 9, "wood1").rect(w - 6, -4, 3, 2, "gold2").rect(w - 6, 0, 3, 2, "gold2")


@draws("kitchen sink", rise=10)
def sink(s: Stage) -> None:
    """A basin set in the worktop, a tap, plates on a rack."""
    _unit(s)
    s.rect(2, -2, 9, 6, "slate2").rect(3, -1, 7, 4, "blue3" if s.on() else "slate3").rect(2, -2, 9, 1, "slate1")
    s.rect(6, -7, 1, 4, "slate2").rect(6, -7, 3, 1, "slate3").dots("slate2", (8, -6))
    if s.on():
        s.rect(8, -5, 1, 5, "blue4")
    s.rect(12, -6, 1, 8, "cream3").rect(14, -6, 1, 8, "cream3").rect(13, -5, 1, 6, "blue3")
    s.rect(1, 7, 6, 6, "cream1").rect(9, 7, 6, 6, "cream1").rect(2, 8, 4, 4, "cream2").rect(10, 8, 4, 4, "cream2")
    s.dots("gold2", (6, 9), (9, 9))


@draws("refrigerator", rise=16)
def refrigerator(s: Stage) -> None:
    """A tall, rounded refrigerator with notes on its door."""
    b = s.H - 2
    s.rect(2, -14, 12, 3, "cream3").rect(1, -12, 14, b + 12, "teal2").rect(1, -12, 14, 1, "cream3")
    s.rect(1, -11, 1, b + 10, "blue4").rect(14, -11, 1, b + 11, "teal1")
    s.rect(1, -3, 14, 1, "teal1").rect(12, -9, 1, 4, "cream3").rect(12, -1, 1, 6, "cream3").rect(1, b - 1, 14, 1, "teal0")
    s.rect(4, 1, 3, 3, "gold3").rect(5, 6, 4, 3, "cream3").dots("red2", (4, 1), (6, 6)).dots("rose1", (8, 2))
    if s.on():
        s.rect(3, -1, 10, b - 1, "gold3").rect(3, 4, 10, 1, "slate2").rect(4, 1, 2, 3, "red2").rect(7, 0, 2, 4, "cream3")
        s.rect(4, 7, 5, 2, "green3")


@draws("toaster", rise=10)
def toaster(s: Stage) -> None:
    """A toaster on a unit, two slices in it."""
    _unit(s)
    s.rect(3, -5, 10, 7, "slate3").rect(3, -5, 10, 2, "cream3").rect(12, -3, 1, 5, "slate2").rect(3, 1, 10, 1, "slate1")
    s.rect(4, -8 + (1 if s.on() else 0), 3, 4, "gold2").rect(8, -8 + (1 if s.on() else 0), 3, 4, "gold2")
    s.rect(4, -8, 3, 1, "gold1").rect(8, -8, 3, 1, "gold1").dots("red2", (12, -2)).rect(1, 7, 14, 1, "cream1")
    s.rect(1, 8, 14, 4, "cream1").rect(2, 9, 12, 2, "cream2").dots("gold2", (8, 8))
