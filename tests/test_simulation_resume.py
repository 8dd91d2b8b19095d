"""A run killed or stopped at any moment resumes to the same future (design rule 4); the digest of a prefix is a prefix's."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kernel import Dice, RunFileError
from language import ScriptedModel, nonsense
from simulation.compose import Blueprint, read_blueprint
from simulation.run import resume, start
from simulation.storing.digest import run_digest
from simulation.storing.restore import drop_unfinished
from simulation.storing.runfile import RunFile
from simulation.storing.schema import STEPPED

DAYS = 0.5
STEPS = 4320
LIVE = """
import sys
from pathlib import Path
from simulation.compose import read_blueprint
from simulation.run import resume, start
path, mind, days = Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])
if path.exists():
    result = resume(path)
else:
    result = start(read_blueprint("hamlet", mind=mind, days=days, embedder="hash-64"), path)
print(result.digest)
"""


def blueprint(mind: str, **wishes: object) -> Blueprint:
    return read_blueprint("hamlet", mind=mind, embedder="hash-64", **{"days": DAYS, **wishes})  # type: ignore[arg-type]


@pytest.fixture(scope="module", params=["clockwork", "generative"])
def whole(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path, str]:
    """A mind's kind, and an uninterrupted run of it with its digest."""
    path = tmp_path_factory.mktemp("whole") / f"{request.param}.town"
    result = start(blueprint(request.param), path)
    assert (result.steps, result.interrupted) == (STEPS, False)
    return request.param, path, result.digest


def dump(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """All that a run file says of the life lived, to see where two differ."""
    with RunFile.open(path) as run:
        return {t: sorted(run.rows(f"SELECT * FROM {t}"), key=repr) for t in STEPPED if t not in ("checkpoints", "facts")}


def test_the_same_seed_lives_the_same_life(whole: tuple[str, Path, str], tmp_path: Path) -> None:
    mind, path, digest = whole
    again = start(blueprint(mind), tmp_path / "again.town")
    assert dump(tmp_path / "again.town") == dump(path)
    assert again.digest == digest


@pytest.mark.parametrize("n", range(6))
def test_stopped_anywhere_it_resumes_to_the_same_future(whole: tuple[str, Path, str], tmp_path: Path, n: int) -> None:
    mind, path, digest = whole
    at = 1 + Dice(n, mind, 0, "stop").below(STEPS - 1)
    file = tmp_path / "stopped.town"
    clock = blueprint(mind).clock
    stopped = start(blueprint(mind, until=f"{clock.at(at):%Y-%m-%d %H:%M:%S}"), file)
    assert stopped.steps == at
    with RunFile.open(path) as run:
        assert stopped.digest == run_digest(run, at), "a shorter run isn't the prefix of a longer one"
    resumed = resume(file, until="12:00")
    assert dump(file) == dump(path)
    assert resumed.digest == digest


def test_killed_again_and_again_it_resumes_to_the_same_future(whole: tuple[str, Path, str], tmp_path: Path) -> None:
    mind, path, digest = whole
    file = tmp_path / "killed.town"
    for n in range(4):
        at = (n + 1) * STEPS // 6 + Dice(n, mind, 0, "kill").below(STEPS // 8)
        _kill_when_committed(file, mind, at)
    out = subprocess.run([sys.executable, "-c", LIVE, str(file), mind, str(DAYS)], check=True, capture_output=True, text=True)
    assert dump(file) == dump(path)
    assert out.stdout.split()[-1] == digest


def _kill_when_committed(file: Path, mind: str, at: int) -> None:
    """Starts or resumes a life in another process, and kills it once it has committed a step >= at (or has ended)."""
    environment = {**os.environ, "PYTHONHASHSEED": str(at % 1000)}
    living = subprocess.Popen(
        [sys.executable, "-c", LIVE, str(file), mind, str(DAYS)], stdout=subprocess.DEVNULL, env=environment
    )
    bound = time.monotonic() + 60
    try:
        while living.poll() is None and time.monotonic() < bound and _committed(file) < at:
            time.sleep(0.002)
    finally:
        living.send_signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
        living.wait()


def _committed(file: Path) -> int:
    try:
        connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=1)
        found = connection.execute("SELECT value FROM meta WHERE key = 'committed'").fetchone()
        connection.close()
    except sqlite3.Error:
        return -1
    return int(found[0]) if found else -1


