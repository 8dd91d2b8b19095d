"""TrueSkill ratings of conditions (Park et al. 2023, section 6.3; Herbrich et al. 2007), and their bootstrap intervals.

    rate(rankings)      one pass of the `trueskill` package over rankings in the order given
    rated(table, ...)   the rating that is reported: the mean over many passes, with an interval
    Rating              mu, sigma, low, high, n

With the package's defaults a rating forgets: after some 70 games sigma no longer shrinks and mu follows the latest games.
One pass over thousands of rankings would therefore be the rating of the last hundred in whatever order they came. What is
reported is the mean over passes of PASS rankings each, drawn at random: the size of the paper's evaluation, so that sigma
is of the published size, too. The interval comes from passes over resampled residents and raters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from studies.ranking.draws import Draws
from studies.ranking.rankings import Ranking

if TYPE_CHECKING:
    from studies.ranking.table import Table

PASS = 100
"""Rankings in one pass."""
PASSES = 200
"""Passes over the rankings as they are, for mu and sigma."""
PASSES_EACH = 4
"""Passes over each resample, for the interval."""


@dataclass(frozen=True, slots=True)
class Rating:
    """`mu` and `sigma` on TrueSkill's scale (25 and 8.33 for who was never ranked); `low` and `high` bound the interval
    of mu; `n` rankings in which the condition took part."""

    mu: float
    sigma: float
    low: float
    high: float
    n: int

    def as_dict(self) -> dict[str, float | int]:
        """{mu, sigma, low, high, n}, rounded to four digits."""
        return {
            "mu": round(self.mu, 4), "sigma": round(self.sigma, 4), "low": round(self.low, 4), "high": round(self.high, 4),
            "n": self.n,
        }  # fmt: skip


def rate(rankings: Iterable[Ranking]) -> dict[str, tuple[float, float]]:
    """(mu, sigma) of each condition after rating the rankings one by one as free-for-all games, package defaults."""
    import trueskill

    environment = trueskill.TrueSkill()
    found: dict[str, trueskill.Rating] = {}
    for one in rankings:
        names = list(one.ranks)
        for name in names:
            found.setdefault(name, environment.create_rating())
        if len(names) > 1:
            rated_now = environment.rate([(found[name],) for name in names], [one.ranks[name] for name in names])
            found.update(zip(names, (rating for (rating,) in rated_now), strict=True))
    return {name: (float(rating.mu), float(rating.sigma)) for name, rating in found.items()}


def rated(table: Table, weights: NDArray[np.int64], confidence: float, seed: int, passes: int = PASSES) -> dict[str, Rating]:
    """Ratings of all conditions of a table; `weights` (resamples x rankings) says how often each ranking is in a resample."""
    usable = np.flatnonzero((table.ranks > 0).sum(axis=1) > 1)
    counts = (table.ranks > 0).sum(axis=0)
    if not len(usable):
        return {name: Rating(25.0, 25 / 3, 25.0, 25.0, int(n)) for name, n in zip(table.conditions, counts, strict=True)}
    length = min(PASS, len(usable))
    draws = Draws(seed, "passes")
    order = np.argsort(draws.uniform(passes, len(usable)), axis=1, kind="stable")[:, :length]
    again = _resampled(weights[:, usable], length, Draws(seed, "resampled passes"))
    mu, sigma = _both_ways(table.ranks[usable[np.concatenate([order, again])]])
    means = mu[passes:].reshape(len(weights), PASSES_EACH, -1).mean(axis=1)
    mu, sigma = mu[:passes], sigma[:passes]
    tail = (1 - confidence) / 2 * 100
    low, high = np.percentile(means, [tail, 100 - tail], axis=0)
    return {
        name: Rating(float(mu[:, i].mean()), float(sigma[:, i].mean()), float(low[i]), float(high[i]), int(counts[i]))
        for i, name in enumerate(table.conditions)
    }


def _both_ways(ranks: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """`play`, with the conditions in opposite order in every other pass: of tied players the one that is handed over first
    comes off a little worse in TrueSkill's message passing, which would put equal conditions into an order."""
    ranks = ranks.copy()
    ranks[1::2] = ranks[1::2, :, ::-1]
    mu, sigma = play(ranks)
    mu[1::2], sigma[1::2] = mu[1::2, ::-1].copy(), sigma[1::2, ::-1].copy()
    return mu, sigma


def play(ranks: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(mu, sigma), L x C each, after L passes of G games over C conditions; `ranks` is L x G x C, 0 for who isn't in it."""
    from studies.ranking.batch import MU, SIGMA, update

    lanes, games, conditions = ranks.shape
    mu, sigma = np.full((lanes, conditions), MU), np.full((lanes, conditions), SIGMA)
    for game in range(games):
        now = ranks[:, game]
        place = np.where(now > 0, now, np.iinfo(np.int64).max)
        order = np.argsort(place, axis=1, kind="stable")
        players = (now > 0).sum(axis=1)
        for n in np.unique(players):
            rows = np.flatnonzero(players == n)
            if n < 2:
                continue
            columns = order[rows, :n]
            lane = rows[:, None]
            sorted_ranks = now[lane, columns]
            tied = sorted_ranks[:, 1:] == sorted_ranks[:, :-1]
            mu[lane, columns], sigma[lane, columns] = update(mu[lane, columns], sigma[lane, columns], tied)
    return mu, sigma


def _resampled(weights: NDArray[np.int64], length: int, draws: Draws) -> NDArray[np.int64]:
    """(resamples * PASSES_EACH) x length positions of rankings, drawn in proportion to their weights."""
    marks = draws.uniform(len(weights), PASSES_EACH * length)
    found = np.empty(marks.shape, dtype=np.int64)
    for row, weight in enumerate(weights):
        ladder = np.cumsum(weight if weight.any() else np.ones_like(weight))
        found[row] = np.searchsorted(ladder, marks[row] * ladder[-1], side="right")
    return found.reshape(-1, length)


def conditions_of(rankings: Sequence[Ranking]) -> list[str]:
    """All conditions in the order in which they first appear."""
    return list(dict.fromkeys(name for one in rankings for name in one.ranks))
