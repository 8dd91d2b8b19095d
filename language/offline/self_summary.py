"""SummariseSelf: who somebody is, what they do, how things go; third person, from statements and recollections.

Says nothing that no statement or recollection says (Park et al. 2023, appendix A).
"""

from __future__ import annotations

import re
from typing import Any

from kernel import Dice
from language.offline.grammar import base_to_third, first_name, join_names, pronoun_forms, sentence
from language.offline.registry import responder
from language.operations import SummariseSelf
from language.replies import SelfSummary
from language.values import Person, Recollection
from language.wording.loader import templates

LONGEST = 1100
ABOUT, LATELY = 2, 2
"""Sentences taken from the persona's paragraph, and recent insights or talks mentioned."""


@responder(SummariseSelf)
def summarise_self(op: SummariseSelf, dice: Dice) -> SelfSummary:
    """A few sentences; at most LONGEST characters."""
    words: dict[str, Any] = templates("planning_self")
    person = op.person
    slots = _slots(person)
    said = [_say(words["traits"], slots, dice)]
    plain = re.search(words["plain_job"], person.occupation) is None
    said.append(_say(words["occupation" if plain else "occupation_other"], slots, dice))
    said.extend(_about(op))
    aims = [s.text.strip().rstrip(".") for s in person.statements if s.topic == "aim"]
    if aims:
        said.append(_say(words["aim"], {**slots, "aim": _lower(dice.choice(aims))}, dice))
    said.extend(_lately(op, words, slots, dice))
    said.append(_say(words[_mood(op.progress, words)], slots, dice))
    text = ""
    for piece in said:
        if len(text) + len(piece) + 1 > LONGEST:
            break
        text = f"{text} {piece}".strip()
    return SelfSummary.model_construct(text=text)


def _slots(person: Person) -> dict[str, str]:
    forms = pronoun_forms(person.pronoun)
    plural = bool(forms["plural"])
    slots = {
        "name": person.name,
        "first": first_name(person.name),
        "traits": join_names(person.traits),
        "age": str(person.age),
        "job": person.occupation,
        "a_job": _with_article(person.occupation),
        "subject": forms["subject"],
        "Subject": forms["subject"].capitalize(),
        "them": forms["object"],
        "possessive": forms["possessive"],
        "be": forms["be"],
    }
    for key, verb in templates("planning_self")["verbs"].items():
        slots[key] = verb if plural else base_to_third(verb)
    return slots


def _with_article(job: str) -> str:
    article = "an" if job[:1].lower() in "aeio" else "a"
    return f"{article} {job}"


def _say(variants: list[str], slots: dict[str, str], dice: Dice) -> str:
    return sentence(dice.choice(variants).format(**slots))


def _about(op: SummariseSelf) -> list[str]:
    """The persona's sentences that retrieval found most fitting, else the first ones; in their own order."""
    statements = [s for s in op.person.statements if s.topic == "about"]
    wanted = {r.id for r in (*op.core, *op.occupation)}
    chosen = [s for s in statements if s.id in wanted][:ABOUT] or statements[:ABOUT]
    return [sentence(s.text) for s in chosen]


def _lately(op: SummariseSelf, words: dict[str, Any], slots: dict[str, str], dice: Dice) -> list[str]:
    """What reflections and talks of late say, the weightiest first."""
    own = {s.id for s in op.person.statements}
    fresh = {r.id: r for r in (*op.progress, *op.core, *op.occupation) if r.kind == "reflection" and r.id not in own}
    chosen = sorted(fresh.values(), key=lambda r: (-r.importance, r.hours_ago, r.id))[:LATELY]
    return [_say(words["lately"], {**slots, "text": r.text.strip().rstrip(".")}, dice) for r in chosen]


def _mood(progress: tuple[Recollection, ...], words: dict[str, Any]) -> str:
    recent = [r for r in progress if r.hours_ago < 48]
    good = sum(1 for r in recent if re.search(words["good"], r.text, re.IGNORECASE))
    bad = sum(1 for r in recent if re.search(words["bad"], r.text, re.IGNORECASE))
    if bad > good:
        return "progress_troubled"
    if good:
        return "progress_good"
    return "progress_busy" if sum(r.importance for r in recent) > 40 else "progress_quiet"


def _lower(text: str) -> str:
    words = text.split(" ", 2)
    pronoun = words[0] in ("She", "He", "They", "The", "A", "An", "It", "This")
    return text[:1].lower() + text[1:] if pronoun else text
