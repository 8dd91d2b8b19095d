"""Out of order on towns nobody has drawn: Hypothesis makes the map, the people, the latencies and how far one sees."""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_town_ahead import LATENCIES, Musing, slow, told
from town_kit import Notebook, fickle, town_of

from kernel import Clock
from town import Ahead, Arena, Engine, GameObject, Grid, Happening, Sector, Tile, TownMap

STREET_Y, STREETS = 9, "Town : streets : outdoors"
PEOPLE = tuple(f"P{n}" for n in range(6))


class House(NamedTuple):
    """`gap` before it, inner size, whether a wall with a door divides it, where its doors are, who may be inside."""

    gap: int
    width: int
    height: int
    divided: bool
    door: int
    capacity: int | None
    hours: tuple[int, int] | None
    above: bool


houses = st.lists(
    st.builds(
        House,
        gap=st.integers(1, 12), width=st.integers(3, 9), height=st.integers(2, 6), divided=st.booleans(), door=st.integers(0, 8),
        capacity=st.sampled_from([None, None, 1, 2]), hours=st.sampled_from([None, None, (660, 667)]), above=st.booleans(),
    ),
    min_size=2, max_size=6,
)  # fmt: skip


def build(built: list[House]) -> TownMap:
    """Houses along both sides of a street."""
    doors, outdoors, solid = set[Tile](), set[Tile](), set[Tile]()
    sectors: list[Sector] = []
    x = {True: 1, False: 1}
    for n, house in enumerate(built):
        left = x[house.above] = x[house.above] + house.gap
        x[house.above] += house.width + 1
        away = -1 if house.above else 1
        near = STREET_Y + away * 2  # the row of the house next to the street
        door = left + house.door % house.width
        rows = [near + away * i for i in range(house.height)]
        name = f"Town : house {n}"
        doors.add((door, near - away))
        outdoors |= {(door, near - away), (door, STREET_Y)}
        inner = rows[1] if house.divided and house.height >= 4 else None
        front = rows[: rows.index(inner)] if inner is not None else rows
        rooms = [_room(name, "front", left, house.width, front, house.capacity)]
        if inner is not None:
            back = _room(name, "back", left, house.width, rows[rows.index(inner) + 1 :], None)
            inner_door = (left + (house.door * 3) % house.width, inner)
            doors.add(inner_door)
            rooms.append(Arena(back.address, back.tiles | {inner_door}, back.objects))
        for room in rooms:
            solid |= {thing.tiles[0] for thing in room.objects if thing.tiles[0] not in thing.spots}
        sectors.append(Sector(name, f"house {n}", tuple(rooms), hours=house.hours, door=(door, near - away)))
    width, height = max(x.values()) + 2, 2 * STREET_Y + 1
    outdoors |= {(i, STREET_Y) for i in range(width)}
    sectors.append(Sector("Town : streets", "streets", (Arena(STREETS, frozenset(outdoors), (), outdoors=True),)))
    return town_of(width, height, tuple(sectors), solid=frozenset(solid), doors=frozenset(doors))


def _room(house: str, name: str, left: int, width: int, rows: list[int], capacity: int | None) -> Arena:
    """A room with a seat, and where it is wide enough a thing used from beside it."""
    address, far = f"{house} : {name}", rows[-1]
    things = [GameObject(f"{address} : seat", "seat", ((left, far),), ((left, far),), 1, ("sit",), "free")]
    if width >= 5 and len(rows) >= 2:
        corner = (left + width - 1, far)
        beside = (left + width - 2, far)
        things.append(GameObject(f"{address} : stove", "stove", (corner,), (beside,), 1, ("cook",), "off"))
    tiles = frozenset((i, j) for i in range(left, left + width) for j in rows)
    return Arena(address, tiles, tuple(things), capacity=capacity)


def lived(engine: type[Engine], town: TownMap, life: int, seed: int, latency: str, slots: int, radius: int) -> Any:
    grid = Grid(town)
    places = [thing.address for thing in town.objects()] + [arena.address for arena in town.arenas()]
    rooms = [arena for arena in town.arenas() if grid.standing(arena)]
    pool = asyncio.Semaphore(slots)
    turns = 40 if latency == "wild" else 0
    puppets = {n: Musing(n, slow(fickle(n, PEOPLE, places, life), n, seed, latency, pool), seed, turns) for n in PEOPLE}
    start = {n: grid.standing(rooms[(life + i) % len(rooms)])[0] for i, n in enumerate(PEOPLE)}
    book = Notebook()
    made = engine(
        town, grid, Clock(datetime(2023, 6, 2, 11), 10), tuple(puppets.values()), book, placed=start, staff={},
        vision_radius=radius, happenings=(Happening(70, "event", "thunder", place=town.name, until=80),),
    )  # fmt: skip
    asyncio.run(made.run(110))
    return told(made, book, puppets)


drawn = given(
    built=houses, life=st.integers(0, 50), seed=st.integers(0, 50), latency=st.sampled_from(sorted(LATENCIES)),
    slots=st.sampled_from([1, 2, 99]), radius=st.sampled_from([3, 4, 8]),
)  # fmt: skip
careful = {"deadline": None, "derandomize": True, "suppress_health_check": [HealthCheck.too_slow]}


def _same(built: list[House], life: int, seed: int, latency: str, slots: int, radius: int) -> None:
    town = build(built)
    assert lived(Ahead, town, life, seed, latency, slots, radius) == lived(Engine, town, life, seed, "none", 99, radius)


@settings(max_examples=10, **careful)  # type: ignore[arg-type]
@drawn
def test_the_same_life_in_towns_nobody_has_drawn(
    built: list[House], life: int, seed: int, latency: str, slots: int, radius: int
) -> None:
    _same(built, life, seed, latency, slots, radius)


@pytest.mark.slow
@settings(max_examples=60, **careful)  # type: ignore[arg-type]
@drawn
def test_the_same_life_in_many_towns_nobody_has_drawn(
    built: list[House], life: int, seed: int, latency: str, slots: int, radius: int
) -> None:
    _same(built, life, seed, latency, slots, radius)
