"""A valid reply against its operation: may it say that?

    check(operation, reply) -> Checked(reply, dropped)    raises ReplyInvalid with a complaint the model can act on
    resolve(address, options)                              the option meant, exactly or nearly, or None
    disclaims(json_text, request_text)                     an error message, an apology or a prompt instead of an answer

Ids that are not among the operation's own are dropped (and counted); addresses must be among its options; times must
be sane. What only needs trimming is trimmed. Operations of plug-in minds are checked for citations alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, NamedTuple, TypeVar

from kernel import ReplyInvalid, nearest
from language.checks_plan import check_day, check_hours, check_tasks
from language.operations import (
    AnswerQuestion,
    AskQuestions,
    Decompose,
    DrawInsights,
    Operation,
    PlanDay,
    PlanHours,
    RateImportance,
    React,
    Settle,
    Speak,
)
from language.replies import Insights, Meeting, Questions, Ratings, Reaction, ReplyModel, Settling, SpokenAnswer, Turn
from language.values import Commitment, Line, Person, Recollection
from language.wording import SHARED

SEPARATOR = " : "
_ICON = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_PARROT = 40  # characters from which repeating another's words is no coincidence
_STATE = 80  # characters of an object's state

R = TypeVar("R", bound=ReplyModel)


class Checked(NamedTuple):
    """A reply fit for use, and how many citations had to be dropped from it."""

    reply: ReplyModel
    dropped: int


def check(operation: Operation[Any], reply: ReplyModel) -> Checked:
    """The reply as it may be used. Raises ReplyInvalid."""
    special = _CHECKS.get(type(operation))
    if special is not None:
        reply = special(operation, reply)
    return _citations(operation, reply)


def resolve(address: str | None, options: Iterable[str]) -> str | None:
    """The option that `address` means: itself, the same in other letters, the only one that ends so, or a near one."""
    if not address:
        return None
    known = tuple(options)
    if address in known:
        return address
    wanted = _norm(address)
    same = [option for option in known if _norm(option) == wanted]
    ends = [option for option in known if _norm(option).endswith(f":{wanted}")]
    for found in (same, ends):
        if len(found) == 1:
            return found[0]
    close = nearest(address, known)
    # a leaf alone ("stove") resembles too many; a near match must be near as a whole
    return close if close is not None and abs(len(close) - len(address)) <= max(3, len(close) // 5) else None


def disclaims(json_text: str, request_text: str) -> str | None:
    """The part of an answer that shows it to be none, or None. What the question says itself may be repeated."""
    for found in _no_answer().finditer(json_text):
        if found[0].casefold() not in request_text.casefold():
            return found[0]
    return None


@cache
def _no_answer() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in SHARED.variants("not_an_answer")), re.IGNORECASE)


def _norm(address: str) -> str:
    return re.sub(r"\s*[:>/]\s*", ":", address.strip().casefold())


# ---- citations


def _citations(operation: Operation[Any], reply: ReplyModel) -> Checked:
    cites = getattr(reply, "rests_on", None)
    told = getattr(reply, "passes_on", None)
    event = getattr(reply, "event", None)
    if not (cites or told or event):
        return Checked(reply, 0) if cites is not None else _nested_citations(operation, reply)
    known = _Known(operation)
    update: dict[str, Any] = {}
    dropped = 0
    for name, ids, allowed in (("rests_on", cites, known.records), ("passes_on", told, known.news | known.records)):
        kept = list(dict.fromkeys(i for i in ids or () if i in allowed))
        if ids and len(kept) != len(ids):
            update[name] = kept
            dropped += len(ids) - len(kept)
    if event is not None and event not in known.news and event not in known.records:
        update["event"] = None
        dropped += 1
    return Checked(reply.model_copy(update=update) if update else reply, dropped)


def _nested_citations(operation: Operation[Any], reply: ReplyModel) -> Checked:
    """Citations of the items of a reply's lists (parts, blocks, insights)."""
    known: _Known | None = None
    update: dict[str, Any] = {}
    dropped = 0
    for name in type(reply).model_fields:
        items = getattr(reply, name)
        if not isinstance(items, list) or not items or not isinstance(items[0], ReplyModel):
            continue
        fresh: list[ReplyModel] = []
        for item in items:
            ids = getattr(item, "rests_on", None)
            if ids:
                known = known or _Known(operation)
                kept = list(dict.fromkeys(i for i in ids if i in known.records))
                if len(kept) != len(ids):
                    dropped += len(ids) - len(kept)
                    item = item.model_copy(update={"rests_on": kept})
                    update[name] = fresh
            fresh.append(item)
    return Checked(reply.model_copy(update=update) if update else reply, dropped)


