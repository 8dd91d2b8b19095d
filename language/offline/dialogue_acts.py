"""Content planning: which dialogue act comes next, about what. Every move rests on fields of the operation.

next_move(talk)   the first duty (`duties`), else one matter by weight, else None
matters(talk)     weighted small moves: ask after (`asking`), tell, gossip, remark, propose a meeting (`proposing`)
readiness(...)    how readily hearsay is passed on
"""

from __future__ import annotations

from collections.abc import Iterator

from language.offline.asking import ask_after, small_questions
from language.offline.duties import WEIGHTY, duties
from language.offline.grammar import first_name
from language.offline.moves import Move, forms, news_words, passing
from language.offline.proposing import proposals
from language.offline.reading_talk import habit, pattern, says
from language.offline.talk_context import Talk
from language.offline.topics import Topic
from language.values import Recollection

UNIMPORTANT = 4
"""News below this importance isn't passed on."""
HEARSAY_MOST = 5
"""What one was told weighs no more than this when it comes to telling it on: it is others' news, however great to them."""
THIRD_MOUTH = 0.5
"""How much less readily one tells on what one hasn't from the person it is about."""
FRESH_HOURS = 14.0
"""After so many hours hearsay is passed on half as readily."""
GONE_ROUND = 0.3
"""How much each person one shares a piece of hearsay with lessens the wish to pass it on once more."""
LINK = 4.0
"""How much more a matter comes to mind when it has to do with what was said last."""
LINKED = 0.17
"""From this share of common words on a matter has to do with what was said last."""
EVENT_INTEREST = 2.4
"""What one can go to makes the best news."""
INTEREST = {"doing": 1.4, "wanting": 0.7, "being": 0.5, "other": 0.5}
"""What goes on makes better gossip than what somebody wishes or is like (by a topic's form)."""
NOT_OWN = frozenset({"absence", "promise", "refusal", "talk", "memo", "acquaintance"})
"""Tags of records that name oneself and are about something else."""
OPENERS = frozenset({"ask_told", "ask_heard", "ask_event", "tell_news", "gossip", "gossip_heard", "tell_met"})
"""Rules of small moves that may open a conversation: not one's own wishes and quirks."""


def next_move(talk: Talk, *, opening: bool = False) -> Move | None:
    """What to bring up now, None when nothing is left to say."""
    duty = next(iter(duties(talk)), None)
    if duty is not None:
        return duty
    found = [move for move in matters(talk) if move.weight > 0 and (not opening or move.rule in OPENERS)]
    return talk.dice.weighted(found, [m.weight for m in found]) if found else None


def matters(talk: Talk) -> Iterator[Move]:
    """Small moves with weights; ids in `rests_on`."""
    if "odds" in talk.tags:
        return
    asked = talk.asked()
    told = sum(line.act in ("tell", "gossip") for line in talk.mine)
    for topic in talk.topics:
        if talk.confidential(topic):
            continue
        if topic.role == "you":
            if asked < 2:
                yield from ask_after(talk, topic)
        elif told < 2 and not talk.heard(topic):
            yield from _telling(talk, topic)
    if asked < 2:
        yield from small_questions(talk, asked)
    yield from _met(talk)
    yield from _remarks(talk)
    yield from proposals(talk)


def readiness(talk: Talk, importance: int, hours_ago: float, shared_with: int) -> float:
    """How readily hearsay is passed on, 0..1: importance, freshness, how far it has gone round, talkativeness, closeness."""
    fresh = 1.0 / (1.0 + hours_ago / FRESH_HOURS)
    around = 1.0 / (1.0 + GONE_ROUND * shared_with)
    value = (importance / 10) * fresh * around * (0.6 + 0.8 * talk.me.talkative) * (0.8 + 0.4 * max(0.0, talk.closeness()))
    return min(0.9, 1.1 * value)


