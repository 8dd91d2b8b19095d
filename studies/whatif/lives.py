"""The lives of a what-if: for each repeat one left alone, one changed, one changed irrelevantly, all three with the same dice.

    experiment(path, wishes, ...)  -> Experiment; forks, changes and lives, into a folder

With the same dice a fork has the same future (design rule 1), so repeats differ in the dice thrown from the fork on:
the first keeps the run's own seed, repeat n has that seed + n - 1 (`town fork --seed`). Within a repeat the dice are the same,
so that what differs between its lives is the change's doing and not luck (common random numbers).

A folder that holds part of the same experiment is gone on with; one that holds another is refused.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from kernel import RunFileError, UsageError, dumps
from simulation.forking import fork
from simulation.interventions import Wish, ask_for
from simulation.measures import Reading, Whereabouts, sector_of
from simulation.reading.outcomes import Outcome, outcome
from simulation.run import Progress, resume
from simulation.storing.digest import run_digest
from simulation.storing.library import run_clock
from simulation.storing.runfile import RunFile
from studies.whatif.placebo import placebos
from studies.wording import say

Kind = Literal["untouched", "changed", "placebo"]
KINDS: tuple[Kind, ...] = ("untouched", "changed", "placebo")
PLAN = "plan.json"
MOST = 20
"""Repeats at most: an exact test over 2^20 sign flips is still quick."""

_ASKED = (
    "SELECT 1 FROM interventions WHERE kind = ? AND text = ? AND place IS ? AND who IS ? AND (step IS NULL OR step >= ?)"
    " AND due IS NULL"
)

Report = Callable[[Kind, int, Progress], None]


@dataclass(frozen=True, slots=True)
class Life:
    """One future. `repeat` counts from 1; `outcome` is of the steps since the fork."""

    kind: Kind
    repeat: int
    seed: int
    path: Path
    digest: str
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Experiment:
    """All futures of a moment. `irrelevant` is the object changed in each repeat's placebo."""

    run: str
    title: str
    step: int
    time: str
    days: float
    wishes: tuple[Wish, ...]
    irrelevant: tuple[str, ...]
    lives: tuple[Life, ...]
    homes: dict[str, str]
    """Resident -> sector they live in."""

    @property
    def repeat(self) -> int:
        """How many repeats."""
        return len(self.irrelevant)

    def of(self, kind: Kind) -> list[Life]:
        """The lives of a kind, by repeat."""
        return [life for life in self.lives if life.kind == kind]


def experiment(
    path: Path,
    wishes: Callable[[RunFile], Sequence[Wish]],
    folder: Path,
    *,
    at: str | None,
    days: float = 1.0,
    repeat: int = 5,
    report: Report | None = None,
) -> Experiment:
    """Lives them all. `wishes` are the changes, made at the same moment, checked against the run as it was then.

    Raises UsageError, RunFileError; KeyboardInterrupt after Ctrl-C, with every life saved as far as it went.
    """
    if not 1 <= repeat <= MOST:
        raise UsageError(f"it can't be repeated {repeat} times", hint=f"1 to {MOST}")
    if days <= 0:
        raise UsageError(f"{days:g} days are no future", hint="a number above 0, such as 0.5")
    with RunFile.open(path) as run:
        clock, committed = run_clock(run), run.committed
        step = committed if at is None else clock.step_at(clock.parse(at))
        if step > committed:
            raise UsageError(
                f"'{at}' is later than the run has come", hint=f"it has come to {clock.at(committed):%Y-%m-%d %H:%M}"
            )
        if step < 0:
            raise UsageError(f"'{at}' is before the run's beginning", hint=f"it starts at {clock.start:%Y-%m-%d %H:%M}")
        asked = tuple(wishes(run))
        if not asked:
            raise UsageError("nothing is to be changed", hint="--set ADDRESS STATE, --inject TEXT ADDRESS or --voice NAME TEXT")
        order = placebos(run, step, _sectors(run, asked, step))
        irrelevant = tuple(order[number % len(order)] for number in range(repeat))
        own = int(run.get("seed", "0"))
        plan = {
            "past": run_digest(run, step), "step": step, "days": days, "seed": own,
            "wishes": [in_short(wish) for wish in asked], "irrelevant": list(order[:MOST]),
        }  # fmt: skip
        title, homes = run.get("title"), {name: sector_of(home) for name, home in run.rows("SELECT name, home FROM residents")}
    _claim(folder, plan)
    end = step + clock.steps(days=days)
    lives = []
    for number in range(1, repeat + 1):
        for kind in KINDS:
            dusty = Wish("object", say("whatif", "irrelevant"), place=irrelevant[number - 1])
            changes = {"untouched": (), "changed": asked, "placebo": (dusty,)}[kind]
            lives.append(_live(path, folder, kind, number, own, step, end, changes, report))
    time = f"{clock.at(step):%Y-%m-%d %H:%M}"
    return Experiment(str(path), title, step, time, days, asked, irrelevant, tuple(lives), homes)


def in_short(wish: Wish) -> dict[str, Any]:
    """A change as plain data: {kind, text, place, who, minutes}."""
    return {key: getattr(wish, key) for key in ("kind", "text", "place", "who", "minutes")}


def next_folder(path: Path) -> Path:
    """`RUN-whatif-COUNT` beside the run, with the first free count from 1."""
    count = 1
    while (folder := path.with_name(f"{path.stem}-whatif-{count}")).exists():
        count += 1
    return folder


def _sectors(run: RunFile, wishes: Sequence[Wish], step: int) -> set[str]:
    """Where the change takes place: its address, or where the one is whose inner voice speaks."""
    where = Whereabouts(Reading(run))
    places = [wish.place or (where.room_at(wish.who, step) if wish.who else "") for wish in wishes]
    return {sector_of(place) for place in places if place}


def _claim(folder: Path, plan: dict[str, Any]) -> None:
    """Makes the folder and says in it what is planned. Raises RunFileError when it holds something else."""
    file = folder / PLAN
    try:
        if file.exists():
            there = json.loads(file.read_text(encoding="utf-8"))
        elif folder.exists() and any(folder.iterdir()):
            there = None
        else:
            folder.mkdir(parents=True, exist_ok=True)
            file.write_text(dumps(plan) + "\n", encoding="utf-8")
            return
    except OSError as error:
        raise RunFileError(f"can't be written: {error.strerror}", place=str(folder), hint="choose another --out") from None
    except ValueError:
        there = None
    if there != json.loads(dumps(plan)):
        raise RunFileError("the folder holds something else already", place=str(folder), hint="choose another --out")


def _live(
    path: Path,
    folder: Path,
    kind: Kind,
    repeat: int,
    own: int,
    step: int,
    end: int,
    changes: Sequence[Wish],
    report: Report | None,
) -> Life:
    """One life, from where an earlier attempt stopped, if there was one."""
    seed, out = own + repeat - 1, folder / f"{kind}-{repeat}.town"
    if not out.exists():
        fork(path, step, out, seed=None if repeat == 1 else seed)
    with RunFile.open(out) as run:
        lived, clock = run.committed, run_clock(run)
        waiting = [wish for wish in changes if not run.rows(_ASKED, (wish.kind, wish.text, wish.place, wish.who, step))]
    if lived < end:
        for wish in waiting:
            ask_for(out, wish)
        told = None if report is None else lambda so_far: report(kind, repeat, so_far)
        result = resume(out, days=clock.hours(end - lived) / 24, report=told)
        if result.interrupted:
            raise KeyboardInterrupt
    with RunFile.open(out) as run:
        return Life(kind, repeat, seed, out, run_digest(run), outcome(run, step, end))
