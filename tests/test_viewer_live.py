"""The window on a town that is being lived: its pace, its single steps, and what becomes of it when the window closes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest
from viewer_kit import STAND, Living, copy_of_hamlet, living_hamlet, screen

from simulation.pace import Pace
from viewer import Window
from viewer.meddling import Deed

SIZE = (1280, 720)
OVEN = "Hamlet : Bakery : bakery : oven"


@pytest.fixture
def living(tmp_path: Path) -> Iterator[Living]:
    with living_hamlet(tmp_path / "live.town", SIZE) as lived:
        yield lived


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
    assert window.source.interventions == [STAND] * 3, "the strip has marks for them"
    window.playback.seek(1000.0)
    window.advance(0.04)
    living.ask("voice", "Stay in bed")
    assert window.question is not None, "the past is as it was: only a fork can be otherwise"
    living.press(pygame.K_ESCAPE)
    assert window.question is None


def test_a_window_closed_and_opened_again_has_lost_nothing(living: Living) -> None:
    window = living.window
    living.press(pygame.K_SPACE)
    living.until(lambda: living.engine == "paused, paused")
    window.panels.open_place(OVEN)
    living.ask("object", "burning")
    living.until(lambda: window.source.run.rows("SELECT step FROM interventions") == [(STAND,)])
    before = [window.source.at(float(step)) for step in (1200, STAND - 10)]
    window.close()
    living.window = window = Window(living.path, SIZE)
    assert [window.source.at(float(step)) for step in (1200, STAND - 10)] == before
    living.until(lambda: window.source.over, 30.0)
    assert window.source.interventions == [STAND]
    assert OVEN in window.source.at(float(STAND + 1)).states


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
