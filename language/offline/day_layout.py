"""Laying out a day: items get ends, gaps are filled, the whole becomes 5-8 broad parts.

Parts: `lay_out` (starts and ends without overlaps), `fill` (free stretches and work in between), `merge`.
"""

from __future__ import annotations

import itertools
from typing import Any

from kernel import Dice
from language.offline.day_items import Item, free_item
from language.offline.day_wishes import read_intention
from language.offline.grammar import is_gerund
from language.offline.routine import routine_of
from language.offline.temper import leanings
from language.values import Person
from language.wording.loader import templates

GAP = 40
"""Minutes from which a gap is filled with something of its own rather than by going on."""
MOST_PARTS = 8


def lay_out(items: list[Item], start: int, sleeps: int) -> list[Item]:
    """Items in order with starts no earlier than `start` and ends at most at their longest; none overlap.

    Something hard keeps its start; before it, what can't be fitted in gives way.
    """
    out: list[Item] = []
    for item in sorted(items, key=lambda i: i.start):
        item.start = max(item.start, start)
        while out and item.start < out[-1].start + out[-1].least:
            previous = out[-1]
            if not item.hard:
                item.start = previous.start + (previous.usual if item.loose and not previous.loose else previous.least)
                break
            if previous.meal is not None:
                room = item.start - previous.least
                if len(out) < 2 or room >= out[-2].start + 10:
                    previous.start = max(room, start)
                    break
                out.remove(out[-2])
            elif previous.hard or previous.kind == "waking":
                item.start = previous.start + previous.least
                break
            else:
                out.pop()
        out.append(item)
    last = max(sleeps, out[-1].start + 20) if out else sleeps
    out = [item for item in out if item.start < last]
    for item, following in zip(out, [*out[1:], None], strict=True):
        bound = following.start if following is not None else last
        item.end = min(bound, item.start + (item.usual if item.hard else item.most))
        if bound - item.end < GAP and item.kind == "commitment" and following is not None and not following.hard:
            following.start = item.end  # one leaves when it is over
        elif bound - item.end < GAP:
            item.end = bound
    if out:
        out[-1].end = last
    return out


def fill(items: list[Item], person: Person, dice: Dice) -> list[Item]:
    """The gaps between laid-out items filled: with work in working hours, else with something free."""
    out: list[Item] = []
    used: set[str] = {item.activity for item in items}
    work = next((item for item in items if item.kind == "work"), None)
    for item, following in zip(items, [*items[1:], None], strict=True):
        out.append(item)
        bound = following.start if following is not None else item.end
        at = item.end
        while bound - at >= GAP:
            end = bound
            if work is not None and person.work_hours is not None and person.work_hours[0] <= at < person.work_hours[1]:
                end = min(bound, max(person.work_hours[1], at + 10))
                text = _going_on(work.activity)
                whole = work.whole if text == work.activity else ""
                more = Item(at, text, work.place, work.rests, "work", end - at, end - at, whole=whole)
            elif (
                out[-1] is item
                and item.kind in ("habit", "free", "intention")
                and bound - at <= 75
                and dice.chance(0.4)
                and item.meal is None
            ):
                item.end = bound
                break
            else:
                end = bound if bound - at <= 130 else at + 60 + 15 * dice.below(3)
                more = _free(person, at, end - at, used, dice)
            more.end = end
            used.add(more.activity)
            out.append(more)
            at = end
        if at < bound:
            out[-1].end = bound
    return out


def _going_on(activity: str) -> str:
    """Work later in the day: without what only begins it ("opening the shop and serving customers")."""
    first, _, rest = activity.partition(" and ")
    starters = templates("planning")["starters"]
    return rest if rest and first.split(" ")[0] in starters and is_gerund(rest.split(" ")[0]) else activity


def _free(person: Person, at: int, minutes: int, used: set[str], dice: Dice) -> Item:
    """Something for a free stretch: what one wants at the moment, or what one's traits incline one to."""
    data: dict[str, Any] = templates("planning")
    aims = [s for s in person.statements if s.topic == "aim"]
    if aims and 480 <= at % 1440 <= 1260 and dice.chance(0.5):
        aim = dice.choice(aims)
        text = aim_activity(aim.text, person.name, dice)
        if text is not None and text not in used:
            return free_item(at, minutes, text, None, (aim.id,))
    lean = leanings(person)
    options = [o for key, entries in data["leisure"].items() if key == "any" or key in lean for o in entries]
    late = at % 1440 >= 1230 or at % 1440 < 420
    options = [o for o in options if not late or o["place"] is not None] or options
    options = [o for o in options if o["activity"] not in used and not _forbidden(o["activity"], person)] or options
    chosen = dice.choice(options)
    return free_item(at, minutes, chosen["activity"], chosen["place"], ())


def aim_activity(text: str, name: str, dice: Dice) -> str | None:
    """Something to do for an aim; None when the sentence names nothing that can be done."""
    data: dict[str, Any] = templates("planning")
    found = read_intention(text, name)
    if found is None or found[1]:
        return None
    base, doing = found[0].base, found[0].activity
    if base.split(" ")[0] in data["aim_verbs_done"]:
        return doing
    return str(dice.choice(data["aims"])).format(aim=base)


def _forbidden(activity: str, person: Person) -> bool:
    return any(word in activity.split() for base, _ in routine_of(person).never for word in base.split() if len(word) > 4)


def merge(items: list[Item]) -> list[Item]:
    """At most MOST_PARTS items: neighbours that take least time are joined; what is in the diary stays by itself."""
    joint: str = templates("planning")["joint"]
    out = _join_same(items)
    while len(out) > MOST_PARTS:
        best, best_cost = -1, 10**9
        for i, (a, b) in enumerate(itertools.pairwise(out)):
            if (a.hard and not a.meal) or (b.hard and not b.meal) or a.kind == "intention" or b.kind == "intention":
                continue
            cost = (b.end - a.start) + (0 if a.place == b.place else 40)
            cost += 200 * (a.activity.count(joint) + b.activity.count(joint)) // 2
            if cost < best_cost:
                best, best_cost = i, cost
        if best < 0:
            break
        out[best : best + 2] = [_joined(out[best], out[best + 1], joint)]
    return out


def _join_same(items: list[Item]) -> list[Item]:
    out: list[Item] = []
    for item in items:
        if out and out[-1].activity == item.activity and out[-1].place == item.place:
            out[-1].end = item.end
        else:
            out.append(item)
    return out


def _joined(a: Item, b: Item, joint: str) -> Item:
    same = a.place == b.place
    first, second = (a.activity, b.activity) if same else (a.with_place(), b.with_place())
    return Item(
        start=a.start, activity=first + joint + second, place=a.place if same else None,
        rests=tuple(dict.fromkeys((*a.rests, *b.rests))), kind=b.kind, usual=a.usual + b.usual, most=a.most + b.most,
        whole=a.with_place() + joint + b.with_place(), end=b.end, meal=a.meal or b.meal,
    )  # fmt: skip
