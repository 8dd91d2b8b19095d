"""Time travel: how long a fork takes, and how soon any step of a run is there.

    python -m benchmarks.branching [RUN] [--json]

Without RUN, two days of the default scenario are lived first. Beside the targets of issue 4: forking a two-day run under 1 s,
opening any step in an open process under 200 ms. Prints the slowest of several, wherever one is looked for.

    fork, at the end, half-way, early     seconds, until the new file is closed
    the town at a step                    milliseconds until all bodies, objects and talks of a random step are known
    a mind at a step                      milliseconds until a resident can be asked as of a random step (memories, vectors)
    fork against a copy                   the slowest fork against a plain copy of the file
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from kernel import Dice
from scenarios import default
from simulation.compose import read_blueprint
from simulation.forking import fork
from simulation.models import make_embedder
from simulation.reading.records import read_facts, read_stream
from simulation.run import start
from simulation.storing.library import names
from simulation.storing.runfile import RunFile
from viewer.source import Source

LOOKS = 30
SHARES = {"fork, at the end": 1.0, "fork, half-way": 0.5, "fork, early": 0.2}
TARGETS = {"fork": 1.0, "step": 200.0}


def seconds(action: Callable[[], object]) -> float:
    """How long an action takes."""
    began = time.perf_counter()
    action()
    return time.perf_counter() - began


def measure(path: Path) -> dict[str, float]:
    """Figures of a run."""
    figures: dict[str, float] = {}
    with RunFile.open(path) as run:
        committed, people = run.committed, names(run)
    with tempfile.TemporaryDirectory() as folder:
        for name, share in SHARES.items():
            tries = [Path(folder) / f"{name}-{n}.town" for n in range(3)]
            step = round(committed * share)
            figures[f"{name}, s"] = max(seconds(lambda out=out, step=step: fork(path, step, out)) for out in tries)  # type: ignore[misc]
            for out in tries:
                out.unlink()
        copied = seconds(lambda: shutil.copy(path, Path(folder) / "copy.town"))
    figures["slowest fork against a plain copy"] = max(figures[f"{name}, s"] for name in SHARES) / max(copied, 1e-6)
    steps = [Dice(n, "benchmark", 0, "step").below(committed) for n in range(LOOKS)]
    source = Source(path)
    figures["open the window's source, ms"] = seconds(lambda: source.at(0)) * 1000
    figures["the town at a step, ms"] = max(seconds(lambda step=step: source.at(step)) for step in steps) * 1000  # type: ignore[misc]
    source.close()
    with RunFile.open(path) as run:
        facts, embedder = read_facts(run), make_embedder(run.get("embedder"))

        def mind(n: int) -> None:
            read_stream(run, people[n % len(people)], embedder, facts, steps[n])

        mind(0)
        figures["a mind at a step, ms"] = 1000 * max(seconds(lambda n=n: mind(n)) for n in range(LOOKS))  # type: ignore[misc]
    return figures


def main() -> None:
    """Prints the figures, as JSON with --json."""
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(words[0]) if words else Path(folder) / "two-days.town"
        if not words:
            start(read_blueprint(default(), days=2), path)
        figures = measure(path)
    if "--json" in sys.argv[1:]:
        print(json.dumps(figures, sort_keys=True))
        return
    for name, value in figures.items():
        target = f"   (target: under {TARGETS['fork']:g} s)" if name.startswith("fork") else ""
        target = f"   (target: under {TARGETS['step']:g} ms)" if name.endswith("at a step, ms") else target
        print(f"{name:36} {value:>9,.3f}{target}")


if __name__ == "__main__":
    main()
