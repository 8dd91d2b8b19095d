"""Pace (design rule 5): a run is held back while somebody asks for it, and lives the same life at any pace."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kernel import RunFileError
from language.model import ModelReply, Request
from language.offline.model import OfflineModel
from simulation.compose import read_blueprint
from simulation.interventions import ask_for, wish_event
from simulation.pace import FLAT_OUT, Pace, ask_pace, release, told
from simulation.run import Result, resume, start
from simulation.storing.runfile import RunFile


def begin(path: Path, until: str, pace: Pace | None) -> tuple[threading.Thread, list[Result]]:
    """A town lived in a thread."""
    results: list[Result] = []
    blueprint = read_blueprint("hamlet", until=until, embedder="hash-64")
    living = threading.Thread(target=lambda: results.append(start(blueprint, path, pace=pace)), daemon=True)
    living.start()
    return living, results


def wait(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    bound = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < bound, "it doesn't come"
        time.sleep(0.02)


def doing(path: Path) -> tuple[str, str] | None:
    try:
        with RunFile.open(path) as run:
            said = told(run)
            return (said.doing, said.pace.text()) if said else None
    except RunFileError:
        return None


def committed(path: Path) -> int:
    with RunFile.open(path) as run:
        return run.committed


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Result:
    return start(read_blueprint("hamlet", until="09:00", embedder="hash-64"), tmp_path_factory.mktemp("pace") / "free.town")


def test_a_paused_run_stands_still_takes_wishes_up_and_ends_as_any_other(tmp_path: Path, undisturbed: Result) -> None:
    path = tmp_path / "paused.town"
    living, results = begin(path, "09:00", Pace(0.0, until=2520))
    wait(lambda: doing(path) == ("paused", "until 2520"))
    assert committed(path) == 2520
    assert ask_pace(path, Pace(0.0))
    wait(lambda: doing(path) == ("paused", "paused"))
    time.sleep(0.4)
    assert committed(path) == 2520
    assert ask_pace(path, Pace(0.0, until=2521))
    wait(lambda: committed(path) == 2521)
    with RunFile.open(path) as run:
        wished = wish_event(run, "a brass band plays", "green")
    number = ask_for(path, wished)

    def step_given() -> list[tuple[int | None]]:
        with RunFile.open(path) as run:
            return run.rows("SELECT step FROM interventions WHERE id = ?", (number,))

    wait(lambda: step_given() == [(2521,)])
    assert ask_pace(path, Pace(0.0))
    wait(lambda: doing(path) == ("paused", "paused"))
    assert committed(path) == 2521
    assert release(path)
    living.join(30)
    assert results[0].steps == 3240
    assert results[0].digest != undisturbed.digest
    with RunFile.open(path, readonly=False) as run:
        run.set_meta({"committed": "360"})
    assert resume(path, until="09:00").digest == results[0].digest


def test_a_lease_that_ends_lets_the_run_go_on(tmp_path: Path, undisturbed: Result) -> None:
    path = tmp_path / "leased.town"
    living, results = begin(path, "09:00", Pace(0.0, until=2000))
    wait(lambda: doing(path) == ("paused", "until 2000"))
    assert ask_pace(path, Pace(0.0), lease=0.5)
    living.join(30)
    assert (results[0].steps, results[0].digest) == (3240, undisturbed.digest)
    assert doing(path) != ("living", "flat out")


def test_the_night_is_passed_quickly_and_the_morning_at_its_pace(tmp_path: Path, undisturbed: Result) -> None:
    path = tmp_path / "paced.town"
    living, results = begin(path, "09:00", Pace(600.0))
    wait(lambda: doing(path) == ("living", "600") and committed(path) > 360)
    with RunFile.open(path) as run:
        first = run.rows("SELECT MIN(step) FROM acts WHERE asleep = 0")[0][0]
    began, since = time.monotonic(), committed(path)
    assert first - 60 <= since <= first + 120, "it begins when the first gets up"
    wait(lambda: committed(path) >= since + 60)
    assert 0.5 < time.monotonic() - began < 4.0, "60 steps of 10 seconds at 600 game seconds a second"
    assert ask_pace(path, Pace(FLAT_OUT))
    living.join(30)
    assert (results[0].steps, results[0].digest) == (3240, undisturbed.digest)


class Slow:
    """Answers as the offline model does, after a while."""

    name = "slow"

    def __init__(self) -> None:
        self.inner = OfflineModel()
        self.delay = 0.002

    async def ask(self, request: Request) -> ModelReply:
        await asyncio.sleep(self.delay)
        return await self.inner.ask(request)

    async def close(self) -> None:
        pass


def test_a_slow_model_is_waited_for_and_the_pause_comes_at_the_end_of_the_step(tmp_path: Path) -> None:
    path, slow = tmp_path / "slow.town", Slow()
    blueprint = read_blueprint("hamlet", until="23:00", embedder="hash-64", model="slow")
    results: list[Result] = []
    living = threading.Thread(target=lambda: results.append(start(blueprint, path, models={"slow": slow})), daemon=True)
    living.start()
    wait(lambda: path.is_file())
    wait(lambda: ask_pace(path, Pace(FLAT_OUT)))
    wait(lambda: doing(path) == ("living", "flat out"))
    slow.delay = 1.5
    wait(lambda: doing(path) == ("thinking", "flat out"))
    assert ask_pace(path, Pace(0.0), lease=20.0)
    slow.delay = 0.002
    wait(lambda: doing(path) == ("paused", "paused"))
    stood = committed(path)
    time.sleep(0.3)
    assert committed(path) == stood < 8280
    assert release(path)
    living.join(60)
    assert results[0].steps == 8280


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal there")
def test_a_paused_run_is_stopped_by_ctrl_c(tmp_path: Path) -> None:
    path = tmp_path / "stopped.town"
    program = (
        "import sys; from pathlib import Path; from simulation.compose import read_blueprint; from simulation.pace import Pace;"
        "from simulation.run import start;"
        "result = start(read_blueprint('hamlet', embedder='hash-64'), Path(sys.argv[1]), pace=Pace(0.0, until=1000));"
        "print(result.steps, result.exit_code)"
    )
    living = subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, text=True)
    try:
        wait(lambda: path.is_file())
        wait(lambda: doing(path) == ("paused", "until 1000"))
        living.send_signal(signal.SIGINT)
        said, _ = living.communicate(timeout=5)
    finally:
        living.kill()
    assert said == "1000 130\n"


@pytest.mark.parametrize(
    ("text", "pace"),
    [
        ("paused", Pace(0.0)),
        ("flat out", Pace(FLAT_OUT)),
        ("60", Pace(60.0)),
        ("until 360", Pace(0.0, 360)),
    ],
)
def test_a_pace_is_written_as_words(text: str, pace: Pace) -> None:
    assert Pace.read(text) == pace
    assert pace.text() == text


def test_words_that_mean_no_pace_hold_nobody_up(tmp_path: Path) -> None:
    assert [Pace.read(text) for text in ("", "fast", "until then", "flat in", "1 2")] == [None] * 5
    path = tmp_path / "odd.town"
    start(read_blueprint("hamlet", until="07:00", embedder="hash-64"), path)
    with RunFile.open(path, readonly=False) as run:
        run.write("INSERT OR REPLACE INTO control VALUES ('pace', 'fast', ?)", [(time.time() + 60,)])
    assert resume(path, until="07:10").steps == 2580


def test_what_cannot_be_written_is_said_by_no(tmp_path: Path) -> None:
    assert not ask_pace(tmp_path / "nowhere.town", Pace(0.0))
