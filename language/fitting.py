"""Prompts that fit: under a limit of tokens, memories go by rank, and who one is stays.

    fit(operation, complaint, context=4096, thinking=0, count=...) -> Prompt

`context` is what a server reads and writes for one question. A prompt's tokens (with `tokens.MARGIN` and what a chat
template adds), the room its answer needs and `thinking` are never more. What has to go, in this order:

    1  memories, the last of the longest list first: they come best first, so rank decides
    2  further lists: far places, known places, the rest of a plan, older lines of a talk; the newest lines stay
    3  sentences about the person, the last of speech, rhythm and aims first; name, age, work and the first sentences stay
    4  what is binding: the end of the diary, of the present plan, of who listens
    5  long texts other than the persona's are shortened, the longest first

Raises ModelError when even that is too long: such a prompt isn't sent.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any, TypeVar

from kernel import ModelError
from language.operations import Operation
from language.prompting import Prompt, render
from language.tokens import MARGIN, MESSAGE_TOKENS, count_tokens, count_tokens_kept, most_tokens
from language.values import Person, Recollection, Scene

T = TypeVar("T", bound=Operation[Any])

SMALLEST = 1024
"""Tokens below which no context is of use."""
_NEWEST = ("lines", "dialogue")
"""Lists of which the end matters most."""
_BINDING = ("current", "commitments", "listeners", "partners")
"""Lists that are cut last."""
_WHOLE = ("texts", "parts", "questions", *_BINDING)
"""Lists that stay whole otherwise: every item of them is asked about."""
_KEPT = {"lines": 4, "dialogue": 2, "options": 3}
_FEWEST = 1
_IDENTITY = ("about",)
_IDENTITY_KEPT = 3
_LENGTHS = (1200, 600, 300, 160, 80, 40)
"""Characters to which texts are shortened, one after the other."""
ELLIPSIS = "…"


def fit(
    operation: Operation[Any],
    complaint: str = "",
    *,
    context: int | None,
    thinking: int = 0,
    count: Callable[[str], int] | None = None,
) -> Prompt:
    """The prompt of an operation, cut until it fits into `context` tokens (None: no limit). Raises ModelError."""
    prompt = render(operation, complaint)
    if context is None:
        return prompt
    room = context - prompt.reply - thinking
    if count is None and int(most_tokens(prompt.text) * MARGIN) + 2 * MESSAGE_TOKENS <= room:
        return prompt  # a token has a byte at least: counting them takes a hundred times as long
    before = _items(operation)
    shorter = operation
    for stage in (_fewer_memories, _fewer_others, _less_about_oneself, _fewer_binding):
        while (over := size(prompt, count) - room) > 0:
            cut = stage(shorter, over)
            if cut is None:
                break
            shorter = cut
            prompt = render(shorter, complaint)
    for length in _LENGTHS:
        if size(prompt, count) <= room:
            break
        shorter, complaint = _shortened(shorter, length), complaint[:length]
        prompt = render(shorter, complaint)
    if size(prompt, count) > room:
        raise ModelError(f"the question '{operation.name}' doesn't fit into {context} tokens", hint="use a larger --context")
    return dataclasses.replace(prompt, cut=before - _items(shorter)) if shorter is not operation else prompt


def size(prompt: Prompt, count: Callable[[str], int] | None = None) -> int:
    """Tokens a prompt is taken to have: counted, with margin, and what a chat template adds."""
    if count is not None:
        counted = count(prompt.system) + count(prompt.user)
    else:
        counted = count_tokens_kept(prompt.system) + count_tokens(prompt.user)
    return int(counted * MARGIN) + 2 * MESSAGE_TOKENS


def _lists(operation: Operation[Any], memories: bool) -> dict[str, tuple[Any, ...]]:
    found = {}
    for field in dataclasses.fields(operation):
        value = getattr(operation, field.name)
        if not isinstance(value, tuple) or len(value) <= _KEPT.get(field.name, _FEWEST) or field.name in _WHOLE:
            continue
        if isinstance(value[0], Recollection) == memories:
            found[field.name] = value
    return found


def _fewer_memories(operation: T, over: int) -> T | None:
    return _fewer(operation, _lists(operation, memories=True), over)


def _fewer_others(operation: T, over: int) -> T | None:
    return _fewer(operation, _lists(operation, memories=False), over)


def _fewer_binding(operation: T, over: int) -> T | None:
    lists = {name: getattr(operation, name, ()) for name in _BINDING}
    return _fewer(operation, {name: items for name, items in lists.items() if len(items) > _FEWEST}, over)


def _fewer(operation: T, lists: dict[str, tuple[Any, ...]], over: int) -> T | None:
    """Takes the least important items from the longest list: about as many as are too many, never more than half."""
    if not lists:
        return None
    name = max(lists, key=lambda key: (_length(lists[key]), key))
    items = lists[name]
    spare = len(items) - _KEPT.get(name, _FEWEST)
    each = max(1, _length(items) // len(items) // 4)
    drop = max(1, min(spare, over // (2 * each), len(items) // 2))
    kept = items[drop:] if name in _NEWEST else items[: len(items) - drop]
    changed: dict[str, Any] = {name: kept}
    return dataclasses.replace(operation, **changed)


def _less_about_oneself(operation: T, over: int) -> T | None:
    """Fewer sentences about the person, about as many as are too many; the first about who they are stay."""
    person: Person = operation.person
    for identity in (False, True):
        of_kind = [i for i, statement in enumerate(person.statements) if (statement.topic in _IDENTITY) == identity]
        spare = len(of_kind) - (_IDENTITY_KEPT if identity else 0)
        if spare > 0:
            each = max(1, _length(person.statements) // len(person.statements) // 4)
            gone = set(of_kind[-max(1, min(spare, over // (2 * each))) :])
            rest = tuple(s for i, s in enumerate(person.statements) if i not in gone)
            return dataclasses.replace(operation, person=dataclasses.replace(person, statements=rest))
    return None


def _shortened(operation: T, length: int) -> T:
    return _short(operation, length)  # type: ignore[no-any-return]


def _short(value: Any, length: int) -> Any:
    """The value with every text in it at most `length` characters long; ids and addresses go through whole."""
    if isinstance(value, str):
        return value if len(value) <= length else value[: length - 1].rstrip() + ELLIPSIS
    if isinstance(value, tuple):
        return tuple(_short(item, length) for item in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        changed: dict[str, Any] = {}
        for field in dataclasses.fields(value):
            if field.name in ("id", "address", "place", "name", "home", "workplace"):
                continue
            old = getattr(value, field.name)
            if isinstance(old, Person):
                continue
            new = _short(old, length)
            if isinstance(value, Scene) and field.name in ("people", "notable"):
                new = new[: max(4, length // 40)]
            if new is not old and new != old:
                changed[field.name] = new
        return dataclasses.replace(value, **changed) if changed else value
    return value


def _length(items: tuple[Any, ...]) -> int:
    return sum(len(str(item)) for item in items)


def _items(operation: Operation[Any]) -> int:
    """Items in all lists of an operation, and sentences about the person."""
    lists = (getattr(operation, field.name) for field in dataclasses.fields(operation))
    return len(operation.person.statements) + sum(len(value) for value in lists if isinstance(value, tuple))
