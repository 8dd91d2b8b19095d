"""A short run of the smallest town, lived once, and windows on it without a display, for tests of the viewer."""

from __future__ import annotations

import os
import shutil
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"

import pygame


@cache
def hamlet() -> Path:
    """A run file of three quarters of a day; don't write to it."""
    from simulation import read_blueprint, start

    path = Path(mkdtemp(prefix="viewer-")) / "hamlet.town"
    start(read_blueprint("hamlet", days=0.75), path)
    return path


def copy_of_hamlet(folder: Path, committed: int | None = None) -> Path:
    """A copy to write to; with `committed`, as if the run had come so far only."""
    import sqlite3

    path = folder / "copy.town"
    shutil.copy(hamlet(), path)
    if committed is not None:
        connection = sqlite3.connect(path)
        connection.execute("UPDATE meta SET value = ? WHERE key = 'committed'", (str(committed),))
        connection.commit()
        connection.close()
    return path


def screen(size: tuple[int, int] = (1280, 720)) -> pygame.Surface:
    """A screen that nobody sees."""
    pygame.display.init()
    pygame.font.init()
    return pygame.display.set_mode(size)


def brightness(surface: pygame.Surface, rect: pygame.Rect | None = None) -> float:
    """Mean of all channels, 0..255."""
    red, green, blue, *_ = pygame.transform.average_color(surface, rect or surface.get_rect())
    return (red + green + blue) / 3


def difference(one: pygame.Surface, other: pygame.Surface, size: tuple[int, int] = (64, 36)) -> float:
    """Mean difference of two pictures, both made small, per channel 0..255."""
    small = [pygame.transform.smoothscale(picture.convert(24), size) for picture in (one, other)]
    first, second = (pygame.image.tobytes(picture, "RGB") for picture in small)
    return sum(abs(a - b) for a, b in zip(first, second, strict=True)) / len(first)
