"""Pictures and films from the command line, without a display."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pygame
import pytest
from PIL import Image
from viewer_kit import brightness, copy_of_hamlet, difference, hamlet, press, screen, wait
from viewer_kit import run as go_on

from cli.main import run
from simulation import RunFile, resume
from simulation.interventions import ask_for, wish_leave, wish_visit
from viewer import Source, Subject, Window
from viewer.film import Studio


def test_a_shot_of_the_town_a_place_and_somebody(tmp_path: Path) -> None:
    pictures = []
    for number, more in enumerate(([], ["--place", "bakery", "--at", "12:00"], ["--follow", "ada", "--zoom", "2"])):
        out = tmp_path / f"{number}.png"
        assert run(["shot", str(hamlet()), "--out", str(out), "--size", "640x360", *more]) == 0
        pictures.append(pygame.image.load(str(out)))
        assert pictures[-1].get_size() == (640, 360)
        assert 20 < brightness(pictures[-1]) < 235
    assert difference(pictures[0], pictures[1]) > 8
    assert difference(pictures[1], pictures[2]) > 8


@pytest.mark.parametrize(
    "wrong",
    [
        ["--at", "noonish"],
        ["--at", "2031-01-01 10:00"],
        ["--follow", "nobody at all"],
        ["--place", "moon base"],
        ["--size", "large"],
    ],
)
def test_a_mistake_is_one_sentence(tmp_path: Path, wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["shot", str(hamlet()), "--out", str(tmp_path / "x.png"), *wrong]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "Traceback" not in said


def test_a_picture_that_cannot_be_written_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.png").mkdir()
    assert run(["shot", str(hamlet()), "--out", str(tmp_path / "x.png")]) == 2
    assert "the picture can't be written" in capsys.readouterr().err


def test_a_film_moves(tmp_path: Path) -> None:
    out = tmp_path / "film.gif"
    arguments = ["film", str(hamlet()), "--from", "11:50", "--to", "11:54", "--out", str(out), "--size", "320x180", "--fps", "5"]
    assert run(arguments) == 0
    with Image.open(out) as film:
        assert film.size == (320, 180)
        lasts = 0
        for number in range(getattr(film, "n_frames", 1)):  # equal frames are kept as one that lasts longer
            film.seek(number)
            lasts += film.info["duration"]
        assert number >= 2
        assert lasts == 4000


def test_a_film_needs_length_and_a_known_ending(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = ["film", str(hamlet()), "--from", "11:50"]
    assert run([*base, "--to", "11:40", "--out", str(tmp_path / "a.gif")]) == 2
    assert run([*base, "--to", "11:55", "--out", str(tmp_path / "a.avi")]) == 2
    assert ".gif" in capsys.readouterr().err


@pytest.mark.skipif(find_spec("imageio_ffmpeg") is None, reason="MP4 needs imageio-ffmpeg (extra film)")
def test_an_mp4_is_a_film_of_the_length_and_size_asked_for(tmp_path: Path) -> None:
    import imageio_ffmpeg

    out = tmp_path / "film.mp4"
    arguments = ["film", str(hamlet()), "--from", "11:50", "--to", "11:54", "--out", str(out), "--size", "320x180"]
    assert run([*arguments, "--follow", "ada"]) == 0
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", "-i", str(out), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
    raw = subprocess.run(command, capture_output=True, check=True).stdout
    frames = [raw[start : start + 320 * 180 * 3] for start in range(0, len(raw), 320 * 180 * 3)]
    assert len(frames[-1]) == 320 * 180 * 3
    assert len(frames) == pytest.approx(4 * 24, abs=2)
    bright = [sum(frame[::997]) / len(frame[::997]) for frame in (frames[0], frames[-1])]
    assert all(20 < value < 235 for value in bright)
    assert frames[0] != frames[-1]


def test_without_its_library_an_mp4_says_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    assert run(["film", str(hamlet()), "--from", "11:50", "--to", "11:55", "--out", str(tmp_path / "a.mp4")]) == 2
    assert "imageio-ffmpeg" in capsys.readouterr().err


def test_twenty_seconds_of_gif_are_a_few_megabytes(tmp_path: Path) -> None:
    out = tmp_path / "film.gif"
    assert run(["film", str(hamlet()), "--from", "11:50", "--to", "12:10", "--out", str(out)]) == 0
    with Image.open(out) as film:
        assert film.size == (640, 360)
    assert 100_000 < out.stat().st_size < 5_000_000


def test_f9_saves_what_was_seen_as_a_captioned_film(tmp_path: Path) -> None:
    screen((640, 400))
    window = Window(copy_of_hamlet(tmp_path), (640, 400), at=4260.0)
    window.select("Ada Brook")
    window.following = True
    go_on(window, 10, 0.1)
    press(window, pygame.K_F9)
    wait(window, lambda: window.clips._making is None, 60.0)
    out = next(iter(tmp_path.glob("copy-clip1.*")))
    assert window.overlays._toast[0] == f"Saved {out}"
    assert out.stat().st_size > 20_000
    window.close()


def test_a_film_says_what_it_shows() -> None:
    source = Source(hamlet())
    for subject, words in (
        (Subject(follow="ada"), "Ada Brook"),
        (Subject(place="bakery"), "Bakery"),
        (Subject(centre=(0.0, 0.0)), ""),
        (Subject(direct=True), None),
    ):
        studio = Studio(source, (320, 180), subject)
        studio.frame(4320.0, clock=True)
        said = studio._words(source.at(4320.0))
        assert said if words is None else said.startswith(words)
    source.close()


@pytest.fixture(scope="module")
def visited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The hamlet, where a visitor comes at six in the evening, stays for a while and leaves."""
    path = copy_of_hamlet(tmp_path_factory.mktemp("visited"))
    for kind in ("visit", "leave"):
        with RunFile.open(path) as run:
            wish = wish_visit(run, "Wanda Reed", "a woman in a red coat") if kind == "visit" else wish_leave(run, "Wanda Reed")
        ask_for(path, wish)
        resume(path, days=0.01)
    return path


