"""What a resident's day costs on a real model: calls and tokens by operation, in the scenarios that come with the town.

    python -m benchmarks.model_costs [SCENARIO ...]     prints the table, writes simulation/model_statistics.yaml

The town is lived on the offline model, while every prompt that a real model would be sent is rendered and counted with a
named tokenizer. Replies are counted as the JSON of the offline replies, times REPLY_FACTOR: a real model writes longer
sentences and spends tokens on spaces. `town estimate` reads the file this writes.
"""

from __future__ import annotations

import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

import yaml

from language import ModelReply, OfflineModel, Request
from language.fitting import fit
from language.tokens import MESSAGE_TOKENS, TOKENIZER, count_tokens, count_tokens_kept
from simulation.compose import read_blueprint
from simulation.estimating import STATISTICS
from simulation.run import start

SCENARIOS = ("hamlet", "valentine")
REPLY_FACTOR = 1.5
HEAD = """\
# What a day of a scenario asks of a model: made by `python -m benchmarks.model_costs`, read by `town estimate`.
# Per operation and resident-day: calls, tokens of a prompt and of a reply. `rounds`: calls that can't but follow another in
# a game day (the longest chain of each step), and their tokens: what a day takes when nothing limits how many go at once.
"""


class Counting:
    """The offline model, with a note of what each question would have been as a prompt."""

    name = "offline"
    immediate = True

    def __init__(self) -> None:
        self._model = OfflineModel()
        self.notes: list[tuple[str, str, int, int, int]] = []

    async def ask(self, request: Request) -> ModelReply:
        """The offline reply; notes (operation, resident, step, tokens in, tokens out)."""
        got = await self._model.ask(request)
        prompt = fit(request.operation, context=None)
        tokens_in = count_tokens_kept(prompt.system) + count_tokens(prompt.user) + 2 * MESSAGE_TOKENS
        value = got.value.model_dump_json() if got.value is not None else got.text
        tokens_out = min(prompt.reply, round(count_tokens(value) * REPLY_FACTOR))
        self.notes.append((request.key.operation, request.key.resident, request.key.step, tokens_in, tokens_out))
        return got

    async def close(self) -> None:
        """Nothing to free."""


def measure(scenario: str) -> dict[str, Any]:
    """The statistics of one scenario's whole planned life."""
    counting = Counting()
    with tempfile.TemporaryDirectory() as folder:
        result = start(read_blueprint(scenario, seed=1), Path(folder) / "run.town", models={"offline": counting})
    days = result.game_days
    resident_days = result.residents * days
    sums: dict[str, list[float]] = defaultdict(lambda: [0, 0, 0])
    chains: dict[int, dict[str, list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0, 0]))
    most = 0
    for operation, resident, step, tokens_in, tokens_out in counting.notes:
        most = max(most, tokens_in)
        for total in (sums[operation], chains[step][resident]):
            total[0] += 1
            total[1] += tokens_in
            total[2] += tokens_out
    longest = [max(step.values(), key=lambda chain: chain[2]) for step in chains.values()]
    return {
        "residents": result.residents,
        "days": days,
        "longest_prompt": most,
        "operations": {
            name: {
                "calls": round(calls / resident_days, 2),
                "tokens_in": round(tokens_in / calls, 1),
                "tokens_out": round(tokens_out / calls, 1),
            }
            for name, (calls, tokens_in, tokens_out) in sorted(sums.items())
        },
        "rounds": {
            "calls": round(sum(chain[0] for chain in longest) / days, 1),
            "tokens_in": round(sum(chain[1] for chain in longest) / days),
            "tokens_out": round(sum(chain[2] for chain in longest) / days),
        },
    }


def table(found: dict[str, Any]) -> str:
    """The statistics as a table in Markdown, per resident and game day."""
    lines = ["| operation | calls | tokens a prompt | tokens a reply | tokens a day |", "|---|---|---|---|---|"]
    calls = tokens = 0.0
    for name, row in sorted(found["operations"].items(), key=lambda item: -item[1]["calls"]):
        day = row["calls"] * (row["tokens_in"] + row["tokens_out"])
        calls, tokens = calls + row["calls"], tokens + day
        lines.append(f"| {name} | {row['calls']:.1f} | {row['tokens_in']:.0f} | {row['tokens_out']:.0f} | {day:,.0f} |")
    lines.append(f"| all | {calls:.0f} | | | {tokens:,.0f} |")
    return "\n".join(lines)


def main(names: list[str]) -> None:
    """Measures, prints, and writes the statistics."""
    kept: dict[str, Any] = {"tokenizer": TOKENIZER, "reply_factor": REPLY_FACTOR, "scenarios": {}}
    if STATISTICS.exists():
        kept["scenarios"] = yaml.safe_load(STATISTICS.read_text(encoding="utf-8"))["scenarios"]
    for name in names or SCENARIOS:
        kept["scenarios"][name] = found = measure(name)
        print(f"{name}: {found['residents']} residents, {found['days']} days, evidence: offline; tokens by {TOKENIZER}\n")
        print(table(found), "\n")
    STATISTICS.write_text(HEAD + yaml.safe_dump(kept, sort_keys=True, width=120), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