def test_rows_of_unfinished_steps_are_dropped_and_calls_kept(whole: tuple[str, Path, str], tmp_path: Path) -> None:
    mind, _, digest = whole
    file = tmp_path / "cut.town"
    start(blueprint(mind, until="06:00"), file)
    with RunFile.open(file, readonly=False) as run:
        run.write("INSERT INTO act_ends VALUES ('Ada Brook', ?, 0, 'Ada Brook/0/0', 'never')", [(run.committed,)])
        run.write("INSERT INTO failures VALUES ('Ada Brook', ?, 0, 'never', '')", [(run.committed + 5,)])
        run.write(
            "INSERT INTO calls VALUES ('Ada Brook', ?, 'say', 7, 'm', 'h', x'', '{}', '', 1, 0, 0, 0, NULL, 0, 0, '{}', NULL)",
            [(run.committed,)],
        )
        drop_unfinished(run)
        assert run.rows("SELECT COUNT(*) FROM act_ends WHERE why = 'never'") == [(0,)]
        assert run.rows("SELECT COUNT(*) FROM failures WHERE error = 'never'") == [(0,)]
        assert run.rows("SELECT COUNT(*) FROM calls WHERE operation = 'say' AND n = 7") == [(1,)]
    assert resume(file, until="12:00").digest == digest


def test_stored_replies_are_used_again_not_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "calls.town"
    first = nonsense(1)
    start(blueprint("generative", model="scripted", until="07:00"), file, models={"scripted": first})
    with RunFile.open(file, readonly=False) as run:  # as if killed an hour before the calls it had paid for
        step = run.rows("SELECT MAX(step) FROM checkpoints WHERE hourly = 1 AND step < ?", (run.committed,))[0][0]
        paid = run.rows("SELECT COUNT(*) FROM calls WHERE step >= ?", (step,))[0][0]
        run.set_meta({"committed": str(step)})
    assert paid > 0

    def refuse(request: object) -> str:
        raise AssertionError(f"asked again: {request}")

    with RunFile.open(file) as run:
        asked = {tuple(row) for row in run.rows("SELECT resident, step, operation, n FROM calls")}
    second = ScriptedModel(lambda request: refuse(request) if tuple(request.key) in asked else "")
    resume(file, until="07:00", models={"scripted": second})
    assert second.requests == []


def test_hash_seed_and_processor_kernel_do_not_matter(tmp_path: Path) -> None:
    digests = set()
    for seed, kernel in (("1", "Haswell"), ("2", "Nehalem")):
        out = subprocess.run(
            [sys.executable, "-c", LIVE, str(tmp_path / f"{seed}.town"), "generative", "0.4"],
            check=True, capture_output=True, text=True, env={**os.environ, "PYTHONHASHSEED": seed, "OPENBLAS_CORETYPE": kernel},
        )  # fmt: skip
        digests.add(out.stdout.split()[-1])
    assert len(digests) == 1


def test_two_processes_cannot_live_one_run(tmp_path: Path) -> None:
    file = tmp_path / "twice.town"
    started = False

    def report(progress: object) -> None:
        nonlocal started
        if not started:
            started = True
            with RunFile.open(file, readonly=False) as other:  # somebody else resumes it meanwhile
                other.write("INSERT OR REPLACE INTO control VALUES ('engine', 'other', NULL)", [()])

    with pytest.raises(RunFileError, match="taken over"):
        start(blueprint("generative"), file, report=report)


def test_a_finished_run_resumes_to_itself_and_goes_on_for_further_days(whole: tuple[str, Path, str], tmp_path: Path) -> None:
    mind, _, digest = whole
    file = tmp_path / "more.town"
    start(blueprint(mind), file)
    assert resume(file).digest == digest
    more = resume(file, days=0.1)
    assert more.steps == STEPS + 864
    assert more.game_days == 0.6
