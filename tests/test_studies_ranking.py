"""Ranking: equal to its libraries and to hand-computed values; finds what is there, and nothing where there is nothing."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from kernel import DataFileError
from studies.ranking import (
    PUBLISHED,
    Ranking,
    cohens_d,
    compare,
    dunn_holm,
    kendalls_w,
    kruskal_wallis,
    midranks,
    ranks_of,
    rate,
    read_csv,
    shown_beside,
    write_csv,
)
from studies.ranking.agreement import between_raters
from studies.ranking.batch import BETA
from studies.ranking.draws import Draws
from studies.ranking.skill import play
from studies.ranking.table import Table

NAMES = tuple(PUBLISHED)


def ranking(ranks: dict[str, int], number: int = 0, resident: str = "Ann", rater: str = "judge") -> Ranking:
    return Ranking("run", resident, "memory", f"q{number}", rater, ranks)


def normal(draws: Draws, *shape: int) -> np.ndarray:
    a, b = draws.uniform(*shape), draws.uniform(*shape)
    return np.sqrt(-2 * np.log(1 - a)) * np.cos(2 * math.pi * b)


def synthetic(seed: int, mus: tuple[float, ...], n: int = 100) -> list[Ranking]:
    """n raters, one ranking each, of 25 residents: performances as TrueSkill's model draws them."""
    performance = np.array(mus) + BETA * normal(Draws(seed, "synthetic"), n, len(mus))
    return [
        ranking(ranks_of(dict(zip(NAMES, map(float, row), strict=False))), i, f"resident {i % 25}", f"rater {i}")
        for i, row in enumerate(performance)
    ]


def test_a_published_worked_example_of_trueskill() -> None:
    """Two players (Moser, "Computing Your Skill", 2010) and a free-for-all of five, as the package's own tests give it."""
    assert rate([ranking({"a": 1, "b": 2})]) == {
        "a": pytest.approx((29.396, 7.171), abs=5e-4), "b": pytest.approx((20.604, 7.171), abs=5e-4),
    }  # fmt: skip
    five = rate([ranking(dict(zip("abcde", range(1, 6), strict=True)))])
    assert [round(mu, 3) for mu, _ in five.values()] == [34.363, 29.058, 25.0, 20.942, 15.637]
    assert [round(sigma, 3) for _, sigma in five.values()] == [6.136, 5.536, 5.42, 5.536, 6.136]
    drawn = rate([ranking({"a": 1, "b": 1})])
    assert drawn["a"] == pytest.approx((25.0, 6.458), abs=5e-4)


def test_many_passes_at_once_are_the_packages_passes() -> None:
    games = synthetic(4, tuple(mu for mu, _ in PUBLISHED.values()), 60)
    mixed = []
    for i, game in enumerate(games):  # ties, missing conditions, pairs
        ranks = dict(game.ranks)
        if i % 3 == 0:
            ranks[NAMES[1]] = ranks[NAMES[0]]
        if i % 5 == 0:
            del ranks[NAMES[2]]
        if i % 7 == 0:
            ranks = dict.fromkeys(ranks, 1)
        if i % 11 == 0:
            ranks = {name: ranks[name] for name in (NAMES[3], NAMES[4])}
        mixed.append(ranking(ranks, i))
    table = np.array([[[game.ranks.get(name, 0) for name in NAMES] for game in order] for order in (mixed, mixed[::-1])])
    mu, sigma = play(table)
    for lane, order in enumerate((mixed, mixed[::-1])):
        package = rate(order)
        assert mu[lane] == pytest.approx([package[name][0] for name in NAMES], abs=1e-4)
        assert sigma[lane] == pytest.approx([package[name][1] for name in NAMES], abs=1e-4)


def test_defaults_give_the_published_sigma_after_100_five_way_rankings() -> None:
    found = rate(synthetic(1, tuple(mu for mu, _ in PUBLISHED.values())))
    assert all(0.66 < sigma < 0.79 for _, sigma in found.values())  # the paper: 0.68 to 0.72
    assert np.mean([sigma for _, sigma in found.values()]) == pytest.approx(0.70, abs=0.03)


