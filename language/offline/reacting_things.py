"""Things and happenings in free words: what kind they are, and what one does about them.

`kind_of(text)` tells a state or an event apart by patterns, then by likeness to anchors, else "puzzled" or None
(ordinary: nothing to react to). Data: `wording/reactions.yaml`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, NamedTuple

from kernel import Dice
from language.offline.affordances import affordance_of
from language.offline.settling import icon_for, ordinary_states
from language.offline.similarity import nearest_texts
from language.offline.temper import leanings
from language.operations import React
from language.replies import Reaction
from language.wording.loader import templates

GREAT_DANGER = ("fire", "gas", "water", "hurt")
"""Kinds one reacts to whatever one is doing."""


class _Kinds(NamedTuple):
    patterns: tuple[tuple[str, re.Pattern[str]], ...]
    occupied: re.Pattern[str]
    left: frozenset[str]
    ordinary: re.Pattern[str]
    anchors: tuple[tuple[str, str], ...]
    alike: float
    ordinary_alike: float


@lru_cache(maxsize=1)
def _kinds() -> _Kinds:
    data: dict[str, Any] = templates("reactions")
    return _Kinds(
        tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in data["kinds"]),
        next(re.compile(pattern, re.IGNORECASE) for kind, pattern in data["kinds"] if kind == "occupied"),
        frozenset(str(o["leaves"]).lower() for entry in data["reactions"].values() for o in entry["do"] if "leaves" in o),
        re.compile(data["ordinary"].removeprefix("^"), re.IGNORECASE),
        tuple((kind, text) for kind, texts in data["anchors"].items() for text in texts),
        data["alike"],
        data["ordinary_alike"],
    )


@lru_cache(maxsize=8192)
def kind_of(text: str, thing: str = "") -> str | None:
    """The kind of a state or event, "puzzled" when its words are understood by nothing, None when it is ordinary."""
    state = text.strip().rstrip(".").lower()
    kinds = _kinds()
    if not state or ((state in ordinary_states() or state in kinds.left) and not kinds.occupied.match(state)):
        return None
    for kind, pattern in kinds.patterns:
        if pattern.search(state):
            return None if kind == "settled" else kind
    if _only_ordinary(state, kinds):
        return None
    nearest, likeness = nearest_texts(f"{thing} {state}".strip(), kinds.anchors)[0]
    if likeness < kinds.alike:
        nearest, likeness = nearest_texts(state, kinds.anchors)[0]
    if likeness >= kinds.alike:
        if nearest != "ordinary":
            return nearest
        if likeness >= kinds.ordinary_alike:
            return None
    return "puzzled"


def _only_ordinary(state: str, kinds: _Kinds) -> bool:
    at = 0
    while at < len(state):
        match = kinds.ordinary.match(state, at)
        if match is None or match.end() == at:
            return False
        at = match.end()
    return True


def to_thing(op: React, dice: Dice) -> Reaction | None:
    """The reaction to an object's state or to an event, None: nothing to react to."""
    text = op.state or op.seen
    leaf = op.subject.rpartition(" : ")[2] if op.kind == "object" else ""
    kind = kind_of(text, leaf)
    if kind is None:
        return None
    data: dict[str, Any] = templates("reactions")
    slots = {
        "name": op.person.name,
        "thing": _thing(leaf) if leaf else text.strip().rstrip("."),
        "state": text.strip().rstrip("."),
        "text": _clause(text),
    }
    if kind == "occupied":
        return _wait(op, leaf, slots, data)
    entry: dict[str, Any] = data["reactions"][kind]
    chance = entry["chance"]
    if kind not in GREAT_DANGER and "busy" in leanings(op.person):
        chance *= 0.7
    if not dice.chance(chance):
        later = entry.get("else", data["else"])
        return _reaction("continue", thought=later.format(**slots)) if later and leaf else None
    chosen = _choose(entry["do" if leaf else "event"], leanings(op.person), dice)
    return _reaction(
        "act",
        activity=chosen["activity"].format(**slots),
        minutes=chosen["minutes"],
        address=op.scene.place if chosen.get("away") else op.subject if leaf else None,
        leaves=chosen.get("leaves"),
        thought=chosen["thought"].format(**slots),
    )


def _choose(options: list[dict[str, Any]], lean: frozenset[str], dice: Dice) -> dict[str, Any]:
    """An option for everybody, or, twice as likely, one for those of one's leaning."""
    fitting = [o for o in options if o["who"] == "any" or o["who"] in lean]
    return dice.weighted(fitting, [1.0 if o["who"] == "any" else 3.0 for o in fitting])


def _wait(op: React, leaf: str, slots: dict[str, str], data: dict[str, Any]) -> Reaction | None:
    """Something is taken: wait when one needs it for what one is doing, else go on."""
    mine = {need for need, _ in affordance_of(op.scene.activity)[:2]}
    if not leaf or not (mine & {need for need, _ in affordance_of(leaf)[:2]} or leaf.lower() in op.scene.activity.lower()):
        return None
    waiting: dict[str, Any] = data["waiting"]
    return _reaction("wait", minutes=waiting["minutes"], thought=waiting["thought"].format(**slots))


def _thing(leaf: str) -> str:
    article: str = templates("lexicon_grammar")["places"]["the"]
    lead = leaf.split(" ")[0].lower()
    return leaf if "'s" in leaf or lead in ("the", "behind") else article.format(thing=leaf)


def _clause(text: str) -> str:
    text = text.strip().rstrip(".")
    words = text.split(" ", 2)
    named = len(words) > 1 and words[1][:1].isupper()
    return text if named or text[:2].isupper() or text.startswith("I ") else text[:1].lower() + text[1:]


def _reaction(
    decision: str, *, activity: str | None = None, minutes: int = 5, address: str | None = None,
    leaves: str | None = None, thought: str = "",
) -> Reaction:  # fmt: skip
    return Reaction.model_construct(
        decision=decision, activity=activity, minutes=minutes, address=address, state=None, leaves=leaves, thought=thought,
        icon=icon_for(activity, "") if activity else "think", rests_on=[],
    )  # fmt: skip
