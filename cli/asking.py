"""`town ask`: a question to a resident, or a dialogue with them, at any moment of their life."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pathlib import Path

    from memory import Condition
    from simulation.interview import Interview, Interviewer


def add_to(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("ask")(ask)


def ask(
    run: Annotated[
        str | None, typer.Argument(metavar="[RUN]", help="The run file; the newest when left out.", show_default=False)
    ] = None,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Any part of a resident's name.", show_default=False)] = None,
    question: Annotated[
        str | None,
        typer.Argument(metavar="[QUESTION]", help="The question; without one, a dialogue.", show_default=False),
    ] = None,
    at: Annotated[str | None, typer.Option("--at", metavar="TIME", help="As of this time.", show_default="the end")] = None,
    without: Annotated[
        str, typer.Option("--without", metavar="KINDS", help="Hide memories: reflection,plan,observation.", show_default=False)
    ] = "",
    model: Annotated[str | None, typer.Option("--model", help="Who words the answer.", show_default="the run's model")] = None,
    json: Annotated[bool, typer.Option("--json", help="As JSON, with stable keys.")] = False,
) -> None:
    """Ask a resident anything, as of any time; the run isn't touched."""
    from memory import Condition
    from simulation.dialogue import ask_arguments
    from simulation.interview import Interviewer
    from simulation.storing.library import find_run
    from simulation.storing.runfile import RunFile

    where, who, words = ask_arguments(run, name, question)
    path = find_run(where)
    with RunFile.open(path) as opened:
        asking = Interviewer(opened, model)
        condition = Condition.parse(without)
        if words is None:
            _dialogue(path, asking, who, asking.step_of(at), condition, json=json)
            return
        interview = asking.ask(who, words, at=at, condition=condition)
    typer.echo(interview.as_json() if json else "\n".join(interview.lines()))
    _keep(path, interview)


def _dialogue(path: Path, asking: Interviewer, part: str, step: int, condition: Condition, *, json: bool) -> None:
    """Questions from standard input, each seeing those before it, as of one moment; an empty line or the end ends it."""
    from simulation.dialogue import Dialogue

    dialogue = Dialogue(asking, part, step, condition)
    _say("\n".join(dialogue.opening()), unless=json)
    while True:
        try:
            question = _question(dialogue.prompt())
        except (EOFError, KeyboardInterrupt):
            _say("", unless=json)
            return
        if not question.strip():
            return
        interview = dialogue.ask(question)
        if interview is None:
            continue
        typer.echo(interview.as_json() if json else "\n".join(interview.answer_lines()))
        _keep(path, interview)


def _question(prompt: str) -> str:
    """A line of standard input. The prompt is for a person at a terminal only."""
    import sys

    if sys.stdin.isatty():
        print(prompt, end="", file=sys.stderr, flush=True)
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line


def _say(text: str, *, unless: bool) -> None:
    if not unless:
        typer.echo(text)


def _keep(path: Path, interview: Interview) -> None:
    """Keeps an answer in the run file; one that can't be kept was given all the same."""
    from kernel import RunFileError
    from simulation.interview import keep
    from simulation.wording import phrase

    try:
        keep(path, interview)
    except RunFileError as error:
        typer.echo(phrase("ask", "not_kept", why=error.sentence()), err=True)
