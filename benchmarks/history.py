"""The table over commits: a few figures of the engine, one line per commit in `history.csv`.

    python -m benchmarks.history [--add]     prints the table; with --add measures the present commit and adds its line

Processor seconds, best of three where that is quick; the load is beside them, since other processes cost caches. Virtual figures
(`quiet_ratio`, `quiet_bound`) don't depend on the machine.
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import engine
from benchmarks.ahead import WORKLOADS, measure, overhead, ratios
from simulation.compose import read_blueprint
from simulation.run import start

FILE = Path(__file__).with_name("history.csv")
FIELDS = ("date", "commit", "load", "routine_steps_per_s", "ahead_us_100", "quiet_ratio", "quiet_bound", "hamlet_day_s")


def _hamlet_day() -> float:
    blueprint = read_blueprint("hamlet", seed=1, days=1)
    with tempfile.TemporaryDirectory() as folder:
        began = time.process_time()
        start(blueprint, Path(folder) / "run.town")
        return time.process_time() - began


def line() -> dict[str, str]:
    """The present commit's."""
    quiet = ratios(measure(WORKLOADS["quiet"], 4, 2))
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False, cwd=FILE.parent
    ).stdout.strip()
    return {
        "date": time.strftime("%Y-%m-%d %H:%M"),
        "commit": commit,
        "load": f"{os.getloadavg()[0]:.1f}",
        "routine_steps_per_s": f"{engine.main('the_ville', 1):.0f}",
        "ahead_us_100": f"{overhead((100,))['100 residents']:.1f}",
        "quiet_ratio": f"{quiet['sync/ooo'][0]:.2f}",
        "quiet_bound": f"{quiet['of bound'][0]:.2f}",
        "hamlet_day_s": f"{_hamlet_day():.2f}",
    }


def main() -> None:
    """Prints the table."""
    rows = []
    if FILE.exists():
        with FILE.open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    if "--add" in sys.argv[1:]:
        rows.append(line())
        with FILE.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, FIELDS)
            writer.writeheader()
            writer.writerows(rows)
    print("  ".join(f"{name:>19}" for name in FIELDS))
    for row in rows:
        print("  ".join(f"{row[name]:>19}" for name in FIELDS))


if __name__ == "__main__":
    main()
