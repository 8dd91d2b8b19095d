"""Commitments: how what was promised, what one holds and what one has heard of change a day.

Parts: `commitment_items` (host, helper, guest; heard-of events by inclination), `carve` (makes room), `event_words`,
`is_about` (whether an activity belongs to an event), `served_at`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection
from datetime import datetime
from typing import Any

from kernel import Dice
from language.offline.day_items import Item
from language.offline.grammar import first_name, is_gerund, place_words
from language.offline.grammar_verbs import tables
from language.offline.similarity import likeness
from language.offline.temper import sociability
from language.operations import PlanDay
from language.values import Commitment, Event
from language.wording.loader import templates

FORGETS, FORGETFUL = 0.02, 0.1
"""How probable it is that a promise slips one's mind; and the minds of those whose traits say so."""

PREPARING = 90
"""Minutes a host spends at the place before the event; the last half hour is being there early."""


def event_words(event: Event) -> str:
    """The event as a noun phrase: "the harvest supper"."""
    article: dict[str, Any] = templates("planning")["article"]
    name = event.name.strip()
    head, _, rest = name.partition(" ")
    if head.lower() in article["strip"] and rest:
        return (
            name
            if head.lower() not in templates("planning")["objects"]["indefinite"]
            else str(article["bare"]).format(event=rest)
        )
    if is_doing(name):
        return name
    return str(article["bare"]).format(event=name)


def is_doing(name: str) -> bool:
    """Whether an event is called by what one does ("setting up for the fair"), not by a noun ("mending afternoon")."""
    head, _, rest = name.strip().partition(" ")
    second = rest.split(" ", 1)[0].lower()
    lexicon = tables()
    follows = second in lexicon.particles or second in lexicon.determiners or second in templates("planning")["objects"]["stops"]
    return is_gerund(head) and (not rest or follows or second == templates("planning")["ready"])


def is_about(activity: str, event: Event) -> bool:
    """Whether an activity of a plan is going to an event, holding it or getting ready for it."""
    words = event_words(event)
    if activity.startswith(words):
        return True
    return words in activity and re.match(templates("planning")["to_events"], activity) is not None


