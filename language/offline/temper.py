"""What a person's traits incline them to, in the few words that planning and reacting ask about.

`leanings(person)` -> some of "sociable", "quiet", "active", "practical", "timid", "busy", "tidy"; `sociability` 0..1.
Trait words that the lexicon doesn't hold count by likeness to those it does (`wording/planning.yaml`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from language.offline.similarity import nearest_texts
from language.values import Person
from language.wording.loader import templates

ALIKE = 0.5


@lru_cache(maxsize=512)
def leanings_of(traits: tuple[str, ...]) -> frozenset[str]:
    """The leanings of some trait adjectives."""
    table: dict[str, list[str]] = templates("planning")["traits"]
    found: set[str] = set()
    for trait in traits:
        low = trait.lower()
        known = [leaning for leaning, words in table.items() if low in words]
        if not known:
            anchors: Any = tuple((leaning, word) for leaning, words in table.items() for word in words)
            nearest, likeness = nearest_texts(low, anchors)[0]
            known = [nearest] if likeness >= ALIKE else []
        found.update(known)
    return frozenset(found)


def leanings(person: Person) -> frozenset[str]:
    """The leanings of a person."""
    return leanings_of(person.traits)


def sociability(person: Person) -> float:
    """0 (keeps to themselves) .. 1 (seeks company), from talkativeness and traits."""
    lean = leanings_of(person.traits)
    return min(1.0, max(0.0, person.talkative + 0.2 * ("sociable" in lean) - 0.2 * ("quiet" in lean) - 0.1 * ("timid" in lean)))
