"""Follow-up questions: what refers to the answer before, and whom "she" means.

    follow_up(talk) -> SpokenAnswer | None    answers "Why?", "Who told you?", "When is it?", "What else?"
    resolved(op)    -> the operation with "he", "she" or "they" in its question named

The last turn of the dialogue says what was talked about; what it rested on is found again among the records that may be
read, by the words they share.
"""

from __future__ import annotations

import re
from dataclasses import replace

from language.offline.answer_interview import KINDS, Interview
from language.offline.answer_people import told_of
from language.offline.answer_sides import pronoun_of
from language.offline.grammar import first_name, place_words
from language.offline.reading_talk import overlap, words_of
from language.offline.topics import Topic
from language.operations import AnswerQuestion
from language.replies import SpokenAnswer

SAID = 0.7
"""A topic was said in the last answer when it has this share of the topic's words."""
AKIN = 0.25
"""Two topics that share so much of their words have to do with each other."""
_PRONOUN = re.compile(r"\b(he|she|him|her|they|them|his|hers|their)\b(?P<next>\s+[a-z]+)?", re.IGNORECASE)


def resolved(talk: Interview) -> AnswerQuestion:
    """The question with a pronoun replaced by the name of whom the dialogue was about last; else as it is."""
    op = talk.op
    found = _PRONOUN.search(op.question)
    if not op.dialogue or found is None or talk.others_named():
        return op
    word = found[1].lower()
    wanted = {"he": "he", "him": "he", "his": "he", "she": "she", "her": "she", "hers": "she"}.get(word, "")
    for line in reversed(op.dialogue):
        names = sorted(_people(talk, line.text), key=line.text.rfind, reverse=line.speaker == talk.me)
        for name in names:
            called = pronoun_of(name, _how(talk, name), (r.text for r in op.evidence if talk.me not in r.text))
            if not wanted or not called or called == wanted:
                owns = word in ("his", "hers", "their") or (word == "her" and found["next"] is not None)
                shown = f"{name}'s" if owns else name
                end = found.end(1)
                return replace(op, question=op.question[: found.start(1)] + shown + op.question[end:])
    return op


def _people(talk: Interview, text: str) -> list[str]:
    return [r.name for r in talk.op.people if r.name in text or re.search(rf"\b{re.escape(first_name(r.name))}\b", text)]


def _how(talk: Interview, name: str) -> str:
    relation = talk.relation(name)
    return relation.how if relation is not None else ""


def follow_up(talk: Interview) -> SpokenAnswer | None:
    """An answer to a question that only makes sense after another; None for any other question."""
    if not talk.op.dialogue:
        return None
    last = talk.op.dialogue[-1].text
    answers = [line.text for line in reversed(talk.op.dialogue) if line.speaker == talk.me]
    said = next(filter(None, (_said(talk, answer) for answer in answers)), [])
    for kind, answer in (
        ("source", _source),
        ("when", _when),
        ("where", _where),
        ("sure", _sure),
        ("more", _more),
        ("why", _why),
    ):
        if KINDS.matches(f"follow_{kind}", talk.op.question):
            return answer(talk, said, last)
    return None


def _said(talk: Interview, last: str) -> list[Topic]:
    """The topics that the last answer told, what it told most of first."""
    words = words_of(last)
    scored = [(overlap(words_of(t.sentence), words), n, t) for n, t in enumerate(talk.topics)]
    return [t for share, _, t in sorted(scored, key=lambda entry: (-entry[0], entry[1])) if share >= SAID]


def _source(talk: Interview, said: list[Topic], last: str) -> SpokenAnswer:
    """Where one has it from."""
    for topic in said:
        r = topic.recollection
        if r is None:
            return talk.reply("follow_own", [topic.id])
        if r.tag == "overheard" and r.heard_from:
            return talk.reply("follow_overheard", [r.id], source=r.heard_from)
        if r.heard_from and r.heard_from != talk.me:
            return talk.reply("follow_source", [r.id], source=r.heard_from)
        if r.tag in ("seen", "done", "state", "event", "absence"):
            return talk.reply("follow_seen", [r.id])
        if r.kind == "reflection":
            return talk.reply("follow_thought", [r.id])
        if r.about == talk.me or topic.role == "me" or r.tag == "acquaintance":
            return talk.reply("follow_own", [r.id])
    return talk.unknown("follow_no_source")


def _event(said: list[Topic]) -> Topic | None:
    return next((t for t in said if t.news is not None and t.news.event is not None), None)


def _when(talk: Interview, said: list[Topic], last: str) -> SpokenAnswer:
    topic = _event(said)
    if topic is None or topic.news is None or topic.news.event is None:
        return talk.unknown("follow_no_when")
    event = topic.news.event
    slots = {"day": f"{event.start:%A}", "start": f"{event.start:%H:%M}", "end": f"{event.end:%H:%M}"}
    return talk.reply("follow_when", [topic.id], **slots)


def _where(talk: Interview, said: list[Topic], last: str) -> SpokenAnswer:
    topic = _event(said)
    if topic is None or topic.news is None or topic.news.event is None:
        return talk.unknown("follow_no_where")
    return talk.reply("follow_where", [topic.id], place=place_words(topic.news.event.place, talk.me))


def _sure(talk: Interview, said: list[Topic], last: str) -> SpokenAnswer:
    if not said:
        return talk.unknown("follow_not_sure")
    return talk.reply("follow_sure", [said[0].id], about=said[0].sentence)


def _fresh(talk: Interview) -> list[Topic]:
    """Topics that the dialogue hasn't told yet."""
    words = words_of(" ".join(line.text for line in talk.op.dialogue))
    return [t for t in talk.topics if overlap(words_of(t.sentence), words) < SAID and not KINDS.matches("meeting", t.text)]


def _more(talk: Interview, said: list[Topic], last: str) -> SpokenAnswer:
    """What hasn't been said yet of the same person, else of the same matter."""
    fresh = {t.id for t in _fresh(talk)}
    for name in _people(talk, last) or _people(talk, talk.op.dialogue[-2].text if len(talk.op.dialogue) > 1 else ""):
        told = [t for t in told_of(talk, name, most=8) if t.id in fresh]
        if told:
            return talk.reply("follow_more", [told[0].id], about=told[0].sentence)
    akin = _akin(talk, said)
    return talk.reply("follow_more", [akin.id], about=akin.sentence) if akin is not None else talk.unknown("follow_no_more")


def _why(talk: Interview, said: list[Topic], last: str) -> SpokenAnswer:
    """A thought or an aim that has to do with what was said."""
    akin = _akin(talk, said)
    return talk.reply("follow_why", [akin.id], about=akin.sentence) if akin is not None else talk.unknown("follow_no_why")


def _akin(talk: Interview, said: list[Topic]) -> Topic | None:
    fresh = _fresh(talk)
    for told in said[:3]:
        words = words_of(told.sentence) - words_of(talk.me)
        near = [(overlap(words_of(t.sentence), words), _is_thought(t), n, t) for n, t in enumerate(fresh) if t.id != told.id]
        found = [entry for entry in near if entry[0] >= AKIN]
        if found:
            return max(found, key=lambda entry: (entry[1], entry[0], -entry[2]))[3]
    return None


def _is_thought(topic: Topic) -> bool:
    """Whether it is what one thinks or is after, rather than something noticed."""
    r = topic.recollection
    return (r is not None and r.kind == "reflection") or (topic.statement is not None and topic.statement.topic == "aim")