def commitment_items(op: PlanDay, midnight: datetime, dice: Dice, leave_out: Collection[str] = frozenset()) -> list[Item]:
    """Items of today's diary, without those whose ids are to be left out. Called off: none; not firm: by interest."""
    words: dict[str, Any] = templates("planning")["commitments"]
    items: list[Item] = []
    for commitment in sorted(op.commitments, key=lambda c: (not c.firm, c.event.start, c.id)):
        event = commitment.event
        start = int((event.start - midnight).total_seconds() // 60)
        end = int((event.end - midnight).total_seconds() // 60)
        if commitment.called_off or end <= start or not 0 <= start < 1800 or commitment.id in leave_out:
            continue
        if not _goes(op, commitment, start, dice):
            continue
        slots = {"event": event_words(event), "host": first_name(event.host)}
        place = place_words(event.place, op.person.name)
        rests = (commitment.id,)
        doing = is_doing(event.name)
        if commitment.role == "host" and not doing:
            ready = dice.choice(words["host_prepare"]).format(**slots)
            lead = _lead(op, start, end)
            items.append(Item(start - lead, ready, place, rests, "prepare", lead, lead, hard=True))
            text = dice.choice(words["host"]).format(**slots)
            items.append(Item(start, text, place, rests, "commitment", end - start, end - start, hard=True))
            continue
        if doing:
            text = event.name if commitment.role == "host" else str(dice.choice(words["doing"])).format(**slots)
        elif commitment.role == "helper":
            text = dice.choice(words["helper"]).format(**slots)
        else:
            text = dice.choice(words["guest" if commitment.firm else "maybe"]).format(**slots)
        stay = end - start
        if commitment.role == "guest" and stay >= 90 and dice.chance(0.3):
            stay -= 15 * (1 + dice.below(2))
        items.append(Item(start - 5, text, place, rests, "commitment", stay + 5, stay + 5, hard=True))
    kept: list[Item] = []
    for first, second in itertools.pairwise(sorted(items, key=lambda item: item.start)):
        if 0 < first.start + first.usual - second.start <= 10:  # one goes straight from one to the next
            first.usual = first.most = second.start - first.start
    for item in items:  # firm ones come first: what overlaps them isn't kept, but for getting ready, which makes room
        over = [o for o in kept if item.start < o.start + o.usual and o.start < item.start + item.usual]
        if item.kind == "prepare" and over:
            end = item.start + item.usual
            item.start = max([item.start, *(o.start + o.usual for o in over if o.start <= item.start)])
            item.usual = item.most = min([end, *(o.start for o in over if o.start > item.start)]) - item.start
            if item.usual >= 15:
                kept.append(item)
        elif not over or all(o.kind == "prepare" and set(o.rests) == set(item.rests) for o in over):
            kept.append(item)
        elif item.kind == "commitment" and all(o.kind == "prepare" for o in over):  # setting up with a helper
            for other in over:
                other.usual = other.most = max(0, item.start - other.start)
            after = item.start + item.usual
            kept.append(item)
            for other in list(over):
                if other.usual < 15:
                    kept.remove(other)
                end = next((k.start for k in kept if k.kind == "commitment" and set(k.rests) == set(other.rests)), after)
                if end - after >= 15:
                    kept.append(
                        Item(after, other.activity, other.place, other.rests, "prepare", end - after, end - after, hard=True)
                    )
    return kept


def _lead(op: PlanDay, start: int, end: int) -> int:
    """Minutes of getting ready before one's own event: more for a longer one, after one's work elsewhere."""
    lead = PREPARING if end - start > 45 else 25
    if end - start >= 120:
        lead += 15 * Dice(0, op.person.name, start, "lead").below(5)
    hours = op.person.work_hours
    if hours is not None and hours[0] < start - lead < hours[1] < start - 30:
        lead = start - hours[1]
    return lead


def _goes(op: PlanDay, commitment: Commitment, start: int, dice: Dice) -> bool:
    """Whether one has it in mind: always what one holds; what was promised unless one forgets; else by interest.

    However often a day is planned again, the same person decides the same way.
    """
    steady = Dice(0, op.person.name, start, f"goes {commitment.event.name} {commitment.id}")
    if not commitment.firm:
        return (steady if op.current else dice).chance(inclination(op, commitment))
    if commitment.role == "host" or is_doing(commitment.event.name):
        return True
    forgetful = set(op.person.traits) & set(templates("planning")["forgetful"])
    return not steady.chance(FORGETFUL if forgetful else FORGETS)


def inclination(op: PlanDay, commitment: Commitment) -> float:
    """How probable it is to go to something one has only heard of (0..1): company, interest, whose it is."""
    event = commitment.event
    chance = 0.1 + 0.4 * sociability(op.person)
    host = event.host
    for statement in op.person.statements:
        if host in statement.text or first_name(host) in statement.text.split():
            chance += 0.12
            break
    if max((likeness(event.name, s.text) for s in op.person.statements if s.topic in ("aim", "about")), default=0.0) > 0.35:
        chance += 0.12
    start = event.start.hour * 60 + event.start.minute
    if op.person.work_hours is not None and op.person.work_hours[0] < start < op.person.work_hours[1]:
        chance -= 0.3
    return min(0.85, max(0.02, chance))


def carve(items: list[Item], diary: list[Item]) -> list[Item]:
    """`items` with room for the diary's: what lies within gives way, meals move before or after."""
    latest = {meal: span[1] + 15 for meal, span in templates("planning")["meal_times"].items()}
    out: list[Item] = []
    for item in items:
        hit = next((d for d in diary if d.start - 10 <= item.start < d.start + d.usual), None)
        if hit is None:
            out.append(item)
            continue
        if (item.meal is None and item.kind not in ("bed", "work", "waking")) or (item.meal and item.meal == served_at(hit)):
            continue
        after = hit.start + hit.usual
        while (more := next((d for d in diary if d.start - 10 <= after < d.start + d.usual), None)) is not None:
            after = more.start + more.usual
        before = min(d.start for d in diary if d.start - 10 <= item.start or d is hit) - 45
        if (
            item.meal is not None
            and after > max(latest[item.meal], item.start + 45)
            and not any(d.start <= before < d.start + d.usual for d in diary)
        ):
            item.start = before
        else:
            item.start = after
        item.loose, item.hard = False, item.meal is not None
        out.append(item)
    for d in diary:  # what would run into a commitment ends there by itself; a meal just before needs its minutes
        for item in out:
            if item.meal and d.start - 20 < item.start < d.start:
                item.start = d.start - 35
    return sorted([*out, *diary], key=lambda i: i.start)


def served_at(item: Item) -> str | None:
    """The meal that something in the diary is itself ("the harvest supper")."""
    meals: dict[str, str] = templates("lexicon_times")["meals"]
    return next((meal for meal, pattern in meals.items() if re.search(pattern, item.activity, re.IGNORECASE)), None)
