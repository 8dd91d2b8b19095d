"""What was shown of the past at decisions, counted over a run that bounds it.

exposure_counts(run)    selector, decisions, records shown and left out, bytes, tokens; {} for a run without bounds
"""

from __future__ import annotations

from typing import Any

from simulation.storing.runfile import RunFile


def exposure_counts(run: RunFile) -> dict[str, Any]:
    """{selector, decisions, shown, omitted, bytes, tokens, most_bytes, most_shown} of committed steps."""
    rows = run.rows(
        "SELECT MIN(selector), COUNT(*), SUM(json_array_length(shown)), SUM(json_array_length(omitted)), SUM(bytes), SUM(tokens),"
        " MAX(bytes), MAX(json_array_length(shown)) FROM exposures WHERE step < ?",
        (run.committed,),
    )
    keys = ("selector", "decisions", "shown", "omitted", "bytes", "tokens", "most_bytes", "most_shown")
    return dict(zip(keys, rows[0], strict=True)) if rows[0][1] else {}
