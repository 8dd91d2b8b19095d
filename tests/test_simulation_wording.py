"""A run file holds the words its minds thought and spoke with, also when it goes on with others."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest

from simulation import RunFile, provenance, resume, start
from simulation.compose import read_blueprint
from simulation.reading.causes import causes


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("wording") / "short.town"
    start(read_blueprint("hamlet", days=0.02), path)
    return path


def test_all_of_it_is_in_the_file(lived: Path) -> None:
    with RunFile.open(lived) as run:
        kept = provenance.kept_wording(run, 0)
        hasher = hashlib.sha256()
        for name in sorted(kept):
            hasher.update(name.encode() + b"\0" + kept[name] + b"\0")
        assert hasher.hexdigest() == run.get("hash.wording")
        assert any(name.startswith("language/offline/wording/") for name in kept)


def test_other_words_are_kept_from_where_they_hold(lived: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = shutil.copy(lived, tmp_path / "other.town")
    files = dict(provenance.wording_files())
    gone = min(files)
    changed = max(name for name in files if name.endswith(".yaml"))
    now = {**files, changed: files[changed] + b"\n# another line\n"}
    del now[gone]
    monkeypatch.setattr(provenance, "wording_files", lambda: now)
    resume(other, days=0.01)
    with RunFile.open(lived) as first, RunFile.open(other) as second:
        since = first.committed
        rows = second.rows("SELECT file, text IS NULL FROM wording WHERE since = ?", (since,))
        assert sorted(rows) == sorted([(changed, 0), (gone, 1)])
        assert provenance.kept_wording(second, since - 1) == files
        assert provenance.kept_wording(second, since) == now
        assert provenance.changed_files(first, second, since) == sorted([changed, gone])


def test_a_difference_is_traced_to_the_files(lived: Path, tmp_path: Path) -> None:
    other = shutil.copy(lived, tmp_path / "other.town")
    with RunFile.open(other, readonly=False) as run:
        run.set_meta({"hash.wording": "0" * 64})
        run.write("DELETE FROM wording WHERE file = ?", [(min(provenance.wording_files()),)])
    with RunFile.open(lived) as first, RunFile.open(other) as second:
        (cause,) = causes(first, second, 10)
        assert (cause["is"], cause["key"]) == ("code", f"wording: {min(provenance.wording_files())}")
