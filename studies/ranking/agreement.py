"""How far judges agree, with each other and with themselves.

kendalls_w(rows)        concordance of m judges over the same items, corrected for ties (Kendall & Smith 1939)
test_retest(...)        the same judge twice over the same questions
between_raters(...)     W of all questions that several raters ranked
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from studies.ranking.rankings import Ranking, midranks


@dataclass(frozen=True, slots=True)
class Agreement:
    """`w` the mean over `n` questions that could be compared, None when none could; `tied` had nothing told apart."""

    w: float | None
    n: int
    tied: int


def kendalls_w(rows: Sequence[Mapping[str, int]]) -> float | None:
    """W in [0, 1] of ranks given by two or more judges to the same two or more items.

    None when a judge lacks an item another has, or when all judges tie everything.
    """
    if len(rows) < 2 or len({frozenset(row) for row in rows}) > 1 or len(rows[0]) < 2:
        return None
    m, n = len(rows), len(rows[0])
    shared = [midranks(row) for row in rows]
    sums = [math.fsum(row[item] for row in shared) for item in rows[0]]
    mean = m * (n + 1) / 2
    ties = sum(t**3 - t for row in rows for t in Counter(row.values()).values())
    most = m * m * (n**3 - n) - m * ties
    return None if most <= 0 else 12 * math.fsum((s - mean) ** 2 for s in sums) / most


def agreement(groups: Sequence[Sequence[Mapping[str, int]]]) -> Agreement:
    """Mean W over groups of rankings of the same question."""
    values = [kendalls_w(group) for group in groups if len(group) > 1]
    found = [value for value in values if value is not None]
    return Agreement(math.fsum(found) / len(found) if found else None, len(found), len(values) - len(found))


def between_raters(rankings: Sequence[Ranking]) -> Agreement:
    """W over questions that more than one rater ranked."""
    groups: dict[tuple[str, ...], list[Mapping[str, int]]] = {}
    for one in rankings:
        groups.setdefault((one.run, one.resident, one.question), []).append(one.ranks)
    return agreement(list(groups.values()))


def test_retest(first: Sequence[Ranking], second: Sequence[Ranking]) -> Agreement:
    """W of two passes of one judge, question by question."""
    again = {(one.run, one.resident, one.question): one.ranks for one in second}
    keys = [(one, (one.run, one.resident, one.question)) for one in first]
    return agreement([[one.ranks, again[key]] for one, key in keys if key in again])


test_retest.__test__ = False  # type: ignore[attr-defined]  # pytest takes the name for a test
