"""What is wrong with a scenario beyond its form: unknown people, impossible times, texts that aren't sentences.

check_scenario         every problem of a scenario and of its people
check_scenario_places  addresses that the map doesn't have
read_scenario          path -> the scenario (None if its form is wrong) and all problems
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path

from kernel import Clock, DataFileError, Located, check_model
from kernel.errors import nearest
from personas import check_people, check_people_places, find_people, read_people, sentence_problem, unknown_place
from scenarios.load import find, rename
from scenarios.spec import FactSpec, NeedSpec, Scenario
from scenarios.timetable import entry_problems


def check_scenario(name_or_path: str | Path) -> list[DataFileError]:
    """All problems of a scenario file and of the people it names. Never raises for them."""
    try:
        return read_scenario(find(name_or_path))[1]
    except DataFileError as error:
        return [error]


def read_scenario(path: Path) -> tuple[Scenario | None, list[DataFileError]]:
    """Read a scenario file and its people; the scenario as written, and every problem in the order of the files."""
    scenario, located, problems = check_model(path, Scenario)
    if scenario is None or located is None:
        return None, problems
    try:
        people = find_people(scenario.people, beside=path.parent)
    except DataFileError as error:
        return scenario, [located.problem(f"there are no people '{scenario.people}'", "people", hint=error.hint)]
    files, missing = read_people(people, scenario.residents or None)
    for absent in (e for e in missing if e.file == str(people)):
        problems.append(located.problem(absent.what, "residents", hint=absent.hint))
    problems.extend(e for e in check_people(people, scenario.residents or None) if e.file != str(people))
    names = [file.name for file in files if file.name is not None]
    problems.extend(_doubled(scenario, located))
    problems.extend(_people(scenario, located, names))
    problems.extend(_facts(scenario, located))
    problems.extend(_happenings(scenario, located))
    problems.extend(_obligations(scenario, located))
    clock = Clock(scenario.start, scenario.step_seconds)
    problems.extend(entry_problems(scenario.interventions, located, clock))
    return scenario, problems


def _doubled(scenario: Scenario, located: Located) -> Iterator[DataFileError]:
    for i, name in enumerate(scenario.residents):
        if name in scenario.residents[:i]:
            yield located.problem(f"'{name}' is named twice", "residents", i, hint="leave one out")


def _people(scenario: Scenario, located: Located, names: list[str]) -> Iterator[DataFileError]:
    """Everybody mentioned must live in the town."""
    asked: list[tuple[str | None, tuple[str | int, ...]]] = []
    for key, fact in scenario.facts.items():
        asked.append((fact.about, ("facts", key, "about")))
        asked += [(name, ("facts", key, "holders", i)) for i, name in enumerate(fact.holders)]
        if fact.gathering is not None:
            asked.append((fact.gathering.host, ("facts", key, "gathering", "host")))
    for i, memory in enumerate(scenario.memories):
        asked += [(memory.resident, ("memories", i, "resident")), (memory.about, ("memories", i, "about"))]
    asked += [(happening.resident, ("happenings", i, "resident")) for i, happening in enumerate(scenario.happenings)]
    asked += [(need.resident, (*path, "resident")) for path, need in _needs(scenario)]
    asked += [(name, ("minds", name)) for name in scenario.minds]
    for name, path in asked:
        if name is not None and name not in names:
            close = nearest(name, names)
            hint = f"did you mean '{close}'?" if close else "name somebody of this scenario's residents, in full"
            yield located.problem(f"nobody in this town is called '{name}'", *path, hint=hint)


def _facts(scenario: Scenario, located: Located) -> Iterator[DataFileError]:
    for key, fact in scenario.facts.items():
        if problem := sentence_problem(fact.text):
            hint = "write a full sentence, ending with a full stop"
            yield located.problem(f"the text of '{key}' {problem}", "facts", key, "text", hint=hint)
        for i, name in enumerate(fact.holders):
            if name in fact.holders[:i]:
                yield located.problem(f"'{name}' holds '{key}' twice", "facts", key, "holders", i, hint="leave one out")
        if fact.retracts is not None and (fact.retracts == key or fact.retracts not in scenario.facts):
            others = [other for other in scenario.facts if other != key]
            close = nearest(fact.retracts, others)
            hint = f"did you mean '{close}'?" if close else "name another fact of this scenario"
            yield located.problem(f"'{key}' takes back an unknown '{fact.retracts}'", "facts", key, "retracts", hint=hint)
        yield from _fact_times(scenario, located, key, fact)
    for i, memory in enumerate(scenario.memories):
        if problem := sentence_problem(memory.text):
            hint = "write a full sentence, ending with a full stop"
            yield located.problem(f"the text of the memory {problem}", "memories", i, "text", hint=hint)


def _fact_times(scenario: Scenario, located: Located, key: str, fact: FactSpec) -> Iterator[DataFileError]:
    if fact.at is not None:
        yield from _outside(scenario, located, fact.at, "facts", key, "at")
    gathering = fact.gathering
    if gathering is None:
        return
    if gathering.end <= gathering.start:
        hint = "write both with their day, as in 2023-02-14 17:00"
        yield located.problem(f"'{gathering.name}' ends before it begins", "facts", key, "gathering", "end", hint=hint)
    else:
        yield from _outside(scenario, located, gathering.start, "facts", key, "gathering", "start")
        yield from _outside(scenario, located, gathering.end, "facts", key, "gathering", "end")


def _happenings(scenario: Scenario, located: Located) -> Iterator[DataFileError]:
    for i, happening in enumerate(scenario.happenings):
        yield from _outside(scenario, located, happening.at, "happenings", i, "at")
        needed = "resident" if happening.kind == "voice" else "place"
        if getattr(happening, needed) is None:
            hint = f"add '{needed}: ...'"
            yield located.problem(f"a happening of kind '{happening.kind}' needs a {needed}", "happenings", i, hint=hint)


NEEDED = {"present": ("place",), "state": ("place", "words"), "done": ("place", "words"), "known": ("fact",)}
"""What each kind of condition can't do without."""


