"""Opening the window on the screen: `watch(path)` keeps it going until it is closed."""

from __future__ import annotations

import math
import os
import sys
import time
from pathlib import Path

import pygame

from kernel import RunFileError, UsageError
from simulation.storing.library import choose
from simulation.storing.runfile import RunFile
from viewer.branching import Opening
from viewer.film import text_scale
from viewer.fonts import Fonts
from viewer.look import CREAM, SLATE
from viewer.settings import read_settings
from viewer.source import Source
from viewer.window import Window
from viewer.wording import say

UNSEEN = ("dummy", "offscreen")
"""Drivers that draw where nobody looks; used only when asked for."""
BEGIN = 6
"""Seconds that a run may take from making its file to writing its first steps."""
SMOOTH, CALM, RUSHED = 60, 20, 15
"""Pictures a second: while something moves or is moved; while only flames and water do; of a town that lives flat out, whose
people jump from picture to picture anyway."""
ATTENTION = 1.5
"""Seconds that the picture stays smooth after the last key or movement of the mouse."""
NICE = 10
"""How far the window stands back behind the town it watches, where both want the processor (Unix)."""


def watch(
    path: Path | str, at: str | None = None, size: tuple[int, int] | None = None, frames: int | None = None, *,
    follow: str | None = None, pace: float | None = None, patience: float = 0.0,
) -> None:  # fmt: skip
    """Opens the window until it is closed (or for a number of frames). Raises RunFileError, UsageError.

    size        in pixels (None: as in the user's settings)
    follow      any part of the name of a resident or a visitor, to be selected and followed
    pace        game seconds per second at which a town that is being lived is to go on (None: as it does)
    patience    seconds to wait for a file that isn't there yet
    """
    if not _await(Path(path), patience):
        _stand_back()
    who = _whom(path, follow) if follow is not None else None
    settings, notice = read_settings()
    size = size or settings.pixels
    hint = "`town film` and `town shot` need no display"
    try:
        pygame.display.init()
        if pygame.display.get_driver() in UNSEEN and "SDL_VIDEODRIVER" not in os.environ:
            raise UsageError("there is no display to open a window on", hint=hint)
        screen = pygame.display.set_mode(size, pygame.RESIZABLE)
    except pygame.error as error:
        raise UsageError(f"no window can be opened here: {error}", hint=hint) from None
    pygame.font.init()
    _wait(screen)
    window = Window(path, size, settings=settings)
    if notice:
        sys.stderr.write(f"{notice}\n")
        window.tell(notice)
    if at is not None:
        window.playback.seek(window.source.clock.step_at(window.source.clock.parse(at)))
    elif pace is not None and window.playback.live:
        window.go_at(settings.rate if "pace" in settings.model_fields_set else pace)
    if who is not None:
        window.select(who)
        window.following = True
    _name(window)
    clock = pygame.time.Clock()
    touched = 0.0
    while window.running and frames != 0:
        passed = min(clock.tick(rhythm(window, touched)) / 1000, 0.25)
        touched += passed
        for event in pygame.event.get():
            window.handle(event)
            touched = 0.0
        screen = pygame.display.get_surface() or screen
        if screen.get_size() != window.size:
            window.resize(screen.get_size())
        if window.opening is not None:
            _wait(screen)
            window = succeed(window, window.opening)
            _name(window)
        window.advance(passed)
        window.draw(screen, passed)
        pygame.display.flip()
        if frames is not None:
            frames -= 1
    window.close()
    pygame.display.quit()


def succeed(window: Window, opening: Opening) -> Window:
    """A window on another run (a fork), with what was open in the old one, which is closed."""
    new = Window(opening.path, window.size, settings=window.settings)
    new.resume_from(window, opening)
    window.close()
    return new


def _whom(path: Path | str, part: str) -> str:
    source = Source(path)
    try:
        return choose(part, source.everybody)
    finally:
        source.close()


def _name(window: Window) -> None:
    pygame.display.set_caption(say("window", "caption", title=window.source.title))
    pygame.display.set_icon(pygame.transform.scale(window.scene.atlas.face(None, window.source.title), (64, 64)))


def rhythm(window: Window, touched: float) -> int:
    """Pictures a second that are worth drawing; `touched` seconds ago the user did something."""
    playback = window.playback
    if touched < ATTENTION or window.camera.gliding:
        return SMOOTH
    if playback.live and not window.source.over and math.isinf(playback.chosen):
        return RUSHED
    return SMOOTH if playback.rate > 0 or playback.live else CALM


def _stand_back() -> None:
    """A town that is being lived comes first: the window never takes the processor from it."""
    if hasattr(os, "nice"):
        os.nice(max(0, NICE - os.nice(0)))


def _await(path: Path, patience: float) -> bool:
    """Says what is wrong with a file before a window opens; one that has only just been made is given a moment. Whether its
    planned end is reached.

    With `patience`, the town is about to be lived: waits for the file, and for a life ahead of it.
    """
    bound = time.monotonic() + patience
    while not path.is_file() and time.monotonic() < bound:
        time.sleep(0.1)
    for _ in range(BEGIN * 5):
        try:
            source = Source(path)
            over = source.over
            source.close()
            while over and time.monotonic() < bound:
                time.sleep(0.2)
                with RunFile.open(path) as run:
                    over = run.committed >= int(run.get("planned", "0"))
            return over
        except RunFileError:
            if not path.is_file() or time.time() - path.stat().st_mtime > BEGIN:
                raise
            time.sleep(0.2)
    Source(path).close()
    return False


def _wait(screen: pygame.Surface) -> None:
    """What is seen while the pictures are being drawn."""
    screen.fill(SLATE)
    text = Fonts(text_scale(screen.get_size())).text(say("window", "painting"), 18, CREAM)
    screen.blit(text, text.get_rect(center=screen.get_rect().center))
    pygame.display.flip()
    pygame.event.pump()
