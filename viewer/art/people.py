"""Residents, composed of parts: legs, top, arms, head, hair, extras; four sides, three steps, and some poses.

    draw       (look, name, pose, facing, frame) -> Canvas 16 x 24
    face       head and shoulders, 16 x 16
    look_of    the look, or one that the name decides

Rows: hair from 2, face to 11, top 12..17, legs 18..22. West is east in the mirror.
"""

from __future__ import annotations

from personas.spec import Look
from viewer.art import extras, hair
from viewer.art.canvas import Canvas
from viewer.art.pieces import Facing, Pose
from viewer.art.wardrobe import Outfit, made_up, outfit

FRAMES = 4
WIDTH, HEIGHT = 16, 24


def look_of(look: Look | None, name: str) -> Look:
    """The look, or one chosen by name."""
    return look or made_up(name)


def draw(look: Look | None, name: str, pose: Pose, facing: Facing, frame: int) -> Canvas:
    """A resident, outlined, with a soft shadow (none in bed)."""
    wears = outfit(look_of(look, name))
    if pose == "sleep":
        return _asleep(wears, frame)
    step = frame % 3 if pose in ("walk", "carry") else 0
    side: Facing = "east" if facing == "west" else facing
    c = Canvas(WIDTH, HEIGHT)
    low = 3 if pose == "sit" else -1 if step else 0
    hair.behind(c, wears.cut, wears.hair, side, low)
    _legs(c, wears, side, step, sitting=pose == "sit")
    _top(c, wears, side, low)
    _arms(c, wears, side, step, low, pose)
    _head(c, wears, side, low)
    hair.over(c, wears.cut, wears.hair, side, low)
    extras.over(c, wears, side, low)
    if pose == "carry":
        _load(c, side, low)
    c.outline()
    c.shadow_oval(2, 19, 12, 5)
    return c.flipped() if facing == "west" else c


def face(look: Look | None, name: str) -> Canvas:
    """Head and shoulders from the south, 16 x 16."""
    whole = draw(look, name, "stand", "south", 0)
    return Canvas(WIDTH, 16, whole.pixels[:16].copy())


def _legs(c: Canvas, wears: Outfit, side: Facing, step: int, *, sitting: bool) -> None:
    dark, mid, light = wears.bottom
    skirt = wears.bottom_shape in ("skirt", "dress") or wears.top_shape == "dress"
    skin_dark, skin, _ = wears.skin
    bare = skirt or wears.bottom_shape == "shorts"
    shin, shin_dark = (skin, skin_dark) if bare else (mid, dark)
    shoe = "wood1" if mid not in ("wood1", "wood0") else "slate0"
    if sitting:
        if side == "east":
            c.rect(5, 19, 7, 2, mid).rect(5, 20, 7, 1, dark).rect(10, 20, 2, 2, shin).rect(10, 22, 3, 1, shoe)
        elif side == "south":
            c.rect(4, 20, 8, 2, mid).rect(4, 20, 8, 1, light).rect(7, 20, 2, 2, dark).rect(5, 22, 2, 1, shoe)
            c.rect(9, 22, 2, 1, shoe)
        else:
            c.rect(4, 20, 8, 2, dark)
        return
    if side == "east":
        front, back = ((6, 22), (6, 22)) if step == 0 else ((9, 22), (4, 21)) if step == 1 else ((4, 22), (9, 21))
        for (x, foot), leg, boot in ((back, shin_dark, "wood0"), (front, shin, shoe)):
            c.rect(x, 20, 3, foot - 20, leg).line(7, 18, x + 1, 20, leg).rect(x, foot, 4, 1, boot)
        c.rect(5, 17, 6, 3, mid).rect(9, 17, 2, 3, dark)
    else:
        left, right = (22, 22) if step == 0 else (22, 20) if step == 1 else (20, 22)
        c.rect(5, 18, 6, 1, mid).rect(5, 18, 2, left - 18, shin).rect(9, 18, 2, right - 18, shin_dark if bare else mid)
        c.rect(10, 18, 1, right - 18, shin_dark).rect(7, 18, 2, 1, dark).rect(7, 19, 1, max(0, left - 20), shin_dark)
        c.rect(4 if side == "south" else 5, left, 3 if side == "south" else 2, 1, shoe)
        c.rect(9, right, 3 if side == "south" else 2, 1, shoe)
    if skirt:
        dark, mid, light = wears.top if wears.top_shape == "dress" else wears.bottom
        c.rect(4, 17, 8, 2, mid).rect(3, 19, 10, 2, mid).rect(3, 20, 10, 1, dark).rect(11, 17, 1, 3, dark)
        c.rect(12, 19, 1, 2, dark).rect(4, 17, 1, 3, light).rect(7, 18, 1, 3, dark)
    elif wears.bottom_shape == "shorts":
        c.rect(5, 17, 6, 3, mid).rect(10, 17, 1, 3, dark).rect(7, 18, 1, 2, dark)


