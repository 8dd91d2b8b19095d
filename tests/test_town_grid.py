"""Walking: shortest paths are exactly those of a plain breadth-first search; what is in view."""

from __future__ import annotations

from collections import deque
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import maps
from town.build import build_town
from town.grid import Grid
from town.percepts import Tile
from town.tree import Arena, Sector, TownMap


def drawn(*rows: str) -> TownMap:
    """A town from rows of '.', '#' (wall), 'o' (solid), 's' (seat), '+' (door); one arena."""
    tiles = {(x, y): mark for y, row in enumerate(rows) for x, mark in enumerate(row)}
    arena = Arena("T : s : a", frozenset(t for t, mark in tiles.items() if mark != "#"), ())
    return TownMap(
        name="T",
        width=len(rows[0]),
        height=len(rows),
        sectors=(Sector("T : s", "street", (arena,)),),
        walls=frozenset(t for t, mark in tiles.items() if mark == "#"),
        solid=frozenset(t for t, mark in tiles.items() if mark == "o"),
        doors=frozenset(t for t, mark in tiles.items() if mark == "+"),
        seats=frozenset(t for t, mark in tiles.items() if mark == "s"),
        arena_of_tile=dict.fromkeys(arena.tiles, arena),
    )


def plain_search(town: TownMap, start: Tile) -> dict[Tile, int]:
    """Steps from `start`: the textbook's search, forwards (a seat that isn't the start is never left)."""
    if start in town.walls or start in town.solid:
        return {}
    steps, queue = {start: 0}, deque([start])
    while queue:
        x, y = here = queue.popleft()
        if here in town.seats and here != start:
            continue
        for there in ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)):
            inside = 0 <= there[0] < town.width and 0 <= there[1] < town.height
            if inside and there not in steps and there not in town.walls and there not in town.solid:
                steps[there] = steps[here] + 1
                queue.append(there)
    return steps


def assert_a_walk(town: TownMap, path: tuple[Tile, ...], start: Tile, goal: Tile) -> None:
    assert path[0] == start
    assert path[-1] == goal
    for (ax, ay), (bx, by) in pairwise(path):
        assert abs(ax - bx) + abs(ay - by) == 1
    assert not set(path) & (town.walls | town.solid)
    assert not set(path[1:-1]) & town.seats


@st.composite
def towns(draw: st.DrawFn) -> tuple[TownMap, Tile, Tile]:
    width, height = draw(st.integers(1, 9)), draw(st.integers(1, 9))
    marks = st.sampled_from("......##os+")
    rows = ["".join(draw(marks) for _ in range(width)) for _ in range(height)]
    tile = st.tuples(st.integers(0, width - 1), st.integers(0, height - 1))
    return drawn(*rows), draw(tile), draw(tile)


@settings(max_examples=300, deadline=None)
@given(towns())
def test_paths_are_those_of_a_plain_search(case: tuple[TownMap, Tile, Tile]) -> None:
    town, start, goal = case
    grid, steps = Grid(town), plain_search(town, start)
    assert grid.distance(start, goal) == steps.get(goal)
    path = grid.path(start, goal)
    assert path == Grid(town).path(start, goal)
    if goal in steps:
        assert len(path) == steps[goal] + 1
        assert_a_walk(town, path, start, goal)
    else:
        assert path == ()
    field = grid.distances_to(goal)
    assert field.dtype == np.int16
    for y in range(town.height):
        for x in range(town.width):
            assert field[y, x] == plain_search(town, (x, y)).get(goal, -1)


@settings(max_examples=100, deadline=None)
@given(towns(), st.lists(st.tuples(st.integers(-1, 9), st.integers(-1, 9)), max_size=5))
def test_nearest_is_the_first_of_the_least_distance(case: tuple[TownMap, Tile, Tile], goals: list[Tile]) -> None:
    town, start, _ = case
    steps = plain_search(town, start)
    reached = [goal for goal in goals if goal in steps]
    assert Grid(town).nearest(start, goals) == (min(reached, key=lambda goal: steps[goal]) if reached else None)


