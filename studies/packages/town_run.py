"""A town's run as an evidence package: the run file itself, and beside it what a reader wants to see without it.

pack_run(path, folder)      the package of a run; its digest
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from kernel import RunFileError
from simulation.measures import Reading, evidence, score
from simulation.storing.digest import run_digest
from simulation.storing.runfile import RunFile
from studies.packages.sealing import seal

KIND = "town-run"
RUN = "run.town"
ATTEMPTS = (
    "resident", "step", "operation", "n", "model", "request_hash", "attempts", "tokens_in", "tokens_out", "fallback", "repaired",
)  # fmt: skip
"""Columns of `calls` that are told beside the run file."""
SELECTIONS = ("resident", "step", "n", "call", "selector", "considered", "shown", "omitted", "bytes", "tokens")
"""Columns of `exposures`."""
META = (
    "scenario", "title", "seed", "minds", "model", "models", "embedder", "start", "step_seconds", "planned", "committed",
    "hash.scenario", "hash.people", "hash.map", "hash.wording", "versions", "created_by",
)  # fmt: skip


def pack_run(path: Path, folder: Path) -> str:
    """Seals a run, finished or not, into a folder; the run stays as it is. Raises RunFileError and UsageError."""
    with RunFile.open(path) as run, tempfile.TemporaryDirectory() as beside:
        copy = Path(beside) / RUN
        _copied(run, copy)
        meta = run.meta()
        settings = json.loads(meta["spec.scenario"])["settings"]
        committed = run.committed
        files: dict[str, object] = {
            "manifest.json": {
                "kind": KIND, "evidence": evidence(Reading(run)), "digest": run_digest(run),
                "exposure": {key: settings.get(key) for key in ("exposure", "max_records", "max_bytes")},
                "meta": {key: meta[key] for key in META if key in meta},
            },
            "attempts.jsonl": _rows(run, "calls", ATTEMPTS, committed, "step, resident, operation, n"),
            "selections.jsonl": _rows(run, "exposures", SELECTIONS, committed, "step, resident, n"),
            "final.json": {
                "complete": committed >= int(meta["planned"]), "committed": committed, "planned": int(meta["planned"]),
                "obligations": {one.name: one.as_json() for one in score(run.rows, meta)},
            },
        }  # fmt: skip
        return seal(folder, files, {RUN: copy})


def _copied(run: RunFile, copy: Path) -> None:
    """One compact file of the present schema, without a log, of a run that may be open elsewhere."""
    try:
        run.connection.execute("VACUUM INTO ?", (str(copy),))
        with closing(RunFile.open(copy, readonly=False).connection) as made:  # brings an older file up to date
            with made:
                made.execute("DELETE FROM control")
            made.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        raise RunFileError(f"the run can't be copied: {error}", place=str(run.path)) from None


def _rows(run: RunFile, table: str, columns: tuple[str, ...], committed: int, order: str) -> list[dict[str, Any]]:
    found = run.rows(f"SELECT {', '.join(columns)} FROM {table} WHERE step < ? ORDER BY {order}", (committed,))
    return [dict(zip(columns, row, strict=True)) for row in found]
