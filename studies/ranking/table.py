"""Rankings as arrays, and what to resample.

    Table                     ranks (N x C, 0: missing) and the clusters each ranking belongs to
    resampled(table, ...)     how often each ranking is in each of B resamples

Rankings of one resident resemble each other, and so do those of one rater: residents (nested in runs) and raters are drawn
with replacement, each by itself, and a ranking counts as often as both were drawn together. With one rater (the grounding
judge) only residents are resampled. A comparison of whole lives resamples runs: residents are nested in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from studies.ranking.draws import Draws
from studies.ranking.rankings import Ranking, midranks

Unit = Literal["resident", "run"]
"""What counts as one independent observation."""


@dataclass(frozen=True)
class Table:
    """`ranks` and `shared` (midranks, nan: missing) are N x C; `units` and `raters` number the clusters, from 0."""

    conditions: tuple[str, ...]
    ranks: NDArray[np.int64]
    shared: NDArray[np.float64]
    units: NDArray[np.int64]
    unit_names: tuple[str, ...]
    raters: NDArray[np.int64]
    rater_names: tuple[str, ...]

    @classmethod
    def of(cls, rankings: Sequence[Ranking], conditions: Sequence[str], unit: Unit = "resident") -> Table:
        """Conditions that aren't named are left out."""
        ranks = np.zeros((len(rankings), len(conditions)), dtype=np.int64)
        shared = np.full((len(rankings), len(conditions)), np.nan)
        for row, one in enumerate(rankings):
            kept = {name: one.ranks[name] for name in conditions if name in one.ranks}
            for name, middle in midranks(kept).items():
                ranks[row, conditions.index(name)] = kept[name]
                shared[row, conditions.index(name)] = middle
        names = [one.run if unit == "run" else f"{one.run}\x1f{one.resident}" for one in rankings]
        units, unit_names = _numbered(names)
        raters, rater_names = _numbered([one.rater for one in rankings])
        return cls(tuple(conditions), ranks, shared, units, unit_names, raters, rater_names)

    def unit_means(self) -> NDArray[np.float64]:
        """Mean shared rank of each condition for each unit (units x C, nan: none): independent observations for tests."""
        found = np.full((len(self.unit_names), len(self.conditions)), np.nan)
        for unit in range(len(self.unit_names)):
            rows = self.shared[self.units == unit]
            for column in range(len(self.conditions)):
                values = rows[:, column][~np.isnan(rows[:, column])]
                if len(values):
                    found[unit, column] = values.mean()
        return found

    def groups(self) -> dict[str, list[float]]:
        """The unit means of each condition as a list."""
        means = self.unit_means()
        return {name: [float(x) for x in means[:, i] if not np.isnan(x)] for i, name in enumerate(self.conditions)}


def resampled(table: Table, resamples: int, seed: int) -> NDArray[np.int64]:
    """B x N: how often each ranking is in each resample."""
    units = _counts(len(table.unit_names), resamples, Draws(seed, "units"))[:, table.units]
    if len(table.rater_names) < 2:
        return units
    return np.asarray(units * _counts(len(table.rater_names), resamples, Draws(seed, "raters"))[:, table.raters])


def _counts(n: int, resamples: int, draws: Draws) -> NDArray[np.int64]:
    drawn = draws.below(n, resamples, n)
    found = np.zeros((resamples, n), dtype=np.int64)
    np.add.at(found, (np.arange(resamples)[:, None], drawn), 1)
    return found


def _numbered(names: Sequence[str]) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    order = {name: number for number, name in enumerate(dict.fromkeys(names))}
    return np.array([order[name] for name in names], dtype=np.int64), tuple(order)
