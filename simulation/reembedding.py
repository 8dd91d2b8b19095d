"""Another embedder for a run: refused while its memories are embedded with the old one, done by `town reembed`.

    require_embedder(run, wanted)            RunFileError when the run's memories have vectors of another
    reembed(path, spec) -> Reembedded        every memory's vector made anew, in one transaction

The past stays as it was lived: only what is retrieved from now on changes. Going back to a time before (a fork) would need
the old vectors to live the last hour again; fork first, re-embed the fork.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from kernel import RunFileError, dumps
from language.model import Embedder
from simulation.models import make_embedder
from simulation.storing.runfile import RunFile

BATCH = 512


@dataclass(frozen=True, slots=True)
class Reembedded:
    """What was done: `before` and `after` are names of embedders, `memories` vectors made anew."""

    run: str
    before: str
    after: str
    memories: int

    def as_json(self) -> str:
        """{run, before, after, memories}."""
        return dumps(asdict(self))


def require_embedder(run: RunFile, wanted: str) -> None:
    """Raises RunFileError unless the run was embedded with `wanted` ("openai:NAME" means any of its dimensions)."""
    kept = run.get("embedder")
    if wanted != kept and wanted != kept.rpartition("/")[0]:
        raise RunFileError(
            f"this run's memories are embedded with '{kept}', not with '{wanted}'",
            place=str(run.path),
            hint=f"embed them anew first: town reembed {run.path} --embedder {wanted}",
        )


def reembed(path: Path, spec: str, embedder: Embedder | None = None) -> Reembedded:
    """Gives every memory of a run a vector of another embedder. Raises RunFileError, ModelError; then nothing has changed."""
    made = embedder or make_embedder(spec)
    with RunFile.open(path, readonly=False) as run:
        before = run.get("embedder")
        rows = run.rows("SELECT resident, step, n, text FROM memories ORDER BY resident, step, n")
        fresh = []
        for start in range(0, len(rows), BATCH):
            piece = rows[start : start + BATCH]
            vectors = np.asarray(made.embed([row[3] for row in piece]))
            fresh += [(v.astype(np.int8).tobytes(), *row[:3]) for v, row in zip(vectors, piece, strict=True)]
        with run.transaction():
            run.write("UPDATE memories SET embedding = ? WHERE resident = ? AND step = ? AND n = ?", fresh)
            run.set_meta({"embedder": made.name})
    return Reembedded(str(path), before, made.name, len(fresh))
