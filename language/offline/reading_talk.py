"""How talkers read texts: patterns of the reading data, content words, what to take up from somebody's words.

    pattern(key), listed(key)   reading data of `wording/talk_reading.yaml`, compiled; says(key, text) whether it is found
    words_of(text)              its content words as rough stems, for comparing; overlap(part, whole) their share
    turned(phrase)              what another says of themselves, said back to them: "my boat" -> "your boat"
    echo(text)                  a thing named in it that one can take up ("the price list"), "" if none
    habit(text)                 (what, when) of a sentence on the hours of the day, None for any other

Everything here is a cached pure function of texts: a talker reads the same memories again and again.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Any

from language.wording.loader import OFFLINE

NAME = r"[A-Z][\w'-]+(?: [A-Z][\w'-]+)+"
"""A full name, as a pattern."""

_WORD = re.compile(r"[a-zà-ÿ]+(?:['’-][a-zà-ÿ]+)*")


@cache
def data() -> dict[str, Any]:
    """The reading data as it stands in the file."""
    found: dict[str, Any] = OFFLINE.templates("talk_reading")["reading"]
    return found


@cache
def pattern(key: str) -> re.Pattern[str]:
    """A pattern of the reading data ("negative", "questions.mood"), compiled without case."""
    node: Any = data()
    for part in key.split("."):
        node = node[part]
    return re.compile(str(node).replace("{n}", NAME), re.IGNORECASE)


@lru_cache(maxsize=32768)
def says(key: str, text: str) -> bool:
    """Whether a pattern of the reading data is found in a text; remembered, since the same texts come up again and again."""
    return pattern(key).search(text) is not None


@cache
def listed(key: str) -> tuple[re.Pattern[str], ...]:
    """A list of patterns of the reading data; names in them keep their case."""
    return tuple(re.compile(text.replace("{n}", NAME)) for text in data()[key])


@cache
def silent() -> re.Pattern[str]:
    """What makes a record no matter for talk: schedules, asides, promises the diary knows."""
    return re.compile("|".join(f"(?:{p.pattern})" for p in listed("silent")))


@cache
def _stop() -> frozenset[str]:
    return frozenset(data()["stop"].split())


@lru_cache(maxsize=16384)
def words_of(text: str) -> frozenset[str]:
    """Content words of a text as rough stems, without possessives."""
    found = set()
    for word in _WORD.findall(text.lower()):
        word = word.removesuffix("'s").removesuffix("’s")
        if word in _stop() or len(word) < 3:
            continue
        found.add(_stem(word))
    return frozenset(found)


def _stem(word: str) -> str:
    """A rough stem, good enough to match "winning" with "win" and "poems" with "poem"."""
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word.removesuffix(ending)
            if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "ls":
                word = word[:-1]
            break
    return word.removesuffix("e")


def overlap(part: frozenset[str], whole: frozenset[str]) -> float:
    """The share of `part` that is in `whole` (0 for nothing)."""
    return len(part & whole) / len(part) if part else 0.0


@lru_cache(maxsize=4096)
def turned(phrase: str) -> str:
    """A phrase in the first person said back to its speaker."""
    swap: dict[str, str] = data()["turned"]
    return re.sub(r"[A-Za-z]+(?:['’][a-z]+)?", lambda m: swap.get(m.group(0), m.group(0)), phrase)


@lru_cache(maxsize=4096)
def echo(text: str) -> str:
    """The first thing named in a text ("your folding bridge"), "" when there is none worth taking up."""
    found = (m.group("np") for m in pattern("echo").finditer(text))
    return next((np for np in found if not pattern("dull").search(np) and not re.search(r"[A-Z]", np[1:])), "")


@lru_cache(maxsize=4096)
def habit(text: str) -> tuple[str, str] | None:
    """ "At six I lift weights." -> ("lift weights", "around six"); None for a sentence of another kind."""
    found = pattern("habit").match(text) or pattern("habit_late").match(text)
    if found is None:
        return None
    when = found.group("when")
    when = re.sub(r"^at (?=\w)", data()["around"] + " ", when[:1].lower() + when[1:]) if pattern("clock").search(when) else when
    return found.group("rest"), when[:1].lower() + when[1:]
