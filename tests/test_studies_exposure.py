"""The exposure study on the hamlet, tiny: resumable, every launch accounted for, intervals over runs, nulls in the table."""

import json
import shutil
from pathlib import Path

import pytest

from cli.main import run
from kernel import UsageError
from simulation.storing.runfile import RunFile
from studies.exposure import ARMS, Plan, conduct, notes, results, tables, write_results
from studies.exposure.living import launches, run_path
from studies.intervals import paired, sign_flip, wilson

PLAN = Plan("hamlet", seeds=1, max_records=4, max_bytes=1500, days=0.51, embedder="hash-64")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("exposure")
    assert [life.became for life in conduct(PLAN, folder)] == ["lived"] * 3
    return folder


def test_every_life_is_there_bounded_alike_and_scored(folder: Path) -> None:
    data = results(PLAN, conduct(PLAN, folder), folder)
    assert (data["planned"], data["launched"], data["complete"], data["invalid"]) == (3, 3, 3, [])
    assert data["evidence"] == "offline"
    for arm in ARMS:
        found = data["arms"][arm]
        assert found["most_shown"] <= 4
        assert found["most_bytes"] <= 1500
        assert found["mean_per_run"]["bytes"] > 0
        assert found["obligations"]["listeners"]["invalid"] == 1  # the run ends at noon
        assert found["obligations"]["listeners"]["rate"] is None
        spread = found["obligations"]["word-spread"]
        assert spread["met"] + spread["missed"] == 1
    assert [(row["arm"], row["seed"]) for row in data["runs"]] == [(arm, 0) for arm in ARMS]
    assert all("acts" not in row for row in data["runs"])


def test_null_and_adverse_rows_are_in_the_same_table(folder: Path) -> None:
    data = results(PLAN, conduct(PLAN, folder), folder)
    owed, outcomes, pairs = tables(data)
    assert [row[0] for row in owed[2]] == ["listeners", "word-spread"]
    assert len(outcomes[2]) == 6
    assert [len(row) for _, columns, rows in (owed, outcomes, pairs) for row in rows] == [
        len(columns) for _, columns, rows in (owed, outcomes, pairs) for _ in rows
    ]
    assert any("not equal consumption" in line for line in notes(data))


def test_what_is_written_is_the_same_twice_and_labelled(folder: Path, tmp_path: Path) -> None:
    data = results(PLAN, conduct(PLAN, folder), folder)
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        write_results(data, tmp_path / name)
    for name in ("exposure.md", "exposure.json", "obligations.png"):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()
    lines = (tmp_path / "a" / "exposure.md").read_text().splitlines()
    assert lines[0].startswith("Evidence: offline")
    assert all(line.endswith("| offline |") for line in lines if line.startswith("| listeners"))


def test_a_life_broken_off_is_taken_up_and_a_damaged_one_is_invalid(folder: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(folder, tmp_path / "copy")
    run_path(copy, "recency", 0).unlink()
    run_path(copy, "priority", 0).write_bytes(b"not a run")
    lives = {life.arm: life for life in conduct(PLAN, copy)}
    assert (lives["weighted"].became, lives["recency"].became, lives["priority"].became) == ("kept", "lived", "failed")
    data = results(PLAN, list(lives.values()), copy)
    assert data["complete"] == 2
    assert [(one["arm"], one["seed"]) for one in data["invalid"]] == [("priority", 0)]
    assert data["arms"]["priority"]["complete"] == 0
    assert data["differences"]["priority"]["pairs"] == 0
    assert [row["became"] for row in launches(copy)][-2:] == ["lived", "failed"]
    assert any("no evidence" in line for line in notes(data))
    with RunFile.open(run_path(copy, "recency", 0)) as one, RunFile.open(run_path(folder, "recency", 0)) as other:
        assert one.rows("SELECT * FROM exposures ORDER BY 1, 2, 3") == other.rows("SELECT * FROM exposures ORDER BY 1, 2, 3")


def test_another_plan_in_the_folder_is_refused(folder: Path) -> None:
    with pytest.raises(UsageError, match="another study"):
        conduct(Plan("hamlet", seeds=2), folder)


def test_the_command_reads_what_was_lived(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = shutil.copytree(folder, tmp_path / "copy")
    plan = json.loads((copy / "plan.json").read_text())
    (copy / "plan.json").write_text(json.dumps({**plan, "embedder": "wordllama-256"}, indent=1))
    words = ["study", "exposure", "hamlet", "--seeds", "1", "--max-records", "4", "--max-bytes", "1500", "--days", "0.51"]
    assert run([*words, "--out", str(copy)]) == 0
    told = capsys.readouterr()
    assert "word-spread" in told.out
    assert "3 of 3: priority, seed 0: kept" in told.err
    assert run([*words, "--out", str(copy), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["unit"] == "run"


@pytest.mark.parametrize(
    ("words", "told"),
    [(["nowhere"], "no such scenario"), (["hamlet", "--model", "openia:x"], "no model"), (["hamlet", "--days", "0"], "")],
)
def test_a_plan_that_cannot_be_is_refused_before_anything_is_written(
    words: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["study", "exposure", *words, "--seeds", "1", "--out", str(tmp_path / "x")]) == 2
    assert told in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


def test_a_scenario_that_owes_nothing_is_refused(tmp_path: Path) -> None:
    source = (Path(__file__).parent.parent / "scenarios" / "hamlet.yaml").read_text()
    head, _, rest = source.partition("# Scored at their deadline")
    (tmp_path / "own.yaml").write_text(head + "memories:" + rest.partition("memories:")[2])
    with pytest.raises(UsageError, match="nothing is owed"):
        conduct(Plan(str(tmp_path / "own.yaml"), seeds=1), tmp_path / "x")


# -- intervals ---------------------------------------------------------------------------------------------------------


def test_shares_have_wilsons_interval() -> None:
    assert wilson(0, 0) is None
    assert wilson(5, 10) == [0.2366, 0.7634]  # Wilson 1927, as in any table of it
    low, high = wilson(10, 10) or [0.0, 0.0]
    assert (low, high) == (0.7225, 1.0)


def test_paired_differences() -> None:
    assert paired([]) is None
    one = paired([2.0])
    assert one is not None
    assert one["interval"] is None
    same = paired([0, 0, 0])
    assert same is not None
    assert (same["mean"], same["interval"], same["p"], same["direction"]) == (0, [0, 0], 1.0, "none")
    lower = paired([-1, -2, -1, -2, -1])
    assert lower is not None
    assert lower["direction"] == "lower"
    assert lower["interval"] == [-2.08, -0.72]


def test_the_sign_flip_is_exact() -> None:
    assert sign_flip([1, 1, 1]) == 0.25
    assert sign_flip([1, -1]) == 1.0
    assert sign_flip([3, 1, 1, 1]) == 0.125
    assert sign_flip([1] * 17) is None
