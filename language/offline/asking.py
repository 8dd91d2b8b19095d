"""Questions: after what is remembered of the other, and after the day.

ask_after(talk, topic)   a question about a matter of the listener's that one remembers, citing the record
small_questions(talk)    how things are, what is on today, what the evening brings
"""

from __future__ import annotations

from collections.abc import Iterator

from language.offline.grammar import first_name
from language.offline.moves import Move
from language.offline.reading_talk import habit, overlap, says, words_of
from language.offline.talk_context import SAME, Talk
from language.offline.topics import Topic, without_place
from language.values import Recollection

NOTABLE = 3
"""A doing seen that matters less isn't asked after."""
ASKED_AGAIN = 0.3
"""How readily one asks after a matter that was spoken of since one learned of it, a day later; less before."""


def ask_after(talk: Talk, topic: Topic) -> Iterator[Move]:
    """At most one question about a matter of the listener's."""
    r = topic.recollection
    if r is None or talk.spoken_of(topic.text) or r.tag in ("absence", "promise", "refusal"):
        return
    later = (s for s in talk.op.shared if s.id != r.id and s.hours_ago < r.hours_ago and s.tag == "talk")
    again = [s.hours_ago for s in later if _same(topic, s)]
    if again and not talk.dice.chance(ASKED_AGAIN * min(1.0, min(again) / 24)):
        return
    event = r.news.event if r.news is not None else None
    if event is not None:
        if event.host == talk.other.name and event.start > talk.now and not talk.is_meeting(event):
            slots = talk.event_slots(event)
            yield Move("ask", "ask_event", slots, (), (r.id,), r.news.id if r.news else None, weight=2.0)
        return
    if topic.form == "being" and (topic.np.split(" ")[0] in ("his", "her", "their", "your", "my") or "," in topic.np):
        return
    if habit(topic.sentence.replace("You ", "I ").replace(" you ", " I ")):
        return
    move = _seen(talk, topic, r) if r.kind == "observation" and r.tag in ("", "seen") else _remembered(talk, topic, r)
    if move is not None:
        yield move


def _seen(talk: Talk, topic: Topic, r: Recollection) -> Move | None:
    """After a doing one has seen, if there is anything to it."""
    ing = without_place(topic.ing)
    if topic.form != "doing" or says("vague", ing) or (r.importance < NOTABLE and not topic.project):
        return None
    if r.hours_ago < 0.25:
        return Move("ask", "ask_now", {"ing": ing}, (), (r.id,), weight=0.5)
    if r.hours_ago > 14:
        return None
    return Move("ask", "ask_seen_earlier" if r.hours_ago < 5 else "ask_seen_before", {"ing": ing}, (), (r.id,), weight=0.25)


def _remembered(talk: Talk, topic: Topic, r: Recollection) -> Move | None:
    told_me = r.heard_from == talk.other.name or (r.news is not None and talk.other.name in r.told_to)
    slots = {"clause": topic.clause, "sentence": topic.sentence}
    if topic.ing and topic.form in ("doing", "wanting"):
        slots["ing" if topic.form == "doing" else "doing_want"] = topic.ing
        if topic.do:
            slots["do"] = topic.do
    elif topic.form == "being":
        slots["np"] = topic.np
    open_matter = topic.form in ("doing", "wanting")
    if told_me and r.tag == "overheard":
        rule, weight = "ask_overheard", 1.6 if open_matter else 0.5
    elif told_me:
        rule, weight = ("ask_told", 3.0) if open_matter else ("ask_told_fact", 0.6)
    elif r.heard_from:
        slots["source"] = first_name(r.heard_from)
        rule, weight = ("ask_heard", 2.0) if open_matter else ("ask_heard_fact", 0.7)
    elif topic.form == "other":
        if says("identity_only", topic.text) or len(topic.text.split()) > 16 or "household" in talk.tags:
            return None
        rule, weight = "ask_fact", 0.35
    else:
        rule, weight = f"ask_{topic.form}", 1.2 if topic.project else 0.6
    if r.hours_ago < 0.5 and told_me:
        weight = 0.2
    return Move("ask", rule, slots, (), (r.id,), weight=weight * (0.7 + 0.06 * r.importance))


def _same(topic: Topic, other: Recollection) -> bool:
    return overlap(words_of(topic.text), words_of(other.text)) >= SAME


def small_questions(talk: Talk, asked: int) -> Iterator[Move]:
    """Questions that need no memory, once in a talk."""
    if asked or any("?" in line.text for line in talk.mine):
        return
    yield Move("ask", "ask_day", weight=0.7 if talk.tags & {"close", "friend"} else 0.5)
    if "household" in talk.tags and 6 <= talk.now.hour < 19:
        yield Move("ask", "ask_evening", weight=0.6)
