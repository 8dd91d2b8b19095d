"""What a day is laid out from: items with a start, and the ordinary items of a persona's routine.

Parts: `Item`; `ordinary_items` (routine, meals, work, waking and winding down for one day).
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

from kernel import Dice
from language.offline.affordances import affordance_of
from language.offline.grammar import place_words
from language.offline.routine import Habit, minutes_for, routine_of
from language.values import Person
from language.wording.loader import templates

MEALS = ("breakfast", "lunch", "dinner")
LATE_RISER = 600
"""Who wakes at or after this minute has two meals unless their own sentences say otherwise."""


@dataclass(slots=True)
class Item:
    """One thing to do. `kind`: habit, meal, work, waking, bed, commitment, prepare, intention, free.

    `whole` is the activity with its place words; `rests` ids of what it rests on; `hard` items keep their hours;
    `end` is set when the day is laid out. `least` minutes it needs.
    """

    start: int
    activity: str
    place: str | None
    rests: tuple[str, ...]
    kind: str
    usual: int
    most: int
    whole: str = ""
    hard: bool = False
    loose: bool = False
    meal: str | None = None
    end: int = 0
    latest: int = 0

    def with_place(self) -> str:
        """The activity with words for its place."""
        if self.whole and self.whole != self.activity:
            return self.whole
        if not self.place or self.place in self.activity:
            return self.activity
        return str(templates("planning")["at_place"]).format(ing=self.activity, place=self.place)

    @property
    def least(self) -> int:
        """Minutes it takes at least."""
        return 20 if self.meal else 15 if self.kind != "commitment" else 20


def ordinary_items(person: Person, weekday: int, dice: Dice, *, vary: bool) -> list[Item]:
    """The items of a day without commitments and intentions, in order of their starts, not yet laid out."""
    items: list[Item] = []
    meals: set[str] = set()
    for habit in routine_of(person).habits:
        cue = habit.reading.cue
        if cue.days is not None and weekday not in cue.days:
            continue
        if cue.often < 1.0 and not dice.chance(cue.often):
            continue
        if habit.meal is not None:
            if habit.meal in meals:
                continue
            meals.add(habit.meal)
        items.append(_from_habit(habit, dice, vary=vary))
    _add_meals(person, items, meals, dice)
    _add_work(person, items, dice)
    _add_ends(person, items, dice)
    items.sort(key=lambda item: item.start)
    if vary:
        _swap(items, dice)
    return items


def _from_habit(habit: Habit, dice: Dice, *, vary: bool) -> Item:
    start = habit.start
    if vary and not habit.fixed and habit.latest - habit.earliest > 20:
        start = min(habit.latest, max(habit.earliest, start + 5 * (dice.below(7) - 3)))
    reading = habit.reading
    return Item(
        start=start,
        activity=reading.activity,
        place=reading.place,
        rests=(habit.id,),
        kind="meal" if habit.meal else "habit",
        usual=habit.usual,
        most=habit.most,
        whole=reading.whole,
        loose=not habit.fixed,
        meal=habit.meal,
        latest=habit.latest,
    )


def _add_meals(person: Person, items: list[Item], meals: set[str], dice: Dice) -> None:
    data: dict[str, Any] = templates("planning")
    late = person.wakes >= LATE_RISER
    for meal in MEALS:
        if (
            meal in meals
            or (late and meal == "lunch" and "breakfast" in meals)
            or (late and meal == "breakfast" and "lunch" in meals)
        ):
            continue
        if late and meal == "lunch":
            continue
        low, high = data["meal_usual"][meal]
        if meal == "breakfast":
            start = person.wakes + 30
        elif meal == "lunch":
            start = low + 15 * dice.below((high - low) // 15 + 1)
        else:
            start = min(low + 15 * dice.below((high - low) // 15 + 1), max(person.sleeps - 120, low - 60))
        start = _clear_of_stated(start, items, low if meal != "breakfast" else person.wakes, high)
        key = "brunch" if late and meal == "breakfast" else meal
        usual: int = data["meal_minutes"][meal]
        place = data["defaults"]["home"] if meal != "lunch" or not _working(person, start) else None
        items.append(Item(start, dice.choice(data["defaults"][key]), place, (), "meal", usual, usual + 20, meal=meal))


def _clear_of_stated(start: int, items: list[Item], low: int, high: int) -> int:
    """A start near `start` that doesn't cut short what has a stated hour."""
    taken = [(i.start, i.start + min(i.usual, 30)) for i in items if not i.loose]
    for shift in (0, 15, -15, 30, -30, 45, -45):
        at = start + shift
        if low <= at <= high and not any(a - 20 < at < b for a, b in taken):
            return at
    return start


