"""Residents, composed of parts."""

from __future__ import annotations

from personas.spec import Look
from viewer.art.canvas import Canvas
from viewer.art.pieces import Facing, Pose

FRAMES = 4
DEFAULT = Look(skin="fair", hair="short", hair_colour="brown", top="blue shirt", bottom="grey trousers")


def look_of(look: Look | None, name: str) -> Look:
    """The look, or one chosen by name."""
    return look or DEFAULT


def draw(look: Look | None, name: str, pose: Pose, facing: Facing, frame: int) -> Canvas:
    """16 x 24."""
    return Canvas(16, 24).rect(4, 3, 8, 8, "skin4").rect(4, 11, 8, 7, "blue2").rect(5, 18, 6, 4, "slate1").outline()


def face(look: Look | None, name: str) -> Canvas:
    """16 x 16."""
    return Canvas(16, 16, draw(look, name, "stand", "south", 0).pixels[:16].copy())
