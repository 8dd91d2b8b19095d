"""Packing and exporting: one file, the same life; every committed row and every utterance once."""

from __future__ import annotations

import csv
import json
import re
import shutil
import sys
from pathlib import Path

import networkx
import pytest

from cli.main import run as command
from kernel import RunFileError
from simulation.compose import read_blueprint
from simulation.interventions import ask_for, wish_event
from simulation.reading.exporting import TABLES, export
from simulation.run import resume, start
from simulation.storing.digest import run_digest
from simulation.storing.packing import pack
from simulation.storing.runfile import RunFile


@pytest.fixture(scope="module")
def morning(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("morning") / "morning.town"
    start(read_blueprint("hamlet", until="08:00", embedder="hash-64"), path)
    with RunFile.open(path) as run:
        wish = wish_event(run, "=1+1 *bold* <b> | \N{CROSS MARK}", "green")
    ask_for(path, wish)
    resume(path, until="10:00")
    return path


@pytest.fixture
def town(morning: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(morning, tmp_path / "town.town"))


def test_a_packed_run_is_one_file_that_lives_on(town: Path) -> None:
    with RunFile.open(town) as run:
        digest = run_digest(run)
    packed = pack(town)
    assert list(town.parent.iterdir()) == [town]
    assert packed.after == town.stat().st_size <= packed.before
    with RunFile.open(town) as run:
        assert run_digest(run) == digest
        assert run.rows("SELECT COUNT(*) FROM control") == [(0,)]
    assert list(town.parent.iterdir()) == [town], "reading it leaves nothing beside it"
    further = resume(town, until="10:30")
    assert further.steps == 3780
    with RunFile.open(town) as run:
        assert run_digest(run, 3600) == digest


def test_a_run_that_somebody_has_open_isnt_packed(town: Path) -> None:
    with RunFile.open(town, readonly=False) as engine, engine.transaction():
        engine.set_meta({"planned": "3600"})
        with pytest.raises(RunFileError, match="somebody has the run open"):
            pack(town)
    pack(town)


def test_every_committed_row_is_exported_with_its_time_and_worth(town: Path, tmp_path: Path) -> None:
    with RunFile.open(town, readonly=False) as run:
        run.write("INSERT INTO act_ends VALUES ('Ada Brook', ?, 0, 'x', 'never')", [(run.committed,)])
        counts = {
            table: run.rows(f"SELECT COUNT(*) FROM {table}" + (" WHERE step < 3600" if table == "act_ends" else ""))[0][0]
            for table in TABLES
        }
    files = export(town, tmp_path / "out")
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == sorted(file.name for file in files)
    for table in TABLES:
        with (tmp_path / "out" / f"{table}.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        assert len(rows) == counts[table], table
        assert all(row["evidence"] == "offline" for row in rows)
        assert "embedding" not in (rows[0] if rows else {})
    with (tmp_path / "out" / "interventions.csv").open(encoding="utf-8", newline="") as file:
        (row,) = csv.DictReader(file)
    assert (row["step"], row["time"], row["text"]) == ("2880", "2023-06-02 08:00:00", "=1+1 *bold* <b> | \N{CROSS MARK}")


def test_parquet_holds_the_same_with_types(town: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    export(town, tmp_path / "out", ("csv", "parquet"))
    for table in TABLES:
        with (tmp_path / "out" / f"{table}.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
        found = parquet.read_table(tmp_path / "out" / f"{table}.parquet")
        assert found.column_names == rows[0]
        assert len(set(rows[0])) == len(rows[0]), "no name twice"
        columns = found.to_pydict()
        there = [["" if cell is None else str(cell) for cell in row] for row in zip(*columns.values(), strict=True)]
        assert there == rows[1:], table
    acts = parquet.read_table(tmp_path / "out" / "acts.parquet").schema
    assert [str(acts.field(name).type) for name in ("step", "text", "time")] == ["int64", "string", "timestamp[ms]"]
    memories = parquet.read_table(tmp_path / "out" / "memories.parquet").schema
    assert str(memories.field("tone").type) == "double"
    assert "evidence_records" in memories.names


def test_without_pyarrow_a_sentence_says_how_to_get_it(
    town: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "simulation.reading.parquet", raising=False)
    assert command(["export", str(town), "--out", str(tmp_path / "out"), "--format", "parquet"]) == 2
    assert "pip install 'townfolk[studies]'" in capsys.readouterr().err
    assert command(["export", str(town), "--out", str(tmp_path / "out"), "--format", "parket"]) == 2
    assert "did you mean parquet?" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_the_transcript_has_every_utterance_once(town: Path, tmp_path: Path) -> None:
    export(town, tmp_path / "out")
    lines = (tmp_path / "out" / "transcript.md").read_text(encoding="utf-8").splitlines()
    assert lines[2].startswith("Evidence: offline. Template speech over real memories;")
    assert [line for line in lines if line.startswith("## ")] == ["## Day 1, Friday 2023-06-02"]
    said = sorted(re.fullmatch(r"- [\d:]+ \*\*(.+?):\*\* (.+)", line).groups() for line in lines if line.startswith("- "))  # type: ignore[union-attr]
    with RunFile.open(town) as run:
        spoken = sorted(tuple(row) for row in run.rows("SELECT resident, text FROM utterances"))
    assert len(spoken) > 5
    assert [(who, re.sub(r"\\(.)", r"\1", text)) for who, text in said] == spoken


def test_the_network_can_be_read_back(town: Path, tmp_path: Path) -> None:
    export(town, tmp_path / "out")
    graph = networkx.read_graphml(tmp_path / "out" / "network.graphml")
    assert graph.graph["evidence"] == "offline"
    assert graph.nodes["Ada Brook"]["occupation"] == "baker"
    assert graph.number_of_nodes() == 5
    assert all(-1 <= data["closeness"] <= 1 and data["how"] for _, _, data in graph.edges(data=True))


def test_the_commands(town: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "out")
    assert command(["export", str(town), "--out", out, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["run"], len(found["files"])) == (str(town), len(TABLES) + 2)
    assert command(["export", str(town), "--out", out]) == 2
    assert "exists already" in capsys.readouterr().err
    assert command(["pack", str(town), "--json"]) == 0
    assert sorted(json.loads(capsys.readouterr().out)) == ["after", "before", "run"]
    assert command(["pack", str(tmp_path / "none.town")]) == 2
    assert "there is no such run file" in capsys.readouterr().err
    (tmp_path / "file").write_text("")
    assert command(["export", str(town), "--out", str(tmp_path / "file")]) == 2
    assert "can't be written" in capsys.readouterr().err
