"""`town study ablation`, `town study plan`, `town study collect-human`: studies of what a mind needs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.reading import AsJson
from cli.studying import study

if TYPE_CHECKING:
    from studies.runner.conducting import Report

Out = Annotated[Path | None, typer.Option("--out", metavar="DIR", help="The study's folder.", show_default="runs/studies/NAME")]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress, no table.")]
File = Annotated[str, typer.Option("--study", metavar="FILE", help="A study's YAML file, or the name of one that comes along.")]


def add_to(app: typer.Typer) -> None:
    """Adds the studies of this module to `town study`."""
    study("ablation")(ablation)
    study("plan")(plan)
    study("collect-human")(collect_human)


def ablation(
    file: File = "ablation",
    scenario: Annotated[str | None, typer.Option("--scenario", help="Another scenario.", show_default=False)] = None,
    seeds: Annotated[int | None, typer.Option("--seeds", min=1, help="So many seeds, from 0.", show_default=False)] = None,
    days: Annotated[float | None, typer.Option("--days", help="Game days of each run.", show_default=False)] = None,
    at: Annotated[str | None, typer.Option("--at", metavar="TIME", help="When on the last day they are asked.")] = None,
    model: Annotated[str | None, typer.Option("--model", help="Who lives and answers.", show_default="offline")] = None,
    judge: Annotated[str | None, typer.Option("--judge", help="grounding, or a model.", show_default="grounding")] = None,
    runs: Annotated[Path | None, typer.Option("--runs", metavar="DIR", help="Take finished runs from here.")] = None,
    human: Annotated[Path | None, typer.Option("--human", metavar="FILE", help="Answers of `town study collect-human`.")] = None,
    lives: Annotated[bool, typer.Option("--lives", help="Also live towns without reflection, and without planning.")] = False,
    rename: Annotated[int | None, typer.Option("--rename", metavar="SEED", help="Rename people and places throughout.")] = None,
    plan: Annotated[Path | None, typer.Option("--plan", metavar="FILE", help="The registered plan this follows.")] = None,
    cores: Annotated[int | None, typer.Option("--cores", min=1, help="Processes.", show_default="all cores")] = None,
    out: Out = None,
    json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Which parts of a mind matter: everybody interviewed under each ablation, judged, ranked, with intervals and a report."""
    from kernel import RunFileError, UsageError, dumps
    from studies.ranking.significance import need_statistics
    from studies.runner import StudyFolder, conduct, read_study, write_results
    from studies.runner.conducting import runs_by_seed

    need_statistics()
    given = runs_by_seed(runs, scenario or read_study(file).scenario) if runs is not None else {}
    wanted = read_study(file).asked_for(
        scenario=scenario, days=days, at=at, model=model, judge=judge, human=str(human) if human else None, rename=rename,
        seeds=tuple(range(seeds)) if seeds is not None else tuple(sorted(given)) or None,
        lives={"no_reflection": "reflection", "no_reflection_no_plan": "reflection,plan"} if lives else None,
        registered=str(plan) if plan else None,
    )  # fmt: skip
    if given and rename is not None:
        raise UsageError("runs that were lived already can't be renamed", hint="leave out --runs or --rename")
    folder = StudyFolder(out or Path("runs/studies") / wanted.name)
    with progress(quiet or json) as report:
        found = conduct(wanted, folder, cores=cores, given=given, report=report)
    data, written = write_results(found, folder)
    if json:
        typer.echo(dumps({**data, "files": [str(path) for path in written]}))
    elif not quiet:
        show(data, written[0])
    if (why := found.first_failure()) is not None:
        raise RunFileError("no run of the study came to its end", place=str(folder.path), hint=why)


