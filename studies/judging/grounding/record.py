"""What the run's record holds about a resident as of a step, laid out for looking things up.

    KnownOf(run)                the records of a run
      .at(resident, step)       -> Known
    Known.support(words)        -> Support: which entries carry a claim
    Entry                       one thing on record

Everything is read, whatever a condition hides: the judge knows what the resident could know at best. Beside memories there
are entries for what a persona says in fields and not in sentences: the occupation, the place of work, the household.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from memory import Record
from simulation.measures import Reading, sector_of
from simulation.storing.runfile import RunFile
from studies.judging.grounding.words import Words, read
from town.tree import leaf

ENOUGH, ENOUGH_OF_TWO = 0.6, 0.75
"""Share of a claim's content (weighted by rarity) that one entry, or two together, must hold to carry it."""
LIKE = 0.6
"""Share from which an entry is about the same thing, so that it can contradict."""


@dataclass(frozen=True, slots=True)
class Entry:
    """`kind` and `tag` of the memory ("persona" of what only the persona says); `span` in steps, of plans and
    of the gathering that a piece of news announces."""

    id: str
    text: str
    kind: str
    tag: str
    words: Words
    about: str | None
    people: frozenset[str]
    span: tuple[int, int] | None
    seeded: bool


@dataclass(frozen=True, slots=True)
class Support:
    """`carrying` are positions of entries that carry the claim, best first; `against` the entry it contradicts, if any.

    `thin`: a claim of one word ("I'm asleep"), that counts only where that word answers the question.
    """

    carrying: tuple[int, ...] = ()
    against: int | None = None
    thin: bool = False


class Known:
    """The entries of one resident as of one step."""

    def __init__(self, resident: str, step: int, entries: Sequence[Entry], everybody: Sequence[str]) -> None:
        self.resident = resident
        self.step = step
        self.entries = tuple(entries)
        self.everybody = tuple(everybody)
        self._postings: dict[str, list[int]] = {}
        for position, entry in enumerate(self.entries):
            for term in (*entry.words.stems, *map(_person, entry.words.people | entry.people)):
                self._postings.setdefault(term, []).append(position)
        self._arrays = {term: np.array(places, dtype=np.int64) for term, places in self._postings.items()}

    def weight(self, term: str) -> float:
        """Rarity of a term in the record; of one that doesn't occur the most."""
        return math.log((len(self.entries) + 2) / (len(self._postings.get(term, ())) + 1))

    def share(self, words: Words) -> NDArray[np.float64]:
        """The share of a claim's content that each entry holds."""
        terms = self._terms(words)
        found = np.zeros(len(self.entries))
        total = sum(self.weight(term) for term in terms)
        if total <= 0:
            return found
        for term in terms:
            places = self._arrays.get(term)
            if places is not None:
                found[places] += self.weight(term)
        return found / total

    def holding(self, stem: str) -> tuple[int, ...]:
        """Entries that hold a word."""
        return tuple(self._postings.get(stem, ()))

    def support(self, words: Words) -> Support:
        """What carries a claim, or speaks against it."""
        share = self.share(words)
        if not len(share):
            return Support()
        order = [int(i) for i in np.argsort(-share, kind="stable")[:12]]
        carrying = tuple(i for i in order if share[i] >= ENOUGH and self._agrees(words, self.entries[i]))
        if carrying:
            return Support(carrying)
        pair = self._pair(words, order)
        if pair:
            return Support(pair)
        against = next((i for i in order if self._contradicts(words, self.entries[i])), None)
        return Support(against=against)

    def _terms(self, words: Words) -> list[str]:
        return sorted({*words.stems, *(_person(name) for name in words.people if name != self.resident)})

    def _agrees(self, words: Words, entry: Entry) -> bool:
        """Nobody else is named, no other time is given, and neither denies what the other says."""
        if words.people - entry.words.people - entry.people - {self.resident}:
            return False
        if words.times and (entry.words.times or entry.span is not None) and not words.times <= self.times(entry):
            return False
        return words.denies == entry.words.denies

    def _pair(self, words: Words, order: Sequence[int]) -> tuple[int, ...]:
        """Two entries that hold the claim between them."""
        terms = self._terms(words)
        total = sum(self.weight(term) for term in terms)
        if total <= 0 or not order:
            return ()
        first = self.entries[order[0]]
        held = first.words.stems | {_person(name) for name in first.words.people | first.people}
        left = [term for term in terms if term not in held]
        for i in order[1:]:
            other = self.entries[i]
            if not words.stems & other.words.stems:  # a name alone isn't half of a claim
                continue
            more = other.words.stems | {_person(name) for name in other.words.people | other.people}
            missing = sum(self.weight(term) for term in left if term not in more)
            named = all(not term.startswith("\x1f") or term in more for term in left)
            if named and 1 - missing / total >= ENOUGH_OF_TWO and words.denies in (first.words.denies, other.words.denies):
                return (order[0], i)
        return ()

    def _contradicts(self, words: Words, entry: Entry) -> bool:
        """An entry says the same of another person, for another time, or the opposite."""
        bare = {term for term in words.stems if term not in entry.words.stems}
        total = sum(self.weight(term) for term in words.stems)
        if total <= 0 or len(words.stems) < 2 or 1 - sum(self.weight(term) for term in bare) / total < LIKE:
            return False
        other_person = bool(words.people and entry.words.people and not words.people & (entry.words.people | entry.people))
        other_time = bool(words.times and self.times(entry) and not words.times & self.times(entry))
        return other_person or other_time or words.denies != entry.words.denies

    def times(self, entry: Entry) -> frozenset[int]:
        """Times of day an entry gives in words."""
        return entry.words.times


