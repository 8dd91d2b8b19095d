"""The window on a town that is lived out of order: what it shows is what is committed, and what it asks for changes nothing else.

`Held` is a model that is waited for: its answers take a moment, and those to one resident, from a step on, until they are let go.
Meanwhile the others run ahead, and the window has to stand where the slowest stands.
"""

from __future__ import annotations

import asyncio
import itertools
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pygame
import pytest
from viewer_kit import STAND, Living, living_hamlet

from kernel import Dice
from language import OfflineModel
from simulation import RunFile, resume, start
from simulation.compose import read_blueprint
from simulation.interventions import ask_for, wish_event
from simulation.models import Means
from simulation.pace import LEAD

SIZE = (1280, 720)
END = "08:00"
OVEN = "Hamlet : Bakery : bakery : oven"
CAT = "a cat walks in"


class Held(OfflineModel):
    """`hold(step)`: from now on whoever first asks from that step on waits, with all further questions, for `let_go()`.

    asked     the furthest step of which anybody has asked anything
    held      (resident, step) of the question that is held up, None while there is none
    """

    immediate = False

    def __init__(self) -> None:
        self.asked, self.count = -1, 0
        self.held: tuple[str, int] | None = None
        self._from: int | None = None
        self._free = threading.Event()
        self._free.set()

    def hold(self, step: int) -> None:
        self._free.clear()
        self._from = step

    def let_go(self) -> None:
        self._from, self.held = None, None
        self._free.set()

    async def ask(self, request: Any) -> Any:
        who, step = request.key.resident, request.key.step
        self.asked, self.count = max(self.asked, step), self.count + 1
        if self.held is None and self._from is not None and step >= self._from:
            self.held = (who, step)
        if self.held is not None and self.held[0] == who:
            while not self._free.is_set():
                await asyncio.sleep(0.005)
        await asyncio.sleep(Dice(1, who, self.count, "latency").below(3) / 1000)
        return await super().ask(request)


class Watched(Living):
    """A town out of order; after every frame it is looked whether the window shows no more than is committed."""

    model: Held

    def until(self, condition: Any, seconds: float = 20.0) -> None:
        def checked() -> bool:
            self.check()
            return bool(condition())

        super().until(checked, seconds)

    def frames(self, count: int) -> None:
        """So many frames."""
        drawn = itertools.count()
        self.until(lambda: next(drawn) >= count)

    def check(self) -> None:
        """All that the window shows and knows lies before the committed step, as it is in the file by now."""
        source = self.window.source
        shown, known = self.window.playback.step, source.committed
        with RunFile.open(self.path) as run:
            committed = run.committed
        assert shown <= known <= committed
        assert self.window.source.at(shown).step <= committed
        assert all(line.step < committed for line in source.said)
        assert all(happening.step < committed for happening in source.happenings)
        assert all(deeds.steps[-1] < committed for deeds in source._deeds.values() if deeds.steps)
        assert all(walk._segments.steps[-1] < committed for walk in source._walks.values())


@pytest.fixture
def living(tmp_path: Path) -> Iterator[Watched]:
    model = Held()
    more = {"models": {"held": model}, "means": Means(engine="ooo")}
    with living_hamlet(tmp_path / "live.town", SIZE, until=END, model="held", **more) as lived:
        watched = Watched(lived.path, lived.thread, lived.window, lived.results)
        watched.model = model
        try:
            yield watched
        finally:
            model.let_go()
            lived.window = watched.window


def lock_step(folder: Path, step: int, text: str) -> str:
    """The digest of the same run in lock-step: stopped before a step, the same asked for, and lived on."""
    path = folder / "plain.town"
    blueprint = replace(read_blueprint("hamlet", until=END, embedder="hash-64"), model="held", planned=step)
    models, means = {"held": OfflineModel()}, Means(engine="sync")
    start(blueprint, path, models=models, means=means)
    with RunFile.open(path) as run:
        wish = wish_event(run, text, OVEN)
    ask_for(path, wish)
    result = resume(path, until=END, models=models, means=means)
    with RunFile.open(path) as run:
        assert run.rows("SELECT step FROM interventions") == [(step,)]
    return result.digest


