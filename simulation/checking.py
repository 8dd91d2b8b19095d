"""Validating data files: which kind a file is, and everything that is wrong with it.

check_files(paths)    maps, persona files or folders, scenarios (told apart by their keys)
check_shipped()       everything that comes with Townfolk
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import maps
import personas
import scenarios
from kernel import DataFileError, TownfolkError, UsageError, load_yaml
from maps import MapSpec
from simulation.compose import settings_of
from simulation.interventions.timetable import check_timetable

_PERSONA = {"wakes", "rhythm", "occupation", "traits"}
Checked = tuple[list[str], list[DataFileError]]


def check_files(paths: Iterable[Path]) -> Checked:
    """-> names of the files (or folders) checked, and all problems in that order."""
    checked: list[str] = []
    problems: list[DataFileError] = []
    for path in paths:
        checked.append(str(path))
        problems.extend(_check(path))
    return checked, _once(problems)


def check_shipped() -> Checked:
    """All maps, people and scenarios that come with Townfolk."""
    checked: list[str] = []
    problems: list[DataFileError] = []
    for name in maps.map_names():
        path = maps.map_path(name)
        checked.append(str(path))
        problems.extend(maps.check_map(path))
    for folder in personas.people_folders():
        path = personas.find_people(folder)
        checked.append(str(path))
        problems.extend(personas.check_people(path))
    for name in scenarios.names():
        path = scenarios.find(name)
        checked.append(str(path))
        problems.extend(check_whole_scenario(path))
    return checked, _once(problems)


def _once(problems: Iterable[DataFileError]) -> list[DataFileError]:
    """Each problem once: a scenario's people may have been checked by themselves, too."""
    return list({problem.sentence(): problem for problem in problems}.values())


def check_whole_scenario(path: Path) -> list[DataFileError]:
    """A scenario with its people and the map they live on."""
    problems = scenarios.check_scenario(path)
    if problems:
        return problems
    try:
        town = maps.load_map(scenarios.load(path).map)
    except DataFileError as error:
        return [error]
    except TownfolkError as error:
        return [DataFileError(error.what, file=str(path), hint=error.hint)]
    return [*_settings(path), *scenarios.check_scenario_places(path, addresses(town), sleepers=capacities(town))]


def _settings(path: Path) -> Iterator[DataFileError]:
    """What is wrong with a scenario's settings, each by itself."""
    located = load_yaml(path)
    for key, value in (located.data.get("settings") or {}).items():
        try:
            settings_of({key: value})
        except UsageError as error:
            yield located.problem(error.what, "settings", key, hint=error.hint)


def addresses(town: MapSpec) -> frozenset[str]:
    """All addresses of a map, without the town."""
    found: list[str] = []
    for sector in town.sectors:
        found.append(sector.name)
        for arena in sector.arenas:
            found.append(f"{sector.name} : {arena.name}")
            found.extend(f"{sector.name} : {arena.name} : {thing.name}" for thing in arena.objects)
    return frozenset(found)


def capacities(town: MapSpec) -> dict[str, int]:
    """How many each object of a map takes, by address without the town."""
    return {
        f"{sector.name} : {arena.name} : {thing.name}": thing.capacity
        for sector in town.sectors
        for arena in sector.arenas
        for thing in arena.objects
    }


def _check_folder(path: Path) -> list[DataFileError]:
    """A folder of people as a whole; of a folder with other things in it (as `town new` makes them), each by itself."""
    files = sorted(file for file in path.iterdir() if file.suffix in (".yaml", ".yml"))
    if all(_is_persona(file) for file in files) and not (not files and any(child.is_dir() for child in path.iterdir())):
        return personas.check_people(path)
    found = [*files, *sorted(child for child in path.iterdir() if child.is_dir())]
    return [problem for one in found for problem in _check(one)]


def _is_persona(file: Path) -> bool:
    try:
        return not _keys(file) or bool(_PERSONA & _keys(file))
    except DataFileError:
        return True  # whatever is wrong with it is said by whoever reads people


def _keys(file: Path) -> set[str]:
    data = load_yaml(file).data
    return set(data) if isinstance(data, dict) else set()


def _check(path: Path) -> list[DataFileError]:
    if path.is_dir():
        return _check_folder(path)
    try:
        keys = _keys(path)
    except DataFileError as error:
        return [error]
    if {"people", "facts", "residents"} & keys:
        return check_whole_scenario(path)
    if {"sectors", "size"} & keys:
        return maps.check_map(path)
    if _PERSONA & keys:
        return personas.check_people(path)
    if keys == {"interventions"}:
        return check_timetable(path)
    hint = "a map has sectors, a persona has a rhythm, a scenario has people, a timetable has interventions"
    return [DataFileError("this is neither a map nor a persona nor a scenario", file=str(path), hint=hint)]
