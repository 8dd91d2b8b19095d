"""Moves that can't wait: calling off, asking why somebody didn't come, apologising, inviting, asking for help.

duties(talk)     in order, most pressing first
upcoming(talk)   events ahead that the speaker knows of
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from language.offline.grammar import time_words
from language.offline.moves import TIME_FORM, Move, news_words
from language.offline.reading_talk import pattern, says
from language.offline.talk_context import PHRASES, Talk, same_event
from language.offline.topics import spoken
from language.replies import Meeting
from language.values import Commitment, Event, Recollection

WEIGHTY = 7
"""From this importance on news about oneself is announced."""
HANDS = 2
"""Helpers a host looks for: one of them may not come."""
TOLD_ENOUGH = 6.0
"""After telling so many one is half as ready to tell one more."""
HELP_WANTED = 0.3
"""Closeness from which a host asks somebody for help who hasn't said yes to coming."""


def duties(talk: Talk) -> Iterator[Move]:
    """Moves that go before small talk, most pressing first."""
    yield from _retractions(talk)
    yield from _bidden(talk)
    yield from _absences(talk)
    if "odds" in talk.tags:
        return
    yield from _invitations(talk)
    yield from _requests(talk)
    yield from _announcements(talk)


def _retractions(talk: Talk) -> Iterator[Move]:
    for r in talk.recollections.values():
        news = r.news
        if news is None or news.retracts is None or talk.other.name in r.told_to or r.heard_from == talk.other.name:
            continue
        if news.id in talk.passed or (news.private and talk.closeness() < 0.6):
            continue
        first = next((o for o in talk.recollections.values() if o.news is not None and o.news.id == news.retracts), None)
        knows = first is not None and (talk.other.name in first.told_to or first.heard_from == talk.other.name)
        if not knows and not talk.dice.chance(0.35 + 0.5 * talk.me.talkative):
            continue
        slots = {"news": news_words(talk, news)}
        rests = (r.id,) if first is None else (r.id, first.id)
        yield Move("retract", "retract_told" if knows else "retract", slots, (news.id,), rests, news.retracts)


def _bidden(talk: Talk) -> Iterator[Move]:
    """What an inner voice has said to tell this person."""
    for r in talk.recollections.values():
        news = r.news
        if r.tag != "to-tell" or r.about != talk.other.name or news is None or news.id in talk.passed:
            continue
        if talk.other.name not in r.told_to:
            yield Move("tell", "gossip", {"news": news_words(talk, news)}, (news.id,), (r.id,))


def _absences(talk: Talk) -> Iterator[Move]:
    if any(line.act in ("ask_why", "explain", "apologise") for line in talk.lines):
        return
    for r in talk.recollections.values():
        if r.tag != "absence" and not says("absence", r.text):
            continue
        event = _missed(talk, r)
        since = (s for s in talk.op.shared if s.tag == "talk" and s.hours_ago < r.hours_ago)
        if any(says("questions.why", s.text) for s in since):
            continue  # asked already
        slots = {"missed": event[0]} if event else {}
        news = event[1] if event else None
        if r.text.startswith(talk.other.name):
            yield Move("ask_why", "ask_why", slots, (), (r.id,), news)
        elif r.about == talk.other.name and event and event[2] == talk.other.name:
            yield Move("ask_why", "ask_why_event", slots, (), (r.id,), news)
        elif r.text.startswith(talk.me.name) and event and event[2] == talk.other.name:
            yield Move("apologise", "apologise_first", slots, (), (r.id,), news)


def _missed(talk: Talk, r: Recollection) -> tuple[str, str | None, str | None] | None:
    """(the missed event in words, id of its news, its host)"""
    for other in talk.recollections.values():
        event = other.news.event if other.news is not None else None
        if event is not None and event.name in r.text and other.news is not None:
            return talk.event_words(event), other.news.id, event.host
    for commitment in talk.op.commitments:
        if commitment.event.name in r.text:
            return talk.event_words(commitment.event), commitment.id, commitment.event.host
    found = pattern("absence_event").search(r.text) or pattern("absence_bare").search(r.text)
    if found is None:
        return None
    name = found.group("event").rstrip(".")
    return (spoken(name, talk.me.name, talk.me.pronoun, talk.other.name), None, None)


def upcoming(talk: Talk) -> Iterator[tuple[Event, Commitment | None, Recollection | None]]:
    """Events ahead that the speaker knows of, with diary entry and the recollection of the news."""
    seen: list[Event] = []
    for r in talk.recollections.values():
        news = r.news
        if news is None or news.event is None or news.event.start <= talk.now or any(same_event(news.event, e) for e in seen):
            continue
        if any(o.news is not None and o.news.retracts == news.id for o in talk.recollections.values()):
            continue
        seen.append(news.event)
        commitment = talk.commitment_to(news.event)
        if commitment is None or not commitment.called_off:
            yield news.event, commitment, r
    for commitment in talk.op.commitments:
        event = commitment.event
        if event.start > talk.now and not commitment.called_off and not any(same_event(event, e) for e in seen):
            seen.append(event)
            yield event, commitment, None


