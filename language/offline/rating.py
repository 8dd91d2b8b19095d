"""RateImportance: 1..10 for each text, without dice: the same text is worth the same to the same person, always.

Weighty words decide; what anybody sees all day stays at 1 or 2; what fits a person's aims or work counts more; what the
lexicon doesn't know is compared with sentences of known weight (`wording/lexicon_weights.yaml`; section 4.1).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, NamedTuple

from kernel import Dice
from language.offline.grammar import is_gerund
from language.offline.registry import responder
from language.offline.similarity import likeness, nearest_texts
from language.operations import RateImportance
from language.replies import Ratings
from language.values import Person, Statement
from language.wording.loader import templates


class _Weights(NamedTuple):
    patterns: tuple[tuple[int, tuple[re.Pattern[str], ...]], ...]
    routine: re.Pattern[str]
    lift: int
    livelier: tuple[re.Pattern[str], ...]
    person: re.Pattern[str]
    dull: re.Pattern[str]
    plan: re.Pattern[str]
    appointments: re.Pattern[str]
    talk: re.Pattern[str]
    memo: re.Pattern[str]
    anchors: tuple[tuple[str, str], ...]
    damp: float
    aim_alike: float
    aim_common: int


@lru_cache(maxsize=1)
def _weights() -> _Weights:
    data: dict[str, Any] = templates("lexicon_weights")
    return _Weights(
        tuple((weight, tuple(re.compile(p, re.IGNORECASE) for p in found)) for weight, found in data["patterns"].items()),
        re.compile(data["routine"]),
        data["lift"],
        tuple(re.compile(p) for p in data["routine_words"][2]),
        re.compile(data["person"]),
        re.compile(data["dull"]),
        re.compile(data["plan"]),
        re.compile(data["appointments"]),
        re.compile(data["talk"]),
        re.compile(data["memo"]),
        tuple((str(weight), text) for weight, texts in data["anchors"].items() for text in texts),
        data["damp"],
        data["aim_alike"],
        data["aim_common"],
    )


@responder(RateImportance)
def rate(op: RateImportance, dice: Dice) -> Ratings:
    """One number for each text, in order."""
    aims = aims_of(op.person)
    return Ratings.model_construct(importance=[weigh(text, aims) for text in op.texts])


def aims_of(person: Person) -> tuple[str, ...]:
    """What the person wants at the moment."""
    return _aims(person.statements)


@lru_cache(maxsize=512)
def _aims(statements: tuple[Statement, ...]) -> tuple[str, ...]:
    return tuple(s.text for s in statements if s.topic == "aim")


@lru_cache(maxsize=32768)
def weigh(text: str, aims: tuple[str, ...] = ()) -> int:
    """The importance of a text to somebody with these aims, 1..10."""
    weights = _weights()
    heavy = _heaviest(text, weights)
    plan = weights.plan.search(text)
    phrase = is_gerund(text.split(" ", 1)[0])  # an activity of one's own plan
    if plan is not None or weights.routine.match(text):
        if heavy >= weights.lift and plan is None and not phrase:
            return _at_most(_seen(heavy), 9)
        what = plan["what"] if plan is not None else text
        if weights.appointments.search(what) and (plan is not None or phrase):
            return 6
        lively = any(pattern.search(what) for pattern in weights.livelier) or _at_something(what, weights)
        return 2 + (1 if phrase and _serves(what, aims, weights) else 0) if lively or plan else 1
    if heavy:
        return _at_most(heavy + (1 if heavy < 8 and _serves(text, aims, weights) else 0), 10)
    level = _by_meaning(text, weights)
    return _at_most(level + (2 if _serves(text, aims, weights) else 0), 8)


def _heaviest(text: str, weights: _Weights) -> int:
    for weight, patterns in weights.patterns:
        if any(pattern.search(text) for pattern in patterns):
            if weight > 6 and weights.talk.search(text):
                return 6  # it was talked of; the news itself is a record of its own
            return weight
    return 0


def _at_something(text: str, weights: _Weights) -> bool:
    """Whether somebody is seen at something that not everybody does all day."""
    seen = weights.person.match(text)
    return seen is not None and weights.dull.search(text, seen.end()) is None


def _seen(heavy: int) -> int:
    """Somebody seen at a party is no news of a party; a fire seen is a fire."""
    return heavy if heavy > _weights().lift else min(heavy, 4)


def _at_most(value: int, most: int) -> int:
    return max(1, min(most, value))


def _by_meaning(text: str, weights: _Weights) -> int:
    near = nearest_texts(text, weights.anchors)[:3]
    total = sum(max(0.0, like) ** 2 for _, like in near)
    if total <= 0.0:
        return 2
    level = sum(int(weight) * max(0.0, like) ** 2 for weight, like in near) / total
    if near[0][1] < weights.damp:
        level = 3 + (level - 3) * near[0][1] / weights.damp
    return round(level)


def _serves(text: str, aims: tuple[str, ...], weights: _Weights) -> bool:
    """Whether a text touches one of the aims."""
    if not aims:
        return False
    words = _content(text)
    return any(len(words & _content(aim)) >= weights.aim_common or likeness(text, aim) >= weights.aim_alike for aim in aims)


@lru_cache(maxsize=8192)
def _content(text: str) -> frozenset[str]:
    skip = templates("planning")["content_stop"]
    return frozenset(w for w in re.findall(r"[a-z][a-z'-]+", text.lower()) if len(w) > 3 and w not in skip)
