"""What residents bring with them: personas and scenario facts as people, facts and first memories.

    sentences(text)             a paragraph as its sentences
    person_of(...)              the Person a language model sees; statements carry the ids of the records below
    facts_of(...)               the scenario's facts as values
    seed_records(...)           the first memories of one resident, ids NAME/-1/n
    tidings_of, happenings_of   what the scenario tells people, and lets happen, on the way

Order of the first memories: identity (about, rhythm, aims, speech), acquaintances, facts held at the start, further
memories. All of them have step -1.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from agents.mind import Tiding
from kernel import Clock, RecordId, minutes_of
from language.values import Person, Statement
from memory.record import Record
from personas.spec import Persona
from scenarios.spec import FactSpec, Scenario
from town.happenings import Happening
from town.speech import Fact, Gathering
from town.tree import join

SEEDED = -1
TOPICS = {"about": 5, "rhythm": 4, "aim": 6, "speech": 3}
"""Topics of identity statements in order, with the importance of their records."""

_BREAK = re.compile(r"(?<=[.!?])[\"'”’)]*\s+(?=[\"'“‘(]*[A-Z0-9])")
_ABBREVIATED = re.compile(r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|No|etc|e\.g|i\.e)|\b[A-Z])\.$")


def sentences(text: str) -> tuple[str, ...]:
    """A paragraph as its sentences; initials and common titles ("Dr. Lee") don't end one."""
    out: list[str] = []
    start = 0
    for found in _BREAK.finditer(text):
        if not _ABBREVIATED.search(text[start : found.start()]):
            out.append(text[start : found.end()].strip())
            start = found.end()
    out.append(text[start:].strip())
    return tuple(" ".join(sentence.split()) for sentence in out if sentence)


def statements_of(persona: Persona) -> tuple[Statement, ...]:
    """The citable sentences of a persona; statement n is also the record NAME/-1/n."""
    said = [
        *(("about", sentence) for sentence in sentences(persona.about)),
        *(("rhythm", sentence) for text in persona.rhythm for sentence in sentences(text)),
        *(("aim", sentence) for text in persona.aims for sentence in sentences(text)),
        *(("speech", sentence) for sentence in sentences(persona.speech)),
    ]
    return tuple(Statement(str(RecordId(persona.name, SEEDED, n)), text, topic) for n, (topic, text) in enumerate(said))


def person_of(persona: Persona, town: str) -> Person:
    """The person as operations show them."""
    work = persona.work
    return Person(
        name=persona.name,
        age=persona.age,
        pronoun=persona.pronoun,
        occupation=persona.occupation,
        traits=persona.traits,
        statements=statements_of(persona),
        home=join(town, persona.home),
        workplace=join(town, work.place) if work else None,
        work_hours=(minutes_of(work.hours[0]), minutes_of(work.hours[1])) if work else None,
        wakes=minutes_of(persona.wakes),
        sleeps=minutes_of(persona.sleeps),
        formality=persona.formality,
        talkative=persona.talkative,
    )


def fact_of(name: str, spec: FactSpec, town: str, clock: Clock) -> Fact:
    """One fact of the scenario; its id is its name."""
    gathering = spec.gathering and Gathering(
        name=spec.gathering.name,
        place=join(town, spec.gathering.place),
        start=clock.step_at(spec.gathering.start),
        end=clock.step_at(spec.gathering.end),
        host=spec.gathering.host,
    )
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
    records: list[Record] = []

    def add(text: str, importance: int, tag: str, about: str | None = None, **more: Any) -> None:
        people = tuple(other for other in everybody if other != name and (other in text or other == about))
        records.append(
            Record(
                RecordId(name, SEEDED, len(records)), "observation", text, SEEDED, importance,
                people=people, about=None if about == name else about, tag=tag, **more,
            )
        )  # fmt: skip

    for statement in statements_of(persona):
        add(statement.text, TOPICS[statement.topic], "identity")
    for other, known in persona.knows.items():
        add(known.text, 3 + round(4 * abs(known.closeness)), "acquaintance", other, how=known.how, tone=known.closeness)
    for key, spec in scenario.facts.items():
        if name in spec.holders and spec.at is None:
            add(spec.text, spec.importance, "learned", spec.about, fact=facts[key])
    for memory in scenario.memories:
        if memory.resident == name:
            add(memory.text, memory.importance, "", memory.about)
    return tuple(records)
