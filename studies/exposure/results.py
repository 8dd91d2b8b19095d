"""What the exposure study found: obligations by selector, with intervals over runs, and what was shown for them.

    Measured                one complete run in figures
    measure(path)           reads it
    results(...)            everything, as `--json` prints it

Nested rows (decisions, residents) are never samples: every interval is over runs. Rates have Wilson's interval, paired
differences to the first selector (same seed) a t interval and an exact sign-flip p; no difference is a row like any other.
Retention (a failed act was shown) is counted apart from use (something done or said rests on one).
"""

from __future__ import annotations

import itertools
import json
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kernel import RunFileError
from memory import failed_act
from simulation.measures import Reading, evidence, exposure_counts, score
from simulation.storing.digest import run_digest
from simulation.storing.runfile import RunFile
from studies.exposure.living import ARMS, Life, Plan, launches
from studies.intervals import paired, wilson

OUTCOMES = ("met", "talks", "bytes", "tokens", "shown_failed", "used_failed")
"""Figures of a run that are compared pairwise. `met` counts obligations."""


@dataclass(frozen=True, slots=True)
class Measured:
    """`owed` verdict by obligation; `shown_failed` decisions at which one's own failed act was shown, `used_failed` acts
    and utterances that rest on one; `hour` in steps; `acts` (step, resident, text) tells where two lives part."""

    arm: str
    seed: int
    evidence: str
    digest: str
    owed: dict[str, str]
    met: int
    talks: int
    decisions: int
    bytes: int
    tokens: int
    most_bytes: int
    most_shown: int
    failed_acts: int
    shown_failed: int
    used_failed: int
    hour: int
    acts: tuple[tuple[int, str, str], ...]


def measure(life: Life) -> Measured:
    """A complete run in figures. Raises RunFileError for one that is damaged or isn't complete."""
    with RunFile.open(Path(life.path)) as run:
        if run.committed < int(run.get("planned")):
            raise RunFileError("the run isn't complete", place=life.path)
        reading = Reading(run)
        shown = exposure_counts(run)
        failed = {str(one.id) for records in reading.memories.values() for one in records if failed_act(one)}
        owed: dict[str, str] = {one.name: one.verdict for one in score(run.rows, run.meta())}
        exposed = run.rows("SELECT shown FROM exposures WHERE step < ?", (run.committed,))
        reasons = run.rows("SELECT records FROM acts") + run.rows("SELECT rests_on FROM utterances")
        return Measured(
            arm=life.arm, seed=life.seed, evidence=evidence(reading), digest=run_digest(run), owed=owed,
            met=list(owed.values()).count("met"),
            talks=run.rows("SELECT COUNT(DISTINCT id) FROM conversations WHERE step < ?", (run.committed,))[0][0],
            decisions=shown.get("decisions", 0), bytes=shown.get("bytes", 0), tokens=shown.get("tokens", 0),
            most_bytes=shown.get("most_bytes", 0), most_shown=shown.get("most_shown", 0), failed_acts=len(failed),
            shown_failed=sum(not failed.isdisjoint(json.loads(cell)) for (cell,) in exposed),
            used_failed=sum(not failed.isdisjoint(json.loads(cell)) for (cell,) in reasons),
            hour=reading.clock.steps(hours=1),
            acts=tuple(run.rows("SELECT step, resident, text FROM acts ORDER BY step, resident, n")),
        )  # fmt: skip


def results(plan: Plan, lives: Sequence[Life], folder: Path) -> dict[str, Any]:
    """The whole study as data; a run that can't be measured is invalid, with its reason."""
    measured: dict[tuple[str, int], Measured] = {}
    invalid: list[dict[str, Any]] = []
    for life in lives:
        try:
            if life.became == "failed":
                raise RunFileError(life.why)
            measured[life.arm, life.seed] = measure(life)
        except RunFileError as error:
            invalid.append({"arm": life.arm, "seed": life.seed, "why": error.what})
    names = list(next(iter(measured.values())).owed) if measured else []
    labels = {one.evidence for one in measured.values()}
    return {
        "study": "exposure", "evidence": "model" if "model" in labels else "offline", "plan": asdict(plan),
        "unit": "run", "planned": len(lives), "launched": len(launches(folder)), "complete": len(measured), "invalid": invalid,
        "arms": {arm: _arm(plan, [m for m in measured.values() if m.arm == arm], names) for arm in ARMS},
        "differences": {arm: _differences(measured, arm, plan.seeds, names) for arm in ARMS[1:]},
        "runs": [{key: value for key, value in asdict(one).items() if key not in ("acts", "hour")} for one in measured.values()],
    }  # fmt: skip


def _arm(plan: Plan, runs: Sequence[Measured], names: Sequence[str]) -> dict[str, Any]:
    of = len(runs)
    owed = {}
    for name in names:
        verdicts = [one.owed[name] for one in runs]
        met, scored = verdicts.count("met"), len(verdicts) - verdicts.count("invalid")
        owed[name] = {
            "met": met, "missed": verdicts.count("missed"), "invalid": verdicts.count("invalid"),
            "rate": round(met / scored, 4) if scored else None, "interval": wilson(met, scored),
        }  # fmt: skip
    means = {key: round(statistics.fmean(getattr(one, key) for one in runs), 2) if of else None for key in OUTCOMES}
    totals = {key: sum(getattr(one, key) for one in runs) for key in ("decisions", "failed_acts")}
    most = {key: max((getattr(one, key) for one in runs), default=0) for key in ("most_bytes", "most_shown")}
    return {"planned": plan.seeds, "complete": of, "obligations": owed, "mean_per_run": means, **totals, **most}


def _differences(measured: dict[tuple[str, int], Measured], arm: str, seeds: int, names: Sequence[str]) -> dict[str, Any]:
    """Pairs of the same seed: this selector minus the first."""
    pairs = [(measured[arm, s], measured[ARMS[0], s]) for s in range(seeds) if (arm, s) in measured and (ARMS[0], s) in measured]
    found: dict[str, Any] = {
        "pairs": len(pairs), "outcomes": {key: paired([getattr(a, key) - getattr(b, key) for a, b in pairs]) for key in OUTCOMES},
        "obligations": {}, "first_difference": [_parted(a, b) for a, b in pairs],
        "same_life": sum(a.acts == b.acts for a, b in pairs),
    }  # fmt: skip
    for name in names:
        both = [(a.owed[name], b.owed[name]) for a, b in pairs if "invalid" not in (a.owed[name], b.owed[name])]
        found["obligations"][name] = {
            "only_here": both.count(("met", "missed")), "only_there": both.count(("missed", "met")),
            "both": both.count(("met", "met")), "neither": both.count(("missed", "missed")),
        }  # fmt: skip
    return found


def _parted(one: Measured, other: Measured) -> float | None:
    """Game hours up to the first act that isn't the same, None when all are."""
    for mine, theirs in itertools.zip_longest(one.acts, other.acts):
        if mine != theirs:
            return round(min(act[0] for act in (mine, theirs) if act is not None) / one.hour, 2)
    return None
