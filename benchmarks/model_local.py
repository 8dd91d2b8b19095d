"""Three residents of the hamlet live two waking hours on the small model in the box, and on any server.

    python -m benchmarks.model_local [local | openai:NAME] [UNTIL]      needs the extra [local] for "local"

Prints calls, tokens and what became of the replies, by operation; `--keep FILE` keeps the raw replies as JSON lines.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import yaml

from scenarios.load import find
from simulation.compose import read_blueprint
from simulation.models import Means
from simulation.run import start
from simulation.storing.runfile import RunFile

CONTEXT = 4096
"""Tokens of a question and its answer."""
THREE = ("Ada Brook", "Clara Doyle", "Dov Eller")


def live(model: str, until: str, keep: Path | None) -> tuple[Any, list[tuple[Any, ...]]]:
    """The result, and a row per operation: calls, tokens in, out, as they came, repaired, retried, fallen back."""
    with tempfile.TemporaryDirectory() as folder:
        spec = yaml.safe_load(find("hamlet").read_text(encoding="utf-8"))
        scenario, path = Path(folder) / "three.yaml", Path(folder) / "run.town"
        scenario.write_text(yaml.safe_dump({**spec, "residents": list(THREE)}), encoding="utf-8")
        result = start(read_blueprint(str(scenario), seed=1, until=until, model=model), path, means=Means(context=CONTEXT))
        with RunFile.open(path) as run:
            rows = run.rows(
                "SELECT operation, COUNT(*), SUM(tokens_in), SUM(tokens_out),"
                " SUM(attempts = 1 AND NOT repaired AND fallback IS NULL), SUM(attempts = 1 AND repaired AND fallback IS NULL),"
                " SUM(attempts > 1 AND fallback IS NULL), COUNT(fallback), SUM(seconds) FROM calls GROUP BY 1 ORDER BY 2 DESC"
            )
            if keep is not None:
                raw = run.rows("SELECT operation, raw, fallback FROM calls ORDER BY step, resident, operation, n")
                lines = [json.dumps({"operation": o, "raw": r, "fallback": f}, ensure_ascii=False) for o, r, f in raw]
                keep.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return result, rows


def table(rows: list[tuple[Any, ...]]) -> str:
    """Markdown."""
    head = (
        "operation",
        "calls",
        "tokens in",
        "tokens out",
        "as they came",
        "repaired",
        "asked again",
        "fallen back",
        "seconds a call",
    )
    lines = ["| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    total = [sum(row[i] for row in rows) for i in range(1, 9)]
    for name, calls, tokens_in, tokens_out, good, repaired, again, fallen, seconds in [*rows, ("all", *total)]:
        share = [f"{100 * n / max(1, calls):.0f} %" for n in (good, repaired, again, fallen)]
        lines.append(
            f"| {name} | {calls} | {tokens_in:,} | {tokens_out:,} | {' | '.join(share)} | {seconds / max(1, calls):.1f} |"
        )
    return "\n".join(lines)


def main(arguments: list[str]) -> None:
    """Lives and prints."""
    keep = Path(arguments[arguments.index("--keep") + 1]) if "--keep" in arguments else None
    told = arguments[: arguments.index("--keep")] if "--keep" in arguments else arguments
    model, until = (*told, *("local", "08:00")[len(told) :])
    result, rows = live(model, until, keep)
    print(f"{model}: {result.residents} residents until {until}; evidence: model; {result.wall_seconds:.0f} s; {result.notice}\n")
    print(table(rows))


if __name__ == "__main__":
    main(sys.argv[1:])
