"""Other dice from a step on: the same past, another future, and all of it can be lived again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.main import run as command
from simulation.compose import read_blueprint
from simulation.forking import fork
from simulation.reading.comparing import compare
from simulation.replaying import verify
from simulation.reseeding import manifest_of, next_turn, seed_at, turned, turns_of
from simulation.run import resume, start
from simulation.storing.digest import run_digest
from simulation.storing.runfile import RunFile

AT = 2790  # a quarter to eight: no hourly state is kept there
END = "08:40"


@pytest.fixture(scope="module")
def lives(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A morning; it again; and twice with other dice from a quarter to eight on, twice with the same other dice."""
    folder = tmp_path_factory.mktemp("dice")
    found = {name: folder / f"{name}.town" for name in ("whole", "same", "seven", "seven_again", "eight")}
    start(read_blueprint("hamlet", until=END, embedder="hash-64"), found["whole"])
    for name, seed in (("same", None), ("seven", 7), ("seven_again", 7), ("eight", 8)):
        fork(found["whole"], AT, found[name], seed=seed)
        resume(found[name], until=END)
    return found


def digest(path: Path, until: int | None = None) -> str:
    with RunFile.open(path) as run:
        return run_digest(run, until)


def test_the_past_is_the_same_and_the_future_follows_the_dice(lives: dict[str, Path]) -> None:
    assert len({digest(path, AT) for path in lives.values()}) == 1
    assert digest(lives["same"]) == digest(lives["whole"])
    assert digest(lives["seven"]) == digest(lives["seven_again"])
    assert len({digest(lives[name]) for name in ("whole", "seven", "eight")}) == 3


def test_a_life_with_two_seeds_can_be_lived_again_and_forked_again(lives: dict[str, Path], tmp_path: Path) -> None:
    assert verify(lives["seven"]).same
    before, after, anew = (tmp_path / f"{name}.town" for name in ("before", "after", "anew"))
    fork(lives["seven"], AT - 30, before)
    fork(lives["seven"], AT + 30, after)
    fork(lives["seven"], AT, anew, seed=8)
    for path in (before, after, anew):
        resume(path, until=END)
    assert digest(before) == digest(lives["whole"]), "before the turn there was but one seed"
    assert digest(after) == digest(lives["seven"])
    assert digest(anew) == digest(lives["eight"])


def test_diff_says_that_the_dice_differ(lives: dict[str, Path]) -> None:
    with RunFile.open(lives["whole"]) as one, RunFile.open(lives["seven"]) as other:
        found = compare(one, other)
    assert found.cause == {"is": "seed", "key": "seed", "first": "0", "second": "7", "since": AT}
    assert found.step is not None
    assert found.step >= AT


def test_turns() -> None:
    assert turns_of({"seed": "3"}) == [(0, 3)]
    turns = turned([(0, 3)], 50, 9)
    assert turns == [(0, 3), (50, 9)]
    assert turns_of({"seed": "9", **manifest_of(turns)}) == turns
    assert [seed_at(turns, step) for step in (-1, 0, 49, 50, 99)] == [3, 3, 3, 9, 9]
    assert [next_turn(turns, step) for step in (0, 49, 50)] == [50, 50, None]
    assert turned(turns, 50, 4) == [(0, 3), (50, 4)]
    assert turned(turns, 20, None) == [(0, 3)]
    assert turned(turns, 0, None, whole=True) == turns
    assert turned([(0, 3)], 0, 5) == [(0, 5)]


def test_the_command(lives: dict[str, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "f.town"
    assert command(["fork", str(lives["whole"]), "--at", "07:45", "--seed", "7", "--out", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["seed"] == 7
    assert command(["resume", str(out), "--until", END, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["digest"] == digest(lives["seven"])
