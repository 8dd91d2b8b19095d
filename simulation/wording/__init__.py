"""The sentences with which a run is read out, kept as data so that another language is another file.

phrase(section, key, **fields)   a template of `reading.yaml`, filled in
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from kernel import load_yaml


@cache
def _wording() -> dict[str, dict[str, str]]:
    data: dict[str, dict[str, str]] = load_yaml(Path(__file__).with_name("reading.yaml")).data
    return data


def phrase(section: str, key: str, /, **fields: Any) -> str:
    """The template `section.key` with its fields filled in. Raises KeyError for a template that isn't there."""
    return _wording()[section][key].format(**fields)


def has_phrase(section: str, key: str) -> bool:
    """Whether there is such a template."""
    return key in _wording()[section]
