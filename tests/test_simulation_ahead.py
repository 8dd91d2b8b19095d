"""Whole runs out of order: the digest is that of lock-step, whatever answers take how long; also killed and resumed."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kernel import Dice
from language import OfflineModel
from simulation import RunFile, resume, run_digest, start
from simulation.compose import read_blueprint
from simulation.interventions import ask_for, wish_event
from simulation.models import Means


class Tardy(OfflineModel):
    """The offline model, but answers take some turns of the event loop, by dice; `fails` at its n-th call."""

    immediate = False

    def __init__(self, seed: int, fails: int | None = None) -> None:
        self.seed, self.asked, self.fails = seed, 0, fails

    async def ask(self, request: Any) -> Any:
        self.asked += 1
        if self.asked == self.fails:
            raise KeyboardInterrupt
        for _ in range(Dice(self.seed, "anybody", self.asked, "latency").below(8) ** 2):
            await asyncio.sleep(0)
        return await super().ask(request)


@pytest.fixture
def lived(tmp_path: Path) -> Any:
    count = 0

    def live(engine: Any, model: Any, days: float = 0.4) -> Any:
        nonlocal count
        count += 1
        blueprint = replace(read_blueprint("hamlet", seed=3, days=days), model="tardy")
        return start(blueprint, tmp_path / f"{count}.town", models={"tardy": model}, means=Means(engine=engine))

    return live


def test_the_digest_is_that_of_lock_step(lived: Any) -> None:
    plain = lived("sync", Tardy(0))
    assert lived("sync", OfflineModel()).digest == plain.digest  # thoughts that aren't waited for, one after another
    for seed in (1, 2):
        ahead = lived("ooo", Tardy(seed))
        assert (ahead.digest, ahead.calls, ahead.steps) == (plain.digest, plain.calls, plain.steps)


def test_killed_in_the_middle_it_resumes_to_the_same_life(lived: Any) -> None:
    plain = lived("sync", Tardy(0))
    for fails in (40, 150, 201):
        stopped = lived("ooo", Tardy(4, fails=fails))
        assert stopped.interrupted
        assert stopped.steps < plain.steps
        path = Path(stopped.run)
        went_on = resume(path, models={"tardy": Tardy(5)}, means=Means(engine="ooo"))
        assert (went_on.digest, went_on.steps) == (plain.digest, plain.steps)


def test_a_wish_takes_effect_at_a_step_nobody_had_begun(lived: Any, tmp_path: Path) -> None:
    class Asking(Tardy):
        async def ask(self, request: Any) -> Any:
            if self.asked == 100:
                path = tmp_path / "1.town"
                with RunFile.open(path) as run:
                    wish = wish_event(run, "a balloon comes down", "green", 30)
                ask_for(path, wish)
            return await super().ask(request)

    wished = lived("ooo", Asking(6))
    with RunFile.open(Path(wished.run)) as run:
        ((step, outcome),) = run.rows("SELECT step, outcome FROM interventions")
        assert outcome == ""
        assert 0 < step < wished.steps
        began = run.rows("SELECT step FROM events WHERE text = 'a balloon comes down'")
        assert began == [(step,)]
        assert run_digest(run) == wished.digest
