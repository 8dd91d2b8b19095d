"""What a question asks for, in the record: the entries an answer can be made of, and how many make it whole.

    key_of(known, asked, clock)   -> Key

Which questions ask for what is in `asked.yaml`, by their names in the bank; a question that isn't there is about whom it
names, else about the entries that share its words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from kernel import Clock, load_yaml
from studies.judging.grounding.record import Entry, Known
from studies.judging.grounding.words import read

ABOUT_IT = 0.5
"""Share of the words asked about that an entry must hold."""


@dataclass(frozen=True, slots=True)
class AskedFor:
    """A question as it was put: its name in the bank, its words, and what filled its blanks."""

    item: str
    text: str
    blanks: Mapping[str, str]
    knowable: bool = True


@dataclass(frozen=True, slots=True)
class Key:
    """`entries` are positions in the record; `need` of them make a whole answer. `open`: a question about what never
    happened, that the record can't answer but shouldn't be contradicted by."""

    entries: frozenset[int]
    need: int = 1
    open: bool = False


def key_of(known: Known, asked: AskedFor, clock: Clock) -> Key:
    """The part of the record that answers a question."""
    if not asked.knowable:
        return Key(frozenset())
    rule = _rules().get(asked.item, {"key": "words"})
    if rule["key"] == "open":
        return Key(frozenset(), open=True)
    found = _KEYS[rule["key"]](known, asked, clock, rule)
    return Key(frozenset(found), min(int(rule.get("need", 1)), max(len(found), 1)))


@cache
def _rules() -> Mapping[str, Mapping[str, Any]]:
    data: Mapping[str, Mapping[str, Any]] = load_yaml(Path(__file__).with_name("asked.yaml")).data
    return data


Rule = Mapping[str, Any]


def _where(known: Known, wanted: Callable[[Entry], bool]) -> list[int]:
    return [i for i, entry in enumerate(known.entries) if wanted(entry)]


def _tagged(known: Known, asked: AskedFor, clock: Clock, rule: Rule) -> list[int]:
    """Entries with one of the rule's tags or kinds; of those from the start only with `seeded`."""
    tags = set(rule["tags"])
    return _where(known, lambda entry: entry.tag in tags or entry.kind in tags)


def _household(known: Known, asked: AskedFor, clock: Clock, rule: Rule) -> list[int]:
    household = next((entry for entry in known.entries if entry.tag == "household"), None)
    words = household.words if household is not None else read("", ())
    return _where(
        known,
        lambda entry: (
            entry is household or (entry.seeded and (entry.about in words.people or bool(entry.words.stems & words.stems)))
        ),
    )


def _person(known: Known, asked: AskedFor, clock: Clock, rule: Rule) -> list[int]:
    names = {asked.blanks[blank] for blank in rule["blanks"] if blank in asked.blanks}
    if not names:
        return _tagged(known, asked, clock, {"tags": rule["otherwise"]})
    return _where(known, lambda e: e.kind != "plan" and (e.about in names or bool(names & (e.people | e.words.people))))


def _news(known: Known, asked: AskedFor, clock: Clock, rule: Rule) -> list[int]:
    told = [asked.blanks[blank] for blank in rule["blanks"] if blank in asked.blanks]
    if not told:
        return _tagged(known, asked, clock, {"tags": rule["otherwise"]})
    return _like(known, " ".join(told), 0.8)


def _planned(known: Known, asked: AskedFor, clock: Clock, rule: Rule) -> list[int]:
    """Plans, sleep and gatherings at a time of the day of asking; or what is over by then."""
    hour, minute = map(int, str(rule["time"]).split(":"))
    at = clock.step_on(clock.day(known.step - 1 if known.step else 0), hour * 60 + minute)
    slack = clock.steps(minutes=75)
    ends = bool(rule.get("finished"))

    def fits(entry: Entry) -> bool:
        if entry.span is None or entry.tag == "day":
            return False
        start, end = entry.span
        return at - slack <= end <= at if ends else start <= at < end

    return _where(known, fits)


def _words(known: Known, asked: AskedFor, clock: Clock, rule: Rule) -> list[int]:
    words = read(asked.text, known.everybody)
    if words.people:
        return _person(known, AskedFor(asked.item, "", dict(enumerate_names(words.people))), clock,
                       {"blanks": [str(n) for n in range(len(words.people))]})  # fmt: skip
    return _like(known, asked.text, ABOUT_IT)


def enumerate_names(names: frozenset[str]) -> list[tuple[str, str]]:
    """Numbered names, in order."""
    return [(str(n), name) for n, name in enumerate(sorted(names))]


def _like(known: Known, text: str, share: float) -> list[int]:
    return [int(i) for i in np.flatnonzero(known.share(read(text, known.everybody)) >= share)]


_KEYS: Mapping[str, Callable[[Known, AskedFor, Clock, Rule], list[int]]] = {
    "tagged": _tagged,
    "household": _household,
    "person": _person,
    "news": _news,
    "planned": _planned,
    "words": _words,
}
