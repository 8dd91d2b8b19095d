"""`town inject`, `set`, `say`: what they print, what they refuse, and that RUN may be left out."""

from __future__ import annotations

import io
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
        (["say", "edda", "x"], "who is speaking?"),
        (["say", "edda", "x", "--as", "Zoe", "--inner-voice"], "who is speaking?"),
        (["say", "edda", "x", "--as", "ben carter"], "lives in this town"),
        (["visit", "--as", "\x07"], "is no name for a visitor"),
        (["visit", "--as", "Zoe", "--at", "mooon"], "there is no place 'mooon'"),
        (["depart", "zoe"], "there is no resident 'zoe'"),
        (["arrive"], "missing: a persona's file"),
        (["arrive", "nobody.yaml"], "there is no such persona file"),
        (["schedule", "nothing.yaml"], "there is no such file"),
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


def test_a_visitor_says_something_and_who_asked_is_on_file(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["say", "edda", "Good day!", "--as", "Zoe Hall", "--look", "a tall woman", "--as-author", "Kim", "--json"]
    assert town(asked) == 0
    assert json.loads(capsys.readouterr().out) == {
        "run": str(Path("runs") / here.name), "id": 2, "kind": "words", "text": "Good day!", "who": "Zoe Hall", "minutes": None,
        "place": None, "addressed": "Edda Finch",
    }  # fmt: skip
    assert town(["resume", "--until", "00:12", "--quiet"]) == 0
    capsys.readouterr()
    assert town(["interventions", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(one["kind"], one["author"], one["step"], one["outcome"]) for one in found] == [
        ("visit", "Kim", 60, ""), ("words", "Kim", 60, "")
    ]  # fmt: skip
    assert set(found[0]) == {
        "id", "kind", "author", "asked", "who", "place", "text", "addressed", "tile", "due", "step", "time", "outcome", "perceived",  # noqa: E501
    }  # fmt: skip
    assert town(["log"]) == 0
    assert "Kim walks in as Zoe Hall, a tall woman" in capsys.readouterr().out


def test_a_walk_through_the_town_from_lines_in_a_pipe(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [
        "look",
        "say Hello?",
        "go green",
        "north",
        "go 1,x",
        "fly",
        "wait 2",
        "wait soon",
        "to nobody hi",
        "",
        "help",
        "\x1b[31m",
        "leave",
        "look",
    ]
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(lines)))
    assert town(["visit", "--as", "Zoe Hall", "--look", "a tall woman", "--at", "bakery : bakery"]) == 0
    told = capsys.readouterr()
    assert told.err == ""
    for words in (
        "it is lived here, a little after each command", "Hamlet : Bakery : bakery", "nobody was there to hear: Hello?",
        "Hamlet : The Green : green", "'1,x' is no tile", "There is no 'fly' here", "'soon' is no number of minutes", "to whom?",
        "Zoe Hall has left the town.",
    ):  # fmt: skip
        assert words in told.out, words
    with RunFile.open(here) as run:
        assert [row[0] for row in run.rows("SELECT change FROM comings ORDER BY step")] == ["came", "went"]
        assert run.rows("SELECT * FROM failures") == []


def test_interventions_set_for_a_time(here: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = tmp_path / "plan.yaml"
    plan.write_text('interventions:\n  - {at: "00:11", kind: object, place: oven, text: burning}\n', encoding="utf-8")
    assert town(["check", str(plan)]) == 0
    assert town(["schedule", str(plan)]) == 0
    assert "1 interventions are set for their times" in capsys.readouterr().out
    assert town(["interventions"]) == 0
    assert "is set for 2023-06-02 00:11:00" in capsys.readouterr().out
    assert town(["resume", "--until", "00:12", "--quiet"]) == 0
    assert town(["interventions"]) == 0
    assert "took effect 2023-06-02 00:11:00" in capsys.readouterr().out


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs a file that may not be written")
def test_a_file_that_may_not_be_written_is_one_sentence(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here.chmod(0o400)
    assert town(["set", "oven", "x"]) == 2
    assert "the file can't be used" in capsys.readouterr().err
