"""Another future: a new run file that holds the past of a run up to a time, and names its parent.

    fork(path, at, out)     -> Fork; in well under a second, since nothing is lived

What a fork holds: every row of the steps before the time, the specifications, hourly checkpoints; of interventions those
that have taken effect. Going on with it lives the steps since the last checkpoint again (at most about a game hour, with the
replies on file; see `restore.catch_up`), so that without a change its future is its parent's. The replies of a real model
to later steps come along: as long as a question is the same, so is the answer; what differs is what the change has caused.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from kernel import RunFileError, UsageError, dumps
from simulation.models import OFFLINE
from simulation.storing.library import run_clock
from simulation.storing.runfile import RunFile
from simulation.storing.schema import STEPPED

WHOLE = ("residents", "places")
_INDEXED = "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL"


@dataclass(frozen=True, slots=True)
class Fork:
    """A fork made. `step` is the first one it hasn't lived."""

    run: str
    parent: str
    step: int
    time: str

    def as_json(self) -> str:
        """{run, parent, step, time}."""
        return dumps({"run": self.run, "parent": self.parent, "step": self.step, "time": self.time})


def fork(path: Path, at: str | int | None, out: Path, *, whole: bool = False) -> Fork:
    """Copies the past before a time (or step; None: all there is). The run may be going on.

    `whole`: what came from outside later, replies and interventions at their steps, comes along, to be lived again.
    Raises UsageError for a time before the start, RunFileError when `out` is taken or `path` can't be read.
    """
    with RunFile.open(path) as parent:
        clock, committed = run_clock(parent), parent.committed
        step = committed if at is None else at if isinstance(at, int) else clock.step_at(clock.parse(at))
        if step < 0:
            raise UsageError(f"'{at}' is before the run's beginning", hint=f"it starts at {clock.start:%Y-%m-%d %H:%M}")
        step = min(step, committed)
        meta = parent.meta()
    new = RunFile.create(out, {})
    try:
        _copy(new, path, step, later_calls=whole or _later_calls(meta), interventions=committed if whole else step)
        new.set_meta(
            meta | {"committed": str(step), "wall_seconds": "[]", "parent": path.name, "parent_step": str(step)},
        )
    except BaseException:
        new.connection.close()
        for file in (out, out.with_name(f"{out.name}-wal"), out.with_name(f"{out.name}-shm")):
            file.unlink(missing_ok=True)
        raise
    new.close()
    return Fork(str(out), str(path), step, f"{clock.at(step):%Y-%m-%d %H:%M}")


def _later_calls(meta: dict[str, str]) -> bool:
    """Whether the replies to later steps are worth keeping: the offline model gives them again for nothing."""
    return bool({meta["model"], *json.loads(meta["models"]).values()} - {OFFLINE})


def _copy(new: RunFile, path: Path, step: int, *, later_calls: bool, interventions: int) -> None:
    """All rows of the past, in one transaction; indices are made afterwards, which is faster."""
    with new.translating():
        new.connection.execute("PRAGMA synchronous = OFF")  # nothing to lose: a half-made fork is thrown away
        new.connection.execute("ATTACH ? AS parent", (_address(path),))
    with new.transaction():
        indices = new.rows(_INDEXED)
        for name, _ in indices:
            new.connection.execute(f"DROP INDEX {name}")
        for table in WHOLE:
            new.connection.execute(f"INSERT INTO {table} SELECT * FROM parent.{table}")
        wanted = {**STEPPED, "interviews": "step - 1"}
        taken = "INSERT INTO interventions SELECT * FROM parent.interventions WHERE step < ?"
        new.connection.execute(taken, (interventions,))
        if later_calls:
            new.connection.execute("INSERT INTO calls SELECT * FROM parent.calls")
        else:
            wanted["calls"] = "step"
        for table, column in wanted.items():
            new.connection.execute(f"INSERT INTO {table} SELECT * FROM parent.{table} WHERE {column} < ?", (step,))
        for _, sql in indices:
            new.connection.execute(sql)
    with new.translating():
        new.connection.execute("DETACH parent")
        new.connection.execute("PRAGMA synchronous = NORMAL")


def _address(path: Path) -> str:
    """The parent, to be read only. Raises RunFileError for a name that can't be written as an address."""
    try:
        return f"file:{quote(str(path.resolve()))}?mode=ro"
    except UnicodeEncodeError:
        raise RunFileError("the file's name can't be read", place=repr(str(path)), hint="rename it") from None
