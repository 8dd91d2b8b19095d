"""Conducting a study: runs are lived, residents interviewed, answers judged, in a pool of processes.

    conduct(study, folder, ...)   -> Conducted
    Stage                         what is told of progress

Jobs are pure functions of the study; results are collected by what they are of, not by when they came, so that neither the
number of processes nor a kill changes them. A run that fails is counted and reported, and the others go on.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kernel import RunFileError, TownfolkError
from kernel.gametime import minutes_of
from simulation.storing.library import run_clock
from simulation.storing.runfile import RunFile
from studies.judging.human_answers import HumanAnswers
from studies.questions import read_questions
from studies.runner import worker
from studies.runner.folder import PROBE, StudyFolder
from studies.runner.spec import Study, check_study
from studies.runner.worker import AskJob, JudgeJob, Lived, LiveJob, Row
from studies.wording import say


@dataclass(frozen=True, slots=True)
class Stage:
    """`done` of `total` jobs; `what` the last one that ended, in a word ("probe-seed0", a resident's name)."""

    done: int
    total: int
    what: str


@dataclass
class Conducted:
    """Everything a study found. `lived` by (arm, seed); answers, verdicts and measures by run name ("probe-seed0")."""

    study: Study
    lived: dict[tuple[str, int], Lived] = field(default_factory=dict)
    steps: dict[str, int] = field(default_factory=dict)
    answers: dict[str, dict[str, list[Row]]] = field(default_factory=dict)
    verdicts: dict[str, dict[str, list[Row]]] = field(default_factory=dict)
    ends: dict[str, Row] = field(default_factory=dict)
    failures: list[tuple[str, str, str]] = field(default_factory=list)
    """(run, resident or "", why) of interviews and judgements that could not be had."""
    human: HumanAnswers | None = None

    def runs(self, arm: str = PROBE) -> list[tuple[int, str]]:
        """(seed, run name) of the runs of an arm that were lived, in order of the study."""
        return [(seed, name_of(arm, seed)) for seed in self.study.seeds if self.lived_well(arm, seed)]

    def first_failure(self) -> str | None:
        """Why the first run failed, if none came to its end."""
        if self.runs():
            return None
        return next((one.detail for one in self.lived.values() if one.became == "failed"), "")

    def lived_well(self, arm: str, seed: int) -> bool:
        """Whether a run came to its end."""
        found = self.lived.get((arm, seed))
        return found is not None and found.became != "failed"


Report = Callable[[Stage], None]
RENEWALS = 3
"""How often a pool of which a process was killed is made anew."""


def name_of(arm: str, seed: int) -> str:
    """The name of a run."""
    return f"{arm}-seed{seed}"


def conduct(
    study: Study,
    folder: StudyFolder,
    *,
    cores: int | None = None,
    given: Mapping[int, Path] | None = None,
    report: Report | None = None,
) -> Conducted:
    """Does what of the study isn't done yet. `given`: finished runs by seed, used as they are; `cores`: 0 uses this process only.

    Raises RunFileError for a folder of another study, UsageError for questions or a file of human answers that won't do.
    """
    check_study(study)
    bank = read_questions(study.questions).only(study.categories)
    human = HumanAnswers.read(Path(study.human), bank) if study.human else None
    folder.open(study)
    with _Pool(cores) as pool:
        return _Conducting(study, folder, pool, report, given or {}, human).run()


def runs_by_seed(folder: Path, scenario: str) -> dict[int, Path]:
    """Finished runs of a scenario in a folder, by seed: the first by name of each. Raises RunFileError if there are none."""
    found: dict[int, Path] = {}
    for path in sorted(folder.glob("*.town")):
        with RunFile.open(path) as run:
            same = run.get("scenario") == scenario and not run.get("parent", "")
            if same and run.committed >= int(run.get("planned")):
                found.setdefault(int(run.get("seed")), path)
    if not found:
        raise RunFileError(f"there is no finished run of '{scenario}'", place=str(folder), hint="`town run` makes one")
    return found


def asking_step(path: Path, at: str) -> int:
    """The step of a time on the last day of a run; its end if that wasn't lived."""
    with RunFile.open(path) as run:
        clock = run_clock(run)
        last = clock.day(max(run.committed - 1, 0))
        return max(0, min(clock.step_on(last, minutes_of(at)), run.committed))


class _Conducting:
    def __init__(
        self, study: Study, folder: StudyFolder, pool: _Pool, report: Report | None, given: Mapping[int, Path],
        human: HumanAnswers | None,
    ) -> None:  # fmt: skip
        self.study = study
        self.folder = folder
        self.pool = pool
        self.report = report
        self.given = given
        self.found = Conducted(study, human=human)
        self.waiting: dict[Future[Any], _Task] = {}
        self.done = self.total = 0

    def run(self) -> Conducted:
        arms = [(PROBE, ""), *self.study.lives.items()]
        for seed in self.study.seeds:
            for arm, without in arms:
                self._live(arm, seed, without)
        while self.waiting:
            for future in wait(self.waiting, return_when=FIRST_COMPLETED).done:
                if future in self.waiting:
                    self._take(future)
        if self.found.human is not None:
            asked = [
                (seed, who, self.found.steps[run]) for seed, run in self.found.runs() for who in self.found.answers.get(run, ())
            ]
            for seed, who in self.found.human.unused(asked):
                self.found.failures.append((name_of(PROBE, seed), who, say("study", "human_unused")))
        return self.found

    def _submit(self, name: tuple[str, str], then: Callable[[Any], None], function: Callable[..., Any], *job: Any) -> None:
        self._begin(_Task(name, then, function, job))
        self.total += 1

    def _begin(self, task: _Task) -> None:
        try:
            self.waiting[self.pool.submit(task.function, *task.job)] = task
        except BrokenProcessPool:
            self.pool.renew()
            self.waiting[self.pool.submit(task.function, *task.job)] = task

    def _take(self, future: Future[Any]) -> None:
        task = self.waiting.pop(future)
        run, who = task.name
        error = future.exception()
        if isinstance(error, BrokenProcessPool):  # all that was under way is begun again; what was answered is on file
            again = [task, *self.waiting.values()]
            self.waiting.clear()
            self.pool.renew()
            for one in again:
                self._begin(one)
            return
        self.done += 1
        if error is None:
            task.then(future.result())
        elif isinstance(error, Exception):  # said in the report; the others go on
            self.found.failures.append((run, who, f"{type(error).__name__}: {error}"))
        else:
            raise error
        if self.report is not None:
            self.report(Stage(self.done, self.total, who or run))

    def _live(self, arm: str, seed: int, without: str) -> None:
        study = self.study
        path = self.folder.run_path(arm, seed)
        given = self.given.get(seed) if arm == PROBE else None
        job = LiveJob(
            str(path), study.scenario, seed, study.days, study.mind, study.model, without, str(given) if given else None,
            study.rename,
        )  # fmt: skip
        if not path.exists():
            self.folder.launched(arm, seed, "launched")
        self._submit((name_of(arm, seed), ""), lambda lived: self._lived(arm, seed, lived), worker.live, job)

    def _lived(self, arm: str, seed: int, lived: Lived) -> None:
        self.folder.launched(arm, seed, lived.became, lived.detail)
        self.found.lived[arm, seed] = lived
        if lived.became == "failed":
            return
        study, name = self.study, name_of(arm, seed)
        step = self.found.steps[name] = asking_step(Path(lived.path), study.at)
        conditions = study.conditions if arm == PROBE else {arm: ""}
        for who in chosen(study.residents, lived.residents):
            ask = AskJob(lived.path, who, step, tuple(conditions.items()), study.questions, study.categories, study.model)
            self._submit((name, who), self._asked(arm, seed, lived.path, who), worker.interview, ask)
        self._submit((name, ""), lambda data: self.found.ends.__setitem__(name, data), worker.ends, lived.path, step, study.model)

    def _asked(self, arm: str, seed: int, path: str, who: str) -> Callable[[list[Row]], None]:
        name = name_of(arm, seed)

        def then(rows: list[Row]) -> None:
            self.found.answers.setdefault(name, {})[who] = rows
            human = (
                self.found.human.of(seed, who, self.found.steps[name]) if self.found.human is not None and arm == PROBE else {}
            )
            ledger = self.folder.path / "data" / "judged" / f"{name}-{who}.jsonl"
            judged = "grounding" if arm != PROBE else self.study.judge
            job = JudgeJob(path, seed, tuple(rows), tuple(human.items()), judged, self.study.passes, str(ledger))
            self._submit(
                (name, who), lambda found: self.found.verdicts.setdefault(name, {}).__setitem__(who, found), worker.judge, job
            )

        return then


def chosen(parts: Sequence[str], names: Sequence[str]) -> list[str]:
    """The residents a study names (any part of a name); all of none."""
    from simulation.storing.library import choose

    return list(dict.fromkeys(choose(part, names) for part in parts)) or list(names)


class _Here(Executor):
    """A pool of no processes: each job is done when it is submitted. For tests, and where no process can be started."""

    def submit(self, function: Callable[..., Any], /, *job: Any, **more: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(function(*job, **more))
        except Exception as error:  # noqa: BLE001  (handed on, as a pool of processes would)
            future.set_exception(error)
        return future


@dataclass(frozen=True)
class _Task:
    name: tuple[str, str]
    then: Callable[[Any], None]
    function: Callable[..., Any]
    job: tuple[Any, ...]


class _Pool:
    """A pool of processes that is made anew when one of them was killed, up to RENEWALS times. 0 cores: this process."""

    def __init__(self, cores: int | None) -> None:
        self.cores = os.cpu_count() or 1 if cores is None else cores
        self.renewals = 0
        self._executor = self._made()

    def _made(self) -> Executor:
        return ProcessPoolExecutor(self.cores, mp_context=multiprocessing.get_context("spawn")) if self.cores else _Here()

    def submit(self, function: Callable[..., Any], *job: Any) -> Future[Any]:
        """As an executor's."""
        return self._executor.submit(function, *job)

    def renew(self) -> None:
        """Another pool. Raises TownfolkError when too many have died."""
        self.renewals += 1
        self._executor.shutdown(wait=False, cancel_futures=True)
        if self.renewals > RENEWALS:
            raise TownfolkError(
                "processes of the study were killed again and again",
                hint="is there enough memory? fewer --cores; the same command goes on",
            )
        self._executor = self._made()

    def __enter__(self) -> _Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self._executor.shutdown(cancel_futures=True)
        worker.close()
