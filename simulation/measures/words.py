"""The words by which measures recognise things in free text, from `words.yaml`.

words(section, key)     the entries
matcher(section, key)   a pattern that finds any of them as whole words, whatever the case
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from kernel import load_yaml


@cache
def _all() -> dict[str, dict[str, list[str]]]:
    data: dict[str, dict[str, list[str]]] = load_yaml(Path(__file__).with_name("words.yaml")).data
    return data


def words(section: str, key: str) -> list[str]:
    """The entries of a list. Raises KeyError for a list that isn't there."""
    return _all()[section][key]


@cache
def matcher(section: str, key: str) -> re.Pattern[str]:
    """Finds any entry of a list as whole words, the longest first."""
    entries = sorted(words(section, key), key=lambda entry: (-len(entry), entry))
    return re.compile(r"(?<!\w)(?:" + "|".join(entries) + r")(?!\w)", re.IGNORECASE)