def _top(c: Canvas, wears: Outfit, side: Facing, low: int) -> None:
    dark, mid, light = wears.top
    left, width = (4, 8) if side != "east" else (5, 6)
    y = 12 + low
    c.rect(left, y, width, 6, mid).rect(left + width - 1, y, 1, 6, dark).rect(left, y, 1, 6, light if side == "east" else dark)
    c.rect(left + 1, y, 1, 4, light)
    c.rect(left, y + 5, width, 1, dark)
    shape = wears.top_shape
    if wears.pattern == "striped":
        for j in (1, 3, 5):
            c.rect(left, y + j, width, 1, dark)
    elif wears.pattern == "checked":
        for j in range(6):
            for i in range(j % 2, width, 2):
                c.dots(light if j % 3 else dark, (left + i, y + j))
    if shape == "open" and side != "north":
        c.rect(7 if side == "south" else 9, y, 2, 5, "cream2").dots(dark, (6, y + 1), (9, y + 1))
        c.dots("cream3", (7 if side == "south" else 9, y))
    elif shape == "sleeveless":
        c.rect(left, y, width, 2, "cream2").rect(left + 1, y, 1, 3, mid).rect(left + width - 2, y, 1, 3, mid)
        c.rect(left + 1, y + 2, width - 2, 1, light)
        if side == "south":
            c.dots("gold3", (6, y + 3), (9, y + 3))
    elif shape == "hood":
        c.rect(left, y, width, 1, dark).dots(light, (6, y + 2), (9, y + 2), (6, y + 3))
        c.rect(left + 2, y + 4, width - 4, 1, dark)
    elif shape == "sport":
        c.rect(left, y + 1, width, 1, "cream3").rect(7, y + 2, 1, 3, dark)
    elif shape == "high":
        c.rect(left + 1, y - 1, width - 2, 1, mid).rect(left, y + 4, width, 1, dark)
    elif shape == "smock":
        c.rect(left, y + 6, width, 2, mid).rect(left, y + 7, width, 1, dark).rect(left + 2, y + 4, width - 4, 1, light)
    elif side == "south":
        c.dots(wears.skin[1], (7, y), (8, y)).dots(dark, (6, y), (9, y), (7, y + 1))


