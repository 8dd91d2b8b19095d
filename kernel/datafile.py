"""Data files: YAML read with the line of every key and value, validated into pydantic models.

    Located        what a file says, and where it says it
    load_yaml      file -> Located                                  (raises the first problem)
    read_model     file -> (model, Located)                         (raises the first problem)
    check_model    file -> (model or None, Located or None, all problems)

Every problem is a `DataFileError` with file, line and a hint. Scalars follow YAML 1.2's core rules, so that what
people write in such files means what it looks like: `off`, `yes`, `7:30` and `2023-02-14` are text; only `true` and
`false` are booleans.
"""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from kernel.errors import DataFileError, nearest

M = TypeVar("M", bound=BaseModel)
Key = str | int

MOST = 1_000_000
"""Values that a file may hold; more come only of anchors that repeat anchors."""


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """SafeLoader with the core resolvers of YAML 1.2 only."""

    yaml_implicit_resolvers: typing.ClassVar[dict[str, list[tuple[str, re.Pattern[str]]]]] = {}


for _tag, _pattern, _first in (
    ("bool", r"true|false", "tf"),
    ("int", r"[-+]?[0-9]+", "-+0123456789"),
    ("float", r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?", "-+.0123456789"),
    ("null", r"~|null|", ["~", "n", ""]),
    ("merge", r"<<", "<"),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(rf"^(?:{_pattern})$"), list(_first))


@dataclass(frozen=True)
class Located:
    """What a data file says (`data`: plain dicts, lists and scalars), and the 1-based lines where it says it."""

    file: str
    data: Any
    lines: Mapping[tuple[str, ...], int] = field(repr=False)
    texts: Mapping[tuple[str, ...], int] = field(repr=False)

    def line_of(self, *path: Key) -> int | None:
        """Line of the key (or list item) at `path`; of the nearest enclosing one if it isn't there; None if none is."""
        words = _words(path)
        for end in range(len(words), -1, -1):
            if words[:end] in self.lines:
                return self.lines[words[:end]]
        return None

    def text_line(self, *path: Key, row: int = 0) -> int | None:
        """Line on which line `row` (from 0) of a text value begins: of a block (`|`) the line in the file."""
        first = self.texts.get(_words(path))
        return first + row if first is not None else self.line_of(*path)

    def problem(self, what: str, *path: Key, hint: str | None = None, row: int | None = None) -> DataFileError:
        """A `DataFileError` about the thing at `path` (line `row` of it, if it is a block of text)."""
        line = self.line_of(*path) if row is None else self.text_line(*path, row=row)
        return DataFileError(what, file=self.file, line=line, hint=hint)


def _words(path: tuple[Key, ...]) -> tuple[str, ...]:
    """A path as it is kept: the key 1 and the key "1" are one place, whatever a model makes of it."""
    return tuple(str(key) for key in path)


def load_yaml(path: str | Path) -> Located:
    """Read a YAML file. Raises DataFileError: missing file, not UTF-8, bad syntax, a key given twice."""
    file = str(path)
    try:
        text = Path(path).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise DataFileError("there is no such file", file=file) from None
    except (OSError, UnicodeDecodeError) as error:
        raise DataFileError(f"the file can't be read: {error}", file=file, hint="it must be text in UTF-8") from None
    loader = _Loader(text)
    lines: dict[tuple[str, ...], int] = {}
    texts: dict[tuple[str, ...], int] = {}
    try:
        node = loader.get_single_node()
        if node is not None:
            _count(node, file, {}, set())
        data = None if node is None else _build(loader, node, (), file, lines, texts)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = " ".join(str(part) for part in (error.context, error.problem) if part)
        line = min(mark.line + 1, len(text.splitlines())) if mark else None
        raise DataFileError(f"not valid YAML: {what}", file=file, line=line, hint="check indentation and quotes") from None
    except yaml.YAMLError as error:
        raise DataFileError(f"not valid YAML: {error}".splitlines()[0], file=file) from None
    finally:
        loader.dispose()
    return Located(file, data, lines, texts)


def _count(node: yaml.Node, file: str, counted: dict[int, int], above: set[int]) -> int:
    """How many values a node holds, repeated ones each time. Raises DataFileError: too many, or a part of itself."""
    if id(node) in above:
        raise DataFileError("a part of the file holds itself", file=file, line=node.start_mark.line + 1, hint="remove the alias")
    if id(node) in counted or isinstance(node, yaml.ScalarNode):
        return counted.get(id(node), 1)
    above.add(id(node))
    pairs = isinstance(node, yaml.MappingNode)
    children = [child for pair in node.value for child in pair] if pairs else node.value
    total = 1 + sum(_count(child, file, counted, above) for child in children)
    above.discard(id(node))
    if total > MOST:
        line = node.start_mark.line + 1
        raise DataFileError(f"the file holds more than {MOST:,} values", file=file, line=line, hint="repeat fewer anchors")
    counted[id(node)] = total
    return total


def _key(loader: Any, node: yaml.Node, file: str) -> Hashable:
    """The value of a key. Raises DataFileError when it is a list or a mapping."""
    if not isinstance(node, yaml.ScalarNode):
        raise DataFileError(
            "a list or a mapping can't be a key", file=file, line=node.start_mark.line + 1, hint="check the colons"
        )
    key: Hashable = loader.construct_object(node, deep=True)
    return key


def _build(
    loader: Any,
    node: yaml.Node,
    path: tuple[str, ...],
    file: str,
    lines: dict[tuple[str, ...], int],
    texts: dict[tuple[str, ...], int],
) -> Any:
    """The value of a node; notes the lines of everything in it."""
    lines.setdefault(path, node.start_mark.line + 1)
    if isinstance(node, yaml.MappingNode):
        seen: dict[Hashable, int] = {}
        for key_node, _ in node.value:
            if key_node.tag.endswith(":merge"):
                continue
            key = _key(loader, key_node, file)
            line = key_node.start_mark.line + 1
            if key in seen:
                raise DataFileError(f"the key '{key}' is given twice", file=file, line=line, hint=f"first on line {seen[key]}")
            seen[key] = line
        loader.flatten_mapping(node)
        out: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            key = _key(loader, key_node, file)
            lines[(*path, str(key))] = key_node.start_mark.line + 1
            out[key] = _build(loader, value_node, (*path, str(key)), file, lines, texts)
        return out
    if isinstance(node, yaml.SequenceNode):
        return [_build(loader, child, (*path, str(i)), file, lines, texts) for i, child in enumerate(node.value)]
    block = isinstance(node, yaml.ScalarNode) and node.style in ("|", ">")
    texts[path] = node.start_mark.line + (2 if block else 1)
    try:
        return loader.construct_object(node, deep=True)
    except ValueError as error:
        raise DataFileError(str(error), file=file, line=node.start_mark.line + 1) from None


def read_model(path: str | Path, model: type[M]) -> tuple[M, Located]:
    """Read a YAML file into a model. Raises DataFileError, the first problem in the file's order."""
    value, located, problems = check_model(path, model)
    if problems:
        raise problems[0]
    assert value is not None
    assert located is not None
    return value, located


def check_model(path: str | Path, model: type[M]) -> tuple[M | None, Located | None, list[DataFileError]]:
    """Read a YAML file into a model, collecting all problems in the file's order instead of raising."""
    try:
        located = load_yaml(path)
    except DataFileError as error:
        return None, None, [error]
    try:
        return model.model_validate(located.data), located, []
    except ValidationError as error:
        found = [_explain(located, model, detail) for detail in error.errors()]
        return None, located, sorted(found, key=lambda problem: problem.line or 0)


def _explain(located: Located, model: type[BaseModel], detail: Mapping[str, Any]) -> DataFileError:
    """One of pydantic's errors as ours."""
    path = tuple(_real_path(located.data, detail["loc"]))
    kind = detail["type"]
    where = ".".join(str(key) for key in path)
    if kind == "missing":
        parent = ".".join(str(key) for key in path[:-1])
        if isinstance(path[-1], int):
            return located.problem(f"{parent}: item {path[-1] + 1} is missing", *path)
        what = f"{parent}: '{path[-1]}' is missing" if parent else f"'{path[-1]}' is missing"
        return located.problem(what, *path, hint=f"add '{path[-1]}: ...'")
    if kind == "extra_forbidden":
        known = sorted(_fields_at(model, path[:-1]))
        close = nearest(str(path[-1]), known)
        hint = f"did you mean '{close}'?" if close else f"known here: {', '.join(known)}" if known else None
        return located.problem(f"unknown key '{where}'", *path, hint=hint)
    message = str(detail["msg"]).removeprefix("Value error, ").removeprefix("Input ").replace("valid tuple", "list, as in [a, b]")
    given = detail.get("input")
    shown = f", not {given!r}" if kind != "value_error" and isinstance(given, str | int | float | bool | None) else ""
    return located.problem(f"{where or 'the file'}: {message}{shown}", *path)


def _real_path(data: Any, loc: tuple[Key, ...]) -> Iterator[Key]:
    """A pydantic location without the labels it adds for union members and keys: only what is in the file, plus a
    missing last part."""
    for i, key in enumerate(loc):
        if isinstance(data, dict):
            here = {str(name): value for name, value in data.items()}
            if str(key) in here:
                data = here[str(key)]
            elif i < len(loc) - 1 or key == "[key]":
                continue
        elif isinstance(data, list) and isinstance(key, int) and key <= len(data):
            data = data[key] if key < len(data) else None
        else:
            continue
        yield key


def _fields_at(annotation: Any, path: tuple[Key, ...]) -> set[str]:
    """Keys that a model knows at a path (over all members of a union)."""
    found: set[str] = set()
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        fields = {info.alias or name: info.annotation for name, info in annotation.model_fields.items()}
        if not path:
            return set(fields)
        return _fields_at(fields.get(str(path[0])), path[1:])
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, types.UnionType):
        for arg in args:
            found |= _fields_at(arg, path)
    elif origin is typing.Annotated:
        found = _fields_at(args[0], path)
    elif origin in (dict, Mapping) and path:
        found = _fields_at(args[1], path[1:])
    elif origin in (tuple, list) and path:
        index = path[0] if isinstance(path[0], int) and len(args) > path[0] and Ellipsis not in args else 0
        found = _fields_at(args[index], path[1:])
    return found