@pytest.mark.slow
def test_the_papers_order_and_effect_are_recovered_within_the_intervals() -> None:
    mus = tuple(mu for mu, _ in PUBLISHED.values())
    true_win = 0.5 * (1 + math.erf((mus[0] - mus[-1]) / (2 * BETA)))
    orders = covered_mu = covered_win = 0
    for seed in range(20):
        found = compare(synthetic(seed, mus), NAMES, seed=seed, resamples=60, passes=20)
        orders += tuple(found.order()) == tuple(NAMES)
        gap = [found.ratings[name] for name in ("full", "no_memory")]
        covered_mu += gap[0].low - gap[1].high <= mus[0] - mus[-1] <= gap[0].high - gap[1].low
        pair = found.pairs["full", "no_memory"]
        covered_win += pair.low <= true_win <= pair.high
        assert found.omnibus is not None
        assert found.omnibus.p < 0.001
        assert pair.holm is not None
        assert pair.holm < 0.001
        assert pair.d is not None
        assert pair.d > 1
    assert orders >= 18
    assert covered_mu >= 18
    assert covered_win >= 17  # 95 % of 20 is 19; 17 or fewer would happen once in 13 by chance, 16 or fewer in 39


@pytest.mark.slow
def test_nothing_is_found_between_identical_conditions() -> None:
    omnibus = pairs = 0
    draws = 100
    for seed in range(draws):
        groups = Table.of(synthetic(1000 + seed, (25.0,) * 4), NAMES[:4]).groups()  # as `compare` tests them
        found = kruskal_wallis(groups)
        assert found is not None
        omnibus += found.p < 0.05
        pairs += any(holm < 0.05 for _, holm in dunn_holm(groups).values())
    assert omnibus <= 12  # 5 % of 100 is 5; more than 12 happens once in 700 by chance
    assert pairs <= 12


def test_tests_equal_values_computed_by_hand() -> None:
    """Groups 1-3, 4-6, 7-9. H = 12/(9*10) * (6^2 + 15^2 + 24^2)/3 - 3*10 = 7.2, p = exp(-3.6) (chi-squared, 2 degrees).
    Dunn (1964): z = 3 / sqrt(9*10/12 * 2/3) = 1.3416 for neighbours, twice that for the ends. Holm (1979): 3p, 2p, then
    no less than the one before."""
    groups = {"low": [1.0, 2, 3], "middle": [4.0, 5, 6], "high": [7.0, 8, 9]}
    found = kruskal_wallis(groups)
    assert found is not None
    assert (found.h, found.df, found.p) == (pytest.approx(7.2), 2, pytest.approx(0.0273237, abs=1e-7))
    single, end = 0.1797125, 0.0072904
    pairs = dunn_holm(groups)
    assert pairs["low", "high"] == pytest.approx((end, 3 * end), abs=1e-6)
    assert pairs["low", "middle"] == pytest.approx((single, 2 * single), abs=1e-6)
    assert pairs["middle", "high"] == pytest.approx((single, 2 * single), abs=1e-6)
    assert cohens_d([4.0, 5, 6], [1.0, 2, 3]) == pytest.approx(3.0)
    assert cohens_d([2.0, 4], [1.0, 1]) == pytest.approx(2.0)  # pooled: sqrt((2 + 0) / 2) = 1


