"""A run for other programs: tables as CSV or Parquet, the talk of each day as Markdown, who knows whom as GraphML.

    export(path, folder, forms)    writes the files, says which

Only committed steps are exported. Every row and every file says what its words are worth (design rule 10): column `evidence`
(a table's own column of that name, the records a memory rests on, is `evidence_records`), and steps get a calendar `time`.
Parquet keeps types: integers, decimals, text, and the time as a timestamp without a zone.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from kernel import Clock, RunFileError, UsageError, nearest
from simulation.reading.transcript import transcript
from simulation.storing.library import run_clock
from simulation.storing.runfile import RunFile
from simulation.storing.schema import STEPPED
from simulation.storing.schema import TABLES as SCHEMA

KEPT_IN = frozenset({"meta", "calls", "mind_states", "failures", "checkpoints", "wording", "control"})
"""Tables that only matter to a run that goes on, or are too large; they stay in the run file."""
TABLES = tuple(table for table in SCHEMA if table not in KEPT_IN)
LEFT_OUT = frozenset({"embedding"})
TRANSCRIPT = "transcript.md"
NETWORK = "network.graphml"
TIME = "TIME"
"""The type of the calendar time, beside SQLite's."""
FORMS = ("csv", "parquet")
LABEL = "evidence"

Columns = list[tuple[str, str]]
Writer = Callable[[Path, Columns, Iterator[list[Any]]], None]


def export(path: Path, folder: Path, forms: Sequence[str] = ("csv",)) -> list[Path]:
    """Writes tables in each of the forms, the transcript and the network into a folder; their paths. Never overwrites.

    Raises UsageError for an unknown form, or for Parquet where pyarrow is missing; RunFileError for a file that is there
    already or a folder that can't be written.
    """
    writers = {form: _writer(form) for form in forms}
    tables = [(table, form, folder / f"{table}.{form}") for form in writers for table in TABLES]
    targets = [*(target for _, _, target in tables), folder / TRANSCRIPT, folder / NETWORK]
    with RunFile.open(path) as run:
        for target in targets:
            if target.exists():
                raise RunFileError("the file exists already", place=str(target), hint="choose another --out")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            worth = _evidence(run)
            for table, form, target in tables:
                writers[form](target, *_table(run, table, worth))
            targets[-2].write_text("\n".join(transcript(run, worth)) + "\n", encoding="utf-8")
            _network(run, targets[-1], worth)
        except OSError as error:
            raise RunFileError(f"can't be written: {error.strerror}", place=str(folder), hint="choose another --out") from None
    return targets


def _writer(form: str) -> Writer:
    if form == "csv":
        return _csv
    if form == "parquet":
        from simulation.reading.parquet import write_parquet

        return write_parquet
    close = nearest(form, FORMS)
    raise UsageError(f"tables can't be written as '{form}'", hint=f"did you mean {close}?" if close else " or ".join(FORMS))


def _evidence(run: RunFile) -> str:
    from simulation.measures import Reading, evidence

    return str(evidence(Reading(run)))


def _table(run: RunFile, table: str, worth: str) -> tuple[Columns, Iterator[list[Any]]]:
    """Column names with their SQLite types, and the committed rows."""
    clock, committed = run_clock(run), run.committed
    known = [(row[1], row[2]) for row in run.rows(f"PRAGMA table_info({table})") if row[1] not in LEFT_OUT]
    names = [name for name, _ in known]
    step = STEPPED.get(table, "step") if "step" in names else None
    where = f" WHERE {step} < {committed} ORDER BY {step}" if step and table != "interviews" else ""
    at = names.index(step) if step else -1
    own = names.index(LABEL) if table == "interviews" and LABEL in names else -1  # each answer has a label of its own
    shown = [(f"{LABEL}_records" if name == LABEL else name, kind) for name, kind in known if own < 0 or name != LABEL]

    def rows() -> Iterator[list[Any]]:
        for row in run.stream(f"SELECT {', '.join(names)} FROM {table}{where}"):
            label = worth if own < 0 else row[own] or worth
            kept = [value for place, value in enumerate(row) if place != own]
            yield [*kept, *([_time(clock, row[at])] if step else []), label]

    return [*shown, *([("time", TIME)] if step else []), (LABEL, "TEXT")], rows()


def _csv(target: Path, columns: Columns, rows: Iterator[list[Any]]) -> None:
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([name for name, _ in columns])
        writer.writerows([value if value is not None else "" for value in row] for row in rows)


def _time(clock: Clock, step: int | None) -> datetime | None:
    return None if step is None or step < 0 else clock.at(step)


def _network(run: RunFile, target: Path, worth: str) -> None:
    import networkx

    from simulation.measures import Reading, acquaintance

    graph = acquaintance(Reading(run), run.committed)
    graph.graph["evidence"] = worth
    for name, occupation, home in run.rows("SELECT name, occupation, home FROM residents ORDER BY position"):
        graph.nodes[name].update(occupation=occupation, home=home)
    networkx.write_graphml(graph, target)
