"""What was asked of language models, and what kind of evidence that makes a run.

call_counts(reading)   per operation: count, tokens_in, tokens_out, seconds, fallbacks, repaired, sent, retried, troubles, cost
spending(reading)      in all and by resident: calls, tokens, cost; and what the run's sittings spent on servers
evidence(reading)      "offline" or "model"
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, Literal

from simulation.measures.reading import Reading

OFFLINE = "offline"


def call_counts(reading: Reading) -> dict[str, dict[str, Any]]:
    """Per operation, in order of name; calls of steps that were not committed don't count."""
    rows = reading.run.rows(
        "SELECT operation, COUNT(*), SUM(tokens_in), SUM(tokens_out), SUM(seconds), COUNT(fallback), SUM(repaired),"
        " SUM(sent), SUM(attempts > 1), SUM(cost)"
        " FROM calls WHERE step < ? GROUP BY operation ORDER BY operation",
        (reading.committed,),
    )
    troubles = _troubles(reading)
    return {
        row[0]: {
            "count": row[1], "tokens_in": row[2], "tokens_out": row[3], "seconds": round(row[4], 3), "fallbacks": row[5],
            "repaired": row[6], "sent": row[7], "retried": row[8], "troubles": troubles.get(row[0], {}),
            "cost": None if row[9] is None else round(row[9], 6),
        }
        for row in rows
    }  # fmt: skip


def _troubles(reading: Reading) -> dict[str, dict[str, int]]:
    """Operation -> cause -> tries that failed for it."""
    found: dict[str, Counter[str]] = {}
    rows = reading.run.rows("SELECT operation, troubles FROM calls WHERE step < ? AND troubles <> '{}'", (reading.committed,))
    for operation, troubles in rows:
        found.setdefault(operation, Counter()).update(json.loads(troubles))
    return {operation: dict(sorted(counts.items())) for operation, counts in found.items()}


def spending(reading: Reading) -> dict[str, Any]:
    """{calls, tokens, cost, by_resident: {NAME: {calls, tokens, cost}}, spent}; a cost is None where nobody knows one.

    `spent` is what all sittings together cost their servers, calls of steps that were not committed included.
    """
    rows = reading.run.rows(
        "SELECT resident, COUNT(*), SUM(tokens_in + tokens_out), SUM(cost) FROM calls WHERE step < ? GROUP BY 1 ORDER BY 1",
        (reading.committed,),
    )
    costs = [row[3] for row in rows if row[3] is not None]
    return {
        "calls": sum(row[1] for row in rows),
        "tokens": sum(row[2] for row in rows),
        "cost": round(sum(costs), 6) if costs else None,
        "by_resident": {
            row[0]: {"calls": row[1], "tokens": row[2], "cost": None if row[3] is None else round(row[3], 6)} for row in rows
        },
        "spent": json.loads(reading.run.get("spent", "{}")),
    }


def evidence(reading: Reading) -> Literal["offline", "model"]:
    """ "offline" when nothing but the offline model was ever asked, or meant to be asked."""
    asked = {row[0] for row in reading.run.rows("SELECT DISTINCT model FROM calls")}
    meant = {reading.run.get("model", OFFLINE), *json.loads(reading.run.get("models", "{}")).values()}
    return "offline" if asked | meant <= {OFFLINE} else "model"
