"""Older run files: read as if they were new, and brought up to date when opened for writing (schema version 1 to 2).

    ADDED                      version -> what it added: columns of tables that were there, and whole tables
    shade(connection, version) reading: temporary views that show an old file with the missing columns; writes nothing to it
    migrate(run, version)      writing: the columns and tables themselves, all or nothing

A version only adds, and what it adds has a default, so that old rows mean what they meant and the digest stays.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from simulation.storing.schema import SCHEMA_VERSION, TABLES, create_table

if TYPE_CHECKING:
    from simulation.storing.runfile import RunFile


@dataclass(frozen=True, slots=True)
class Added:
    """What a schema version added. `columns`: table -> {column: (definition, default as SQL)}, in the order of `TABLES`."""

    columns: dict[str, dict[str, tuple[str, str]]] = field(default_factory=dict)
    tables: tuple[str, ...] = ()


ADDED: dict[int, Added] = {
    2: Added(
        columns={
            "residents": {"since": ("INTEGER NOT NULL DEFAULT -1", "-1")},
            "interventions": {
                "author": ("TEXT NOT NULL DEFAULT ''", "''"),
                "due": ("INTEGER", "NULL"),
                "addressed": ("TEXT", "NULL"),
                "tile": ("TEXT", "NULL"),
                "persona": ("TEXT", "NULL"),
            },
            "calls": {
                "sent": ("INTEGER NOT NULL DEFAULT 0", "0"),
                "troubles": ("TEXT NOT NULL DEFAULT '{}'", "'{}'"),
                "cost": ("REAL", "NULL"),
            },
            "interviews": {
                "item": ("TEXT", "NULL"),
                "evidence": ("TEXT", "NULL"),
                "fallback": ("TEXT", "NULL"),
                "follows": ("INTEGER NOT NULL DEFAULT 0", "0"),
            },
        },
        tables=("comings", "exposures", "wording"),
    ),
}


def shade(connection: sqlite3.Connection, version: int) -> None:
    """Puts temporary views over the tables of an old file, so that readers of the present schema find what they ask for."""
    columns: dict[str, dict[str, str]] = {}
    for added in _since(version):
        for table in added.tables:
            if not _has(connection, table):
                connection.execute(f"CREATE TEMP TABLE {table} ({TABLES[table]}) STRICT")
        for table, new in added.columns.items():
            columns.setdefault(table, {}).update({column: default for column, (_, default) in new.items()})
    for table, defaults in columns.items():
        there = _columns(connection, table)
        missing = ", ".join(f"{default} AS {column}" for column, default in defaults.items() if column not in there)
        if there and missing:
            connection.execute(f"CREATE TEMP VIEW {table} AS SELECT {', '.join(there)}, {missing} FROM main.{table}")


def migrate(run: RunFile, version: int) -> None:
    """Brings a file up to the present schema, in one transaction. Raises RunFileError."""
    with run.transaction():
        connection = run.connection
        version = connection.execute("PRAGMA user_version").fetchone()[0]  # another process may just have done it
        for added in _since(version):
            for table in added.tables:
                if not _has(connection, table):
                    connection.execute(create_table(table))
            for table, new in added.columns.items():
                there = _columns(connection, table)
                for column, (definition, _) in new.items():
                    if column not in there:
                        connection.execute(f"ALTER TABLE {table} ADD COLUMN {column} {definition}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def _since(version: int) -> Iterator[Added]:
    return (ADDED[number] for number in sorted(ADDED) if number > version)


def _has(connection: sqlite3.Connection, table: str) -> bool:
    sql = "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' AND name = ?"
    return connection.execute(sql, (table,)).fetchone() is not None


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in connection.execute(f"PRAGMA main.table_info({table})")]
