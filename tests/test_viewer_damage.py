"""Run files that are empty, half-written, damaged or newer: one sentence, in the window or on the terminal, no traceback."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from viewer_kit import copy_of_hamlet, hamlet, run, screen

from cli.main import run as town
from viewer import Window

SIZE = (1280, 720)


def newer(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()


def half_written(path: Path) -> None:
    """As a run leaves it that was killed before its first step was on file."""
    connection = sqlite3.connect(path)
    connection.execute("DELETE FROM meta")
    connection.commit()
    connection.close()


def without_talk(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("DROP TABLE utterances")
    connection.commit()
    connection.close()


def scribbled(path: Path) -> None:
    """Its middle overwritten, as by a bad disk."""
    data = bytearray(path.read_bytes())
    for start in range(8192, len(data), 8192):
        data[start : start + 600] = b"\xff" * len(data[start : start + 600])
    path.write_bytes(bytes(data))


def make(folder: Path, kind: str) -> Path:
    path = folder / f"{kind}.town"
    if kind == "empty":
        path.write_bytes(b"")
    elif kind == "text":
        path.write_text("dear diary")
    elif kind == "cut":
        path.write_bytes(hamlet().read_bytes()[:150_000])
    elif kind == "head":
        path.write_bytes(hamlet().read_bytes()[:50])
    elif kind == "folder":
        path.mkdir()
    elif kind != "missing":
        copy_of_hamlet(folder).rename(path)
        {"newer": newer, "half": half_written, "table": without_talk, "scribbled": scribbled}[kind](path)
    return path


KINDS = ("empty", "text", "cut", "head", "folder", "missing", "newer", "half", "table", "scribbled")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("command", ["watch", "shot", "film"])
def test_a_bad_file_is_one_sentence_on_the_terminal(
    tmp_path: Path, kind: str, command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("viewer.opening.BEGIN", 0)
    out = {"watch": ["--frames", "2"], "shot": ["--out", str(tmp_path / "a.png")], "film": ["--out", str(tmp_path / "a.gif")]}
    assert town([command, str(make(tmp_path, kind)), *out[command]]) == 2
    said = capsys.readouterr().err
    assert said.startswith("town: ")
    assert said.count("\n") == 1
    assert f"{kind}.town" in said
    assert "(" in said, "with a way out"


def test_a_file_damaged_while_it_is_watched_is_told_in_the_window_which_stays(tmp_path: Path) -> None:
    screen(SIZE)
    path = copy_of_hamlet(tmp_path, committed=3000)
    window = Window(path, SIZE)
    run(window, 2)
    assert window.trouble == ""
    scribbled(path)
    connection = window.source.run.connection
    connection.execute("PRAGMA cache_size = 0")
    connection.execute("PRAGMA shrink_memory")
    window.source._since = -2  # as if something had been committed meanwhile
    run(window, 20, 0.05)
    assert window.trouble.startswith("The run file can't be read any more")
    window.playback.seek(2500.0)
    for tab in ("now", "plan", "memory", "thoughts", "bonds", "known"):
        window.select(window.source.names[0], tab)
        run(window, 2)
    window.panels.open_status()
    run(window, 2)
    assert window.panels.side is not None
    assert window.panels.side._page is not None, "what can't be read is a page of one sentence"
    window.close()
