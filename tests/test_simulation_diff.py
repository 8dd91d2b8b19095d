"""Two lives compared: the first difference, its cause, and who knew what."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.main import run as command
from simulation.compose import read_blueprint
from simulation.forking import fork
from simulation.interventions import ask_for, wish_object
from simulation.reading.comparing import compare
from simulation.run import resume, start
from simulation.storing.runfile import RunFile


@pytest.fixture(scope="module")
def lives(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    """A morning; the same again; and one in which the oven burns at a quarter to eight."""
    folder = tmp_path_factory.mktemp("lives")
    whole, same, other = folder / "whole.town", folder / "same.town", folder / "other.town"
    start(read_blueprint("hamlet", until="09:00", embedder="hash-64"), whole)
    for path in (same, other):
        fork(whole, "07:45", path)
    with RunFile.open(other) as run:
        wish = wish_object(run, "oven", "burning")
    ask_for(other, wish)
    for path in (same, other):
        resume(path, until="08:50")
    return whole, same, other


def test_the_same_life_has_no_difference_up_to_the_shorter_ones_end(lives: tuple[Path, Path, Path]) -> None:
    whole, same, _ = lives
    with RunFile.open(whole) as first, RunFile.open(same) as second:
        found = compare(first, second)
        assert (found.step, found.until, found.end) == (None, 3180, "2023-06-02 08:50:00")
        assert list(found.lines())[2:] == ["The same life up to 2023-06-02 08:50:00 (step 3180), the end of the shorter one."]


@pytest.mark.parametrize("turned", [False, True])
def test_a_change_is_found_with_its_cause(lives: tuple[Path, Path, Path], turned: bool) -> None:
    whole, _, other = lives
    with RunFile.open(whole) as one, RunFile.open(other) as two:
        found = compare(two, one) if turned else compare(one, two)
        assert (found.step, found.time) == (2790, "2023-06-02 07:45:00")
        assert found.cause == {
            "is": "intervention", "run": str(other), "kind": "object", "text": "burning",
            "where": "Hamlet : Bakery : bakery : oven",
        }  # fmt: skip
        assert [row is None for row in found.rows] == [not turned, turned]
        assert found.met.keys() == {"first", "second"}
        assert any("a user asked for object" in line for line in found.lines())


def test_other_seeds_and_what_nothing_explains(lives: tuple[Path, Path, Path], tmp_path: Path) -> None:
    whole, same, _ = lives
    seeded = tmp_path / "seeded.town"
    start(read_blueprint("hamlet", until="09:00", embedder="hash-64", seed=5), seeded)
    with RunFile.open(whole) as first, RunFile.open(seeded) as second:
        found = compare(first, second)
        assert found.step is not None
        assert found.cause == {"is": "seed", "key": "seed", "first": "0", "second": "5", "since": 0}
    with RunFile.open(same, readonly=False) as touched:
        touched.write("UPDATE acts SET text = 'flying' WHERE step = (SELECT MAX(step) FROM acts WHERE step < 3000)", [()])
    with RunFile.open(whole) as first, RunFile.open(same) as second:
        found = compare(first, second)
        assert found.cause is None
        assert found.rows[0] is not None
        assert found.rows[1] is not None
        assert (found.rows[0][0], found.rows[1][4]) == ("acts", "flying")


def test_the_command(lives: tuple[Path, Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    whole, _, other = lives
    assert command(["diff", str(whole), str(other), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert sorted(found) == [
        "apart", "cause", "causes", "end", "evidence", "knew", "learned", "met", "rows", "runs", "step", "talks", "time", "until",
        "went",
    ]  # fmt: skip
    assert command(["diff", str(whole), "none.town"]) == 2
    assert command(["log", str(other)]) == 0
    assert "A user sets oven: burning" in capsys.readouterr().out
