"""The persona in use: from a persona file to the Person a language model sees, and to first memories.

sentences(text)          a paragraph as its sentences
person_of(...)           the Person; statements carry the ids of the records below
identity_records(...)    who one is and whom one knows, as the first records of the stream, ids NAME/-1/n
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kernel import RecordId, minutes_of
from language import Person, Statement
from memory import Record
from personas.spec import Persona
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


def statements_of(persona: Persona, seeded: int = SEEDED) -> tuple[Statement, ...]:
    """The citable sentences of a persona; statement n is also the record NAME/-1/n (NAME/step/n of who came at a step)."""
    said = [
        *(("about", sentence) for sentence in sentences(persona.about)),
        *(("rhythm", sentence) for text in persona.rhythm for sentence in sentences(text)),
        *(("aim", sentence) for text in persona.aims for sentence in sentences(text)),
        *(("speech", sentence) for sentence in sentences(persona.speech)),
    ]
    return tuple(Statement(str(RecordId(persona.name, seeded, n)), text, topic) for n, (topic, text) in enumerate(said))


def person_of(persona: Persona, town: str, *, seeded: int = SEEDED) -> Person:
    """The person as operations show them."""
    work = persona.work
    return Person(
        name=persona.name,
        age=persona.age,
        pronoun=persona.pronoun,
        occupation=persona.occupation,
        traits=persona.traits,
        statements=statements_of(persona, seeded),
        home=join(town, persona.home),
        workplace=join(town, work.place) if work else None,
        work_hours=(minutes_of(work.hours[0]), minutes_of(work.hours[1])) if work else None,
        wakes=minutes_of(persona.wakes),
        sleeps=minutes_of(persona.sleeps),
        formality=persona.formality,
        talkative=persona.talkative,
    )


def names_in(text: str, about: str | None, me: str, everybody: Sequence[str]) -> tuple[str, ...]:
    """Who a seeded memory concerns: people named in full in its text, and the one it is about."""
    return tuple(other for other in everybody if other != me and (other in text or other == about))


def identity_records(persona: Persona, everybody: Sequence[str], *, seeded: int = SEEDED) -> tuple[Record, ...]:
    """Statements, then acquaintances (`tone` is the closeness at the start), as records of step `seeded`."""
    me = persona.name
    statements = tuple(
        Record(
            RecordId(me, seeded, n), "observation", statement.text, seeded, TOPICS[statement.topic],
            people=names_in(statement.text, None, me, everybody), tag="identity",
        )
        for n, statement in enumerate(statements_of(persona, seeded))
    )  # fmt: skip
    known = tuple(
        Record(
            RecordId(me, seeded, n), "observation", other.text, seeded, 3 + round(4 * abs(other.closeness)),
            people=names_in(other.text, name, me, everybody), about=name, tag="acquaintance", how=other.how,
            tone=other.closeness,
        )
        for n, (name, other) in enumerate(persona.knows.items(), len(statements))
    )  # fmt: skip
    return statements + known
