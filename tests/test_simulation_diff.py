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


def test_a_setting_a_reply_and_a_question_are_causes(lives: tuple[Path, Path, Path], tmp_path: Path) -> None:
    whole = lives[0]
    copies = {name: tmp_path / f"{name}.town" for name in ("setting", "reply", "question")}
    for path in copies.values():
        fork(whole, None, path)
    with RunFile.open(copies["setting"], readonly=False) as run:
        spec = json.loads(run.get("spec.scenario"))
        spec["settings"]["vision_radius"] = 9
        run.set_meta({"spec.scenario": json.dumps(spec)})
    step = 3000
    for path in copies.values():
        with RunFile.open(path, readonly=False) as run:
            run.write("UPDATE acts SET text = 'flying' WHERE step = (SELECT MIN(step) FROM acts WHERE step >= ?)", [(step,)])
    changed = {"reply": "reply = '\"no\"'", "question": "request_hash = 'other'"}
    for name, change in changed.items():
        with RunFile.open(copies[name], readonly=False) as run:
            run.write(f"UPDATE calls SET {change} WHERE step = (SELECT MAX(step) FROM calls WHERE step < {step})", [()])
    found = {}
    for name, path in copies.items():
        with RunFile.open(whole) as first, RunFile.open(path) as second:
            found[name] = compare(first, second)
            assert any(line.startswith("The cause: ") for line in found[name].lines())
    setting = found["setting"].cause
    assert setting is not None
    assert (setting["is"], setting["key"], setting["second"]) == ("setting", "scenario.settings.vision_radius", "9")
    reply, question = found["reply"].cause, found["question"].cause
    assert reply is not None
    assert (reply["is"], reply["key"], reply["second"]) == ("model", "reply", '"no"')
    assert question is not None
    assert (question["is"], question["key"]) == ("code", "question")


def test_what_became_of_it(lives: tuple[Path, Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Minutes add up to the time lived, in both lives, and the picture carries its label."""
    whole, _, other = lives
    with RunFile.open(whole) as one, RunFile.open(other) as two:
        found = compare(one, two)
    assert found.lives is not None
    for life in found.lives:
        for places in life.minutes.values():
            assert sum(places.values()) == pytest.approx((found.until - 2790) / 6)
    assert 0 <= found.apart <= 1
    assert (found.apart == 0) <= (not found.went)
    for path, extra in ((other, []), (lives[1], ["--json"])):
        out = tmp_path / f"{path.stem}.png"
        assert command(["diff", str(whole), str(path), "--out", str(out), *extra]) == 0
        assert out.read_bytes().startswith(b"\x89PNG")
    assert capsys.readouterr().out.startswith("Evidence: offline.")
    assert command(["diff", str(whole), str(other), "--out", str(tmp_path / "nowhere" / "a.png")]) == 2


def test_the_command(lives: tuple[Path, Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    whole, _, other = lives
    assert command(["diff", str(whole), str(other), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert sorted(found) == [
        "apart", "cause", "causes", "did", "end", "evidence", "knew", "learned", "met", "rows", "runs", "step", "talks", "time",
        "until", "went",
    ]  # fmt: skip
    assert command(["diff", str(whole), "none.town"]) == 2
    assert command(["log", str(other)]) == 0
    assert "A user sets oven: burning" in capsys.readouterr().out