def test_kendalls_w_by_hand() -> None:
    """Agreeing judges 1, opposed ones 0; three judges 123, 132, 213: sums 4, 6, 8 -> W = 12 * 8 / (9 * 24) = 4/9."""
    assert kendalls_w([{"a": 1, "b": 2, "c": 3}] * 2) == 1.0
    assert kendalls_w([{"a": 1, "b": 2}, {"a": 2, "b": 1}]) == 0.0
    rows = [{"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 3, "c": 2}, {"a": 2, "b": 1, "c": 3}]
    assert kendalls_w(rows) == pytest.approx(4 / 9)
    tied = {"a": 1, "b": 1, "c": 3}  # two equal judges with a tie still agree fully
    assert kendalls_w([tied, tied]) == pytest.approx(1.0)
    assert kendalls_w([{"a": 1, "b": 1}] * 2) is None
    assert kendalls_w([{"a": 1, "b": 2}, {"a": 1, "c": 2}]) is None
    assert between_raters([ranking({"a": 1, "b": 2}), ranking({"a": 1, "b": 2}, rater="other")]).w == 1.0


def test_ties_everywhere_missing_conditions_and_nothing_at_all_are_reported() -> None:
    tied = compare([ranking({"a": 1, "b": 1, "c": 1}, i, f"r{i}") for i in range(10)])
    assert tied.tied == tied.rankings == 10
    assert tied.omnibus is not None
    assert tied.omnibus.p == 1.0
    assert {(pair.win, pair.d, pair.holm) for pair in tied.pairs.values()} == {(0.5, None, 1.0)}
    assert [rating.mu for rating in tied.ratings.values()] == pytest.approx([25.0] * 3, abs=0.01)
    half = compare([ranking({"a": 1, "b": 2}, i, f"r{i}") for i in range(6)] + [ranking({"a": 1}, 9)], ("a", "b", "gone"))
    assert (half.partial, half.missing) == (7, {"a": 0, "b": 1, "gone": 7})
    assert half.order() == ["a", "b", "gone"]
    assert half.as_dict()["conditions"]["gone"]["n"] == 0
    assert half.as_dict()["pairs"]["a > gone"]["win_rate"] is None
    nothing = compare([], ("a", "b"))
    assert (nothing.rankings, nothing.omnibus) == (0, None)
    assert nothing.as_dict()["conditions"]["a"]["mu"] == 25.0


def test_the_same_rankings_give_the_same_figures() -> None:
    rankings = synthetic(3, (27.0, 25.0, 23.0), 40)
    assert compare(rankings, resamples=50).as_dict() == compare(rankings, resamples=50).as_dict()
    by_run = compare(rankings, unit="run", resamples=50)
    assert by_run.units == 1  # one town: nothing can be tested
    assert all(pair.d is None for pair in by_run.pairs.values())


def test_ranks() -> None:
    assert ranks_of({"a": 0.5, "b": 1.0, "c": 0.5}) == {"a": 2, "b": 1, "c": 2}
    assert midranks({"a": 2, "b": 1, "c": 2}) == {"a": 2.5, "b": 1.0, "c": 2.5}
    with pytest.raises(ValueError, match="ranks count from 1"):
        ranking({"a": 0})


def test_published_ratings_stand_beside_human_rankings_of_the_five_conditions_only() -> None:
    assert shown_beside("human", NAMES) == PUBLISHED
    assert shown_beside("human", NAMES[:4]) is None
    assert shown_beside("offline", NAMES) is None
    assert shown_beside("model", NAMES) is None


def test_a_file_of_rankings_comes_back_and_a_bad_one_is_explained(tmp_path: Path) -> None:
    path = tmp_path / "rankings.csv"
    rankings = synthetic(2, (25.0, 26.0), 4)
    write_csv(path, rankings)
    assert read_csv(path) == rankings
    for damage, complaint in (
        (("condition,rank", "condition"), "the column 'rank' is missing"),
        ((",1\n", ",first\n"), "'first' is no rank"),
        ((",2\n", ",0\n"), "'0' is no rank"),
        (("no_reflection,", "full,"), "ranked twice"),
    ):
        bad = tmp_path / "bad.csv"
        bad.write_text(path.read_text(encoding="utf-8").replace(*damage, 1), encoding="utf-8")
        with pytest.raises(DataFileError, match=complaint):
            read_csv(bad)
    with pytest.raises(DataFileError, match="no such file"):
        read_csv(tmp_path / "none.csv")
