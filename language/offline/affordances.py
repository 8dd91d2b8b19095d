"""What an activity in free words needs of a place.

`affordance_of(activity)` -> [(affordance, score)], best first: by the lexicon (`wording/lexicon_affordances.yaml`), and
where it knows no word, by the similarity of embeddings to the descriptions in `maps/affordances.yaml`. Scores are
comparable within one activity only.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import resources
from typing import Any, NamedTuple

from language.offline.grammar import gerund_to_base
from language.offline.similarity import nearest_texts
from language.wording.loader import templates

ALIKE = 0.4
"""Similarity from which an embedding counts as evidence."""

_PHRASE, _VERB, _WORD = 4.0, 3.0, 1.0


class _Index(NamedTuple):
    phrases: dict[str, tuple[tuple[tuple[str, ...], str], ...]]  # by first word: (words, affordance)
    verbs: dict[str, tuple[str, ...]]
    words: dict[str, tuple[str, ...]]


@lru_cache(maxsize=1)
def _index() -> _Index:
    data: dict[str, Any] = templates("lexicon_affordances")
    phrases: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for affordance, texts in data["phrases"].items():
        for text in texts:
            words = tuple(str(text).split())
            phrases.setdefault(words[0], []).append((words, affordance))
    return _Index(
        {first: tuple(sorted(found, key=lambda f: (-len(f[0]), f))) for first, found in phrases.items()},
        _inverted(data["verbs"]),
        _inverted(data["words"]),
    )


def _inverted(table: dict[str, list[str]]) -> dict[str, tuple[str, ...]]:
    out: dict[str, list[str]] = {}
    for affordance, words in table.items():
        for word in words:
            out.setdefault(str(word), []).append(affordance)
    return {word: tuple(found) for word, found in out.items()}


@lru_cache(maxsize=1)
def descriptions() -> dict[str, str]:
    """The affordances there are and words that describe them (`maps/affordances.yaml`)."""
    import yaml

    text = (resources.files("maps") / "affordances.yaml").read_text(encoding="utf-8")
    found: dict[str, str] = yaml.safe_load(text)
    return found


@lru_cache(maxsize=16384)
def affordance_of(activity: str) -> tuple[tuple[str, float], ...]:
    """Affordances an activity may need, best first, with scores; at most five; () when nothing is known of it."""
    index = _index()
    words = [w for w in re.split(r"[^a-zà-ÿ'’-]+", gerund_to_base(activity.lower())) if w]
    scores: dict[str, float] = {}
    for i, word in enumerate(words):
        for phrase, affordance in index.phrases.get(word, ()):
            if tuple(words[i : i + len(phrase)]) == phrase:
                weight = (_PHRASE + len(phrase)) * (1.0 if i < 3 else 0.5)
                scores[affordance] = max(scores.get(affordance, 0.0), weight)
        verb = i == 0 or words[i - 1] in ("and", "then")
        base = gerund_to_base(word)
        if verb or base != word:
            for affordance in index.verbs.get(base, ()):
                scores[affordance] = scores.get(affordance, 0.0) + (_VERB if i == 0 else _VERB / 2)
        for affordance in index.words.get(word, ()) or index.words.get(word.removesuffix("s"), ()):
            scores[affordance] = scores.get(affordance, 0.0) + _WORD
    if not scores:
        near = nearest_texts(activity, tuple(descriptions().items()))
        scores = {key: round(likeness * 4, 3) for key, likeness in near[:3] if likeness >= ALIKE}
    return tuple(sorted(scores.items(), key=lambda s: (-s[1], s[0]))[:5])
