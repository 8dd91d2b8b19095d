"""The words of reports and stories, kept as data so that another language is another file.

say(name, key, **fields)            a template of `NAME.yaml` filled in; keys go down with dots ("odd.second_lunch")
count(name, key, n, **fields)       the form for none, one or many
entries(name, key)                  a list or mapping as it is
listed(names)                       "A, B and C"
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from kernel import load_yaml


@cache
def _file(name: str) -> dict[str, Any]:
    data: dict[str, Any] = load_yaml(Path(__file__).with_name(f"{name}.yaml")).data
    return data


def entries(name: str, key: str) -> Any:
    """What stands under a key. Raises KeyError when nothing does."""
    found: Any = _file(name)
    for part in key.split("."):
        found = found[part]
    return found


def say(name: str, key: str, /, **fields: Any) -> str:
    """A template with its fields filled in."""
    return str(entries(name, key)).format(**fields)


def count(name: str, key: str, n: int, /, **fields: Any) -> str:
    """The form `none` (n = 0, if there is one), `one` or `many` of a template; `n` is a field, too."""
    forms: dict[str, str] = entries(name, key)
    form = forms["none"] if n == 0 and "none" in forms else forms["one"] if n == 1 else forms["many"]
    return form.format(n=n, **fields)


def listed(names: Sequence[str], most: int | None = None) -> str:
    """Names as people list them; of more than `most`, the first and how many others."""
    if most is not None and len(names) > most:
        return say("common", "more", names=", ".join(names[: most - 1]), n=len(names) - most + 1)
    if len(names) < 2:
        return "".join(names)
    return say("common", "last", names=", ".join(names[:-1]), last=names[-1])