def _needs(scenario: Scenario) -> Iterator[tuple[tuple[str | int, ...], NeedSpec]]:
    """Every condition with its place in the file."""
    for key, obligation in scenario.obligations.items():
        for i, need in enumerate(obligation.needs):
            yield ("obligations", key, "needs", i), need


def _obligations(scenario: Scenario, located: Located) -> Iterator[DataFileError]:
    for key, obligation in scenario.obligations.items():
        if problem := sentence_problem(obligation.text):
            hint = "write a full sentence, ending with a full stop"
            yield located.problem(f"the text of '{key}' {problem}", "obligations", key, "text", hint=hint)
        yield from _outside(scenario, located, obligation.by, "obligations", key, "by")
        if not obligation.needs:
            hint = "say what must hold, as in '- {kind: present, place: ...}'"
            yield located.problem(f"'{key}' needs nothing", "obligations", key, "needs", hint=hint)
    for path, need in _needs(scenario):
        for field in NEEDED[need.kind]:
            if not getattr(need, field):
                hint = f"add '{field}: ...'"
                yield located.problem(f"a condition of kind '{need.kind}' needs '{field}'", *path, hint=hint)
        if need.fact is not None and need.fact not in scenario.facts:
            close = nearest(need.fact, scenario.facts)
            hint = f"did you mean '{close}'?" if close else "name a fact of this scenario"
            yield located.problem(f"there is no fact '{need.fact}'", *path, "fact", hint=hint)
        by = scenario.obligations[str(path[1])].by
        if need.since is not None and need.since >= by:
            yield located.problem("it begins after the deadline", *path, "since", hint=f"the deadline is {by:%Y-%m-%d %H:%M}")
        count = len(scenario.residents)
        if count and need.at_least > count:
            yield located.problem(f"only {count} people live here", *path, "at_least", hint="ask for fewer")


def _outside(scenario: Scenario, located: Located, moment: datetime, *path: str | int) -> Iterator[DataFileError]:
    """A time that the run never reaches."""
    end = scenario.start + timedelta(days=scenario.days)
    if not scenario.start <= moment <= end:
        hint = f"the run goes from {scenario.start:%Y-%m-%d %H:%M} to {end:%Y-%m-%d %H:%M}"
        yield located.problem(f"{moment:%Y-%m-%d %H:%M} lies outside the run", *path, hint=hint)


def check_scenario_places(
    name_or_path: str | Path,
    known_addresses: Collection[str],
    known_owners: Collection[str] = (),
    sleepers: Mapping[str, int] | None = None,
) -> list[DataFileError]:
    """Addresses in a scenario and in its people's files that the map doesn't have.

    `known_addresses` are the map's, without the town, as its file has them: `rename_places` is applied here. With
    `known_owners`, the names of the map's owners, old names in `rename_places` that occur nowhere are problems too.
    `sleepers`: how many each object takes, for beds that too many people call theirs.
    """
    path = find(name_or_path)
    scenario, located, _ = check_model(path, Scenario)
    if scenario is None or located is None:
        return []
    known = sorted({rename(address, scenario.rename_places) for address in known_addresses})
    problems = []
    if known_owners:
        named = [*known_addresses, *known_owners]
        problems = [
            located.problem(f"no place and no owner is called '{old}'", "rename_places", old, hint="write it as the map does")
            for old in scenario.rename_places
            if not any(old in name for name in named)
        ]
    asked: list[tuple[str | None, tuple[str | int, ...]]] = []
    for key, fact in scenario.facts.items():
        if fact.gathering is not None:
            asked.append((fact.gathering.place, ("facts", key, "gathering", "place")))
    asked += [(happening.place, ("happenings", i, "place")) for i, happening in enumerate(scenario.happenings)]
    asked += [(need.place, (*path, "place")) for path, need in _needs(scenario)]
    problems += [unknown_place(located, place, known, *key) for place, key in asked if place is not None and place not in known]
    room = {rename(address, scenario.rename_places): count for address, count in (sleepers or {}).items()}
    return problems + check_people_places(scenario.people, known, scenario.residents or None, beside=path.parent, sleepers=room)
