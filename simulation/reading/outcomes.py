"""What came of a life: who knew what, who talked with whom, who spent how long where, what everybody did.

    Outcome            all of it, between two steps
    outcome(run, ...)  reads it from a run file

The same questions for one run, for two that are compared (`comparing`), and for many of an experiment.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from simulation.storing.runfile import RunFile

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Of a run in steps [since, until); knowledge as of `until`.

    knew      tracked fact -> resident -> step of learning (-1: from the start)
    talks     pair of names in alphabetical order -> conversations both took part in
    minutes   resident -> sector address -> game minutes
    rooms     resident -> (start, end, arena address) stretches
    acts      resident -> how often each act (in words) was begun
    utterances, invitations    how many
    """

    since: int
    until: int
    knew: dict[str, dict[str, int]]
    talks: Counter[Pair]
    minutes: dict[str, dict[str, float]]
    rooms: dict[str, list[tuple[int, int, str]]]
    acts: dict[str, Counter[str]]
    utterances: int


def outcome(run: RunFile, since: int = 0, until: int | None = None) -> Outcome:
    """Reads it. `until` None: all that was lived."""
    from simulation.measures import Reading, Whereabouts, sector_of, spread

    reading = Reading(run)
    end = reading.committed = reading.committed if until is None else min(until, reading.committed)
    knew = {name: {one.resident: one.step for one in spread(reading, fact.id)} for name, fact in reading.tracked.items()}
    talks: Counter[Pair] = Counter()
    for words in reading.conversations.values():
        if any(since <= said.step for said in words):
            talks.update(pairs(name for said in words for name in (said.speaker, *said.to)))
    rooms = {
        name: [(max(start, since), stop, room) for start, stop, room in stretches if stop > since]
        for name, stretches in Whereabouts(reading).rooms.items()
    }
    minutes: dict[str, dict[str, float]] = {}
    for name, stretches in rooms.items():
        mine = minutes.setdefault(name, {})
        for start, stop, room in stretches:
            sector = sector_of(room)
            mine[sector] = mine.get(sector, 0.0) + reading.clock.hours(stop - start) * 60
    acts = {name: Counter(act.text for act in done if act.start >= since) for name, done in reading.acts.items()}
    return Outcome(since, end, knew, talks, minutes, rooms, acts, sum(since <= said.step for said in reading.said))


def pairs(names: Iterable[str]) -> list[Pair]:
    """Every two of some names, each pair once, in alphabetical order."""
    return list(combinations(sorted(set(names)), 2))


def apart(one: Outcome, other: Outcome, step: int) -> list[str]:
    """Who is in another room in the other life as `step` begins (residents of both, by name)."""
    return [name for name in sorted(one.rooms.keys() & other.rooms.keys()) if _room(one, name, step) != _room(other, name, step)]


def time_apart(one: Outcome, other: Outcome) -> float:
    """The share of all residents' time spent in another room than in the other life, 0 to 1."""
    names = sorted(one.rooms.keys() & other.rooms.keys())
    until = min(one.until, other.until)
    whole = (until - max(one.since, other.since)) * len(names)
    return sum(_apart(one.rooms[name], other.rooms[name], until) for name in names) / whole if whole > 0 else 0.0


def acts_changed(one: Outcome, other: Outcome) -> int:
    """How many acts begun in one life have no counterpart (same resident, same words) in the other, both ways."""
    names = one.acts.keys() | other.acts.keys()
    none: Counter[str] = Counter()
    return sum(
        (
            (one.acts.get(name, none) - other.acts.get(name, none)) + (other.acts.get(name, none) - one.acts.get(name, none))
        ).total()
        for name in names
    )


def _room(life: Outcome, name: str, step: int) -> str:
    return next((room for start, stop, room in life.rooms[name] if start <= step < stop), "")


def _apart(mine: list[tuple[int, int, str]], theirs: list[tuple[int, int, str]], until: int) -> int:
    """Steps in which two rows of stretches differ."""
    steps, here, there = 0, 0, 0
    while here < len(mine) and there < len(theirs):
        start, end = max(mine[here][0], theirs[there][0]), min(mine[here][1], theirs[there][1], until)
        if mine[here][2] != theirs[there][2]:
            steps += max(0, end - start)
        if mine[here][1] <= theirs[there][1]:
            here += 1
        else:
            there += 1
    return steps