class _Known:
    """What may be cited: `records` (statements, recollections, diary) and `news`, by id."""

    __slots__ = ("news", "records")

    def __init__(self, operation: Operation[Any]) -> None:
        self.records: set[str] = {statement.id for statement in operation.person.statements}
        self.news: set[str] = set()
        for name in type(operation).__dataclass_fields__:
            value = getattr(operation, name)
            if type(value) is tuple:
                for item in value:
                    self._add(item)

    def _add(self, item: object) -> None:
        if isinstance(item, Recollection):
            self.records.add(item.id)
            if item.news is not None:
                self.news.add(item.news.id)
        elif isinstance(item, Commitment):
            self.records.add(item.id)
        elif isinstance(item, Line):
            self.news.update(news.id for news in item.news)


# ---- one function per operation


def _ratings(op: RateImportance, reply: Ratings) -> Ratings:
    if len(reply.importance) != len(op.texts):
        raise ReplyInvalid(f"importance: {len(op.texts)} ratings were asked for, {len(reply.importance)} given")
    return reply


def _settling(op: Settle, reply: Settling) -> Settling:
    options = [option.address for option in op.options] or [op.scene.place]
    address = resolve(reply.address, options)
    if address is None:
        raise ReplyInvalid("address: not one of the options; copy one of them exactly")
    update: dict[str, object] = {}
    if address != reply.address:
        update["address"] = address
    if not _ICON.fullmatch(reply.icon):
        update["icon"] = "dot"
    if reply.state is not None and not 0 < len(reply.state) <= _STATE:
        update["state"] = None
    return reply.model_copy(update=update) if update else reply


def _reaction(op: React, reply: Reaction) -> Reaction:
    if reply.decision == "talk" and not (op.may_talk and op.kind == "person"):
        raise ReplyInvalid("decision: talking isn't possible now")
    if reply.decision == "act" and not (reply.activity or "").strip():
        raise ReplyInvalid("activity: needed with the decision to act")
    update: dict[str, object] = {}
    if reply.address is not None:
        person: Person = op.person
        places = [op.scene.place, person.home, *([person.workplace] if person.workplace else ())]
        places += [op.subject] if SEPARATOR in op.subject else []
        places += [address for address, _ in op.scene.notable]
        places += [commitment.event.place for commitment in op.commitments]
        address = resolve(reply.address, dict.fromkeys(places))
        if address != reply.address:
            update["address"] = address
    for name in ("state", "leaves"):
        value = getattr(reply, name)
        if value is not None and not 0 < len(value) <= _STATE:
            update[name] = None
    return reply.model_copy(update=update) if update else reply


def _turn(op: Speak, reply: Turn) -> Turn:
    if len(reply.text) >= _PARROT and any(line.text == reply.text for line in op.lines[-4:]):
        raise ReplyInvalid("text: repeats what has just been said")
    if reply.meeting is None:
        return reply
    return reply.model_copy(update={"meeting": _meeting(op, reply.meeting)})


def _meeting(op: Speak, meeting: Meeting) -> Meeting:
    own = (op.scene.place, op.person.home, op.person.workplace or op.person.home)
    places = dict.fromkeys((*op.meeting_places, *own, *(c.event.place for c in op.commitments)))
    place = resolve(meeting.place, places)
    if place is None:
        raise ReplyInvalid("meeting.place: not one of the places fit for meeting; copy one of them exactly")
    start = _moment(meeting.start)
    if start is None:
        raise ReplyInvalid("meeting.start: write it as YYYY-MM-DD HH:MM")
    if start <= op.scene.now.strftime(_MOMENT):
        raise ReplyInvalid("meeting.start: that time has passed")
    return meeting.model_copy(update={"place": place, "start": start})


_MOMENT = "%Y-%m-%d %H:%M"


def _moment(text: str) -> str | None:
    from datetime import datetime

    try:
        return datetime.fromisoformat(text.strip()).replace(tzinfo=None).strftime(_MOMENT)
    except ValueError:
        return None


def _questions(op: AskQuestions, reply: Questions) -> Questions:
    distinct = list(dict.fromkeys(reply.questions))
    if not distinct and op.recent:
        raise ReplyInvalid("questions: none given")
    return reply if len(distinct) == len(reply.questions) <= op.count else Questions(questions=distinct[: op.count])


def _insights(op: DrawInsights, reply: Insights) -> Insights:
    allowed = _Known(op).records
    supported = [insight for insight in reply.insights if any(i in allowed for i in insight.rests_on)]
    if reply.insights and not supported:
        raise ReplyInvalid("insights: none cites a record by the ids given in brackets")
    kept = supported[: op.count]
    return reply if len(kept) == len(reply.insights) else Insights(insights=kept)


def _answer(op: AnswerQuestion, reply: SpokenAnswer) -> SpokenAnswer:
    if reply.text.strip().casefold() == op.question.strip().casefold():
        raise ReplyInvalid("text: repeats the question")
    return reply


_CHECKS: dict[type[Operation[Any]], Callable[[Any, Any], ReplyModel]] = {
    RateImportance: _ratings,
    PlanDay: check_day,
    PlanHours: check_hours,
    Decompose: check_tasks,
    Settle: _settling,
    React: _reaction,
    Speak: _turn,
    AskQuestions: _questions,
    DrawInsights: _insights,
    AnswerQuestion: _answer,
}
