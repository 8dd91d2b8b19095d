"""The window's settings: read, kept, and never in the way."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest
from viewer_kit import hamlet, screen

from cli.main import run
from viewer import Window
from viewer.settings import Settings, read_settings, settings_path, write_settings

SIZE = (1280, 720)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path


def write(text: str) -> Path:
    path = settings_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_the_file_lies_where_settings_lie(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert settings_path() == folder / "townfolk" / "window.yaml"
    monkeypatch.delenv("XDG_CONFIG_HOME")
    monkeypatch.setenv("APPDATA", str(folder / "roaming"))
    monkeypatch.setattr("viewer.settings.sys.platform", "win32")
    assert settings_path() == folder / "roaming" / "townfolk" / "window.yaml"
    monkeypatch.setattr("viewer.settings.sys.platform", "linux")
    monkeypatch.setenv("HOME", str(folder / "home"))
    assert settings_path() == folder / "home" / ".config" / "townfolk" / "window.yaml"


@pytest.mark.parametrize("text", ["", "# nothing yet\n"])
def test_without_words_all_is_as_usual(text: str) -> None:
    assert read_settings() == (Settings(), "")
    write(text)
    assert read_settings() == (Settings(), "")


def test_what_is_set_is_how_the_window_opens() -> None:
    write("size: 1000x640\nzoom: 2\nfont_scale: 1.25\npace: 360\npanel: news\nminimap: false\nprice: [0.15, 0.6]\n")
    settings, trouble = read_settings()
    assert trouble == ""
    screen((1000, 640))
    window = Window(hamlet(), settings.pixels, settings=settings)
    assert (window.size, window.camera.goal_zoom, window.playback.pace) == ((1000, 640), 2.0, 360.0)
    assert window.fonts.scale == pytest.approx(1.25)
    assert (window.panels.mode, window.mapping) == ("news", False)
    assert window._figures().price == (0.15, 0.6)
    window.close()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("size: huge\n", "size"),
        ("zoom: 9\n", "zoom"),
        ("font_scale: [1\n", "YAML"),
        ("colour: red\n", "colour"),
        ("pace: quick\n", "pace"),
        ("- 1\n", "file"),
        ("size: 100x100\n", "640x400"),
    ],
)
def test_a_broken_file_is_one_sentence_and_the_window_opens(text: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(text)
    settings, trouble = read_settings()
    assert settings == Settings()
    assert said in trouble
    assert str(path) in trouble
    assert "\n" not in trouble
    assert run(["watch", str(hamlet()), "--frames", "2", "--at", "12:00"]) == 0
    assert capsys.readouterr().err == f"{trouble}\n"


def test_the_window_keeps_how_it_is() -> None:
    screen(SIZE)
    window = Window(hamlet(), SIZE)
    for key in (pygame.K_m, pygame.K_4, pygame.K_i, pygame.K_F2):
        window.handle(pygame.event.Event(pygame.KEYDOWN, key=key, mod=0, unicode="", scancode=0))
    window.close()
    settings, trouble = read_settings()
    assert trouble == ""
    assert (settings.size, settings.pace, settings.panel, settings.minimap) == ("1280x720", 360.0, "status", False)


def test_settings_that_cannot_be_kept_are_told(folder: Path) -> None:
    (folder / "townfolk").write_text("a file where the folder would be")
    assert "can't be kept" in write_settings(Settings())


def test_flat_out_is_kept_as_a_word() -> None:
    write_settings(Settings(pace="flat out"))
    settings, trouble = read_settings()
    assert trouble == ""
    assert settings.rate == float("inf")
