"""What if: lives that differ in one thing only, irrelevant changes by rule, and tests that don't claim more than they can."""

from __future__ import annotations

import itertools
import json
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from cli.main import run as command
from simulation.compose import read_blueprint
from simulation.measures import Reading, Whereabouts, sector_of
from simulation.run import start
from simulation.storing.digest import run_digest
from simulation.storing.runfile import RunFile
from studies.whatif import placebos
from studies.whatif.effects import least, sign_flip

AT = 3600
"""Ten o'clock: most of the hamlet is in the bakery."""
KEYS = [
    "changes", "days", "effects", "evidence", "irrelevant", "lives", "main", "repeat", "run", "seeds", "step", "time", "verdict",
]  # fmt: skip
EFFECT = [
    "beyond", "chance", "changed", "effect", "evidence", "irrelevant", "kind", "least", "measure", "of", "p", "placebo",
    "untouched",
]  # fmt: skip


@pytest.fixture(scope="module")
def morning(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("whatif") / "morning.town"
    start(read_blueprint("hamlet", until="10:30", embedder="hash-64"), path)
    return path


@pytest.fixture(scope="module")
def burnt(morning: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """The folder of an oven that burns twice over for half an hour, and how it was asked for."""
    folder = tmp_path_factory.mktemp("burnt") / "new" / "lives"
    given = ["whatif", str(morning), "--at", "10:00", "--set", "oven", "burning", "--days", "0.02084", "--repeat", "2"]
    asked = [*given, "--out", str(folder)]
    assert command([*asked, "--json"]) == 0
    return folder, asked


def figures(folder: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((folder / "whatif.json").read_text(encoding="utf-8"))
    return found


def test_the_lives_differ_in_the_change_and_nothing_else(morning: Path, burnt: tuple[Path, list[str]]) -> None:
    folder, _ = burnt
    found = figures(folder)
    assert sorted(found) == KEYS
    assert found["seeds"] == [0, 1]
    digests = {}
    for kind, number in itertools.product(("untouched", "changed", "placebo"), (1, 2)):
        with RunFile.open(folder / f"{kind}-{number}.town") as run:
            assert run.committed == AT + 180
            assert (run.get("parent"), run.get("parent_step"), run.get("seed")) == ("morning.town", str(AT), str(number - 1))
            digests[kind, number] = run_digest(run)
            asked = run.rows("SELECT step, kind, text FROM interventions")
            words = {"untouched": [], "changed": [(AT, "object", "burning")], "placebo": [(AT, "object", "a little dusty")]}
            assert asked == words[kind]
    with RunFile.open(morning) as parent:
        assert digests["untouched", 1] == run_digest(parent, AT + 180), "left alone with its own dice, it is its parent"
    assert len(set(digests.values())) == 6
    assert [life["digest"] for life in found["lives"]] == [  # type: ignore[attr-defined]
        digests[kind, number] for number in (1, 2) for kind in ("untouched", "changed", "placebo")
    ]


def test_a_fire_in_a_full_bakery_does_more_than_dust(burnt: tuple[Path, list[str]]) -> None:
    folder, _ = burnt
    effects = {(effect["measure"], effect["of"]): effect for effect in figures(folder)["effects"]}  # type: ignore[attr-defined]
    assert all(sorted(effect) == EFFECT and effect["evidence"] == "offline" for effect in effects.values())
    acts = effects["acts", ""]
    assert acts["effect"] > acts["irrelevant"]
    assert acts["beyond"] == 2
    assert (acts["p"], acts["least"]) == (0.25, 0.25), "two repeats can't say more"
    page = (folder / "whatif.md").read_text(encoding="utf-8")
    assert page.startswith("Evidence: offline.")
    assert "no p below 0.25" in page
    assert "{" not in page
    assert (folder / "whatif.png").read_bytes().startswith(b"\x89PNG")


def test_it_can_be_taken_up_again_but_not_mixed(
    burnt: tuple[Path, list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, asked = burnt
    before = figures(folder)
    copy = Path(shutil.copytree(folder, tmp_path / "copy"))
    for name in ("changed-2.town", "whatif.json", "whatif.md"):
        (copy / name).unlink()
    again = [*asked[:-1], str(copy)]
    assert command([*again, "--quiet"]) == 0
    assert "In which direction?" in capsys.readouterr().out
    after = figures(copy)
    assert [life["digest"] for life in after["lives"]] == [life["digest"] for life in before["lives"]]  # type: ignore[attr-defined]
    assert after["effects"] == before["effects"]
    for other in (["--set", "oven", "wet"], ["--days", "0.03"]):
        assert command([*again, *other]) == 2
        assert "holds something else already" in capsys.readouterr().err


def test_irrelevant_objects_follow_the_rule(morning: Path) -> None:
    with RunFile.open(morning) as run:
        order = placebos(run, AT, {"Hamlet : Bakery"})
        reading = Reading(run)
        where = Whereabouts(reading)
        occupied = {sector_of(where.room_at(name, AT)) for name in reading.names}
        assert len(order) > 5
        assert len(set(order)) == len(order)
        assert not {sector_of(address) for address in order} & (occupied | {"Hamlet : Bakery"})
        uses = [
            sum(act.target == address and act.start < AT for acts in reading.acts.values() for act in acts) for address in order
        ]
        assert uses == sorted(uses)
        every = {sector_of(address) for address in reading.places}
        crowded = placebos(run, AT, every)  # nothing is away from everything: still an idle object
        assert crowded


def test_a_change_that_nobody_notices_is_said_to_change_nothing(morning: Path, tmp_path: Path) -> None:
    out = tmp_path / "lives"
    with RunFile.open(morning) as run:
        first, second = placebos(run, AT, set())[:2]
    given = ["whatif", str(morning), "--at", "10:00", "--set", first, "a little dusty", "--days", "0.003", "--repeat", "1"]
    assert command([*given, "--out", str(out), "--json"]) == 0
    found = figures(out)
    assert (found["verdict"], [effect["p"] for effect in found["effects"]]) == ("nothing", [1.0] * 4)  # type: ignore[attr-defined]
    assert found["irrelevant"] != [first], "the placebo isn't the change"
    assert second


def test_stopped_it_says_how_to_go_on(
    morning: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "lives"
    given = ["whatif", str(morning), "--at", "10:00", "--voice", "Edda", "Go home", "--inject", "a kite", "green"]
    asked = [*given, "--days", "0.002", "--repeat", "1", "--out", str(out), "--json"]
    with monkeypatch.context() as patch:
        patch.setattr("studies.whatif.lives.resume", lambda path, **_: SimpleNamespace(interrupted=True))
        assert command(asked) == 130
    assert f"--out {out}" in capsys.readouterr().err
    assert command(asked) == 0
    found = json.loads(capsys.readouterr().out)
    assert [change["kind"] for change in found["changes"]] == ["event", "voice"]
    with RunFile.open(out / "changed-1.town") as run:
        assert run.rows("SELECT kind, step FROM interventions ORDER BY id") == [("event", AT), ("voice", AT)]


def test_the_sign_flip_test_is_exact() -> None:
    differences = [0.4, -0.1, 0.3, 0.2, 0.05]
    flipped = [sum(s * d for s, d in zip(signs, differences, strict=True)) for signs in itertools.product((1, -1), repeat=5)]
    whole = sum(differences)
    assert sign_flip(differences, two_sided=False) == sum(value >= whole - 1e-9 for value in flipped) / 32
    assert sign_flip(differences, two_sided=True) == sum(abs(value) >= whole - 1e-9 for value in flipped) / 32
    assert sign_flip([1.0] * 5, two_sided=False) == least(5, two_sided=False) == 1 / 32
    assert sign_flip([1.0] * 5, two_sided=True) == least(5, two_sided=True) == 1 / 16
    assert sign_flip([0.0] * 5, two_sided=False) == 1.0
    assert sign_flip([-1.0] * 5, two_sided=False) == 1.0
    assert sign_flip([2.0], two_sided=False) == least(1, two_sided=False) == 0.5
    assert sign_flip([2.0], two_sided=True) == least(1, two_sided=True) == 1.0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "nothing is to be changed"),
        (["--set", "oven", "burning", "--repeat", "0"], "can't be repeated 0 times"),
        (["--set", "oven", "burning", "--days", "0"], "0 days are no future"),
        (["--set", "overn", "burning"], "did you mean oven"),
        (["--voice", "Bob", "Go home"], "there is no resident 'Bob'"),
        (["--inject", "\x07", "green"], "there are no words in it"),
    ],
)
def test_mistakes_are_one_sentence(
    morning: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    assert command(["whatif", str(morning), "--at", "10:00", "--out", str(tmp_path / "a"), *arguments]) == 2
    err = capsys.readouterr().err
    assert sentence in err
    assert "Traceback" not in err
    assert not (tmp_path / "a").exists()
