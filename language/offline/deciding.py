"""Yes or no to an invitation or a request, each no with a reason that a field of the operation supports.

    decide(talk, event, helping)   -> Decision

Reasons in order: called off, a promise made already, what one's own statements say against it, at odds with the host,
work, sleep, a fixed habit at that hour, a nature that shuns company, an aim that wants the time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from language.offline.day_wishes import against
from language.offline.grammar import clock_words, first_name, is_about
from language.offline.manner import sector
from language.offline.reading_talk import says
from language.offline.talk_context import Talk, same_event
from language.offline.topics import spoken
from language.values import Commitment, Event


@dataclass(frozen=True, slots=True)
class Decision:
    """`yes`, with the rule and slots that give the reason of a no, and the ids it rests on. `known`: it stands in the
    diary already."""

    yes: bool
    rule: str = ""
    slots: dict[str, str] = field(default_factory=dict)
    rests_on: tuple[str, ...] = ()
    known: bool = False


def decide(talk: Talk, event: Event, helping: bool) -> Decision:
    """Whether to come to `event` (`helping`: to lend a hand)."""
    voice = against(talk.recollections.values(), event.name)
    if voice is not None:
        return Decision(False, "why_against", {}, (voice.id,))
    present = talk.commitment_to(event)
    if present is not None and present.firm and not present.called_off:
        return Decision(True, rests_on=(present.id,), known=True)
    if present is not None and present.called_off:
        return Decision(False, "why_called_off", {}, (present.id,))
    for find in (_promised, _averse, _at_odds, _working, _asleep, _habit, _shy, _busy):
        found = find(talk, event, helping)
        if found is not None:
            return found
    return Decision(True, rests_on=_liking(talk, event))


def _overlap(event: Event, other: Event) -> bool:
    return event.start < other.end and other.start < event.end


def _promised(talk: Talk, event: Event, helping: bool) -> Decision | None:
    clash: Commitment | None = None
    for c in talk.op.commitments:
        if c.firm and not c.called_off and _overlap(event, c.event) and not same_event(event, c.event):
            clash = c
            break
    if clash is None:
        return None
    if clash.event.host == talk.me.name and talk.is_meeting(clash.event):
        return Decision(False, "why_arranged", {"reason_ev": clash.event.name}, (clash.id,))
    slots = {"reason_ev": talk.event_words(clash.event), "reason_host": first_name(clash.event.host)}
    return Decision(False, "why_promised", slots, (clash.id,))


def _averse(talk: Talk, event: Event, helping: bool) -> Decision | None:
    """A sentence of one's own that speaks against it: "Giorgio Rossi can't stand parties"."""
    name = event.name.lower()
    sources = [(s.id, s.text) for s in talk.me.statements if s.topic != "speech"]
    sources += [(r.id, r.text) for r in talk.recollections.values() if r.kind == "reflection" or r.tag in ("identity", "")]
    for ident, text in sources:
        for part in re.split(r"(?<=[.!?;])\s+", text):
            if not is_about(part, talk.me.name) or not says("negative", part):
                continue
            low = part.lower()
            head = name.split()[-1].rstrip("s")
            if head in low or (not helping and says("gatherings", low) and says("gatherings", name)):
                if len(part.split()) > 22 or not talk.dice.chance(0.9):
                    continue
                said = spoken(part, talk.me.name, talk.me.pronoun, talk.other.name).rstrip(".")
                return Decision(False, "why_averse", {"reason": said}, (ident,))
    return None


def _at_odds(talk: Talk, event: Event, helping: bool) -> Decision | None:
    if event.host == talk.other.name and "odds" in talk.tags:
        return Decision(False, "why_odds")
    if event.host != talk.other.name:
        dislike = talk.dislike_of(event.host)
        if dislike is not None and talk.dice.chance(0.8):
            return Decision(False, "why_dislike", {"host": first_name(event.host)}, (dislike.id,))
    return None


def _working(talk: Talk, event: Event, helping: bool) -> Decision | None:
    hours = talk.me.work_hours
    if hours is None or (talk.me.workplace is not None and sector(talk.me.workplace) == sector(event.place)):
        return None
    start, end = _minutes(event.start, event.start), _minutes(event.end, event.start)
    share = (min(end, hours[1]) - max(start, hours[0])) / max(1, end - start)
    if share < 0.5 or not talk.dice.chance(0.7 if share > 0.9 else 0.45):
        return None
    about_work = re.compile(r"\b(work|open|serv|teach|shop)")
    ids = tuple(s.id for s in talk.me.statements if s.topic in ("about", "rhythm") and about_work.search(s.text))
    return Decision(False, "why_work", {"until": clock_words(hours[1])}, ids[:1])


