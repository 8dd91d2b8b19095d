"""How varied the talk is: texts, and wordings once names, places, numbers and times are masked.

Masker(reading).mask(text)   the wording of some words
utterance_counts(reading)    total, distinct, distinct_masked, most_common_share, and the most common wordings
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from simulation.measures.reading import Reading
from simulation.measures.words import words
from town.tree import leaf

NAME, PLACE, WHEN = "<name>", "<place>", "<when>"
MOST_COMMON = 5

_DIGITS = r"\d+(?:st|nd|rd|th)?(?: ?[ap]\.?m\b\.?)?"  # "am" is a time only after a number
_SPACE = re.compile(r"\s+")
_WHEN_AGAIN = re.compile(rf"{WHEN}(?:[ :.,/-]*{WHEN})+")


class Masker:
    """Masks what differs between two uses of one wording: people's full and first names and surnames, places, numbers, times."""

    def __init__(self, reading: Reading) -> None:
        people: dict[str, None] = dict.fromkeys(reading.names)
        for name in reading.names:
            people.update(dict.fromkeys(name.split()))
        places = dict.fromkeys(leaf(place.address) for place in reading.places.values() if place.level != "town")
        towns = dict.fromkeys(place.address for place in reading.places.values() if place.level == "town")
        when = [*words("utterances", "numbers"), *words("utterances", "times")]
        # A place named after people ("Lin family's house") is masked as a whole, before the people in it.
        self._rules = (
            (_any(map(re.escape, {**places, **towns})), PLACE),
            (_any(map(re.escape, people)), NAME),
            (_any([*when, _DIGITS]), WHEN),
        )

    def mask(self, text: str) -> str:
        """The wording of a text, in lower case."""
        for pattern, mask in self._rules:
            if pattern is not None:
                text = pattern.sub(mask, text)
        return _SPACE.sub(" ", _WHEN_AGAIN.sub(WHEN, text)).strip().casefold()


def _any(entries: Any) -> re.Pattern[str] | None:
    ordered = sorted(set(entries), key=lambda entry: (-len(entry), entry))
    return re.compile(r"(?<!\w)(?:" + "|".join(ordered) + r")(?!\w)", re.IGNORECASE) if ordered else None


def utterance_counts(reading: Reading) -> dict[str, Any]:
    """`total`, `distinct` texts, `distinct_masked` wordings, `most_common_share` of the commonest wording (0..1), `common`
    (the commonest wordings with their counts), `acts` (count per dialogue act) and `talks`."""
    masker = Masker(reading)
    texts = Counter(said.text for said in reading.said)
    wordings: Counter[str] = Counter()
    for text, count in texts.items():
        wordings[masker.mask(text)] += count
    total = len(reading.said)
    common = sorted(wordings.items(), key=lambda item: (-item[1], item[0]))[:MOST_COMMON]
    return {
        "total": total,
        "distinct": len(texts),
        "distinct_masked": len(wordings),
        "distinct_share": _share(len(texts), total),
        "distinct_masked_share": _share(len(wordings), total),
        "most_common_share": _share(common[0][1], total) if common else 0.0,
        "common": [{"wording": wording, "count": count} for wording, count in common],
        "acts": dict(sorted(Counter(said.act for said in reading.said).items())),
        "talks": len(reading.conversations),
    }


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
