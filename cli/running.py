"""`town run` and `town resume`; with `--watch` beside a window, with `--show` there or in a short film."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.progress import bar
from cli.watching import FIRST_PACE, Frames, display, window_beside

if TYPE_CHECKING:
    from simulation.run import Progress, Report, Result

Days = Annotated[float | None, typer.Option("--days", help="Game days, may be a fraction.", show_default=False)]
Until = Annotated[
    str | None,
    typer.Option("--until", metavar="TIME", help='"2023-02-14 20:00", or "20:00" of the first day.', show_default=False),
]
ModelFor = Annotated[
    list[str] | None,
    typer.Option("--model-for", metavar="OPERATIONS=MODEL", help="Another model for some operations: say,reflect=openai:NAME."),
]
Budget = Annotated[
    str | None,
    typer.Option("--budget", metavar="LIMIT", help="Stop before spending more: 5usd, 2M-tokens, 3000-calls.", show_default=False),
]
Context = Annotated[
    int | None, typer.Option("--context", metavar="TOKENS", help="No question and answer longer than this.", show_default=False)
]
Record = Annotated[
    Path | None, typer.Option("--record", metavar="FILE", help="Append every call to FILE, for --model replay:FILE.")
]
EngineKind = Annotated[
    str | None,
    typer.Option(
        "--engine",
        metavar="sync|ooo",
        help="Lock-step, or residents run ahead.",
        show_default="ooo with a model that is waited for",
    ),
]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress, no closing words.")]
AsJson = Annotated[bool, typer.Option("--json", help="Figures as JSON, with stable keys.")]
Story = Annotated[bool, typer.Option("--story", help="Tell what happened in a page.")]
Watch = Annotated[bool, typer.Option("--watch", help="Open a window on it, at one game minute per second.")]
Show = Annotated[
    bool, typer.Option("--show", help="Watch it where there is a display, else make a short film of it; and tell its story.")
]


def add_to(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("run")(run)
    app.command("resume")(resume)


def run(
    scenario: Annotated[str | None, typer.Argument(help="A scenario's name or file.", show_default="see `town`")] = None,
    days: Days = None,
    until: Until = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Another seed, another life.", show_default=False)] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="The run file.", show_default="runs/SCENARIO-seedN-COUNT.town")
    ] = None,
    model: Annotated[str, typer.Option("--model", help="offline, openai:NAME, local or replay:FILE.")] = "offline",
    model_for: ModelFor = None,
    mind: Annotated[str | None, typer.Option("--mind", help="The kind of mind.", show_default="the scenario's")] = None,
    exposure: Annotated[
        str | None,
        typer.Option("--exposure", help="What of their past people are shown: weighted, recency, priority.", show_default=False),
    ] = None,
    max_records: Annotated[
        int | None, typer.Option("--max-records", metavar="N", help="Most memories shown at a decision.", show_default="no cap")
    ] = None,
    max_bytes: Annotated[
        int | None, typer.Option("--max-bytes", metavar="N", help="Most bytes of them.", show_default="no cap")
    ] = None,
    budget: Budget = None,
    context: Context = None,
    record: Record = None,
    engine: EngineKind = None,
    interventions: Annotated[
        Path | None,
        typer.Option("--interventions", metavar="FILE", help="What is to be done at what time.", show_default=False),
    ] = None,
    embedder: Annotated[
        str,
        typer.Option(
            "--embedder", help="wordllama-256, hash-N, or openai:NAME@SERVER/DIMENSIONS (the last two parts may be left out)."
        ),
    ] = "wordllama-256",
    without: Annotated[
        str, typer.Option("--without", metavar="KINDS", help="Live without: reflection,plan.", show_default=False)
    ] = "",
    rename: Annotated[
        int | None, typer.Option("--rename", metavar="SEED", help="Other names for all people and places.", show_default=False)
    ] = None,
    json: AsJson = False,
    quiet: Quiet = False,
    story: Story = False,
    watch: Watch = False,
    show: Show = False,
    frames: Frames = None,
) -> None:
    """Live a scenario into a new run file."""
    from language.operations import OPERATIONS
    from scenarios import default
    from simulation import run as living
    from simulation.compose import read_blueprint, with_settings
    from simulation.models import parse_assignments, read_means
    from simulation.pace import Pace
    from simulation.storing.library import next_path
    from simulation.trajectories import living_without

    assigned = parse_assignments(model_for or (), [operation.name for operation in OPERATIONS])
    means = read_means(budget, context, record, engine)
    name = scenario or default()
    blueprint = read_blueprint(
        name, seed=seed, days=days, until=until, mind=mind, model=model, model_for=assigned, embedder=embedder
    )
    blueprint = with_settings(blueprint, exposure=exposure, max_records=max_records, max_bytes=max_bytes)
    blueprint = living_without(blueprint, without)
    if rename is not None:
        from studies.renaming import renamed

        blueprint = renamed(blueprint, rename)
    path = out or next_path(blueprint.scenario.name, blueprint.seed)
    if path.exists():
        watch = show = False  # which is said by `start`
    with _progress(quiet or json) as report, window_beside(path, watch or (show and display()), frames) as window:
        result = living.start(
            blueprint,
            path,
            report=report,
            on_stop=_stopping,
            pace=Pace(FIRST_PACE) if window else None,
            means=means,
            interventions=interventions,
        )
    _tell(
        result,
        json=json,
        quiet=quiet,
        story=story or show,
        film=show and not result.interrupted and not (window and window.opened),
    )


def resume(
    run: Annotated[str | None, typer.Argument(metavar="RUN", help="The run file; the newest when left out.")] = None,
    days: Annotated[float | None, typer.Option("--days", help="Further game days.", show_default="to the planned end")] = None,
    until: Until = None,
    model: Annotated[str | None, typer.Option("--model", help="Go on with another model.", show_default="as before")] = None,
    model_for: ModelFor = None,
    budget: Budget = None,
    context: Context = None,
    record: Record = None,
    engine: EngineKind = None,
    embedder: Annotated[
        str | None, typer.Option("--embedder", help="Must be the run's own; see `town reembed`.", show_default="the run's")
    ] = None,
    json: AsJson = False,
    quiet: Quiet = False,
    story: Story = False,
    watch: Watch = False,
    show: Show = False,
    frames: Frames = None,
) -> None:
    """Go on with a run where it stopped, whatever stopped it."""
    from language.operations import OPERATIONS
    from simulation import run as living
    from simulation.models import parse_assignments, read_means
    from simulation.pace import Pace
    from simulation.storing.library import find_run
    from simulation.wording import phrase

    means = read_means(budget, context, record, engine)
    path = find_run(run)
    assigned = parse_assignments(model_for or (), [operation.name for operation in OPERATIONS])
    if living.wording_changed(path):
        typer.echo(phrase("cli", "wording_changed"), err=True)
    with _progress(quiet or json) as report, window_beside(path, watch or (show and display()), frames) as window:
        result = living.resume(
            path,
            days=days,
            until=until,
            model=model,
            model_for=assigned,
            embedder=embedder,
            means=means,
            report=report,
            on_stop=_stopping,
            pace=Pace(FIRST_PACE) if window else None,
        )
    _tell(
        result,
        json=json,
        quiet=quiet,
        story=story or show,
        film=show and not result.interrupted and not (window and window.opened),
    )


def _stopping() -> None:
    from simulation.wording import phrase

    typer.echo(phrase("cli", "stopping"), err=True)


def _tell(result: Result, *, json: bool, quiet: bool, story: bool, film: bool = False) -> None:
    from simulation.wording import phrase

    if json:
        typer.echo(result.as_json())
    else:
        if story:
            from cli.report import tell

            tell(Path(result.run))
        if film:
            from cli.filming import highlight

            highlight(Path(result.run))
        if not quiet:
            typer.echo(phrase("cli", "done_day" if result.game_days == 1 else "done", **result.figures()))
    if result.notice and not result.interrupted:
        typer.echo(result.notice, err=True)
    if result.interrupted:
        typer.echo(phrase("cli", "stopped", notice=result.notice or phrase("cli", "interrupted"), run=result.run), err=True)
        raise typer.Exit(result.exit_code)


@contextmanager
def _progress(quiet: bool) -> Iterator[Report | None]:
    """Game clock, calls, tokens, fallbacks, cost."""
    counts = "{task.fields[calls]} calls  {task.fields[tokens]} tokens  {task.fields[fallbacks]} fallbacks"
    with bar(quiet, counts, "{task.fields[cost]}", calls=0, tokens=0, fallbacks=0, cost="") as update:
        if update is None:
            yield None
            return

        def report(so_far: Progress) -> None:
            from simulation.wording import phrase

            update(
                so_far.now, so_far.until - so_far.since, so_far.step - so_far.since,
                calls=so_far.calls, tokens=so_far.tokens, fallbacks=so_far.fallbacks,
                cost=phrase("cli", "cost", usd=so_far.usd) if so_far.usd else "",
            )  # fmt: skip

        yield report
