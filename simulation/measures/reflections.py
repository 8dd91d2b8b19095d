"""How often people reflect (the paper: two or three times a day), and what on.

reflection_counts(reading)
"""

from __future__ import annotations

import json
from statistics import median
from typing import Any

from simulation.measures.reading import Reading


def reflection_counts(reading: Reading) -> dict[str, Any]:
    """Median number of occasions `per_resident_day` with `least` and `most`, `occasions` and `insights` in all, how many
    insights rest `upon_reflections`, how many were `dropped` for want of evidence.

    An occasion is a step in which a resident stored reflections. Days that were only begun don't count.
    """
    insights = [record for records in reading.memories.values() for record in records if record.kind == "reflection"]
    kinds = {str(record.id) for record in insights}
    steps = {name: sorted({r.created for r in records if r.kind == "reflection"}) for name, records in reading.memories.items()}
    per_day = [sum(start <= step < end for step in steps[name]) for name in reading.names for start, end in reading.days()]
    return {
        "per_resident_day": float(median(per_day)) if per_day else 0.0,
        "least": min(per_day, default=0),
        "most": max(per_day, default=0),
        "occasions": sum(len(found) for found in steps.values()),
        "insights": len(insights),
        "upon_reflections": sum(any(str(evidence) in kinds for evidence in record.evidence) for record in insights),
        "dropped": _dropped(reading),
    }


def _dropped(reading: Reading) -> int:
    """Minds keep count of the insights they dropped (state key `reflections`)."""
    rows = reading.run.rows(
        "SELECT resident, value FROM mind_states WHERE key = 'reflections' AND step < ? ORDER BY step", (reading.committed,)
    )
    latest = {resident: json.loads(value) for resident, value in rows}
    return sum(value["dropped"] for value in latest.values() if isinstance(value, dict) and isinstance(value.get("dropped"), int))
