"""The words in the window, kept as data so that another language is another file.

say(section, key, **fields)    a template of `window.yaml`, filled in
entries(section)               a section as it is
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from kernel import load_yaml


@cache
def _wording() -> dict[str, dict[str, Any]]:
    data: dict[str, dict[str, Any]] = load_yaml(Path(__file__).with_name("window.yaml")).data
    return data


def say(section: str, key: str, /, **fields: Any) -> str:
    """The template `section.key` with its fields filled in. Raises KeyError for a template that isn't there."""
    return str(_wording()[section][key]).format(**fields)


def entries(section: str) -> dict[str, Any]:
    """All of a section, in the order of the file."""
    return _wording()[section]
