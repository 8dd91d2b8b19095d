"""`town log`, `town memory`, `town why`, and what bare `town` says: all read a run file and write nothing."""

from __future__ import annotations

from typing import Annotated

import typer

AsJson = Annotated[bool, typer.Option("--json", help="As JSON, with stable keys.")]
Run = Annotated[str | None, typer.Argument(metavar="RUN", help="The run file; the newest when left out.", show_default=False)]


def add_to(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("log")(log)
    app.command("memory")(memory)
    app.command("why")(why)


def welcome() -> None:
    """What one can do next."""
    from simulation.storing.library import runs_in
    from simulation.wording import phrase

    found = runs_in()
    typer.echo(phrase("cli", "welcome_run", run=found[0]) if found else phrase("cli", "welcome"))


def log(
    run: Run = None,
    resident: Annotated[str | None, typer.Option("--resident", "-r", metavar="NAME", help="One resident's days.")] = None,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on while the run does.")] = False,
    ids: Annotated[bool, typer.Option("--ids", help="With the ids that `town why` takes.")] = False,
    json: AsJson = False,
) -> None:
    """What happened: the notable things of the whole town, or one resident's days."""
    from simulation.reading.lifelog import as_json, entries_of, follow_log, heading, read_out
    from simulation.storing.library import choose, find_run, names
    from simulation.storing.runfile import RunFile

    with RunFile.open(find_run(run)) as opened:
        who = choose(resident, names(opened)) if resident is not None else None
        if follow:
            for line in follow_log(opened, who, ids=ids, json=json):
                typer.echo(line)
            return
        entries = entries_of(opened, who)
        if json:
            typer.echo(as_json(opened, entries))
            return
        typer.echo(heading(opened, who))
        for line in read_out(opened, entries, who is not None, ids=ids):
            typer.echo(line)


def memory(
    run: Run = None,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Any part of a resident's name.", show_default=False)] = None,
    query: Annotated[str | None, typer.Option("--query", metavar="TEXT", help="What comes to mind for these words?")] = None,
    at: Annotated[str | None, typer.Option("--at", metavar="TIME", help="As of this time.", show_default="the end")] = None,
    count: Annotated[int, typer.Option("-n", min=1, help="How many records.")] = 30,
    json: AsJson = False,
) -> None:
    """What a resident remembers; with --query what comes to mind, with its three scores and what was left out."""
    from simulation.reading.recollect import recollect
    from simulation.storing.library import find_run, split_arguments
    from simulation.storing.runfile import RunFile

    where, who = split_arguments(run, name)
    with RunFile.open(find_run(where)) as opened:
        found = recollect(opened, who, query=query, at=at, count=count)
        typer.echo(found.as_json() if json else "\n".join(found.lines()))


def why(
    run: Run = None,
    id: Annotated[
        str | None, typer.Argument(metavar="ID", help="NAME/STEP/N of an act, utterance, memory or plan.", show_default=False)
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Questions to a model and its answers as they were sent.")] = False,
    json: AsJson = False,
) -> None:
    """Why did this happen? The reasons on file, and nothing else."""
    from kernel import UsageError, dumps
    from simulation.reading.why import explain, in_words
    from simulation.storing.library import find_run, split_arguments
    from simulation.storing.runfile import RunFile

    where, what = split_arguments(run, id)
    if what is None:
        raise UsageError("an id is missing", hint="`town log --ids` shows them")
    with RunFile.open(find_run(where)) as opened:
        found = explain(opened, what)
        typer.echo(dumps(found) if json else "\n".join(in_words(found, whole=full)))
