"""`town watch`: the window on a running or saved town."""

from __future__ import annotations

from typing import Annotated

import typer

from cli.filming import Size, size_of
from cli.reading import Run


def add_to(app: typer.Typer) -> None:
    """Adds the command of this module."""
    app.command("watch")(watch)


def watch(
    run: Run = None,
    at: Annotated[
        str | None, typer.Option("--at", metavar="TIME", help="Begin then.", show_default="live, or the first morning")
    ] = None,
    size: Size = "1280x720",
    frames: Annotated[int | None, typer.Option("--frames", min=1, hidden=True, help="Close after so many frames.")] = None,
) -> None:
    """Watch a town in a window: live while it is being lived, or any moment of a saved one. F1 shows the keys."""
    from simulation.library import find_run
    from viewer import watch as open_window

    open_window(find_run(run), at, size_of(size), frames)
