"""One run, one file: creating, opening and reading a run file (design rule 4).

    RunFile.create(path, meta)        a new, empty file; never overwrites
    RunFile.open(path, readonly=...)  an existing one; says in one sentence why not
    run.meta() / set_meta()           the manifest, key by key
    run.rows(sql, ...)                a query whose damage is reported as a RunFileError
    run.transaction()                 all or nothing

The engine holds the only writing connection in WAL mode, so that windows and the command line read meanwhile.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from kernel import RunFileError
from simulation.storing.migrating import migrate, shade
from simulation.storing.schema import APPLICATION_ID, DDL, SCHEMA_VERSION

GUEST_PATIENCE = 20_000
"""Milliseconds a guest waits for its turn to write."""

_HEADER = b"SQLite format 3\x00"
_ANEW = "delete it, and start again with `town run`"


class RunFile:
    """An open run file. Use `create` or `open`; close it when done (or use it in a `with`)."""

    def __init__(self, path: Path, connection: sqlite3.Connection, *, readonly: bool, guest: bool = False) -> None:
        self.path = path
        self.readonly = readonly
        self.guest = guest
        self.connection = connection

    @classmethod
    def create(cls, path: Path | str, meta: Mapping[str, str]) -> RunFile:
        """A new run file with the given manifest. Raises RunFileError when the path is taken or can't be written."""
        path = Path(path)
        if path.exists():
            raise RunFileError("the file exists already", place=str(path), hint="choose another --out, or `town resume` it")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(f"file:{quote(str(path.resolve()))}", uri=True, isolation_level=None)
        except (OSError, sqlite3.Error) as error:
            raise RunFileError(f"the file can't be made: {error}", place=str(path), hint="choose another --out") from None
        run = cls(path, connection, readonly=False)
        with run.translating():
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            with run.transaction():
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
                for statement in DDL:
                    connection.execute(statement)
                connection.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
        return run

    @classmethod
    def open(cls, path: Path | str, *, readonly: bool = True, guest: bool = False) -> RunFile:
        """An existing run file. Raises RunFileError: missing, empty, not a run file, damaged, or newer.

        An older one is read as it is, and brought up to date when it is opened for writing (see `migrating`).
        A guest adds a row beside the engine that owns the file (and isn't checked for damage, nor folds in the log).
        """
        path = Path(path)
        _check_header(path)
        try:
            connection = _connect(path, readonly)
            application, version = (
                connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")
            )
        except sqlite3.Error as error:
            raise _damaged(path, error) from None
        run = cls(path, connection, readonly=readonly, guest=guest)
        try:
            if application != APPLICATION_ID:
                raise RunFileError(
                    "this SQLite file is not a Townfolk run", place=str(path), hint="run files are made by `town run`"
                )
            if version > SCHEMA_VERSION:
                raise RunFileError(
                    f"this run was written by a newer Townfolk (schema {version}, this one reads {SCHEMA_VERSION})",
                    place=str(path),
                    hint="update Townfolk",
                )
            meta = run.meta()
            if "committed" not in meta:
                raise RunFileError("the run never began: its file holds no town", place=str(path), hint=_ANEW)
            _check_manifest(path, meta)
            if guest:
                connection.execute(f"PRAGMA busy_timeout = {GUEST_PATIENCE}")
            if version < SCHEMA_VERSION:
                with run.translating():
                    shade(connection, version) if readonly else migrate(run, version)
            if not readonly and not guest:
                with run.translating():
                    found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
                    if found != "ok":
                        raise _damaged(path, found)
                    connection.execute("PRAGMA journal_mode = WAL")
                    connection.execute("PRAGMA synchronous = NORMAL")
        except RunFileError:
            connection.close()
            raise
        return run

    def meta(self) -> dict[str, str]:
        """The manifest: every key of the `meta` table."""
        return dict(self.rows("SELECT key, value FROM meta"))

    def get(self, key: str, default: str = "") -> str:
        """One value of the manifest."""
        found = self.rows("SELECT value FROM meta WHERE key = ?", (key,))
        return str(found[0][0]) if found else default

    def set_meta(self, values: Mapping[str, str]) -> None:
        """Writes manifest values (within the surrounding transaction, if there is one)."""
        with self.translating():
            self.connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", values.items())

    @property
    def committed(self) -> int:
        """How many steps are done: rows of steps < committed are in the file, and nothing later counts."""
        return int(self.get("committed", "0"))

    def rows(self, sql: str, parameters: Sequence[object] | Mapping[str, object] = ()) -> list[Any]:
        """All rows of a query as tuples. Raises RunFileError when the file is damaged."""
        with self.translating():
            return self.connection.execute(sql, parameters).fetchall()

    def stream(self, sql: str, parameters: Sequence[object] = ()) -> Iterator[Any]:
        """The rows of a query, one by one, for large tables."""
        with self.translating():
            yield from self.connection.execute(sql, parameters)

    def write(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Inserts or changes many rows at once."""
        with self.translating():
            self.connection.executemany(sql, rows)

    def insert(self, sql: str, row: Sequence[object]) -> int:
        """Inserts one row; its number."""
        with self.translating():
            return int(self.connection.execute(sql, row).lastrowid or 0)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Everything inside becomes visible at once, or not at all."""
        with self.translating():
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self.connection.execute("ROLLBACK")
                raise
            self.connection.execute("COMMIT")

    @contextmanager
    def translating(self) -> Iterator[None]:
        """Turns SQLite's own errors into RunFileError with the file's name."""
        try:
            yield
        except sqlite3.OperationalError as error:
            if any(words in str(error) for words in ("malformed", "no such", "readonly", "decode to UTF-8")):
                raise _damaged(self.path, error) from error
            raise RunFileError(
                f"the file can't be used: {error}", place=str(self.path), hint="is another program writing it?"
            ) from error
        except sqlite3.DatabaseError as error:
            raise _damaged(self.path, error) from error

    def close(self) -> None:
        """Folds the write-ahead log in and closes the file."""
        if not self.readonly and not self.guest:
            with suppress(sqlite3.Error):  # a reader may hold it open: the log stays beside the file, to be folded in later
                self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self.connection.close()

    def __enter__(self) -> RunFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def is_run_file(path: Path) -> bool:
    """Whether a file looks like one of ours (an SQLite file); False when it isn't there."""
    try:
        with path.open("rb") as file:
            return file.read(len(_HEADER)) == _HEADER
    except OSError:
        return False


def _check_header(path: Path) -> None:
    place = str(path)
    if not path.exists():
        raise RunFileError("there is no such run file", place=place, hint="`town run` makes one; they are kept in runs/")
    if path.is_dir():
        raise RunFileError("this is a folder, not a run file", place=place, hint="name a file ending in .town")
    try:
        with path.open("rb") as file:
            head = file.read(len(_HEADER))
    except OSError as error:
        raise RunFileError(f"the file can't be read: {error.strerror}", place=place, hint="check its permissions") from None
    if not head:
        raise RunFileError("the run file is empty", place=place, hint=_ANEW)
    if head != _HEADER:
        raise RunFileError("this is not a run file", place=place, hint="run files are SQLite files made by `town run`")


def _check_manifest(path: Path, meta: Mapping[str, str]) -> None:
    """Refuses a manifest that somebody edited by hand so that it can't be read. Raises RunFileError."""
    for key, least in (("committed", 0), ("planned", 0), ("step_seconds", 1), ("seed", float("-inf"))):
        given = meta.get(key, "1")
        try:
            fine = int(given) >= least
        except ValueError:
            fine = False
        if not fine:
            raise _damaged(path, f"its {key} can't be '{given}'")
    for key in ("minds", "models", "wall_seconds", "spec.scenario", "spec.people", "spec.map"):
        try:
            json.loads(meta.get(key, "{}"))
        except ValueError as error:
            raise _damaged(path, f"its {key} can't be read: {error}") from None


def _connect(path: Path, readonly: bool) -> sqlite3.Connection:
    uri = f"file:{quote(str(path.resolve()))}"
    if not readonly:
        return sqlite3.connect(f"{uri}?mode=rw", uri=True, isolation_level=None)
    connection = sqlite3.connect(f"{uri}?mode=ro", uri=True, isolation_level=None)
    try:
        connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone()
    except sqlite3.OperationalError:  # a folder one may not write to: no room for WAL's side files
        connection.close()
        connection = sqlite3.connect(f"{uri}?mode=ro&immutable=1", uri=True, isolation_level=None)
    return connection


def _damaged(path: Path, error: object) -> RunFileError:
    if "readonly database" in str(error):
        return RunFileError(
            "the run can't be written: the file or its folder is read-only", place=str(path), hint="copy it to a folder of yours"
        )
    return RunFileError(
        f"the run file is damaged: {error}", place=str(path), hint="restore a copy, or start again with `town run`"
    )
