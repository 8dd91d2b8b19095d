"""PlanDay: a day in 5-8 broad parts (Park et al. 2023, section 4.3).

Built from the persona's own sentences about ordinary days, its working hours, what is in the diary, what recent
intentions and the inner voice say, and free choice where nothing says anything. Every part cites what it rests on.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from kernel import Dice
from language.offline.day_again import plan_again
from language.offline.day_diary import carve, commitment_items, event_words
from language.offline.day_items import Item, ordinary_items
from language.offline.day_layout import fill, lay_out, merge
from language.offline.day_wishes import intended, place_intentions, shunned
from language.offline.grammar import time_words
from language.offline.registry import responder
from language.operations import PlanDay
from language.replies import DayOutline, Part
from language.wording.loader import templates


@responder(PlanDay)
def plan_day(op: PlanDay, dice: Dice) -> DayOutline:
    """The parts of the day (or of what is left of it) from `op.scene.now` to sleep."""
    midnight, now = _day_of(op)
    person = op.person
    again = bool(op.replanning)
    if again and op.current:
        left = plan_again(op, now, midnight, dice)
        if left:
            return _outline(op, left, midnight)
    items = ordinary_items(person, midnight.weekday(), dice, vary=not again)
    diary = commitment_items(op, midnight, dice, leave_out=shunned(op))
    items = carve(items, diary)
    wishes = intended(op)
    items = place_intentions(items, wishes, op, now, dice)
    begin = now if again or now > person.wakes + 60 else min(now, person.wakes)
    if begin > person.wakes + 20:
        items = _remaining(items, begin, person.sleeps)
    laid = fill(lay_out(items, begin, person.sleeps), person, dice)
    parts = merge(laid)
    if parts:
        parts[0].start = begin
    return _outline(op, parts, midnight)


def _outline(op: PlanDay, parts: list[Item], midnight: datetime) -> DayOutline:
    return DayOutline.model_construct(
        parts=[
            Part.model_construct(
                activity=item.activity, start=_face(item.start), end=_face(item.end), place=item.place, rests_on=list(item.rests)
            )
            for item in parts
        ],
        thought=_thought(op, parts, midnight),
    )


def _day_of(op: PlanDay) -> tuple[datetime, int]:
    """(midnight of the day planned, minutes from it to now); after midnight a late sleeper's day goes on."""
    now = op.scene.now
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    minute = now.hour * 60 + now.minute
    if minute < op.person.wakes - 180 and op.person.sleeps > 1440 and minute + 1440 <= op.person.sleeps + 120:
        return midnight - timedelta(days=1), minute + 1440
    return midnight, minute


def _remaining(items: list[Item], now: int, sleeps: int) -> list[Item]:
    """What is left of a day at `now`: what is over goes, what is under way goes on."""
    laid = lay_out(items, 0, sleeps)
    left: list[Item] = []
    for item in laid:
        if item.end <= now or (item.start < now and item.meal is not None and now - item.start > 20):
            continue
        if item.start < now:
            item.usual, item.most = max(10, item.end - now), max(10, item.end - now, item.most - (now - item.start))
            item.start = now
        left.append(item)
    return left


def _face(minute: int) -> str:
    return f"{minute // 60}:{minute % 60:02d}"


def _thought(op: PlanDay, parts: list[Item], midnight: datetime) -> str:
    """One sentence: what matters today."""
    words: dict[str, Any] = templates("planning")["thoughts"]
    name = op.person.name
    if op.replanning:
        return str(words["replanning"]).format(name=name)
    called_off = [c for c in op.commitments if c.called_off]
    going = {ident for part in parts for ident in part.rests if part.kind in ("commitment", "prepare")}
    for commitment in sorted(op.commitments, key=lambda c: (c.role != "host", c.event.start)):
        if commitment.id in going and not commitment.called_off:
            key = "host" if commitment.role == "host" else "commitment"
            when = time_words(commitment.event.start, op.scene.now)
            return str(words[key]).format(name=name, event=event_words(commitment.event), when=when)
    wish = next((part for part in parts if part.kind == "intention"), None)
    if wish is not None:
        return str(words["intention"]).format(name=name, ing=_first(wish.activity))
    if called_off:
        return str(words["called_off"]).format(name=name, event=event_words(called_off[0].event))
    if any(part.kind == "work" for part in parts) and op.person.work_hours is not None:
        return str(words["work"]).format(name=name)
    wanted = next((part for part in parts if part.kind == "free" and part.rests), None) or next(
        (part for part in parts if part.kind == "habit" and part.end - part.start >= 60), None
    )
    return str(words["plain"]).format(name=name, ing=_first(wanted.activity)) if wanted is not None else ""


def _first(activity: str) -> str:
    joint: str = templates("planning")["joint"]
    return activity.split(joint)[0]
