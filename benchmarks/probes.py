"""Probes over five seeds: does the town do what a toy wouldn't? Inputs in `tests/probes`, judged from run files.

python -m benchmarks.probes [FOLDER]      the run files are kept in FOLDER and reused; left out: a temporary one
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from probes_kit import PROBES, SEEDS, Found, Lives


def table(lives: Lives) -> str:
    """A Markdown table: probe, seeds that held, one quote (of a seed that held, else of the first)."""
    lines = ["| probe | held | no occasion | what was seen |", "|---|---|---|---|"]
    for name, probe in PROBES.items():
        found: dict[int, Found] = {seed: probe(lives, seed) for seed in SEEDS}
        held = [seed for seed in SEEDS if found[seed].held]
        quote = found[held[0] if held else SEEDS[0]].seen.replace("|", "/")
        idle = sum(not one.occasion for one in found.values())
        lines.append(f"| {name} | {len(held)} of {len(SEEDS)} | {idle or ''} | {quote} |")
        lines.extend(f"| | not {seed} | | {one.seen.replace('|', '/')} |" for seed, one in found.items() if not one.held)
    return "\n".join(lines)


def main() -> None:
    """Prints the table."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp(prefix="probes-"))
    folder.mkdir(parents=True, exist_ok=True)
    print("Evidence: offline. Template speech over real memories; it shows the machinery and says nothing about people.\n")
    print(table(Lives(folder)))


if __name__ == "__main__":
    main()
