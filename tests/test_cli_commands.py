"""The command line: what it prints, its exit codes, and that errors are sentences."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from cli.main import app
from cli.main import run as town

ROOT = Path(__file__).parents[1]
KEYS = [
    "calls", "digest", "fallbacks", "game_days", "interrupted", "mind", "model", "peak_rss_mb", "residents", "run", "scenario",
    "seed", "steps", "wall_seconds",
]  # fmt: skip


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one run of half a day in `runs/`."""
    folder = tmp_path_factory.mktemp("lived")
    before = Path.cwd()
    os.chdir(folder)
    try:
        assert town(["run", "hamlet", "--until", "09:00", "--quiet"]) == 0
    finally:
        os.chdir(before)
    return folder


@pytest.fixture
def here(lived: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(lived)
    return lived / "runs" / "hamlet-seed0-1.town"


def test_the_default_file_never_overwrites(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for count in (1, 2):
        assert town(["run", "hamlet", "--until", "00:10", "--seed", "3", "--json", "--mind", "clockwork"]) == 0
        figures = json.loads(capsys.readouterr().out)
        assert figures["run"] == str(Path("runs") / f"hamlet-seed3-{count}.town")
    assert sorted(figures) == KEYS
    assert {key: figures[key] for key in ("scenario", "seed", "mind", "model", "residents", "steps", "calls", "interrupted")} == {
        "scenario": "hamlet", "seed": 3, "mind": "clockwork", "model": "offline", "residents": 5, "steps": 60, "calls": 0,
        "interrupted": False,
    }  # fmt: skip
    assert re.fullmatch("[0-9a-f]{64}", figures["digest"])
    assert town(["run", "hamlet", "--out", figures["run"]]) == 2
    assert "exists already" in capsys.readouterr().err


def test_the_json_keys_are_documented() -> None:
    table = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8").split("print one object:")[1].split("`town log")[0]
    assert sorted(re.findall(r"^\| ([a-z_]+) \|", table, flags=re.M)[1:]) == KEYS


def test_resume_goes_on_to_the_planned_end_and_beyond(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "a.town")
    assert town(["run", "hamlet", "--days", "0.01", "--mind", "clockwork", "--out", out, "--quiet"]) == 0
    assert town(["resume", out, "--days", "0.25", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["steps"] == 87 + 2160
    assert town(["resume", out]) == 0
    at_its_end = capsys.readouterr()
    assert "0.2601 days" in at_its_end.out
    assert at_its_end.err == f"Nothing was lived: the run is at its planned end. Further with: town resume {out} --days 1\n"
    assert town(["resume", out, "--until", "00:05"]) == 2
    assert "is not after 2023-06-02 06:14" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["run", "estimate"])
@pytest.mark.parametrize("days", ["nan", "inf", "1e300", "-1", "0"])
def test_impossible_lengths_are_sentences(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str, days: str
) -> None:
    monkeypatch.chdir(tmp_path)
    if (command, days) != ("estimate", "1e300"):  # which is long, and can be reckoned
        assert town([command, "hamlet", "--days", days]) == 2
        assert re.search("days can't be lived|is not after", capsys.readouterr().err)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["hash-0", "hash-99999999", "hash-²"])
def test_embedders_that_cannot_be_are_sentences(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert town(["run", "hamlet", "--days", "0.01", "--embedder", name]) == 2
    assert name in capsys.readouterr().err
    assert not list(tmp_path.rglob("*.town"))


def test_bare_town_names_the_newest_run(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert town([]) == 0
    assert "runs/hamlet-seed0-1.town" in capsys.readouterr().out


def test_bare_town_without_runs_says_how_to_make_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert town([]) == 0
    assert "town run hamlet" in capsys.readouterr().out
    assert town(["log"]) == 2
    assert "there is no run yet" in capsys.readouterr().err


def test_log_of_one_resident_by_part_of_the_name(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert town(["log", "-r", "broo"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Ada Brook, baker\n\nFriday 2023-06-02\n00:00-0")
    assert "sleeping (bed, Ada Brook's house)" in out
    assert town(["log", "hamlet-seed0-1", "--resident", "ada", "--json"]) == 0
    entries = json.loads(capsys.readouterr().out)
    keys = "going_on id kind lines part_of people place reason step text time until who"
    assert sorted(entries[0]) == keys.split()
    assert {entry["who"] for entry in entries} == {"Ada Brook"}


def test_ambiguous_and_unknown_names_list_candidates(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert town(["log", "-r", "D"]) == 2
    assert "'D' may mean Clara Doyle or Dov Eller (write more of the name)" in capsys.readouterr().err
    assert town(["memory", "Aada"]) == 2
    assert "did you mean Ada Brook?" in capsys.readouterr().err


def test_follow_ends_with_the_run(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert town(["log", "--follow", "-r", "ada"]) == 0
    assert "00:00-0" in capsys.readouterr().out


def test_memory_lists_retrieves_and_searches(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert town(["memory", "ada", "--json", "-n", "1000"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert listed["resident"] == "Ada Brook"
    assert listed["memories"][0]["id"] == "Ada Brook/-1/0"
    assert listed["total"] == len(listed["memories"])
    assert town(["memory", str(here), "ada", "--query", "bread and ovens", "-n", "4", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert len(found["chosen"]) == 4
    assert found["left_out"]
    totals = [scored["total"] for scored in (*found["chosen"], *found["left_out"])]
    assert totals == sorted(totals, reverse=True)
    assert all(abs(s["total"] - s["recency"] - s["importance"] - s["relevance"]) < 1e-6 for s in found["chosen"])
    assert town(["memory", "--query", "Ada Brook kneads dough", "-n", "3", "--json"]) == 0
    hits = json.loads(capsys.readouterr().out)["hits"]
    assert len(hits) == 3
    assert "Ada Brook" in {hit["resident"] for hit in hits}
    assert town(["memory", "ada", "--at", "00:00"]) == 0
    assert "known from the start" in capsys.readouterr().out
    assert town(["memory"]) == 2


def test_why_by_an_id_from_the_log(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert town(["log", "-r", "ada", "--json"]) == 0
    acts = [entry for entry in json.loads(capsys.readouterr().out) if entry["kind"] == "act"]
    for act in acts:
        assert town(["why", act["id"]]) == 0
        assert act["text"] in capsys.readouterr().out
    assert town(["why", acts[-1]["id"], "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["id"] == acts[-1]["id"]
    assert town(["why", "Ada Brook/7/7"]) == 2
    assert town(["why", f"Ada Brook/{10**30}/0"]) == 2
    assert town(["why"]) == 2


def test_check_names_file_line_and_hint(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hamlet = ROOT / "scenarios" / "hamlet.yaml"
    assert town(["check", str(hamlet)]) == 0
    assert "Checked: 1. Problems: 0." in capsys.readouterr().out
    broken = tmp_path / "broken.yaml"
    broken.write_text(hamlet.read_text(encoding="utf-8").replace("title:", "tittle:"), encoding="utf-8")
    assert town(["check", str(broken), str(tmp_path / "none.yaml")]) == 2
    err = capsys.readouterr().err
    assert re.search(r"broken\.yaml:\d+: .*tittle", err)
    assert "none.yaml: there is no such file" in err
    assert town(["check", str(broken), "--json"]) == 2
    assert set(json.loads(capsys.readouterr().out)["problems"][0]) == {"file", "line", "what", "hint"}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["run", "valentin"], "did you mean 'valentine'"),
        (["run", "hamlet", "--model", "oflline"], "did you mean offline"),
        (["run", "hamlet", "--mind", "generativ"], "did you mean 'generative'"),
        (["run", "hamlet", "--until", "noon"], "'noon' is not a time"),
        (["run", "hamlet", "--days", "0"], "is not after"),
        (["run", "hamlet", "--model-for", "sey=offline"], "there is no operation 'sey'"),
        (["run", "hamlet", "--model-for", "say"], "assigns no model"),
        (["run", "hamlet", "--out", "/proc/nowhere/a.town"], "can't be made"),
        (["log", "/etc/hostname"], "not a run file"),
        (["log", "nothing.town"], "no such run file"),
        (["lgo"], "No such command 'lgo'"),
        (["run", "--dyas", "1"], "No such option"),
    ],
)
def test_mistakes_are_one_sentence(
    arguments: list[str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert town(arguments) == 2
    err = capsys.readouterr().err
    assert sentence in err
    assert "Traceback" not in err
    assert not list(tmp_path.glob("runs/*"))


def test_ctrl_c_saves_and_says_how_to_go_on(tmp_path: Path) -> None:
    out = tmp_path / "long.town"
    command = [sys.executable, "-m", "cli.main", "run", "hamlet", "--days", "30", "--json", "--out", str(out)]
    living = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
    bound = time.monotonic() + 60
    while time.monotonic() < bound and not (out.exists() and _committed(out) > 0):
        time.sleep(0.02)
    living.send_signal(signal.SIGINT)
    printed, complaint = living.communicate(timeout=60)
    figures = json.loads(printed)
    assert living.returncode == 130
    assert figures["interrupted"] is True
    assert 0 < figures["steps"] < 30 * 8640
    assert f"town resume {out}" in complaint
    assert complaint.index("Ctrl-C again") < complaint.index("town resume")  # said at once: an answer may take its time
    assert "Traceback" not in complaint


def test_a_folder_with_a_whole_town_is_checked_file_by_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "mine"
    assert town(["new", str(folder), "--residents", "3"]) == 0
    assert town(["check", str(folder)]) == 0
    assert "Problems: 0." in capsys.readouterr().out
    broken = folder / "map.yaml"
    broken.write_text(broken.read_text(encoding="utf-8").replace("sectors:", "sektors:"), encoding="utf-8")
    assert town(["check", str(folder)]) == 2
    assert "map.yaml" in capsys.readouterr().err


def test_a_file_with_flipped_bytes_is_one_sentence(lived: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "flipped.town"
    shutil.copy(next((lived / "runs").glob("*.town")), path)
    with closing(sqlite3.connect(path)) as run, run:
        file, text = run.execute("SELECT file, text FROM wording LIMIT 1").fetchone()
        middle = len(text) // 2
        run.execute("UPDATE wording SET text = ? WHERE file = ?", (text[:middle] + bytes(8) + text[middle + 8 :], file))
    assert town(["resume", str(path), "--days", "0.1", "--quiet"]) == 2
    assert capsys.readouterr().err == f"town: {path}: the file is damaged: a text in it can't be unpacked (use a copy)\n"


def _committed(path: Path) -> int:
    from kernel import RunFileError
    from simulation.storing.runfile import RunFile

    try:
        with RunFile.open(path) as run:
            return run.committed
    except RunFileError:
        return 0


def _commands(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    yield words, command
    for name, below in getattr(command, "commands", {}).items():
        yield from _commands(below, (*words, name))


def test_every_command_has_its_help_whole(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """A bracket in a help text is markup to the library that prints it: swallowed, or an error."""
    words_of = re.compile(r"\w+").findall
    monkeypatch.setenv("COLUMNS", "200")  # no word is broken
    found = list(_commands(get_command(app)))
    assert len(found) > 40
    for words, command in found:
        assert town([*words, "--help"]) == 0, words
        printed = set(words_of(capsys.readouterr().out))
        for option in command.params:
            if option.help and not option.hidden:
                assert set(words_of(option.help)) <= printed, (words, option.name)


def test_help_is_quick_and_loads_nothing_heavy() -> None:
    heavy = ("numpy", "pydantic", "scipy", "faiss", "openai", "matplotlib", "networkx", "wordllama")
    code = f"import sys, cli.main; cli.main.run(['--help']); print([name for name in {heavy} if name in sys.modules])"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert out.stdout.splitlines()[-1] == "[]"