def _working(person: Person, at: int) -> bool:
    return person.work_hours is not None and person.work_hours[0] <= at < person.work_hours[1]


def _add_work(person: Person, items: list[Item], dice: Dice) -> None:
    """Marks the item that work begins with, or adds one."""
    if person.work_hours is None:
        return
    begins = person.work_hours[0]
    place = place_words(person.workplace, person.name) if person.workplace else None
    for item in items:
        if place is not None and item.place and begins - 90 <= item.start <= person.work_hours[1] + 30:
            where = _at_work(item, place, person)
            if where != item.place:
                item.place, item.whole = where, ""
    near = [
        item
        for item in items
        if item.meal is None and -30 <= item.start - begins <= 30 and not _is_washing(item.activity) and item.kind == "habit"
    ]
    if near:
        main = min(near, key=lambda item: (abs(item.start - begins), item.start))
        main.kind, main.loose = "work", False
        main.place = main.place or place
        return
    words = templates("planning")["defaults"]["work"]
    items.append(Item(begins, dice.choice(words), place, (), "work", 90, 180))


def _at_work(item: Item, workplace: str, person: Person) -> str | None:
    """An unspecific place named in working hours ("the counter") is the workplace's; a meal's only if that has it."""
    words = (item.place or "").split(" ")
    own = templates("planning")["not_at_work"]
    if any(word[:1].isupper() for word in words) or any(word.lower() in own for word in words):
        return item.place
    if words[-1].lower() not in templates("planning")["inner"] and not any(
        word in (person.workplace or "").lower().split(" ") for word in words if len(word) > 3
    ):
        return item.place
    sector = (person.workplace or "").lower().split(" : ")[1:2]
    if any(word.lower() in name.split(" ") for name in sector for word in words if len(word) > 3):
        return item.place
    if item.meal is not None and not any(word in (person.workplace or "").split(" ") for word in words if len(word) > 3):
        return item.place
    address = (person.workplace or "").split(" : ")
    arena = address[2].lower().split(" ") if len(address) > 2 else []
    outer = (
        place_words(" : ".join(address[:2]), person.name) if any(word in arena for word in words if len(word) > 3) else workplace
    )
    return str(templates("planning")["within"]).format(inner=item.place, outer=outer)


def _is_washing(activity: str) -> bool:
    return any(affordance in ("wash", "shower", "dress", "sleep") for affordance, _ in affordance_of(activity)[:1])


def _add_ends(person: Person, items: list[Item], dice: Dice) -> None:
    """Waking and winding down, when no sentence speaks of them."""
    data: dict[str, Any] = templates("planning")["defaults"]
    if not any(item.start <= person.wakes + 15 for item in items):
        items.append(Item(person.wakes, dice.choice(data["waking"]), data["home"], (), "waking", 25, 35))
    if not any(item.start >= person.sleeps - 70 for item in items):
        items.append(Item(person.sleeps - 40, dice.choice(data["wind_down"]), data["home"], (), "bed", 40, 60))
    for item in items:
        if item.start >= person.sleeps - 70:
            item.place = item.place or data["home"]
            item.kind = "bed" if item.kind == "habit" else item.kind
            item.most = max(item.most, 75)


def _swap(items: list[Item], dice: Dice) -> None:
    """Now and then two neighbouring things without a stated hour change places."""
    for a, b in itertools.pairwise(items):
        same_half = b.start - a.start < 150
        if a.loose and b.loose and a.kind == b.kind == "habit" and same_half and dice.chance(0.25):
            a.start, b.start = b.start, a.start
    items.sort(key=lambda item: item.start)


def free_item(start: int, minutes: int, activity: str, place: str | None, rests: tuple[str, ...]) -> Item:
    """Something done in a stretch that nothing else fills."""
    return Item(start, activity, place, rests, "free", minutes, max(minutes, minutes_for(activity)[1]))
