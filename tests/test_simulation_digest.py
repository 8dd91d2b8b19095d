"""The digest: what it depends on, what it doesn't; and a replay of a run's own replies is the same life."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from simulation.compose import read_blueprint
from simulation.run import start
from simulation.storing.digest import run_digest
from simulation.storing.runfile import RunFile

MOVE = "INSERT INTO moves VALUES (?, ?, ?, 1, 2, 'EE')"


@pytest.fixture
def run(tmp_path: Path) -> RunFile:
    return RunFile.create(tmp_path / "a.town", {"committed": "10"})


def test_it_is_the_sha_of_ordered_canonical_rows(run: RunFile) -> None:
    run.write(MOVE, [("Bo", 3, 0), ("Ann", 3, 0), ("Bo", -1, 0), ("Ann", 10, 0)])
    run.write("INSERT INTO mind_states VALUES ('Ann', 'k', 3, '{\"a\":1}')", [()])
    rows = [
        ["moves", -1, "Bo", 0, 1, 2, "EE"],
        ["mind_states", 3, "Ann", 0, "k", '{"a":1}'],
        ["moves", 3, "Ann", 0, 1, 2, "EE"],
        ["moves", 3, "Bo", 0, 1, 2, "EE"],
    ]
    text = ",".join(json.dumps(row, separators=(",", ":")) for row in rows)
    assert run_digest(run) == hashlib.sha256(text.encode()).hexdigest()
    assert run_digest(run, 3) == hashlib.sha256(json.dumps(rows[0], separators=(",", ":")).encode()).hexdigest()


def test_it_does_not_depend_on_order_of_writing_or_on_what_is_left_out(run: RunFile, tmp_path: Path) -> None:
    other = RunFile.create(tmp_path / "b.town", {"committed": "10", "seed": "9"})
    steps = [("Ann", step, 0) for step in range(5)]
    run.write(MOVE, steps)
    other.write(MOVE, reversed(steps))
    other.write("INSERT INTO calls VALUES ('Ann', 2, 'say', 0, 'm', 'h', x'', '', '', 1, 0, 0, 0, NULL, 0, 0, '{}', NULL)", [()])
    other.write("INSERT INTO failures VALUES ('Ann', 2, 0, 'e', '')", [()])
    other.write("INSERT INTO interventions (id, kind, who, text, asked) VALUES (1, 'voice', 'Ann', 'go', 'now')", [()])
    assert run_digest(run) == run_digest(other)
    other.write("UPDATE interventions SET step = 4", [()])
    assert run_digest(run) != run_digest(other)


def test_a_window_of_steps_more_or_less_changes_no_bit(run: RunFile, monkeypatch: pytest.MonkeyPatch) -> None:
    run.set_meta({"committed": "5000"})
    run.write(MOVE, [("Ann", step, 0) for step in range(0, 5000, 7)])
    whole = run_digest(run)
    monkeypatch.setattr("simulation.storing.digest._WINDOW", 100)
    assert run_digest(run) == whole


def test_a_replay_lives_the_same_life(tmp_path: Path) -> None:
    wishes = {"mind": "generative", "until": "08:00", "embedder": "hash-64"}
    first = start(read_blueprint("hamlet", **wishes), tmp_path / "a.town")  # type: ignore[arg-type]
    second = start(
        read_blueprint("hamlet", model=f"replay:{tmp_path / 'a.town'}", **wishes),  # type: ignore[arg-type]
        tmp_path / "b.town",
    )
    assert first.calls > 0
    assert second.digest == first.digest


def test_another_seed_is_another_life(tmp_path: Path) -> None:
    digests = {
        start(read_blueprint("hamlet", seed=seed, until="08:00", embedder="hash-64"), tmp_path / f"{seed}.town").digest
        for seed in (1, 2)
    }
    assert len(digests) == 2