def _told(talk: Talk, event: Event, r: Recollection | None) -> bool:
    """Whether the listener knows of the event already."""
    if r is not None and (talk.other.name in r.told_to or r.heard_from == talk.other.name):
        return True
    if any(line.event is not None and same_event(line.event, event) for line in talk.lines):
        return True
    if any(news.event is not None and same_event(news.event, event) for line in talk.lines for news in line.news):
        return True
    return any(event.name in s.text for s in talk.op.shared)


def _invitations(talk: Talk) -> Iterator[Move]:
    if len(talk.mine) == 0 and "stranger" in talk.tags:
        return
    for event, commitment, r in upcoming(talk):
        if event.host == talk.other.name or talk.is_meeting(event) or _told(talk, event, r):
            continue
        if r is not None and r.news is not None and r.news.private and talk.closeness() < 0.6:
            continue
        host = event.host == talk.me.name
        going = commitment is not None and commitment.firm
        if not host and not going:
            continue
        if host:
            readiness = 0.75 + 0.2 * talk.closeness() + 0.1 * talk.me.talkative
        elif len(talk.mine) > 1 or "fond" not in talk.tags:
            continue  # one takes friends along, and says so early
        else:
            readiness = (0.15 + 0.4 * talk.closeness()) / (1.0 + 0.4 * len(r.told_to if r is not None else ()))
        if "stranger" in talk.tags:
            readiness *= 0.6
        if "shy" in talk.tags and not host:
            readiness *= 0.6
        if not talk.dice.chance(readiness):
            continue
        ident = r.news.id if r is not None and r.news is not None else (commitment.id if commitment else None)
        rests = tuple(i for i in (r.id if r else None, commitment.id if commitment else None) if i)
        rule = "invite_host" if host else "invite_along"
        yield Move("invite", rule, talk.event_slots(event), (ident,) if ident else (), rests, ident)


def _announcements(talk: Talk) -> Iterator[Move]:
    """One's own weighty news, to nearly everybody one talks with, and first thing."""
    if len(talk.mine) > 1 or ("stranger" in talk.tags and not talk.mine):
        return
    for r in talk.recollections.values():
        news = r.news
        if news is None or news.event is not None or news.retracts is not None or news.about != talk.me.name:
            continue
        if r.importance < WEIGHTY or r.heard_from is not None or talk.other.name in r.told_to or news.id in talk.passed:
            continue
        if news.private and talk.closeness() < 0.6:
            continue
        if any(o.news is not None and o.news.retracts == news.id for o in talk.recollections.values()):
            continue
        readiness = 0.031 * r.importance * (0.6 + 0.5 * talk.me.talkative + 0.4 * max(0.0, talk.closeness()))
        if "household" in talk.tags:
            readiness += 0.45
        elif talk.tags & {"stranger", "acquaintance"}:
            readiness *= 0.6
        readiness /= 1.0 + len(r.told_to) / TOLD_ENOUGH
        if talk.dice.chance(readiness):
            yield Move("tell", "tell_news", {"news": news_words(talk, news)}, (news.id,), (r.id,))


def _requests(talk: Talk) -> Iterator[Move]:
    """A host asks someone close to help to get ready, once."""
    if talk.closeness() < 0.0 or any(line.act == "ask_help" for line in talk.lines):
        return
    said_yes = any(line.act == "accept" and line.speaker == talk.other.name for line in talk.lines)
    for event, commitment, r in upcoming(talk):
        if event.host != talk.me.name or talk.is_meeting(event) or event.start - talk.now < timedelta(hours=1):
            continue
        if not any(line.event is not None and same_event(line.event, event) for line in talk.lines) and not _told(talk, event, r):
            continue
        if any(line.act == "decline" and line.speaker == talk.other.name for line in talk.lines):
            continue
        if any(s.tag == "refusal" and event.name in s.text and s.text.startswith(talk.other.name) for s in talk.op.shared):
            continue
        mine = (c.event for c in talk.op.commitments if c.firm and c.event.host == talk.me.name and talk.is_meeting(c.event))
        if sum(event.name in own.name for own in mine) >= HANDS:
            continue  # there are hands enough
        promised = (s for s in talk.op.shared if s.tag == "promise" and s.text.startswith(talk.other.name))
        coming = said_yes or any(event.name in s.text for s in promised)
        if talk.closeness() < HELP_WANTED and not coming:
            continue
        if not talk.dice.chance(0.7 + 0.3 * talk.closeness()):
            continue
        start = event.start - timedelta(minutes=90 if event.start - talk.now > timedelta(hours=3) else 45)
        name = PHRASES.raw("help_name", {"evn": event.name}, talk.tags, talk.dice) or event.name
        minutes = int((event.start - start).total_seconds() // 60)
        meeting = Meeting(name=name, place=event.place, start=start.strftime(TIME_FORM), minutes=minutes)
        slots = {**talk.event_slots(event), "helptime": time_words(start, talk.now)}
        ident = r.news.id if r is not None and r.news is not None else (commitment.id if commitment else None)
        rests = tuple(i for i in (r.id if r else None, commitment.id if commitment else None) if i)
        yield Move("ask_help", "ask_help", slots, (ident,) if ident else (), rests, ident, meeting)