def _minutes(moment: datetime, day: datetime) -> int:
    return int((moment - day.replace(hour=0, minute=0, second=0, microsecond=0)).total_seconds() // 60)


def _asleep(talk: Talk, event: Event, helping: bool) -> Decision | None:
    start = _minutes(event.start, event.start)
    late = start + 30 > talk.me.sleeps or start + 24 * 60 + 30 < talk.me.sleeps - 24 * 60
    if late or start < talk.me.wakes:
        return Decision(False, "why_asleep" if late else "why_early", {"bed": clock_words(talk.me.sleeps % 1440)})
    return None


_PARTS = {"morning": (5, 12), "noon": (11, 14), "afternoon": (12, 18), "evening": (17, 23), "night": (20, 26)}


def _habit(talk: Talk, event: Event, helping: bool) -> Decision | None:
    """A habit of the hour, from the rhythm: it holds some people back, close friends less."""
    hour = event.start.hour
    for s in talk.me.statements:
        if s.topic != "rhythm" or len(s.text.split()) > 20:
            continue
        low = s.text.lower()
        if any(word in low and first <= hour < last for word, (first, last) in _PARTS.items()):
            if re.search(r"\b(bed|sleep|wakes|gets up|lunch|dinner|breakfast|supper)\b", low):
                continue
            if talk.dice.chance(0.1 - 0.07 * talk.closeness()):
                said = spoken(_subject_first(s.text, talk.me.name), talk.me.name, talk.me.pronoun, talk.other.name)
                return Decision(False, "why_habit", {"reason": said.rstrip(".")}, (s.id,))
    return None


def _subject_first(text: str, name: str) -> str:
    """ "In the evening she reads" keeps its order; what counts is that a pronoun subject reads as the name's."""
    match = re.match(r"^([A-Z][^,]*,?) (she|he|they) ", text)
    if match is None:
        return text
    when = match.group(1)
    return f"{name} {text[match.end() :].rstrip('.')} {when[:1].lower()}{when[1:].rstrip(',')}"


def _shy(talk: Talk, event: Event, helping: bool) -> Decision | None:
    if helping or talk.is_meeting(event):
        if "grumpy" in talk.tags and talk.dice.chance(0.12 - 0.1 * talk.closeness()):
            return Decision(False, "why_mood")
        return None
    chance = 0.03 + 0.25 * ("unsocial" in talk.tags) - 0.02 * ("social" in talk.tags) - 0.2 * talk.closeness()
    if "unsocial" in talk.tags and talk.dice.chance(max(0.08, chance)):
        return Decision(False, "why_shy")
    return None


def _busy(talk: Talk, event: Event, helping: bool) -> Decision | None:
    """An aim that wants the time."""
    chance = 0.19 - 0.12 * talk.closeness() + (0.06 if helping else 0.0) + (0.06 if "stranger" in talk.tags else 0.0)
    if talk.op.free and any(_inside(event, span) for span in talk.op.free):
        chance *= 0.8
    if not talk.dice.chance(max(0.03, chance)):
        return None
    for topic in talk.topics:
        if topic.role != "me" or topic.form != "wanting" or len(topic.do.split()) > 16:
            continue
        if not talk.confidential(topic) and not _about(event, topic.text):
            return Decision(False, "why_aim", {"do": topic.do, "ing": topic.ing}, (topic.id,))
    return None


def _about(event: Event, text: str) -> bool:
    return event.name.split()[-1].lower() in text.lower()


def _inside(event: Event, span: tuple[str, str]) -> bool:
    try:
        begin, end = (datetime.fromisoformat(text) for text in span)
    except ValueError:
        return False
    return begin <= event.start and event.end - timedelta(minutes=30) <= end


def _liking(talk: Talk, event: Event) -> tuple[str, ...]:
    """What speaks for it: a memory of the host."""
    for r in talk.recollections.values():
        if r.about == event.host and r.kind in ("reflection", "observation") and r.tag in ("acquaintance", "memo", "insight"):
            return (r.id,)
    return ()
