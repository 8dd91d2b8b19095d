"""What states add to a thing: flames, smoke, steam, a puddle, decorations, dirt, a mark for whatever is odd.

add      (Stage) draws all that its state shows over the thing, four pictures long
EFFECTS  the names of `data/states.yaml` -> what draws them; here and in `effects_on_top.py`, `effects_change.py`
ROOM     how many pixels above the thing they need
"""

from __future__ import annotations

from collections.abc import Callable

from viewer.art import effects_change, effects_on_top
from viewer.art.noise import pick
from viewer.art.stage import Stage

ROOM = 22
FLAMES = (
    (
        "....r....",
        "...rr....",
        "..rror...",
        "..rooor..",
        ".rooyor..",
        ".royyoor.",
        "rroyyyor.",
        "roywyyor.",
        ".oywwyo..",
        "..yyy....",
    ),
    (
        ".....r...",
        "..r.rr...",
        "..rrror..",
        "..roor...",
        ".roooor..",
        ".royyor..",
        "rooyyoor.",
        "royywyor.",
        ".oywwyo..",
        "..yyy....",
    ),
    (
        "...r.....",
        "...rr.r..",
        "..rroor..",
        ".rrooor..",
        ".rooyor..",
        "rooyyor..",
        "royyyoor.",
        "roywyyor.",
        ".oywwyo..",
        "..yyy....",
    ),
    (
        "..r......",
        "..rr..r..",
        "...rorr..",
        "..rooor..",
        "..royoor.",
        ".roryyor.",
        "rroyyyor.",
        "royywyor.",
        ".oywwyo..",
        "..yyy....",
    ),
)
FIRE = {"r": "red2", "o": "gold2", "y": "gold3", "w": "cream3"}


def add(stage: Stage, own: tuple[str, ...] = ()) -> None:
    """Draws the effects of the stage's state, but those that the thing shows in a way of its `own`."""
    for name in sorted(stage.shows, key=lambda name: LAST.get(name, 0)):
        if name in EFFECTS and name not in own:
            EFFECTS[name](stage)


def _fire(s: Stage) -> None:
    top = s.H - 16 if s.H > 16 else 0
    count = max(2, s.W // 8)
    _cloud(s, "smoke", "haze", -16)
    for k in range(count):
        s.rows(k * s.W // count + (s.W // count - 9) // 2, top - 9 + (k % 2) * 4, FLAMES[(s.tick + k) % 4], FIRE)
    for k in range(3):
        s.dots("gold3", (pick(k, s.tick, 201, max(4, s.W)), top - 10 - pick(k, s.tick, 203, 8)))


def _smoke(s: Stage) -> None:
    _cloud(s, "smoke", "haze", -14)


def _steam(s: Stage) -> None:
    _cloud(s, "steam", "mist", -12)


def _cloud(s: Stage, near: str, far: str, top: int) -> None:
    """Three puffs that rise and thin out."""
    middle = s.W // 2
    for k in range(3):
        height = (s.tick + 4 * k) % 12
        size = 4 + height // 2
        sway = (0, 1, 2, 1)[(s.tick + k) % 4] - 1
        s.oval(middle - size // 2 + sway + (k - 1) * 2, top + 12 - height - size, size + 1, size, near if height < 6 else far)


def _puddle(s: Stage) -> None:
    width = min(s.W + 2, 20)
    left = (s.W - width) // 2
    s.oval(left, s.H - 8, width, 8, "pool").oval(left + 3, s.H - 7, width - 8, 4, "glass")
    s.dots("blue4", (left + 5 + s.tick, s.H - 5), (left + 6 + s.tick, s.H - 5))
    drop = (s.tick * 4) % 14
    s.dots("blue3", (s.W // 2, s.H - 18 + drop), (s.W // 2, s.H - 17 + drop)).dots("blue4", (s.W // 2, s.H - 16 + drop))


def _decorated(s: Stage) -> None:
    """Bunting along the front, two balloons."""
    top = -6 if s.H <= 16 else 2
    flags = ("red2", "gold3", "teal1", "rose1", "blue2")
    for i in range(s.W):
        sag = 2 - abs(i % 16 - 8) // 3
        s.dots("wood1", (i, top + max(0, sag)))
    for k, i in enumerate(range(1, s.W - 2, 5)):
        y = top + 1 + max(0, 2 - abs((i + 1) % 16 - 8) // 3)
        s.rect(i, y, 3, 2, flags[k % 5]).dots(flags[k % 5], (i + 1, y + 2))
    bob = (0, 0, 1, 1)[s.tick]
    for x, colour, light in ((s.W - 5, "red2", "red3"), (s.W - 1, "rose1", "rose2")):
        y = top - 13 + bob + (2 if colour == "rose1" else 0)
        s.oval(x - 3, y, 6, 7, colour).dots(light, (x - 2, y + 1), (x - 2, y + 2))
        s.dots("wood1", (x, y + 7), (x, y + 8), (x - 1, y + 9), (x - 1, y + 10))


def _dirty(s: Stage) -> None:
    for k in range(4 * max(1, s.W // 16)):
        x, y = 2 + pick(k, 1, 205, max(2, s.W - 5)), pick(k, 2, 207, 12) + max(0, s.H - 16)
        s.dots("wood1", (x, y), (x + 1, y)).dots("green1", (x, y + 1))


def _odd(s: Stage) -> None:
    """A small golden mark, hopping."""
    x, y = s.W // 2 - 1, -16 - (0, 1, 2, 1)[s.tick]
    s.rect(x - 1, y - 1, 5, 12, "wood0").rect(x, y, 3, 6, "gold3").rect(x, y + 8, 3, 2, "gold3").rect(x + 2, y, 1, 6, "gold2")
    s.dots("cream3", (x, y))


EFFECTS: dict[str, Callable[[Stage], None]] = {
    "fire": _fire,
    "smoke": _smoke,
    "steam": _steam,
    "puddle": _puddle,
    "decorated": _decorated,
    "dirty": _dirty,
    "odd": _odd,
    **{name: getattr(effects_on_top, name) for name in effects_on_top.NAMES},
    **{name: getattr(effects_change, name) for name in effects_change.NAMES},
}
LAST = {"snow": 1, "ice": 1, "paint": 1, "steam": 2, "smoke": 2, "notes": 2, "decorated": 3, "sparks": 4, "fire": 5, "gone": 6}
"""Effects that go over the others: the higher the later."""
