"""The digest of a run: one SHA-256 over everything that became true, and nothing else (design section 6).

Rows with step < committed of the tables in `schema.DIGESTED`, ordered by (step, resident, table, n, the rest), each as
the canonical JSON list [table, step, resident, n, column ...], joined by commas. JSON cells are hashed as the text they
are. Two runs with equal digests lived the same lives; a run stopped early has the digest of a longer run's prefix.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from simulation.storing.runfile import RunFile
from simulation.storing.schema import DIGESTED

_WINDOW = 2048  # steps sorted at a time: bounds memory, changes no bit

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


def run_digest(run: RunFile, until: int | None = None) -> str:
    """Hex SHA-256 of a run; of its prefix before step `until` when that is given and earlier."""
    limit = run.committed if until is None else min(until, run.committed)
    hasher = hashlib.sha256()
    first = True
    for window in rows_in_order(run, limit):
        if not window:
            continue
        body = _encode(window)[1:-1]
        hasher.update((body if first else "," + body).encode())
        first = False
    return hasher.hexdigest()


def rows_in_order(run: RunFile, limit: int) -> Iterator[list[list[Any]]]:
    """What the digest reads before step `limit`, as lists [table, step, resident, n, column ...], in order, in windows of
    the same steps for every run (some may be empty)."""
    sources = [_Source(run, table, limit) for table in sorted(DIGESTED)]
    for end in range(0, limit + _WINDOW, _WINDOW):
        window = [row for source in sources for row in source.before(end)]
        window.sort(key=_order)
        yield [[row[3], *row[:3], *row[4]] for row in window]


def _order(row: tuple[int, str, int, str, tuple[Any, ...]]) -> tuple[int, str, str, int, str]:
    step, resident, n, table, rest = row
    return step, resident, table, n, str(rest[0])


class _Source:
    """The rows of one table in order of step, handed out window by window."""

    def __init__(self, run: RunFile, table: str, limit: int) -> None:
        self._table = table
        self._rows: Iterator[Any] = run.stream(f"SELECT * FROM ({DIGESTED[table]}) WHERE step < ? ORDER BY step", (limit,))
        self._next: Any = next(self._rows, None)

    def before(self, end: int) -> list[tuple[int, str, int, str, tuple[Any, ...]]]:
        out = []
        row = self._next
        while row is not None and row[0] < end:
            out.append((row[0], row[1], row[2], self._table, row[3:]))
            row = next(self._rows, None)
        self._next = row
        return out
