"""Living the runs of the exposure study: every seed under every selector, at equal caps, in a pool of processes.

    Plan              what is declared before anything is lived
    Life              one launched run and what became of it
    conduct(...)      lives what isn't there yet, takes up what was broken off, and keeps account of every launch

The run is the unit. A failed one is named with its reason, stays on file, and is taken up again by the next call; it counts
as launched and as invalid until it is complete.
"""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kernel import TownfolkError, UsageError, dumps

PLAN, LAUNCHES, RUNS = "plan.json", "launches.jsonl", "runs"
ARMS = ("weighted", "recency", "priority")
"""The selectors compared; the first is what the others are compared with."""


@dataclass(frozen=True, slots=True)
class Plan:
    """`days` None: the scenario's own. The caps are the same for every selector."""

    scenario: str = "linden"
    seeds: int = 10
    max_records: int = 8
    max_bytes: int = 8192
    days: float | None = None
    model: str = "offline"
    embedder: str = "wordllama-256"


@dataclass(frozen=True, slots=True)
class Life:
    """`became` is "lived", "resumed" or "kept" (there already), or "failed" (`why`)."""

    arm: str
    seed: int
    path: str
    became: str
    why: str = ""


def conduct(plan: Plan, folder: Path, *, cores: int = 1, report: Callable[[Life, int, int], None] | None = None) -> list[Life]:
    """Every life of the plan, in its order. Raises UsageError for a folder in which another study was begun
    or a scenario that owes nothing, DataFileError for one that isn't there.

    Ctrl-C leaves all that was lived on file; the same call goes on from there.
    """
    _declare(plan, folder)
    jobs = [(plan, arm, seed, str(run_path(folder, arm, seed))) for seed in range(plan.seeds) for arm in ARMS]
    found: dict[tuple[str, int], Life] = {}
    with (folder / LAUNCHES).open("a", encoding="utf-8") as log:
        for life in _lived(jobs, cores):
            found[life.arm, life.seed] = life
            if life.became != "kept":
                log.write(dumps(asdict(life) | {"path": Path(life.path).name}) + "\n")
                log.flush()
            if report is not None:
                report(life, len(found), len(jobs))
    return [found[arm, seed] for _, arm, seed, _ in jobs]


def run_path(folder: Path, arm: str, seed: int) -> Path:
    """Where a life is kept."""
    return folder / RUNS / f"{arm}-seed{seed}.town"


def launches(folder: Path) -> list[dict[str, Any]]:
    """Every launch there ever was in this folder, failed and broken-off ones too."""
    path = folder / LAUNCHES
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []


def _declare(plan: Plan, folder: Path) -> None:
    """Writes the plan down, once all that a user can get wrong in it is known to be right."""
    from simulation.compose import read_blueprint
    from simulation.models import make_model

    blueprint = read_blueprint(plan.scenario, days=plan.days)
    if not blueprint.scenario.obligations:
        raise UsageError("nothing is owed in this scenario", place=plan.scenario, hint="declare it: docs/obligations.md")
    make_model(plan.model)
    path = folder / PLAN
    (folder / RUNS).mkdir(parents=True, exist_ok=True)
    if not path.exists():
        path.write_text(json.dumps(asdict(plan), indent=1) + "\n", encoding="utf-8")
        return
    try:
        there = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        there = None
    if there != asdict(plan):
        raise UsageError("another study was begun here", place=str(path), hint="choose another --out, or its own settings")


def _lived(jobs: list[tuple[Plan, str, int, str]], cores: int) -> Iterator[Life]:
    if cores <= 1:
        yield from (live(*job) for job in jobs)
        return
    pool = ProcessPoolExecutor(cores, mp_context=multiprocessing.get_context("spawn"))
    try:
        for done in as_completed([pool.submit(live, *job) for job in jobs]):
            yield done.result()
    finally:
        pool.shutdown(cancel_futures=True)


def live(plan: Plan, arm: str, seed: int, file: str) -> Life:
    """One life, whole: kept, taken up, or lived. Whatever goes wrong is its `why`, never the study's end."""
    from simulation.compose import read_blueprint, with_settings
    from simulation.run import resume, start
    from simulation.storing.runfile import RunFile

    path = Path(file)
    try:
        if path.exists():
            with RunFile.open(path) as run:
                if run.committed >= int(run.get("planned")):
                    return Life(arm, seed, file, "kept")
            result, became = resume(path), "resumed"
        else:
            blueprint = read_blueprint(plan.scenario, seed=seed, days=plan.days, model=plan.model, embedder=plan.embedder)
            bounded = with_settings(blueprint, exposure=arm, max_records=plan.max_records, max_bytes=plan.max_bytes)
            result, became = start(bounded, path), "lived"
        if result.interrupted:
            return Life(arm, seed, file, "failed", result.notice or "interrupted")
        return Life(arm, seed, file, became)
    except TownfolkError as error:
        return Life(arm, seed, file, "failed", error.sentence())
    except Exception as error:  # noqa: BLE001  one life's mishap is counted; the others go on
        return Life(arm, seed, file, "failed", f"{type(error).__name__}: {error}")
