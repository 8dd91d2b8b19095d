"""`town check`: maps, people and scenarios, with file, line, place and hint."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def add_to(app: typer.Typer) -> None:
    """Adds the command of this module."""
    app.command("check")(check)


def check(
    files: Annotated[
        list[Path] | None, typer.Argument(help="Files or folders; everything that comes with Townfolk when left out.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Problems as JSON.")] = False,
) -> None:
    """Validate maps, personas and scenarios."""
    from kernel import dumps
    from simulation.checking import check_files, check_shipped
    from simulation.wording import phrase

    checked, problems = check_files(files) if files else check_shipped()
    if json:
        listed = [{"file": p.file, "line": p.line, "what": p.what, "hint": p.hint} for p in problems]
        typer.echo(dumps({"checked": checked, "problems": listed}))
    else:
        for problem in problems:
            typer.echo(problem.sentence(), err=True)
        typer.echo(phrase("cli", "checked", files=len(checked), problems=len(problems)))
    if problems:
        raise typer.Exit(2)
