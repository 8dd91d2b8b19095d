"""Content planning: which dialogue act comes next, about what. Every move rests on fields of the operation.

next_move(talk)   the first duty (`duties`), else one matter by weight, else None
matters(talk)     weighted small moves: ask after, tell, gossip, remark, propose a meeting (`proposing`)
readiness(...)    how readily news is told
"""

from __future__ import annotations

from collections.abc import Iterator

from language.offline.duties import duties
from language.offline.grammar import first_name
from language.offline.moves import Move, news_words, passing
from language.offline.proposing import proposals
from language.offline.talk_context import SAME, Talk
from language.offline.topics import Topic, overlap, pattern, without_place, words_of
from language.values import Recollection

UNIMPORTANT = 4
"""News below this importance isn't passed on."""

FRESH_HOURS = 36.0
"""After so many hours news is told half as readily."""


def next_move(talk: Talk) -> Move | None:
    """What to bring up now, None when nothing is left to say."""
    duty = next(iter(duties(talk)), None)
    if duty is not None:
        return duty
    found = [move for move in matters(talk) if move.weight > 0]
    return talk.dice.weighted(found, [m.weight for m in found]) if found else None


def matters(talk: Talk) -> Iterator[Move]:
    """Small moves with weights; ids in `rests_on`."""
    if "odds" in talk.tags:
        return
    asked = sum(line.act == "ask" for line in talk.mine)
    told = sum(line.act in ("tell", "gossip") for line in talk.mine)
    for topic in talk.topics:
        if talk.confidential(topic):
            continue
        if topic.role == "you":
            if asked < 2:
                yield from _ask_after(talk, topic)
        elif told < 2 and not talk.heard(topic):
            yield from _telling(talk, topic)
    if asked == 0:
        yield Move("ask", "ask_day", weight=0.8 if talk.tags & {"close", "friend"} else 0.6)
    yield from _remarks(talk)
    yield from proposals(talk)


def _ask_after(talk: Talk, topic: Topic) -> Iterator[Move]:
    r = topic.recollection
    if r is None or talk.spoken_of(topic.text) or r.tag in ("absence", "promise", "refusal"):
        return
    later = (s for s in talk.op.shared if s.id != r.id and s.hours_ago < r.hours_ago and s.tag == "talk")
    if any(_same(topic, s) for s in later) and talk.dice.chance(0.5):
        return
    event = r.news.event if r.news is not None else None
    if event is not None:
        if event.host == talk.other.name and event.start > talk.now and not talk.is_meeting(event):
            slots = talk.event_slots(event)
            yield Move("ask", "ask_event", slots, (), (r.id,), r.news.id if r.news else None, weight=2.0)
        return
    if topic.form == "being" and topic.np.split(" ")[0] in ("his", "her", "their", "your", "my"):
        return
    told_me = r.heard_from == talk.other.name or (r.news is not None and talk.other.name in r.told_to)
    slots = {"clause": topic.clause, "sentence": topic.sentence}
    if topic.form == "doing" and r.hours_ago < 0.25 and not told_me and r.kind == "observation" and r.tag in ("", "seen"):
        yield Move("ask", "ask_now", {"ing": without_place(topic.ing)}, (), (r.id,), weight=0.9)
        return
    if topic.ing and topic.form in ("doing", "wanting"):
        key = "ing" if topic.form == "doing" else "doing_want"
        slots[key] = topic.ing
        if topic.do:
            slots["do"] = topic.do
    elif topic.form == "being":
        slots["np"] = topic.np
    when = "earlier" if r.hours_ago < 5 else "before"
    if told_me:
        rule, weight = ("ask_told", 3.0) if topic.form in ("doing", "wanting") else ("ask_told_fact", 0.8)
    elif r.heard_from:
        slots["source"] = first_name(r.heard_from)
        rule, weight = ("ask_heard", 2.0) if topic.form in ("doing", "wanting") else ("ask_heard_fact", 0.8)
    elif r.kind == "observation" and topic.form == "doing" and r.tag in ("", "seen"):
        if r.hours_ago > 14:
            return
        slots["ing"] = without_place(topic.ing)
        rule, weight = f"ask_seen_{when}", 0.5
    elif topic.form == "other":
        if pattern("identity_only").search(topic.text) or len(topic.text.split()) > 16:
            return
        rule, weight = "ask_fact", 0.5
    else:
        rule, weight = f"ask_{topic.form}", 1.2 if topic.project else 0.7
    if r.hours_ago < 0.5 and told_me:
        weight = 0.2
    yield Move("ask", rule, slots, (), (r.id,), weight=weight * (0.7 + 0.06 * r.importance))


def _same(topic: Topic, other: Recollection) -> bool:
    return overlap(words_of(topic.text), words_of(other.text)) >= SAME


def readiness(talk: Talk, importance: int, hours_ago: float, second_hand: bool) -> float:
    """How readily news is told, 0..1: importance, freshness, talkativeness, closeness; hearsay a little less."""
    fresh = 1.0 / (1.0 + hours_ago / FRESH_HOURS)
    value = (importance / 10) * fresh * (0.55 + 0.9 * talk.me.talkative) * (0.75 + 0.5 * max(0.0, talk.closeness()))
    return min(0.95, value * (0.7 if second_hand else 1.1))