class KnownOf:
    """Reads the record of a run."""

    def __init__(self, run: RunFile) -> None:
        self.reading = Reading(run)
        self.clock = self.reading.clock
        self._kept: dict[tuple[str, int], Known] = {}

    def at(self, resident: str, step: int) -> Known:
        """A resident's record as all steps before `step` left it. Raises KeyError for who doesn't live there."""
        if (resident, step) not in self._kept:
            self._kept = {(resident, step): self._known(resident, step)}  # answers come resident by resident
        return self._kept[resident, step]

    def _known(self, resident: str, step: int) -> Known:
        everybody = self.reading.names
        entries = [
            Entry(
                str(one.id), one.text, one.kind, one.tag, read(one.text, everybody), one.about, frozenset(one.people),
                one.span or _time_of(one), one.created < 0,
            )
            for one in self.reading.memories[resident]
            if one.created < step
        ]  # fmt: skip
        slept = [
            Entry(
                str(act.id), act.text, "act", "asleep", read(f"{act.text} asleep", everybody), None, frozenset(),
                (act.start, act.end), False,
            )
            for act in self.reading.acts[resident]
            if act.asleep and act.start < step
        ]  # fmt: skip
        return Known(resident, step, [*self._persona(resident), *slept, *entries], everybody)

    def _persona(self, resident: str) -> list[Entry]:
        occupation, home, workplace = self._fields[resident]
        house = sector_of(home)
        mates = [name for name, (_, other, _) in self._fields.items() if name != resident and sector_of(other) == house]
        told = {
            "occupation": occupation,
            "workplace": " ".join(leaf(part) for part in (workplace, sector_of(workplace))) if workplace else "",
            "household": " ".join(mates) + " live " + leaf(house),
            "name": resident,
        }
        return [
            Entry(f"persona/{tag}", text, "persona", tag, read(text, self.reading.names), None, frozenset(), None, True)
            for tag, text in told.items()
            if text
        ]

    @cached_property
    def _fields(self) -> dict[str, tuple[str, str, str]]:
        rows = self.reading.run.rows("SELECT name, occupation, home, workplace, persona FROM residents ORDER BY position")
        return {name: (occupation, home, workplace or json.loads(persona).get("workplace") or "") for name, occupation, home,
                workplace, persona in rows}  # fmt: skip


def _time_of(record: Record) -> tuple[int, int] | None:
    gathering = record.fact.gathering if record.fact is not None else None
    return None if gathering is None else (gathering.start, gathering.end)


def _person(name: str) -> str:
    return f"\x1f{name}"
