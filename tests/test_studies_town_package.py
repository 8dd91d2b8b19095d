"""A town's run as evidence: sealed, verified from its rows alone, scored anew; what doesn't belong together is found."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from cli.main import run
from kernel import UsageError
from simulation.compose import read_blueprint, with_settings
from simulation.run import start
from simulation.storing.digest import run_digest
from simulation.storing.runfile import RunFile
from studies.packages.sealing import RECEIPT, broken, seal
from studies.packages.town_run import RUN, pack_run
from studies.packages.verifying import verify


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lived") / "hamlet.town"
    blueprint = read_blueprint("hamlet", seed=1, days=0.5, embedder="hash-64")
    start(with_settings(blueprint, exposure="priority", max_records=5, max_bytes=2000), path)
    return path


@pytest.fixture(scope="module")
def package(lived: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("package") / "run"
    pack_run(lived, folder)
    return folder


def test_a_run_is_sealed_verified_and_scored(lived: Path, package: Path) -> None:
    before = lived.read_bytes()
    found = verify(package)
    assert found.judgement.problems == ()
    assert found.kind == "town-run"
    owed = found.judgement.facts["obligations"]
    assert owed == {"listeners": "invalid", "word-spread": owed["word-spread"]}  # the run ends at noon
    assert owed["word-spread"] in ("met", "missed")
    with RunFile.open(lived) as opened:
        assert json.loads((package / "manifest.json").read_text())["digest"] == run_digest(opened)
    assert lived.read_bytes() == before
    assert not list(package.glob("*-wal"))


def test_a_changed_byte_of_the_run_file_is_named(package: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(package, tmp_path / "copy")
    raw = bytearray((folder / RUN).read_bytes())
    raw[len(raw) // 2] ^= 1
    (folder / RUN).write_bytes(bytes(raw))
    assert [one.file for one in broken(folder)] == [RUN]
    assert verify(folder).judgement.verdict == "invalid"


def _resealed(package: Path, folder: Path, change: Callable[[sqlite3.Connection], object] | None = None, **edits: object) -> Path:
    """The package with its run file changed and files replaced, sealed anew by somebody who knows how."""
    copy = folder / "copy.town"
    shutil.copyfile(package / RUN, copy)
    if change is not None:
        with closing(sqlite3.connect(copy)) as opened:
            change(opened)
            opened.commit()
    files: dict[str, object] = {
        path.name: json.loads(path.read_text())
        if path.suffix == ".json"
        else [json.loads(line) for line in path.read_text().splitlines()]
        for path in package.iterdir()
        if path.name not in (RUN, RECEIPT)
    }
    for name, value in edits.items():
        files[name.replace("__", ".")] = value
    made = folder / "resealed"
    seal(made, files, {RUN: copy})
    return made


def _sql(statement: str) -> Callable[[sqlite3.Connection], object]:
    return lambda opened: opened.execute(statement)


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("UPDATE utterances SET text = 'I never said that.'", "words"),
        ("UPDATE moves SET x = x + 1 WHERE step = (SELECT MAX(step) FROM moves)", "body"),
        ("DELETE FROM memories WHERE step >= 0", "retrieval"),
        ("UPDATE exposures SET shown = omitted, omitted = '[]' WHERE omitted <> '[]'", "shape"),
        ("UPDATE exposures SET bytes = 99999", "exposure"),
        ("UPDATE exposures SET selector = 'recency'", "exposure"),
        ("UPDATE exposures SET shown = '[]', considered = considered - json_array_length(shown)", "question"),
        ("DELETE FROM calls WHERE operation = 'say'", "cause"),
        ("UPDATE acts SET text = 'dancing' WHERE step > 2000", "digest"),
        ("UPDATE meta SET value = '99' WHERE key = 'seed'", "meta"),
        ("DROP TABLE acts", "unreadable_run"),
    ],
)
def test_a_changed_life_sealed_anew_is_found(package: Path, tmp_path: Path, statement: str, what: str) -> None:
    found = verify(_resealed(package, tmp_path, _sql(statement)))
    assert found.sealed
    assert found.judgement.verdict == "invalid"
    assert what in {one.what for one in found.judgement.problems}


def test_a_claimed_score_is_scored_anew(package: Path, tmp_path: Path) -> None:
    final = json.loads((package / "final.json").read_text())
    owed = final["obligations"]["word-spread"]
    owed["verdict"] = "missed" if owed["verdict"] == "met" else "met"
    found = verify(_resealed(package, tmp_path, final__json=final))
    assert [(one.file, one.what) for one in found.judgement.problems] == [("final.json", "final")]


def test_lines_beside_the_run_that_say_otherwise_are_found(package: Path, tmp_path: Path) -> None:
    found = verify(_resealed(package, tmp_path, attempts__jsonl=[], selections__jsonl=[]))
    assert {one.file for one in found.judgement.problems} == {"attempts.jsonl", "selections.jsonl"}


def test_a_run_broken_off_is_invalid_never_missed(tmp_path: Path) -> None:
    path = tmp_path / "short.town"
    start(read_blueprint("hamlet", days=0.05, mind="clockwork", embedder="hash-64"), path)
    with RunFile.open(path, readonly=False) as opened, opened.transaction():
        opened.set_meta({"planned": "9999"})
    pack_run(path, tmp_path / "package")
    found = verify(tmp_path / "package")
    assert (found.sealed, found.judgement.verdict) == (True, "invalid")
    assert [one.what for one in found.judgement.problems] == ["unfinished"]
    assert set(found.judgement.facts["obligations"].values()) == {"invalid"}


def test_the_commands(lived: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "sealed"
    assert run(["pack", str(lived), "--evidence", str(folder), "--json"]) == 0
    digest = json.loads(capsys.readouterr().out)["digest"]
    assert run(["verify", str(folder), "--digest", digest]) == 0
    assert "Valid: hamlet, seed 1" in capsys.readouterr().out
    assert run(["pack", str(lived), "--evidence", str(folder)]) == 2
    assert "something already" in capsys.readouterr().err
    with pytest.raises(UsageError):
        pack_run(lived, folder)
