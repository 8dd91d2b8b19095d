"""Intervals over few independent units: shares, and paired differences.

wilson(met, of)        95 % interval of a share
paired(differences)    mean, 95 % t interval, exact sign-flip p, direction
sign_flip(differences) the p alone
"""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Sequence
from typing import Any


def paired(differences: Sequence[float]) -> dict[str, Any] | None:
    """Mean, 95 % t interval, exact two-sided sign-flip p, and the direction in a word; None of nothing."""
    n = len(differences)
    if not n:
        return None
    mean = statistics.fmean(differences)
    interval = None
    if n > 1:
        from scipy.stats import t

        half = float(t.ppf(0.975, n - 1)) * statistics.stdev(differences) / n**0.5
        interval = [round(mean - half, 3), round(mean + half, 3)]
    told = interval is not None and (interval[0] > 0 or interval[1] < 0)
    direction = "none" if not told else "higher" if mean > 0 else "lower"
    return {"n": n, "mean": round(mean, 3), "interval": interval, "p": sign_flip(differences), "direction": direction}


def sign_flip(differences: Sequence[float], most: int = 16) -> float | None:
    """The share of all sign patterns whose sum is at least as far from zero; None of more than `most` (too many)."""
    if len(differences) > most:
        return None
    seen = abs(sum(differences)) - 1e-9
    signs = itertools.product((1, -1), repeat=len(differences))
    extreme = sum(abs(sum(s * d for s, d in zip(pattern, differences, strict=True))) >= seen for pattern in signs)
    return round(float(extreme / 2 ** len(differences)), 5)


def wilson(met: int, of: int) -> list[float] | None:
    """The 95 % Wilson interval of a share, None of nothing."""
    if not of:
        return None
    from scipy.stats import binomtest

    found = binomtest(met, of).proportion_ci(0.95, method="wilson")
    return [round(float(found.low), 4), round(float(found.high), 4)]
