"""Decompose: a block of an activity into tasks of 5-15 minutes (Park et al. 2023, section 4.3).

The tasks come from the activity's family, filled with the activity's own words; the activity itself is always one of
them, so that whatever the plan says is done. Recent tasks aren't repeated while there are others.
"""

from __future__ import annotations

from kernel import Dice
from language.offline.families import GENERIC, Family, families, family_of, phrases
from language.offline.registry import responder
from language.operations import Decompose
from language.replies import Task, TaskList

LENGTHS = (5, 10, 10, 15, 15)
"""Minutes of a task; each entry is as likely as another."""


@responder(Decompose)
def decompose(op: Decompose, dice: Dice) -> TaskList:
    """Tasks that fill `op.minutes` exactly."""
    lengths = _lengths(op.minutes, dice)
    pronoun = op.person.pronoun
    family = family_of(op.activity, op.person.occupation, op.place)
    recent = op.recent[-24:]
    texts = list(_fresh(phrases(family.tasks, op.activity, pronoun), recent, dice))
    if len(texts) < len(lengths) - 1 and family.name != GENERIC:
        texts.extend(_fresh(phrases(families()[GENERIC].tasks, op.activity, pronoun), (*recent, *texts), dice))
    chosen = _with_activity(texts, op.activity, dice, len(lengths))
    if len(lengths) > 2:
        opening = phrases(family.open, op.activity, pronoun) if _at_edge(op, family, 0) else ()
        if opening and op.activity not in recent and not set(opening) & set(recent) and dice.chance(0.6):
            chosen[0] = dice.choice(opening)
            if op.activity not in chosen:
                chosen[1] = op.activity
        closing = phrases(family.close, op.activity, pronoun) if _at_edge(op, family, 1) else ()
        if closing and not set(closing) & set(recent) and len(lengths) > 3 and dice.chance(0.2):
            chosen[-1] = dice.choice(closing)
    return TaskList.model_construct(
        tasks=[Task.model_construct(activity=text, minutes=minutes) for text, minutes in zip(chosen, lengths, strict=True)]
    )


def _at_edge(op: Decompose, family: Family, edge: int) -> bool:
    """At work one opens only when work begins and closes only when it ends; other things begin and end any time."""
    hours = op.person.work_hours
    if hours is None or not family.job:
        return True
    at = op.start + (op.minutes if edge else 0)
    return abs(at - hours[edge]) <= 30


def _lengths(minutes: int, dice: Dice) -> list[int]:
    """Lengths of 5-15 minutes that add up to `minutes` (a block shorter than 5 minutes is one task)."""
    out: list[int] = []
    left = minutes
    while left > 0:
        length = min(left, dice.choice(LENGTHS))
        if left - length < 5:
            length = left if left <= 15 else left // 2
        out.append(length)
        left -= length
    return out or [1]


def _fresh(texts: tuple[str, ...], recent: tuple[str, ...], dice: Dice) -> list[str]:
    """`texts` in random order, those done lately last (the longest ago first)."""
    done = {text: i for i, text in enumerate(recent)}
    new = [text for text in texts if text not in done]
    old = sorted((text for text in texts if text in done), key=lambda text: done[text])
    return [*dice.shuffled(new), *old]


def _with_activity(texts: list[str], activity: str, dice: Dice, count: int) -> list[str]:
    """`count` texts, one of the first two being the activity itself."""
    pool = [text for text in dict.fromkeys(texts) if text != activity]
    at = 0 if count < 3 or not pool else dice.below(2)
    chosen = [*pool[:at], activity, *pool[at:]]
    while len(chosen) < count:
        chosen.extend([*pool, activity])
    return chosen[:count]
