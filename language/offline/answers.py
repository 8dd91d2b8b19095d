"""Answers within a conversation: the question's kind is read from its words, the answer from what one has on record.

answer_ask(talk, line)   -> Move (act "answer" or "puzzled")
"""

from __future__ import annotations

import re

from language.offline.grammar import first_name, join_names
from language.offline.moves import Move, forms, passing
from language.offline.reading_talk import habit, overlap, pattern, says, words_of
from language.offline.talk_context import Talk
from language.offline.topics import Topic, spoken
from language.values import Event, Line, Recollection

_SENTENCE = re.compile(r"(?<=[.!?])\s+")
SHORT = 3
"""A question of fewer content words refers to the sentence before it."""

ENOUGH = 0.34
"""A record answers a question when it has this share of the question's content words."""


def answer_ask(talk: Talk, line: Line) -> Move:
    """The answer to a question that was just asked."""
    text = _question(line.text)
    if says("questions.and_you", text[-60:]) and len(words_of(text.split("?")[-2].split(".")[-1])) < 3:
        return _doing(talk) if talk.dice.chance(0.6) else _mood(talk)
    event = _event_asked(talk, line)
    if event is not None and says("questions.when_where", text):
        return _when_where(talk, event)
    if event is not None and says("questions.coming", text):
        return _coming(talk, event)
    if says("questions.evening", text) and "household" in talk.tags:
        return _evening(talk)
    if says("questions.who_knows", text):
        return _who_knows(talk)
    if talk.activity and overlap(words_of(talk.activity), words_of(text)) >= 0.5:
        return Move("answer", "answer_busy_now")
    if says("questions.source", text):
        told = next((mine for mine in reversed(talk.mine) if mine.news), None)
        if told is not None:
            return _from_whom(talk, told)
    met = pattern("questions.met").search(text)
    if met is not None:
        return _how_is(talk, met.group("who"))
    found = _matching(talk, text)
    if found is not None:
        return found
    if pattern("seen_me").search(text):
        return Move("answer", "answer_seen")
    third = _third(talk, text)
    if third is not None:
        return third
    if says("questions.busy", text):
        return _doing(talk)
    if says("questions.mood", text):
        return _mood(talk)
    last_told = next((mine for mine in reversed(talk.mine) if mine.act in ("tell", "gossip", "remark", "answer")), None)
    if last_told is not None and last_told.news and says("questions.reason", text):
        ids = {news.id for news in last_told.news}
        own = next((t for t in talk.topics if t.role == "me" and (t.id in ids or (t.news and t.news.id in ids))), None)
        return _reason(talk, own) if own is not None else _from_whom(talk, last_told)
    if last_told is not None and len(words_of(text)) <= 4:
        return _more(talk, last_told)
    return Move("puzzled", "puzzled")


def _question(text: str) -> str:
    """The question in somebody's words, with the sentence before it when it says little by itself."""
    parts = _SENTENCE.split(text)
    at = max((n for n, part in enumerate(parts) if "?" in part), default=len(parts) - 1)
    first = at - 1 if at > 0 and len(words_of(parts[at])) < SHORT else at
    return " ".join(parts[first:])


def _event_asked(talk: Talk, line: Line) -> Event | None:
    """The event a question is about: the one named, or the last one spoken of."""
    words = words_of(line.text)
    events = [r.news.event for r in talk.recollections.values() if r.news is not None and r.news.event is not None]
    events += [c.event for c in talk.op.commitments]
    for event in events:
        if overlap(words_of(event.name), words) >= 0.5:
            return event
    for said in reversed(talk.lines[:-1]):
        for news in reversed(said.news):
            if news.event is not None:
                return news.event
        if said.event is not None:
            return said.event
    return line.event


def _when_where(talk: Talk, event: Event) -> Move:
    news = talk.news_of(event)
    commitment = talk.commitment_to(event)
    rests = tuple(r.id for r in talk.recollections.values() if news is not None and r.news is not None and r.news.id == news.id)
    if commitment is not None:
        rests = (*rests, commitment.id)
    passes = (news.id,) if news is not None and rests else ()
    return Move("answer", "answer_event", talk.event_slots(event), passes, rests, news.id if news is not None else None)


