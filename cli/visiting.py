"""`town visit`, `arrive`, `depart`, `schedule` and `interventions`: bodies that come and go, and what was asked of a town."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.meddling import AsAuthor, AsJson, First, ask, split

if TYPE_CHECKING:
    from collections.abc import Iterable


def add_to(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("visit")(visit)
    app.command("arrive")(arrive)
    app.command("depart")(depart)
    app.command("schedule")(schedule)
    app.command("interventions")(interventions)


def visit(
    run: First = None,
    name: Annotated[str, typer.Option("--as", metavar="NAME", help="The visitor's name.")] = "Robin Vale",
    look: Annotated[str, typer.Option("--look", help="How strangers see the visitor, in words.")] = "",
    at: Annotated[
        str | None, typer.Option("--at", metavar="ADDRESS", help="Where they come in.", show_default="the first door")
    ] = None,
) -> None:
    """Walk into a town: look, go, say, wait, leave; one command a line. Works with lines from a file or pipe, too."""
    from simulation.storing.library import find_run
    from simulation.visiting import Visit
    from simulation.wording import phrase

    session = Visit(find_run(run), name, look, at)
    _show(session.begin())
    try:
        while True:
            if sys.stdin.isatty():
                typer.echo(phrase("visit", "ask", name=session.name), nl=False)
            line = sys.stdin.readline()
            if not line or line.strip() in ("leave", "quit", "exit"):
                break
            _show(session.obey(line))
    finally:
        _show(session.end())


def arrive(
    at: Annotated[str | None, typer.Option("--at", metavar="ADDRESS", help="Where they come in.", show_default="at home")] = None,
    run: First = None,
    persona: Annotated[str | None, typer.Argument(metavar="PERSONA", help="A persona's file.", show_default=False)] = None,
    mind: Annotated[str | None, typer.Option("--mind", help="The kind of mind.", show_default="the run's")] = None,
    author: AsAuthor = "",
    json: AsJson = False,
) -> None:
    """Add a resident on the way: a whole mind, with its persona."""
    from personas import load_newcomer
    from simulation.interventions import wish_arrive
    from simulation.storing.library import names

    where, (file,) = split(run, [persona], 1, "a persona's file")
    ask(where, lambda opened: [wish_arrive(opened, load_newcomer(Path(file), names(opened)), at, mind)], json, author)


def depart(
    run: First = None,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Any part of a resident's name.", show_default=False)] = None,
    author: AsAuthor = "",
    json: AsJson = False,
) -> None:
    """Take a resident away; others notice only that they aren't there."""
    from simulation.interventions import wish_depart

    where, (who,) = split(run, [name], 1, "a name")
    ask(where, lambda opened: [wish_depart(opened, who)], json, author)


def schedule(
    run: First = None,
    file: Annotated[str | None, typer.Argument(metavar="FILE", help="Interventions with times.", show_default=False)] = None,
    json: AsJson = False,
) -> None:
    """Set interventions for times to come, all of a file or none."""
    from kernel import dumps
    from simulation.interventions import schedule as set_for
    from simulation.storing.library import find_run
    from simulation.wording import phrase

    where, (given,) = split(run, [file], 1, "a file of interventions")
    path = find_run(where)
    ids = set_for(path, Path(given))
    typer.echo(dumps({"run": str(path), "ids": ids}) if json else phrase("cli", "scheduled", count=len(ids), run=path))


def interventions(run: First = None, json: AsJson = False) -> None:
    """What was asked of a town: by whom, when it took effect, and who noticed it first."""
    from kernel import dumps
    from simulation.interventions import listing
    from simulation.storing.library import find_run
    from simulation.storing.runfile import RunFile
    from simulation.wording import phrase

    path = find_run(run)
    with RunFile.open(path) as opened:
        found = listing(opened)
    if json:
        typer.echo(dumps([one.as_dict() for one in found]))
        return
    _show(line for one in found for line in one.lines())
    if not found:
        typer.echo(phrase("interventions", "none", run=path))


def _show(lines: Iterable[str]) -> None:
    for line in lines:
        typer.echo(line)
