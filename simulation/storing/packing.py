"""One file to send: folds a run's write-ahead log in, drops what only a running engine needs, and compacts the file.

pack(path)    -> Packed, with the sizes before and after; the digest stays what it is
"""

from __future__ import annotations

import sqlite3
from dataclasses import asdict, dataclass
from pathlib import Path

from kernel import RunFileError, dumps
from simulation.storing.runfile import RunFile


@dataclass(frozen=True, slots=True)
class Packed:
    """A packed file; sizes in bytes, those before with its log."""

    run: str
    before: int
    after: int

    def as_json(self) -> str:
        """{run, before, after}."""
        return dumps(asdict(self))


def pack(path: Path) -> Packed:
    """Packs a run that nobody has open. Raises RunFileError when somebody has, or the file can't be written."""
    log = path.with_name(f"{path.name}-wal")
    run = RunFile.open(path, readonly=False)
    before = path.stat().st_size + (log.stat().st_size if log.exists() else 0)
    try:
        with run.translating():
            run.connection.execute("PRAGMA busy_timeout = 200")
            if not _alone(run):
                raise RunFileError("somebody has the run open", place=str(path), hint="pack it when it is closed everywhere")
            with run.transaction():
                run.connection.execute("DELETE FROM control")
            run.connection.execute("VACUUM")
    finally:
        run.connection.close()
    return Packed(str(path), before, path.stat().st_size)


def _alone(run: RunFile) -> bool:
    """Leaves WAL mode, which only the one who has the file alone can do."""
    try:
        run.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return bool(run.connection.execute("PRAGMA journal_mode = DELETE").fetchone()[0] == "delete")
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            return False
        raise
