"""Canonical JSON: one byte form for one value, so that equal runs have equal digests and sizes can be capped.

dumps, digest     the form, and its SHA-256
fill(ranked...)   the first of a ranking that fit into so many records and bytes
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode


def dumps(value: object) -> str:
    """Canonical JSON text: sorted keys, no spaces, UTF-8 kept, NaN refused. Tuples are written as lists."""
    return _encode(value)


def digest(value: object) -> str:
    """SHA-256 (hex) of the canonical JSON of a value."""
    return hashlib.sha256(dumps(value).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Filled:
    """Places in a ranking, and the canonical UTF-8 bytes of the array of the chosen, brackets and commas included.

    `omitted` says of each why: "oversized" (more bytes than were left) or "full" (no record was left).
    """

    chosen: tuple[int, ...]
    omitted: tuple[tuple[int, str], ...]
    bytes: int


def fill(ranked: Sequence[object], *, max_records: int | None = None, max_bytes: int | None = None) -> Filled:
    """The best ranked that fit: in order, skipping whatever is too large for the bytes left. None: no cap."""
    chosen: list[int] = []
    omitted: list[tuple[int, str]] = []
    used = 2
    for place, item in enumerate(ranked):
        if max_records is not None and len(chosen) >= max_records:
            omitted.append((place, "full"))
            continue
        cost = len(dumps(item).encode()) + bool(chosen)
        if max_bytes is not None and used + cost > max_bytes:
            omitted.append((place, "oversized"))
            continue
        chosen.append(place)
        used += cost
    return Filled(tuple(chosen), tuple(omitted), used)
