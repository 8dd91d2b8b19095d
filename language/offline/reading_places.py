"""Places and people in an activity's words.

`find_people(phrase, name)` -> names of others; `find_place(phrase, people)` -> (place words, the phrase without them
when they only say where). Nouns of places are data (`wording/lexicon_times.yaml`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, NamedTuple

from language.offline.grammar_verbs import tables
from language.wording.loader import templates

_NAME = re.compile(r"\b[A-Z][\w’'-]*(?:\s+[A-Z][\w’'-]*)*")


class _Words(NamedTuple):
    static: frozenset[str]
    moving: frozenset[str]
    linking: frozenset[str]
    stops: frozenset[str]
    nouns: frozenset[str]
    bare: frozenset[str]


@lru_cache(maxsize=1)
def _words() -> _Words:
    data: dict[str, Any] = templates("lexicon_times")
    return _Words(
        static=frozenset(data["prepositions"]),
        moving=frozenset(data["moving"]),
        linking=frozenset(data["linking"]),
        stops=frozenset(data["stops"]),
        nouns=frozenset(data["place_nouns"].replace('"', "").split()),
        bare=frozenset(data["bare_places"]),
    )


def find_people(phrase: str, name: str) -> tuple[str, ...]:
    """Capitalised names in the phrase that are neither `name`'s own nor a place's."""
    first = name.split(" ", 1)[0]
    found: dict[str, None] = {}
    for match in _NAME.finditer(phrase):
        text = re.sub(r"['’]s?$", "", match[0])
        low = text.lower().split()
        before = phrase[: match.start()].rstrip().rsplit(" ", 1)[-1].lower()
        after = phrase[match.end() :].split()
        if text in (name, first) or before == "the" or any(word in _words().nouns for word in low):
            continue
        if match[0].endswith(("'s", "’s")) and after and after[0].strip(",.").lower() in _words().nouns:
            continue
        if len(after) > 1 and after[0] == "and" and after[1].strip(",.").lower() in _words().nouns and after[1][:1].isupper():
            continue
        if before in _words().static or text.isupper():
            continue
        found[text] = None
    return tuple(found)


@lru_cache(maxsize=8192)
def find_place(phrase: str, people: tuple[str, ...] = ()) -> tuple[str | None, str]:
    """Words for the place of an activity (base or -ing form), and the phrase without them.

    "play chess on the bench in the park" -> ("the bench in the park", "play chess"). Words of motion stay in the phrase
    ("walk to the park" -> ("the park", "walk to the park")).
    """
    lex = _words()
    tokens = phrase.split(" ")
    best: tuple[int, int, bool] | None = None
    i = 0
    while i < len(tokens):
        word = tokens[i].lower()
        if word in lex.static or (word in lex.moving and i > 0):
            end = _noun_phrase(tokens, i + 1, lex)
            if end > i + 1 and _is_place(tokens[i + 1 : end], people, lex):
                end = _linked(tokens, end, people, lex)
                static = word in lex.static
                if best is None or (static and not best[2]) or not (static or best[2]):
                    best = (i, end, static)
                i = end
                continue
        elif word in ("home", "indoors") and (i == 0 or tokens[i - 1].lower() not in ("a", "the", "her", "his", "their")):
            best = best or (i, i + 1, False)
        i += 1
    if best is not None:
        start, end, static = best
        place = " ".join(tokens[start + (tokens[start].lower() not in ("home", "indoors")) : end]).strip(",;. ")
        if not static:
            return place, phrase
        return place, " ".join(tokens[:start] + tokens[end:])
    for match in _NAME.finditer(phrase):  # "open Blue Cafe": named, though nothing is said to be done *in* it
        low = [word.lower() for word in match[0].split()]
        if any(word in lex.nouns for word in low) and match[0] not in people:
            start = len(phrase[: match.start()].split())
            return " ".join(tokens[start : _noun_phrase(tokens, start, lex)]).strip(",;. "), phrase
    return None, phrase


def _linked(tokens: list[str], end: int, people: tuple[str, ...], lex: _Words) -> int:
    """End of the chain of places that goes on at `end`: "the desk | in her room | of the house"."""
    while end < len(tokens) - 1 and tokens[end].lower() in lex.linking and not tokens[end - 1].endswith((",", ";")):
        further = _noun_phrase(tokens, end + 1, lex)
        if further == end + 1 or not _is_place(tokens[end + 1 : further], people, lex):
            break
        end = further
    return end


def _noun_phrase(tokens: list[str], start: int, lex: _Words) -> int:
    """End (exclusive) of the noun phrase that starts at `start`."""
    i = start
    while i < len(tokens):
        word = tokens[i]
        low = word.lower().rstrip(",;")
        joins = low == "and" and i + 1 < len(tokens) and tokens[i + 1][:1].isupper() and tokens[i - 1][:1].isupper()
        if not joins and (low in lex.stops or low in lex.static or low in lex.linking or low in lex.moving):
            break
        i += 1
        if word.endswith((",", ";")):
            break
        if low in lex.nouns and i < len(tokens) and not _goes_on(tokens[i], lex):
            break
    return i


def _goes_on(word: str, lex: _Words) -> bool:
    low = word.lower().rstrip(",;")
    return low in lex.nouns or word[:1].isupper() or low == "and"


def _is_place(tokens: list[str], people: tuple[str, ...], lex: _Words) -> bool:
    text = " ".join(tokens).strip(",;. ")
    if text in people or not text:
        return False
    low = [t.lower().strip(",;.") for t in tokens]
    if any(word in lex.nouns for word in low):
        first = tokens[0]
        return first[:1].isupper() or low[0] in tables().determiners or first.endswith(("'s", "’s", "s'")) or low[-1] in lex.bare
    named = any(t[:1].isupper() for t in tokens)
    return named and (low[0] in ("the", "a") or (tokens[0][:1].isupper() and len(tokens) > 1))
