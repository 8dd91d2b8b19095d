"""`town report`: measures of a run, with plots, and its story told at the end of `town run --story`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.reading import AsJson, Run


def add_to(app: typer.Typer) -> None:
    """Adds the command of this module."""
    app.command("report")(report)


def report(
    run: Run = None,
    json: AsJson = False,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Where to write it.", show_default="beside the run file")
    ] = None,
) -> None:
    """Measure a run: who knows what from whom, who knows whom, who came, whole days, oddities. Markdown, plots, JSON."""
    from simulation.storing.library import find_run
    from simulation.storing.runfile import RunFile

    with RunFile.open(find_run(run)) as opened:
        if json and out is None:
            from kernel import dumps
            from simulation.measures import report_data

            typer.echo(dumps(report_data(opened)))
            return
        _report(opened, out, json=json)


def _report(opened: object, out: Path | None, *, json: bool) -> None:
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table

    from kernel import dumps
    from simulation.storing.runfile import RunFile
    from studies import gather, report_folder, short_rows
    from studies.report import write
    from studies.wording import say

    assert isinstance(opened, RunFile)
    material = gather(opened)
    written = write(material, out or report_folder(opened.path))
    if json:
        typer.echo(dumps(material.data))
        return
    typer.echo(material.evidence_line())
    table = Table(say("report", "table.measure"), say("report", "table.value"), box=SIMPLE, title=material.data["title"])
    for measure, value in short_rows(material):
        table.add_row(measure, value)
    Console().print(table)
    typer.echo(say("report", "table.written", path=written[0]))


def tell(path: Path) -> None:
    """Prints a run's story, writes its report beside it, and says where that is."""
    from simulation.storing.runfile import RunFile
    from studies import gather, report_folder
    from studies.report import write
    from studies.telling import tell as told
    from studies.wording import say

    with RunFile.open(path) as opened:
        material = gather(opened)
        typer.echo(told(material))
        written = write(material, report_folder(path))
        typer.echo(say("report", "table.written", path=written[0]))
