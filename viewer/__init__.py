"""The window: a running or saved town to look at, to understand and to film. Reads run files only.

Names are imported when they are first used, so that the command line doesn't load pictures it won't draw.
"""

import os
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from viewer.film import Subject, save_film, save_shot
    from viewer.highlight import save_highlight
    from viewer.opening import watch
    from viewer.snapshot import Body, Snapshot
    from viewer.source import Source
    from viewer.window import Window

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

_HOMES = {
    "Body": "snapshot",
    "Snapshot": "snapshot",
    "Source": "source",
    "Subject": "film",
    "Window": "window",
    "save_film": "film",
    "save_highlight": "highlight",
    "save_shot": "film",
    "watch": "opening",
}

__all__ = ["Body", "Snapshot", "Source", "Subject", "Window", "save_film", "save_highlight", "save_shot", "watch"]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(f"viewer.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'viewer' has no attribute '{name}'")
