"""Hair: eleven cuts, seen from the south, the north and the east.

    behind    what hangs behind head and shoulders, drawn before the body
    over      what lies over the head, drawn after it

`x0` is the canvas column of the head's box (head: columns 4..11, rows 5..11 at y = 0).
"""

from __future__ import annotations

from viewer.art.canvas import Canvas

FRONT = ("...hhhhhh...", "..llhhhhhh..", ".hllhhhhhhd.", ".hlhhhhhhhd.", ".hhdhhdhhdd.", ".hd......hd.", ".h........d.")
BACK = (
    "...hhhhhh...",
    "..llhhhhhh..",
    ".hllhhhhhhd.",
    ".hlhhhhhhhd.",
    ".hhhhhhhhhd.",
    ".hhhhhhhhhd.",
    ".hhhhhhhhhd.",
    "..hhhhhhhd..",
    "...dhhhhd...",
    "....dddd....",
)
SIDE = (
    "...hhhhhh...",
    "..llhhhhhh..",
    ".hllhhhhhhh.",
    ".hlhhhhhhhh.",
    ".hhhhhhdhhd.",
    ".hhhhhd.....",
    ".hhhhd......",
    "..hhd.......",
    "...d........",
)
FRINGE = (
    "...hhhhhh...",
    "..llhhhhhh..",
    ".hllhhhhhhd.",
    ".hlhhhhhhhd.",
    ".hhhhhhhhhd.",
    ".hhdddddddd.",
    ".hd......hd.",
    ".hd......hd.",
)
RECEDED = ("............", "............", "..l.......d.", ".ll......hd.", ".lh......hd.", ".hh......hd.", ".h........d.")
CURLS = (
    "..hhlhhhlh..",
    ".hlhhhlhhhh.",
    "hllhhlhhhhhd",
    "hlhhhhhlhhhd",
    "hhhdhhdhhdhd",
    "hhd......hhd",
    "hh........hd",
    ".h........d.",
)
CURLS_BACK = (
    "..hhlhhhlh..",
    ".hlhhhlhhhh.",
    "hllhhlhhhhhd",
    "hlhhlhhlhhhd",
    "hhhdhhdhhdhd",
    "hhlhhhhlhhhd",
    "hhhhdhhhhdhd",
    ".hhhhdhhhdd.",
    "..dhhhhdhd..",
    "...dd.dd....",
)
CURLS_SIDE = (
    "..hhlhhhlh..",
    ".hlhhhlhhhh.",
    "hllhhlhhhhhd",
    "hlhhhhhlhhhd",
    "hhhdhhhdhhd.",
    "hhhhhhd.....",
    "hhlhhd......",
    ".hhhd.......",
    "..dd........",
)
QUIFF = ("....hhhhhh..", "..hhllhhhhh.", "..hllhhhhhd.", "..hhhhhhhhd.", ".dd.hhhhhdd.", ".d........d.", ".d........d.")
QUIFF_BACK = (
    "...hhhhhh...",
    "..llhhhhhhh.",
    "..hhhhhhhhd.",
    "..hhhhhhhhd.",
    ".dhhhhhhhdd.",
    ".dddddddddd.",
    ".dddddddddd.",
    "..dddddddd..",
)
QUIFF_SIDE = (
    "....hhhhhhh.",
    "..hllhhhhhhh",
    "..hhhhhhhhhd",
    ".dhhhhhhhhd.",
    ".dddhhhd....",
    ".ddddd......",
    ".dddd.......",
    "..dd........",
)
CUTS = {
    "curly": (CURLS, CURLS_BACK, CURLS_SIDE), "undercut": (QUIFF, QUIFF_BACK, QUIFF_SIDE), "bob": (FRINGE, BACK, SIDE),
}  # fmt: skip


def _view(facing: str) -> int:
    return {"south": 0, "north": 1}.get(facing, 2)


def _letters(tones: tuple[str, str, str]) -> dict[str, str]:
    return {"d": tones[0], "h": tones[1], "l": tones[2]}


def behind(c: Canvas, cut: str, tones: tuple[str, str, str], facing: str, y: int) -> None:
    """Long hair that falls behind the shoulders."""
    dark, mid, _ = tones
    if cut == "long" and facing == "south":
        c.rect(3, y + 6, 10, 9, dark)
    elif cut == "ponytail" and facing == "south":
        c.rect(12, y + 7, 2, 6, mid).rect(13, y + 8, 1, 5, dark)
    elif cut == "grey-long" and facing == "south":
        c.rect(3, y + 6, 10, 7, dark)


