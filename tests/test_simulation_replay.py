"""A run lived again from its own journal is the same, interventions and a model's replies included."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.main import run as command
from language import nonsense
from simulation.compose import read_blueprint
from simulation.interventions import ask_for, wish_event, wish_object, wish_voice
from simulation.replaying import verify
from simulation.run import resume, start
from simulation.storing.runfile import RunFile


@pytest.fixture(scope="module")
def meddled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("meddled") / "meddled.town"
    start(read_blueprint("hamlet", until="07:10", embedder="hash-64"), path)
    with RunFile.open(path) as run:
        wishes = (
            wish_object(run, "oven", "burning"),
            wish_voice(run, "Ben", "Go to the green"),
            wish_event(run, "a kite stuck in a tree", "green"),
        )
    for until, wish in zip(("07:20", "07:40", "08:00"), wishes, strict=True):
        ask_for(path, wish)
        resume(path, until=until)
    return path


def test_with_interventions(meddled: Path) -> None:
    found = verify(meddled)
    assert found.same
    assert found.again == found.digest
    with RunFile.open(meddled) as run:
        assert run.committed == 2880, "the run itself isn't touched"


def test_with_the_replies_of_a_model_that_isnt_there_any_more(tmp_path: Path) -> None:
    path = tmp_path / "model.town"
    blueprint = read_blueprint("hamlet", until="07:05", embedder="hash-64", model="scripted")
    digest = start(blueprint, path, models={"scripted": nonsense(1)}).digest
    found = verify(path)
    assert (found.same, found.again) == (True, digest)


def test_a_forged_past_is_found_out(meddled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["replay", str(meddled), "--verify", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["same"] is True
    with RunFile.open(meddled, readonly=False) as run:
        step = run.rows("SELECT MAX(step) FROM acts WHERE step < 2800")[0][0]
        run.write("UPDATE acts SET text = 'flying' WHERE step = ?", [(step,)])
    found = verify(meddled)
    assert (found.same, found.step, found.table) == (False, step, "acts")
    assert command(["replay", str(meddled)]) == 1
    assert f"differs from step {step} on" in capsys.readouterr().out
