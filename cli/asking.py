"""`town ask`: a question to a resident, at any moment of their life."""

from __future__ import annotations

from typing import Annotated

import typer


def add_to(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("ask")(ask)


def ask(
    run: Annotated[
        str | None, typer.Argument(metavar="[RUN]", help="The run file; the newest when left out.", show_default=False)
    ] = None,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Any part of a resident's name.", show_default=False)] = None,
    question: Annotated[str | None, typer.Argument(metavar="QUESTION", help="The question.", show_default=False)] = None,
    at: Annotated[str | None, typer.Option("--at", metavar="TIME", help="As of this time.", show_default="the end")] = None,
    without: Annotated[
        str, typer.Option("--without", metavar="KINDS", help="Hide memories: reflection,plan,observation.", show_default=False)
    ] = "",
    model: Annotated[str | None, typer.Option("--model", help="Who words the answer.", show_default="the run's model")] = None,
    json: Annotated[bool, typer.Option("--json", help="As JSON, with stable keys.")] = False,
) -> None:
    """Ask a resident anything, as of any time; the run isn't touched."""
    from kernel import UsageError
    from memory import Condition
    from simulation.interview import Interviewer, keep
    from simulation.storing.library import find_run
    from simulation.storing.runfile import RunFile

    given = [word for word in (run, name, question) if word is not None]
    if len(given) < 2:
        raise UsageError("missing: a name and a question", hint="see --help")
    path = find_run(given[0] if len(given) == 3 else None)
    with RunFile.open(path) as opened:
        interview = Interviewer(opened, model).ask(given[-2], given[-1], at=at, condition=Condition.parse(without))
    keep(path, interview)
    typer.echo(interview.as_json() if json else "\n".join(interview.lines()))
