"""Canonical JSON: one byte form for one value, so that equal runs have equal digests."""

from __future__ import annotations

import hashlib
import json
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


def dumps(value: object) -> str:
    """Canonical JSON text: sorted keys, no spaces, UTF-8 kept, NaN refused. Tuples are written as lists."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def digest(value: object) -> str:
    """SHA-256 (hex) of the canonical JSON of a value."""
    return hashlib.sha256(dumps(value).encode()).hexdigest()
