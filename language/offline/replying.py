"""Replying: what the last line asks for before one brings up anything of one's own.

    reply_to(talk)     -> Reply: words, act and ids; `closed` when nothing may follow in the same turn

One function per dialogue act heard. Answers come from own records, statements, diary and scene, or are an honest
"no idea".
"""

from __future__ import annotations

from collections.abc import Callable

from language.offline.answers import answer_ask
from language.offline.deciding import decide
from language.offline.grammar import first_name
from language.offline.moves import Move, Reply
from language.offline.reading_talk import says
from language.offline.taking_up import reaction, taken_up
from language.offline.talk_context import Talk
from language.offline.topics import topic_of
from language.values import Event, Line, News


def reply_to(talk: Talk) -> Reply:
    """The reply to the last line of another, an empty one when there is none."""
    line = talk.last
    if line is None:
        return Reply("")
    return _REPLIES.get(line.act, _remark)(talk, line)


def _said(talk: Talk, rule: str, slots: dict[str, str] | None = None) -> str:
    return talk.say(rule, slots)


def _curt(talk: Talk, rule: str, act: str = "remark") -> Reply:
    """People at odds: a curt line, and an end to it before long."""
    if len(talk.lines) >= 2 or talk.dice.chance(0.4):
        return Reply("", Move("part", "part_odds", ends=True), closed=True)
    return Reply("", Move(act, rule), closed=True)


def _greet(talk: Talk, line: Line) -> Reply:
    greeted = bool(talk.mine)
    if "odds" in talk.tags:
        return _curt(talk, "odds_reply")
    if "stranger" in talk.tags and not talk.named:
        return Reply("", Move("introduce", "introduce"), closed=True)
    if says("questions.busy", line.text) and not says("questions.mood", line.text):
        reply = answer_ask(talk, line)
        return Reply("" if greeted else _said(talk, "greet_short"), reply, rests_on=reply.rests_on)
    return Reply(_said(talk, "greet_back_asked" if "?" in line.text else "greet_back"))


def _introduce(talk: Talk, line: Line) -> Reply:
    if any(mine.act == "introduce" for mine in talk.mine):
        return Reply(_said(talk, "pleased"))
    known = "stranger" not in talk.tags
    return Reply("", Move("introduce", "introduce_back_known" if known else "introduce_back"), closed=True)


def _ask(talk: Talk, line: Line) -> Reply:
    if "odds" in talk.tags:
        return _curt(talk, "odds_answer", "answer")
    move = answer_ask(talk, line)
    return Reply("", move, rests_on=move.rests_on)


def _answer(talk: Talk, line: Line) -> Reply:
    if line.news:
        return reaction(talk, line) if talk.dice.chance(0.5) else Reply(_said(talk, "react_news_mild"))
    if says("questions.and_you", line.text[-40:]) and talk.dice.chance(0.7):
        return _ask(talk, line)
    if talk.mine and says("questions.source", talk.mine[-1].text):
        return Reply(_said(talk, "ack_source"))
    slots = taken_up(line.text) if talk.dice.chance(0.5) else {}
    if slots and talk.said_by_me(" ".join(slots.values())):
        slots = {}
    return Reply(_said(talk, "ack_answer_echo" if slots else "ack_answer", slots))


def _remark(talk: Talk, line: Line) -> Reply:
    if "odds" in talk.tags:
        return _curt(talk, "odds_reply")
    if says("questions.and_you", line.text[-40:]):
        return _ask(talk, line)
    return Reply(_said(talk, "ack_remark"))


def _told(talk: Talk, line: Line) -> Reply:
    """News or something of their own: known already, doubted, asked about, or taken up."""
    if "odds" in talk.tags:
        return _curt(talk, "odds_news")
    if not line.news:
        if "?" in line.text[-12:] and says("questions.and_you", line.text):
            return _ask(talk, line)
        return reaction(talk, line)
    news = line.news[-1]
    known = next((r for r in talk.recollections.values() if r.news is not None and r.news.id == news.id), None)
    if news.about == talk.me.name:
        return Reply(_said(talk, "react_about_me"))
    if known is not None and known.heard_from != line.speaker and talk.other.name not in known.told_to:
        slots = {"source": first_name(known.heard_from)} if known.heard_from else {}
        return Reply(_said(talk, "react_known", slots), rests_on=(known.id,))
    dislike = talk.dislike_of(news.about)
    if dislike is not None and news.about != talk.other.name:
        return Reply(_said(talk, "react_doubt", {"subject": first_name(news.about or "")}), rests_on=(dislike.id,))
    if news.event is not None and news.event.start > talk.now and news.event.host != talk.other.name and talk.dice.chance(0.25):
        return Reply("", Move("ask", "ask_details", {"evn": news.event.name, "host": first_name(news.event.host)}), closed=True)
    return reaction(talk, line)


