"""Tests between conditions, by libraries; here only what to hand them, and what to say when there is nothing to test.

kruskal_wallis(groups)      scipy; do the groups differ at all?
dunn_holm(groups)           scikit-posthocs, corrected by statsmodels; which pairs do? (Dunn 1964; Holm 1979)
cohens_d(a, b)              by how much, in pooled standard deviations (Cohen 1988)
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kernel import UsageError

Groups = Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True)
class Omnibus:
    """H with its degrees of freedom and p; `n` observations in all. All equal: H = 0, p = 1."""

    h: float
    df: int
    p: float
    n: int


def kruskal_wallis(groups: Groups) -> Omnibus | None:
    """None with fewer than two groups that hold anything, or fewer than three observations."""
    from scipy.stats import kruskal

    filled = [list(values) for values in groups.values() if len(values)]
    n = sum(len(values) for values in filled)
    if len(filled) < 2 or n < 3:
        return None
    if len({value for values in filled for value in values}) == 1:
        return Omnibus(0.0, len(filled) - 1, 1.0, n)
    found = kruskal(*filled)
    return Omnibus(float(found.statistic), len(filled) - 1, float(found.pvalue), n)


def dunn_holm(groups: Groups) -> dict[tuple[str, str], tuple[float, float]]:
    """(p, p after Holm-Bonferroni) of every pair of groups that hold anything, in their order."""
    need_statistics()
    from scikit_posthocs import posthoc_dunn
    from statsmodels.stats.multitest import multipletests

    filled = {name: list(values) for name, values in groups.items() if len(values)}
    names = list(filled)
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    if not pairs:
        return {}
    if len({value for values in filled.values() for value in values}) == 1:
        return dict.fromkeys(pairs, (1.0, 1.0))
    table = posthoc_dunn(list(filled.values())).to_numpy()
    single = [float(table[names.index(a), names.index(b)]) for a, b in pairs]
    corrected = multipletests(single, method="holm")[1]
    return {pair: (p, float(after)) for pair, p, after in zip(pairs, single, corrected, strict=True)}


def cohens_d(a: Sequence[float], b: Sequence[float]) -> float | None:
    """(mean of a - mean of b) / pooled standard deviation; None when that isn't defined (too few, or no spread)."""
    if len(a) < 2 or len(b) < 2:
        return None
    mean_a, mean_b = math.fsum(a) / len(a), math.fsum(b) / len(b)
    squares = math.fsum((x - mean_a) ** 2 for x in a) + math.fsum((x - mean_b) ** 2 for x in b)
    pooled = math.sqrt(squares / (len(a) + len(b) - 2))
    return None if pooled < 1e-12 else (mean_a - mean_b) / pooled


def need_statistics() -> None:
    """Raises UsageError when the libraries of the extra `studies` aren't installed, before any work is done."""
    from importlib.util import find_spec

    missing = [name for name in ("scikit_posthocs", "statsmodels") if find_spec(name) is None]
    if missing:
        raise UsageError(f"studies need the library {missing[0]}", hint="pip install 'townfolk[studies]'")
