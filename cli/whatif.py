"""`town whatif`: a change, made again and again, beside irrelevant changes and lives left alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from simulation.interventions import Wish
    from simulation.storing.runfile import RunFile
    from studies.whatif import Finding
    from studies.whatif.lives import Report

Two = tuple[str, str]


def add_to(app: typer.Typer) -> None:
    """Adds the command of this module."""
    app.command("whatif")(whatif)


def whatif(
    at: Annotated[str, typer.Option("--at", metavar="TIME", help="The moment of the change.")],
    run: Annotated[
        str | None, typer.Argument(metavar="RUN", help="The run file; the newest when left out.", show_default=False)
    ] = None,
    set_state: Annotated[Two | None, typer.Option("--set", metavar="ADDRESS STATE", help="An object in another state.")] = None,
    inject: Annotated[Two | None, typer.Option("--inject", metavar="TEXT ADDRESS", help="Something happens at a place.")] = None,
    voice: Annotated[Two | None, typer.Option("--voice", metavar="NAME TEXT", help="A resident's inner voice.")] = None,
    days: Annotated[float, typer.Option("--days", help="How long each future is lived; may be a fraction.")] = 1.0,
    repeat: Annotated[int, typer.Option("--repeat", help="How often, each time with other dice.")] = 5,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Where the lives go.", show_default="RUN-whatif-COUNT/")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="As JSON, with stable keys.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:
    """What if? Forks, changes, lives on, and judges the difference against irrelevant changes made equally often."""
    from simulation.interventions import wish_event, wish_object, wish_voice
    from simulation.run import INTERRUPTED
    from simulation.storing.library import find_run
    from studies.whatif import experiment, found, write
    from studies.whatif.lives import next_folder
    from studies.wording import say

    def wishes(opened: RunFile) -> Sequence[Wish]:
        asked = []
        if set_state is not None:
            asked.append(wish_object(opened, *set_state))
        if inject is not None:
            asked.append(wish_event(opened, *inject))
        if voice is not None:
            asked.append(wish_voice(opened, *voice))
        return asked

    path = find_run(run)
    folder = out or next_folder(path)
    with _progress(quiet or json, repeat) as report:
        try:
            lived = experiment(path, wishes, folder, at=at, days=days, repeat=repeat, report=report)
        except KeyboardInterrupt:
            typer.echo(say("whatif", "stopped", folder=folder), err=True)
            raise typer.Exit(INTERRUPTED) from None
    finding = found(lived)
    files = write(finding, folder)
    if json:
        typer.echo(finding.as_json())
    else:
        _show(finding, files[0])


def _show(finding: Finding, page: Path) -> None:
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table

    from studies.whatif.telling import about, honest, rows_of, verdict
    from studies.wording import entries, say

    console = Console(markup=False, highlight=False)
    typer.echo(f"{say('common', finding.evidence)}\n\n{about(finding)}\n")
    for kind in ("distance", "signed"):
        table = Table(box=SIMPLE, title=say("whatif", f"{kind}_head").lstrip("# "), padding=(0, 1, 0, 0))
        for name in entries("whatif", f"columns_{kind}"):
            table.add_column(name, no_wrap=True)
        for row in rows_of(finding, kind):
            table.add_row(*row)
        console.print(table)
    console.print(f"{verdict(finding)}\n")
    typer.echo(f"{honest(finding)}\n{say('whatif', 'written', path=page)}")


@contextmanager
def _progress(quiet: bool, repeat: int) -> Iterator[Report | None]:
    """A progress bar on standard error: which life, and its game clock. Nothing when quiet or not a terminal."""
    from rich.console import Console

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield None
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    from studies.whatif.lives import KINDS
    from studies.wording import say

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=repeat * len(KINDS))

        def report(kind: str, number: int, so_far: object) -> None:
            from simulation.run import Progress as SoFar

            assert isinstance(so_far, SoFar)
            done = (number - 1) * len(KINDS) + list(KINDS).index(kind)  # type: ignore[arg-type]
            share = (so_far.step - so_far.since) / max(1, so_far.until - so_far.since)
            life = say("whatif", "progress", life=say("whatif", f"life_{kind}"), repeat=number, of=repeat)
            bar.update(task, description=f"{so_far.now}  {life}", completed=done + share)

        yield report
