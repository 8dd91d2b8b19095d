"""The atlas as one picture: everything that can be drawn, in rows, to be looked at after each change.

sheet          Atlas -> Surface
map_picture    a whole town without people
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pygame

from maps import catalogue, icons, load_map
from personas.spec import Look
from town.build import build_town
from town.tree import TownMap
from viewer.art import plants
from viewer.art.atlas import Atlas
from viewer.art.pieces import TILE, Facing, Pose
from viewer.art.stage import DRAWERS

WIDTH, GAP = 680, 6
SIZES = {
    "double bed": (2, 2), "bed": (1, 2), "sofa": (3, 1), "table": (3, 2), "piano": (2, 1), "pool table": (3, 2),
    "fountain": (2, 2), "well": (2, 2), "bench": (2, 1), "bookshelf": (4, 1),
    "counter": (4, 1), "shop shelf": (5, 1), "library table": (3, 2),
    "blackboard": (4, 1), "computer desk": (2, 1), "oven": (2, 1), "library sofa": (3, 1), "behind the counter": (3, 1),
}  # fmt: skip
STATES = ("burning", "smoking", "brewing coffee", "leaking", "decorated", "dirty", "in use", "humming strangely")
POSES: tuple[tuple[Pose, Facing, int], ...] = (
    ("walk", "south", 0), ("walk", "south", 1), ("walk", "south", 2), ("walk", "east", 0), ("walk", "east", 1),
    ("walk", "east", 2), ("walk", "north", 0), ("walk", "north", 1), ("walk", "west", 1), ("sit", "south", 0), ("sit", "east", 0),
    ("carry", "south", 0), ("carry", "east", 1), ("sleep", "south", 1),
)  # fmt: skip
NAMES = tuple(f"resident {n}" for n in range(24))
MARKS = ("followed", "talk", "spark", "pin")
POINTERS = ("arrow", "hand", "move", "inject")


def sheet(atlas: Atlas, people: Sequence[tuple[str, Look | None]] = ()) -> pygame.Surface:
    """Plants, objects, states, people (made-up ones when none are given), icons, parts of the window."""
    rows: list[tuple[str, list[pygame.Surface]]] = [
        ("green3", [plants.tree(kind, n).surface() for kind in plants.KINDS for n in range(plants.VARIANTS)]),
        ("green3", [plants.lamp().surface(), plants.rock(0).surface(), plants.rock(1).surface()]),
        ("wood4", [plants.small_table(False, False, manner, n).surface() for manner in ("", "drink", "class") for n in range(4)]),
        (
            "wood4",
            [atlas.object(kind, *SIZES.get(kind, (1, 1)), variant=n).surface for n, kind in enumerate((*catalogue(), "crate"))],
        ),
        ("wood4", [atlas.object("cooking area", 1, 1, state, frame).surface for state in STATES for frame in (0, 2)]),
    ]
    cast = people or [(name, None) for name in NAMES]
    for name, look in cast:
        rows.append(("cream1", [atlas.person(look, name, *pose) for pose in POSES] + [atlas.face(look, name)]))
    rows.append(("green3", [atlas.icon(name) for name in (*icons(), "dot")]))
    bubbles = [atlas.bubble(60, 18, style) for style in ("talk", "thought", "news")]
    rows.append(("green3", [*bubbles, *(atlas.marker(name) for name in MARKS), *(atlas.cursor(name) for name in POINTERS)]))
    return _stacked(atlas, rows)


def _stacked(atlas: Atlas, rows: Iterable[tuple[str, list[pygame.Surface]]]) -> pygame.Surface:
    """Rows of pictures on their ground, wrapped at the sheet's width; people share rows two by two."""
    lines: list[tuple[str, list[pygame.Surface], int]] = []
    for ground, pictures in rows:
        line: list[pygame.Surface] = []
        x = GAP
        if lines and lines[-1][0] == ground == "cream1" and lines[-1][2] + sum(p.get_width() + GAP for p in pictures) < WIDTH:
            _, line, x = lines.pop()
        for picture in pictures:
            if x + picture.get_width() + GAP > WIDTH:
                lines.append((ground, line, x))
                line, x = [], GAP
            line.append(picture)
            x += picture.get_width() + GAP
        lines.append((ground, line, x))
    heights = [max(picture.get_height() for picture in line) + GAP for _, line, _ in lines]
    whole = pygame.Surface((WIDTH, sum(heights)))
    top = 0
    for (ground, line, _), height in zip(lines, heights, strict=True):
        whole.fill(atlas.colour(ground), (0, top, WIDTH, height))
        x = GAP
        for picture in line:
            whole.blit(picture, (x, top + height - GAP // 2 - picture.get_height()))
            x += picture.get_width() + GAP
        top += height
    return whole


def drawn_kinds() -> frozenset[str]:
    """Kinds with a drawing of their own."""
    return frozenset(DRAWERS)


def scenery(name: str) -> TownMap:
    """A town by the name or path of its map."""
    return build_town(load_map(name))


def map_picture(atlas: Atlas, town: TownMap) -> pygame.Surface:
    """A whole town without people, at 16 pixels a tile."""
    whole = atlas.ground(town).copy()
    for piece in atlas.water(town, 0):
        whole.blit(piece.surface, (piece.x, piece.y))
    drawn = [(piece.foot, piece.x, piece.y, piece.surface) for piece in atlas.tall(town)]
    for thing in atlas.things(town):
        sprite = atlas.object(thing.kind, thing.width, thing.height, facing=thing.facing, variant=thing.variant)
        left, top = thing.x * TILE, thing.y * TILE
        drawn.append((top + sprite.foot, left + sprite.dx, top + sprite.dy, sprite.surface))
    for _, x, y, surface in sorted(drawn, key=lambda item: item[:3]):
        whole.blit(surface, (x, y))
    return whole
