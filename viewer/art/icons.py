"""Icons of what people do, 11 x 11."""

from __future__ import annotations

from viewer.art.canvas import Canvas


def known(name: str) -> str:
    """The name, or `dot`."""
    return "dot"


def draw(name: str) -> Canvas:
    """The icon."""
    return Canvas(11, 11).oval(3, 3, 5, 5, "slate1")