def _arms(c: Canvas, wears: Outfit, side: Facing, step: int, low: int, pose: Pose) -> None:
    dark, mid, light = wears.top if wears.top_shape != "sleeveless" else ("cream1", "cream2", "cream3")
    hand, y = wears.skin[1], 12 + low
    if pose == "carry":
        if side == "east":
            c.rect(7, y + 1, 4, 2, light).rect(7, y + 3, 4, 1, dark).rect(11, y + 2, 2, 2, hand)
        else:
            c.rect(3, y, 1, 4, mid).rect(12, y, 1, 4, dark).dots(hand, (4, y + 4), (11, y + 4))
        return
    if side == "east":
        swing = 0 if step == 0 else -2 if step == 1 else 2
        c.line(7, y + 1, 7 + swing // 2, y + 4, light).line(8, y + 1, 8 + swing // 2, y + 4, dark)
        c.rect(7 + swing // 2, y + 5, 2, 1, hand)
        return
    lift = (0, 1, -1)[step]
    for x, tone, up in ((3, mid, lift), (12, dark, -lift)):
        c.rect(x, y, 1, 5 - up, tone).rect(x, y + 5 - up, 1, 1, hand)
    if pose == "sit" and side == "south":
        c.dots(hand, (4, y + 6), (11, y + 6)).rect(3, y + 5, 1, 1, mid).rect(12, y + 5, 1, 1, dark)


def _head(c: Canvas, wears: Outfit, side: Facing, low: int) -> None:
    shade, skin, light = wears.skin
    y = low
    if wears.cut == "bald":
        c.rect(5, y + 2, 6, 1, skin).rect(4, y + 3, 8, 2, skin).rect(5, y + 3, 2, 1, light).dots(light, (5, y + 4))
    c.rect(5, y + 4, 6, 1, skin).rect(4, y + 5, 8, 6, skin).rect(5, y + 11, 6, 1, shade)
    if side == "north":
        return
    c.rect(11, y + 6, 1, 5, shade) if side == "south" else c.rect(4, y + 6, 1, 5, shade)
    if side == "south":
        c.dots("night0", (6, y + 8), (9, y + 8), (6, y + 9), (9, y + 9))
        c.dots("rose1" if skin in ("skin3", "skin4", "skin5") else shade, (5, y + 10), (10, y + 10))
        c.dots(light, (5, y + 7), (8, y + 7))
        c.dots(shade, (7, y + 11), (8, y + 11), (7, y + 10))
    else:
        c.dots("night0", (9, y + 8), (9, y + 9)).dots(skin, (12, y + 9))
        c.dots("rose1" if skin in ("skin3", "skin4", "skin5") else shade, (9, y + 10)).dots(shade, (11, y + 10))


def _load(c: Canvas, side: Facing, low: int) -> None:
    """A basket with a loaf and greens."""
    if side == "north":
        return
    x, y = (5, 14 + low) if side == "south" else (10, 13 + low)
    c.rect(x, y + 1, 6, 4, "gold1").rect(x, y + 1, 6, 1, "gold2").rect(x, y + 4, 6, 1, "gold0").rect(x + 1, y, 2, 1, "green3")
    c.rect(x + 3, y - 1, 2, 2, "gold3")


def _asleep(wears: Outfit, frame: int) -> Canvas:
    """Head on the pillow, sheet drawn up, a small z that rises."""
    c = Canvas(WIDTH, HEIGHT)
    low, shade = 6, wears.skin[0]
    if wears.cut in ("long", "grey-long", "braids", "bob"):
        c.rect(3, low + 6, 10, 5, wears.hair[0])
    _head(c, wears, "south", low)
    skin = wears.skin[1]
    c.rect(5, low + 8, 6, 2, skin).rect(5, low + 9, 2, 1, shade).rect(9, low + 9, 2, 1, shade)
    c.dots("night0", (5, low + 9), (6, low + 9), (9, low + 9), (10, low + 9))
    hair.over(
        c, "short" if wears.cut in ("bun", "ponytail", "long", "braids", "grey-long") else wears.cut, wears.hair, "south", low
    )
    if "beard" in wears.extras:
        c.rect(4, low + 10, 8, 2, wears.hair[1])
    c.rect(2, low + 12, 12, 6, "clear")
    c.rect(3, low + 12, 10, 3, "cream3").rect(3, low + 14, 10, 1, "cream1").rect(4, low + 15, 8, 2, "cream2")
    c.rect(4, low + 16, 8, 1, "cream0")
    c.outline()
    rise = (0, 1, 2, 1)[frame % 4]
    for colour, shift in (("blue0", 1), ("cream3", 0)):
        letters = {"z": colour}
        c.rows(10 + shift, 3 - rise + shift, ("zzzz", "..z.", ".z..", "zzzz"), letters)
    return c