def plan(
    where: Annotated[Path, typer.Argument(metavar="STUDY|CSV", help="The data so far: a study's folder, or a file of rankings.")],
    effect: Annotated[float, typer.Option("--effect", help="The difference to see: win rate above one half.")] = 0.1,
    pair: Annotated[
        str | None, typer.Option("--pair", metavar="A,B", help="Between which conditions.", show_default=False)
    ] = None,
    raters: Annotated[int, typer.Option("--raters", min=1, help="Raters for each question.")] = 1,
    power: Annotated[float, typer.Option("--power", min=0.05, max=0.999, help="How often it is to be found.")] = 0.8,
    hypothesis: Annotated[str | None, typer.Option("--hypothesis", help="What is to be tested, for the registered plan.")] = None,
    exclusions: Annotated[
        str | None, typer.Option("--exclusions", help="What will be left out, for the registered plan.")
    ] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="Freeze a plan here (.json), and its study.")] = None,
    json: AsJson = False,
) -> None:
    """How many residents, raters and seeds are needed to see a difference; with --out frozen before new data are seen."""
    from kernel import dumps
    from studies.runner.freezing import freeze, rankings_at
    from studies.runner.planning import plan as planned
    from studies.runner.planning import plan_lines
    from studies.wording import say

    found = planned(rankings_at(where), effect, pair=_pair(pair), raters=raters, power=power)
    frozen = freeze(where, found, out, hypothesis=hypothesis, exclusions=exclusions) if out is not None else None
    if json:
        typer.echo(dumps({**found.as_dict(), "frozen": frozen}))
        return
    typer.echo("\n".join(plan_lines(found)))
    if frozen is not None:
        typer.echo(say("study", "plan.frozen", **frozen))


def _pair(given: str | None) -> tuple[str, str] | None:
    from kernel import UsageError

    if given is None:
        return None
    names = [name.strip() for name in given.split(",")]
    if len(names) != 2:
        raise UsageError(f"'{given}' isn't a pair of conditions", hint="--pair full,no_memory")
    return names[0], names[1]


def collect_human(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="The run whose resident a person answers for.")],
    resident: Annotated[str, typer.Option("--resident", "-r", metavar="NAME", help="Any part of a resident's name.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The YAML file; more residents may share it.")],
    author: Annotated[str, typer.Option("--author", metavar="ID", help="A made-up identifier of who writes.")] = "person-1",
    at: Annotated[str, typer.Option("--at", metavar="TIME", help="As of this time of the last day, as in the study.")] = "20:00",
    questions: Annotated[str | None, typer.Option("--questions", metavar="FILE", help="Another bank of questions.")] = None,
) -> None:
    """A person reads a resident's life and memory and answers in their stead: the human baseline. Saved as you go."""
    from simulation.storing.library import find_run
    from studies.judging.writing_human import collect_human as collected

    collected(
        find_run(run),
        resident,
        out,
        lambda prompt: str(input(f"{prompt}: ")),
        typer.echo,
        author=author,
        at=at,
        questions=questions,
    )


def show(data: dict[str, Any], path: Path) -> None:
    """The evidence, the table of ratings, and where the report is."""
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table

    from studies.runner.tables import short_rows
    from studies.wording import entries, say

    judge = data["judge"] if data["judge"] in ("grounding", "human") else "model"
    typer.echo(say("study", f"evidence.{data['evidence']}"))
    table = Table(box=SIMPLE, title=data["title"], title_justify="left")
    for n, column in enumerate(entries("study", "cli.columns")):
        table.add_column(column, no_wrap=n > 0)  # where it is narrow, the names of conditions are broken and no figure is
    for row in short_rows(data):
        table.add_row(*row)
    Console().print(table)
    typer.echo(say("study", f"measures.{judge}", judge=data["judge"]).replace("**", ""))
    typer.echo(say("study", "cli.written", path=path))


@contextmanager
def progress(quiet: bool) -> Iterator[Report | None]:
    """A progress bar on standard error. Nothing when quiet or not a terminal."""
    from rich.console import Console

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    from studies.runner.conducting import Stage

    columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=None)

        def report(stage: Stage) -> None:
            bar.update(task, completed=stage.done, total=stage.total, description=stage.what)

        yield report
