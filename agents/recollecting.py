"""From memory's types to what a language model gets to see: recollections, news, relations, appointments.

The language room knows nothing of the town or of memory; these few functions are the whole border.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from kernel import Clock
from language import Commitment, Event, Line, News, Recollection, Relation
from memory import Record, Relationship
from planning.diary import Appointment
from town.speech import Fact, Gathering, Utterance


def event_of(gathering: Gathering, clock: Clock) -> Event:
    """A gathering in calendar time."""
    return Event(gathering.name, gathering.place, clock.at(gathering.start), clock.at(gathering.end), gathering.host)


def news_of(fact: Fact, clock: Clock) -> News:
    """A fact as something one can tell."""
    event = event_of(fact.gathering, clock) if fact.gathering else None
    return News(fact.id, fact.text, fact.about, fact.private, event, fact.retracts)


def recollection(record: Record, clock: Clock, now: int, told_to: tuple[str, ...] = ()) -> Recollection:
    """A record as of step `now`; `told_to` who knows the fact it carries from or through oneself."""
    return Recollection(
        id=str(record.id),
        text=record.text,
        kind=record.kind,
        hours_ago=round(clock.hours(max(0, now - record.created)), 2),
        importance=record.importance,
        about=record.about,
        news=news_of(record.fact, clock) if record.fact else None,
        heard_from=record.heard_from,
        told_to=told_to,
        tag=record.tag,
    )


def recollections(
    records: Iterable[Record], clock: Clock, now: int, told: Callable[[str], tuple[str, ...]]
) -> tuple[Recollection, ...]:
    """Several records; `told(fact_id)` gives the names a fact has been shared with."""
    return tuple(recollection(r, clock, now, told(r.fact.id) if r.fact else ()) for r in records)


def relation(found: Relationship, clock: Clock, now: int) -> Relation:
    """A relationship as of step `now`."""
    since = None if found.last_talk_step is None else round(clock.hours(now - found.last_talk_step), 2)
    return Relation(
        name=found.name, known=found.known, how=found.how, closeness=round(found.closeness, 3), text=found.text,
        talks=found.talks, hours_since=since,
    )  # fmt: skip


def commitment(appointment: Appointment, clock: Clock) -> Commitment:
    """An appointment in calendar time."""
    return Commitment(
        id=str(appointment.record), event=event_of(appointment.gathering, clock), role=appointment.role,
        firm=appointment.firm, called_off=appointment.called_off,
    )  # fmt: skip


def lines(utterances: Sequence[Utterance], clock: Clock) -> tuple[Line, ...]:
    """The dialogue so far."""
    return tuple(
        Line(
            speaker=u.speaker, text=u.text, act=u.act, news=tuple(news_of(f, clock) for f in u.passes_on),
            event=event_of(u.gathering, clock) if u.gathering else None,
        )
        for u in utterances
    )  # fmt: skip
