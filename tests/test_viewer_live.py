"""The window on a town that is being lived: its pace, its single steps, and what becomes of it when the window closes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pygame
import pygame_gui
import pytest
from viewer_kit import copy_of_hamlet, screen

from kernel import RunFileError
from simulation.compose import read_blueprint
from simulation.pace import Pace, told
from simulation.run import Result, start
from simulation.storing.runfile import RunFile
from viewer import Window
from viewer.meddling import Deed

SIZE = (1280, 720)
STAND = 2520
"""Seven in the morning: where the town stands when the window opens."""


OVEN = "Hamlet : Bakery : bakery : oven"


@dataclass
class Living:
    """A town lived in a thread, and a window on it."""

    path: Path
    thread: threading.Thread
    window: Window
    results: list[Result] = field(default_factory=list)

    def until(self, condition: Callable[[], bool], seconds: float = 15.0) -> None:
        surface = pygame.display.get_surface()
        assert surface is not None
        bound = time.monotonic() + seconds
        while not condition():
            assert time.monotonic() < bound, "it doesn't come"
            self.window.advance(0.04)
            self.window.draw(surface, 0.04)
            time.sleep(0.04)

    def press(self, key: int) -> None:
        self.window.handle(pygame.event.Event(pygame.KEYDOWN, key=key, mod=0, unicode="", scancode=0))
        self.window.handle(pygame.event.Event(pygame.KEYUP, key=key, mod=0, scancode=0))

    def ask(self, deed: str, words: str) -> None:
        """Types into the line of the side panel and presses a button below it."""
        side = self.window.panels.side
        assert side is not None
        assert side.line is not None
        side.line.set_text(words)
        self.window.handle(pygame.event.Event(pygame_gui.UI_BUTTON_PRESSED, ui_element=side._deeds[deed]))

    @property
    def engine(self) -> str:
        with RunFile.open(self.path) as run:
            said = told(run)
            return f"{said.doing}, {said.pace.text()}" if said else ""


@pytest.fixture
def living(tmp_path: Path) -> Iterator[Living]:
    path = tmp_path / "live.town"
    results: list[Result] = []
    blueprint = read_blueprint("hamlet", until="10:00", embedder="hash-64")
    thread = threading.Thread(target=lambda: results.append(start(blueprint, path, pace=Pace(0.0, until=STAND))), daemon=True)
    thread.start()
    _wait_for(path)
    screen(SIZE)
    living = Living(path, thread, Window(path, SIZE), results)
    yield living
    living.window.close()
    thread.join(30)
    assert not thread.is_alive()


def _wait_for(path: Path) -> None:
    bound = time.monotonic() + 20
    while time.monotonic() < bound:
        try:
            with RunFile.open(path) as run:
                if run.committed == STAND:
                    return
        except RunFileError:
            pass
        time.sleep(0.02)
    raise AssertionError("the run doesn't begin")


def test_the_town_goes_at_the_pace_chosen_in_the_window_one_step_or_not_at_all(living: Living) -> None:
    window = living.window
    assert window.playback.live
    living.press(pygame.K_SPACE)
    living.until(lambda: living.engine == "paused, paused")
    assert window.source.committed == STAND
    living.press(pygame.K_PERIOD)
    living.until(lambda: window.source.committed == STAND + 1)
    living.until(lambda: window.playback.step == STAND + 1)
    living.until(lambda: window.pacing.words() == "The town is paused")
    living.press(pygame.K_3)
    assert window.pacing.wanted == Pace(0.0), "a pace chosen during a pause waits for its end"
    living.press(pygame.K_SPACE)
    began = time.monotonic()
    living.until(lambda: living.engine == "living, 60")
    living.until(lambda: window.source.committed >= STAND + 13)
    assert 1.0 < time.monotonic() - began < 30.0, "12 steps of 10 seconds at one game minute a second"
    assert window.source.committed - window.playback.step < 4
    living.until(lambda: window.pacing.words() == "The town lives at 60x")
    living.press(pygame.K_5)
    living.until(lambda: window.source.over)
    assert window.source.committed == 3600
    assert window.pacing.wanted is None


def test_looking_at_the_past_leaves_the_town_as_it_is_and_closing_lets_it_go_on(living: Living) -> None:
    window = living.window
    living.press(pygame.K_SPACE)
    living.until(lambda: living.engine == "paused, paused")
    window.playback.seek(1000.0)
    living.press(pygame.K_4)
    living.press(pygame.K_SPACE)
    living.until(lambda: window.playback.step > 1010.0)
    assert (window.pacing.wanted, living.engine) == (Pace(0.0), "paused, paused")
    assert window.source.committed == STAND
    window.close()
    living.thread.join(30)
    assert living.results[0].steps == 3600
    assert not living.results[0].interrupted


def test_a_user_meddles_at_the_edge_and_is_told_when_it_happened(living: Living, monkeypatch: pytest.MonkeyPatch) -> None:
    window = living.window
    said: list[str] = []
    monkeypatch.setattr(window, "tell", said.append)
    living.press(pygame.K_SPACE)
    living.until(lambda: living.engine == "paused, paused")
    window.panels.open_place(OVEN)
    living.ask("object", "burning")
    living.until(lambda: "Since 07:00: burning" in said)
    living.ask("event", "a cat walks in")
    living.until(lambda: "Since 07:00: a cat walks in" in said)
    window.select("Edda Finch")
    living.ask("voice", " ")
    assert said[-1] == "there are no words in it"
    living.ask("voice", "Go and see Ada Brook")
    living.until(lambda: "Since 07:00: Go and see Ada Brook" in said)
    living.press(pygame.K_PERIOD)
    living.until(lambda: window.source.committed == STAND + 1)
    living.until(lambda: window.source.at(STAND + 1).states.get(OVEN) == "burning")
    assert [event.text for event in window.source.events] == ["a cat walks in"]
    window.playback.seek(1000.0)
    window.advance(0.04)
    living.ask("voice", "Stay in bed")
    assert window.question is not None, "the past is as it was: only a fork can be otherwise"
    living.press(pygame.K_ESCAPE)
    assert window.question is None


def test_what_is_asked_of_a_finished_run_waits_for_it_to_live_on(tmp_path: Path) -> None:
    screen(SIZE)
    window = Window(copy_of_hamlet(tmp_path), SIZE)
    window.playback.seek(float(window.source.committed))
    window.select(window.source.names[0])
    window.advance(0.04)
    deed = Deed("voice", window.source.names[0], "Sleep in")
    assert window.meddling.ask(deed) == "Asked for; the town takes it up at its next step"
    bound, words = time.monotonic() + 10, None
    while words is None and time.monotonic() < bound:
        time.sleep(0.02)
        words = window.meddling.message(0.4)
    assert words == "Asked for: it happens when the town lives on (town resume)"
    window.close()
