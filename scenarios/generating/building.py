"""The buildings of a generated town: which there are, and where they stand.

    Building    one to be drawn: its name, plan, legend
    Job         a place at work in one
    homes       households -> buildings        places    buildings for so many residents, with their jobs
    draw        buildings -> what the map file says

Buildings stand in rows along streets, doors to the street; where people work is in the middle of town.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, sqrt
from typing import Any

from kernel import Dice

DEPTH = 10
"""Tiles from one street to the next that a building may take."""
STREET = 2
GAP = 2
"""Tiles between two buildings: one for trees, one to walk."""
BREADTH = 1.3
"""How much wider than high a town is, about."""


@dataclass(frozen=True, slots=True)
class Job:
    """Work in a place: `at` without the town; `hours` of the day; `does` what, as a part of a sentence."""

    occupation: str
    place: str
    at: str
    hours: tuple[str, str]
    ages: tuple[int, int]
    does: str


@dataclass(frozen=True, slots=True)
class Building:
    """`draft` holds the kind, hours, owners, floor, plan and legend as a map file says them."""

    name: str
    draft: Mapping[str, Any]
    meal: str | None = None
    stroll: str | None = None
    evening: str | None = None
    gather: str | None = None
    jobs: tuple[Job, ...] = field(default=())

    @property
    def rows(self) -> list[str]:
        """The plan."""
        return str(self.draft["plan"]).rstrip("\n").split("\n")


def home_of(people: Sequence[str], data: Mapping[str, Any]) -> tuple[Building, list[str], list[str]]:
    """-> the home, and room and bed of each, without the town."""
    names = dict(zip("abc", people, strict=False))
    kind = data["of"][len(people)]
    name = str(data["called"][len(people) - 1]).format(**names)
    legend = {str(key): _filled(value, names) for key, value in kind["legend"].items()}
    draft = {"kind": "home", "owners": list(people), "plan": kind["plan"], "legend": legend}
    rooms = [f"{name} : {room.format(**names)}" for room in kind["rooms"]]
    return Building(name, draft), rooms, [f"{room} : {bed}" for room, bed in zip(rooms, kind["beds"], strict=True)]


def _filled(value: object, names: Mapping[str, str]) -> object:
    """The same legend, with names for letters."""
    if isinstance(value, str):
        return value.format(**names)
    if isinstance(value, Mapping):
        return {key: _filled(inner, names) for key, inner in value.items()}
    return [_filled(inner, names) for inner in value] if isinstance(value, list) else value


def places(
    residents: int, data: Sequence[Mapping[str, Any]], words: Sequence[str], ages: Sequence[int], seed: int
) -> list[Building]:
    """Where people work and meet: at least one of each kind."""
    made = []
    for kind in data:
        order = Dice(seed, str(kind["called"]), 0, "names").shuffled(words)
        for n in range(max(1, round(residents / kind["per"]))):
            word = order[n % len(order)]
            if n >= len(order):
                word = f"{order[n // len(order) - 1]} {word}" if n // len(order) - 1 != n % len(order) else f"{order[-1]} {word}"
            made.append(_place(kind, str(kind["called"]).format(word=word), ages))
    return made


def _place(kind: Mapping[str, Any], name: str, ages: Sequence[int]) -> Building:
    draft = {key: kind[key] for key in ("kind", "hours", "floor", "plan", "legend") if key in kind}
    draft["legend"] = {str(key): value for key, value in kind["legend"].items()}
    jobs = [
        Job(
            occupation, name, f"{name} : {job['at']}", (job["hours"][0], job["hours"][1]), tuple(job.get("ages", ages)),
            str(job["does"]).format(place=name),
        )
        for occupation, job in kind.get("jobs", {}).items()
        for _ in range(job.get("many", 1))
    ]  # fmt: skip
    said = {use: str(kind[use]).format(place=name) for use in ("meal", "stroll", "evening") if use in kind}
    gather = f"{name} : {kind['gather']}" if "gather" in kind else None
    return Building(name, draft, gather=gather, jobs=tuple(jobs), **said)


def draw(world: str, homes: Sequence[Building], shared: Sequence[Building], seed: int) -> dict[str, Any]:
    """The map: homes around, what is shared in the middle. Places of the shared ones are mixed."""
    dice = Dice(seed, world, 0, "map")
    around, middle = dice.shuffled(homes), dice.shuffled([*shared, *homes[: len(shared) // 4]])
    around = [home for home in around if home not in middle]
    half = len(around) // 2
    order = [*around[:half], *middle, *around[half:]]
    total = sum(len(building.rows[0]) + GAP for building in order)
    count = max(1, round(sqrt(total / ((DEPTH + STREET) * BREADTH))))
    most = ceil(total / count) + 2 * GAP
    rows: list[list[Building]] = [[]]
    length = 0
    for building in order:
        width = len(building.rows[0]) + GAP
        if rows[-1] and length + width / 2 > most:
            rows.append([])
            length = 0
        rows[-1].append(building)
        length += width
    across = max(sum(len(building.rows[0]) + GAP for building in row) for row in rows)
    width, height = across + 2 * STREET + GAP, 1 + len(rows) * (DEPTH + STREET) + 1
    sectors: dict[str, Any] = {}
    trees: list[list[int]] = []
    streets: list[dict[str, Any]] = []
    for number, row in enumerate(rows):
        top = 1 + number * (DEPTH + STREET)
        streets.append({"of": "path", "rect": [0, top + DEPTH, width, STREET]})
        x = STREET + GAP
        spare = across - sum(len(building.rows[0]) + GAP for building in row)
        for place, building in enumerate(row):
            lawn = spare // len(row) + (place < spare % len(row))
            plan = building.rows
            sectors[building.name] = {
                **{key: building.draft[key] for key in ("kind",)},
                "at": [x, top + DEPTH - len(plan)],
                **{key: value for key, value in building.draft.items() if key != "kind"},
            }
            x += len(plan[0])
            trees += [[x, y] for y in range(top + 1, top + DEPTH - 1, 2) if dice.chance(0.6)]
            x += GAP + lawn
    streets += [{"of": "path", "rect": [at, 1, STREET, height - 2]} for at in (0, width - STREET)]
    ground = [
        {"of": "meadow", "rect": [0, 0, width, height], "share": 0.2},
        {"of": "pine", "rect": [0, 0, width, 1], "every": [2, 1]},
        {"of": "tree", "rect": [0, height - 1, width, 1], "every": [3, 1]},
        *streets,
        {"of": "tree", "tiles": trees},
    ]
    return {"world": world, "size": [width, height], "fill": "grass", "ground": ground, "sectors": sectors}
