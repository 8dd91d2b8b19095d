"""Interview questions about a time: diary first, then the day's plan, then habit, then an honest "no plan".

planned(talk), done_so_far(talk) -> SpokenAnswer | None
meal(talk, which), at_home_with(talk): a meal as planned or as usual; who shares one's home
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from language.offline.answer_interview import ANSWERS, KINDS, Interview
from language.offline.grammar import gerund, place_words, pronoun_forms
from language.offline.reading import Reading, read
from language.offline.reading_times import find_cues
from language.offline.talk_context import bare
from language.replies import SpokenAnswer
from language.values import Event, Recollection

_WITH = re.compile(r"\bwith (?:(?:his|her|their) (?:[a-z-]+ )*)?(?P<name>[A-Z][a-z]+)\b")
_PLANNED = re.compile(r"plans on (?P<activity>.+)$")
DAY = 24 * 60
EVENING = 20 * 60
"""What "tonight" means, in minutes."""
PAST = timedelta(minutes=30)
"""So long ago a time counts as past."""
NEAR = 75
"""Minutes around a habit's hour in which it is likely to be going on."""


def at_home_with(talk: Interview) -> tuple[str, str] | None:
    """Somebody who shares one's home, by first name, and the statement that says so."""
    for s in talk.op.person.statements:
        if KINDS.matches("household", s.text):
            found = _WITH.search(s.text)
            if found is not None:
                return found.group("name"), s.id
    return None


def meal(talk: Interview, which: str) -> tuple[str, str] | None:
    """What one planned for a meal today, else what one usually does for it: an -ing phrase, and the record."""
    for _, _, text in talk.op.plan:
        ids = _plan_ids(talk, [text])
        if ids and KINDS.matches(which, _activity(text)):
            return _own(talk, _activity(text)), ids[0]
    for s in talk.statements("rhythm"):
        for reading in read(s.text, talk.me):
            if not reading.negative and KINDS.matches(which, reading.whole):
                return _own(talk, reading.whole), s.id
    return None


def planned(talk: Interview) -> SpokenAnswer | None:
    """What one will be doing (or have done) at the time asked about."""
    if talk.others_named():
        return None
    op = talk.op
    moment = _moment(op.question, op.scene.now)
    if moment is None:
        if KINDS.matches("now", op.question):
            moment = op.scene.now
        elif op.plan:
            parts = [_own(talk, _activity(text)) for _, _, text in op.plan]
            return talk.reply("plan_list", _plan_ids(talk, [text for _, _, text in op.plan]), list=", ".join(parts))
        else:
            return talk.unknown("plan_bare")
    before = KINDS.matches("just_finished", op.question)
    if before:
        moment -= timedelta(minutes=5)
    past = moment < op.scene.now - PAST
    return _at(talk, moment, before) or _habit(talk, moment, before, past) or talk.unknown("past_bare" if past else "plan_bare")


def _moment(question: str, now: datetime) -> datetime | None:
    """The time asked about: a clock time, or the middle of a part of the day; today unless it says otherwise."""
    cue, _ = find_cues(question)
    if cue.at is not None:
        minute = cue.at
    elif cue.window is not None:
        start, end = max(0, cue.window[0]), min(DAY, cue.window[1])
        minute = (start + end) // 2
    elif KINDS.matches("tonight", question):
        minute = EVENING
    else:
        return None
    day = now.replace(hour=0, minute=0, second=0, microsecond=0)
    if KINDS.matches("tomorrow", question):
        day += timedelta(days=1)
    elif KINDS.matches("yesterday", question):
        day -= timedelta(days=1)
    elif cue.days:
        day += timedelta(days=(cue.days[0] - day.weekday()) % 7)
    return day + timedelta(minutes=minute % DAY)


