"""The whole town: seconds, memory and file size of a run, and whether game days get slower.

    python -m benchmarks.town [SCENARIO] [DAYS] [--json]

Each game day is lived in a sitting of its own (as `town resume` does), so that days can be compared within one run.
Prints wall seconds per day, the last day against the first, peak memory, size of the run file before and after packing
(VACUUM), and calls per resident-day.
"""

from __future__ import annotations

import itertools
import json
import sqlite3
import sys
import tempfile
from pathlib import Path

from simulation.compose import read_blueprint
from simulation.run import Result, resume, start


def measure(scenario: str, days: int) -> dict[str, float]:
    """Figures of one run of `days` game days."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "town.town"
        sittings: list[Result] = [start(read_blueprint(scenario, days=1), path)]
        sittings.extend(resume(path, days=1) for _ in range(days - 1))
        size = path.stat().st_size
        with sqlite3.connect(path) as db:
            db.execute("PRAGMA journal_mode = DELETE")
            db.execute("VACUUM")
        db.close()
        packed = path.stat().st_size
    totals = [result.wall_seconds for result in sittings]
    each = [totals[0], *(later - earlier for earlier, later in itertools.pairwise(totals))]
    last = sittings[-1]
    return {
        **{f"seconds, day {n}": seconds for n, seconds in enumerate(each, 1)},
        "last day against the first": each[-1] / each[0],
        "peak memory, MB": last.peak_rss_mb,
        "run file, MB": size / 1e6,
        "run file packed, MB": packed / 1e6,
        "calls per resident-day": last.calls / last.residents / days,
        "fallbacks": last.fallbacks,
    }


def main() -> None:
    """Prints the figures, as JSON with --json."""
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    figures = measure(words[0] if words else "linden", int(words[1]) if len(words) > 1 else 3)
    if "--json" in sys.argv[1:]:
        print(json.dumps(figures, sort_keys=True))
        return
    for name, value in figures.items():
        print(f"{name:32} {value:>10,.2f}")


if __name__ == "__main__":
    main()
