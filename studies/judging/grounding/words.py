"""Words as the grounding judge compares them: stems, times of day, names, negation; all lists in `words.yaml`.

read(text, people)   -> Words     content stems, times, names of residents, whether it denies
sentences(text)                   a text in sentences, echoes of the question ("Ann Moss?") left out
refuses(text)                     whether a sentence only says that one doesn't know
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from kernel import load_yaml

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_TIME = re.compile(r"\b(\d{1,2})(?::(\d{2}))?\s*([ap])\.?m\b|\b(\d{1,2}):(\d{2})\b", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?…]+[.!?…]*")
_CLAUSE = re.compile(r";\s|,\s+(?:and|but)\s+(?=(?:I|that|it|this|there|you)\b)")
_HALF = re.compile(r"\b([ap])\.m\b\.?", re.IGNORECASE)
_POINT = re.compile(r"(?<=\d)[.:](?=\d)")


@dataclass(frozen=True, slots=True)
class Words:
    """What a sentence says, as far as it is compared. `times` in minutes since midnight; `people` full names."""

    stems: frozenset[str]
    times: frozenset[int]
    people: frozenset[str]
    denies: bool


@cache
def lists() -> Mapping[str, Any]:
    """The judge's own word lists."""
    data: Mapping[str, Any] = load_yaml(Path(__file__).with_name("words.yaml")).data
    return data


@cache
def _few() -> tuple[frozenset[str], frozenset[str], tuple[re.Pattern[str], ...]]:
    found = lists()
    patterns = tuple(re.compile(pattern) for pattern in found["refusals"])
    return frozenset(found["little"]), frozenset(found["denials"]), patterns


def read(text: str, people: Sequence[str]) -> Words:
    """The words of a sentence; names of `people` (full names; first names count, too) are taken out of the stems."""
    little, denials, _ = _few()
    words = [word.replace("’", "'") for word in _WORD.findall(text)]
    folded = [word.casefold().removesuffix("'s") for word in words]
    named, parts = _named(folded, people)
    stems = {_stem(word) for word in folded if word not in little and word not in parts and len(word) > 1}
    denies = any(word in denials or word.endswith("n't") for word in folded)
    return Words(frozenset(stems), frozenset(_times(text)), named, denies)


def sentences(text: str) -> list[str]:
    """Sentences and their main clauses; a question is an echo and no claim."""
    held = _POINT.sub("\0", _HALF.sub(r"\1m", text))
    parts = [clause for part in _SENTENCE.findall(held) for clause in _CLAUSE.split(part)]
    found = [part.strip().replace("\0", ":") for part in parts]
    return [part for part in found if _WORD.search(part) and not part.endswith("?")]


def refuses(sentence: str) -> bool:
    """Whether a sentence says that one doesn't know, remember or plan what was asked."""
    folded = sentence.casefold().replace("’", "'")
    return any(pattern.search(folded) for pattern in _few()[2])


def _named(folded: Sequence[str], people: Sequence[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Full names of the people a sentence names, and the words that name them."""
    present = set(folded)
    named: set[str] = set()
    parts: set[str] = set()
    for name in people:
        first, *rest = name.casefold().split()
        if first in present:
            named.add(name)
            parts.update((first, *(part for part in rest if part in present)))
    return frozenset(named), frozenset(parts)


def _times(text: str) -> list[int]:
    found = []
    for hour, minute, half, hour24, minute24 in _TIME.findall(text):
        if half:
            found.append((int(hour) % 12 + 12 * (half.casefold() == "p")) * 60 + int(minute or 0))
        else:
            found.append(int(hour24) * 60 + int(minute24))
    return [time for time in found if time < 24 * 60]


def _stem(word: str) -> str:
    for ending, least in (("ing", 6), ("ed", 5), ("ies", 5), ("es", 5), ("s", 4), ("ly", 6)):
        if word.endswith(ending) and len(word) >= least and not word.endswith("ss"):
            word = word[: -len(ending)] + ("y" if ending == "ies" else "")
            break
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word
