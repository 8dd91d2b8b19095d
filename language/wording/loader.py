"""Phrase files: YAML in, sentences out. No sentence is built in code.

    Wording(folder)       all *.yaml of a folder, each read once, when first needed
    .phrase(key, **fields)    a shared phrase with its fields filled in
    .variants(key)        its variants, unfilled; a caller picks one by its dice
    .templates(file)      the raw structure of one file, for callers with a format of their own
    fill(text, fields)    fills the fields of one template

A key is dotted ("observation.person"); a file is a tree of mappings whose leaves are a phrase or a list of variants.
Fields are plain names in braces: "{name} is {act}". Files of one folder must not define a key twice.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from kernel import DataFileError, Dice, nearest

_FORMATTER = string.Formatter()


@cache
def fields_of(text: str) -> tuple[str, ...]:
    """Names of the fields of a template, in order of first use. Raises ValueError for anything but "{name}"."""
    names: dict[str, None] = {}
    for _, name, spec, conversion in _FORMATTER.parse(text):
        if name is None:
            continue
        if not name.isidentifier() or spec or conversion:
            raise ValueError(f"'{{{name}}}' is not a plain field name")
        names[name] = None
    return tuple(names)


def fill(text: str, fields: Mapping[str, object]) -> str:
    """Fills the fields of a template. Raises KeyError naming a field that wasn't given."""
    return text.format_map(fields)


class Wording:
    """The phrase files of one folder. `folder` is read lazily, so that importing touches no file."""

    def __init__(self, folder: Traversable) -> None:
        self._folder = folder
        self._phrases: dict[str, tuple[str, ...]] | None = None
        self._homes: dict[str, str] = {}
        self._files: dict[str, Any] = {}

    def templates(self, file: str) -> Any:
        """The structure of `file` ("talk" or "talk.yaml") as YAML gives it, read once; shared, so not to be changed.

        Raises DataFileError when it is missing or isn't YAML.
        """
        name = file if file.endswith(".yaml") else f"{file}.yaml"
        if name not in self._files:
            self._files[name] = _read(self._folder / name, name)
        return self._files[name]

    def variants(self, key: str) -> tuple[str, ...]:
        """All variants of a phrase, fields unfilled. Raises DataFileError for an unknown key, naming the nearest."""
        phrases = self._phrases if self._phrases is not None else self._load()
        found = phrases.get(key)
        if found is None:
            close = nearest(key, phrases)
            raise DataFileError(
                f"there is no phrase '{key}'", file=str(self._folder), hint=f"did you mean '{close}'?" if close else None
            )
        return found

    def phrase(self, key: str, dice: Dice | None = None, /, **fields: object) -> str:
        """A phrase with its fields filled in; of several variants the one that `dice` picks, the first without dice.

        Fields that the phrase doesn't use are ignored (its variants needn't use all). Raises DataFileError for an
        unknown key or a field that isn't given.
        """
        variants = self.variants(key)
        text = variants[0] if dice is None or len(variants) == 1 else dice.choice(variants)
        try:
            return text.format_map(fields)
        except KeyError as missing:
            given = ", ".join(sorted(fields)) or "none"
            raise DataFileError(
                f"the phrase '{key}' needs the field {missing}", file=self._homes[key], hint=f"fields given: {given}"
            ) from None

    def keys(self) -> tuple[str, ...]:
        """All keys, sorted."""
        return tuple(sorted(self._phrases if self._phrases is not None else self._load()))

    def _load(self) -> dict[str, tuple[str, ...]]:
        phrases: dict[str, tuple[str, ...]] = {}
        for name in sorted(entry.name for entry in self._folder.iterdir() if entry.name.endswith(".yaml")):
            for key, variants in _leaves(self.templates(name), "", name):
                if key in phrases:
                    raise DataFileError(f"the phrase '{key}' is in {self._homes[key]} already", file=name)
                phrases[key] = variants
                self._homes[key] = name
        self._phrases = phrases
        return phrases


def _read(path: Traversable, name: str) -> Any:
    import yaml

    try:
        return yaml.load(path.read_text(encoding="utf-8"), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except FileNotFoundError:
        raise DataFileError("there is no such wording file", file=str(path)) from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "not YAML"
        raise DataFileError(str(problem), file=str(path), line=mark.line + 1 if mark else None) from None


def _leaves(node: object, key: str, name: str) -> list[tuple[str, tuple[str, ...]]]:
    if isinstance(node, dict):
        return [leaf for part, below in node.items() for leaf in _leaves(below, f"{key}.{part}" if key else str(part), name)]
    variants = tuple(node) if isinstance(node, list) else (node,)
    if not variants or not all(isinstance(text, str) for text in variants):
        raise DataFileError(f"'{key}' is neither a phrase nor a list of phrases", file=name, hint="quote numbers and yes/no")
    for text in variants:
        try:
            fields_of(text)
        except ValueError as error:
            raise DataFileError(f"in '{key}': {error}", file=name) from None
    return [(key, variants)]


SHARED = Wording(files("language") / "wording")
"""Phrases shared by all models: how percepts, memories, plans and talk are put in words."""

OFFLINE = Wording(files("language") / "offline" / "wording")
"""The offline model's own files."""


def phrase(key: str, dice: Dice | None = None, /, **fields: object) -> str:
    """A shared phrase: `SHARED.phrase`."""
    return SHARED.phrase(key, dice, **fields)


def templates(file: str) -> Any:
    """The raw structure of one of the offline model's wording files: `OFFLINE.templates`."""
    return OFFLINE.templates(file)
