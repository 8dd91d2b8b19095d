"""The page about the run: which call it waits for, what it took and what that cost; no sound device is needed for any of it."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest
from viewer_kit import Living, hamlet, living_hamlet, press, run, screen, wait

from language.model import ModelReply, Request
from language.offline import OfflineModel
from simulation.pace import Awaited, awaited
from simulation.storing.runfile import RunFile
from viewer import Window
from viewer.settings import Settings

SIZE = (1280, 720)


class Slow(OfflineModel):
    """The offline model, which takes its time once `slow` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.slow = 0.0

    async def ask(self, request: Request) -> ModelReply:
        await asyncio.sleep(self.slow)
        return await super().ask(request)


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[tuple[Living, Slow]]:
    model = Slow()
    with living_hamlet(tmp_path / "live.town", SIZE, models={"offline": model}) as lived:
        yield lived, model
        model.slow = 0.0


def test_the_call_that_is_waited_for_is_told(slow: tuple[Living, Slow]) -> None:
    living, model = slow
    window = living.window
    window.panels.open_status()
    assert window._figures().waiting == ""
    model.slow = 4.0
    window.go_at(60.0)
    wait(window, lambda: window.pacing.awaited is not None, 30.0)
    found = window.pacing.awaited
    assert isinstance(found, Awaited)
    assert found.resident in window.source.names
    assert found.seconds >= 0.5
    figures = window._figures()
    assert found.operation in figures.waiting
    assert "Waiting for the model" in figures.engine
    model.slow = 0.0
    wait(window, lambda: window.pacing.awaited is None, 30.0)
    with RunFile.open(living.path) as file:
        assert awaited(file) is None


def test_the_figures_are_those_of_the_file() -> None:
    screen(SIZE)
    window = Window(hamlet(), SIZE, settings=Settings(price=(1.0, 2.0)))
    press(window, pygame.K_i)
    run(window, 1)
    assert window.panels.mode == "status"
    figures = window._figures()
    assert figures.pace == "60 game seconds a second"
    assert figures.price == (1.0, 2.0)
    press(window, pygame.K_SPACE)
    assert window._figures().pace == "paused"
    window.close()


def test_no_sound_device_is_needed() -> None:
    assert os.environ["SDL_AUDIODRIVER"] == "dummy"
    assert not pygame.mixer.get_init(), "the window never opens one"
