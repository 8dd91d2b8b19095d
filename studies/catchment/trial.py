"""The catchment with a language model: so many complete episodes per selector, every launched one accounted for.

    Plan               what is declared before anything is asked: model, episodes, retries, when to stop
    run_trial(...)     lives and packs the episodes, taking up what is in the folder already
    tabled(...)        per selector: planned, launched, complete, invalid, met, with an interval

The episode is the unit. Who failed is tried again under a name of its own, which says whose place it takes; the failed one
keeps its package and its verdict, invalid. A place is done with a complete episode, or when its retries are used up, and
then it stays empty. After `patience` failures in a row the study stops: what is left is never launched, and counted so.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kernel import BudgetReached, UsageError
from language import LanguageModel
from studies.catchment.choosing import choose_episode
from studies.catchment.records import SELECTORS, SelectorName
from studies.intervals import wilson
from studies.packages.episode import episode_files
from studies.packages.sealing import RECEIPT, seal
from studies.packages.verifying import Finding, verify
from studies.wording import say

WORDS = "obligation"
STUDY = "obligation-model"
PLAN = "plan.json"


@dataclass(frozen=True, slots=True)
class Plan:
    """Declared in advance. `retries` per place; `patience` failures in a row end the study."""

    model: str
    episodes: int = 10
    retries: int = 1
    patience: int = 3
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Launched:
    """One launched episode: the place it was for, which try it was, what its package verifies to."""

    name: str
    selector: SelectorName
    place: int
    attempt: int
    finding: Finding
    tokens_in: int
    tokens_out: int
    bytes_shown: int
    why: str = ""

    @property
    def verdict(self) -> str:
        """As verified, never as claimed."""
        return self.finding.judgement.verdict


@dataclass(frozen=True, slots=True)
class Trial:
    """All that was launched; `stopped` why it ended early, "" when it ran to its plan."""

    plan: Plan
    launched: tuple[Launched, ...]
    stopped: str = ""


def model_of(spec: str, budget: str | None = None) -> LanguageModel:
    """The provider to be asked. Raises UsageError for the offline one, which has no answer to this question."""
    from language.budget import Budget
    from simulation.models import OFFLINE, make_model, read_means

    if spec == OFFLINE:
        raise UsageError(say(WORDS, "trial.offline"), hint=say(WORDS, "trial.offline_hint"))
    return make_model(spec, budget=Budget(read_means(budget, None, None).limits))


def run_trial(plan: Plan, model: LanguageModel, folder: Path, report: Callable[[Launched], None] | None = None) -> Trial:
    """Runs (or goes on with) a trial. Raises UsageError when the folder holds one that was planned otherwise."""
    _declare(plan, folder)
    return asyncio.run(_run(plan, model, folder, report))


def _declare(plan: Plan, folder: Path) -> None:
    """Writes the plan down before the first question."""
    path = folder / PLAN
    if path.exists():
        try:
            there = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            there = None
        if there != asdict(plan):
            raise UsageError("another trial was begun here", place=str(path), hint="choose another --out, or its own settings")
        return
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(asdict(plan), indent=1) + "\n", encoding="utf-8")


async def _run(plan: Plan, model: LanguageModel, folder: Path, report: Callable[[Launched], None] | None) -> Trial:
    launched: list[Launched] = []
    in_a_row = 0
    try:
        for place in range(plan.episodes):
            for selector in SELECTORS:  # in turn, so that whatever drifts in a provider meets both alike
                for attempt in range(plan.retries + 1):
                    one = await _launch(plan, model, folder, selector, place, attempt)
                    launched.append(one)
                    if report is not None:
                        report(one)
                    in_a_row = in_a_row + 1 if one.verdict == "invalid" else 0
                    if in_a_row >= plan.patience:
                        return Trial(plan, tuple(launched), "patience")
                    if one.verdict != "invalid":
                        break
    except BudgetReached:
        return Trial(plan, tuple(launched), "budget")
    finally:
        await model.close()
    return Trial(plan, tuple(launched))


def _name(selector: SelectorName, place: int, attempt: int) -> str:
    return f"model-{selector}-{place:03d}" + (f"-retry{attempt}" if attempt else "")


async def _launch(plan: Plan, model: LanguageModel, folder: Path, selector: SelectorName, place: int, attempt: int) -> Launched:
    """An episode, or the package of it that is there already."""
    name = _name(selector, place, attempt)
    package = folder / "packages" / name
    if not (package / RECEIPT).is_file():
        episode = await choose_episode(name, model, selector, seed=plan.seed + place)
        lineage = {"study": STUDY, "place": place, "attempt": attempt}
        if attempt:
            lineage["retries"] = _name(selector, place, attempt - 1)
        _emptied(package)
        seal(package, episode_files(episode, evidence="model", lineage=lineage))
    return _read(package, name, selector, place, attempt)


def _emptied(package: Path) -> None:
    """A package whose writing was broken off has no receipt: it was never evidence."""
    if package.is_dir():
        for file in package.iterdir():
            file.unlink()


def _read(package: Path, name: str, selector: SelectorName, place: int, attempt: int) -> Launched:
    finding = verify(package)
    attempts = _lines(package / "attempts.jsonl") if finding.sealed else []
    return Launched(
        name, selector, place, attempt, finding, sum(row["tokens_in"] for row in attempts),
        sum(row["tokens_out"] for row in attempts),
        sum(row["memory_bytes"] for row in _lines(package / "requests.jsonl")) if finding.sealed else 0,
        json.loads((package / "final.json").read_text())["failure"] if finding.sealed else "changed",
    )  # fmt: skip


def _lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def tabled(trial: Trial) -> dict[str, dict[str, Any]]:
    """Per selector; `rate` and `interval` (Wilson, 95 %) over complete episodes, `rate_of_planned` with every place that
    has none counted as not met."""
    return {selector: _row(trial, [one for one in trial.launched if one.selector == selector]) for selector in SELECTORS}


def _row(trial: Trial, launched: Sequence[Launched]) -> dict[str, Any]:
    counts = {verdict: sum(one.verdict == verdict for one in launched) for verdict in ("met", "missed", "invalid")}
    complete, planned = counts["met"] + counts["missed"], trial.plan.episodes
    return {
        "planned": planned, "launched": len(launched), "retried": sum(one.attempt > 0 for one in launched),
        "complete": complete, **counts, "places_empty": planned - complete,
        "rate": round(counts["met"] / complete, 4) if complete else None, "interval": wilson(counts["met"], complete),
        "rate_of_planned": round(counts["met"] / planned, 4), "tokens_in": sum(one.tokens_in for one in launched),
        "tokens_out": sum(one.tokens_out for one in launched), "bytes_shown": sum(one.bytes_shown for one in launched),
    }  # fmt: skip


def trial_data(trial: Trial) -> dict[str, Any]:
    """The trial as `--json` prints it: the plan, the table, and every launched episode with its verdict and reason."""
    episodes: Mapping[str, dict[str, Any]] = {
        one.name: {
            "selector": one.selector, "place": one.place, "attempt": one.attempt, "verdict": one.verdict, "why": one.why,
            "final_reserve": one.finding.judgement.facts.get("final_reserve"), "digest": one.finding.digest,
        }
        for one in trial.launched
    }  # fmt: skip
    return {
        "evidence": "model", "study": STUDY, "plan": asdict(trial.plan), "stopped": trial.stopped,
        "selectors": tabled(trial), "episodes": dict(episodes),
    }  # fmt: skip


def trial_rows(trial: Trial) -> list[list[str]]:
    """The table's rows under `obligation.trial.columns`."""
    found = []
    for selector, row in tabled(trial).items():
        interval = row["interval"]
        rate = say(WORDS, "trial.none")
        if interval is not None:
            rate = say(WORDS, "trial.rate", rate=row["rate"], low=interval[0], high=interval[1])
        counts = say(WORDS, "trial.counts", **row)
        verdicts = [str(row[verdict]) for verdict in ("met", "missed", "invalid")]
        found.append([selector, counts, *verdicts, rate, str(row["bytes_shown"])])
    return found


def trial_notes(trial: Trial) -> list[str]:
    """What the table leaves out: retries, tokens, and why it stopped early."""
    rows = tabled(trial).values()
    totals = {key: sum(row[key] for row in rows) for key in ("retried", "tokens_in", "tokens_out")}
    notes = [say(WORDS, "trial.note", **totals)]
    if trial.stopped:
        why = trial.launched[-1].why if trial.launched else ""
        notes.append(say(WORDS, f"trial.stopped.{trial.stopped}", patience=trial.plan.patience, why=why))
    return notes
