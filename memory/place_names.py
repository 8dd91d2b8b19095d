"""From any string for a place to a known address: what a model calls a place is rarely what the map calls it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

from town.tree import SEPARATOR, parts

CUT_OFF = 0.75
"""Likeness (0..1) below which a spelling isn't taken for another's."""

_BREAK = re.compile(r"\s*(?:[:>/|,;]|->|→)\s*")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_SMALL = frozenset({"a", "an", "at", "by", "for", "from", "her", "his", "in", "my", "near", "of", "on", "the", "their", "to"})


class PlaceNames:
    """Known addresses by what people may call them. Sectors, arenas and objects; a town itself isn't a place to go."""

    def __init__(self, addresses: Iterable[str]) -> None:
        self._addresses = sorted(address for address in addresses if SEPARATOR in address)
        self._names = {address: tuple(_plain(part) for part in parts(address)) for address in self._addresses}
        self._words = {address: tuple(frozenset(_words(part)) for part in parts(address)) for address in self._addresses}

    def resolve(self, text: str, near: str | None = None) -> str | None:
        """In this order, each whatever the case, and the first that finds anything decides:

        1. the whole address, however its parts are separated
        2. the last parts of an address ("Hobbs Cafe: cafe: piano"), or some of them in order ("Hobbs Cafe, piano")
        3. a place whose own name's words are all in the text ("the piano of the cafe"), or hold all words of the text's
           last part ("Hobbs Cafe: kitchen" -> its kitchen sink); the more of the text's words its address has, the better
        4. a spelling like its own name's, or like its last parts' (likeness at least CUT_OFF)

        Ties: nearest to `near` in the tree, then the higher level (a room before a thing in it), then by address.
        """
        asked = tuple(part for part in (_plain(piece) for piece in _BREAK.split(text)) if part)
        if not asked:
            return None
        whole = [address for address, names in self._names.items() if names == asked]
        if whole:
            return whole[0]
        named = [address for address, names in self._names.items() if names[-1] == asked[-1] and _in_order(asked, names)]
        if named:
            return self._nearest(named, near)
        return self._by_words(asked, near) or self._by_spelling(asked, near)

    def _by_words(self, asked: tuple[str, ...], near: str | None) -> str | None:
        every = frozenset(word for part in asked for word in _words(part))
        last = frozenset(_words(asked[-1]))
        if not last:
            return None
        scores: dict[str, int] = {}
        for address, words in self._words.items():
            own = words[-1]
            if own and (own <= every or last <= own):
                scores[address] = len(every & frozenset().union(*words[1:]))
        if not scores:
            return None
        best = max(scores.values())
        return self._nearest([address for address, score in scores.items() if score == best], near)

    def _by_spelling(self, asked: tuple[str, ...], near: str | None) -> str | None:
        scores: dict[str, float] = {}
        joined = " ".join(asked)
        for address, names in self._names.items():
            likeness = max(
                _likeness(asked[-1], names[-1]), *(_likeness(joined, " ".join(names[at:])) for at in range(len(names)))
            )
            if likeness >= CUT_OFF:
                scores[address] = likeness
        if not scores:
            return None
        best = max(scores.values())
        return self._nearest([address for address, score in scores.items() if score == best], near)

    def _nearest(self, addresses: list[str], near: str | None) -> str:
        here = parts(near) if near else ()

        def rank(address: str) -> tuple[int, int, str]:
            names = parts(address)
            shared = 0
            for mine, theirs in zip(here, names, strict=False):
                if mine != theirs:
                    break
                shared += 1
            return (-shared, len(names), address)

        return min(addresses, key=rank)


def _plain(name: str) -> str:
    """Casefolded, single spaces, no leading article."""
    words = name.casefold().split()
    return " ".join(words[1:] if len(words) > 1 and words[0] in ("the", "a", "an") else words)


def _words(text: str) -> list[str]:
    """Words that tell places apart: casefolded, possessives cut, small words left out."""
    found = (re.sub(r"['’]s?$", "", word) for word in _WORD.findall(text.casefold()))
    return [word for word in found if word not in _SMALL]


def _in_order(asked: tuple[str, ...], names: tuple[str, ...]) -> bool:
    rest = iter(names)
    return all(part in rest for part in asked)


def _likeness(a: str, b: str) -> float:
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    if matcher.real_quick_ratio() < CUT_OFF or matcher.quick_ratio() < CUT_OFF:
        return 0.0
    return matcher.ratio()
