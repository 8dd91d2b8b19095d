"""What residents bring with them: personas and scenario facts as people, facts and first memories.

    facts_of(...)               the scenario's facts as values
    seed_records(...)           the first memories of one resident, ids NAME/-1/n
    tidings_of, happenings_of   what the scenario tells people, and lets happen, on the way

Order of the first memories: identity (about, rhythm, aims, speech), acquaintances, facts held at the start, further
memories. All of them have step -1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from agents.mind import Tiding
from agents.persona import SEEDED, identity_records, names_in
from kernel import Clock, RecordId
from memory.record import Record
from personas.spec import Persona
from scenarios.spec import FactSpec, Scenario
from town.happenings import Happening
from town.speech import Fact, Gathering
from town.tree import join


def fact_of(name: str, spec: FactSpec, town: str, clock: Clock) -> Fact:
    """One fact of the scenario; its id is its name."""
    announced = spec.gathering
    gathering = None
    if announced is not None:
        start, end = clock.step_at(announced.start), clock.step_at(announced.end)
        gathering = Gathering(announced.name, join(town, announced.place), start, end, announced.host)
    return Fact(name, spec.text, spec.about, spec.private, gathering, spec.retracts)


def facts_of(scenario: Scenario, town: str, clock: Clock) -> dict[str, Fact]:
    """All facts of the scenario by name."""
    return {name: fact_of(name, spec, town, clock) for name, spec in scenario.facts.items()}


def tidings_of(scenario: Scenario, facts: Mapping[str, Fact]) -> dict[str, Tiding]:
    """What the scenario puts into minds on the way, by the key that a signal `told` names."""
    return {
        name: Tiding(spec.text, spec.importance, spec.about, facts[name])
        for name, spec in scenario.facts.items()
        if spec.at is not None
    }


def happenings_of(scenario: Scenario, town: str, clock: Clock) -> tuple[Happening, ...]:
    """What happens to the town on the way, in order of time: the scenario's happenings, and facts told at a time."""
    told = [
        Happening(clock.step_at(spec.at), "told", name, resident=holder)
        for name, spec in scenario.facts.items()
        if spec.at is not None
        for holder in spec.holders
    ]
    rest = []
    for spec in scenario.happenings:
        at = clock.step_at(spec.at)
        place = join(town, spec.place) if spec.place is not None else None
        until = at + clock.steps(minutes=spec.minutes) if spec.kind == "event" else None
        rest.append(Happening(at, spec.kind, spec.text, place, spec.resident, until))
    return tuple(sorted((*told, *rest), key=lambda happening: happening.at))


def seed_records(persona: Persona, scenario: Scenario, facts: Mapping[str, Fact], everybody: Sequence[str]) -> tuple[Record, ...]:
    """What one resident remembers when the run begins."""
    name = persona.name
    records = list(identity_records(persona, everybody))

    def add(text: str, importance: int, tag: str, about: str | None = None, **more: Any) -> None:
        people = names_in(text, about, name, everybody)
        records.append(
            Record(
                RecordId(name, SEEDED, len(records)), "observation", text, SEEDED, importance,
                people=people, about=None if about == name else about, tag=tag, **more,
            )
        )  # fmt: skip

    for key, spec in scenario.facts.items():
        if name in spec.holders and spec.at is None:
            add(spec.text, spec.importance, "learned", spec.about, fact=facts[key])
    for memory in scenario.memories:
        if memory.resident == name:
            add(memory.text, memory.importance, "", memory.about)
    return tuple(records)
