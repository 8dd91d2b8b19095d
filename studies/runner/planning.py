"""How much is needed to see a difference: power by simulation from the data so far.

    plan(rankings, ...)   -> Plan: for growing numbers of residents, how often the difference would be found
    Plan.enough           the least number with enough power, and the seeds that makes

What is resampled are the data's own spreads: of residents around the mean of two conditions' margins (a win is 0.5, a tie 0, a
loss -0.5), and of rankings around their resident. The wanted difference is added, the test of the report applied (here the
paired t over residents' mean margins, at alpha divided by the number of pairs: Bonferroni, never less strict than Holm). More
raters average the spread within a resident; with one rater so far, how much raters differ isn't known and that is said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernel import UsageError
from studies.ranking import Ranking
from studies.ranking.draws import Draws
from studies.ranking.skill import conditions_of

LADDER = (3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200, 300, 500)
SIMULATIONS = 1000


@dataclass(frozen=True)
class Plan:
    """`effect` is the win rate minus one half; `power` by number of units; `per_seed` residents a seed brings."""

    pair: tuple[str, str]
    effect: float
    alpha: float
    wanted: float
    raters: int
    questions: int
    per_seed: int
    between: float
    within: float
    raters_seen: int
    power: dict[int, float]

    @property
    def enough(self) -> int | None:
        """The least number of units with the wanted power, None: more than the ladder has."""
        return next((n for n, power in self.power.items() if power >= self.wanted), None)

    @property
    def seeds(self) -> int | None:
        """Seeds (town runs) that many residents come from."""
        return None if self.enough is None else -(-self.enough // self.per_seed)

    def as_dict(self) -> dict[str, Any]:
        """With the pair as a list and powers by number."""
        return {
            "pair": list(self.pair), "effect": self.effect, "alpha": self.alpha, "wanted_power": self.wanted,
            "raters": self.raters,
            "questions": self.questions, "residents_per_seed": self.per_seed, "sd_between": round(self.between, 4),
            "sd_within": round(self.within, 4), "raters_seen": self.raters_seen,
            "power": {str(n): power for n, power in self.power.items()}, "residents": self.enough, "seeds": self.seeds,
        }  # fmt: skip


def plan(
    rankings: Sequence[Ranking], effect: float, *, pair: tuple[str, str] | None = None, raters: int = 1, power: float = 0.8,
    alpha: float = 0.05, seed: int = 0,
) -> Plan:  # fmt: skip
    """Power for a difference in win rate of `effect` (0 < effect < 0.5). `pair`: the first two conditions unless given.

    Raises UsageError for too little data, or conditions that aren't there.
    """
    if not 0 < effect < 0.5:
        raise UsageError(f"a win rate can't differ from one half by {effect}", hint="more than 0, less than 0.5")
    names = conditions_of(rankings)
    if pair is None and len(names) > 1:
        pair = (names[0], names[1])
    if pair is None or any(name not in names for name in pair):
        raise UsageError(f"these conditions aren't in the data: {', '.join(pair or ())}", hint=f"there are {', '.join(names)}")
    margins: dict[tuple[str, str], list[float]] = {}
    for one in rankings:
        if pair[0] in one.ranks and pair[1] in one.ranks:
            first, second = one.ranks[pair[0]], one.ranks[pair[1]]
            margins.setdefault((one.run, one.resident), []).append(0.5 * ((first < second) - (first > second)))
    if len(margins) < 3:
        raise UsageError(f"{len(margins)} residents are too few to tell how they differ", hint="three at least; a study of more")
    means = np.array([np.mean(values) for values in margins.values()])
    residuals = np.concatenate([np.array(values) - np.mean(values) for values in margins.values()])
    questions = max(1, round(len(residuals) / len(means)))
    runs = len({run for run, _ in margins})
    tests = len(names) * (len(names) - 1) // 2
    within = float(residuals.std()) * (questions / max(questions - 1, 1)) ** 0.5
    observed = float(means.var(ddof=1))
    between = max(0.0, observed - within**2 / questions) ** 0.5  # what is left when the rankings' own spread is taken out
    units = (means - means.mean()) * (between / observed**0.5 if observed > 0 else 0.0)
    found = {n: _power(units, within, n, questions, raters, effect, alpha / tests, Draws(seed, f"power {n}")) for n in LADDER}
    return Plan(
        pair, effect, alpha, power, raters, questions, max(1, len(means) // runs), between, within,
        len({one.rater for one in rankings}), found,
    )  # fmt: skip


def _power(
    units: NDArray[np.float64], within: float, n: int, questions: int, raters: int, effect: float, alpha: float,
    draws: Draws,
) -> float:  # fmt: skip
    """Share of simulated studies of `n` residents in which a paired t test finds the effect."""
    from scipy.stats import t

    drawn = units[draws.below(len(units), SIMULATIONS, n)]
    noise = within / np.sqrt(questions * raters)
    # the mean of many residuals is close to normal: a sum of twelve uniform numbers is close enough, and the same everywhere
    normal = draws.uniform(12, SIMULATIONS, n).sum(axis=0) - 6
    values = effect + drawn + noise * normal
    spread = values.std(axis=1, ddof=1) / np.sqrt(n)
    safe = np.where(spread < 1e-12, 1e-12, spread)
    p = 2 * t.sf(np.abs(values.mean(axis=1) / safe), n - 1)
    return round(float(((p < alpha) & (values.mean(axis=1) > 0)).mean()), 4)


def plan_lines(found: Plan) -> list[str]:
    """For the terminal."""
    from studies.runner.tables import condition_words
    from studies.wording import say

    first, second = map(condition_words, found.pair)
    lines = [say("study", "plan.head", first=first, second=second, rate=0.5 + found.effect, raters=found.raters)]
    lines += [say("study", "plan.row", n=n, power=power) for n, power in found.power.items() if 0.02 < power < 0.9999]
    if found.enough is None:
        lines.append(say("study", "plan.never", wanted=found.wanted, most=LADDER[-1]))
    else:
        lines.append(say("study", "plan.enough", residents=found.enough, seeds=found.seeds, per_seed=found.per_seed,
                         wanted=found.wanted, questions=found.questions))  # fmt: skip
    if found.raters_seen < 2:
        lines.append(say("study", "plan.one_rater"))
    return lines
