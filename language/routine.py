"""The ordinary day of a person, read from the persona alone: hours, rhythm sentences as they stand, the diary.

    ordinary_day(op: PlanDay) -> parts from now to bedtime

Every rhythm sentence names its time of day in words ("At half past nine ...", "Before breakfast ..."); the words and
the hours they stand for are data (`language/wording/fallback.yaml`). A person without any gets meals, work and rest.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache

from language.checks_plan import MOST_PARTS, time_of_day
from language.operations import PlanDay
from language.replies import Part
from language.values import Commitment, Person
from language.wording import SHARED, phrase

SHORTEST = 15
LONGEST_MEAL = 60
NOON = 12 * 60
DAY = 24 * 60


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    activity: str
    place: str | None
    rests_on: tuple[str, ...] = ()


def ordinary_day(op: PlanDay) -> list[Part]:
    """Parts in order, without overlap, from `op.scene.now` to bedtime; never empty."""
    now = op.scene.now.hour * 60 + op.scene.now.minute
    if now < op.person.wakes and now + DAY < op.person.sleeps + 60:
        now += DAY  # after midnight a late day goes on
    spans = _merged(_rhythm(op) or _generic(op.person))
    for commitment in op.commitments:
        spans = _with_commitment(spans, commitment, op)
    left = [replace(span, start=max(span.start, now)) for span in spans if span.end - max(span.start, now) >= SHORTEST]
    if not left:
        left = [_Span(now, max(op.person.sleeps, now + 60), phrase("fallback.rest"), op.person.home)]
    return [
        Part(
            activity=span.activity[:400],
            start=time_of_day(span.start),
            end=time_of_day(span.end),
            place=span.place,
            rests_on=list(span.rests_on),
        )
        for span in left
    ]


def day_goes_on(op: PlanDay) -> list[Part]:
    """The present plan from now on, with room for what the diary has for today; never empty when there is a plan."""
    now = op.scene.now.hour * 60 + op.scene.now.minute
    if op.current and op.current[-1][1] - now > DAY:
        now += DAY
    spans = [_Span(start, end, activity, place) for start, end, activity, place in op.current]
    for commitment in op.commitments:
        if not any(commitment.event.name in span.activity for span in spans):
            spans = _with_commitment(spans, commitment, op)
    left = [replace(span, start=max(span.start, now)) for span in spans if span.end > max(span.start, now)]
    return [
        Part(activity=s.activity, start=time_of_day(s.start), end=time_of_day(s.end), place=s.place, rests_on=list(s.rests_on))
        for s in left
    ] or ordinary_day(replace(op, current=()))


def _rhythm(op: PlanDay) -> list[_Span]:
    """One span per rhythm sentence, each until the next begins."""
    person = op.person
    told = [statement for statement in person.statements if statement.topic == "rhythm"]
    if not told:
        return []
    starts = _starts([statement.text for statement in told], person)
    spans = []
    for statement, start, end in zip(told, starts, [*starts[1:], person.sleeps], strict=True):
        if end - start >= SHORTEST:
            activity, place, meal = _doing(statement.text, person)
            place = _place_in(statement.text, start, op) or place
            until = min(end, start + LONGEST_MEAL) if meal else end
            spans.append(_Span(start, until, activity, place, (statement.id,)))
            if end - until >= SHORTEST:
                spans.append(_afterwards(until, end, person))
            else:
                spans[-1] = replace(spans[-1], end=end)
    return spans


def _afterwards(start: int, end: int, person: Person) -> _Span:
    """After a meal: back to work in working hours, else a rest."""
    if person.workplace and person.work_hours and person.work_hours[0] <= start < person.work_hours[1]:
        return _Span(start, end, phrase("fallback.work"), person.workplace)
    return _Span(start, end, phrase("fallback.rest"), person.home)


def _doing(text: str, person: Person) -> tuple[str, str | None, bool]:
    """A rhythm sentence as an activity in the -ing form, words for its place, and whether it is a meal; the sentence as
    it stands when it can't be read."""
    from language.offline.reading import read  # the offline model's grammar: loaded only when it is needed

    readings = [r for r in read(text, person.name) if not r.negative]
    if not readings:
        return phrase("fallback.rhythm", text=text.rstrip(".")), None, False
    joint = phrase("fallback.then")
    return (
        joint.join(r.activity for r in readings),
        next((r.place for r in readings if r.place), None),
        readings[0].meal is not None,
    )


