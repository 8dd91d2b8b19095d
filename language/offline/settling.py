"""Settle: where a task is done, with icon and object state (Park et al. 2023, section 5.1).

Options are compared by what they afford, by the words of the hint, by being one's own, open, free and near; a task stays
where one is while the place affords it. Other people's homes are chosen only when the hint names them. Data:
`wording/planning_places.yaml`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from kernel import Dice
from language.offline.affordances import affordance_of
from language.offline.clauses import clauses
from language.offline.families import family_of
from language.offline.grammar import gerund_to_base
from language.offline.reading import meal_of
from language.offline.registry import responder
from language.operations import Settle
from language.replies import Settling
from language.values import PlaceOption
from language.wording.loader import templates

HERE, MINE, PER_MINUTE, FAR = 0.9, 0.45, 0.05, 1.2
"""Worth of being there already, of a place of one's own, of a minute's walk (up to FAR)."""
NEAR_TIE = 0.12
"""Options within this of the best are as good; dice choose."""


@responder(Settle)
def settle(op: Settle, dice: Dice) -> Settling:
    """The place, icon and object state for a task. Without options: where one is."""
    wanted = needs(op.activity, op.person.occupation, op.hint, op.purpose)
    if not op.options:
        return Settling.model_construct(address=op.scene.place, icon=icon_for(op.activity, wanted[0][0] if wanted else ""))
    options = _allowed(op)
    hinted = _widened(_narrowed(op, _hinted(op, options)), options, wanted)
    chosen = _best(op, hinted or options, wanted, dice)
    if chosen is None and hinted:  # out of doors one is where there is room; indoors rather at a table than in a closet
        chosen = next((o for o in hinted if o.address.count(" : ") == 2), None)
    if chosen is None and hinted:
        chosen = _best(op, hinted, (("sit", 1.0), ("gather", 0.9)), dice) or _resting(hinted)
    if chosen is None:
        chosen = _anywhere(op, options)
    use = next((need for need, _ in wanted if need in chosen.affords), "")
    shown = use or ("sit" if "sit" in chosen.affords else "")
    return Settling.model_construct(
        address=chosen.address,
        icon=icon_for(op.activity, shown),
        state=state_for(chosen.address, use, dice),
        private=use in templates("planning_places")["private"],
    )


@lru_cache(maxsize=16384)
def needs(activity: str, occupation: str = "", hint: str | None = None, purpose: str = "") -> tuple[tuple[str, float], ...]:
    """What a place must afford for an activity, with worth 1 for the best, then less; () when nothing is known.

    A task within a `purpose` is done where that is done, unless it needs what only certain things serve (a sink).
    """
    found = dict(affordance_of(activity))
    base = gerund_to_base(activity)
    if base.split(" ", 1)[0] in templates("planning")["cooking"] and ("cook" in found or meal_of(base)):
        return (("cook", 1.0),)
    top = max(found.values(), default=0.0)
    worth = {need: score / top for need, score in found.items()} if top else {}
    if purpose and gerund_to_base(purpose).split(" ", 1)[0] in templates("planning")["cooking"]:
        purpose = ""  # what has been cooked is eaten elsewhere
    if purpose:
        first = next(iter(found), "")
        if first in templates("planning_places")["apart"]:
            return tuple(sorted(worth.items(), key=lambda n: (-n[1], n[0])))
        worth = {need: 0.6 * value for need, value in worth.items()}
        for need, value in needs(clauses(purpose)[0] if len(clauses(purpose)) == 1 else activity, occupation, hint):
            worth[need] = max(worth.get(need, 0.0), value)
        return tuple(sorted(worth.items(), key=lambda n: (-n[1], n[0])))
    family = family_of(activity, occupation, hint)
    for i, need in enumerate(family.affordances):
        worth[need] = max(worth.get(need, 0.0), (1.05 if family.job else 0.8) - 0.25 * i)
    return tuple(sorted(worth.items(), key=lambda n: (-n[1], n[0])))


def _allowed(op: Settle) -> tuple[PlaceOption, ...]:
    free = tuple(o for o in op.options if o.open and not o.taken)
    options = free or tuple(o for o in op.options if o.open) or op.options
    named = (op.hint or "") + " " + op.activity
    barred: list[str] = templates("planning_places")["gendered"].get(op.person.pronoun, [])
    options = tuple(o for o in options if not _holds(o.address, tuple(barred))) or options
    private = tuple(o for o in options if o.mine or not _strange_home(o.address, op.person.name, named))
    return private or options


@lru_cache(maxsize=16384)
def _holds(address: str, words: tuple[str, ...]) -> bool:
    present = address.lower().split()
    return any(word in present for word in words)


@lru_cache(maxsize=65536)
def _strange_home(address: str, name: str, named: str) -> bool:
    """Whether the address lies in what is called somebody else's ("Bo Ek's room") and isn't named by the hint."""
    for part in address.split(" : ")[1:3]:
        whose, genitive, _ = part.partition("'s ")
        if genitive and whose[:1].isupper():
            people = re.split(r" and ", whose.removesuffix(" family"))
            if any(p in name or name.endswith(p) for p in people):
                continue
            return not any(p.split(" ")[0] in named for p in people)
    return False


