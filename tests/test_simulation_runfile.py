"""The run file: its tables are documented, and everything wrong with a file is said in one sentence."""

from __future__ import annotations

import os
import re
import sqlite3
from contextlib import suppress
from pathlib import Path

import pytest

from kernel import RunFileError
from simulation.forking import fork
from simulation.storing.runfile import RunFile
from simulation.storing.schema import DIGESTED, SCHEMA_VERSION, STEPPED, TABLES

DOC = Path(__file__).parents[1] / "docs" / "run-file.md"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    run = RunFile.create(tmp_path / "a.town", {"committed": "0", "seed": "7"})
    run.close()
    return tmp_path / "a.town"


def documented() -> dict[str, list[str]]:
    tables: dict[str, list[str]] = {}
    for section in DOC.read_text(encoding="utf-8").split("\n### ")[1:]:
        name, _, body = section.partition("\n")
        body = body.split("\n## ")[0]
        tables[name.strip()] = re.findall(r"^\| ([a-z_]+) \|", body, flags=re.M)[1:]
    return tables


def test_every_column_is_documented_in_order(path: Path) -> None:
    run = RunFile.open(path)
    tables = [row[0] for row in run.rows("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    actual = {table: [row[1] for row in run.rows(f"PRAGMA table_info({table})")] for table in tables}
    run.close()
    assert documented() == actual
    assert list(actual) == list(TABLES)


def test_stepped_and_digested_tables_exist(path: Path) -> None:
    run = RunFile.open(path)
    for table, column in STEPPED.items():
        run.rows(f"SELECT * FROM {table} WHERE {column} >= 0")
    for query in DIGESTED.values():
        assert run.connection.execute(f"SELECT * FROM ({query})").description[0][0].lower() == "step"
    run.close()


def test_manifest_is_kept(path: Path) -> None:
    with RunFile.open(path) as run:
        assert run.meta() == {"committed": "0", "seed": "7"}
        assert (run.committed, run.get("seed"), run.get("nothing", "x")) == (0, "7", "x")


def test_one_file_is_left_when_closed(path: Path) -> None:
    assert [p.name for p in path.parent.iterdir()] == ["a.town"]


def test_never_overwrites(path: Path) -> None:
    with pytest.raises(RunFileError, match="exists already"):
        RunFile.create(path, {})


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "the run file is empty"),
        (b"hello, this is text", "not a run file"),
        (b"SQLite format 3\x00" + b"\x01" * 300, "damaged"),
    ],
)
def test_odd_files_are_refused(tmp_path: Path, content: bytes, sentence: str) -> None:
    file = tmp_path / "odd.town"
    file.write_bytes(content)
    with pytest.raises(RunFileError, match=sentence) as caught:
        RunFile.open(file)
    assert str(file) in str(caught.value)
    assert caught.value.exit_code == 2


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(RunFileError, match="no such run file"):
        RunFile.open(tmp_path / "none.town")
    with pytest.raises(RunFileError, match="a folder"):
        RunFile.open(tmp_path)


def test_other_sqlite_files_are_refused(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "b.db")
    connection.execute("CREATE TABLE t (x)")
    connection.close()
    with pytest.raises(RunFileError, match="not a Townfolk run"):
        RunFile.open(tmp_path / "b.db")


def test_newer_version_is_refused(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    connection.close()
    with pytest.raises(RunFileError, match="newer Townfolk"):
        RunFile.open(path)


def test_a_file_without_a_town_is_refused(tmp_path: Path) -> None:
    RunFile.create(tmp_path / "c.town", {}).close()
    with pytest.raises(RunFileError, match="never began"):
        RunFile.open(tmp_path / "c.town")


@pytest.mark.parametrize(
    ("key", "value"),
    [("committed", "abc"), ("committed", "-5"), ("planned", ""), ("step_seconds", "0"), ("seed", "x"), ("spec.map", "{"),
     ("wall_seconds", "oops")],
)  # fmt: skip
def test_a_manifest_edited_by_hand_is_reported_as_damaged(path: Path, key: str, value: str) -> None:
    with RunFile.open(path, readonly=False) as run:
        run.set_meta({key: value})
    for readonly in (True, False):
        with pytest.raises(RunFileError, match=f"is damaged: its {re.escape(key)} can't be"):
            RunFile.open(path, readonly=readonly)


def test_truncated_file_is_reported_as_damaged(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(RunFileError, match="damaged"):
        RunFile.open(path, readonly=False)


def test_readonly_cannot_write(path: Path) -> None:
    with RunFile.open(path) as run, pytest.raises(RunFileError, match=r"read-only \(copy it to a folder of yours\)"):
        run.set_meta({"seed": "8"})


def test_a_folder_one_may_not_write_to_is_said(path: Path) -> None:
    with RunFile.open(path, readonly=False) as run:
        run.set_meta({"start": "2023-06-02 00:00:00", "step_seconds": "10", "model": "offline", "models": "{}"})
    path.chmod(0o444)
    path.parent.chmod(0o555)
    try:
        if os.access(path.parent, os.W_OK):
            pytest.skip("a superuser may write everywhere")
        fork(path, 0, path.parent.parent / "copied.town")
        for guest in (True, False):
            with pytest.raises(RunFileError, match="read-only"), RunFile.open(path, readonly=False, guest=guest) as run:
                run.set_meta({"seed": "8"})
    finally:
        path.parent.chmod(0o755)


def test_a_failed_transaction_leaves_nothing(path: Path) -> None:
    with RunFile.open(path, readonly=False) as run:
        with suppress(ZeroDivisionError), run.transaction():
            run.set_meta({"seed": "9"})
            raise ZeroDivisionError
        assert run.get("seed") == "7"
