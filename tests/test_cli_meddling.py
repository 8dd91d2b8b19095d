"""`town inject`, `set`, `say`: what they print, what they refuse, and that RUN may be left out."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from cli.main import run as town
from simulation.storing.runfile import RunFile


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    monkeypatch.chdir(tmp_path)
    assert town(["run", "hamlet", "--until", "00:10", "--mind", "clockwork", "--quiet"]) == 0
    capsys.readouterr()
    return tmp_path / "runs" / "hamlet-seed0-1.town"


def test_wishes_are_rows(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert town(["inject", "a dog barks", "--at", "green", "--minutes", "5", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "run": str(Path("runs") / here.name), "id": 1, "kind": "event", "text": "a dog barks", "who": None, "minutes": 5,
        "place": "Hamlet : The Green : green",
    }  # fmt: skip
    assert town(["set", "hamlet-seed0-1", "oven", "burning"]) == 0
    assert "takes effect at the next step" in capsys.readouterr().out
    assert town(["say", str(here), "edda", "go home", "--inner-voice"]) == 0
    assert not here.with_name(here.name + "-wal").exists()  # the last one to leave folds the log in
    with RunFile.open(here) as run:
        assert run.rows("SELECT kind, who, place, text, minutes, step, outcome FROM interventions") == [
            ("event", None, "Hamlet : The Green : green", "a dog barks", 5, None, None),
            ("object", None, "Hamlet : Bakery : bakery : oven", "burning", None, None, None),
            ("voice", "Edda Finch", None, "go home", None, None, None),
        ]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["set", "oven"], "missing: an address and a state"),
        (["set", "shower", "x"], "'shower' may mean"),
        (["set", "bakery", "x"], "there is no object 'bakery'"),
        (["inject", "x", "--at", "mooon"], "there is no place 'mooon'"),
        (["inject", "\x07", "--at", "green"], "there are no words in it"),
        (["inject", "x", "--at", "green", "--minutes", "-1"], "can't last -1 minutes"),
        (["say", "edda", "x"], "say it with --inner-voice"),
        (["say", "zoe", "x", "--inner-voice"], "there is no resident 'zoe'"),
        (["say", "z" * 10_000, "x", "--inner-voice"], "there is no resident"),
        (["set", "nowhere.town", "oven", "x"], "there is no such run file"),
    ],
)
def test_mistakes_are_one_sentence(here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str) -> None:
    assert town(arguments) == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1
    assert len(said) < 1000


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs a file that may not be written")
def test_a_file_that_may_not_be_written_is_one_sentence(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here.chmod(0o400)
    assert town(["set", "oven", "x"]) == 2
    assert "the file can't be used" in capsys.readouterr().err