def _hinted(op: Settle, options: tuple[PlaceOption, ...]) -> tuple[PlaceOption, ...]:
    """The options that fit the hint best; () when there is no hint or none fits."""
    if not op.hint:
        return ()
    data: dict[str, Any] = templates("planning_places")
    words = _words(op.hint)
    if not words:
        return ()
    home = op.person.home
    sector = " : ".join(home.split(" : ")[:2])
    if any(word in data["home"] for word in words):
        rest = tuple(w for w in words if w not in data["home"])
        mine = tuple(o for o in options if o.address.startswith(sector)) or tuple(o for o in options if o.mine)
        return _matching(mine, rest) or mine
    if op.hint.split(" ")[0].lower() in data["own"]:
        mine = tuple(o for o in options if o.address.startswith(home))
        found = _matching(mine, words) or _matching(tuple(o for o in options if o.mine), words)
        if found:
            return found
    return _matching(options, words)


def _narrowed(op: Settle, hinted: tuple[PlaceOption, ...]) -> tuple[PlaceOption, ...]:
    """When a hint fits several buildings: the one where one is, else one's own."""
    here = " : ".join(op.scene.place.split(" : ")[:2])
    return tuple(o for o in hinted if o.address.startswith(here)) or tuple(o for o in hinted if o.mine) or hinted


def _widened(
    hinted: tuple[PlaceOption, ...], options: tuple[PlaceOption, ...], wanted: tuple[tuple[str, float], ...]
) -> tuple[PlaceOption, ...]:
    """A need of the body that the place meant doesn't serve is served elsewhere in the same building."""
    if not hinted or not wanted or wanted[0][0] not in templates("planning_places")["bodily"]:
        return hinted
    need = wanted[0][0]
    if any(need in o.affords for o in hinted):
        return hinted
    sectors = {" : ".join(o.address.split(" : ")[:2]) for o in hinted}
    return tuple(o for o in options if need in o.affords and " : ".join(o.address.split(" : ")[:2]) in sectors) or hinted


def _matching(options: tuple[PlaceOption, ...], words: tuple[str, ...]) -> tuple[PlaceOption, ...]:
    if not words:
        return ()
    best, found = 0.0, []
    for option in options:
        score = _match(option.address, words)
        if score > best:
            best, found = score, [option]
        elif score == best and best:
            found.append(option)
    return tuple(found)


@lru_cache(maxsize=65536)
def _match(address: str, words: tuple[str, ...]) -> float:
    """How many of a hint's words the address holds, in any of its parts; those of synonyms count less."""
    present = _address_words(address)
    synonyms: dict[str, list[str]] = templates("planning_places")["synonyms"]
    score = 0.0
    for word in words:
        if word in present:
            score += 1.0
        elif any(other in present for other in synonyms.get(word, ())):
            score += 0.7
    return score


@lru_cache(maxsize=8192)
def _address_words(address: str) -> frozenset[str]:
    return frozenset(_words(" ".join(address.split(" : ")[1:])))


@lru_cache(maxsize=8192)
def _words(text: str) -> tuple[str, ...]:
    skip = templates("planning_places")["skip"]
    found = re.findall(r"[a-zà-ÿ][a-zà-ÿ-]*", text.lower().replace("’s", " ").replace("'s", " "))
    return tuple(dict.fromkeys(word for word in found if word not in skip))


