"""Another future: a new run file that holds the past of a run up to a time, and names its parent.

    fork(path, at, out)             -> Fork; in well under a second, since nothing is lived
    fork(path, at, out, seed=5)     the same past, but other dice from there on (see `reseeding`)

What a fork holds: every row of the steps before the time, the specifications, hourly checkpoints; of interventions those
that have taken effect, and those set for a time to come. Going on with it lives the steps since the last checkpoint again
(at most about a game hour, with the replies on file; see `restore.catch_up`), so that without a change its future is its
parent's. The replies of a real model to later steps come along: as long as a question is the same, so is the answer; what
differs is what the change has caused.

A short past is copied row by row; a long one by copying the whole file, page by page, and deleting what came later.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import quote

from kernel import RunFileError, UsageError, dumps
from simulation.models import OFFLINE
from simulation.reseeding import KEY, manifest_of, turned, turns_of
from simulation.storing.library import run_clock
from simulation.storing.migrating import migrate
from simulation.storing.runfile import RunFile
from simulation.storing.schema import SCHEMA_VERSION, STEPPED

WHOLE = ("places",)
_TAKEN = "(step IS NOT NULL AND step < ?) OR (due IS NOT NULL AND due >= ?)"
_TO_COME = "UPDATE interventions SET step = NULL, outcome = NULL WHERE step IS NULL OR step >= ?"
"""Interventions that come along: those of the past, and those set for a time ahead, which are still to come."""
_INDEXED = "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"


@dataclass(frozen=True, slots=True)
class Fork:
    """A fork made. `step` is the first one it hasn't lived; `seed` the one it is going to be lived with."""

    run: str
    parent: str
    step: int
    time: str
    seed: int

    def as_json(self) -> str:
        """{run, parent, step, time, seed}."""
        return dumps(asdict(self))


def fork(path: Path, at: str | int | None, out: Path, *, whole: bool = False, seed: int | None = None) -> Fork:
    """Copies the past before a time (or step; None: all there is). The run may be going on.

    `whole`: what came from outside later, replies and interventions at their steps, comes along, to be lived again.
    `seed`: the dice from there on. Raises UsageError for a time before the start or not lived yet, RunFileError when `out`
    is taken or `path` can't be read.
    """
    with RunFile.open(path) as parent:
        clock, committed = run_clock(parent), parent.committed
        step = committed if at is None else at if isinstance(at, int) else clock.step_at(clock.parse(at))
        if step < 0:
            raise UsageError(f"'{at}' is before the run's beginning", hint=f"it starts at {clock.start:%Y-%m-%d %H:%M}")
        if step > committed and isinstance(at, str):
            raise UsageError(
                f"'{at}' is later than the run has come", hint=f"it has come to {clock.at(committed):%Y-%m-%d %H:%M}"
            )
        step = min(step, committed)
        meta = parent.meta()
        pages = step * 2 > committed or parent.rows("PRAGMA user_version") != [(SCHEMA_VERSION,)]
        pages |= not os.access(path.resolve().parent, os.W_OK)  # where SQLite can't lay its side files, it attaches nothing
    turns = turned(turns_of(meta), step, seed, whole=whole)
    past = _Past(step, committed if whole else step, whole or _later_calls(meta))
    new = RunFile.create(out, {})
    try:
        with _carelessly(new):
            (_copy_pages if pages else _copy_rows)(new, path, past)
            with new.transaction():
                new.connection.execute("DELETE FROM meta")
                own = {"committed": str(step), "wall_seconds": "[]", "parent": path.name, "parent_step": str(step)}
                new.set_meta({key: value for key, value in meta.items() if key != KEY} | own | manifest_of(turns))
    except BaseException:
        new.connection.close()
        for file in (out, out.with_name(f"{out.name}-wal"), out.with_name(f"{out.name}-shm")):
            file.unlink(missing_ok=True)
        raise
    new.close()
    return Fork(str(out), str(path), step, f"{clock.at(step):%Y-%m-%d %H:%M}", turns[-1][1])


@dataclass(frozen=True, slots=True)
class _Past:
    """What is taken: rows of steps < step, interventions that took effect before `asked`, calls of later steps or not."""

    step: int
    asked: int
    later_calls: bool


def _later_calls(meta: dict[str, str]) -> bool:
    """Whether the replies to later steps are worth keeping: the offline model gives them again for nothing."""
    return bool({meta["model"], *json.loads(meta["models"]).values()} - {OFFLINE})


@contextmanager
def _carelessly(new: RunFile) -> Iterator[None]:
    """No journal and no waiting for the disk: nothing is lost, since a half-made fork is thrown away."""
    with new.translating():
        new.connection.execute("PRAGMA journal_mode = OFF")
        new.connection.execute("PRAGMA synchronous = OFF")
    yield
    with new.translating():
        new.connection.execute("PRAGMA synchronous = NORMAL")
        new.connection.execute("PRAGMA journal_mode = WAL")


def _copy_pages(new: RunFile, path: Path, past: _Past) -> None:
    """The whole file, as it is at one moment, then away with what came later."""
    with RunFile.open(path) as parent, new.translating():
        parent.connection.backup(new.connection)
        new.connection.execute("PRAGMA journal_mode = OFF")  # the copy is in the parent's mode
        version = new.connection.execute("PRAGMA user_version").fetchone()[0]
        if version < SCHEMA_VERSION:
            migrate(new, version)
    with new.transaction():
        for table, column in STEPPED.items():
            new.connection.execute(f"DELETE FROM {table} WHERE {column} >= ?", (past.step,))
        if not past.later_calls:
            new.connection.execute("DELETE FROM calls WHERE step >= ?", (past.step,))
        new.connection.execute("DELETE FROM interviews WHERE step > ?", (past.step,))
        new.connection.execute(f"DELETE FROM interventions WHERE NOT ({_TAKEN})", (past.asked, past.step))
        new.connection.execute(_TO_COME, (past.asked,))
        new.connection.execute("DELETE FROM control")


def _copy_rows(new: RunFile, path: Path, past: _Past) -> None:
    """All rows of the past, in one transaction; indices are made afterwards, which is faster."""
    with new.translating():
        new.connection.execute("ATTACH ? AS parent", (_address(path),))
    with new.transaction():
        indices = new.rows(_INDEXED)
        for name, _ in indices:
            new.connection.execute(f"DROP INDEX {name}")
        for table in (table for table in WHOLE if table not in STEPPED):
            new.connection.execute(f"INSERT INTO {table} SELECT * FROM parent.{table}")
        wanted = {**STEPPED, "interviews": "step - 1"}
        taken = f"INSERT INTO interventions SELECT * FROM parent.interventions WHERE {_TAKEN}"
        new.connection.execute(taken, (past.asked, past.step))
        new.connection.execute(_TO_COME, (past.asked,))
        if past.later_calls:
            new.connection.execute("INSERT INTO calls SELECT * FROM parent.calls")
        else:
            wanted["calls"] = "step"
        for table, column in wanted.items():
            new.connection.execute(f"INSERT INTO {table} SELECT * FROM parent.{table} WHERE {column} < ?", (past.step,))
        for _, sql in indices:
            new.connection.execute(sql)
    with new.translating():
        new.connection.execute("DETACH parent")


def _address(path: Path) -> str:
    """The parent, to be read only. Raises RunFileError for a name that can't be written as an address."""
    try:
        return f"file:{quote(str(path.resolve()))}?mode=ro"
    except UnicodeEncodeError:
        raise RunFileError("the file's name can't be read", place=repr(str(path)), hint="rename it") from None