def _starts(texts: list[str], person: Person) -> list[int]:
    """When each sentence begins: the hour it names, else about the time of day it names, between its neighbours'."""
    fixed: list[int | None] = []
    earliest = person.wakes
    for text in texts:
        minute = _hour_in(text, earliest, person.sleeps)
        fixed.append(minute)
        earliest = earliest if minute is None else minute
    starts = []
    earliest = person.wakes
    for i, text in enumerate(texts):
        latest = next((minute for minute in fixed[i:] if minute is not None), person.sleeps)
        minute = fixed[i]
        if minute is None:
            wanted = next((at for pattern, at in _lexicon()[1] if pattern.search(text.casefold())), earliest)
            between = _quarter((earliest + latest) // 2) if wanted >= latest else earliest
            minute = wanted if earliest <= wanted < latest else between
        minute = min(max(minute, earliest), person.sleeps)
        starts.append(minute)
        earliest = min(minute + SHORTEST, person.sleeps)
    return starts


def _hour_in(text: str, earliest: int, latest: int) -> int | None:
    """The hour a sentence names in words, the first such of the day that isn't before `earliest`."""
    found = _lexicon()[0].search(text.casefold())
    if found is None:
        return None
    minute = _HOURS()[found["hour"]] * 60 + (30 if found["half"] else 15 if found["quarter"] else 0)
    while minute < earliest:
        minute += DAY // 2
    return minute if minute < latest else None


@cache
def _HOURS() -> dict[str, int]:
    return {word: hour for hour, word in enumerate(SHARED.variants("fallback.hours"), start=1)}


@cache
def _lexicon() -> tuple[re.Pattern[str], list[tuple[re.Pattern[str], int]]]:
    half, quarter = (re.escape(phrase(f"fallback.{key}")) for key in ("half", "quarter"))
    before = "|".join(re.escape(word) for word in SHARED.variants("fallback.before_hour"))
    hours = "|".join(re.escape(word) for word in _HOURS())
    clock = re.compile(rf"\b(?:{before}) (?:(?P<half>{half} )|(?P<quarter>{quarter} ))?(?P<hour>{hours})\b")
    others = []
    for line in SHARED.variants("fallback.times_of_day"):
        words, _, minute = line.rpartition("=")
        others.append((re.compile(rf"\b{re.escape(words.strip())}\b"), int(minute)))
    return clock, others


def _place_in(text: str, minute: int, op: PlanDay) -> str | None:
    """A place the sentence names, else the workplace in working hours, else home where it says so."""
    words = text.casefold()
    for place in op.known_places:
        if place.rpartition(" : ")[2].casefold() in words:
            return place
    person = op.person
    if person.workplace and person.work_hours and person.work_hours[0] <= minute < person.work_hours[1]:
        return person.workplace
    return person.home if re.search(rf"\b{re.escape(phrase('fallback.home'))}\b", words) else None


def _generic(person: Person) -> list[_Span]:
    """Getting up, work with a break at noon (or one's own pursuits), dinner, a quiet evening."""
    home = person.home
    start, end = person.work_hours or (person.wakes + 120, max(person.wakes + 180, 17 * 60))
    start, end = max(start, person.wakes + 30), min(end, person.sleeps - 60)
    busy = phrase("fallback.work" if person.workplace else "fallback.pursuits", occupation=person.occupation)
    place = person.workplace
    spans = [_Span(person.wakes, start, phrase("fallback.morning"), home)]
    if start < NOON + 30 < end - 60:
        spans += [
            _Span(start, NOON + 30, busy, place),
            _Span(NOON + 30, NOON + 75, phrase("fallback.lunch"), None),
            _Span(NOON + 75, end, busy, place),
        ]
    else:
        spans.append(_Span(start, end, busy, place))
    dinner = min(end + 60, person.sleeps)
    spans += [
        _Span(end, dinner, phrase("fallback.dinner"), home),
        _Span(dinner, person.sleeps, phrase("fallback.evening"), home),
    ]
    return [span for span in spans if span.end - span.start >= SHORTEST]


def _merged(spans: list[_Span]) -> list[_Span]:
    """No more parts than a plan may have: the shortest go to the part before them."""
    spans = list(spans)
    while len(spans) > MOST_PARTS - 4:
        i = min(range(1, len(spans)), key=lambda k: (spans[k].end - spans[k].start, k))
        spans[i - 1 : i + 1] = [replace(spans[i - 1], end=spans[i].end)]
    return spans


def _with_commitment(spans: list[_Span], commitment: Commitment, op: PlanDay) -> list[_Span]:
    """The diary goes before the habit: what is promised for this day is put in, and the rest makes room."""
    event = commitment.event
    day = op.scene.now.date()
    if commitment.called_off or not commitment.firm or event.start.date() != day:
        return spans
    start = event.start.hour * 60 + event.start.minute
    end = start + max(SHORTEST, int((event.end - event.start) / timedelta(minutes=1)))
    key = "fallback.hosting" if commitment.role == "host" else "fallback.attending"
    out = [_Span(start, end, phrase(key, event=event.name), event.place, (commitment.id,))]
    for span in spans:
        before, after = replace(span, end=min(span.end, start)), replace(span, start=max(span.start, end))
        out += [piece for piece in (before, after) if piece.end - piece.start >= SHORTEST]
    return sorted(out, key=lambda span: span.start)


def _quarter(minute: int) -> int:
    """Down to a quarter of an hour."""
    return minute - minute % 15