def _telling(talk: Talk, topic: Topic) -> Iterator[Move]:
    r = topic.recollection
    link = 1.0 + LINK * (talk.linked(topic.text) >= LINKED)
    if topic.news is not None and r is not None:
        yield from _passing_on(talk, topic, r, link)
    elif topic.statement is not None:
        yield from _own_statement(talk, topic, link)
    elif r is not None and topic.role == "me" and not talk.spoken_of(topic.text):
        yield from _own_record(talk, topic, r, link)
    elif r is not None and topic.role == "third" and topic.subject and not talk.spoken_of(topic.text):
        yield from _of_others(talk, topic, r, link)


def _passing_on(talk: Talk, topic: Topic, r: Recollection, link: float) -> Iterator[Move]:
    news = topic.news
    if news is None or r.importance < UNIMPORTANT or news.retracts is not None or r.tag in ("absence", "promise", "refusal"):
        return
    if any(o.news is not None and o.news.retracts == news.id for o in talk.recollections.values()):
        return  # taken back meanwhile
    if (news.event is not None and news.event.end <= talk.now) or ("stranger" in talk.tags and not talk.mine):
        return
    first_hand = r.heard_from is None
    if first_hand and topic.role == "me" and r.importance >= WEIGHTY and news.event is None:
        return  # that is announced, or not at all
    shared = len(r.told_to)
    worth = r.importance if first_hand else min(r.importance, HEARSAY_MOST)
    chance = readiness(talk, worth, r.hours_ago if not first_hand else 0.0, shared if not first_hand else 0)
    if r.heard_from is not None and news.about is not None and r.heard_from != news.about:
        chance *= THIRD_MOUTH
    if news.event is not None and talk.is_meeting(news.event):
        return  # whom others meet is theirs
    if not talk.dice.chance(chance):
        return
    act, rule = ("tell", "tell_news") if topic.role == "me" else ("gossip", "gossip_heard" if r.heard_from else "gossip")
    slots = {"news": news_words(talk, news)}
    if r.heard_from and r.heard_from != news.about:
        slots["source"] = first_name(r.heard_from)
    elif r.heard_from:
        slots["self_source"] = first_name(r.heard_from)
    event = news.id if news.event is not None else None
    interest = EVENT_INTEREST if news.event is not None else INTEREST[topic.form]
    weight = link * (r.importance * 0.5 if topic.role == "me" else max(0.3, 0.42 * (worth - 3)) * interest)
    yield Move(act, rule, slots, (news.id,), (r.id,), event, weight=weight)


def _own_record(talk: Talk, topic: Topic, r: Recollection, link: float) -> Iterator[Move]:
    if r.kind == "reflection":
        about_you = pattern("about_you").search(topic.do or topic.ing)
        if topic.form in ("doing", "wanting") and not about_you:
            rule = "tell_wish" if topic.form == "wanting" else "tell_thought"
            yield Move("tell", rule, forms(topic), (), (r.id,), weight=0.6 * link)
    elif topic.form == "doing" and r.hours_ago < 10 and r.tag in ("done", "", "seen") and not topic.present:
        if not says("vague", topic.ing):
            yield Move("remark", "remark_done", {"sentence": topic.sentence, "ing": topic.ing}, (), (r.id,), weight=0.5 * link)
    elif topic.form == "wanting":
        yield Move("tell", "tell_wish", forms(topic), passing(topic), (r.id,), weight=(0.4 + 0.2 * r.importance) * link)
    elif topic.form == "doing" and topic.present and topic.project:
        yield Move("tell", "tell_project", forms(topic), passing(topic), (r.id,), weight=1.2 * link)
    elif r.importance >= 5 and r.tag not in NOT_OWN and not habit(topic.sentence):
        slots = {"sentence": topic.sentence, "clause": topic.clause}
        yield Move("tell", "tell_fact", slots, passing(topic), (r.id,), weight=(0.2 * r.importance - 0.6) * link)


