"""A progress bar on standard error.

with bar(quiet, "{task.fields[calls]} calls", calls=0) as update:      None when quiet or not a terminal
    update(description, total, completed, calls=7)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Update = Callable[..., None]
"""(description, total, completed, **fields) -> None."""


@contextmanager
def bar(quiet: bool, *shown: str, counted: bool = False, **fields: Any) -> Iterator[Update | None]:
    """What is done, a bar, how much of all (`counted`: in numbers), time to go, and texts made of `fields`."""
    from rich.console import Console  # here, so that nothing is loaded for `--help`

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    much = MofNCompleteColumn() if counted else TaskProgressColumn()
    columns = (TextColumn("{task.description}"), BarColumn(), much, TimeRemainingColumn(), *map(TextColumn, shown))
    with Progress(*columns, console=console, transient=True) as shown_bar:
        task = shown_bar.add_task("", total=None, **fields)

        def update(description: str, total: int, completed: int, **now: Any) -> None:
            shown_bar.update(task, description=description, total=total, completed=completed, **now)

        yield update