def _invited(talk: Talk, line: Line) -> Reply:
    event = line.event or next((n.event for n in reversed(line.news) if n.event is not None), None)
    if event is None:
        return Reply("", Move("ask", "ask_when_where"), closed=True)
    if event.end <= talk.now:
        return Reply("", Move("puzzled", "puzzled_past", talk.event_slots(event)), closed=True)
    return answer_invitation(talk, event, line)


def answer_invitation(talk: Talk, event: Event, line: Line) -> Reply:
    """Accept or decline, with what the event is about."""
    helping = line.act == "ask_help"
    ident = next((n.id for n in line.news if n.event is not None and (n.event == event)), None) or talk.event_id(event)
    decision = decide(talk, event, helping)
    slots = {**talk.event_slots(event), **decision.slots}
    if decision.yes:
        kind = "accept_help" if helping else "accept_meeting" if talk.is_meeting(event) else "accept"
        rule = "accept_known" if decision.known else kind
        return Reply("", Move("accept", rule, slots, (), decision.rests_on, ident), closed=True)
    reason = talk.say(decision.rule, slots)
    slots["why"] = reason
    return Reply("", Move("decline", "decline_help" if helping else "decline", slots, (), decision.rests_on, ident), closed=True)


def _accepted(talk: Talk, line: Line) -> Reply:
    slots = talk.event_slots(line.event) if line.event is not None else {}
    return Reply(_said(talk, "ack_accept_help" if _asked(talk) == "ask_help" else "ack_accept", slots))


def _declined(talk: Talk, line: Line) -> Reply:
    slots = talk.event_slots(line.event) if line.event is not None else {}
    return Reply(_said(talk, "ack_decline_help" if _asked(talk) == "ask_help" else "ack_decline", slots))


def _asked(talk: Talk) -> str:
    return talk.mine[-1].act if talk.mine else ""


def _asked_why(talk: Talk, line: Line) -> Reply:
    """Why one didn't come: what the diary or memory says of that time, else an apology without an excuse."""
    event = line.event
    slots = talk.event_slots(event) if event is not None else {}
    ident = talk.event_id(event) if event is not None else None
    if event is not None:
        for c in talk.op.commitments:
            if c.event.name != event.name and c.event.start < event.end and event.start < c.event.end:
                more = {**slots, "reason_ev": talk.event_words(c.event)}
                return Reply("", Move("explain", "explain_promised", more, (), (c.id,), ident), closed=True)
        hours = (talk.now - event.start).total_seconds() / 3600
        length = (event.end - event.start).total_seconds() / 3600
        for r in talk.recollections.values():
            if (
                r.news is None
                and r.tag in ("done", "")
                and r.text.startswith(talk.me.name)
                and hours - length <= r.hours_ago <= hours + 0.2
            ):
                topic = topic_of(r, talk.me.name, talk.me.pronoun, talk.other.name)
                if topic is not None and topic.form == "doing" and not talk.confidential(topic):
                    more = {**slots, "ing": topic.ing}
                    return Reply("", Move("explain", "explain_doing", more, (), (r.id,), ident), closed=True)
    own = next((r for r in talk.recollections.values() if r.tag == "absence" and r.text.startswith(talk.me.name)), None)
    rests = (own.id,) if own is not None else ()
    if "odds" in talk.tags:
        return Reply("", Move("explain", "explain_curt", slots, (), rests, ident), closed=True)
    return Reply("", Move("apologise", "apologise", slots, (), rests, ident), closed=True)


def _explained(talk: Talk, line: Line) -> Reply:
    return Reply(_said(talk, "forgive" if talk.dice.chance(0.5 + 0.45 * talk.closeness()) else "unforgiving"))


def _retracted(talk: Talk, line: Line) -> Reply:
    promised = any(
        c.firm and c.role != "host" and any(n.retracts and n.retracts == talk.event_id(c.event) for n in line.news)
        for c in talk.op.commitments
    )
    return Reply(_said(talk, "ack_retract_promised" if promised else "ack_retract"))


def _puzzled(talk: Talk, line: Line) -> Reply:
    return Reply(_said(talk, "never_mind"))


def _parted(talk: Talk, line: Line) -> Reply:
    return Reply("", Move("part", "farewell_odds" if "odds" in talk.tags else "farewell", ends=True), closed=True)


_REPLIES: dict[str, Callable[[Talk, Line], Reply]] = {
    "greet": _greet,
    "introduce": _introduce,
    "ask": _ask,
    "answer": _answer,
    "remark": _remark,
    "tell": _told,
    "gossip": _told,
    "invite": _invited,
    "ask_help": _invited,
    "accept": _accepted,
    "decline": _declined,
    "ask_why": _asked_why,
    "explain": _explained,
    "apologise": _explained,
    "retract": _retracted,
    "puzzled": _puzzled,
    "part": _parted,
}

__all__ = ["News", "Reply", "answer_invitation", "reply_to"]
