"""Memories read back from a run file, as of a step.

read_facts(run)          all facts by id
read_records(run, ...)   a resident's records and their embeddings
read_stream(run, ...)    the same as a stream, with every access, so that it can be viewed as of earlier steps too
"""

from __future__ import annotations

import json

from kernel import RecordId
from language import Embedder
from memory import Record, Stream
from simulation.storing.library import run_clock
from simulation.storing.rows import RECORD_COLUMNS, read_fact, read_record
from simulation.storing.runfile import RunFile
from town.speech import Fact


def read_facts(run: RunFile) -> dict[str, Fact]:
    """All facts of a run by id."""
    rows = run.rows("SELECT id, text, about, private, gathering, retracts FROM facts")
    return {row[0]: read_fact(row) for row in rows}


def read_records(run: RunFile, resident: str, facts: dict[str, Fact], before: int) -> tuple[list[Record], list[bytes | None]]:
    """A resident's records stored before a step, in order, and their embeddings."""
    rows = run.rows(
        f"SELECT {RECORD_COLUMNS}, embedding FROM memories WHERE resident = ? AND step < ? ORDER BY step, n", (resident, before)
    )
    return [read_record(row, facts) for row in rows], [row[-1] for row in rows]


def read_stream(run: RunFile, name: str, embedder: Embedder, facts: dict[str, Fact], before: int) -> Stream:
    """A resident's stream as all steps before `before` left it. Raises RunFileError for another embedder's vectors."""
    stream = Stream(name, embedder, run_clock(run))
    records, vectors = read_records(run, name, facts, before)
    rows = run.rows("SELECT step, chosen FROM retrievals WHERE resident = ? AND step < ? ORDER BY step, n", (name, before))
    touches = [(step, [RecordId(name, scored[0], scored[1]) for scored in json.loads(chosen)]) for step, chosen in rows]
    whole = [vector for vector in vectors if vector is not None]
    stream.restore(records, whole if len(whole) == len(records) else None, touches=touches)
    return stream
