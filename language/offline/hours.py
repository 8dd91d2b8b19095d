"""PlanHours: the broad parts of a day as blocks of about an hour (Park et al. 2023, section 4.3).

A part that holds several things ("a, then b") is split at their usual times; a long thing is split into hours that
differ as its family of activities has it ("opening up", "serving breakfast guests" ...).
"""

from __future__ import annotations

from itertools import pairwise

from kernel import Dice
from language.offline.families import GENERIC, family_of, phrases
from language.offline.grammar import gerund_to_base, place_words
from language.offline.reading import meal_of
from language.offline.reading_places import find_place
from language.offline.registry import responder
from language.offline.routine import minutes_for, routine_of
from language.operations import PlanHours
from language.replies import HourBlock, HourPlan
from language.values import Person
from language.wording.loader import templates

LONG = 85
"""Minutes from which one thing is split into hours."""
LONG_MEAL = 125
"""The same for a meal, which has one beginning and one end."""


@responder(PlanHours)
def plan_hours(op: PlanHours, dice: Dice) -> HourPlan:
    """Blocks that cover each part without gaps."""
    blocks: list[HourBlock] = []
    for index, (start, end, activity, place) in enumerate(op.parts):
        for begin, until, text in _pieces(op.person, start, end, activity):
            where, words = find_place(text)
            if place is not None or where is None:
                where, words = place, text
            for a, b, doing in _hours(op.person, begin, until, words, where, dice):
                blocks.append(
                    HourBlock.model_construct(
                        activity=doing, start=f"{a // 60}:{a % 60:02d}", minutes=b - a, part=index, place=where, rests_on=[]
                    )
                )
    return HourPlan.model_construct(blocks=blocks)


def _pieces(person: Person, start: int, end: int, activity: str) -> list[tuple[int, int, str]]:
    """The things a part consists of, each with its span."""
    joint: str = templates("planning")["joint"]
    texts = activity.split(joint)
    if len(texts) == 1:
        return [(start, end, activity)]
    usual = routine_of(person).starts
    lengths = _lengths(texts, end - start)
    bounds = [start]
    for i, text in enumerate(texts[1:], start=1):
        previous = bounds[-1]
        latest = end - 10 * (len(texts) - i)
        at = usual.get(text)
        if at is None or not previous + 10 <= at <= latest:
            at = previous + lengths[i - 1]
        bounds.append(max(previous + 5, min(at, latest)))
    bounds.append(end)
    return [(a, b, text) for (a, b), text in zip(pairwise(bounds), texts, strict=True) if b > a]


def _lengths(texts: list[str], minutes: int) -> list[int]:
    """How long each of some things takes when together they take `minutes`; meals don't grow."""
    lengths = [minutes_for(text)[0] for text in texts]
    left = minutes - sum(lengths)
    if left < 0:
        return [max(5, length * minutes // sum(lengths)) for length in lengths]
    growing = [i for i, text in enumerate(texts) if meal_of(gerund_to_base(text)) is None] or [len(texts) - 1]
    for i in growing:
        lengths[i] += left // len(growing)
    return lengths


def _hours(person: Person, start: int, end: int, activity: str, place: str | None, dice: Dice) -> list[tuple[int, int, str]]:
    if end - start < (LONG_MEAL if meal_of(gerund_to_base(activity)) else LONG):
        return [(start, end, activity)]
    count = max(2, round((end - start) / 60))
    bounds = [start]
    for i in range(1, count):
        rough = start + (end - start) * i / count
        on_the_hour = round(rough / 30) * 30
        bounds.append(on_the_hour if bounds[-1] + 30 <= on_the_hour <= end - 30 else round(rough))
    bounds.append(end)
    family = family_of(activity, person.occupation, place)
    if family.name == GENERIC and _at_work(person, start, end, place):  # one thing doesn't fill a morning at work
        family = family_of(str(templates("planning")["defaults"]["work"][0]), person.occupation, person.workplace)
    phases = list(phrases(family.hours, activity, person.pronoun))
    out: list[tuple[int, int, str]] = []
    for a, b in pairwise(bounds):
        text = activity if not out else _phase(phases, person, a, b, dice) or activity
        if text in phases:
            phases.remove(text)
        out.append((a, b, text))
    return out


def _at_work(person: Person, start: int, end: int, place: str | None) -> bool:
    hours = person.work_hours
    if hours is None or person.workplace is None or not (hours[0] <= start and end <= hours[1] + 15):
        return False
    return place is None or place_words(" : ".join(person.workplace.split(" : ")[:2]), person.name) in place


def _phase(phases: list[str], person: Person, start: int, end: int, dice: Dice) -> str | None:
    """What an hour of work is like at this time of day; now and then, or when nothing fits, just the work itself."""
    data = templates("planning")
    begins, ends = person.work_hours or (-1, -1)
    fitting = []
    for text in phases:
        words = text.split(" ")
        if any(word in words for word in data["opening_words"]) and not abs(start - begins) <= 30:
            continue
        if any(word in words for word in data["closing_words"]) and not abs(end - ends) <= 45:
            continue
        spans = [data["hour_words"][word] for word in words if word in data["hour_words"]]
        if all(low <= start < high for low, high in spans):
            fitting.append((text, 3.0 if spans else 1.0))
    if not fitting or dice.chance(0.2):
        return None
    return dice.weighted([text for text, _ in fitting], [weight for _, weight in fitting])
