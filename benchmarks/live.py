"""What a window costs a town that is being lived flat out: interleaved runs with and without one, and the ratio of their medians.

python -m benchmarks.live [SCENARIO] [--days D] [--pairs N] [--seed S]

Each run is a process of its own that lives its first steps, waits until the window (`town watch`, a process too, dummy
driver, following the live edge) has drawn its pictures, and is timed from there to its end. Runs with and without a window
alternate (A B B A A B ...), so that what else the machine does falls on both. Beside each figure stand the engine's own
processor seconds, which other programs hardly touch, and the machine's load.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

GATE = 600
"""Steps lived before the clock starts."""
WARM = 1.5
"""Seconds that pass between a window's being there and the start of the clock."""
BOUND = 600.0
"""Seconds after which a run is given up."""


def engine(path: Path, scenario: str, days: float, seed: int) -> None:
    """The child that lives: says "ready" at the gate, waits for a line, and prints its seconds at the end."""
    from simulation import read_blueprint, start
    from simulation.run import Progress

    began: list[tuple[float, float]] = []

    def report(progress: Progress) -> None:
        if not began and progress.step >= GATE:
            print("ready", flush=True)
            sys.stdin.readline()
            began.append((time.perf_counter(), time.process_time()))

    result = start(read_blueprint(scenario, seed=seed, days=days), path, report=report)
    wall, cpu = time.perf_counter() - began[0][0], time.process_time() - began[0][1]
    print(json.dumps({"wall": wall, "cpu": cpu, "digest": result.digest}), flush=True)


def window(path: Path) -> None:
    """The child that watches, as `town watch` does: says "ready" when the town has been drawn."""
    import pygame

    from viewer import watch

    def tell() -> None:
        while not pygame.display.get_init() or pygame.display.get_caption()[0] in ("", "pygame window"):
            time.sleep(0.05)
        print("ready", flush=True)

    threading.Thread(target=tell, daemon=True).start()
    watch(path)


def lived(folder: Path, watched: bool, scenario: str, days: float, seed: int) -> dict[str, float | str]:
    """One run; `wall` and `cpu` of the engine, `window`: processor seconds of the window meanwhile, `load` before."""
    path = folder / f"live-{time.monotonic_ns()}.town"
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    command = [sys.executable, "-m", "benchmarks.live", "--engine", str(path), scenario, str(days), str(seed)]
    watcher = None
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            if child.stdout.readline().strip() != "ready":
                raise SystemExit("the run ended before the gate: give it more --days")
            if watched:
                env = {**os.environ, "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
                watcher = subprocess.Popen(
                    [sys.executable, "-m", "benchmarks.live", "--window", str(path)], env=env, stdout=subprocess.PIPE
                )
                assert watcher.stdout is not None
                watcher.stdout.readline()
            time.sleep(WARM)
            before = _cpu(watcher)
            child.stdin.write("go\n")
            child.stdin.flush()
            found: dict[str, float | str] = json.loads(child.communicate(timeout=BOUND)[0])
            found["window"] = _cpu(watcher) - before
        finally:
            child.kill()
            if watcher is not None:
                watcher.kill()
                watcher.wait()
    for left in folder.glob(f"{path.name}*"):
        left.unlink()
    return {**found, "load": load}


def _cpu(process: subprocess.Popen[bytes] | None) -> float:
    """Processor seconds of a process so far, where the system tells (Linux)."""
    stat = Path(f"/proc/{process.pid}/stat") if process is not None else None
    if stat is None or not stat.exists():
        return 0.0
    fields = stat.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _option(name: str, default: str) -> str:
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else default


def main() -> None:
    """Prints each run and the ratio of the medians."""
    if "--engine" in sys.argv:
        at = sys.argv.index("--engine")
        engine(Path(sys.argv[at + 1]), sys.argv[at + 2], float(sys.argv[at + 3]), int(sys.argv[at + 4]))
        return
    if "--window" in sys.argv:
        window(Path(sys.argv[sys.argv.index("--window") + 1]))
        return
    scenario = sys.argv[1] if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else "linden"
    days, pairs, seed = float(_option("--days", "0.5")), int(_option("--pairs", "5")), int(_option("--seed", "0"))
    print(f"{scenario}, {days:g} days, {os.cpu_count()} cores")
    print(f"{'':10} {'seconds':>9} {'engine cpu':>11} {'window cpu':>11} {'load':>6}")
    found: dict[bool, list[dict[str, float | str]]] = {False: [], True: []}
    with tempfile.TemporaryDirectory() as folder:
        for pair in range(pairs):
            for watched in (False, True) if pair % 2 == 0 else (True, False):
                one = lived(Path(folder), watched, scenario, days, seed)
                found[watched].append(one)
                name = "watched" if watched else "alone"
                print(f"{name:10} {one['wall']:9.2f} {one['cpu']:11.2f} {one['window']:11.2f} {one['load']:6.2f}", flush=True)
    for what, name in (("wall", "seconds"), ("cpu", "engine cpu")):
        medians = [statistics.median(float(one[what]) for one in found[watched]) for watched in (False, True)]
        print(f"median {name}: {medians[0]:.2f} alone, {medians[1]:.2f} watched, ratio {medians[1] / medians[0]:.3f}")
    digests = {one["digest"] for runs in found.values() for one in runs}
    print("the same digest with and without" if len(digests) == 1 else f"DIFFERENT digests: {digests}")


if __name__ == "__main__":
    main()
