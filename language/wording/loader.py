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
from pathlib import Path
from typing import Any

from kernel import DataFileError, Dice, Located, load_yaml, nearest

_FORMATTER = string.Formatter()

Key = str | int


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
    """The phrase files of one folder. Files are read lazily, so that importing touches none."""

    def __init__(self, folder: str | Path) -> None:
        self._folder = Path(folder)
        self._phrases: dict[str, tuple[str, ...]] | None = None
        self._origins: dict[str, tuple[Located, tuple[Key, ...]]] = {}
        self._files: dict[str, Located] = {}

    def templates(self, file: str) -> Any:
        """The structure of `file` ("talk" or "talk.yaml") as YAML gives it, read once; shared, so not to be changed.

        Raises DataFileError when it is missing or isn't YAML.
        """
        return self._located(file).data

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
            located, path = self._origins[key]
            given = ", ".join(sorted(fields)) or "none"
            raise located.problem(f"the phrase '{key}' needs the field {missing}", *path, hint=f"fields given: {given}") from None

    def keys(self) -> tuple[str, ...]:
        """All keys, sorted."""
        return tuple(sorted(self._phrases if self._phrases is not None else self._load()))

    def _located(self, file: str) -> Located:
        name = file if file.endswith(".yaml") else f"{file}.yaml"
        found = self._files.get(name)
        if found is None:
            found = self._files[name] = load_yaml(self._folder / name)
        return found

    def _load(self) -> dict[str, tuple[str, ...]]:
        phrases: dict[str, tuple[str, ...]] = {}
        origins: dict[str, tuple[Located, tuple[Key, ...]]] = {}
        for name in sorted(path.name for path in self._folder.glob("*.yaml")):
            located = self._located(name)
            for path, variants in _leaves(located, located.data, ()):
                key = ".".join(str(part) for part in path)
                if key in phrases:
                    raise located.problem(f"the phrase '{key}' is in {origins[key][0].file} already", *path)
                phrases[key] = variants
                origins[key] = (located, path)
        self._phrases, self._origins = phrases, origins
        return phrases


def _leaves(located: Located, node: object, path: tuple[Key, ...]) -> list[tuple[tuple[Key, ...], tuple[str, ...]]]:
    if isinstance(node, dict):
        return [leaf for part, below in node.items() for leaf in _leaves(located, below, (*path, part))]
    variants = tuple(node) if isinstance(node, list) else (node,)
    if not variants or not all(isinstance(text, str) for text in variants):
        raise located.problem("this is neither a phrase nor a list of phrases", *path, hint="quote numbers, true and false")
    for text in variants:
        try:
            fields_of(text)
        except ValueError as error:
            raise located.problem(f"not a phrase: {error}", *path, hint='fields are names in braces: "{name}"') from None
    return [(path, variants)]


SHARED = Wording(str(files("language") / "wording"))
"""Phrases shared by all models: how percepts, memories, plans and talk are put in words."""

OFFLINE = Wording(str(files("language") / "offline" / "wording"))
"""The offline model's own files."""


def phrase(key: str, dice: Dice | None = None, /, **fields: object) -> str:
    """A shared phrase: `SHARED.phrase`."""
    return SHARED.phrase(key, dice, **fields)


def templates(file: str) -> Any:
    """The raw structure of one of the offline model's wording files: `OFFLINE.templates`."""
    return OFFLINE.templates(file)
