"""`town interview`: every resident, a bank of questions, any moments and conditions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.progress import bar

if TYPE_CHECKING:
    from studies.interviewing import Report


def add_to(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("interview")(interview)


def interview(
    run: Annotated[
        str | None, typer.Argument(metavar="[RUN]", help="The run file; the newest when left out.", show_default=False)
    ] = None,
    residents: Annotated[
        list[str] | None,
        typer.Option("--residents", metavar="NAMES", help="Parts of names, joined by commas.", show_default="everybody"),
    ] = None,
    questions: Annotated[
        Path | None, typer.Option("--questions", metavar="FILE", help="A bank of questions.", show_default="the paper's 25")
    ] = None,
    category: Annotated[
        list[str] | None, typer.Option("--category", metavar="NAMES", help="Only these categories.", show_default="all")
    ] = None,
    at: Annotated[
        list[str] | None,
        typer.Option("--at", metavar="TIME", help="As of this time; may be given again.", show_default="the end"),
    ] = None,
    conditions: Annotated[
        str,
        typer.Option(
            "--conditions",
            metavar="NAMES",
            help="full, no_reflection, no_reflection_no_plan, no_memory, or all.",
            show_default="full",
        ),
    ] = "",
    without: Annotated[
        list[str] | None,
        typer.Option(
            "--without", metavar="KINDS", help="Hide memories: reflection,plan. May be given again.", show_default=False
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write them to a .jsonl, .csv or .md, too.", show_default=False)
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Don't ask again what is on file.")] = False,
    model: Annotated[str | None, typer.Option("--model", help="Who words the answers.", show_default="the run's model")] = None,
    json: Annotated[bool, typer.Option("--json", help="Figures as JSON, with stable keys.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no closing words.")] = False,
) -> None:
    """Interview residents in batch; the run isn't touched, and the answers are kept in it."""
    from contextlib import ExitStack

    from simulation.storing.library import find_run
    from studies.answers import AnswerFile, summary
    from studies.interviewing import conditions_of, conduct, plan_of
    from studies.questions import read_questions
    from studies.wording import say

    path = find_run(run)
    bank = read_questions(questions)
    chosen = conditions_of(conditions, without or ())
    with ExitStack() as stack, _progress(quiet or json) as report:
        outcome = conduct(
            path,
            lambda asking: plan_of(
                asking, bank, residents=_split(residents), categories=_split(category), at=at or (), conditions=chosen,
                resume=resume,
            ),
            model=model,
            resume=resume,
            each=lambda: stack.enter_context(AnswerFile(out, replace=resume)).add if out is not None else None,
            report=report,
        )  # fmt: skip
    if json:
        typer.echo(outcome.as_json())
    elif not quiet:
        typer.echo("\n".join(summary(outcome)))
        if not outcome.not_kept:
            typer.echo(say("interview", "summary.kept", run=path))
        if out is not None:
            typer.echo(say("interview", "summary.written", out=out))
    if outcome.stopped:
        typer.echo(say("interview", "summary.stopped", n=outcome.asked + outcome.again), err=True)
        raise typer.Exit(130)


def _split(given: list[str] | None) -> list[str]:
    return [word.strip() for one in given or () for word in one.split(",") if word.strip()]


@contextmanager
def _progress(quiet: bool) -> Iterator[Report | None]:
    """Who is asked, as of when, answers, fallbacks."""
    with bar(quiet, "{task.fields[fallbacks]} fallbacks", counted=True, fallbacks=0) as update:
        if update is None:
            yield None
            return

        def report(done: int, of: int, who: str, time: str, fallbacks: int) -> None:
            update(f"{who}  {time}", of, done, fallbacks=fallbacks)

        yield report
