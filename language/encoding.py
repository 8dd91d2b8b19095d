"""An operation as text: the canonical JSON of its fields, and the hash that names its content.

    request_text(operation)            what was asked, as the run file keeps it; the person is named, not spelled out
    request_hash(operation, text)      blake2b of that text and of the whole persona: an edited persona asks anew

The hash doesn't depend on the provider, so that a recording made with one model can stand in for another. Fields that
have their default value are left out. This is a hot path: `dataclasses.asdict` would take 20 times as long.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from datetime import date
from hashlib import blake2b
from operator import attrgetter
from typing import Any

from language.operations import Operation
from language.values import Person

_Encoder = Callable[[Any], object]

_ENCODERS: dict[type, _Encoder] = {Person: attrgetter("name")}
_PERSONS: dict[int, tuple[Person, bytes]] = {}


def request_text(operation: Operation[Any]) -> str:
    """Canonical JSON of the operation: `operation` (its name), `person` (the name), and its fields, in a fixed order."""
    return _JSON.encode(operation)


def request_hash(operation: Operation[Any], text: str | None = None) -> str:
    """32 hex digits. `text` is `request_text(operation)` where the caller has it already."""
    if text is None:
        text = request_text(operation)
    return blake2b(text.encode(), digest_size=16, key=_person_digest(operation.person)).hexdigest()


def _person_digest(person: Person) -> bytes:
    known = _PERSONS.get(id(person))
    if known is None or known[0] is not person:
        text = _JSON.encode(_encoder_of(Person, whole=True)(person))
        known = (person, blake2b(text.encode(), digest_size=16).digest())
        if len(_PERSONS) > 4096:
            _PERSONS.clear()  # a cache of what can be computed again; the persons in use return to it
        _PERSONS[id(person)] = known
    return known[1]


def _default(value: object) -> object:
    kind = type(value)
    encode = _ENCODERS.get(kind)
    if encode is None:
        encode = _ENCODERS[kind] = _encoder_of(kind)
    return encode(value)


def _encoder_of(kind: type, *, whole: bool = False) -> _Encoder:
    """`whole` writes every field, else those that differ from their default."""
    if issubclass(kind, date):  # datetime is one
        return lambda value: value.isoformat()
    if not is_dataclass(kind):
        raise TypeError(f"an operation's fields can't hold a {kind.__name__}")
    declared = sorted(fields(kind), key=attrgetter("name"))
    always = [f.name for f in declared if whole or f.default is MISSING]
    seldom = [(f.name, f.default) for f in declared if f.name not in always]
    if len(always) < 2:  # attrgetter gives a bare value for one name
        always, seldom = [f.name for f in declared], []
    values = attrgetter(*always)
    title = {"operation": kind.name} if issubclass(kind, Operation) else {}

    def encode(value: object) -> object:
        out: dict[str, object] = dict(zip(always, values(value), strict=True)) | title
        for name, default in seldom:
            item = getattr(value, name)
            if item is not default and item != default:
                out[name] = item
        return out

    return encode


_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=_default)