def test_a_path_keeps_its_direction() -> None:
    grid = Grid(drawn("....", "....", "...."))
    assert grid.path((0, 2), (3, 0)) == ((0, 2), (0, 1), (0, 0), (1, 0), (2, 0), (3, 0))
    assert grid.path((1, 1), (1, 1)) == ((1, 1),)


def test_nobody_cuts_across_seats() -> None:
    grid = Grid(drawn(".ss.", "...."))
    assert grid.path((0, 0), (3, 0)) == ((0, 0), (0, 1), (1, 1), (2, 1), (3, 1), (3, 0))
    assert grid.distance((0, 0), (1, 0)) == 1
    assert grid.distance((1, 0), (2, 0)) == 1
    assert grid.distance((0, 0), (2, 0)) == 4


def test_a_search_that_is_continued_is_the_same() -> None:
    town = drawn("....#....", ".##.#.##.", ".#.....#.", ".##.#.##.", "....#....")
    near_first, whole = Grid(town), Grid(town)
    assert near_first.distance((1, 0), (0, 0)) == 1
    assert near_first.distance((8, 4), (0, 0)) == whole.distance((8, 4), (0, 0)) == 12
    assert np.array_equal(near_first.distances_to((0, 0)), whole.distances_to((0, 0)))


def test_walls_and_edges() -> None:
    grid = Grid(drawn("..#", ".o#", "+.."))
    assert grid.walkable((0, 0))
    assert not grid.walkable((1, 1))
    assert not grid.walkable((2, 0))
    assert not grid.walkable((-1, 0))
    assert not grid.walkable((0, 3))
    assert grid.neighbours((0, 0)) == ((1, 0), (0, 1))
    assert grid.neighbours((2, 0)) == ()
    assert grid.distance((0, 0), (2, 0)) is None
    assert grid.distance((0, 0), (5, 5)) is None
    assert grid.path((0, 0), (5, 5)) == ()
    assert grid.reach((0, 0)) == {(0, 0), (1, 0), (0, 1), (0, 2), (1, 2), (2, 2)}


def test_distance_fields_are_read_only() -> None:
    field = Grid(drawn("...")).distances_to((0, 0))
    assert field.tolist() == [[0, 1, 2]]
    with pytest.raises(ValueError, match="read-only"):
        field[0, 0] = 5


@cache
def ville() -> tuple[TownMap, Grid]:
    town = build_town(maps.load_map("the_ville"))
    return town, Grid(town)


def test_the_ville_against_a_plain_search() -> None:
    town, grid = ville()
    things = [thing for arena in town.arenas() for thing in arena.objects][::29]
    for start in (town.sectors[0].door, things[3].spots[0]):
        steps = plain_search(town, start)
        for thing in things:
            for goal in thing.spots[:2]:
                assert grid.distance(start, goal) == steps[goal]
                path = grid.path(start, goal)
                assert len(path) == steps[goal] + 1
                assert_a_walk(town, path, start, goal)


def test_view_is_a_square_within_one_arena() -> None:
    town, grid = ville()
    cafe, square = town.arena("The Ville : Hobbs Cafe : cafe"), town.arena("The Ville : Town Square : square")
    assert town.arena_of_tile[61, 39] is cafe  # its door to the square
    assert town.arena_of_tile[62, 39] is square
    assert grid.sees((61, 39), (58, 36), 4)
    assert grid.sees((61, 39), (57, 43 - 1), 4)
    assert not grid.sees((61, 39), (56, 39), 4)
    assert not grid.sees((61, 39), (62, 39), 4)
    seen = grid.visible((59, 39), 1)
    assert seen == {(58, 38), (59, 38), (60, 38), (58, 39), (59, 39), (60, 39), (58, 40), (59, 40), (60, 40)}
    assert grid.visible((43, 32), 4) == frozenset()  # in a wall


def test_standing_room_has_neither_seats_nor_doors() -> None:
    town, grid = ville()
    cafe = town.arena("The Ville : Hobbs Cafe : cafe")
    room = grid.standing(cafe)
    assert room == tuple(sorted(room, key=lambda t: (t[1], t[0])))
    assert not set(room) & (town.seats | town.doors | town.solid)
    assert set(room) < cafe.tiles
