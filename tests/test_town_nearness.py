"""How near people are: rows are exactly the plain search's, and are forgotten only when nobody reads them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

import numpy as np
import pytest
import test_town_ahead
from hypothesis import given, settings
from hypothesis import strategies as st
from test_town_grid import drawn

from kernel import Dice
from maps import load_map
from town import Ahead, Engine, Grid, build_town
from town.nearness import FAR, LEEWAY, Nearness
from town.percepts import Tile

HAMLET = build_town(load_map("hamlet"))
GRID = Grid(HAMLET)
WALKABLE = [tile for tile in sorted(HAMLET.arena_of_tile) if GRID.walkable(tile)]


def walkable(grid: Grid) -> list[Tile]:
    """What the columns of a row are."""
    return [(x, y) for y in range(grid.height) for x in range(grid.width) if grid.walkable((x, y))]


def plain_row(grid: Grid, goals: Iterable[Tile]) -> list[int]:
    """Steps to the nearest of the goals: the textbook's search from all of them at once, across seats."""
    steps = dict.fromkeys(goals, 0)
    queue = deque(steps)
    while queue:
        here = queue.popleft()
        for there in grid.neighbours(here):
            if there not in steps:
                steps[there] = steps[here] + 1
                queue.append(there)
    return [steps.get(tile, FAR) for tile in walkable(grid)]


ROW = 2 * len(walkable(GRID))
"""Bytes of a row."""


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_rows_are_those_of_a_plain_search(data: st.DataObject) -> None:
    width = data.draw(st.integers(1, 12))
    rows = data.draw(st.lists(st.text("...#os+", min_size=width, max_size=width), min_size=1, max_size=12))
    town = drawn(*rows)
    grid = Grid(town)
    near = Nearness(town, grid, data.draw(st.integers(1, 5)))
    tiles = [(x, y) for y in range(town.height) for x in range(width)]
    assert [near.cell(tile) for tile in walkable(grid)] == list(range(len(walkable(grid))))
    for tile in data.draw(st.lists(st.sampled_from(tiles), min_size=1, max_size=4)):
        row = near.row_of(tile)
        assert near.table[row].tolist() == plain_row(grid, near.surroundings(tile))
        goals = frozenset(data.draw(st.lists(st.sampled_from(tiles), max_size=6)))
        assert near._search(goals).tolist() == plain_row(grid, goals)


def test_rows_of_a_town() -> None:
    near = Nearness(HAMLET, GRID, 4)
    for tile in WALKABLE[:: len(WALKABLE) // 9]:
        assert near.table[near.row_of(tile)].tolist() == plain_row(GRID, near.surroundings(tile))


@pytest.mark.parametrize("walkers", [1, 5, 20])
def test_what_is_read_is_never_forgotten_and_the_rest_is_bounded(walkers: int) -> None:
    few = 12
    near, unbounded = Nearness(HAMLET, GRID, 4, budget=few * ROW), Nearness(HAMLET, GRID, 4)
    at = [WALKABLE[n * 7] for n in range(walkers)]
    rows = np.zeros(walkers, dtype=np.int64)
    for n, tile in enumerate(at):
        rows[n] = near.row_of(tile, rows)
    for step in range(400):
        dice = Dice(0, "walk", step, "")
        n = dice.below(walkers)
        at[n] = dice.choice(GRID.neighbours(at[n]) or (at[n],))
        rows[n] = near.row_of(at[n], rows)
        for tile, row in zip(at, rows.tolist(), strict=True):
            same = unbounded.row_of(tile)
            assert np.array_equal(near.table[row], unbounded.table[same])
    assert len(near._rows) <= max(few, 2 * walkers) < len(unbounded._rows)
    assert len(set(near._rows.values())) == len(near._rows)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_where_rows_are_few_nobody_is_taken_to_be_further_away_than_they_are(data: st.DataObject) -> None:
    near, exact = Nearness(HAMLET, GRID, data.draw(st.integers(1, 8)), budget=20 * ROW), Nearness(HAMLET, GRID, 4)
    exact._reach = near._reach
    nobody = np.zeros(0, dtype=np.int64)
    at = data.draw(st.sampled_from(WALKABLE))
    excesses = []
    for turn in data.draw(st.lists(st.integers(0, 3), min_size=40, max_size=120)):
        row, excess = near.at_least(at, nobody)
        mine = exact.row_of(at)
        assert (near.table[row].astype(int) - excess <= exact.table[mine]).all()
        excesses.append(excess)
        ways = GRID.neighbours(at)
        at = ways[turn % len(ways)]
    assert max(excesses) <= LEEWAY
    assert len(near._rows) <= 20


def test_stand_ins_are_taken_when_the_budget_is_used_up() -> None:
    near = Nearness(HAMLET, GRID, 4, budget=20 * ROW)
    nobody = np.zeros(0, dtype=np.int64)
    found = [near.at_least(tile, nobody) for tile in WALKABLE[:400]]
    assert found[:20] == [(row, 0) for row in range(20)]
    assert sum(excess > 0 for _, excess in found) > 200


def test_without_rows_in_use_nothing_is_forgotten() -> None:
    near = Nearness(HAMLET, GRID, 4, budget=1)
    rows = [near.row_of(tile) for tile in WALKABLE[:150]]
    assert rows == list(range(150))
    assert [near.row_of(tile) for tile in WALKABLE[:150]] == rows


def test_the_one_not_asked_for_for_the_longest_time_goes_first() -> None:
    near = Nearness(HAMLET, GRID, 4, budget=3 * ROW)
    a, b, c, d = WALKABLE[:4]
    nobody = np.zeros(0, dtype=np.int64)
    rows = {tile: near.row_of(tile, nobody) for tile in (a, b, c)}
    near.row_of(a, nobody)
    assert near.row_of(d, nobody) == rows[b]
    assert near.row_of(a, nobody) == rows[a]
    assert near.row_of(b, np.array([rows[c]])) == rows[b]  # where d was: c is in use


def test_the_same_life_where_rows_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    few = Nearness(test_town_ahead.TOWN, test_town_ahead.GRID, 4, budget=1)
    monkeypatch.setattr(test_town_ahead, "NEAR", few)
    for life in range(2):
        plain = test_town_ahead.wide(Engine, life)[0]
        for seed in range(2):
            assert test_town_ahead.wide(Ahead, life, seed, "wild")[0] == plain, (life, seed)
    assert few._stand_ins
    assert len(few._rows) == 2 * len(test_town_ahead.PEOPLE)
