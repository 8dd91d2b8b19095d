"""Forks: the past and nothing but the past; without a change the same future, with one another."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from cli.main import run as command
from kernel import Dice, RunFileError, UsageError
from language import ScriptedModel, nonsense
from simulation.compose import read_blueprint
from simulation.forking import fork
from simulation.interventions import ask_for, wish_object, wish_voice
from simulation.run import resume, start
from simulation.storing.digest import run_digest
from simulation.storing.runfile import RunFile
from simulation.storing.schema import STEPPED

END = "10:00"
STEPS = 3600
CHANGED = 2700


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A hamlet till ten, an oven set burning at half past seven, and its digest."""
    path = tmp_path_factory.mktemp("whole") / "whole.town"
    start(read_blueprint("hamlet", until="07:30", embedder="hash-64"), path)
    with RunFile.open(path) as run:
        wish = wish_object(run, "oven", "burning")
    ask_for(path, wish)
    return path, resume(path, until=END).digest


def steps() -> list[int]:
    random = [1 + Dice(n, "fork", 0, "step").below(STEPS - 1) for n in range(7)]
    return [0, CHANGED + 1, STEPS, *random]


@pytest.mark.parametrize("step", steps())
def test_a_fork_without_a_change_has_the_identical_future(whole: tuple[Path, str], tmp_path: Path, step: int) -> None:
    path, digest = whole
    out = tmp_path / "fork.town"
    assert fork(path, step, out).step == step
    with RunFile.open(path) as parent, RunFile.open(out) as child:
        assert child.committed == step
        assert run_digest(child) == run_digest(parent, step)
        assert (child.get("parent"), child.get("parent_step")) == ("whole.town", str(step))
        for table, column in STEPPED.items():
            assert not child.rows(f"SELECT 1 FROM {table} WHERE {column} >= ?", (step,)), table
        assert child.rows("SELECT COUNT(*) FROM interventions") == [(int(step > CHANGED),)]
        assert not child.rows("SELECT 1 FROM calls WHERE step >= ?", (step,))
    if step <= CHANGED:  # what the user did later is no part of the past: it is done again
        with RunFile.open(out, readonly=False, guest=True) as run:
            columns = "id, kind, place, text, asked, step, outcome"
            sql = f"INSERT INTO interventions ({columns}) VALUES (1, 'object', ?, 'burning', '', ?, '')"
            run.insert(sql, ("Hamlet : Bakery : bakery : oven", CHANGED))
    if step < STEPS:
        assert resume(out, until=END).digest == digest
    with RunFile.open(path) as parent:
        assert run_digest(parent) == digest


def test_a_fork_of_a_fork_and_a_fork_stopped_on_the_way(whole: tuple[Path, str], tmp_path: Path) -> None:
    path, digest = whole
    first, second = tmp_path / "first.town", tmp_path / "second.town"
    fork(path, 3333, first)
    fork(first, 3111, second)  # no checkpoint of its own anywhere near
    resume(second, until="09:00")
    assert resume(second, until=END).digest == digest


def test_a_change_changes_the_future_and_not_the_past(whole: tuple[Path, str], tmp_path: Path) -> None:
    path, digest = whole
    out = tmp_path / "other.town"
    fork(path, "08:30", out)
    with RunFile.open(out) as run:
        wish = wish_voice(run, "Edda", "You are tired of the green and want to sleep")
    ask_for(out, wish)
    assert resume(out, until=END).digest != digest
    with RunFile.open(path) as parent, RunFile.open(out) as child:
        assert run_digest(child, 3060) == run_digest(parent, 3060)
        assert child.rows("SELECT step FROM interventions WHERE kind = 'voice'") == [(3060,)]


def test_the_replies_of_a_model_come_along(tmp_path: Path) -> None:
    path, out = tmp_path / "model.town", tmp_path / "fork.town"
    blueprint = read_blueprint("hamlet", until="07:30", embedder="hash-64", model="scripted")
    digest = start(blueprint, path, models={"scripted": nonsense(1)}).digest
    fork(path, "06:50", out)

    def refuse(request: object) -> str:
        raise AssertionError(f"asked again: {request}")

    again = resume(out, models={"scripted": ScriptedModel(refuse)})
    assert again.digest == digest


def test_a_past_that_comes_out_otherwise_is_refused(whole: tuple[Path, str], tmp_path: Path) -> None:
    path, _ = whole
    out = tmp_path / "fork.town"
    fork(path, 3100, out)
    with RunFile.open(out, readonly=False) as run:
        run.write("UPDATE acts SET text = 'flying' WHERE step = (SELECT MAX(step) FROM acts)", [()])
    with pytest.raises(RunFileError, match="can't be lived again: acts differ"):
        resume(out, until=END)


def test_mistakes_are_sentences(whole: tuple[Path, str], tmp_path: Path) -> None:
    path, _ = whole
    with pytest.raises(RunFileError, match="exists already"):
        fork(path, None, path)
    with pytest.raises(UsageError, match="before the run's beginning"):
        fork(path, "1999-01-01 10:00", tmp_path / "a.town")
    with pytest.raises(UsageError, match="later than the run has come"):
        fork(path, "2033-01-01 10:00", tmp_path / "a.town")
    with pytest.raises(RunFileError, match="no such run file"):
        fork(tmp_path / "none.town", None, tmp_path / "a.town")
    broken = Path(shutil.copy(path, tmp_path / "broken.town"))
    with RunFile.open(broken, readonly=False) as run:
        run.connection.execute("DROP TABLE memories")
    with pytest.raises(RunFileError, match="damaged"):
        fork(broken, None, tmp_path / "a.town")
    assert not list(tmp_path.glob("a.town*"))


def test_the_command(whole: tuple[Path, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, _ = whole
    out = tmp_path / "new folder" / "f#1?.town"
    assert command(["fork", str(path), "--at", "08:00", "--out", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "run": str(out), "parent": str(path), "seed": 0, "step": 2880, "time": "2023-06-02 08:00",
    }  # fmt: skip
    assert command(["fork", str(path), "--at", "08:00", "--out", str(out)]) == 2
    assert "exists already" in capsys.readouterr().err
