"""What a resident does when no model gives a usable answer: one function per operation, from its own fields alone.

    fallback_of(operation) -> reply        never raises for the operations of this room
    @falls_back(OperationType)             registers one for an operation of a plug-in mind

The resident keeps a sensible routine from their own lifestyle: the day as the persona tells it (`language.routine`),
the best of the places offered, going on with what one does, a polite word and good-bye. Texts are the persona's own
sentences or phrases from `language/wording`; never anything a model or an error said.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

from kernel import ModelError
from language.checks import resolve
from language.checks_plan import time_of_day
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
    RecallTalk,
    Settle,
    Speak,
    SummariseSelf,
)
from language.replies import (
    DayOutline,
    HourBlock,
    HourPlan,
    Insights,
    Questions,
    Ratings,
    Reaction,
    Recall,
    ReplyModel,
    SelfSummary,
    Settling,
    SpokenAnswer,
    Task,
    TaskList,
    Turn,
)
from language.routine import day_goes_on, ordinary_day
from language.values import PlaceOption
from language.wording import SHARED, phrase

O = TypeVar("O", bound=Operation[Any])  # noqa: E741  (O for operation, as R is for reply)
R = TypeVar("R", bound=ReplyModel)

MIDDLING = 3
"""Importance when nobody rated it: above the mundane (1-2), below what starts a reflection soon."""
PASSING = frozenset({"wash", "shower", "toilet", "dress", "sleep", "fetch_food", "clean_dishes", "tidy"})
"""What is used for itself only: nobody spends the morning at a sink."""
BLOCK = 60
PIECE = 15

_FALLBACKS: dict[type[Operation[Any]], Callable[[Any], ReplyModel]] = {}


def falls_back(operation: type[O]) -> Callable[[Callable[[O], R]], Callable[[O], R]]:
    """Decorator: the function gives the reply to operations of this type when no model does."""

    def register(reply: Callable[[O], R]) -> Callable[[O], R]:
        _FALLBACKS[operation] = reply
        return reply

    return register


def fallback_of(operation: Operation[Any]) -> ReplyModel:
    """The reply when no model gives one. Raises ModelError for an operation without a fallback."""
    found = _FALLBACKS.get(type(operation))
    if found is None:
        raise ModelError(f"the operation '{operation.name}' has no fallback", hint="register one with language.falls_back")
    return found(operation)


@falls_back(RateImportance)
def _rate(op: RateImportance) -> Ratings:
    return Ratings(importance=[MIDDLING] * len(op.texts))


@falls_back(SummariseSelf)
def _self(op: SummariseSelf) -> SelfSummary:
    """The persona's own sentences, as many as fit."""
    about = [statement.text for statement in op.person.statements if statement.topic in ("about", "aim")]
    text = ""
    for sentence in about or [phrase("fallback.self", name=op.person.name, occupation=op.person.occupation)]:
        if len(text) + len(sentence) > 1000:
            break
        text = f"{text} {sentence}" if text else sentence
    return SelfSummary(text=text or phrase("fallback.self", name=op.person.name, occupation=op.person.occupation)[:1000])


@falls_back(PlanDay)
def _day(op: PlanDay) -> DayOutline:
    """The ordinary day; when a running day is planned again, what was planned goes on beside the diary."""
    if op.current:
        return DayOutline(parts=day_goes_on(op))
    return DayOutline(parts=ordinary_day(op))


@falls_back(PlanHours)
def _hours(op: PlanHours) -> HourPlan:
    """Each part cut into hours; a rest of less than half an hour stays with the hour before."""
    blocks = []
    for i, (start, end, activity, place) in enumerate(op.parts):
        while start < end:
            minutes = end - start if end - start < BLOCK * 3 // 2 else BLOCK
            if minutes < 5:
                break
            blocks.append(HourBlock(activity=activity[:400], start=time_of_day(start), minutes=minutes, part=i, place=place))
            start += minutes
    return HourPlan(blocks=blocks)


@falls_back(Decompose)
def _tasks(op: Decompose) -> TaskList:
    """The activity itself, in pieces of a quarter of an hour."""
    pieces = [PIECE] * (op.minutes // PIECE)
    rest = op.minutes - sum(pieces)
    if rest >= 5 or not pieces:
        pieces.append(max(1, rest))
    else:
        pieces[-1] += rest
    return TaskList(tasks=[Task(activity=op.activity[:400], minutes=minutes) for minutes in pieces])


@falls_back(Settle)
def _settle(op: Settle) -> Settling:
    """Open and free first; then the place meant, what can be done there, one's own, where one is, the nearest."""
    if not op.options:
        return Settling(address=op.scene.place)
    words = _stems(op.activity)
    meant = resolve(op.hint, {option.address: None for option in op.options}) if op.hint else None

    def merit(option: PlaceOption) -> tuple[object, ...]:
        hinted = op.hint is not None and (option.address == meant or op.hint.casefold() in option.address.casefold())
        apt = any(_stems(key.replace("_", " ")) & words for key in option.affords)
        return (
            option.open and not option.taken,
            hinted and apt,
            apt,
            hinted,
            not PASSING.issuperset(option.affords),
            option.mine,
            option.address.startswith(op.scene.place),
            -option.minutes_away,
        )

    # max keeps the first of equals, and options come in a fixed order
    return Settling(address=max(op.options, key=merit).address)


def _stems(text: str) -> set[str]:
    """Crude word stems, enough to meet "cooking" with "cook"."""
    return {word[:4] for word in re.findall(r"[a-z]{3,}", text.casefold())}


@falls_back(React)
def _react(op: React) -> Reaction:
    return Reaction(decision="continue")


@falls_back(Speak)
def _speak(op: Speak) -> Turn:
    """A friendly word and good-bye, so that a broken model doesn't talk for ever."""
    closings = SHARED.variants("fallback.closing")
    listener = op.listeners[0].name.split()[0] if op.listeners and op.listeners[0].known else ""
    text = closings[(len(op.lines) + len(op.person.name)) % len(closings)]
    named = SHARED.variants("fallback.closing_named")
    if listener:
        text = named[(len(op.lines) + len(op.person.name)) % len(named)].format(listener=listener)
    return Turn(text=text, act="part", ends=True)


@falls_back(RecallTalk)
def _recall(op: RecallTalk) -> Recall:
    partners = SHARED.phrase("fallback.and").join(partner.name for partner in op.partners)
    text = phrase("fallback.talk", name=op.person.name, partners=partners or phrase("fallback.someone"))
    return Recall(summary=text[:400], warmth=0.0)


@falls_back(AskQuestions)
def _questions(op: AskQuestions) -> Questions:
    return Questions(questions=[])


@falls_back(DrawInsights)
def _insights(op: DrawInsights) -> Insights:
    return Insights(insights=[])


@falls_back(AnswerQuestion)
def _answer(op: AnswerQuestion) -> SpokenAnswer:
    return SpokenAnswer(text=phrase("fallback.unsure"), knows=False)
