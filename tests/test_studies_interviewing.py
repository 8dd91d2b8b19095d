"""Batch interviews: order, determinism, one history for all conditions, going on after a kill, files."""

from __future__ import annotations

import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from kernel import UsageError
from memory import NONE
from simulation.compose import read_blueprint
from simulation.interview import Interviewer
from simulation.interviewed import ABLATIONS
from simulation.run import start
from simulation.storing.digest import run_digest
from simulation.storing.runfile import RunFile
from studies.answers import AnswerFile
from studies.interviewing import Interviewed, Left, Plan, conditions_of, conduct, interview_all, plan_of
from studies.questions import read_questions

BATCH = """
import sys
from pathlib import Path
from studies.interviewing import conditions_of, conduct, plan_of
from studies.questions import read_questions
conduct(Path(sys.argv[1]), lambda asking: plan_of(asking, read_questions(), conditions=conditions_of("all", [])))
"""


@pytest.fixture(scope="module")
def eleven(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("eleven") / "eleven.town"
    start(read_blueprint("hamlet", until="11:00", embedder="hash-64"), path)
    return path


@pytest.fixture
def run(eleven: Path) -> Iterator[RunFile]:
    with RunFile.open(eleven) as opened:
        yield opened


def answers(found: Iterator[Interviewed | Left]) -> list[Interviewed]:
    return [one for one in found if isinstance(one, Interviewed)]


def test_all_are_asked_in_order_and_the_same_again(run: RunFile) -> None:
    asking = Interviewer(run)
    plan = plan_of(asking, read_questions(), residents=["ada", "ben"], at=["07:00", "10:30"], conditions=ABLATIONS)
    first = answers(interview_all(asking, plan))
    assert len(first) == plan.count == 2 * 2 * 25 * 4
    order = [(one.interview.resident, one.interview.step, one.question.item, one.condition) for one in first]
    assert order == [
        (who, step, question.item, name)
        for who in ("Ada Brook", "Ben Carter")
        for step in (2520, 3780)
        for question in plan.bank.questions
        for name in ABLATIONS
    ]
    assert first == answers(interview_all(run, plan))
    assert [one.as_dict() for one in first[:3]]


def test_all_conditions_answer_the_same_question_from_one_history(run: RunFile) -> None:
    plan = plan_of(Interviewer(run), read_questions(), residents=["clara"], conditions=ABLATIONS)
    by_item: dict[str, list[Interviewed]] = {}
    for one in answers(interview_all(run, plan)):
        by_item.setdefault(one.question.item, []).append(one)
    differing = 0
    for sides in by_item.values():
        assert len({one.interview.question for one in sides}) == 1
        assert all(not {record.kind for record in one.interview.records} & one.interview.without.hide for one in sides)
        differing += len({one.interview.answer for one in sides}) > 1
    assert differing >= 15
    for one in by_item["memory.person_invented"]:
        assert not one.interview.knows
        assert not one.interview.records
    assert all(one.interview.knows for one in by_item["reactions.fire_in_street"])


def test_a_batch_is_kept_and_touches_nothing(eleven: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(eleven, tmp_path / "asked.town"))
    with RunFile.open(path) as before:
        digest = run_digest(before)
    told: list[Interviewed] = []
    outcome = conduct(
        path, lambda asking: plan_of(asking, read_questions(), residents=["dov"], conditions=ABLATIONS), each=lambda: told.append
    )
    assert (outcome.asked, outcome.again, outcome.fallbacks, outcome.left) == (100, 0, 0, [])
    assert outcome.unknowable == (0, 4)
    figures = json.loads(outcome.as_json())
    assert figures["evidence"] == "offline"
    assert figures["admitted"]["no_memory"]["memory"] == {"answers": 16 // 4, "admitted": 4}
    with RunFile.open(path) as after:
        assert run_digest(after) == digest
        rows = after.rows(
            "SELECT resident, step, question, answer, item, evidence, fallback, follows FROM interviews ORDER BY id"
        )
    assert rows == [
        ("Dov Eller", one.interview.step, one.interview.question, one.interview.answer, one.question.item, "offline", None, 0)
        for one in told
    ]


def test_killed_it_goes_on_and_asks_nothing_twice(eleven: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(eleven, tmp_path / "killed.town"))
    whole = tmp_path / "whole.town"
    shutil.copy(eleven, whole)
    living = subprocess.Popen([sys.executable, "-c", BATCH, str(path)])
    while (done := _kept(path)) < 40:
        assert living.poll() is None
        time.sleep(0.02)
    os.kill(living.pid, signal.SIGKILL)
    living.wait()
    done = _kept(path)
    assert 40 <= done < 500

    def planned(asking: Interviewer) -> Plan:
        return plan_of(asking, read_questions(), conditions=ABLATIONS, resume=True)

    again, straight = conduct(path, planned, resume=True), conduct(whole, planned)
    assert (again.again, again.asked) == (done, 500 - done)
    assert (again.admitted, again.unknowable) == (straight.admitted, straight.unknowable)
    sql = "SELECT resident, step, without, question, item, answer, knows, rests_on, model FROM interviews ORDER BY id"
    with RunFile.open(path) as one, RunFile.open(whole) as other:
        assert one.rows(sql) == other.rows(sql)
    third = conduct(path, planned, resume=True)
    assert (third.again, third.asked) == (500, 0)


def _kept(path: Path) -> int:
    with RunFile.open(path) as opened:
        return int(opened.rows("SELECT COUNT(*) FROM interviews")[0][0])


def test_taken_up_in_a_town_that_went_on_it_stays_at_its_moment(eleven: Path, tmp_path: Path) -> None:
    path = Path(shutil.copy(eleven, tmp_path / "on.town"))
    conduct(path, lambda asking: plan_of(asking, read_questions(), residents=["ada"], at=["09:00"]))
    with RunFile.open(path) as opened:
        asking = Interviewer(opened)
        assert plan_of(asking, read_questions(), resume=True).steps == (3240,)
        assert plan_of(asking, read_questions(), resume=True, at=["10:00"]).steps == (3600,)
        assert plan_of(asking, read_questions()).steps == (3960,)


def test_what_nobody_can_be_asked_is_counted(eleven: Path, tmp_path: Path) -> None:
    file = tmp_path / "q.yaml"
    file.write_text("categories: {a: {x: {ask: 'Who is {partner}?'}, y: {ask: Who are you?}}}")
    path = Path(shutil.copy(eleven, tmp_path / "left.town"))
    outcome = conduct(path, lambda asking: plan_of(asking, read_questions(file), at=["06:00"]))
    assert outcome.asked == 5
    assert {(one.unasked.question.item, one.unasked.blank) for one in outcome.left} == {("a.x", "partner")}
    assert len(json.loads(outcome.as_json())["left"]) == 5


def test_conditions_as_users_write_them() -> None:
    assert list(conditions_of("", [])) == ["full"]
    assert conditions_of("all", []) == dict(ABLATIONS)
    assert list(conditions_of("No-Reflection,full", ["plan", "reflection"])) == ["no_reflection", "full", "without plan"]
    assert conditions_of("", ["nothing", "observation,plan,reflections"]) == {"full": ABLATIONS["full"], "no_memory": NONE}
    with pytest.raises(UsageError, match="did you mean no_reflection"):
        conditions_of("no_reflexion", [])
    with pytest.raises(UsageError, match="is not a kind of memory"):
        conditions_of("", ["dreams"])


def test_a_run_that_cannot_be_written_is_asked_all_the_same(
    eleven: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kernel import RunFileError
    from studies import interviewing

    def locked(path: Path) -> None:
        raise RunFileError("the file can't be used: locked", place=str(path))

    monkeypatch.setattr(interviewing, "Keeper", locked)
    outcome = conduct(eleven, lambda asking: plan_of(asking, read_questions(), residents=["ada"], categories=["plans"]))
    assert outcome.asked == 5
    assert "locked" in outcome.not_kept


def test_answers_as_files(run: RunFile, tmp_path: Path) -> None:
    plan = plan_of(Interviewer(run), read_questions(), residents=["edda"], categories=["memory"], conditions=ABLATIONS)
    found = answers(interview_all(run, plan))
    for ending in ("jsonl", "csv", "md"):
        with AnswerFile(tmp_path / f"new/a.{ending}") as file:
            for one in found:
                file.add(one)
    lines = [json.loads(line) for line in (tmp_path / "new/a.jsonl").read_text().splitlines()]
    assert [line["answer"] for line in lines] == [one.interview.answer for one in found]
    assert {line["evidence"] for line in lines} == {"offline"}
    with (tmp_path / "new/a.csv").open(newline="") as opened:
        rows = list(csv.DictReader(opened))
    assert [row["answer"] for row in rows] == [line["answer"] for line in lines]
    assert [json.loads(row["rests_on"]) for row in rows] == [[r["id"] for r in line["rests_on"]] for line in lines]
    page = (tmp_path / "new/a.md").read_text()
    assert page.startswith("*Offline: template speech")
    assert page.count("# Edda Finch") == 1
    assert page.count("**Who is") == 3
    assert page.count("- *no reflection*") == 5
    with pytest.raises(UsageError, match="exists already"):
        AnswerFile(tmp_path / "new/a.csv")
    with pytest.raises(UsageError, match="what kind of file"):
        AnswerFile(tmp_path / "a.xlsx")


def test_a_cell_is_never_a_formula(run: RunFile, tmp_path: Path) -> None:
    file = tmp_path / "q.yaml"
    file.write_text("categories: {a: {x: {ask: '=1+1'}}}")
    plan = plan_of(Interviewer(run), read_questions(file), residents=["ada"])
    with AnswerFile(tmp_path / "a.csv") as out:
        for one in answers(interview_all(run, plan)):
            out.add(one)
    assert "'=1+1" in (tmp_path / "a.csv").read_text()


@pytest.mark.slow
def test_twenty_five_residents_twenty_five_questions_three_moments(tmp_path: Path) -> None:
    """The size the issue names, on a saved run."""
    path = tmp_path / "valentine.town"
    start(read_blueprint("valentine", until="2023-02-13 20:30"), path)
    with RunFile.open(path) as run:
        before = run_digest(run)
    times = ["2023-02-13 09:00", "2023-02-13 14:00", "2023-02-13 20:00"]
    outcome = conduct(path, lambda asking: plan_of(asking, read_questions(), at=times))
    assert outcome.asked + len(outcome.left) == 25 * 25 * 3
    assert outcome.unknowable[0] == 0
    with RunFile.open(path) as run:
        assert run_digest(run) == before
