"""Living a run: start, resume, interrupt, and what came of it.

    start(blueprint, path, ...)    a new run file, from the first step to the planned end
    resume(path, ...)              goes on where a run stopped, whatever stopped it
    Progress                       what a progress bar wants to know, now and then
    Result                         the figures of one sitting

Ctrl-C lets the step under way finish, writes it, and returns; pressed again, it breaks off at once, and resuming starts
from the last step written.
"""

from __future__ import annotations

import asyncio
import gc
import json
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from types import FrameType
from typing import Any

from kernel import Clock, RunFileError, TownfolkError, dumps
from language import Embedder, LanguageModel
from simulation import provenance
from simulation.compose import Blueprint, Composition, assemble, found, planned_end, stored_blueprint, with_model
from simulation.interventions.timetable import load_timetable, set_up
from simulation.models import Means
from simulation.pace import Pace, Pacer, ask_pace
from simulation.reembedding import require_embedder
from simulation.reseeding import next_turn, seed_at, settle, turns_of
from simulation.storing.digest import run_digest
from simulation.storing.restore import catch_up, drop_unfinished, state_step, take_up
from simulation.storing.runfile import RunFile
from simulation.wording import phrase

REPORT_SECONDS = 0.1
INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""
COMING = 20.0
"""Seconds that a watcher may take to open its window."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is. `step` of `until`; `now` the game clock; calls, tokens and fallbacks of this sitting; `usd` the
    run's cost so far, as far as it is known."""

    step: int
    since: int
    until: int
    now: str
    calls: int
    tokens: int
    fallbacks: int
    usd: float = 0.0