def _best(op: Settle, options: tuple[PlaceOption, ...], wanted: tuple[tuple[str, float], ...], dice: Dice) -> PlaceOption | None:
    """The best option that affords something wanted, None when none does."""
    worth = dict(wanted)
    here = op.scene.place
    abroad = not op.hint and family_of(op.purpose or op.activity).name in templates("planning_places")["abroad"]
    scored: list[tuple[float, PlaceOption]] = []
    for option in options:
        fit = 0.0
        for affordance in option.affords:
            value = worth.get(affordance)
            if value is not None and value > fit:
                fit = value
        if fit <= 0.0:
            continue
        score = 2.0 * fit - min(FAR, PER_MINUTE * option.minutes_away)
        if option.minutes_away == 0 and option.address.startswith(here) and not (abroad and option.mine):
            score += HERE
        if option.mine:
            score += -MINE if abroad else MINE
        scored.append((score, option))
    if not scored:
        return None
    best = max(score for score, _ in scored)
    near = [option for score, option in scored if score >= best - NEAR_TIE]
    return near[0] if len(near) == 1 else dice.choice(near)


def _anywhere(op: Settle, options: tuple[PlaceOption, ...]) -> PlaceOption:
    """Nothing affords it: somewhere to sit where one is, else the nearest place of one's own, else the nearest."""
    here = [o for o in options if o.address.startswith(op.scene.place)]
    seats = [o for o in here if "sit" in o.affords]
    nearest = min(seats or here or [o for o in options if o.mine] or list(options), key=lambda o: o.minutes_away)
    room = nearest.address.rpartition(" : ")[0]
    return _resting(tuple(o for o in options if o.address.rpartition(" : ")[0] == room))


def _resting(options: tuple[PlaceOption, ...]) -> PlaceOption:
    """Where one is when nothing is known of what a thing to do needs: rather at a table than in a closet."""
    order: list[str] = templates("planning_places")["resting"]

    def rank(option: PlaceOption) -> int:
        leaf = option.address.rpartition(" : ")[2].lower()
        return next((i for i, word in enumerate(order) if word in leaf.split(" ")), len(order))

    return min(options, key=rank)


@lru_cache(maxsize=16384)
def icon_for(activity: str, affordance: str) -> str:
    """The icon's name for an activity done with this affordance ("" if none)."""
    data: dict[str, Any] = templates("planning_places")["icons"]
    if affordance in templates("planning_places")["private"]:
        return str(data["affordances"][affordance])
    base = gerund_to_base(activity.lower())
    words = set(re.findall(r"[a-z]+", base)) | set(re.findall(r"[a-z]+", activity.lower()))
    for icon, triggers in data["words"]:
        if any(trigger in words or (" " in trigger and trigger in activity) for trigger in triggers):
            return str(icon)
    return str(data["affordances"].get(affordance, data["other"]))


def state_for(address: str, affordance: str, dice: Dice) -> str | None:
    """The state of the object meanwhile; None for an open-air arena, which has none."""
    parts = address.split(" : ")
    if len(parts) < 4:
        return None
    options = _states(parts[-1].lower(), affordance)
    return options[0] if len(options) == 1 else dice.choice(options)


@lru_cache(maxsize=4096)
def _states(leaf: str, affordance: str) -> tuple[str, ...]:
    data: dict[str, Any] = templates("planning_places")["states"]
    matching = [word for word in data["objects"] if re.search(rf"\b{re.escape(word)}\b", leaf)]
    if matching:
        by_use: dict[str, list[str]] = data["objects"][max(matching, key=len)]
        return tuple(by_use.get(affordance) or by_use.get("any") or data["other"])
    return tuple(data["affordances"].get(affordance, data["other"]))


@lru_cache(maxsize=1)
def ordinary_states() -> frozenset[str]:
    """Every state that acts put objects in: seeing one of them is nothing to react to."""
    data: dict[str, Any] = templates("planning_places")["states"]
    found = {state for by_use in data["objects"].values() for states in by_use.values() for state in states}
    found.update(state for states in data["affordances"].values() for state in states)
    return frozenset(found | set(data["other"]))
