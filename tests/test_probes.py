"""The town isn't a toy: probes written without knowledge of the code, over seeds, judged from run files (`probes_kit`).

Two of the five seeds are lived here (`TOWN_PROBE_SEEDS=5` for all; `python -m benchmarks.probes` prints the whole table).
"""

import os
from pathlib import Path

import pytest
from probes_kit import PROBES, SEEDS, Lives

TRIED = SEEDS[: int(os.environ.get("TOWN_PROBE_SEEDS", "2"))]
NEEDED = {"an edited aim": 0.6}  # an aim may find no room in a single day
"""Share of the seeds with an occasion in which a probe must hold; 0.8 for all others. One seed must have the occasion."""


GROUPS = {
    "news": [
        "a project is asked after, cited", "news travels second-hand, undistorted", "some shrug, some go", "a third talk",
        "a memory removed",
    ],
    "company": [
        "a retraction: told stay away, untold find out", "a refusal of one's own, the host adapts", "a no-show is asked why",
    ],
    "reflection": ["a reflection changes tomorrow"],
    "persona": ["an edited sentence of the rhythm", "an edited aim"],
    "objects": ["odd states of things", "a fire is put out"],
    "five days": ["something unseeded is arranged and kept"],
}  # fmt: skip
"""Probes that are judged from the same lives, tried by the same test."""


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_probes(group: str, tmp_path: Path) -> None:
    lives = Lives(tmp_path)
    failed = []
    for probe in GROUPS[group]:
        found = {seed: PROBES[probe](lives, seed) for seed in TRIED}
        held = sum(one.held for one in found.values())
        occasions = sum(one.occasion for one in found.values())
        needed = max(1, int(occasions * NEEDED.get(probe, 0.8)))  # 4 of 5; of two seeds, one
        if held < needed:
            told = "".join(f"\n  seed {seed}: {'held' if one.held else 'NOT'}: {one.seen}" for seed, one in found.items())
            failed.append(f"{probe}: held in {held} of {occasions} seeds, {needed} needed{told}")
    assert not failed, "\n".join(failed)


def test_every_probe_is_tried() -> None:
    assert sorted(probe for group in GROUPS.values() for probe in group) == sorted(PROBES)