def test_a_visitor_is_followed_as_residents_are(visited: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = Source(visited)
    came, left = (step for step, _ in source._comings["Wanda Reed"])
    times = [f"{source.clock.at(step):%Y-%m-%d %H:%M}" for step in (came + 6, left + 6)]
    there, followed = tmp_path / "there.png", Studio(source, (320, 180), Subject(follow="wanda"))
    assert run(["shot", str(visited), "--at", times[0], "--follow", "wanda", "--out", str(there), "--size", "640x360"]) == 0
    followed.frame(float(came + 6))
    x, y = source.at(came + 6).bodies["Wanda Reed"].tile
    assert followed.camera.view().tile(160, 90) in ((x, y), (x, y - 1))
    followed.frame(float(came - 600))  # nobody to follow yet: no trouble
    source.close()
    assert run(["shot", str(visited), "--at", times[1], "--follow", "wanda", "--out", str(there)]) == 2
    said = capsys.readouterr().err
    assert said == f"town: Wanda Reed isn't in town then (came: {times[0][:-2]}00)\n"
    film = ["film", str(visited), "--follow", "wanda", "--size", "160x90", "--fps", "2", "--out", str(tmp_path / "film.gif")]
    assert run([*film, "--from", "17:55", "--to", "18:05"]) == 0
    assert run([*film, "--from", "11:00", "--to", "11:05"]) == 2
    assert capsys.readouterr().err.startswith("town: Wanda Reed isn't in town then")


def test_a_window_opens_on_whoever_is_to_be_followed(
    visited: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[Window] = []
    monkeypatch.setattr(Window, "close", lambda self: opened.append(self))
    for part, name in (("wanda", "Wanda Reed"), ("ada", "Ada Brook")):
        assert run(["watch", str(visited), "--frames", "2", "--at", "18:05", "--follow", part, "--size", "640x400"]) == 0
        window = opened.pop()
        assert (window.selected, window.following, window.panels.who) == (name, True, name)
        assert name in window.drawn.stands
        window.source.close()
    assert run(["watch", str(visited), "--frames", "2", "--follow", "zzz"]) == 2
    assert "there is no resident 'zzz'" in capsys.readouterr().err


def test_the_window_opens_and_closes_and_a_bad_file_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["watch", str(hamlet()), "--frames", "3", "--at", "12:00"]) == 0
    bad = tmp_path / "bad.town"
    bad.write_bytes(b"")
    assert run(["watch", str(bad), "--frames", "3"]) == 2
    assert "empty" in capsys.readouterr().err


def test_without_a_display_one_is_told_what_to_do(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    pygame.display.quit()
    monkeypatch.setattr(pygame.display, "get_driver", lambda: "offscreen")
    monkeypatch.setattr(pygame.display, "init", lambda: None)
    monkeypatch.delenv("SDL_VIDEODRIVER")
    assert run(["watch", str(hamlet()), "--frames", "3"]) == 2
    assert "town film" in capsys.readouterr().err
