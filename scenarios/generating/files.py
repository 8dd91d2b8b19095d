"""A generated town as files that `town check` accepts: a scenario, a map and a folder of people.

generate    what they will say        write    makes them        Generated    in between
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from kernel import Dice, UsageError, load_yaml
from personas import slug
from scenarios.generating.building import Building, draw, home_of, places
from scenarios.generating.people import Someone, employ, households, persona

MOST = 1000
"""More wouldn't fit on a map."""
NEIGHBOURS, COLLEAGUES = 2, 3
"""How many of them one knows at most."""


@dataclass(frozen=True)
class Generated:
    """What the files say; `people` by file name, without its ending."""

    scenario: Mapping[str, Any]
    map: Mapping[str, Any]
    people: Mapping[str, Mapping[str, Any]]
    homes: int
    places: int
    heading: str


@cache
def _data(name: str) -> Any:
    return load_yaml(Path(__file__).with_name(name)).data


def generate(residents: int, seed: int = 0, days: float = 1) -> Generated:
    """A town. Raises UsageError for a number of residents or days that can't be."""
    if not 2 <= residents <= MOST:
        raise UsageError(f"a town of {residents} can't be made", hint=f"2 to {MOST} residents")
    if not 0 < days < 1000:
        raise UsageError(f"{days:g} days can't be planned", hint="more than none; a fraction will do")
    data, buildings = _data("people.yaml"), _data("buildings.yaml")
    world = Dice(seed, "everybody", 0, "town").choice(data["names"])
    grouped = households(residents, data, buildings["home"]["of"], seed)
    people = [someone for group in grouped for someone in group]
    homes: list[Building] = []
    for group in grouped:
        home, rooms, beds = home_of([someone.name for someone in group], buildings["home"])
        homes.append(home)
        for someone, room, bed in zip(group, rooms, beds, strict=True):
            someone.home, someone.room, someone.bed = home.name, room, bed
    shared = places(residents, buildings["places"], data["places"], data["ages"], seed)
    employ(people, [job for place in shared for job in place.jobs], seed)
    drawn = draw(world, homes, shared, seed)
    known = _acquaintances(grouped, drawn, seed)
    written = {slug(one.name): persona(one, known[one.name], shared, data, seed) for one in people}
    scenario = {
        "name": slug(world),
        "title": str(data["title"]).format(town=world, count=residents),
        "map": "map.yaml",
        "people": "people",
        "residents": [someone.name for someone in people],
        "start": data["start"],
        "days": days,
        "seed": seed,
        **_news(people, shared, data, seed),
    }
    heading = str(data["made"]).format(count=residents, seed=seed)
    return Generated(scenario, drawn, written, len(homes), len(shared), heading)


def _acquaintances(grouped: list[list[Someone]], drawn: Mapping[str, Any], seed: int) -> dict[str, dict[str, tuple[str, str]]]:
    """Name -> whom they know: name -> (how, the place of work shared). Whoever is known knows."""
    known: dict[str, dict[str, tuple[str, str]]] = {one.name: {} for group in grouped for one in group}

    def meet(one: str, other: str, how: str, place: str = "") -> None:
        if one != other and other not in known[one]:
            known[one][other] = known[other][one] = how, place

    for group in grouped:
        for i, one in enumerate(group):
            for other in group[:i]:
                meet(one.name, other.name, "partner" if len(group) == 2 else "housemate")
    staff: dict[str, list[str]] = {}
    for group in grouped:
        for one in group:
            if one.job is not None:
                staff.setdefault(one.job.place, []).append(one.name)
    for place, names in staff.items():
        for name in names:
            for colleague in Dice(seed, name, 0, "colleagues").shuffled(names)[:COLLEAGUES]:
                meet(name, colleague, "colleague", place)
    at = {group[0].home: drawn["sectors"][group[0].home]["at"] for group in grouped}
    for group in grouped:
        x, y = at[group[0].home]
        near = sorted(grouped, key=lambda other: (abs(at[other[0].home][0] - x) + abs(at[other[0].home][1] - y), other[0].name))
        for others in near[1 : 1 + NEIGHBOURS]:
            dice = Dice(seed, group[0].name, 0, f"neighbours/{others[0].name}")
            meet(dice.choice(group).name, dice.choice(others).name, "neighbour")
    return known


def _news(people: list[Someone], shared: list[Building], data: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """An invitation and a piece of news, with who knows of them."""
    dice = Dice(seed, "everybody", 0, "news")
    host, finder = dice.shuffled(people)[:2]
    place = dice.choice([building for building in shared if building.gather is not None])
    facts = data["facts"]
    gathering = {
        "name": facts["gathering"]["name"],
        "place": place.gather,
        "start": facts["gathering"]["start"],
        "end": facts["gathering"]["end"],
        "host": host.name,
    }
    text = str(facts["gathering"]["text"]).format(name=host.name, place=place.name, date=data["date"])
    found = str(facts["news"]).format(name=finder.name)
    return {
        "facts": {
            "gathering": {"text": text, "about": host.name, "holders": [host.name], "importance": 8, "gathering": gathering},
            "news": {"text": found, "about": finder.name, "holders": [finder.name], "importance": 8},
        },
        "memories": [{"resident": host.name, "text": str(data["memory"]).format(name=host.name), "importance": 7}],
    }  # fmt: skip


class _Writer(yaml.SafeDumper):
    """Plans as blocks of lines, short lists on one line."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.Node:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


def _list(dumper: yaml.SafeDumper, values: list[Any]) -> yaml.Node:
    flat = all(isinstance(value, int | float) for value in values) or all(
        isinstance(value, list) or (isinstance(value, str) and len(value) < 8) for value in values
    )
    return dumper.represent_sequence("tag:yaml.org,2002:seq", values, flow_style=flat)


_Writer.add_representer(str, _text)
_Writer.add_representer(list, _list)


def _dump(path: Path, heading: str, value: Mapping[str, Any]) -> None:
    text = yaml.dump(dict(value), Dumper=_Writer, sort_keys=False, allow_unicode=True, width=116)
    path.write_text(heading + text, encoding="utf-8")


def write(town: Generated, folder: Path) -> Path:
    """Makes the folder and its files; the scenario's path. Raises UsageError when there is something in it."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError("there is something there already", place=str(folder), hint="name another folder")
    (folder / "people").mkdir(parents=True, exist_ok=True)
    _dump(folder / "map.yaml", town.heading, town.map)
    for name, person in town.people.items():
        _dump(folder / "people" / f"{name}.yaml", town.heading, person)
    scenario = folder / f"{town.scenario['name']}.yaml"
    _dump(scenario, town.heading, town.scenario)
    return scenario
