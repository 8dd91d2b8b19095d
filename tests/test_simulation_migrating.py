"""Run files of schema version 1: read as they are, brought up to date for writing, their digest untouched."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from simulation.compose import read_blueprint
from simulation.forking import fork
from simulation.interventions import ask_for, listing, wish_event
from simulation.run import resume, start
from simulation.storing.digest import run_digest
from simulation.storing.migrating import ADDED
from simulation.storing.runfile import RunFile
from simulation.storing.schema import SCHEMA_VERSION, TABLES


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str, str]:
    """A file as version 1 wrote it, with an intervention in it; its digest, and that of the same life an hour later."""
    path = tmp_path_factory.mktemp("old") / "old.town"
    start(read_blueprint("hamlet", until="08:00", mind="clockwork", embedder="hash-64"), path)
    with RunFile.open(path) as run:
        wish = wish_event(run, "a dog barks", "green")
    ask_for(path, wish)
    resume(path, until="08:10")
    later = Path(shutil.copy(path, path.with_name("later.town")))
    future = resume(later, until="09:00").digest
    with RunFile.open(path) as run:
        digest = run_digest(run)
    connection = sqlite3.connect(path)
    for table in ADDED[2].tables:
        connection.execute(f"DROP TABLE {table}")
    for table, columns in ADDED[2].columns.items():
        for column in columns:
            connection.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
    connection.execute("PRAGMA user_version = 1")
    connection.commit()
    connection.close()
    return path, digest, future


@pytest.fixture
def town(old: tuple[Path, str, str], tmp_path: Path) -> Path:
    return Path(shutil.copy(old[0], tmp_path / "town.town"))


def version(path: Path) -> int:
    connection = sqlite3.connect(path)
    try:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])
    finally:
        connection.close()


def test_it_is_read_as_it_is(town: Path, old: tuple[Path, str, str]) -> None:
    before = town.read_bytes()
    with RunFile.open(town) as run:
        assert run_digest(run) == old[1]
        assert run.rows("SELECT DISTINCT since FROM residents") == [(-1,)]
        assert run.rows("SELECT * FROM comings") == []
        assert [(one.kind, one.author, one.due) for one in listing(run)] == [("event", "", None)]
    assert town.read_bytes() == before
    assert version(town) == 1


@pytest.mark.parametrize("guest", [True, False])
def test_it_is_brought_up_to_date_for_writing(town: Path, old: tuple[Path, str, str], guest: bool) -> None:
    RunFile.open(town, readonly=False, guest=guest).close()
    assert version(town) == SCHEMA_VERSION
    with RunFile.open(town) as run:
        assert run_digest(run) == old[1]
        for table in TABLES:
            run.rows(f"SELECT * FROM {table} LIMIT 1")
    assert resume(town, until="09:00").digest == old[2]


def test_a_fork_of_it_is_new(town: Path, old: tuple[Path, str, str], tmp_path: Path) -> None:
    child = tmp_path / "child.town"
    fork(town, None, child)
    assert (version(town), version(child)) == (1, SCHEMA_VERSION)
    assert resume(child, until="09:00").digest == old[2]
