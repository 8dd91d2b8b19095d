"""The rest of a running day planned again: the present plan stands, only what has to is put in or taken out.

`plan_again(op, now, midnight, dice)` -> items that are laid out already, each with its start and end.
"""

from __future__ import annotations

import itertools
import re
from datetime import datetime

from kernel import Dice
from language.offline.affordances import affordance_of
from language.offline.day_diary import commitment_items, event_words, is_about, served_at
from language.offline.day_items import Item
from language.offline.day_layout import fill
from language.offline.day_wishes import Intended, intended, place_intentions, shunned
from language.offline.grammar import gerund_to_base
from language.offline.reading import meal_of
from language.operations import PlanDay
from language.values import Commitment
from language.wording.loader import templates

LEAST = 15
"""Minutes below which what is left of something isn't worth keeping."""
FRESH_HOURS = 0.75
"""How new an intention must be to change a running day; older ones were there when it was planned."""


def plan_again(op: PlanDay, now: int, midnight: datetime, dice: Dice) -> list[Item]:
    """The present plan from `now` on, with today's new appointments and the newest wishes worked in."""
    items = [_kept(op, *part, now) for part in op.current if part[1] - max(part[0], now) > 0]
    for commitment in op.commitments:
        if commitment.called_off:
            items = [item for item in items if not is_about(item.activity, commitment.event)]
    known = {c.id for c in op.commitments if any(_is_for(item.activity, c) for item in items)}
    for new in commitment_items(op, midnight, dice, leave_out=known | shunned(op)):
        if new.start + new.usual > now + 5:
            items = _put_in(items, new, now, op.person.sleeps)
    for wish in intended(op):
        if wish.hours_ago <= FRESH_HOURS or (wish.avoid and wish.urgent):
            items = _wish(items, wish, op, now, dice)
    items.sort(key=lambda item: item.start)
    for item, following in itertools.pairwise(items):
        item.end = min(item.end, following.start)
    items = [item for item in items if item.end > item.start]
    if items:
        if items[0].start > now:
            items[0].start = now if items[0].start - now < 30 and not items[0].hard else items[0].start
        items = _gap_before(items, op, now, dice)
        items[-1].end = max(items[-1].end, op.person.sleeps)
    return items


def _is_for(activity: str, commitment: Commitment) -> bool:
    """Whether the plan holds it already; helping to get ready isn't going there yet."""
    preparing = re.match(templates("activities")["events"]["preparing"], activity) is not None
    own = commitment.role == "host" or activity.startswith(event_words(commitment.event))
    return is_about(activity, commitment.event) and (own or not preparing)


def _kept(op: PlanDay, start: int, end: int, activity: str, place: str | None, now: int) -> Item:
    """A part of the present plan as an item that keeps its hours."""
    hours = op.person.work_hours
    meal = meal_of(gerund_to_base(activity)) if templates("planning")["joint"] not in activity else None
    work = hours is not None and hours[0] <= start < hours[1] and place is not None and meal is None
    kind = "meal" if meal else "work" if work else "free"
    diary = any(is_about(activity, c.event) for c in op.commitments)
    begin = max(start, now)
    return Item(
        begin, activity, place, (), "commitment" if diary else kind, end - begin, end - begin, hard=diary, meal=meal, end=end
    )


def _put_in(items: list[Item], new: Item, now: int, sleeps: int) -> list[Item]:
    """The plan with `new` in it: what it overlaps is shortened, split or given up; a meal moves."""
    new.end = new.start + new.usual
    new.start = max(new.start, now)
    out: list[Item] = []
    moved: list[Item] = []
    for item in items:
        if item.end <= new.start or item.start >= new.end:
            out.append(item)
            continue
        if item.meal and item.meal == served_at(new):
            continue
        if item.meal and item.start > now and not item.hard:
            moved.append(item)
            continue
        pieces = item.activity.split(templates("planning")["joint"])
        head, tail = new.start - item.start, item.end - new.end
        if head >= LEAST or (head > 0 and item.start <= now < new.start):
            out.append(_cut(item, item.start, new.start, pieces[0] if tail >= LEAST or head < 60 else item.activity))
        if tail >= LEAST:
            out.append(_cut(item, new.end, item.end, pieces[-1]))
    out.append(new)
    for meal in moved:
        length = min(meal.end - meal.start, 45)
        before, after = new.start - length, new.end
        latest = templates("planning")["meal_times"][meal.meal or "dinner"][1] + 60
        start = after if before < now + 5 or (after <= latest and meal.start >= new.start) else before
        if start + length <= sleeps:
            out = _put_in(out, _cut(meal, start, start + length), now, sleeps)
    return sorted(out, key=lambda item: item.start)


def _cut(item: Item, start: int, end: int, activity: str = "") -> Item:
    return Item(
        start, activity or item.activity, item.place, item.rests, item.kind, end - start, end - start, whole=item.whole,
        hard=item.hard, loose=item.loose, meal=item.meal, end=end,
    )  # fmt: skip


def _wish(items: list[Item], wish: Intended, op: PlanDay, now: int, dice: Dice) -> list[Item]:
    """A wish that has just come up: something planned gives way to it, or is left out."""
    before = list(items)
    after = place_intentions(list(items), [wish], op, now, dice)
    added = [item for item in after if all(item is not other for other in before)]
    if not added:
        return after
    new = added[0]
    if not wish.urgent and new.start < now + 10 and affordance_of(new.activity):
        new.start = now + 10
    return _put_in(before, new, now, op.person.sleeps)


def _gap_before(items: list[Item], op: PlanDay, now: int, dice: Dice) -> list[Item]:
    """Free stretches that something called off has left are filled; a stretch before the first item too."""
    first = items[0]
    if first.start > now:
        head = Item(now, first.activity, first.place, (), "free", 0, 0, end=now)
        return fill([head, *items], op.person, dice)[1:]
    return fill(items, op.person, dice)
