"""`town fork`, `town pack` and `town export`: another future, one file to send, and tables for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Run = Annotated[str | None, typer.Argument(metavar="RUN", help="The run file; the newest when left out.", show_default=False)]
AsJson = Annotated[bool, typer.Option("--json", help="As JSON, with stable keys.")]


def add_to(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("fork")(fork)


def fork(
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The new run file.")],
    run: Run = None,
    at: Annotated[
        str | None, typer.Option("--at", metavar="TIME", help="The moment to go on from.", show_default="the end")
    ] = None,
    json: AsJson = False,
) -> None:
    """Copy a run's past up to a time into a new run, to meddle with and to resume."""
    from simulation.forking import fork
    from simulation.library import find_run
    from simulation.wording import phrase

    made = fork(find_run(run), at, out)
    typer.echo(made.as_json() if json else phrase("cli", "forked", run=made.run, parent=made.parent, time=made.time))
