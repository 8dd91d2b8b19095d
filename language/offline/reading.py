"""Reading a sentence about somebody's habits: what, when, where, with whom, how often.

    read(text, name)     -> one Reading per sentence in the text
    affordances: see `affordances.affordance_of`, re-exported here

Free text by people who never saw this code; the vocabulary of time and place is data (`wording/lexicon_times.yaml`).
What isn't understood stays in the activity's words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from language.offline.affordances import affordance_of
from language.offline.grammar import gerund_to_base, third_to_base, verbs_to_base
from language.offline.grammar_verbs import tables, thirds_to_gerund
from language.offline.reading_places import find_people, find_place
from language.offline.reading_times import Cue, find_cues
from language.wording.loader import templates

__all__ = ["Reading", "affordance_of", "meal_of", "read", "read_sentence"]


@dataclass(frozen=True, slots=True)
class Reading:
    """What a sentence says somebody does.

    activity  the -ing form without subject, time and (static) place: "playing chess with Sam"
    base      the same in the base form: "play chess with Sam"
    whole     the -ing form with its place words: "playing chess with Sam on the bench in the park"
    cue       when (see `reading_times.Cue`)
    place     place words without preposition ("the bench in the park", "home"), None: nothing said
    people    other people's names, as written
    meal      breakfast, lunch or dinner when it is that meal, else None
    negative  the sentence says what is *not* done
    """

    activity: str
    base: str
    whole: str
    cue: Cue
    place: str | None
    people: tuple[str, ...]
    meal: str | None
    negative: bool


@lru_cache(maxsize=4096)
def read(text: str, name: str) -> tuple[Reading, ...]:
    """The readings of all sentences in `text` about `name` (full name). A sentence without an activity gives none."""
    pieces = re.split(r"(?<=[.!?])\s+|;\s+", text.strip())
    return tuple(reading for piece in pieces if (reading := read_sentence(piece, name)) is not None)


@lru_cache(maxsize=4096)
def read_sentence(text: str, name: str) -> Reading | None:
    """The reading of one sentence, None when it tells of no activity of `name`."""
    data = _lexicon()
    cue, rest = find_cues(text.strip().rstrip(".!?"))
    negative = data.never.search(rest) is not None
    rest = data.never.sub("", rest, count=1) if negative else rest
    phrase = _verb_phrase(_tidy(rest), name)
    if phrase is None:
        return None
    base = _tidy(verbs_to_base(phrase))
    whole = _tidy(thirds_to_gerund(phrase))
    people = find_people(base, name)
    place, without = find_place(base, people)
    without = _tidy(without)
    activity = _tidy(find_place(whole, people)[1])
    if " " not in without and without in data.bare:  # "walk in the park": the verb alone would say too little
        without, activity = base, whole
    return Reading(
        activity=activity,
        base=without,
        whole=whole,
        cue=cue,
        place=place,
        people=people,
        meal=None if negative else meal_of(base),
        negative=negative,
    )


@lru_cache(maxsize=8192)
def meal_of(base: str) -> str | None:
    """breakfast, lunch or dinner when the activity (base form) is eating or making that meal."""
    data = _lexicon()
    low = base.lower()
    first = low.split(" ", 1)[0]
    if first in data.not_having or data.not_meal.search(low):
        return None
    for meal, pattern in data.meals:
        eaten = first in data.meal_verbs or data.for_meal.search(low) or data.direct_meal.search(low)
        if eaten and pattern.search(low):
            return meal
    return None


def _verb_phrase(text: str, name: str) -> str | None:
    """`text` without its subject; None when the subject is somebody else or there is no verb."""
    words = text.split(" ")
    first = name.split(" ", 1)[0]
    subject = False
    for form in (name, first):
        if text.startswith(form + " "):
            words = text[len(form) + 1 :].split(" ")
            subject = True
            break
    if not subject and words[0].lower() in _lexicon().subjects:
        words = words[1:]
        subject = True
    while words and words[0].lower().strip(",") in tables().adverbs:
        words = words[1:]
    if subject and words[0] in ("and", "with"):  # "Bo and Liv Ek go fishing"
        words = words[1:]
        while words and words[0][:1].isupper():
            words = words[1:]
    if not words or not words[0]:
        return None
    if found := _lexicon().found_doing.match(" ".join(words)):  # "can be found at the tavern, playing dominoes"
        return f"{gerund_to_base(found['doing'])} {(found['where'] or '').rstrip(', ')}".strip()
    words = _lexicon().openers.sub("", " ".join(words)).split(" ")
    verb = words[0].lower().rstrip(",")
    if not subject and verb not in tables().base_of_third and verb not in tables().verbs:
        return None
    if verb in _lexicon().being:
        return " ".join(("be", *words[1:]))
    leads = third_to_base(verb) in _lexicon().leading and len(words) > 2 and words[1] == "to"
    if leads and (words[2].lower() in tables().verbs or third_to_base(verb) not in _lexicon().leading_to_places):
        return " ".join(words[2:])
    return " ".join(words)


def _tidy(text: str) -> str:
    text = re.sub(r"\s+", " ", text)
    text = re.sub(r"\s+([,;:])", r"\1", text)
    text = re.sub(r"([,;:])[,;:\s]*(?=[,;:])", "", text)
    return re.sub(r"(?:\s+(?:and|or|then))+$", "", text.strip(" ,;:–-")).strip(" ,;:–-")


class _Lexicon(NamedTuple):
    never: re.Pattern[str]
    meals: tuple[tuple[str, re.Pattern[str]], ...]
    meal_verbs: frozenset[str]
    for_meal: re.Pattern[str]
    not_having: frozenset[str]
    direct_meal: re.Pattern[str]
    bare: frozenset[str]
    subjects: frozenset[str]
    being: frozenset[str]
    leading: frozenset[str]
    leading_to_places: frozenset[str]
    openers: re.Pattern[str]
    found_doing: re.Pattern[str]
    not_meal: re.Pattern[str]


@lru_cache(maxsize=1)
def _lexicon() -> _Lexicon:
    data: dict[str, Any] = templates("lexicon_times")
    return _Lexicon(
        never=re.compile(data["never"], re.IGNORECASE),
        meals=tuple((meal, re.compile(pattern)) for meal, pattern in data["meals"].items()),
        meal_verbs=frozenset(data["meal_verbs"]),
        for_meal=re.compile(data["for_meal"]),
        not_having=frozenset(data["not_having"]),
        direct_meal=re.compile(data["direct_meal"]),
        bare=frozenset(data["bare_verbs"]),
        subjects=frozenset(data["subjects"]),
        being=frozenset(data["being"]),
        leading=frozenset(data["leading_verbs"]),
        leading_to_places=frozenset(data["leading_to_places"]),
        openers=re.compile(data["openers"]),
        found_doing=re.compile(data["found_doing"]),
        not_meal=re.compile(data["not_meal"]),
    )
