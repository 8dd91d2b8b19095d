"""Decompose: a block of an activity into tasks of 5-15 minutes (Park et al. 2023, section 4.3).

Parts: `decompose`; `shares` (the things a block consists of, one after the other, each with its minutes); the tasks of
one thing: what begins it, itself, what it consists of, what ends it. Recent tasks aren't repeated while there are
others. A task done at the same thing as the one before `stays`, so that nobody asks where.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from kernel import Dice
from language.offline.affordances import affordance_of
from language.offline.clauses import clauses, is_brief
from language.offline.families import GENERIC, Family, families, family_of, phrases
from language.offline.grammar import gerund_to_base
from language.offline.registry import responder
from language.operations import Decompose
from language.replies import Task, TaskList
from language.values import Person
from language.wording.loader import templates

LENGTHS = (5, 10, 10, 15, 15)
"""Minutes of a task; each entry is as likely as another."""
BRIEF = 15
"""Minutes that something done in a moment takes at most."""


@dataclass(frozen=True, slots=True)
class Share:
    """One thing done in a block. `text` "": nothing named, only what its family holds."""

    text: str
    family: Family
    minutes: int


@responder(Decompose)
def decompose(op: Decompose, dice: Dice) -> TaskList:
    """Tasks that fill `op.minutes` exactly."""
    tasks: list[Task] = []
    done = list(op.recent[-24:])
    at = op.start
    begun: set[str] = set()
    for share in shares(op):
        short = is_brief(share.text) or (share.family.name == GENERIC and share.minutes <= BRIEF)
        lengths = [share.minutes] if short and share.minutes <= 2 * BRIEF else _lengths(share.minutes, dice)
        texts = _texts(op.person, share, at, len(lengths), done, dice, opens=share.family.name not in begun)
        begun.add(share.family.name)
        use = ""
        for text, minutes in zip(texts, lengths, strict=True):
            before, use = use, use_of(text, share.family)
            stays = bool(before) and use == before and not share.family.moves
            if tasks and tasks[-1].activity == text and tasks[-1].minutes + minutes <= BRIEF:
                tasks[-1] = tasks[-1].model_copy(update={"minutes": tasks[-1].minutes + minutes})
            else:
                tasks.append(Task.model_construct(activity=text, minutes=minutes, stays=stays))
        done.extend(texts)
        at += share.minutes
    return TaskList.model_construct(tasks=tasks)


def shares(op: Decompose) -> list[Share]:
    """The block's things in order, their minutes adding up to `op.minutes`."""
    found: list[tuple[str, Family, int, bool]] = []  # text, family, weight, brief
    for text in clauses(op.activity):
        family = family_of(text, op.person.occupation, op.place)
        if family.meal is not None and gerund_to_base(text).split(" ", 1)[0] in templates("planning")["cooking"]:
            found.append((text, families()["cook"], 4, False))
            found.append((str(templates("planning")["defaults"][family.meal][-1]), family, 5, False))
            continue
        found.append((text, family, 5 if family.meal else 3, is_brief(text)))
    brief = sum(1 for _, _, _, short in found if short)
    if brief == len(found) and op.minutes > BRIEF * brief + 10:
        found.append(("", _meanwhile(op), 3, False))
    if op.minutes < 5 * len(found):  # no time for all of it by itself
        return [Share(op.activity, found[0][1], op.minutes)]
    left = op.minutes
    total = sum(weight for _, _, weight, short in found if not short)
    short_ones = min(BRIEF, 10 if total else op.minutes // max(1, brief))
    long_ones = op.minutes - brief * short_ones
    out: list[Share] = []
    for i, (text, family, weight, short) in enumerate(found):
        minutes = short_ones if short else 5 * round(long_ones * weight / total / 5)
        minutes = left if i == len(found) - 1 else max(5, min(minutes, left - 5 * (len(found) - 1 - i)))
        out.append(Share(text, family, minutes))
        left -= minutes
    return out


def _meanwhile(op: Decompose) -> Family:
    """What fills the time when what is named takes only a moment: by the hour of the day."""
    names = templates("planning")["meanwhile"]
    start = op.start if op.start >= op.person.wakes else op.start + 1440
    if start >= op.person.sleeps - 100:
        return families()[names["bed"]]
    return families()[names["waking"] if start < op.person.wakes + 75 else names["day"]]


def _texts(person: Person, share: Share, at: int, count: int, done: list[str], dice: Dice, *, opens: bool) -> list[str]:
    """`count` tasks of one thing, in the order in which they make sense."""
    family, text, pronoun = share.family, share.text, person.pronoun
    begun = text in done
    known = set(done)
    opening = [t for t in phrases(family.open, text, pronoun) if t not in known]
    closing = [t for t in phrases(family.close, text, pronoun) if t not in known]
    first: list[str] = []
    if (
        opening
        and opens
        and not begun
        and count > 2
        and _at_edge(person, family, at, 0)
        and dice.chance(0.9 if family.meal else 0.6)
    ):
        first.append(dice.choice(opening))
    if text:
        first.append(text)
    last: list[str] = []
    ends = _at_edge(person, family, at + share.minutes, 1) and dice.chance(0.9 if family.meal else 0.3)
    if closing and count > max(2, len(first)) and ends:
        last.append(dice.choice(closing))
    if len(first) + len(last) >= count:
        return [*(first if count > 1 or not text else [text]), *last][:count]
    middle = [t for t in _fresh(phrases(family.tasks, text, pronoun), tuple(done), dice) if t not in (*first, *last)]
    wanted = count - len(first) - len(last)
    while len(middle) < wanted:
        middle.extend([*middle, text or family.tasks[0]] if middle else [text or family.tasks[0]])
    return [*first, *middle[:wanted], *last]


def _at_edge(person: Person, family: Family, minute: int, edge: int) -> bool:
    """At work one opens only when work begins and closes only when it ends; other things begin and end any time."""
    hours = person.work_hours
    return hours is None or not family.job or abs(minute - hours[edge]) <= 30


@lru_cache(maxsize=16384)
def use_of(text: str, family: Family) -> str:
    """What of a place a task uses: what only certain things serve (a sink, a bed), else what its family needs."""
    data: dict[str, Any] = templates("planning_places")
    needs = affordance_of(text)
    if needs and needs[0][0] in data["apart"]:
        return needs[0][0]
    return family.affordances[0] if family.affordances else "any"


def _lengths(minutes: int, dice: Dice) -> list[int]:
    """Lengths of 5-15 minutes that add up to `minutes` (less than 5 minutes is one task)."""
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
