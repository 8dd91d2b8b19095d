"""A persona's ordinary day: its sentences about habits, read once, each with a time of day.

Parts: `Habit` and `Routine`; `routine_of(person)`; `minutes_for(activity)` (usual and longest duration).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from language.offline.affordances import affordance_of
from language.offline.grammar import gerund_to_base
from language.offline.reading import Reading, meal_of, read
from language.offline.reading_times import BEDTIME, WAKING
from language.values import Person, Statement
from language.wording.loader import templates

DAY = 1440


@dataclass(frozen=True, slots=True)
class Habit:
    """One thing a persona does on ordinary days.

    id      of the Statement it was read from      start  minutes since midnight, may pass 1440
    fixed   an hour was stated; otherwise it may move between `earliest` and `latest`
    """

    id: str
    reading: Reading
    start: int
    fixed: bool
    earliest: int
    latest: int
    usual: int
    most: int
    meal: str | None


@dataclass(frozen=True, slots=True)
class Routine:
    """`habits` in the order of the day; `never` what is never done (base form, id); `starts` usual minute by text."""

    habits: tuple[Habit, ...]
    never: tuple[tuple[str, str], ...]
    starts: dict[str, int]


def routine_of(person: Person) -> Routine:
    """The routine that a person's sentences tell."""
    return _routine(
        tuple(s for s in person.statements if s.topic == "rhythm"), person.name, person.wakes, person.sleeps, person.work_hours
    )


@lru_cache(maxsize=8192)
def minutes_for(activity: str) -> tuple[int, int]:
    """(usual, at most) minutes of an activity in the -ing form."""
    table: dict[str, list[int]] = templates("planning")["minutes"]
    meal = meal_of(gerund_to_base(activity))
    if meal is not None:
        usual: int = templates("planning")["meal_minutes"][meal]
        return usual, max(usual + 20, 60)
    for affordance, _ in affordance_of(activity)[:1]:
        if affordance in table:
            return table[affordance][0], table[affordance][1]
    return table["default"][0], table["default"][1]


@lru_cache(maxsize=512)
def _routine(statements: tuple[Statement, ...], name: str, wakes: int, sleeps: int, work: tuple[int, int] | None) -> Routine:
    found: list[tuple[str, Reading]] = [(s.id, r) for s in statements for r in read(s.text, name)]
    never = tuple((reading.base, ident) for ident, reading in found if reading.negative)
    kept = [(ident, reading) for ident, reading in found if not reading.negative]
    hours = _stated(kept, wakes, sleeps)
    anchors = _anchors(kept, hours, wakes, sleeps, work)
    habits = []
    previous = wakes
    for (ident, reading), hour in zip(kept, hours, strict=True):
        usual, most = minutes_for(reading.activity)
        if reading.cue.minutes:
            usual, most = reading.cue.minutes, max(reading.cue.minutes, most)
        if reading.cue.until is not None and hour is not None and reading.cue.until > hour:
            usual = most = reading.cue.until - hour
        if hour is not None:
            start, earliest, latest = hour, hour, hour
        else:
            start, earliest, latest = _loose(reading, usual, previous, anchors, wakes, sleeps)
        meal = reading.meal or _implied_meal(reading, start, wakes)
        if meal is not None and reading.meal is None:
            usual = templates("planning")["meal_minutes"][meal]
        habits.append(Habit(ident, reading, start, hour is not None, earliest, latest, usual, most, meal))
        previous = max(previous, start) if not (reading.cue.relative and reading.cue.relative[1] == "bed") else previous
    ordered = tuple(habits[i] for i in sorted(range(len(habits)), key=lambda i: (habits[i].start, i)))
    starts: dict[str, int] = {}
    for habit in ordered:
        starts.setdefault(habit.reading.activity, habit.start)
        starts.setdefault(habit.reading.whole, habit.start)
    return Routine(ordered, never, starts)


def _stated(kept: list[tuple[str, Reading]], wakes: int, sleeps: int) -> list[int | None]:
    """Each reading's stated hour; an hour without "morning" or "evening" is the next such hour as the sentences go."""
    hours: list[int | None] = []
    previous = wakes
    for _, reading in kept:
        at = reading.cue.at
        if at is None:
            hours.append(None)
            window = reading.cue.window
            if window is not None and 0 < window[0] < BEDTIME - 1000:
                previous = max(previous, window[0])
            continue
        at = _hour(at, reading.cue.sure, reading.meal, previous, wakes, sleeps)
        hours.append(at)
        previous = at
    return hours


