"""Objects of the town and what their states show.

draw          kind, size in tiles, state, frame -> Sprite
appearance    state in words -> the effects it shows ("fire", "steam" ...), as a tuple
"""

from __future__ import annotations

import re
from functools import cache

from pydantic import RootModel

from kernel import read_model
from maps import catalogue
from viewer.art import effects, furniture_home, furniture_kitchen, furniture_public, furniture_study, outdoors
from viewer.art.palette import DATA
from viewer.art.pieces import TILE, Facing, Sprite
from viewer.art.stage import DRAWERS, MARGIN, Drawer, Stage

FRAMES = 4
ROOMS = (
    furniture_home,
    furniture_kitchen,
    furniture_public,
    furniture_study,
    outdoors,
)  # importing them registers what they draw


class _States(RootModel[dict[str, tuple[str, ...]]]):
    pass


def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(rf"\b{re.escape(word.rstrip('*'))}" + ("" if word.endswith("*") else r"\b") for word in words))


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    groups = read_model(DATA / "states.yaml", _States)[0].root
    return tuple((name, _pattern(words)) for name, words in groups.items())


@cache
def appearance(kind: str, state: str) -> tuple[str, ...]:
    """What a state shows: names of `data/states.yaml`; ("odd",) for words nobody foresaw; () for nothing."""
    known = catalogue().get(kind)
    words = state.strip().lower()
    if not words or (known and words == known.idle.lower()):
        return ()
    found = tuple(name for name, pattern in _patterns() if pattern.search(words))
    if "over" in found:
        return ()
    named = tuple(name for name in found if name not in ("quiet", "used"))
    if named or "quiet" in found:
        return named if "quiet" in found or "used" not in found else (*named, "used")
    return found or ("odd",)


def draw(
    kind: str, width: int, height: int, state: str = "", frame: int = 0, facing: Facing = "south", variant: int = 0
) -> Sprite:
    """The picture of a thing; a crate stands for kinds that nobody has drawn."""
    drawer = DRAWERS.get(kind) or _nearest(kind)
    shows = appearance(kind, state)
    rise = drawer.rise + (effects.ROOM if shows else 0)
    stage = Stage(width, height, rise, facing, variant, shows, frame % FRAMES)
    drawer.draw(stage)
    if drawer.outlined:
        stage.outline()
    if drawer.shadow:
        stage.shadow_oval(0, height * TILE - 7, width * TILE + 2, 8)
    effects.add(stage, drawer.own)
    foot = height * TILE - 1 if drawer.foot is None else drawer.foot
    if facing == "north" and 0 < foot < TILE and height == 1 and kind in catalogue() and catalogue()[kind].use == "on":
        foot = 15
    return Sprite(stage.surface(), -MARGIN, -rise, foot, stage.moves)


def _nearest(kind: str) -> Drawer:
    """Something that shares a word with the kind (a "kitchen table" is a table), or a crate."""
    words = kind.split()
    for word in reversed(words):
        if word in DRAWERS:
            return DRAWERS[word]
    return next((drawer for name, drawer in DRAWERS.items() if words and words[-1] in name.split()), DRAWERS["crate"])