def test_while_others_run_ahead_the_window_stands_where_the_slowest_stands(living: Watched) -> None:
    window, model = living.window, living.model
    model.hold(STAND)
    living.press(pygame.K_5)
    living.until(lambda: model.held is not None and model.asked > model.held[1] + 10)
    assert model.held is not None
    _, slowest = model.held
    living.until(lambda: window.source.committed == slowest)
    living.frames(20)
    assert window.source.committed == slowest, "nobody's step counts before everybody has taken it"
    assert window.playback.step == slowest
    assert slowest + 10 < model.asked <= slowest + LEAD, "while somebody watches, nobody is further ahead than that"
    living.until(lambda: window.pacing.waiting() != "")
    assert model.held[0] in window.pacing.waiting()

    living.press(pygame.K_SPACE)
    living.frames(10)
    assert window.source.committed == slowest, "a pause comes when those who are thinking have thought"
    furthest = model.asked
    model.let_go()
    living.until(lambda: living.engine == "paused, paused")
    living.until(lambda: window.source.committed >= furthest)
    stands = window.source.committed
    living.frames(10)
    assert window.source.committed == stands, "paused, the town stands still, and everybody at the same step"


def test_pause_steps_pace_past_and_a_wish_leave_the_life_that_lock_step_has(living: Watched, tmp_path: Path) -> None:
    window = living.window
    living.press(pygame.K_SPACE)
    living.until(lambda: living.engine == "paused, paused")
    assert window.source.committed == STAND
    for more in (1, 2, 3):
        living.press(pygame.K_PERIOD)
        living.until(lambda more=more: window.source.committed == STAND + more)
        living.until(lambda more=more: window.playback.step == STAND + more)
    living.press(pygame.K_4)
    living.press(pygame.K_SPACE)
    living.until(lambda: living.engine == "living, 360")
    living.until(lambda: window.source.committed >= STAND + 40)
    assert window.source.committed - window.playback.step < 30

    strip = window.scrubber.strip
    middle = (strip.x + strip.width // 2, strip.centery)
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=middle, button=1))
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=middle, button=1))
    past = window.playback.step
    assert past < STAND
    assert not window.playback.live
    before = window.source.committed
    living.until(lambda: window.source.committed > before + 10)
    assert past <= window.playback.step < STAND, "the past goes on in the window while the town lives on"
    living.press(pygame.K_l)
    living.until(lambda: window.playback.live and window.playback.step > before)

    living.frames(1)
    window.panels.open_place(OVEN)
    known = window.source.committed
    living.ask("event", CAT)
    living.until(lambda: window.source.events != [])
    (event,) = window.source.events
    assert (event.text, window.source.interventions) == (CAT, [event.step])
    assert event.step >= known
    living.press(pygame.K_5)
    living.until(lambda: window.source.over, 40.0)
    living.thread.join(30)
    assert living.results[0].digest == lock_step(tmp_path, event.step, CAT)


def test_a_wish_asked_for_while_the_slowest_is_waited_for_comes_after_the_furthest(living: Watched, tmp_path: Path) -> None:
    window, model = living.window, living.model
    model.hold(STAND)
    living.press(pygame.K_5)
    living.until(lambda: model.held is not None and model.asked > model.held[1] + 10)
    window.panels.open_place(OVEN)
    living.ask("event", CAT)
    furthest = model.asked
    living.frames(10)
    assert window.source.events == []
    window.playback.seek(1000.0)
    living.until(lambda: window.playback.step > 1001.0)
    model.let_go()
    living.until(lambda: window.source.events != [])
    (event,) = window.source.events
    assert event.step > furthest
    living.until(lambda: window.source.over, 40.0)
    living.thread.join(30)
    assert living.results[0].digest == lock_step(tmp_path, event.step, CAT)
