"""An episode of the catchment as an evidence package.

    episode_files(episode, ...)   the files: manifest, journal, requests, attempts, selections, archive, actions, ...

An episode that broke off is packed all the same, as far as it went; its verdict is "invalid", never "missed".
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import version
from typing import Any

from kernel import dumps
from studies.catchment.episode import Decision, Episode
from studies.catchment.records import MAX_BYTES, MAX_RECORDS
from studies.catchment.world import DECISIONS

KIND = "catchment-episode"


def episode_files(episode: Episode, *, evidence: str, lineage: Mapping[str, Any] | None = None) -> dict[str, object]:
    """What `sealing.seal` writes. `lineage` says of which study it is and which failed episode it tries again."""
    rows = episode.decisions
    return {
        "manifest.json": {
            "kind": KIND, "episode": episode.name, "evidence": evidence, "lineage": dict(lineage or {}),
            "world": {"name": "catchment/1", "decisions": DECISIONS, "rules": asdict(episode.rules)},
            "selector": {"name": episode.selector, "max_records": MAX_RECORDS, "max_bytes": MAX_BYTES},
            "policy": {"name": episode.policy.name, "parameters": dict(episode.policy.parameters)}, "seed": episode.seed,
            "versions": {"townfolk": version("townfolk"), "python": ".".join(map(str, sys.version_info[:3]))},
        },
        "journal.jsonl": [
            {"decision": row.decision, "before": asdict(row.before), "action": row.action, "after": asdict(row.after)}
            for row in rows
        ],
        "requests.jsonl": [_request(row, episode.rules.target) for row in rows],
        "attempts.jsonl": [asdict(one) for one in episode.attempts],
        "selections.jsonl": [_selection(row) for row in rows],
        "archive.jsonl": [one.as_json() for one in episode.archive],
        "actions.jsonl": [{"decision": row.decision, "action": row.action} for row in rows],
        "observations.jsonl": [{"decision": row.decision, "seen": row.seen_after.as_json()} for row in rows],
        "final.json": {
            "complete": episode.complete, "decisions": len(rows), "failure": episode.failure,
            "final_reserve": rows[-1].after.reserve if rows else episode.rules.reserve, "obligation": episode.verdict,
        },
    }  # fmt: skip


def _request(row: Decision, target: int) -> dict[str, Any]:
    memory = [one.as_json() for one in row.selection.shown]
    return {
        "decision": row.decision, "left": DECISIONS - row.decision, "target": target, "seen": row.seen.as_json(),
        "memory": memory, "memory_bytes": len(dumps(memory).encode()),
    }  # fmt: skip


def _selection(row: Decision) -> dict[str, Any]:
    chosen = row.selection
    return {
        "decision": row.decision, "selector": chosen.selector, "ranked": list(chosen.ranked), "shown": chosen.decisions,
        "omitted": [{"decision": decision, "why": why} for decision, why in chosen.omitted], "bytes": chosen.bytes,
    }  # fmt: skip
