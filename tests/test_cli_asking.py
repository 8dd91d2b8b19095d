"""`town ask`: what it prints, its JSON, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.main import run as town
from simulation.storing.runfile import RunFile


def test_ask_prints_the_answer_and_what_it_rests_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert town(["run", "hamlet", "--until", "07:30", "--quiet"]) == 0
    assert town(["ask", "ada", "Introduce yourself."]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Ada Brook, as of 2023-06-02 07:30:\n")
    assert "[Ada Brook/-1/0]" in out
    options = ["--at", "07:00", "--without", "reflection,plan", "--json"]
    assert town(["ask", "hamlet-seed0-1", "brook", "What is your plan for today?", *options]) == 0
    found = json.loads(capsys.readouterr().out)
    assert sorted(found) == [
        "answer", "evidence", "fallback", "follows", "knows", "model", "question", "resident", "rests_on", "step", "time",
        "without",
    ]  # fmt: skip
    assert (found["step"], found["time"], found["without"]) == (2520, "2023-06-02 07:00", ["reflection", "plan"])
    assert not found["knows"]
    with RunFile.open(Path("runs/hamlet-seed0-1.town")) as run:
        assert run.rows("SELECT resident, step, without, knows FROM interviews ORDER BY id") == [
            ("Ada Brook", 2700, "[]", 1),
            ("Ada Brook", 2520, '["reflection","plan"]', 0),
        ]
    for arguments, sentence in (
        (["ask"], "missing: whom to ask"),
        (["ask", "hamlet-seed0-1"], "missing: whom to ask"),
        (["ask", "ada", "x", "--without", "reflexions"], "did you mean reflection?"),
        (["ask", "d", "x"], "'d' may mean"),
        (["ask", "ada", "x", "--at", "nonsense"], "nonsense"),
        (["ask", "ada", "x", "--model", "offlin"], "did you mean offline?"),
    ):
        assert town(arguments) == 2
        assert sentence in capsys.readouterr().err