def over(c: Canvas, cut: str, tones: tuple[str, str, str], facing: str, y: int) -> None:
    """The cut itself."""
    dark, mid, light = tones
    view, letters = _view(facing), _letters(tones)
    if cut == "bald":
        if facing == "south":
            c.rect(3, y + 7, 1, 2, mid).rect(12, y + 7, 1, 2, dark)
        elif facing == "north":
            c.rect(3, y + 7, 10, 3, mid).rect(4, y + 10, 8, 1, dark)
        else:
            c.rect(3, y + 7, 3, 3, mid).rect(4, y + 10, 2, 1, dark)
        return
    if cut == "grey-short" and facing == "south":
        c.rows(2, y + 2, RECEDED, letters).rect(4, y + 3, 8, 1, mid).rect(5, y + 2, 6, 1, light).rect(4, y + 4, 2, 1, mid)
        c.rect(10, y + 4, 2, 1, mid)
        return
    c.rows(2, y + 2, CUTS.get(cut, (FRONT, BACK, SIDE))[view], letters)
    if cut in ("long", "grey-long"):
        end = 15 if cut == "long" else 12
        if facing == "south":
            c.rect(3, y + 7, 1, end - 7, mid).rect(12, y + 7, 1, end - 7, dark).rect(4, y + 7, 1, 3, dark)
            c.rect(11, y + 7, 1, 3, dark)
            if cut == "grey-long":
                c.rect(7, y + 3, 1, 4, dark)
        elif facing == "north":
            c.rect(3, y + 6, 10, end - 6, mid).rect(3, y + 6, 1, end - 6, light).rect(12, y + 6, 1, end - 6, dark)
            c.rect(6, y + 9, 1, end - 9, dark).rect(9, y + 9, 1, end - 9, dark).rect(4, y + end, 8, 1, dark)
        else:
            c.rect(3, y + 6, 4, end - 6, mid).rect(3, y + 6, 1, end - 7, light).rect(6, y + 8, 1, end - 8, dark)
            c.rect(4, y + end, 2, 1, dark)
    elif cut == "bob":
        if facing == "south":
            c.rect(3, y + 8, 2, 3, mid).rect(11, y + 8, 2, 3, dark).rect(2, y + 9, 1, 2, mid).rect(13, y + 9, 1, 2, dark)
            c.rect(3, y + 11, 1, 1, dark)
        elif facing == "north":
            c.rect(2, y + 8, 12, 3, mid).rect(13, y + 8, 1, 3, dark).rect(3, y + 11, 10, 1, dark).rect(3, y + 8, 1, 2, light)
        else:
            c.rect(2, y + 7, 5, 4, mid).rect(3, y + 11, 4, 1, dark).rect(6, y + 7, 1, 4, dark).rect(3, y + 7, 1, 2, light)
    elif cut == "bun":
        x = 6 if view < 2 else 3
        c.oval(x, y - 1 if view < 2 else y, 4, 4, mid).dots(light, (x + 1, y)).dots(dark, (x + 3, y + 2), (x + 2, y + 2))
        if facing == "north":
            c.oval(6, y + 3, 4, 4, dark).oval(6, y + 2, 4, 4, mid)
    elif cut == "ponytail":
        if facing == "north":
            c.rect(7, y + 6, 2, 9, mid).rect(8, y + 7, 1, 8, dark).rect(6, y + 7, 1, 5, light).rect(6, y + 5, 4, 1, "red2")
            c.dots(dark, (7, y + 15))
        elif facing == "east":
            c.rect(1, y + 5, 3, 6, mid).rect(1, y + 6, 1, 4, light).rect(2, y + 10, 2, 3, dark).rect(3, y + 4, 1, 2, "red2")
        else:
            c.dots("red2", (12, y + 6))
    elif cut == "braids":
        columns = (3, 12) if view < 2 else (4,)
        for x in columns:
            for k in range(8):
                c.dots(light if k % 3 == 0 else mid if k % 3 == 1 else dark, (x, y + 8 + k))
                if k % 3 != 2:
                    c.dots(dark, (x + (1 if x > 8 else -1), y + 8 + k))
            c.dots("gold3", (x, y + 15))