def _coming(talk: Talk, event: Event) -> Move:
    commitment = talk.commitment_to(event)
    slots = talk.event_slots(event)
    rests = (commitment.id,) if commitment is not None else ()
    if commitment is not None and commitment.firm and not commitment.called_off:
        return Move("answer", "answer_coming_yes", slots, (), rests)
    return Move("answer", "answer_coming_perhaps", slots, (), rests)


def _evening(talk: Talk) -> Move:
    """What the diary has for the rest of the day."""
    for c in sorted(talk.op.commitments, key=lambda c: (c.event.start, c.id)):
        if c.firm and not c.called_off and c.event.start > talk.now and c.event.start.date() == talk.now.date():
            return Move("answer", "answer_evening_out", talk.event_slots(c.event), (), (c.id,))
    return Move("answer", "answer_evening_free")


def _who_knows(talk: Talk) -> Move:
    """Whom one has told what one told last."""
    told = next((news for mine in reversed(talk.mine) for news in mine.news), None)
    record = _source(talk, told.id) if told is not None else None
    names = [first_name(name) for name in (record.told_to if record is not None else ()) if name != talk.other.name]
    if record is None or not names:
        return Move("answer", "answer_first_told")
    return Move("answer", "answer_told", {"names": join_names(names[:4])}, (), (record.id,))


def _wish_or_doing(topic: Topic) -> dict[str, str]:
    """Slots that tell a wish (`do`, `doing_want`) from a doing (`ing`)."""
    if topic.form == "wanting":
        return {"do": topic.do, "doing_want": topic.ing}
    return {"ing": topic.ing} if topic.form == "doing" else {}


def _usable(talk: Talk, topic: Topic) -> bool:
    return not talk.confidential(topic) and not talk.spoken_of(topic.text)


def _mere_thought(topic: Topic) -> bool:
    """A reflection: it says no more than the records it rests on."""
    return topic.recollection is not None and topic.recollection.kind == "reflection"


def _of_another(topic: Topic) -> bool:
    """What one knows of somebody else, though it names oneself."""
    return topic.recollection is not None and topic.recollection.tag == "acquaintance"


def _matching(talk: Talk, text: str) -> Move | None:
    """One's own record that has most of the question's words."""
    asked = talk.matter(text) - words_of(talk.op.scene.place)
    if not asked:
        return None
    best: tuple[float, int, Topic] | None = None
    for n, topic in enumerate(talk.topics):
        if topic.role != "me" or talk.confidential(topic) or _mere_thought(topic) or _of_another(topic):
            continue
        score = overlap(asked, words_of(topic.text))
        if score >= ENOUGH and (best is None or score > best[0] + 1e-9):
            best = (score, n, topic)
    if best is None:
        return None
    topic = best[2]
    slots = forms(topic)
    passes = (topic.news.id,) if topic.news is not None and topic.recollection is not None else ()
    if says("questions.reason", text):
        return _reason(talk, topic)
    usual = habit(topic.sentence)
    if usual is not None:
        return Move("answer", "answer_habit", {"rest": usual[0], "when": usual[1]}, passes, (topic.id,))
    if talk.heard(topic) or overlap(talk.matter(topic.text), asked) > 0.6:
        # they know as much: say how it stands, and what one has on record beside it
        more = _neighbour(talk, topic)
        usual = habit(more.sentence) if more is not None else None
        if more is not None and usual is not None:
            slots |= {"rest": usual[0], "when": usual[1]}
            return Move("answer", "answer_progress_habit", slots, passes, (topic.id, more.id))
        if more is not None:
            slots |= {"more": more.sentence, "more_clause": more.clause}
            return Move("answer", "answer_progress_more", slots, passes, (topic.id, more.id))
        return Move("answer", "answer_progress", slots, passes, (topic.id,))
    return Move("answer", "answer_fact", slots, passes, (topic.id,))


def _reason(talk: Talk, topic: Topic) -> Move:
    """How a matter of one's own came about: what else one has on record about it, else a word."""
    more = _neighbour(talk, topic)
    if more is not None and not habit(more.sentence):
        return Move("answer", "answer_reason_more", {"more": more.sentence, "more_clause": more.clause}, (), (topic.id, more.id))
    return Move("answer", "answer_reason", _wish_or_doing(topic), (), (topic.id,))


