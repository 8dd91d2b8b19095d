"""What was asked of language models, and what kind of evidence that makes a run.

call_counts(reading)   per operation: count, tokens_in, tokens_out, seconds, fallbacks, repaired
evidence(reading)      "offline" or "model"
"""

from __future__ import annotations

import json
from typing import Any, Literal

from simulation.measures.reading import Reading

OFFLINE = "offline"


def call_counts(reading: Reading) -> dict[str, dict[str, Any]]:
    """Per operation, in order of name; calls of steps that were not committed don't count."""
    rows = reading.run.rows(
        "SELECT operation, COUNT(*), SUM(tokens_in), SUM(tokens_out), SUM(seconds), COUNT(fallback), SUM(repaired)"
        " FROM calls WHERE step < ? GROUP BY operation ORDER BY operation",
        (reading.committed,),
    )
    return {
        row[0]: {
            "count": row[1], "tokens_in": row[2], "tokens_out": row[3], "seconds": round(row[4], 3), "fallbacks": row[5],
            "repaired": row[6],
        }
        for row in rows
    }  # fmt: skip


def evidence(reading: Reading) -> Literal["offline", "model"]:
    """ "offline" when nothing but the offline model was ever asked, or meant to be asked."""
    asked = {row[0] for row in reading.run.rows("SELECT DISTINCT model FROM calls")}
    meant = {reading.run.get("model", OFFLINE), *json.loads(reading.run.get("models", "{}")).values()}
    return "offline" if asked | meant <= {OFFLINE} else "model"
