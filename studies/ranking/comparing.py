"""Everything that is said about conditions from a set of rankings.

    compare(rankings, ...)  -> Comparison   ratings with intervals, win rates, tests, and what could not be used
    Comparison.as_dict()                    as in `results.json`

Tests take one value per unit (a resident of a run, or a run) and condition: its mean rank. Rankings themselves aren't
independent of each other, so testing them would find too much.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studies.ranking.agreement import Agreement, between_raters
from studies.ranking.rankings import Ranking
from studies.ranking.significance import Omnibus, cohens_d, dunn_holm, kruskal_wallis
from studies.ranking.skill import PASS, PASSES, Rating, conditions_of, rated
from studies.ranking.table import Table, Unit, resampled

RESAMPLES = 400
CONFIDENCE = 0.95


@dataclass(frozen=True, slots=True)
class Pair:
    """`win` how often the first is ranked above the second (a tie is half), with an interval; `d` Cohen's d of mean ranks,
    positive when the first is better; `p` of Dunn's test, `holm` after correction over all pairs (None: not testable)."""

    win: float
    low: float
    high: float
    n: int
    d: float | None
    p: float | None
    holm: float | None


@dataclass(frozen=True)
class Comparison:
    """`rankings` that were given; of these `tied` tell nothing apart and `partial` lack a condition; `units` independent
    units; `missing` how many rankings lack each condition."""

    unit: Unit
    ratings: Mapping[str, Rating]
    mean_ranks: Mapping[str, float | None]
    pairs: Mapping[tuple[str, str], Pair]
    omnibus: Omnibus | None
    agreement: Agreement
    rankings: int
    units: int
    raters: int
    tied: int
    partial: int
    missing: Mapping[str, int]

    def order(self) -> list[str]:
        """Conditions by mu (to two digits, ties as they were named), best first; never-ranked ones last."""
        return sorted(self.ratings, key=lambda name: (self.ratings[name].n == 0, -round(self.ratings[name].mu, 2)))

    def as_dict(self) -> dict[str, Any]:
        """{unit, rankings, units, raters, tied, partial, order, conditions, pairs, kruskal_wallis, agreement}."""
        conditions = {
            name: {**rating.as_dict(), "mean_rank": _rounded(self.mean_ranks[name]), "missing": self.missing[name]}
            for name, rating in self.ratings.items()
        }
        pairs = {
            f"{a} > {b}": {
                "win_rate": _rounded(pair.win), "low": _rounded(pair.low), "high": _rounded(pair.high), "n": pair.n,
                "cohens_d": _rounded(pair.d), "dunn_p": pair.p, "holm_p": pair.holm,
            }
            for (a, b), pair in self.pairs.items()
        }  # fmt: skip
        test = self.omnibus and {"H": _rounded(self.omnibus.h), "df": self.omnibus.df, "p": self.omnibus.p, "n": self.omnibus.n}
        return {
            "unit": self.unit, "rankings": self.rankings, "units": self.units, "raters": self.raters, "tied": self.tied,
            "partial": self.partial, "pass": min(PASS, self.rankings), "order": self.order(), "conditions": conditions,
            "pairs": pairs, "kruskal_wallis": test,
            "agreement": {"kendalls_w": _rounded(self.agreement.w), "questions": self.agreement.n, "tied": self.agreement.tied},
        }  # fmt: skip


def compare(
    rankings: Sequence[Ranking],
    conditions: Sequence[str] | None = None,
    *,
    unit: Unit = "resident",
    seed: int = 0,
    resamples: int = RESAMPLES,
    confidence: float = CONFIDENCE,
    passes: int = PASSES,
) -> Comparison:
    """Compares conditions (all that appear, unless named). Without any usable ranking every rating is TrueSkill's start."""
    names = list(conditions) if conditions is not None else conditions_of(rankings)
    table = Table.of(rankings, names, unit)
    weights = resampled(table, resamples, seed) if len(rankings) else np.zeros((resamples, 0), dtype=np.int64)
    groups = table.groups()
    present = table.ranks > 0
    several = present.sum(axis=1) > 1
    return Comparison(
        unit=unit,
        ratings=rated(table, weights, confidence, seed, passes),
        mean_ranks={name: _mean(table.shared[:, i]) for i, name in enumerate(names)},
        pairs=_pairs(table, weights, groups, confidence),
        omnibus=kruskal_wallis(groups),
        agreement=between_raters(rankings),
        rankings=len(rankings),
        units=len(table.unit_names),
        raters=len(table.rater_names),
        tied=sum(one.all_tied for one in rankings),
        partial=int((several & ~present.all(axis=1)).sum() + (~several).sum()),
        missing={name: int((~present[:, i]).sum()) for i, name in enumerate(names)},
    )


def _pairs(
    table: Table, weights: NDArray[np.int64], groups: Mapping[str, Sequence[float]], confidence: float
) -> dict[tuple[str, str], Pair]:
    tested = dunn_holm(groups)
    tail = (1 - confidence) / 2 * 100
    found = {}
    for i, a in enumerate(table.conditions):
        for j, b in enumerate(table.conditions[i + 1 :], i + 1):
            first, second = table.ranks[:, i], table.ranks[:, j]
            both = (first > 0) & (second > 0)
            wins = np.where(both, (first < second) + 0.5 * (first == second), 0.0)
            n = int(both.sum())
            totals = weights @ both
            rates = (weights @ wins)[totals > 0] / totals[totals > 0]
            low, high = np.percentile(rates, [tail, 100 - tail]) if len(rates) else (np.nan, np.nan)
            p, holm = tested.get((a, b), (None, None))
            win = float(wins.sum() / n) if n else float("nan")
            found[a, b] = Pair(win, float(low), float(high), n, cohens_d(groups[b], groups[a]), p, holm)
    return found


def _mean(values: NDArray[np.float64]) -> float | None:
    kept = values[~np.isnan(values)]
    return float(kept.mean()) if len(kept) else None


def _rounded(value: float | None) -> float | None:
    return None if value is None or np.isnan(value) else round(value, 4)
