"""What one process of a study does: lives a run, or interviews one resident and judges the answers.

    live(job)            -> Lived
    interview(job)       -> list of Row: an answer each, as plain values
    ends(job)            end-to-end measures of a run, with what only asking shows

Functions of plain values, so that they can run in a pool of processes. What is costly to open is kept per process.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kernel import RunFileError, TownfolkError
from memory import Condition
from simulation.compose import read_blueprint
from simulation.interview import Interviewer
from simulation.run import resume, start
from simulation.storing.interviews import Keeper, kept
from simulation.storing.runfile import RunFile
from simulation.trajectories import living_without
from studies.interviewing import Interviewed, Plan, interview_all
from studies.questions import read_questions

Row = dict[str, Any]


@dataclass(frozen=True)
class LiveJob:
    """`given` is a finished run to take instead of living one; `without` the settings a whole-trajectory arm lives without."""

    path: str
    scenario: str
    seed: int
    days: float | None
    mind: str | None
    model: str
    without: str = ""
    given: str | None = None
    rename: int | None = None


@dataclass(frozen=True)
class AskJob:
    """`conditions` name -> hidden kinds."""

    path: str
    resident: str
    step: int
    conditions: tuple[tuple[str, str], ...]
    questions: str | None
    categories: tuple[str, ...]
    model: str


@dataclass(frozen=True)
class Lived:
    """`became` is reused, lived, resumed or failed (then `detail` says why)."""

    path: str
    became: str
    detail: str
    residents: tuple[str, ...] = ()


def live(job: LiveJob) -> Lived:
    """A whole run: taken, taken up, or lived."""
    from simulation.storing.library import names

    path = Path(job.path)
    try:
        became = _live(job, path)
        with RunFile.open(path) as run:
            if run.committed < int(run.get("planned")):
                return Lived(job.path, "failed", "it stopped before its end")
            return Lived(job.path, became, "", tuple(names(run)))
    except TownfolkError as error:
        return Lived(job.path, "failed", error.sentence())


def _live(job: LiveJob, path: Path) -> str:
    if path.exists():
        with RunFile.open(path) as run:
            if run.committed >= int(run.get("planned")):
                return "lived"
        resume(path)
        return "resumed"
    if job.given is not None:
        part = path.with_suffix(".part")
        with RunFile.open(Path(job.given)) as run:  # readable at all?
            if run.committed < int(run.get("planned")):
                raise RunFileError("the run hasn't been lived to its end", place=job.given, hint="`town resume` it")
        shutil.copyfile(job.given, part)
        part.replace(path)
        return "reused"
    blueprint = read_blueprint(job.scenario, seed=job.seed, days=job.days, mind=job.mind, model=job.model)
    if job.rename is not None:
        from studies.renaming import renamed

        blueprint = renamed(blueprint, job.rename)
    blueprint = living_without(blueprint, job.without)
    start(blueprint, path)
    return "lived"


_OPEN: dict[tuple[str, str], tuple[RunFile, Any]] = {}
"""What this process has open, by (purpose, path): jobs of one run come one after the other."""
KEPT_OPEN = 4


def _kept(purpose: str, path: str, make: Callable[[RunFile], Any]) -> Any:
    key = (purpose, path)
    if key not in _OPEN:
        while len(_OPEN) >= KEPT_OPEN:
            _OPEN.pop(next(iter(_OPEN)))[0].close()
        run = RunFile.open(Path(path))
        _OPEN[key] = (run, make(run))
    return _OPEN[key][1]


def close() -> None:
    """Closes what this process has open."""
    while _OPEN:
        _OPEN.popitem()[1][0].close()


def _asking(path: str, model: str) -> Interviewer:
    found: Interviewer = _kept(f"ask {model}", path, lambda run: Interviewer(run, model))
    return found


def interview(job: AskJob) -> list[Row]:
    """All questions of a bank to one resident under all conditions; what is in the run file isn't asked again."""
    asking = _asking(job.path, job.model)
    bank = read_questions(job.questions).only(job.categories)
    conditions = {name: Condition.parse(kinds) for name, kinds in job.conditions}
    plan = Plan(bank, (job.resident,), (job.step,), conditions)
    done = kept(asking.run, asking.model)
    rows: list[Row] = []
    with Keeper(Path(job.path)) as keeper:
        for one in interview_all(asking, plan, done):
            if not isinstance(one, Interviewed):
                rows.append({"resident": one.resident, "item": one.unasked.question.item, "left": one.unasked.blank})
                continue
            if not one.again:
                keeper.keep(one.interview, one.question.item)
            rows.append({**one.as_dict(), "again": one.again})
    return rows


@dataclass(frozen=True)
class JudgeJob:
    """Rows of one resident; `human` their answers by people, item -> text; `ledger` where a model's judgements are kept."""

    path: str
    seed: int
    rows: tuple[Row, ...]
    human: tuple[tuple[str, str], ...]
    judge: str
    passes: int
    ledger: str


def _records(path: str) -> Any:
    from studies.judging.grounding import KnownOf

    return _kept("judge", path, KnownOf)


def judge(job: JudgeJob) -> list[Row]:
    """Verdicts: {resident, item, category, by, pass, ranks, details}; details by condition are the grounding judge's.

    The grounding judge always judges, since the end-to-end measures need it; models beside it where the study names some.
    """
    groups: dict[str, list[Row]] = {}
    for row in job.rows:
        if "left" not in row:
            groups.setdefault(row["item"], []).append(row)
    human = dict(job.human)
    from studies.judging.grounding import GroundingJudge
    from studies.judging.grounding.asked import AskedFor

    found: list[Row] = []
    judging = GroundingJudge(_records(job.path))
    for item, rows in groups.items():
        first = rows[0]
        asked = AskedFor(item, first["question"], first["blanks"], first["knowable"])
        answers = {row["condition"]: row["answer"] for row in rows}
        if item in human:
            answers["human"] = human[item]
        ranks, verdicts = judging.rank(first["resident"], first["step"], asked, answers)
        details = {name: verdict.as_dict() for name, verdict in verdicts.items()}
        found.append(
            {"resident": first["resident"], "item": item, "category": first["category"], "by": "grounding", "pass": 0,
             "ranks": ranks, "details": details}
        )  # fmt: skip
    if job.judge != "grounding":
        from studies.judging.model import judge_groups

        for model in job.judge.split(","):
            found += judge_groups(model.strip(), job.path, job.seed, groups, human, job.passes, Path(job.ledger))
    return found


def ends(path: str, step: int, model: str) -> Row:
    """End-to-end measures of a run (section 7.1), and what those say who were asked and didn't come."""
    from simulation.measures import report_data

    asking = _asking(path, model)
    data = report_data(asking.run)
    why = []
    for name, one in data["gatherings"].items():
        if not one["over"]:
            continue
        for who in one["invited_names"]:
            if who not in one["came_names"]:
                from studies.wording import say

                question = say("study", "why_not", gathering=one["name"])
                answer = asking.ask(who, question, at=step)
                why.append({"gathering": name, "resident": who, "promised": who in one["promised_names"],
                            "question": question, "answer": answer.answer, "knows": answer.knows})  # fmt: skip
    keys = ("facts", "density", "gatherings", "invitations", "claims", "utterances", "reflections", "oddities", "digest")
    return {**{key: data[key] for key in keys}, "why_not": why}
