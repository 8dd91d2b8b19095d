"""Interviews kept in the run file: the table `interviews`, no part of the digest; written beside a run that is going on.

    keep(path, interview)      stores one answer; its number
    Keeper(path)               the same for many: each is on file before the next is asked
    last_batch(run, model)     the moment of the last question of a bank
    kept(run, model)           what was asked already: (resident, step, hidden kinds, question, item) -> `Row`

A row is written whole or not at all, so that whatever kills an interviewer loses at most the answer under way.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from kernel import dumps
from memory import Condition
from simulation.storing.runfile import RunFile

if TYPE_CHECKING:
    from simulation.interviewed import Interview

Key = tuple[str, int, tuple[str, ...], str, str]
"""(resident, step, hidden kinds, question as asked, item of the question bank or "")."""


@dataclass(frozen=True, slots=True)
class Row:
    """A kept answer. `rests_on` are ids as written; `fallback` the reason, or None."""

    id: int
    answer: str
    knows: bool
    rests_on: tuple[str, ...]
    fallback: str | None


def hidden(condition: Condition) -> list[str]:
    """The kinds a condition hides, as the run file keeps them."""
    return str(condition).split(",") if condition.hide else []


def keep(path: Path, interview: Interview) -> int:
    """Stores an interview in its run file; its number. Raises RunFileError when the file can't be written."""
    with Keeper(path) as keeper:
        return keeper.keep(interview)


class Keeper:
    """An open hand on a run file's interviews, a guest beside the engine that may own it. Use it in a `with`.

    Raises RunFileError when the file can't be written.
    """

    def __init__(self, path: Path) -> None:
        self._run = RunFile.open(path, readonly=False, guest=True)
        with self._run.translating():  # safe from a kill; only a power cut could take the last answers
            self._run.connection.execute("PRAGMA synchronous = NORMAL")
        self._columns = _columns(self._run)

    def keep(self, interview: Interview, item: str | None = None) -> int:
        """Stores one answer to an item of the question bank (or to a question of one's own); its number.

        A file written before there were such columns keeps what it has room for.
        """
        told: Mapping[str, object] = {
            "resident": interview.resident,
            "step": interview.step,
            "without": dumps(hidden(interview.without)),
            "question": interview.question,
            "answer": interview.answer,
            "knows": int(interview.knows),
            "rests_on": dumps([str(record.id) for record in interview.records]),
            "model": interview.model,
            "asked": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "item": item,
            "evidence": interview.evidence,
            "fallback": interview.fallback,
            "follows": interview.follows,
        }
        there = {column: value for column, value in told.items() if column in self._columns}
        marks = ", ".join("?" * len(there))
        return self._run.insert(f"INSERT INTO interviews ({', '.join(there)}) VALUES ({marks})", tuple(there.values()))

    def __enter__(self) -> Keeper:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._run.close()


def kept(run: RunFile, model: str) -> dict[Key, Row]:
    """All answers of one model that begin a dialogue, by what was asked; of several to the same, the latest."""
    there = _columns(run)
    item, fallback, follows = (name if name in there else "NULL" for name in ("item", "fallback", "follows"))
    rows = run.rows(
        f"SELECT resident, step, without, question, COALESCE({item}, ''), id, answer, knows, rests_on, {fallback} FROM interviews"
        f" WHERE model = ? AND COALESCE({follows}, 0) = 0 ORDER BY id",
        (model,),
    )
    return {
        (row[0], row[1], tuple(json.loads(row[2])), row[3], row[4]): Row(
            row[5], row[6], bool(row[7]), tuple(json.loads(row[8])), row[9]
        )
        for row in rows
    }


def last_batch(run: RunFile, model: str) -> int | None:
    """The step as of which a question of a bank was asked last; None: none was."""
    if "item" not in _columns(run):
        rows = run.rows("SELECT step FROM interviews WHERE model = ? ORDER BY id DESC LIMIT 1", (model,))
    else:
        sql = "SELECT step FROM interviews WHERE model = ? AND item IS NOT NULL ORDER BY id DESC LIMIT 1"
        rows = run.rows(sql, (model,))
    return int(rows[0][0]) if rows else None


def _columns(run: RunFile) -> set[str]:
    return {row[1] for row in run.rows("PRAGMA table_info(interviews)")}
