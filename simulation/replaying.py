"""Living a run again from its own journal: the same start, the same replies, the same interventions, the same digest?

verify(path)    -> Verdict; works on a copy in a temporary folder, takes about as long as the run took
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from kernel import dumps
from language import RecordedModel
from simulation.forking import fork
from simulation.models import OFFLINE
from simulation.reading.comparing import compare
from simulation.run import Report, resume
from simulation.storing.digest import run_digest
from simulation.storing.runfile import RunFile


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a run lived again is the same; if not, the first differing step, its time and table."""

    run: str
    digest: str
    again: str
    same: bool
    step: int | None = None
    time: str = ""
    table: str = ""

    def as_json(self) -> str:
        """{run, digest, again, same, step, time, table}."""
        return dumps(asdict(self))


def verify(path: Path, report: Report | None = None) -> Verdict:
    """Lives a copy of a run again from its first step to its last committed one. No model is asked anything new."""
    with RunFile.open(path) as run, tempfile.TemporaryDirectory(prefix="town-replay-") as folder:
        copy = Path(folder) / "again.town"
        committed = run.committed
        digest = run_digest(run, committed)
        meta = run.meta()
        fork(path, 0, copy, whole=True)
        with RunFile.open(copy, readonly=False) as made:
            made.set_meta({"planned": str(committed)})
        asked = {meta["model"], *json.loads(meta["models"]).values()} - {OFFLINE}
        models = {spec: RecordedModel({}, name=spec) for spec in sorted(asked)}
        if committed:
            resume(copy, report=report, models=models)
        with RunFile.open(copy) as lived:
            again = run_digest(lived)
            if again == digest:
                return Verdict(str(path), digest, again, True)
            found = compare(run, lived)
            table = next((str(row[0]) for row in found.rows if row is not None), "")
            return Verdict(str(path), digest, again, False, found.step, found.time or found.end, table)
