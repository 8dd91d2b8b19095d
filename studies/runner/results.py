"""From what a study found to its figures: `results.json`.

rankings_of(found)       the judge's rankings of the probe (one frozen history per seed)
life_rankings(found)     the same between whole lives, where the study has such arms
results(found)           everything, with stable keys
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from studies.judging.model import judge_figures
from studies.ranking import Ranking, compare, ranks_of, shown_beside
from studies.runner.conducting import Conducted, name_of
from studies.runner.ends import ends_of
from studies.runner.folder import PROBE
from studies.runner.registration import standing
from studies.runner.worker import Row

FEWER = 100
"""Resamples for each category."""
COUNTED = ("to_point", "beside", "unsupported", "contradicted", "right_refusal", "omitted", "empty")


def evidence_of(found: Conducted) -> str:
    """offline, or model: when a model answered or judged (design rule 10)."""
    offline = all(row.get("evidence", "offline") == "offline" for row in answer_rows(found))
    return "offline" if offline and found.study.judge == "grounding" else "model"


def answer_rows(found: Conducted, arm: str = PROBE) -> Iterator[Row]:
    """All answers of an arm in order of seeds, residents and questions, with their `run` and `seed`; the unasked left out."""
    for seed, run in found.runs(arm):
        for who in found.lived[arm, seed].residents:
            for row in found.answers.get(run, {}).get(who, ()):
                if "left" not in row:
                    yield {"run": run, "seed": seed, **row}


def verdict_rows(found: Conducted, arm: str = PROBE) -> Iterator[Row]:
    """All verdicts of an arm in the same order."""
    for seed, run in found.runs(arm):
        for who in found.lived[arm, seed].residents:
            for row in found.verdicts.get(run, {}).get(who, ()):
                yield {"run": run, "seed": seed, **row}


def rankings_of(found: Conducted) -> list[Ranking]:
    """One ranking per question, resident and pass of the judge; passes of a model are raters of their own."""
    judge = found.study.judge
    return [
        Ranking(row["run"], row["resident"], row["category"], row["item"],
                row["by"] if judge == "grounding" else f"{row['by']} {row['pass']}", row["ranks"])
        for row in verdict_rows(found)
        if row["ranks"] and (row["by"] == "grounding") == (judge == "grounding")
    ]  # fmt: skip


def life_rankings(found: Conducted) -> list[Ranking]:
    """Scores of the same question to the same resident in lives lived otherwise, ranked; each life by its own record."""
    scores: dict[tuple[int, str, str, str], dict[str, float]] = {}
    for arm, name in ((PROBE, "full"), *((arm, arm) for arm in found.study.lives)):
        for row in verdict_rows(found, arm):
            one = row.get("details", {}).get(name)
            if one is not None:
                scores.setdefault((row["seed"], row["resident"], row["category"], row["item"]), {})[f"lived {name}"] = one[
                    "score"
                ]
    return [
        Ranking(f"seed{seed}", who, category, item, "grounding", ranks_of(each))
        for (seed, who, category, item), each in scores.items()
    ]


def results(found: Conducted, *, resamples: int = 400) -> dict[str, Any]:
    """See docs/ablation.md. Keys are stable: some may be added, none changes."""
    study = found.study
    evidence = evidence_of(found)
    rankings = rankings_of(found)
    names = study.all_conditions
    whole = compare(rankings, names, resamples=resamples)
    figures = whole.as_dict()
    published = shown_beside(evidence, names)
    return {
        "study": study.name, "title": study.title, "evidence": evidence, "judge": study.judge, "model": study.model,
        "scenario": study.scenario, "standing": standing(found),
        "runs": run_figures(found), "answers": answer_figures(found),
        **{key: figures[key] for key in ("conditions", "order", "pass", "rankings", "units", "raters", "tied", "partial")},
        "tests": {key: figures[key] for key in ("unit", "kruskal_wallis", "pairs", "agreement")},
        "categories": {
            category: _short(compare([r for r in rankings if r.category == category], names, resamples=min(FEWER, resamples),
                                     passes=50).as_dict())
            for category in dict.fromkeys(r.category for r in rankings)
        },
        "residents": _residents(rankings),
        "verdicts": verdict_figures(found), "judging": judge_figures(list(verdict_rows(found))),
        "no_memory_probe": probe_figures(found), "lives": _lives(found, resamples), "ends": ends_of(found),
        "published": None if published is None else {name: list(one) for name, one in published.items()},
    }  # fmt: skip


def run_figures(found: Conducted) -> dict[str, Any]:
    """The denominator: every run the study launched, and what became of it."""
    each = {
        name_of(arm, seed): {"arm": arm, "seed": seed, "became": one.became, "detail": one.detail}
        for (arm, seed), one in sorted(found.lived.items())
    }
    became = Counter("usable" if one["became"] != "failed" else "failed" for one in each.values())
    lost = [{"run": run, "resident": who, "why": why} for run, who, why in sorted(found.failures)]
    return {"launched": len(each), "usable": became["usable"], "failed": became["failed"], "each": each, "lost_jobs": lost}


def answer_figures(found: Conducted) -> dict[str, Any]:
    """How many answers there are, and what was wrong with some; by condition where it matters."""
    rows = list(answer_rows(found))
    left = [
        row for run in found.answers.values() for answers in run.values() for row in answers if "left" in row
    ]  # fmt: skip
    return {
        "answers": len(rows), "not_askable": len(left),
        "empty": dict(Counter(row["condition"] for row in rows if not row["answer"].strip())),
        "fallbacks": dict(Counter(row["condition"] for row in rows if row["fallback"])),
        "claimed_what_nobody_can_know": dict(Counter(r["condition"] for r in rows if r["knows"] and not r["knowable"])),
    }  # fmt: skip


def verdict_figures(found: Conducted) -> dict[str, dict[str, float]]:
    """What the grounding judge counted, by condition: the mean score and counts of claims and answers."""
    total: dict[str, Counter[str]] = {}
    scores: dict[str, list[float]] = {}
    for row in verdict_rows(found):
        for name, one in row.get("details", {}).items():
            scores.setdefault(name, []).append(one["score"])
            total.setdefault(name, Counter()).update({key: int(one[key]) for key in COUNTED})
    return {
        name: {"answers": len(each), "mean_score": round(math.fsum(each) / len(each), 4),
               **{key: total[name][key] for key in COUNTED}}
        for name, each in scores.items()
    }  # fmt: skip


def probe_figures(found: Conducted) -> dict[str, Any] | None:
    """What was known without any memory: answers about people and news under the condition that hides everything.

    None when the study has no such condition. `known` answers told something the record carries: with a real model a sign
    that it has read about the scenario.
    """
    blind = [name for name, condition in found.study.parsed.items() if len(condition.hide) == 4]
    if not blind:
        return None
    told = [
        (row, row["details"][name])
        for row in verdict_rows(found)
        for name in blind
        if row["by"] == "grounding" and row["category"] == "memory" and name in row["details"]
    ]
    known = [row for row, one in told if one["to_point"]]
    return {
        "answers": len(told),
        "known": len(known),
        "items": [f"{row['run']}/{row['resident']}/{row['item']}" for row in known],
    }


def _short(figures: dict[str, Any]) -> dict[str, Any]:
    return {key: figures[key] for key in ("conditions", "order", "kruskal_wallis", "rankings", "tied")}


def _residents(rankings: Sequence[Ranking]) -> dict[str, dict[str, float]]:
    """Mean rank of each condition for each resident, over seeds."""
    from studies.ranking import midranks

    found: dict[str, dict[str, list[float]]] = {}
    for one in rankings:
        for name, rank in midranks(one.ranks).items():
            found.setdefault(one.resident, {}).setdefault(name, []).append(rank)
    return {who: {name: round(math.fsum(x) / len(x), 4) for name, x in each.items()} for who, each in sorted(found.items())}


def _lives(found: Conducted, resamples: int) -> dict[str, Any] | None:
    if not found.study.lives:
        return None
    names = [f"lived {name}" for name in ("full", *found.study.lives)]
    return compare(life_rankings(found), names, unit="run", resamples=resamples).as_dict()