@dataclass(frozen=True, slots=True)
class Result:
    """One sitting of a run, as `town run --json` reports it."""

    run: str
    scenario: str
    seed: int
    mind: str
    model: str
    residents: int
    steps: int
    game_days: float
    wall_seconds: float
    peak_rss_mb: float
    digest: str
    calls: int
    fallbacks: int
    interrupted: bool
    notice: str = ""
    """What stopped it, when something did: a budget, an endpoint; or that there was nothing to live."""
    exit_code: int = 0

    def figures(self) -> dict[str, Any]:
        """The figures by their stable names (see `docs/cli.md`)."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name not in ("notice", "exit_code")}

    def as_json(self) -> str:
        """The figures as one JSON object."""
        return dumps(self.figures())


Report = Callable[[Progress], None]


def start(
    blueprint: Blueprint,
    path: Path,
    *,
    report: Report | None = None,
    on_stop: Callable[[], None] | None = None,
    pace: Pace | None = None,
    models: Mapping[str, LanguageModel] | None = None,
    embedder: Embedder | None = None,
    means: Means | None = None,
    interventions: Path | None = None,
) -> Result:
    """Lives a new run into a new file; at a `pace` until a watcher has had time to come. `interventions`: a timetable's file.

    Raises RunFileError when the path is taken, DataFileError for a town or a timetable that won't do.
    """
    timetable = load_timetable(interventions) if interventions is not None else None
    run = RunFile.create(path, {})
    try:
        composition = assemble(blueprint, run, models=models, embedder=embedder, means=means)
        run.set_meta(blueprint.manifest())
        found(composition, run)
        provenance.keep_wording(run, 0)
        with run.transaction():
            set_up(run, blueprint.scenario.interventions, None, Path(), blueprint.scenario.name)
            if timetable is not None and interventions is not None:
                set_up(run, timetable[0].interventions, timetable[1], interventions.parent, interventions.name)
        _expect(path, pace)
    except BaseException:
        run.close()
        path.unlink(missing_ok=True)  # nothing has been lived yet
        raise
    return _live(composition, run, blueprint.planned, report, on_stop)


def resume(
    path: Path,
    *,
    days: float | None = None,
    until: str | None = None,
    model: str | None = None,
    model_for: Mapping[str, str] | None = None,
    report: Report | None = None,
    on_stop: Callable[[], None] | None = None,
    pace: Pace | None = None,
    models: Mapping[str, LanguageModel] | None = None,
    embedder: Embedder | str | None = None,
    means: Means | None = None,
) -> Result:
    """Goes on with a run: to its planned end, for further `days`, or `until` a time. Raises RunFileError, UsageError.

    `embedder` must be the run's own (see `simulation.reembedding`); a name asks only for that.
    """
    run = RunFile.open(path, readonly=False)
    try:
        if embedder is not None:
            require_embedder(run, embedder if isinstance(embedder, str) else embedder.name)
        embedder = None if isinstance(embedder, str) else embedder
        blueprint = with_model(stored_blueprint(run), model, model_for or {})
        end = blueprint.planned
        if days is not None or until is not None:
            end = planned_end(blueprint.clock, days or 0.0, until, run.committed)
            blueprint = replace(blueprint, planned=max(end, blueprint.planned))
        run.set_meta({"planned": str(blueprint.planned), "model": blueprint.model, "models": dumps(dict(blueprint.model_for))})
        drop_unfinished(run)
        provenance.keep_wording(run, run.committed)
        turns, committed = turns_of(run.meta()), run.committed
        if committed and any(step == committed for step, _ in turns):  # other dice from here on
            past = replace(blueprint, seed=seed_at(turns, committed - 1))
            earlier = assemble(past, run, models=models, embedder=embedder, since=state_step(run))
            take_up(earlier, run)
            settle(earlier, run)
        blueprint = replace(blueprint, seed=seed_at(turns, committed))
        composition = assemble(blueprint, run, models=models, embedder=embedder, since=state_step(run), means=means)
        take_up(composition, run)
        _expect(path, pace)
        turn = next_turn(turns, committed)
        stop = end if turn is None else min(end, turn)
    except BaseException:
        run.close()
        raise
    result = _live(composition, run, stop, report, on_stop)
    if stop == end or result.interrupted:
        return result
    left = blueprint.clock.hours(end - stop) / 24
    return resume(path, days=left, report=report, on_stop=on_stop, pace=pace, models=models, embedder=embedder, means=means)


def _expect(path: Path, pace: Pace | None) -> None:
    if pace is not None:
        ask_pace(path, pace, COMING)


def wording_changed(path: Path) -> bool:
    """Whether the wording data differ from those a run was made with, so that it may go on differently."""
    with RunFile.open(path) as run:
        return run.get("hash.wording") != provenance.wording_hash()


def _live(
    composition: Composition, run: RunFile, until: int, report: Report | None, on_stop: Callable[[], None] | None
) -> Result:
    began = time.perf_counter()
    since = run.committed
    notice, code = "", 0
    with _seldom_collected(), _interruptible(on_stop) as interrupted:
        try:
            if since < until:
                asyncio.run(_drive(composition, since, until, interrupted, report))
        except TownfolkError as error:
            if isinstance(error, RunFileError):
                run.close()
                raise
            notice, code = error.sentence(), error.exit_code
        except KeyboardInterrupt:
            interrupted.set()
        else:
            if since < until:
                composition.journal.flush()
            else:
                notice = phrase("cli", "at_end", run=run.path)
    wall = time.perf_counter() - began
    try:
        code = INTERRUPTED if interrupted.is_set() and not code else code
        return _finish(composition, run, wall, notice, code)
    finally:
        run.close()


async def _drive(composition: Composition, since: int, until: int, interrupted: threading.Event, report: Report | None) -> None:
    journal, clock = composition.journal, composition.clock
    reported = 0.0

    def on_step(_: int) -> None:
        nonlocal reported
        journal.step_done()
        if report is not None and time.monotonic() - reported >= REPORT_SECONDS:
            reported = time.monotonic()
            report(_progress(composition, clock, since, until))

    try:
        await catch_up(composition, journal.run)
        journal.flush()  # takes up what was asked while the run stood still
        pending = composition.gateway.pending
        pacer = Pacer(journal.run, composition.engine, journal, clock, composition.desk, pending)
        await pacer.drive(until, interrupted.is_set, on_step)
        if report is not None:
            report(_progress(composition, clock, since, until))
    finally:
        await composition.gateway.close()
        composition.made.close()


def _progress(composition: Composition, clock: Clock, since: int, until: int) -> Progress:
    journal = composition.journal
    now = f"{clock.at(journal.step):%a %Y-%m-%d %H:%M}"
    usd = composition.made.budget.spent.usd
    return Progress(journal.step, since, until, now, journal.calls, journal.tokens, journal.fallbacks, usd)


def _finish(composition: Composition, run: RunFile, wall: float, notice: str, code: int) -> Result:
    blueprint, committed = composition.blueprint, run.committed
    sittings = [*json.loads(run.get("wall_seconds", "[]")), round(wall, 3)]
    run.set_meta({"wall_seconds": dumps(sittings)})
    calls, fallbacks = run.rows("SELECT COUNT(*), COUNT(fallback) FROM calls WHERE step < ?", (committed,))[0]
    return Result(
        run=str(run.path),
        scenario=blueprint.scenario.name,
        seed=blueprint.seed,
        mind=run.get("mind"),
        model=blueprint.model,
        residents=run.rows("SELECT COUNT(*) FROM residents")[0][0],  # visitors don't live here
        steps=committed,
        game_days=round(composition.clock.hours(committed) / 24, 4),
        wall_seconds=round(sum(sittings), 3),
        peak_rss_mb=peak_rss_mb(),
        digest=run_digest(run),
        calls=calls,
        fallbacks=fallbacks,
        interrupted=code != 0,
        notice=notice,
        exit_code=code,
    )


def peak_rss_mb() -> float:
    """The most memory this process has held, in MB (0 where the system doesn't say)."""
    try:
        import resource
    except ImportError:  # Windows
        return 0.0
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(most / (1 << 20 if sys.platform == "darwin" else 1 << 10), 1)


@contextmanager
def _seldom_collected() -> Iterator[None]:
    """Spares the garbage collector what a run is made of, for as long as it is lived.

    A town and its memories stay till the end and hold hardly any cycles, yet each full collection goes through all of them:
    5 % of 25 residents' two days. What is there at the start isn't looked at, and the rest ten times less often.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(10_000, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


@contextmanager
def _interruptible(on_stop: Callable[[], None] | None) -> Iterator[threading.Event]:
    """Ctrl-C sets the event and tells; a second one raises KeyboardInterrupt. In other threads than the main one: no handler."""
    event = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield event
        return

    def handler(_signal: int, _frame: FrameType | None) -> None:
        if event.is_set():
            raise KeyboardInterrupt
        event.set()
        if on_stop is not None:
            on_stop()

    before = {number: signal.signal(number, handler) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield event
    finally:
        for number, old in before.items():
            signal.signal(number, old)