def _hour(at: int, sure: bool, meal: str | None, previous: int, wakes: int, sleeps: int) -> int:
    options = [at] if sure else [at % 720, at % 720 + 720]
    options = [o + DAY if o < wakes - 30 and o + DAY <= sleeps else o for o in options]
    ranges: dict[str, list[int]] = templates("planning")["meal_ranges"]
    if meal is not None and not sure:
        low, high = ranges[meal]
        options = [o for o in options if low <= o <= high] or options
    awake = [o for o in options if wakes - 30 <= o <= sleeps] or options
    later = [o for o in sorted(awake) if o >= previous - 15]
    return later[0] if later else sorted(awake)[0]


def _anchors(
    kept: list[tuple[str, Reading]], hours: list[int | None], wakes: int, sleeps: int, work: tuple[int, int] | None
) -> dict[str, tuple[int, int]]:
    """(start, end) of what "before" and "after" refer to."""
    data: dict[str, Any] = templates("planning")
    found: dict[str, tuple[int, int]] = {}
    for (_, reading), hour in zip(kept, hours, strict=True):
        usual = minutes_for(reading.activity)[0]
        at = hour
        if at is None and reading.cue.window is not None and reading.meal is not None:
            at = max(reading.cue.window[0], wakes)
        if at is None:
            continue
        if reading.cue.until is not None and hour is not None and reading.cue.until > hour:
            usual = reading.cue.until - hour
        if reading.meal is not None:
            found.setdefault(reading.meal, (at, at + usual))
        for affordance, _ in affordance_of(reading.activity)[:1]:
            if affordance in ("attend_class", "teach"):
                found.setdefault("class", (at, at + usual))
            elif affordance == "sleep":
                found.setdefault("nap", (at, at + usual))
    found.setdefault("breakfast", (wakes + 40, wakes + 80))
    found.setdefault("lunch", (750, 795))
    dinner = min(max(1080, data["meal_times"]["dinner"][0]), sleeps - 120)
    found.setdefault("dinner", (dinner, dinner + 55))
    found.setdefault("work", work or (540, 1020))
    found.setdefault("opening", (found["work"][0], found["work"][0]))
    found.setdefault("class", (540, 700))
    found.setdefault("nap", (found["lunch"][1], found["lunch"][1] + 60))
    found["bed"] = (sleeps, sleeps)
    found["noonish"] = (600, 720)
    found["dark"] = (1080, 1080)
    found["dawn"] = (360, 360)
    return found


def _loose(
    reading: Reading, usual: int, previous: int, anchors: dict[str, tuple[int, int]], wakes: int, sleeps: int
) -> tuple[int, int, int]:
    """(start, earliest, latest) of something no hour is stated for."""
    if reading.cue.relative is not None:
        side, anchor = reading.cue.relative
        start, end = anchors.get(anchor, (previous, previous))
        if side == "before":
            lead = min(usual, 50) if anchor == "bed" else usual
            at = max(wakes, start - lead)
            return at, max(wakes, at - 30), max(at, start - 10)
        at = min(end if side == "after" else start, sleeps - 30)
        return at, at, min(at + 30, sleeps - 20)
    if reading.cue.window is not None:
        low = _minute(reading.cue.window[0], wakes, sleeps)
        high = _minute(reading.cue.window[1], wakes, sleeps)
        if reading.cue.window == (WAKING, WAKING):
            return wakes, wakes, wakes + 30
        low, high = max(low, wakes), min(max(high, low + 30), sleeps)
        at = min(max(low, previous + 30 if previous > low else low), max(low, high - 20))
        return at, low, max(at, high - 20)
    at = min(previous + 45, sleeps - 30)
    return at, at, min(at + 120, sleeps - 20)


def _implied_meal(reading: Reading, start: int, wakes: int) -> str | None:
    """Eating something at the hour of a meal is that meal ("at noon he eats bread and cheese")."""
    needs = affordance_of(reading.activity)
    if not needs or needs[0][0] != "eat" or meal_of(reading.base) is not None or reading.cue.at is None:
        return None
    if start < max(wakes + 150, 600):
        return "breakfast"
    spans: dict[str, list[int]] = templates("planning")["meal_times"]
    return next((meal for meal in ("lunch", "dinner") if spans[meal][0] - 15 <= start <= spans[meal][1] + 30), None)


def _minute(value: int, wakes: int, sleeps: int) -> int:
    if value == WAKING:
        return wakes
    return max(sleeps - 45, wakes) if BEDTIME - 1000 < value < BEDTIME else sleeps if value == BEDTIME else value
