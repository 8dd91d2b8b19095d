"""`town fork`, `town diff`, `town pack` and `town export`: another future, and files for others."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Run = Annotated[str | None, typer.Argument(metavar="RUN", help="The run file; the newest when left out.", show_default=False)]
AsJson = Annotated[bool, typer.Option("--json", help="As JSON, with stable keys.")]


def add_to(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("fork")(fork)
    app.command("diff")(diff)
    app.command("replay")(replay)
    app.command("pack")(pack)
    app.command("export")(export)


def fork(
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The new run file.")],
    run: Run = None,
    at: Annotated[
        str | None, typer.Option("--at", metavar="TIME", help="The moment to go on from.", show_default="the end")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Other dice from there on.", show_default="the run's own")] = None,
    json: AsJson = False,
) -> None:
    """Copy a run's past up to a time into a new run, to meddle with and to resume."""
    from simulation.forking import fork
    from simulation.storing.library import find_run
    from simulation.wording import phrase

    made = fork(find_run(run), at, out, seed=seed)
    typer.echo(made.as_json() if json else phrase("cli", "forked", run=made.run, parent=made.parent, time=made.time))


def diff(
    first: Annotated[str, typer.Argument(metavar="RUN", help="One run file.")],
    second: Annotated[str, typer.Argument(metavar="RUN", help="The other.")],
    out: Annotated[Path | None, typer.Option("--out", metavar="PNG", help="A picture of the difference.")] = None,
    json: AsJson = False,
) -> None:
    """Where two runs part, why as far as the files say, and who knew what, met whom and was where."""
    from simulation.reading.comparing import compare
    from simulation.storing.library import find_run
    from simulation.storing.runfile import RunFile

    with RunFile.open(find_run(first)) as one, RunFile.open(find_run(second)) as other:
        found = compare(one, other)
        if out is not None:
            from studies.comparison import picture

            picture(one, other, found, out)
    typer.echo(found.as_json() if json else "\n".join(found.lines()))


def replay(
    run: Run = None,
    verify: Annotated[bool, typer.Option("--verify", help="Compare the digests (what it is for).")] = True,
    json: AsJson = False,
) -> None:
    """Live a run again from its own journal, in a temporary copy, and compare: exit code 1 when it comes out otherwise."""
    from simulation.replaying import verify as verified
    from simulation.storing.library import find_run
    from simulation.wording import phrase

    found = verified(find_run(run))
    if json:
        typer.echo(found.as_json())
    else:
        fields = {"run": found.run, "digest": found.digest, "step": found.step, "time": found.time, "table": found.table}
        typer.echo(phrase("cli", "replayed" if found.same else "replayed_otherwise", **fields))
    if verify and not found.same:
        raise typer.Exit(1)


def pack(
    run: Run = None,
    evidence: Annotated[
        Path | None,
        typer.Option("--evidence", metavar="DIR", help="Seal it as evidence that `town verify` checks; the run stays as it is."),
    ] = None,
    json: AsJson = False,
) -> None:
    """Close and compact a run into one file to send, or seal it as an evidence package."""
    if evidence is not None:
        _sealed(run, evidence, json=json)
        return
    from simulation.storing.library import find_run
    from simulation.storing.packing import pack
    from simulation.wording import phrase

    packed = pack(find_run(run))
    figures = {"run": packed.run, "before": packed.before / 1e6, "after": packed.after / 1e6}
    typer.echo(packed.as_json() if json else phrase("cli", "packed", **figures))


def _sealed(run: str | None, folder: Path, *, json: bool) -> None:
    from kernel import dumps
    from simulation.storing.library import find_run
    from studies.packages.town_run import pack_run
    from studies.wording import say

    path = find_run(run)
    digest = pack_run(path, folder)
    told = {"run": str(path), "package": str(folder), "digest": digest}
    typer.echo(dumps(told) if json else say("verify", "packed", **told))


def export(
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder to write into.")],
    run: Run = None,
    form: Annotated[
        list[str] | None,
        typer.Option("--format", metavar="csv|parquet", help="Of the tables; may be given twice.", show_default="csv"),
    ] = None,
    json: AsJson = False,
) -> None:
    """Write a run's tables as CSV or Parquet, its talk as Markdown by day, and who knows whom as GraphML."""
    from kernel import dumps
    from simulation.reading.exporting import export
    from simulation.storing.library import find_run
    from simulation.wording import phrase

    path = find_run(run)
    files = export(path, out, form or ["csv"])
    if json:
        typer.echo(dumps({"run": str(path), "files": [str(file) for file in files]}))
    else:
        typer.echo(phrase("cli", "exported", count=len(files), folder=out))