def _telling(talk: Talk, topic: Topic) -> Iterator[Move]:
    r, news = topic.recollection, topic.news
    if news is not None and r is not None:
        if r.importance < UNIMPORTANT or news.retracts is not None:
            return
        if any(o.news is not None and o.news.retracts == news.id for o in talk.recollections.values()):
            return  # taken back meanwhile
        if news.event is not None and news.event.end <= talk.now:
            return
        if "stranger" in talk.tags and not talk.mine:
            return
        if not talk.dice.chance(readiness(talk, r.importance, r.hours_ago, r.heard_from is not None)):
            return
        if topic.role == "me":
            act, rule = "tell", "tell_news"
        else:
            act, rule = "gossip", "gossip_heard" if r.heard_from else "gossip"
        slots = {"news": news_words(talk, news.text)}
        if r.heard_from and r.heard_from != news.about:
            slots["source"] = first_name(r.heard_from)
        elif r.heard_from:
            slots["self_source"] = first_name(r.heard_from)
        event = news.id if news.event is not None else None
        weight = r.importance * (0.5 if news.event is not None or topic.role == "me" else 0.3)
        yield Move(act, rule, slots, (news.id,), (r.id,), event, weight=weight)
        return
    if topic.statement is not None:
        yield from _own_statement(talk, topic)
    elif r is not None and topic.role == "me" and not talk.spoken_of(topic.text):
        if r.kind == "reflection":
            if topic.form in ("doing", "wanting"):
                rule = "tell_wish" if topic.form == "wanting" else "tell_thought"
                yield Move("tell", rule, _forms(topic), (), (r.id,), weight=0.7)
        elif topic.form == "doing" and r.hours_ago < 10 and r.tag in ("done", "", "seen") and not topic.present:
            yield Move("remark", "remark_done", {"sentence": topic.sentence, "ing": topic.ing}, (), (r.id,), weight=0.5)
        elif topic.form == "wanting":
            yield Move("tell", "tell_wish", _forms(topic), passing(topic), (r.id,), weight=1.2)
        elif topic.form == "doing" and topic.present and topic.project:
            yield Move("tell", "tell_project", _forms(topic), passing(topic), (r.id,), weight=1.2)
        elif r.importance >= 5 and r.tag not in ("absence", "promise", "refusal", "talk", "memo"):
            yield Move(
                "tell", "tell_fact", {"sentence": topic.sentence, "clause": topic.clause}, passing(topic), (r.id,), weight=0.6
            )
    elif r is not None and topic.role == "third" and topic.subject and not talk.spoken_of(topic.text):
        if r.importance >= 3 and topic.form == "doing" and r.hours_ago < 8 and r.tag in ("", "seen") and ":" not in topic.text:
            yield Move("gossip", "gossip_seen", {"sentence": topic.sentence}, (), (r.id,), weight=0.25)
        elif r.importance >= 6 and r.kind == "observation" and r.tag in ("event", "state"):
            yield Move("gossip", "gossip", {"news": topic.sentence}, (r.id,), (r.id,), weight=1.0)


def _own_statement(talk: Talk, topic: Topic) -> Iterator[Move]:
    statement = topic.statement
    if statement is None or topic.role != "me" or len(topic.text.split()) > 22:
        return
    if statement.topic == "aim" and topic.form == "wanting":
        yield Move("tell", "tell_wish", _forms(topic), passing(topic), (topic.id,), weight=1.6)
    elif statement.topic == "aim":
        slots = {"sentence": topic.sentence, "clause": topic.clause}
        yield Move("tell", "tell_fact", slots, passing(topic), (topic.id,), weight=1.0)
    elif topic.form == "doing" and topic.project:
        yield Move("tell", "tell_project", _forms(topic), passing(topic), (topic.id,), weight=1.2)
    elif not talk.tags & {"couple", "family", "close"} and not pattern("identity_only").search(topic.text):
        weight = 0.35 if statement.topic == "about" else 0.04  # hours and habits are small talk at best
        yield Move("tell", "tell_fact", {"sentence": topic.sentence, "clause": topic.clause}, (), (topic.id,), weight=weight)


def _forms(topic: Topic) -> dict[str, str]:
    slots = {"sentence": topic.sentence, "clause": topic.clause}
    if topic.ing:
        slots["ing"] = topic.ing
    if topic.do:
        slots["do"] = topic.do
    return slots


def _remarks(talk: Talk) -> Iterator[Move]:
    remarked = sum(line.act == "remark" for line in talk.mine)
    if remarked >= 2:
        return
    scene = talk.op.scene
    yield Move("remark", "remark_scene", weight=0.5)
    if "doing" in talk.slots and not talk.spoken_of(talk.slots["doing"]):
        yield Move("remark", "remark_doing", weight=0.6)
    for address, state in scene.notable[:2]:
        thing = address.split(" : ")[-1].removeprefix("behind the ")
        if not pattern("mundane").search(state) and not talk.spoken_of(f"{thing} {state}"):
            yield Move("remark", "remark_state", {"thing": thing, "state": state}, weight=1.5)
    others = [n for n in scene.people if n not in (talk.me.name, *(r.name for r in talk.op.listeners))]
    if others and not talk.spoken_of(others[0]) and any(others[0] in r.text for r in talk.recollections.values()):
        yield Move("remark", "remark_people", {"third": others[0]}, weight=0.4)
