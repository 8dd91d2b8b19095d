"""`town watch`: the window on a running or saved town; and the same window beside a run that is just being lived.

display()                  whether a window can be expected to open here
window_beside(path, ...)   opens it as a process of its own, which outlives the run, as the run outlives it
"""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from cli.filming import Follow, size_of
from cli.reading import Run

Frames = Annotated[int | None, typer.Option("--frames", min=1, hidden=True, help="Close the window after so many frames.")]

FIRST_PACE = 60.0
"""Game seconds per second with which a town begins that is watched."""
PATIENCE = 60.0
"""Seconds the window waits for the town to begin."""
_SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")


def add_to(app: typer.Typer) -> None:
    """Adds the command of this module."""
    app.command("watch")(watch)


def watch(
    run: Run = None,
    at: Annotated[
        str | None, typer.Option("--at", metavar="TIME", help="Begin then.", show_default="live, or the first morning")
    ] = None,
    size: Annotated[
        str | None, typer.Option("--size", metavar="WxH", help="Size in pixels.", show_default="as in the settings, or 1280x720")
    ] = None,
    follow: Follow = None,
    frames: Frames = None,
    live: Annotated[bool, typer.Option("--live", hidden=True, help="Await a town about to be lived, and pace it.")] = False,
) -> None:
    """Watch a town in a window: live while it is being lived, or any moment of a saved one. F1 shows the keys."""
    from simulation.storing.library import find_run
    from viewer import watch as open_window
    from viewer.settings import SMALLEST

    pixels = size_of(size, SMALLEST) if size is not None else None
    if live and run is not None:
        open_window(Path(run), at, pixels, frames, follow=follow, pace=FIRST_PACE, patience=PATIENCE)
    else:
        open_window(find_run(run), at, pixels, frames, follow=follow)


def display() -> bool:
    """Whether a window can be expected to open here."""
    return sys.platform in ("win32", "darwin") or any(os.environ.get(name) for name in _SCREENS)


class Beside:
    """A window beside a run. `opened`: whether there is, or was, one to be seen."""

    def __init__(self, path: Path, frames: int | None) -> None:
        command = [sys.executable, "-P", "-m", "cli.main", "watch", str(path.resolve()), "--live"]
        command += ["--frames", str(frames)] if frames is not None else []
        windows = sys.platform == "win32"
        self.opened, self.living = True, True
        self._path = path
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            start_new_session=not windows,  # Ctrl-C stops the run, and leaves the window open
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) if windows else 0,
        )  # fmt: skip
        threading.Thread(target=self._wait, daemon=True).start()

    @property
    def open(self) -> bool:
        """Whether it is there now."""
        return self._process.poll() is None

    def close(self) -> None:
        """For a run that never began."""
        self.living = False
        self._process.terminate()

    def _wait(self) -> None:
        from simulation.pace import release
        from simulation.wording import phrase

        assert self._process.stderr is not None
        said = self._process.stderr.read()
        code = self._process.wait()
        self.opened = code == 0
        if not self.living:
            return
        if code:
            release(self._path)
            typer.echo(said.strip() or phrase("cli", "no_window"), err=True)
        typer.echo(phrase("cli", "window_closed", run=self._path), err=True)


@contextmanager
def window_beside(path: Path, wanted: bool, frames: int | None = None) -> Iterator[Beside | None]:
    """A window on a run about to be lived at `path`; None when it isn't wanted or can't be, which is said in a sentence."""
    from simulation.wording import phrase

    if not wanted or not display():
        if wanted:
            typer.echo(phrase("cli", "no_display", run=path), err=True)
        yield None
        return
    beside = Beside(path, frames)
    try:
        yield beside
    except BaseException:
        beside.close()
        raise
    beside.living = False
    if beside.open:
        typer.echo(phrase("cli", "window_stays"), err=True)
