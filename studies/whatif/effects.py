"""What a change did, against what an irrelevant change did and what other dice do.

    found(experiment)  -> Finding, with one Effect per measure

Distances say how different a life became from the one left alone with the same dice; signed measures say in which direction.
Both are judged by repeat: change_i against placebo_i, by the exact sign-flip (permutation) test over all 2^n ways of calling
one of the two the change; distances one-sided, signed measures two-sided. With n repeats no p below 1/2^n (2/2^n) can come out:
that bound is reported beside every p. The measure declared beforehand is `MAIN`; the others are hints, uncorrected.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from statistics import fmean
from typing import Any

from kernel import dumps
from simulation.reading.comparing import worth
from simulation.reading.outcomes import Outcome, acts_changed, time_apart
from simulation.storing.runfile import RunFile
from studies.whatif.lives import MOST, Experiment, in_short

MAIN = "apart"
SIGNIFICANT = 0.05
DIGITS = 6


@dataclass(frozen=True, slots=True)
class Effect:
    """One measure. `kind` distance or signed.

    changed, placebo   by repeat; of distances to the life left alone, of signed measures the values themselves
    untouched          by repeat, of signed measures only
    chance             of distances: the mean distance between two lives left alone; NaN-free: None with one repeat
    effect, irrelevant the means, of signed measures as differences from the lives left alone
    beyond             repeats in which the change did more (of signed measures: in its usual direction) than the placebo
    p, least           the exact test, and the smallest p that so many repeats allow
    """

    measure: str
    kind: str
    of: str
    changed: tuple[float, ...]
    placebo: tuple[float, ...]
    untouched: tuple[float, ...]
    chance: float | None
    effect: float
    irrelevant: float
    beyond: int
    p: float
    least: float


@dataclass(frozen=True)
class Finding:
    """An experiment with its effects; the declared measure first."""

    evidence: str
    experiment: Experiment
    effects: tuple[Effect, ...]

    @property
    def main(self) -> Effect:
        """The measure declared beforehand."""
        return self.effects[0]

    def verdict(self) -> str:
        """nothing, more, hint or no: what the declared measure says."""
        main = self.main
        if not any(any(effect.changed) if effect.kind == "distance" else effect.effect for effect in self.effects):
            return "nothing"
        if main.effect <= main.irrelevant:
            return "no"
        return "more" if main.p < SIGNIFICANT else "hint"

    def figures(self) -> dict[str, Any]:
        """{evidence, run, time, step, days, repeat, changes, irrelevant, seeds, main, verdict, effects, lives}."""
        e = self.experiment
        return {
            "evidence": self.evidence,
            "run": e.run,
            "time": e.time,
            "step": e.step,
            "days": e.days,
            "repeat": e.repeat,
            "changes": [in_short(wish) for wish in e.wishes],
            "irrelevant": list(e.irrelevant),
            "seeds": [life.seed for life in e.of("untouched")],
            "main": MAIN,
            "verdict": self.verdict(),
            "effects": [asdict(effect) | {"evidence": self.evidence} for effect in self.effects],
            "lives": [
                {"kind": life.kind, "repeat": life.repeat, "seed": life.seed, "file": str(life.path), "digest": life.digest}
                for life in e.lives
            ],
        }

    def as_json(self) -> str:
        """The figures as one JSON object."""
        return dumps(self.figures())


def found(experiment: Experiment) -> Finding:
    """Judges it."""
    groups = [[life.outcome for life in experiment.of(kind)] for kind in ("untouched", "changed", "placebo")]
    effects = [
        *(_distance(measure, between, *groups) for measure, between in DISTANCES.items()),
        *_signed(experiment, *groups),
    ]
    return Finding(_evidence(experiment), experiment, tuple(effects))


def _evidence(experiment: Experiment) -> str:
    kinds = []
    for life in experiment.lives:
        with RunFile.open(life.path) as run:
            kinds.append(worth(run))
    return "model" if "model" in kinds else kinds[0]


def _knew(one: Outcome, other: Outcome) -> float:
    """Pairs of a tracked fact and a resident who knows it in one life only."""
    facts = one.knew.keys() | other.knew.keys()
    return sum(len(one.knew.get(fact, {}).keys() ^ other.knew.get(fact, {}).keys()) for fact in facts)


def _met(one: Outcome, other: Outcome) -> float:
    """Pairs who talked in one life only."""
    return len(one.talks.keys() ^ other.talks.keys())


DISTANCES: dict[str, Callable[[Outcome, Outcome], float]] = {MAIN: time_apart, "acts": acts_changed, "knew": _knew, "met": _met}
"""How different two lives are, by measure; the declared one first."""


def _distance(
    measure: str, between: Callable[[Outcome, Outcome], float],
    untouched: Sequence[Outcome], changed: Sequence[Outcome], placebo: Sequence[Outcome],
) -> Effect:  # fmt: skip
    ours = [round(between(*two), DIGITS) for two in zip(changed, untouched, strict=True)]
    theirs = [round(between(*two), DIGITS) for two in zip(placebo, untouched, strict=True)]
    apart = [between(*two) for two in combinations(untouched, 2)]
    return Effect(
        measure, "distance", "", tuple(ours), tuple(theirs), (), round(fmean(apart), DIGITS) if apart else None,
        round(fmean(ours), DIGITS), round(fmean(theirs), DIGITS), sum(a > b for a, b in zip(ours, theirs, strict=True)),
        sign_flip(_differences(ours, theirs), two_sided=False), least(len(ours), two_sided=False),
    )  # fmt: skip


def _signed(
    experiment: Experiment, untouched: Sequence[Outcome], changed: Sequence[Outcome], placebo: Sequence[Outcome]
) -> list[Effect]:
    everything = [*untouched, *changed, *placebo]
    facts = sorted({fact for life in everything for fact in life.knew})
    places = sorted({place for life in everything for mine in life.minutes.values() for place in mine})
    away = [place for place in places if place not in experiment.homes.values()]
    measures: list[tuple[str, str, Callable[[Outcome], float]]] = [
        *(("known_by", fact, lambda life, fact=fact: len(life.knew.get(fact, {}))) for fact in facts),
        ("pairs", "", lambda life: len(life.talks)),
        ("talks", "", lambda life: life.talks.total()),
        ("utterances", "", lambda life: life.utterances),
        ("home", "", lambda life: sum(life.minutes[name].get(home, 0.0) for name, home in experiment.homes.items())),
        *(
            ("minutes", place, lambda life, place=place: sum(mine.get(place, 0.0) for mine in life.minutes.values()))
            for place in away
        ),
    ]
    effects = []
    for measure, of, value in measures:
        alone, ours, theirs = ([round(value(life), 3) for life in lives] for lives in (untouched, changed, placebo))
        if alone == ours == theirs:
            continue
        effect, irrelevant = (fmean(_differences(values, alone)) for values in (ours, theirs))
        more = [a - b for a, b in zip(ours, theirs, strict=True)]
        direction = math.copysign(1, fmean(more))
        effects.append(
            Effect(
                measure, "signed", of, tuple(ours), tuple(theirs), tuple(alone), None, round(effect, DIGITS),
                round(irrelevant, DIGITS), sum(direction * value > 0 for value in more), sign_flip(more, two_sided=True),
                least(len(more), two_sided=True),
            )
        )  # fmt: skip
    return effects


def _differences(ours: Sequence[float], theirs: Sequence[float]) -> list[float]:
    return [round(a - b, DIGITS) for a, b in zip(ours, theirs, strict=True)]


def least(n: int, *, two_sided: bool) -> float:
    """The smallest p that n repeats allow."""
    return min(1.0, (2.0 if two_sided else 1.0) / float(2**n))


def sign_flip(differences: Sequence[float], *, two_sided: bool) -> float:
    """The exact sign-flip test of a mean of zero: the share of all 2^n ways to flip signs with a mean as large or larger."""
    if not any(differences):
        return 1.0
    if len(differences) == 1:  # two ways only
        return 0.5 if differences[0] > 0 and not two_sided else 1.0
    import numpy as np
    from scipy.stats import permutation_test

    result = permutation_test(
        [list(differences)], np.mean, permutation_type="samples", vectorized=True, n_resamples=1 << (MOST + 1), batch=1 << 14,
        alternative="two-sided" if two_sided else "greater",
    )  # fmt: skip
    return round(min(1.0, float(np.asarray(result.pvalue))), DIGITS)
