"""A short run of the smallest town, lived once, and windows on it without a display, for tests of the viewer."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any

os.environ["SDL_VIDEODRIVER"] = "dummy"
os.environ["SDL_AUDIODRIVER"] = "dummy"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
os.environ["XDG_CONFIG_HOME"] = mkdtemp(prefix="viewer-settings-")  # nobody's own settings change what is tested

import pygame

if TYPE_CHECKING:
    from simulation.run import Result
    from viewer import Window

STAND = 2520
"""Seven in the morning: where a town being lived stands when the window opens."""


@cache
def hamlet() -> Path:
    """A run file of three quarters of a day; don't write to it."""
    from simulation import read_blueprint, start

    path = Path(mkdtemp(prefix="viewer-")) / "hamlet.town"
    start(read_blueprint("hamlet", days=0.75), path)
    return path


@cache
def whole_day() -> Path:
    """The same, lived on to midnight: thoughts come in the evening; don't write to it."""
    from simulation import resume

    path = copy_of_hamlet(Path(mkdtemp(prefix="viewer-")))
    resume(path, days=0.25)
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


def run(window: Window, frames: int, seconds: float = 1 / 30) -> pygame.Surface:
    """Lets a window go on for some frames; the screen."""
    surface = pygame.display.get_surface()
    assert surface is not None
    for _ in range(frames):
        window.advance(seconds)
        window.draw(surface, seconds)
    return surface


def wait(window: Window, condition: Callable[[], bool], seconds: float = 20.0) -> None:
    """Lets a window go on until something that others do has come."""
    bound = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < bound, "it doesn't come"
        run(window, 1, 0.03)
        time.sleep(0.03)


def press(window: Window, *keys: int) -> None:
    """Presses keys one after the other."""
    for key in keys:
        window.handle(pygame.event.Event(pygame.KEYDOWN, key=key, mod=0, unicode="", scancode=0))
        window.handle(pygame.event.Event(pygame.KEYUP, key=key, mod=0, scancode=0))


def click(window: Window, point: tuple[int, int]) -> None:
    """Clicks with the left button."""
    window.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=point, rel=(0, 0), buttons=(0, 0, 0)))
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=point, button=1))
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=point, button=1))


def links(window: Window) -> list[str]:
    """What the page of the side panel can be clicked for."""
    side = window.panels.side
    assert side is not None
    assert side._page is not None
    return [link for _, link in side._page.links]


def click_link(window: Window, wanted: str) -> None:
    """Clicks the first part of the side panel's page that stands for something, scrolled into view or not."""
    side = window.panels.side
    assert side is not None
    assert side._page is not None
    link = next(link for link in links(window) if link.startswith(wanted))
    followed = window.panels._follow(link)
    if followed is not None:
        window.go(followed)
    run(window, 1)


def type_words(window: Window, words: str, deed: str) -> None:
    """Types into the line of the side panel and presses a button below it."""
    import pygame_gui

    side = window.panels.side
    assert side is not None
    assert side.line is not None
    side.line.set_text(words)
    window.handle(pygame.event.Event(pygame_gui.UI_BUTTON_PRESSED, ui_element=side._deeds[deed]))


def brightness(surface: pygame.Surface, rect: pygame.Rect | None = None) -> float:
    """Mean of all channels, 0..255."""
    red, green, blue, *_ = pygame.transform.average_color(surface, rect or surface.get_rect())
    return (red + green + blue) / 3


def difference(one: pygame.Surface, other: pygame.Surface, size: tuple[int, int] = (64, 36)) -> float:
    """Mean difference of two pictures, both made small, per channel 0..255."""
    small = [pygame.transform.smoothscale(picture.convert(24), size) for picture in (one, other)]
    first, second = (pygame.image.tobytes(picture, "RGB") for picture in small)
    return sum(abs(a - b) for a, b in zip(first, second, strict=True)) / len(first)


@dataclass
class Living:
    """A town lived in a thread, and a window on it."""

    path: Path
    thread: threading.Thread
    window: Window
    results: list[Result] = field(default_factory=list)

    def until(self, condition: Callable[[], bool], seconds: float = 15.0) -> None:
        surface = pygame.display.get_surface()
        assert surface is not None
        bound = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < bound, "it doesn't come"
            self.window.advance(0.04)
            self.window.draw(surface, 0.04)
            time.sleep(0.04)

    def press(self, key: int) -> None:
        self.window.handle(pygame.event.Event(pygame.KEYDOWN, key=key, mod=0, unicode="", scancode=0))
        self.window.handle(pygame.event.Event(pygame.KEYUP, key=key, mod=0, scancode=0))

    def ask(self, deed: str, words: str) -> None:
        """Types into the line of the side panel and presses a button below it."""
        side = self.window.panels.side
        assert side is not None
        assert side.line is not None
        side.line.set_text(words)
        import pygame_gui

        self.window.handle(pygame.event.Event(pygame_gui.UI_BUTTON_PRESSED, ui_element=side._deeds[deed]))

    @property
    def engine(self) -> str:
        from simulation.pace import told
        from simulation.storing.runfile import RunFile

        with RunFile.open(self.path) as run:
            said = told(run)
            return f"{said.doing}, {said.pace.text()}" if said else ""


@contextmanager
def living_hamlet(
    path: Path, size: tuple[int, int] = (1280, 720), *, until: str = "10:00", model: str | None = None, **more: Any
) -> Iterator[Living]:
    """The hamlet, standing at STAND, with a window on it; lived to its end, or to where it stands, when the test is over.

    `model` names one of `models`, which goes to `start` with the rest.
    """
    from simulation.compose import read_blueprint
    from simulation.pace import Pace
    from simulation.run import start
    from viewer import Window

    results: list[Result] = []
    blueprint = read_blueprint("hamlet", until=until, embedder="hash-64")
    blueprint = replace(blueprint, model=model) if model is not None else blueprint
    thread = threading.Thread(
        target=lambda: results.append(start(blueprint, path, pace=Pace(0.0, until=STAND), **more)), daemon=True
    )
    thread.start()
    await_step(path, STAND)
    screen(size)
    living = Living(path, thread, Window(path, size), results)
    yield living
    living.window.close()
    thread.join(30)
    assert not thread.is_alive()


def await_step(path: Path, step: int) -> None:
    """Waits until a run that is being lived stands at a step."""
    from kernel import RunFileError
    from simulation.storing.runfile import RunFile

    bound = time.monotonic() + 20
    while time.monotonic() < bound:
        try:
            with RunFile.open(path) as run:
                if run.committed == step:
                    return
        except RunFileError:
            pass
        time.sleep(0.02)
    raise AssertionError("the run doesn't begin")
