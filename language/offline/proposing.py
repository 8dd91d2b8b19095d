"""Proposing a meeting on the spot: fond of each other, something to talk about, a place and a free span."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from language.offline.grammar import place_words, time_words
from language.offline.moves import TIME_FORM, Move
from language.offline.reading_talk import data
from language.offline.talk_context import PHRASES, Talk
from language.replies import Meeting


def proposals(talk: Talk) -> Iterator[Move]:
    """A meeting on the spot: fond of each other, something to talk about, a place and a free span."""
    op = talk.op
    if talk.closeness() < 0.3 or not op.meeting_places or not op.free or talk.other.talks < 1 or len(talk.lines) < 2:
        return
    if "couple" in talk.tags or any(line.act in ("invite", "ask_help") for line in talk.lines):
        return
    if any(talk.is_meeting(c.event) and c.event.start > talk.now for c in op.commitments):
        return
    theirs = (t for t in talk.topics if t.role == "you" and t.recollection is not None and (t.ing or t.np))
    reason = next((t for t in theirs if not talk.confidential(t)), None)
    if reason is None or not talk.dice.chance(0.15 + 0.25 * max(0.0, talk.closeness() - 0.3)):
        return
    place = talk.dice.choice(op.meeting_places)
    start = _slot_in(talk, op.free, _hours(place))
    if start is None:
        return
    words = place_words(place, talk.me.name)
    name = PHRASES.raw(_meeting_rule(place), {}, talk.tags, talk.dice)
    if name is None:
        return
    meeting = Meeting(name=name, place=place, start=start.strftime(TIME_FORM), minutes=45)
    slots = {"meet": name, "evplace": words, "evtime": time_words(start, talk.now)}
    if reason.ing:
        slots["ing"] = reason.ing
    yield Move("invite", "propose", slots, (), (reason.id,), None, meeting, weight=1.6)


def _meeting_rule(place: str) -> str:
    low = place.lower()
    for rule in PHRASES.rules():
        if rule.startswith("meeting_at_") and rule.removeprefix("meeting_at_") in low:
            return rule
    return "meeting_name"


def _hours(place: str) -> tuple[int, int]:
    """The hours of the day, in minutes, at which one meets in such a place."""
    low = place.lower()
    table: dict[str, list[int]] = data()["meeting_hours"]
    first, last = next((hours for word, hours in table.items() if word in low), table["anywhere"])
    return first * 60, last * 60


def _slot_in(talk: Talk, free: tuple[tuple[str, str], ...], hours: tuple[int, int]) -> datetime | None:
    """A full or half hour in a free span, at least an hour ahead, when one is awake for long enough."""
    starts: list[datetime] = []
    for begin, end in free:
        first, last = _moment(begin), _moment(end)
        if first is None or last is None:
            continue
        at = max(first, talk.now + timedelta(hours=1))
        at = at.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1 if at.minute or at.second else 0)
        while at + timedelta(minutes=45) <= last and len(starts) < 40:
            minute = at.hour * 60
            awake = max(talk.me.wakes + 60, hours[0]) <= minute <= min(talk.me.sleeps - 90, hours[1])
            if awake and not _working(talk, minute):
                starts.append(at)
            at += timedelta(hours=1)
    return talk.dice.choice(starts) if starts else None


def _working(talk: Talk, minute: int) -> bool:
    hours = talk.me.work_hours
    return hours is not None and hours[0] - 30 < minute + 45 and minute < hours[1] + 15


def _moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None
