"""Manner: what makes a speaker sound like this person to that person, as a set of tags that wording rules ask for.

    manner(person, relation, scene, serving=, hurry=)   -> tags
    character(person)                                    -> the part that doesn't depend on the listener
    stance(relation)                                     -> couple, family, close, friend, acquaintance, stranger, odds

Words come from the persona's traits and sentences about speech, formality from its number, thresholds from
`wording/manner.yaml`. Couples and close people are never formal with each other.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any

from language.offline.grammar import day_part
from language.values import Person, Relation, Scene
from language.wording.loader import OFFLINE

INTIMATE = frozenset({"couple", "family", "close"})


@cache
def _data() -> dict[str, Any]:
    found: dict[str, Any] = OFFLINE.templates("manner")["manner"]
    return found


@lru_cache(maxsize=512)
def _character(traits: tuple[str, ...], speech: tuple[str, ...], formality: float) -> frozenset[str]:
    data = _data()
    text = " ".join((*traits, *speech)).lower()
    tags = {tag for tag, words in data["words"].items() if any(word in text for word in words)}
    if formality < data["slang_below"]:
        tags = (tags | {"slang"}) - {"formal"}
    elif formality > data["formal_above"]:
        tags = (tags | {"formal"}) - {"slang"}
    elif {"slang", "formal"} <= tags:
        tags -= {"slang", "formal"}
    if {"social", "unsocial"} <= tags:
        tags -= {"social", "unsocial"}
    if "slang" not in tags and "formal" not in tags:
        tags.add("plain")
    return frozenset(tags)


def character(person: Person) -> frozenset[str]:
    """Tags of the speaker alone: slang/plain/formal, crisp, dry, lively, warm, shy, thoughtful, grumpy, (un)social."""
    speech = tuple(s.text for s in person.statements if s.topic == "speech")
    return _character(person.traits, speech, person.formality)


@lru_cache(maxsize=2048)
def _stance(known: bool, how: str, closeness: float) -> str:
    data = _data()
    low = how.lower()
    if closeness < data["odds_below"]:
        return "odds"
    for tag in ("couple", "family"):
        if any(re.search(rf"\b{word}", low) for word in data["relations"][tag]) and not low.startswith("ex-"):
            return tag
    if not known:
        return "stranger"
    if closeness >= data["close_above"]:
        return "close"
    return "friend" if closeness >= data["friend_above"] else "acquaintance"


def stance(relation: Relation) -> str:
    """How the speaker stands to the listener, as one tag."""
    return _stance(relation.known, relation.how, relation.closeness)


@lru_cache(maxsize=256)
def job_words(occupation: str) -> str:
    """An occupation with its article: "a poet", "the owner of the cafe"."""
    job = occupation.split(",")[0].strip()
    job = job[:1].lower() + job[1:]
    if job.split(" ")[0] in ("a", "an", "the"):
        return job
    if " of " in job and any(job.startswith(word) for word in _data()["unique"]):
        return f"the {job}"
    return f"{'an' if job[:1] in 'aeio' else 'a'} {job}"


@lru_cache(maxsize=256)
def job_slots(occupation: str) -> dict[str, str]:
    """Slots for one's trade: `job` with its article, `job_do` what one does as a verb phrase, `job_as` if it's work."""
    job = occupation.split(",")[0].strip()
    if not job:
        return {}
    found = {"job": job_words(job)}
    for form, does in _data()["owning"].items():
        match = re.match(form, job, re.IGNORECASE)
        if match is not None:
            return {"job_do": match.expand(does), **({} if " of " in job else found)}
    if re.search(_data()["no_work"], job, re.IGNORECASE) is None:
        found["job_as"] = found["job"]
    return found


def at_home_with(relation: Relation) -> bool:
    """Whether the two share a household, by what they are to each other."""
    low = relation.how.lower()
    return any(re.search(rf"\b{word}", low) for word in _data()["relations"]["housemate"])


def sector(address: str) -> str:
    """The first two parts of an address: the building or ground."""
    return " : ".join(address.split(" : ")[:2])


def at_work(person: Person, scene: Scene) -> bool:
    """Whether the person stands in their own workplace during their working hours."""
    if person.workplace is None or person.work_hours is None or sector(scene.place) != sector(person.workplace):
        return False
    minute = scene.now.hour * 60 + scene.now.minute
    return person.work_hours[0] <= minute < person.work_hours[1]


def manner(person: Person, relation: Relation, scene: Scene, *, serving: bool = False, hurry: bool = False) -> frozenset[str]:
    """All tags of one turn: character, stance, hour (morning, afternoon, evening, night), serving, hurry, at_home."""
    own = character(person)
    how = stance(relation)
    part = day_part(scene.now.hour * 60 + scene.now.minute)
    return _manner(own, how, part, serving, hurry, sector(scene.place) == sector(person.home))


@lru_cache(maxsize=4096)
def _manner(own: frozenset[str], how: str, part: str, serving: bool, hurry: bool, at_home: bool) -> frozenset[str]:
    tags = set(own)
    if how in INTIMATE and "formal" in tags:
        tags = (tags - {"formal"}) | {"plain"}
    if how == "stranger" and "slang" in tags:
        tags = (tags - {"slang"}) | {"plain"}
    tags.update((how, part))
    if how in ("couple", "family"):
        tags.add("close")
    if how in ("couple", "family", "close", "friend"):
        tags.add("fond")
    tags.update(tag for tag, holds in (("serving", serving), ("hurry", hurry), ("at_home", at_home)) if holds)
    return frozenset(tags)
