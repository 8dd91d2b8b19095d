"""New names for everybody and every place of a blueprint, by a seed.

    renamed(blueprint, seed)   -> Blueprint     the same town and people under other names
    renames(blueprint, seed)   -> old word -> new word

Words are replaced, not texts: each first name, family name and proper word of a place's name gets one new word, wherever it
stands (persona texts, facts, addresses, hosts, rooms called after their owners). Names keep to the pronoun of their bearer.
Generic words ("cafe", "college") stay; which those are, and the names to draw from, is in `names.yaml`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from kernel import Dice, UsageError, load_yaml
from maps import MapSpec
from personas import Persona
from scenarios import Scenario
from simulation.compose import Blueprint

_WORD = re.compile(r"[A-Z][A-Za-z]+")


def renamed(blueprint: Blueprint, seed: int) -> Blueprint:
    """The blueprint under other names. Raises UsageError when there are more people than names to give."""
    words = renames(blueprint, seed)
    pattern = re.compile(r"\b(" + "|".join(sorted(map(re.escape, words), key=len, reverse=True)) + r")\b")

    def anew(text: str) -> str:
        return pattern.sub(lambda found: words[found[0]], text)

    def through(value: Any) -> Any:
        if isinstance(value, str):
            return anew(value)
        if isinstance(value, list):
            return [through(one) for one in value]
        return {anew(key): through(one) for key, one in value.items()} if isinstance(value, dict) else value

    return replace(
        blueprint,
        scenario=Scenario.model_validate(through(json.loads(blueprint.scenario.model_dump_json()))),
        people=tuple(Persona.model_validate(through(json.loads(one.model_dump_json()))) for one in blueprint.people),
        map=MapSpec.model_validate(through(json.loads(blueprint.map.model_dump_json()))),
        minds={anew(name): kind for name, kind in blueprint.minds.items()},
    )


def renames(blueprint: Blueprint, seed: int) -> Mapping[str, str]:
    """Old word -> new word, of people and places."""
    names = _names()
    old = {word for person in blueprint.people for word in person.name.split()}
    taken = (
        old | set(_place_words(blueprint)) | set(_WORD.findall(" ".join(person.model_dump_json() for person in blueprint.people)))
    )
    found: dict[str, str] = {}
    for key, words in (
        *((pronoun, [p.name.split()[0] for p in blueprint.people if p.pronoun == pronoun]) for pronoun in ("she", "he", "they")),
        ("family", [word for p in blueprint.people for word in p.name.split()[1:]]),
        ("places", list(_place_words(blueprint))),
    ):
        wanted = [word for word in dict.fromkeys(words) if word not in found]
        free = [name for name in Dice(seed, key, 0, "rename").shuffled(names[key]) if name not in taken]
        if len(free) < len(wanted):
            raise UsageError(f"there are {len(wanted)} names of the kind '{key}' to replace and {len(free)} to give",
                             hint="add some to studies/renaming/names.yaml")  # fmt: skip
        found.update(zip(wanted, free, strict=False))
        taken |= set(found.values())
    for person in blueprint.people:  # whole names first: a family may be called like a park
        found[person.name] = " ".join(found[word] for word in person.name.split())
    return {old: new for old, new in found.items() if old.casefold() not in names["generic"]}


def _place_words(blueprint: Blueprint) -> Iterator[str]:
    """Proper words in the names of the town and its sectors."""
    generic = set(_names()["generic"])
    people = {word for person in blueprint.people for word in person.name.split()}
    spec = blueprint.map
    names = [spec.world, *(sector.name for sector in spec.sectors), *blueprint.scenario.rename_places.values()]
    seen: set[str] = set()
    for name in names:
        for word in _WORD.findall(name):
            if word.casefold() not in generic and word not in people and word not in seen:
                seen.add(word)
                yield word


@cache
def _names() -> Mapping[str, list[str]]:
    data: Mapping[str, list[str]] = load_yaml(Path(__file__).with_name("names.yaml")).data
    return data