def _of_others(talk: Talk, topic: Topic, r: Recollection, link: float) -> Iterator[Move]:
    if r.importance >= 3 and topic.form == "doing" and r.hours_ago < 8 and r.tag in ("", "seen") and ":" not in topic.text:
        if not says("vague", topic.ing):
            yield Move("gossip", "gossip_seen", {"sentence": topic.sentence}, (r.id,), (r.id,), weight=0.3 * link)
    elif r.importance >= 6 and r.kind == "observation" and r.tag in ("event", "state"):
        yield Move("gossip", "gossip", {"news": topic.sentence}, (r.id,), (r.id,), weight=1.0 * link)
    elif r.tag == "acquaintance" and len(topic.text.split()) <= 22 and _for_others(talk, topic):
        slots = {"news": topic.sentence, "third": topic.subject or "", "subject": first_name(topic.subject or "")}
        yield Move("gossip", "gossip_person", slots, (r.id,), (r.id,), weight=0.8 * link)


def _for_others(talk: Talk, topic: Topic) -> bool:
    """Whether a word on somebody one knows can be said to this listener as it stands."""
    return talk.other.name not in topic.text and not talk.mixes(topic) and ("stranger" not in talk.tags or bool(talk.mine))


def _own_statement(talk: Talk, topic: Topic, link: float) -> Iterator[Move]:
    """One's aims, to those who don't live with one; one's quirks only to new faces, or when they are to the point."""
    statement = topic.statement
    if statement is None or topic.role != "me" or len(topic.text.split()) > 22:
        return
    if "household" in talk.tags or statement.topic == "rhythm" or says("dangling", topic.text):
        return
    known_well = bool(talk.tags & {"close", "friend"}) and talk.other.talks > 0
    if statement.topic == "aim" and topic.form == "wanting":
        yield Move("tell", "tell_wish", forms(topic), passing(topic), (topic.id,), weight=(0.8 if known_well else 1.3) * link)
    elif statement.topic == "aim":
        slots = {"sentence": topic.sentence, "clause": topic.clause}
        yield Move("tell", "tell_fact", slots, passing(topic), (topic.id,), weight=0.7 * link)
    elif topic.form == "doing" and topic.project:
        yield Move("tell", "tell_project", forms(topic), passing(topic), (topic.id,), weight=(0.6 if known_well else 1.1) * link)
    elif not says("identity_only", topic.text) and not habit(topic.sentence):
        slots = {"sentence": topic.sentence, "clause": topic.clause}
        if link > 1.0:
            yield Move("tell", "tell_linked", slots, passing(topic), (topic.id,), weight=0.6 * link)
        elif talk.tags & {"first", "stranger"} and talk.mine and not any(line.act == "tell" for line in talk.mine):
            yield Move("tell", "tell_fact", slots, passing(topic), (topic.id,), weight=0.15)


def _met(talk: Talk) -> Iterator[Move]:
    """Whom one has talked with today, said to those at home and to friends."""
    if not talk.tags & {"household", "close", "friend"} or any(line.event is None and line.act == "tell" for line in talk.mine):
        return
    for r in talk.recollections.values():
        if r.tag != "talk" or r.hours_ago > 9 or not r.about or talk.other.name in r.text or talk.spoken_of(r.about):
            continue
        slots = {"third": r.about, "subject": first_name(r.about)}
        yield Move("tell", "tell_met", slots, (), (r.id,), weight=0.5 if "household" in talk.tags else 0.25)


def _remarks(talk: Talk) -> Iterator[Move]:
    remarked = sum(line.act == "remark" for line in talk.mine)
    if remarked >= 2:
        return
    scene = talk.op.scene
    if not any(line.act == "remark" for line in talk.lines):
        yield Move("remark", "remark_scene", weight=0.35)
    if talk.activity and says("project", talk.activity) and not talk.spoken_of(talk.activity):
        yield Move("remark", "remark_doing", weight=0.4)
    for address, state in scene.notable[:2]:
        thing = address.split(" : ")[-1].removeprefix("behind the ")
        if not says("mundane", state) and not talk.spoken_of(f"{thing} {state}"):
            yield Move("remark", "remark_state", {"thing": thing, "state": state}, weight=1.5)
    others = [n for n in scene.people if n not in (talk.me.name, *(r.name for r in talk.op.listeners))]
    if others and not talk.spoken_of(others[0]) and any(others[0] in r.text for r in talk.recollections.values()):
        yield Move("remark", "remark_people", {"third": others[0]}, weight=0.4)
