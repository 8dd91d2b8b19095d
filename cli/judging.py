"""`town judge`, `town judge pack`, `town judge collect`, `town rank`: people rank answers, blind, and what that comes to."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cli.reading import AsJson

Where = Annotated[Path, typer.Argument(metavar="STUDY|RUN", help="A study's folder, or a run file.", show_default=False)]
Questions = Annotated[str | None, typer.Option("--questions", metavar="FILE", help="Of a run: another bank of questions.")]


def add_to(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    group = typer.Typer(
        no_args_is_help=True, add_completion=False, help="People rank answers, blind: here, or on a page to send."
    )
    group.command("rate")(rate)
    group.command("pack")(pack)
    group.command("collect")(collect)
    app.add_typer(group, name="judge")
    app.command("rank")(rank)


def rate(
    where: Where,
    rater: Annotated[str, typer.Option("--rater", metavar="ID", help="A made-up identifier of who rates.")] = "rater-1",
    session: Annotated[
        int, typer.Option("--session", min=1, metavar="N", help="Which session: another resident, other questions.")
    ] = 1,
    questions: Questions = None,
    window: Annotated[bool, typer.Option("--window", help="In a window instead of the terminal.")] = False,
) -> None:
    """Rank answers, blind: a resident's life, then five questions; saved as you go, taken up where you stopped."""
    from simulation.storing.library import find_run
    from studies.judging.sources import Source
    from studies.judging.terminal import rate as rating

    source = Source.of(where if where.is_dir() else find_run(where), questions)
    made, _ = source.make(session)
    if window:
        from studies.judging.windowed import Windowed
        from viewer.rating import rate as rating_window

        rating_window(Windowed(made, source.store, rater))
        return
    rating(made, source.store, rater, lambda prompt: str(input(f"{prompt}: ")), typer.echo)


def pack(
    where: Where,
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="How many pages, one session each.")] = 1,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Where to.", show_default="pages beside the keys")
    ] = None,
    questions: Questions = None,
    json: AsJson = False,
) -> None:
    """Write sessions as self-contained pages for raters elsewhere. Keys stay here; nothing in a page tells conditions apart."""
    from kernel import dumps
    from simulation.storing.library import find_run
    from studies.judging.sources import Source
    from studies.judging.sources import pack as packed
    from studies.wording import say

    source = Source.of(where if where.is_dir() else find_run(where), questions)
    folder = out or source.store.folder / "pages"
    written = packed(source, count, folder)
    keys = source.store.folder / "keys"
    if json:
        typer.echo(dumps({"pages": [str(path) for path in written], "keys": str(keys)}))
    else:
        typer.echo(say("judging", "packed", n=len(written), folder=folder, keys=keys))


def collect(
    where: Where,
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="What raters sent back; folders are searched.")],
    json: AsJson = False,
) -> None:
    """Take in what raters sent back. Files that won't do are refused, each with why; partial ones count as far as they go."""
    from kernel import dumps
    from studies.judging.collecting import collect as collected
    from studies.judging.session import Store

    store = Store(where / "judging" if where.is_dir() else where.with_name(f"{where.stem}-judging"))
    found = collected(store, files)
    typer.echo(dumps(found.as_dict()) if json else "\n".join(found.lines()))


def rank(
    where: Annotated[Path, typer.Argument(metavar="STUDY|RUN|CSV", help="A study's folder, a run, or a file of rankings.")],
    evidence: Annotated[
        str, typer.Option("--evidence", help="Who made the rankings of a CSV file: human, model, offline.")
    ] = "model",
    json: AsJson = False,
) -> None:
    """Rate conditions from rankings: TrueSkill with intervals, win rates, tests. Of a study or a run: from what people ranked."""
    from kernel import UsageError, dumps
    from studies.judging.ranking import human_results
    from studies.judging.session import Store
    from studies.judging.shown import lines_of
    from studies.ranking import read_csv
    from studies.ranking.significance import need_statistics

    need_statistics()
    if where.suffix == ".csv":
        if evidence not in ("human", "model", "offline"):
            raise UsageError(f"'{evidence}' is no kind of evidence", hint="human, model or offline")
        rankings = read_csv(where)
    else:
        evidence = "human"
        rankings = Store(where / "judging" if where.is_dir() else where.with_name(f"{where.stem}-judging")).rankings()
    if not rankings:
        raise UsageError("nothing has been ranked yet", hint="`town judge rate` ranks here, `town judge collect` takes files in")
    data = human_results(rankings, evidence)
    typer.echo(dumps(data) if json else "\n".join(lines_of(data)))
