"""`town study NAME`: the studies that come with Townfolk, a command each.

add_to(app)         `town study`; each study is a function added to STUDIES
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from cli.reading import AsJson

STUDIES: dict[str, Callable[..., None]] = {}
"""The studies by name. Another module adds its own with `@study("NAME")`."""


def study(name: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Registers a function as `town study NAME`; its docstring is the help."""

    def register(function: Callable[..., None]) -> Callable[..., None]:
        STUDIES[name] = function
        return function

    return register


def add_to(app: typer.Typer) -> None:
    """Adds `town study` with all studies registered so far."""
    group = typer.Typer(no_args_is_help=True, add_completion=False)
    for name, function in STUDIES.items():
        group.command(name)(function)
    group.callback()(_studies)
    app.add_typer(group, name="study")
    app.command("verify")(verify)


def _studies() -> None:
    """Experiments over runs and over small worlds: tables, figures, evidence packages."""


@study("obligation")
def obligation(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where to write it.")] = Path("runs/obligation"),
    model: Annotated[
        str | None, typer.Option("--model", help="Let a language model decide: openai:NAME, local.", show_default=False)
    ] = None,
    episodes: Annotated[int, typer.Option("--episodes", min=1, help="Complete episodes per selector, with --model.")] = 10,
    seed: Annotated[int, typer.Option("--seed", help="Of the model's sampling, with --model.")] = 0,
    budget: Annotated[
        str | None, typer.Option("--budget", metavar="LIMIT", help="As of `town run`, with --model.", show_default=False)
    ] = None,
    json: AsJson = False,
) -> None:
    """Finite memory and a delayed obligation: seven conditions of the catchment, with figures and evidence packages.

    With --model a language model decides, in a fresh folder or in one that holds a trial of the same plan.
    """
    if model is not None:
        _trial(model, episodes, seed, budget, out / "model", json=json)
        return
    from kernel import dumps
    from studies.catchment import figures_of, live_all, write_study
    from studies.catchment.study import note, rows
    from studies.wording import entries, say

    lived = live_all()
    written = write_study(lived, out)
    if json:
        typer.echo(dumps({**figures_of(lived), "files": [str(path) for path in written]}))
        return
    _table(say("obligation", "evidence.offline"), say("obligation", "title"), entries("obligation", "columns"), rows(lived))
    typer.echo(note(lived))
    typer.echo(say("obligation", "written", count=len(lived), folder=out, first=next(iter(lived))))


@study("exposure")
def exposure(
    scenario: Annotated[str, typer.Argument(help="A scenario's name or file, with obligations.")] = "linden",
    seeds: Annotated[int, typer.Option("--seeds", min=1, help="So many seeds under each selector, from 0.")] = 10,
    max_records: Annotated[int, typer.Option("--max-records", min=1, help="Most memories shown at a decision.")] = 8,
    max_bytes: Annotated[int, typer.Option("--max-bytes", min=2, help="Most bytes of them.")] = 8192,
    days: Annotated[float | None, typer.Option("--days", help="Game days of each run.", show_default="the scenario's")] = None,
    model: Annotated[str, typer.Option("--model", help="Who answers.")] = "offline",
    cores: Annotated[int, typer.Option("--cores", min=1, help="Processes.")] = 1,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="The study's folder.", show_default="runs/exposure-SCENARIO")
    ] = None,
    json: AsJson = False,
) -> None:
    """A town under each selector at equal caps: which obligations were met, what was shown for it, where lives part.

    What was lived already is kept; what was broken off is taken up.
    """
    from kernel import dumps
    from studies.exposure import Life, Plan, about, conduct, notes, results, tables, write_results
    from studies.wording import say

    plan = Plan(scenario, seeds, max_records, max_bytes, days, model)
    folder = out or Path("runs") / f"exposure-{Path(scenario).stem}"

    def report(life: Life, done: int, total: int) -> None:
        fields = {"done": done, "total": total, "arm": life.arm, "seed": life.seed, "became": life.why or life.became}
        typer.echo(say("exposure", "progress", **fields), err=True)

    lives = conduct(plan, folder, cores=cores, report=None if json else report)
    data = results(plan, lives, folder)
    write_results(data, folder)
    if json:
        typer.echo(dumps(data))
        return
    evidence = say("common", data["evidence"])
    for title, columns, rows in tables(data):
        _table(evidence, title, columns, rows)
        evidence = ""
    for line in (about(data), *notes(data), say("exposure", "written", folder=folder)):
        typer.echo(line)


def _trial(spec: str, episodes: int, seed: int, budget: str | None, folder: Path, *, json: bool) -> None:
    from kernel import dumps
    from studies.catchment.trial import Plan, model_of, run_trial, trial_data, trial_notes, trial_rows
    from studies.wording import entries, say

    trial = run_trial(Plan(spec, episodes, seed=seed), model_of(spec, budget), folder)
    if json:
        typer.echo(dumps(trial_data(trial)))
        return
    title = say("obligation", "trial.title", model=spec)
    _table(say("obligation", "evidence.model"), title, entries("obligation", "trial.columns"), trial_rows(trial))
    for line in trial_notes(trial):
        typer.echo(line)
    typer.echo(say("obligation", "trial.written", count=len(trial.launched), folder=folder))


def verify(
    package: Annotated[Path, typer.Argument(metavar="PACKAGE", help="The folder of an evidence package.")],
    digest: Annotated[
        str | None, typer.Option("--digest", metavar="HEX", help="The digest it was published under.", show_default=False)
    ] = None,
    json: AsJson = False,
) -> None:
    """Check an evidence package without what made it: every byte, every correspondence, then the score. Exit code 1: invalid."""
    from studies.packages.verifying import verify as verified

    found = verified(package, digest)
    typer.echo(found.as_json() if json else "\n".join(found.lines()))
    if not found.valid:
        raise typer.Exit(1)


def _table(evidence: str, title: str, columns: list[str], rows: list[list[str]]) -> None:
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table

    if evidence:
        typer.echo(evidence)
    table = Table(box=SIMPLE, title=title, title_justify="left")
    for place, column in enumerate(columns):
        table.add_column(column, no_wrap=place == 0)
    for row in rows:
        table.add_row(*row)
    Console().print(table)