def _neighbour(talk: Talk, topic: Topic) -> Topic | None:
    """Another record of one's own on the same matter."""
    words = talk.matter(topic.text)
    for other in talk.topics:
        if other.id == topic.id or other.role != "me" or not _usable(talk, other) or _mere_thought(other) or _of_another(other):
            continue
        share = overlap(talk.matter(other.text), words)
        if 0.2 <= share < 0.8:
            return other
    return None


def _third(talk: Talk, text: str) -> Move | None:
    """Somebody else is named: what I know of them, or that I know nothing."""
    names = [r for r in talk.recollections.values() if r.about and r.about not in (talk.me.name, talk.other.name)]
    for r in names:
        name = r.about or ""
        if first_name(name) not in text:
            continue
        found = _known_of(talk, name)
        if found is not None:
            return found
    return None


def _known_of(talk: Talk, name: str) -> Move | None:
    for topic in talk.topics:
        r = topic.recollection
        if r is None or topic.role != "third" or name not in topic.text or not _usable(talk, topic) or _mere_thought(topic):
            continue
        if topic.news is not None and topic.news.event is not None and talk.is_meeting(topic.news.event):
            continue  # whom others meet is theirs
        if r.tag == "acquaintance" and talk.mixes(topic):
            continue  # "his mother": whose, isn't said
        slots = {"sentence": topic.sentence, "subject": first_name(name)}
        if r.heard_from:
            slots["source"] = first_name(r.heard_from)
        return Move("answer", "answer_third", slots, (topic.news.id,) if topic.news is not None else (), (r.id,))
    return None


def _how_is(talk: Talk, who: str) -> Move:
    """After somebody one has talked with: what one knows of them, else that they seemed well enough."""
    for r in talk.recollections.values():
        if r.about and first_name(r.about) == who and r.tag == "talk":
            found = _known_of(talk, r.about)
            return found or Move("answer", "answer_met", {"subject": who}, (), (r.id,))
    return Move("answer", "answer_met", {"subject": who})


def _doing(talk: Talk) -> Move:
    mine = [t for t in talk.topics if t.role == "me" and _usable(talk, t) and not talk.heard(t)]
    if "household" in talk.tags:
        mine = [t for t in mine if t.statement is None]
    plans = [t for t in mine if t.form == "wanting" and not says("about_you", t.do)]
    doing = [t for t in mine if t.form == "doing" and t.project]
    options = plans[:2] + doing[:2]
    if options and talk.dice.chance(0.55):
        topic = talk.dice.choice(options)
        slots = forms(topic)
        passes = passing(topic) if topic.news is not None or topic.project or topic.form == "wanting" else ()
        return Move("answer", f"answer_{topic.form}", slots, passes, (topic.id,))
    return Move("answer", "answer_busy")


def _mood(talk: Talk) -> Move:
    return Move("answer", "answer_mood")


def _more(talk: Talk, line: Line) -> Move:
    """Asked for more about what I just said."""
    words = words_of(line.text)
    for topic in talk.topics:
        if not _usable(talk, topic) or _mere_thought(topic):
            continue
        share = overlap(words, words_of(topic.text))
        if share >= 0.2 and habit(topic.sentence) is None:
            slots = {"sentence": topic.sentence}
            return Move("answer", "answer_fact", slots, (topic.news.id,) if topic.news is not None else (), (topic.id,))
    return _from_whom(talk, line)


def _from_whom(talk: Talk, line: Line) -> Move:
    """Where news just told comes from."""
    for news in reversed(line.news):
        source = _source(talk, news.id)
        if source is not None:
            heard = source.heard_from if news.about != talk.me.name else None
            rule = "answer_more_heard" if heard else "answer_more_own"
            slots = {"source": first_name(heard)} if heard else {}
            return Move("answer", rule, slots, (), (source.id,))
    return Move("answer", "answer_more_own")


def _source(talk: Talk, news: str) -> Recollection | None:
    return next((r for r in talk.recollections.values() if r.id == news or (r.news is not None and r.news.id == news)), None)


__all__ = ["answer_ask", "spoken"]
