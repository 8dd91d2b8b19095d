"""A generated town: files that the check accepts, the same for the same seed, for any number of residents; people live in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.main import run
from kernel import UsageError
from scenarios import load
from scenarios.generating import MOST, generate, write
from simulation.checking import check_files
from simulation.compose import read_blueprint
from simulation.run import start


@pytest.mark.parametrize(("residents", "seed"), [(2, 0), (3, 4), (25, 1), (60, 2)])
def test_the_check_accepts_it(tmp_path: Path, residents: int, seed: int) -> None:
    path = write(generate(residents, seed), tmp_path / "town")
    assert len(load(path).residents) == residents
    _, problems = check_files([path, tmp_path / "town" / "map.yaml", tmp_path / "town" / "people"])
    assert [problem.sentence() for problem in problems] == []


def test_the_same_number_and_seed_make_the_same_files(tmp_path: Path) -> None:
    for name, seed in (("one", 3), ("again", 3), ("other", 4)):
        write(generate(12, seed), tmp_path / name)
    texts = {
        name: {str(path.relative_to(tmp_path / name)): path.read_text() for path in (tmp_path / name).rglob("*.yaml")}
        for name in ("one", "again", "other")
    }
    assert texts["one"] == texts["again"]
    assert texts["one"]["map.yaml"] != texts["other"]["map.yaml"]


def test_as_many_as_can_be_have_names_beds_and_neighbours() -> None:
    town = generate(MOST, 1)
    people = list(town.people.values())
    assert len({person["name"] for person in people}) == MOST
    assert all(person["knows"] for person in people)
    for person in people:
        for other in person["knows"]:
            known = next(one for one in people if one["name"] == other)
            assert person["name"] in known["knows"]


def test_people_live_there(tmp_path: Path) -> None:
    path = write(generate(10, 5), tmp_path / "town")
    lived = start(read_blueprint(str(path), seed=5, days=0.4, mind="clockwork"), tmp_path / "run.town")
    assert (lived.residents, lived.calls) == (10, 0)


def test_what_cannot_be_is_refused_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for residents in (1, MOST + 1):
        with pytest.raises(UsageError):
            generate(residents)
    for days in (0, -1, float("nan")):
        with pytest.raises(UsageError):
            generate(5, days=days)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    assert run(["new", str(tmp_path / "full")]) == 2
    assert "something there already" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["mine.txt"]
    assert run(["new", str(tmp_path / "town"), "--residents", "2", "--json"]) == 0
    assert '"residents":2' in capsys.readouterr().out.replace(" ", "")
