"""Families of activities: what doing something consists of, hour by hour and task by task.

Parts: `family_of` (the family an activity in free words belongs to), `object_of` (what its verb acts on), `phrases`
(a family's wording with the slots filled from the activity's own words). Data: `wording/activities.yaml`.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from language.offline.affordances import affordance_of
from language.offline.grammar import gerund_to_base, pronoun_forms
from language.offline.grammar_verbs import tables
from language.offline.reading import meal_of
from language.wording.loader import templates

GENERIC = "generic"
LEAST = 1.0
"""Score below which an activity belongs to no family and is taken apart in its own words."""


@dataclass(frozen=True, slots=True)
class Family:
    """One kind of activity; see the head of `wording/activities.yaml`."""

    name: str
    affordances: tuple[str, ...]
    words: frozenset[str]
    verbs: frozenset[str]
    job: frozenset[str]
    places: frozenset[str]
    hours: tuple[str, ...]
    open: tuple[str, ...]
    tasks: tuple[str, ...]
    close: tuple[str, ...]
    meal: str | None
    moves: bool
    event: bool
    strict: bool


@lru_cache(maxsize=1)
def families() -> dict[str, Family]:
    """All families by name, in the order of the file, the generic one last."""
    data: dict[str, Any] = templates("activities")
    found = {name: _family(name, entry) for name, entry in data["families"].items()}
    found[GENERIC] = _family(GENERIC, data["generic"])
    return found


def _family(name: str, entry: dict[str, Any]) -> Family:
    def words(key: str) -> tuple[str, ...]:
        return tuple(entry.get(key) or ())

    return Family(
        name=name,
        affordances=words("affordances"),
        words=frozenset(words("words")),
        verbs=frozenset(words("verbs")),
        job=frozenset(words("job")),
        places=frozenset(words("places")),
        hours=words("hours"),
        open=words("open"),
        tasks=words("tasks"),
        close=words("close"),
        meal=entry.get("meal"),
        moves=bool(entry.get("moves")),
        event=bool(entry.get("event")),
        strict=bool(entry.get("strict")),
    )


@lru_cache(maxsize=8192)
def family_of(activity: str, occupation: str = "", place: str | None = None) -> Family:
    """The family an activity (-ing form) belongs to; the generic one when none fits well."""
    base = gerund_to_base(activity.lower())
    tokens = _tokens(base)
    if not tokens:
        return families()[GENERIC]
    present = frozenset(tokens) | {gerund_to_base(t) for t in tokens} | {t.removesuffix("s") for t in tokens}
    for key, name in (("seeking", "seek"), ("meeting_people", "gather")):
        if re.match(templates("activities")["events"][key], activity):
            return families()[name]
    event = _event_family(activity, base, present)
    if event is not None:
        return event
    verbs = {tokens[0]} | {t for before, t in itertools.pairwise(tokens) if before == "and"}
    job = frozenset(_tokens(occupation.lower().split(" at ")[0]))
    where = frozenset(_tokens((place or "").lower()))
    needs = [affordance for affordance, _ in affordance_of(activity)[:2]]
    neutral = templates("planning")["objects"]["neutral"]
    vague = tokens[0] in templates("planning")["objects"]["vague"]
    meal = meal_of(base)
    best, best_score = families()[GENERIC], LEAST - 0.001
    for family in families().values():
        if family.name == GENERIC or family.event or (family.meal is not None and family.meal != meal):
            continue
        hits = 2.0 * min(2, sum(1 for word in family.words if word in present or (" " in word and word in base)))
        verb = bool(verbs & family.verbs)
        at_work = (2.0 if where & family.places else 0.0) + (1.5 if job & family.job else 0.0)
        if not hits and not (verb and at_work and not vague):
            continue  # a verb alone tells little: one picks flowers, and an example
        if family.strict and not verb and tokens[0] not in neutral:
            continue
        score = hits + (1.0 if tokens[0] in family.verbs else 0.5 if verb else 0.0) + (3.0 if family.meal else 0.0)
        if needs and needs[0] in family.affordances:
            score += 1.5 if needs[0] == family.affordances[0] else 1.0
        elif len(needs) > 1 and needs[1] in family.affordances:
            score += 0.5
        if verb:
            score += at_work
        if family.verbs and not verb and tokens[0] not in neutral:
            score -= 1.0
        if score > best_score:
            best, best_score = family, score
    return best


def _event_family(activity: str, base: str, present: frozenset[str]) -> Family | None:
    """For holding or going to something: what is done there, by the event's own words."""
    words = templates("activities")["events"]
    if re.match(words["preparing"], activity) is not None:
        return families()["prepare_event"]
    hosting = re.match(words["hosting"], activity) is not None
    if not hosting and re.match(words["attending"], activity) is None:
        return None
    for family in families().values():
        if family.event and family.words and any(w in present or (" " in w and w in base) for w in family.words):
            return _hosted(family.name) if hosting else family
    if hosting:
        return families()["host_event"]
    return families()["guest_event"] if re.match(words["surely"], activity) else None


@lru_cache(maxsize=64)
def _hosted(name: str) -> Family:
    """Such an event for who holds it: guests are seen to as well."""
    guest, host = families()[name], families()["host_event"]
    return replace(guest, tasks=(*host.tasks, *guest.tasks[2:7]), open=host.open, close=host.close)


def _tokens(text: str) -> list[str]:
    return re.findall(r"[a-zà-ÿ][a-zà-ÿ’'-]*", text)


@lru_cache(maxsize=8192)
def object_of(activity: str) -> str | None:
    """What the activity's first verb acts on, definite: "revising a poem aloud" -> "the poem"; None: nothing found."""
    data = templates("planning")["objects"]
    tokens = gerund_to_base(activity).split(" ")
    if len(tokens) < 2 or tokens[0].lower() in data["intransitive"]:
        return None
    out: list[str] = []
    for token in tokens[1:]:
        low = token.lower().rstrip(",;")
        if low in data["stops"] or low in tables().adverbs or (out and low.endswith("ly")):
            break
        out.append(token.rstrip(",;"))
        if token.endswith((",", ";")) or len(out) > 6:
            break
    while out and out[-1].lower() in data["trailing"]:
        out.pop()
    if not out or len(out) > 6:
        return None
    if out[0].lower() in data["indefinite"]:
        if len(out) == 1:
            return None
        out[0] = data["definite"]
    elif out[0].lower() not in tables().determiners and len(out) > 3:
        return None
    return " ".join(out)


@lru_cache(maxsize=16384)
def phrases(texts: tuple[str, ...], activity: str, pronoun: str) -> tuple[str, ...]:
    """`texts` with their slots filled from the activity; those that need an object are left out when it has none."""
    forms = pronoun_forms(pronoun)
    thing = object_of(activity)
    long = activity.count(" ") >= 7  # nothing is added to what is long already
    gathering = activity.rsplit(" ", 1)[-1]
    return tuple(
        text.format(ing=activity, obj=thing, poss=forms["possessive"], self=forms["self"], gathering=gathering)
        for text in texts
        if (thing is not None or "{obj}" not in text) and not (long and text.startswith("{ing} "))
    )