def _at(talk: Interview, moment: datetime, before: bool) -> SpokenAnswer | None:
    for r in talk.evidence:
        event = r.news.event if r.news is not None else None
        if event is None or not event.start <= moment < event.end or not _mine(talk, r, event):
            continue
        ev = (
            ANSWERS.raw("event_mine" if event.host == talk.me else "event_of", _words(event), frozenset(), talk.dice)
            or event.name
        )
        rule = "plan_event_host" if event.host == talk.me else "plan_event"
        if moment < talk.op.scene.now - PAST:
            rule += "_past"
        return talk.reply(rule, [r.id], ev=ev, evplace=place_words(event.place, talk.me))
    now = talk.op.scene.now
    if moment.date() != now.date():
        return None
    minute = moment.hour * 60 + moment.minute
    if before:
        ended = [(end, text) for _, end, text in talk.op.plan if _minutes(end) <= minute + NEAR // 5 * 2]
        if ended:
            _, text = max(ended, key=lambda entry: _minutes(entry[0]))
            rule = "plan_done_past" if moment < now - PAST else "plan_done"
            return talk.reply(rule, _plan_ids(talk, [text]), ing=_own(talk, _activity(text)))
        return None
    for start, end, text in talk.op.plan:
        first, last = _minutes(start), _minutes(end)
        last = last + DAY if last <= first else last
        if first <= minute < last or first <= minute + DAY < last:
            rule = "plan_past" if moment < now - PAST else "plan_activity"
            if abs((moment - now).total_seconds()) < 60:
                rule = "plan_activity_now"
            return talk.reply(rule, _plan_ids(talk, [text]), ing=_own(talk, _activity(text)))
    return None


def _mine(talk: Interview, r: Recollection, event: Event) -> bool:
    """Whether one has promised to be there."""
    if event.host == talk.me:
        return not any(o.news is not None and r.news is not None and o.news.retracts == r.news.id for o in talk.evidence)
    return r.tag == "promise" and r.text.startswith(talk.me)


def _words(event: Event) -> dict[str, str]:
    return {"evn": bare(event.name), "host": event.host}


def _habit(talk: Interview, moment: datetime, before: bool, past: bool) -> SpokenAnswer | None:
    """What one usually does then, as the persona's rhythm says, or sleep; needs statements one may read."""
    if not talk.op.person.statements:
        return None
    person = talk.op.person
    minute = moment.hour * 60 + moment.minute
    best: tuple[int, Reading, str] | None = None
    for s in talk.statements("rhythm"):
        for reading in read(s.text, talk.me):
            distance = _distance(reading, minute, moment.weekday())
            if distance is not None and (best is None or distance < best[0]):
                best = (distance, reading, s.id)
    if minute >= person.sleeps or person.sleeps - DAY <= minute < person.wakes:
        return talk.reply("plan_sleep_past" if past else "plan_sleep", ())
    if best is None:
        return None
    rule = ("plan_usual_done" if before else "plan_usual") + ("_past" if past else "")
    return talk.reply(rule, [best[2]], ing=_own(talk, best[1].whole))


def _distance(reading: Reading, minute: int, weekday: int) -> int | None:
    cue = reading.cue
    if reading.negative or (cue.days is not None and weekday not in cue.days):
        return None
    if cue.at is not None:
        away = minute - cue.at
        return abs(away) if -15 <= away <= NEAR else None
    if cue.window is not None and max(0, cue.window[0]) <= minute < min(DAY, cue.window[1]):
        return NEAR
    return None


def _activity(text: str) -> str:
    """The activity of a plan entry, given bare or as the plan record's sentence."""
    found = _PLANNED.search(text)
    return gerund((found.group("activity") if found else text).strip().rstrip("."))


def _own(talk: Interview, phrase: str) -> str:
    possessive = str(pronoun_forms(talk.op.person.pronoun)["possessive"])
    return re.sub(rf"\b{possessive}\b", "my", phrase)


def _plan_ids(talk: Interview, texts: list[str]) -> list[str]:
    """Plan records among the evidence that say the same."""
    return [r.id for r in talk.evidence if r.kind == "plan" and r.text in texts]


def done_so_far(talk: Interview) -> SpokenAnswer | None:
    """What of today's plan lies behind one; None when nothing does."""
    now = talk.op.scene.now
    minute = now.hour * 60 + now.minute
    past = [text for start, end, text in talk.op.plan if _minutes(start) < _minutes(end) <= minute]
    if not past:
        return None
    parts = [_own(talk, _activity(text)) for text in past]
    return talk.reply("done_list", _plan_ids(talk, past), list=", ".join(dict.fromkeys(parts)))


def _minutes(face: str) -> int:
    hours, _, minutes = face.partition(":")
    return int(hours) * 60 + int(minutes or 0)
