"""`town run --watch` and `--show`: a window beside the run where there is a display, a film where there is none."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from PIL import Image
from viewer_kit import hamlet

from cli.main import app
from cli.main import run as town
from kernel import UsageError
from viewer.highlight import best_scene
from viewer.source import Source


def in_a_shell(folder: Path, *arguments: str, screen: bool) -> subprocess.CompletedProcess[str]:
    """The command as a process of its own, with a screen nobody sees or with none."""
    around = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")}
    if screen:
        around["SDL_VIDEODRIVER"] = "dummy"
    command = [sys.executable, "-P", "-m", "cli.main", *arguments]
    return subprocess.run(command, cwd=folder, env=around, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="these always have a display")
def test_without_a_display_one_sentence_and_the_run_goes_on(tmp_path: Path) -> None:
    done = in_a_shell(tmp_path, "run", "hamlet", "--days", "0.3", "--watch", "--mind", "clockwork", screen=False)
    assert done.returncode == 0
    assert done.stderr == "There is no display to open a window on; the run goes on, and town film and town shot draw it.\n"
    assert "5 residents lived 0.3 days" in done.stdout


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="these always have a display")
def test_shown_without_a_display_it_tells_the_story_and_makes_a_film(tmp_path: Path) -> None:
    done = in_a_shell(tmp_path, "run", "hamlet", "--days", "0.42", "--show", screen=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "First up was Ada Brook" in done.stdout
    found = re.search(r"^Film \((.+), Fri 2023-06-02 \d\d:\d\d\): (runs/hamlet-seed0-1.gif)$", done.stdout, flags=re.M)
    assert found is not None
    film = tmp_path / found[2]
    assert 50_000 < film.stat().st_size < 3_000_000
    with Image.open(film) as opened:
        assert opened.size[0] >= 480
        assert getattr(opened, "n_frames", 1) > 30


def test_a_window_beside_the_run_may_be_closed_and_the_run_goes_on(tmp_path: Path) -> None:
    done = in_a_shell(
        tmp_path, "run", "hamlet", "--days", "0.4", "--watch", "--out", "watched.town", "--frames", "20", screen=True
    )
    assert done.returncode == 0
    closed = "The window is closed; the run goes on, flat out. Open it again with: town watch watched.town\n"
    assert done.stderr == closed
    figures = re.search(r"5 residents lived 0.4 days in ([\d.]+) s", done.stdout)
    assert figures is not None
    assert float(figures[1]) < 60, "at one game minute a second it would have taken two minutes"


def test_what_never_begins_opens_no_window(tmp_path: Path) -> None:
    done = in_a_shell(tmp_path, "run", "hamlet", "--watch", "--out", str(hamlet()), screen=True)
    assert done.returncode == 2
    assert "the file exists already" in done.stderr
    assert "window" not in done.stderr


def test_the_best_scene_is_where_people_talk(tmp_path: Path) -> None:
    source = Source(hamlet())
    scene = best_scene(source, 120)
    there = [
        line
        for line in source.said
        if scene.start <= line.step < scene.end and source.talks[line.talk].place.startswith(scene.place)
    ]
    assert scene.end - scene.start == 120
    assert len(there) >= 6
    source.close()
    night = str(tmp_path / "night.town")
    assert town(["run", "hamlet", "--days", "0.05", "--mind", "clockwork", "--out", night, "--quiet"]) == 0
    with pytest.raises(UsageError, match="nobody has talked yet"):
        best_scene(Source(night), 120)


def test_every_command_and_its_options_are_documented() -> None:
    table = (Path(__file__).resolve().parent.parent / "docs" / "cli.md").read_text(encoding="utf-8")
    missing = []
    for command in typer.main.get_command(app).commands.values():  # type: ignore[attr-defined]
        rows = [line for line in table.splitlines() if line.startswith(f"| `town {command.name}")]
        shown = [option for option in command.params if option.param_type_name == "option" and not option.hidden]
        wanted = ["", *(max(option.opts, key=len) for option in shown if option.name != "help")]
        missing += [f"{command.name} {word}" for word in wanted if not any(word in row for row in rows)]
    assert not missing


def test_a_window_too_small_and_a_picture_of_no_kind_are_sentences(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "run.town"
    assert town(["run", "hamlet", "--until", "06:00", "--mind", "clockwork", "--quiet", "--out", str(path)]) == 0
    assert town(["watch", str(path), "--size", "200x2000"]) == 2
    assert town(["shot", str(path), "--out", "picture.foo"]) == 2
    said = capsys.readouterr().err.splitlines()
    assert said == [
        "town: 200x2000 pixels are too few (at least 640x400)",
        "town: pictures are written as .png, not as '.foo' (name the file so with --out)",
    ]
