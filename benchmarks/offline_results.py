"""Ten seeds of a scenario on the offline model, held against bands and the paper: writes `docs/offline-results.md`.

    python -m benchmarks.offline_results [SCENARIO] [--seeds N] [--json]

Two runs at once. Every figure is read from the run files by `simulation.measures`; bands are in `benchmarks/bands.yaml`.
The text above and below the table is kept when the page exists: only what is between the two marks is written anew.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from typing import Any

import yaml

from simulation.compose import read_blueprint
from simulation.measures import report_data
from simulation.run import start
from simulation.storing.runfile import RunFile

PAGE = Path(__file__).resolve().parent.parent / "docs" / "offline-results.md"
BEGIN, END = "<!-- table: written by benchmarks/offline_results.py -->", "<!-- end of table -->"


def one(scenario: str, seed: int) -> dict[str, Any]:
    """The report's figures of one seed, with a few derived ones."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{scenario}-{seed}.town"
        result = start(read_blueprint(scenario, seed=seed), path)
        with RunFile.open(path) as run:
            data: dict[str, Any] = dict(report_data(run))
    facts = data["facts"].values()
    heard = sum(fact["known_by"] for fact in facts) - len(facts)
    data["second_hand_share"] = sum(fact["second_hand"] for fact in facts) / heard if heard else 0.0
    data["helpers"] = sum(len(g["helpers"]) for g in data["gatherings"].values())
    answered = data["invitations"]["accepted"] + data["invitations"]["declined"]
    data["declined_share"] = data["invitations"]["declined_with_reason"] / answered if answered else 0.0
    data.update(wall_seconds=result.wall_seconds, calls=result.calls, fallbacks=result.fallbacks, seed=seed)
    return data


def figure(data: dict[str, Any], path: str) -> float:
    """A dotted figure of a report."""
    value: Any = data
    for part in path.split("."):
        value = value[part]
    return float(value)


def table(reports: list[dict[str, Any]], bands: list[dict[str, Any]]) -> str:
    """A Markdown table: mean, range, paper, band, seeds within."""
    lines = [
        "| measure | mean | range | paper | wanted | seeds within | evidence |",
        "|---|---|---|---|---|---|---|",
    ]
    for band in bands:
        values = [figure(report, band["figure"]) for report in reports]
        low, high = band.get("low"), band.get("high")
        wanted, within = "", ""
        if low is not None or high is not None:
            wanted = f"{low}" if low == high else f"{low} to {high}" if None not in (low, high) else f"at least {low}"
            wanted = f"at most {high}" if low is None else wanted
            held = sum((low is None or v >= low - 5e-5) and (high is None or v <= high + 5e-5) for v in values)
            within = f"{held} of {len(values)}"
        lines.append(
            f"| {band['title']} | {fmean(values):.3g} | {min(values):.3g} to {max(values):.3g} | {band.get('paper', '')} "
            f"| {wanted} | {within} | offline |"
        )
    return "\n".join(lines)


def main() -> None:
    """Runs, and writes the page (or prints JSON)."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("scenario", nargs="?", default="valentine")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    scenario, seeds = asked.scenario, asked.seeds
    bands = yaml.safe_load((Path(__file__).parent / "bands.yaml").read_text()).get(scenario, [])
    with ProcessPoolExecutor(max_workers=2, mp_context=get_context("spawn")) as pool:
        reports = list(pool.map(one, [scenario] * seeds, range(seeds)))
    if asked.json:
        print(json.dumps(reports))
        return
    text = table(reports, bands)
    print(text)
    page = PAGE.read_text() if PAGE.exists() else f"{BEGIN}\n{END}\n"
    head, rest = page.split(BEGIN)
    PAGE.write_text(f"{head}{BEGIN}\n\nScenario `{scenario}`, seeds 0-{seeds - 1}.\n\n{text}\n\n{END}{rest.split(END)[1]}")


if __name__ == "__main__":
    main()
