"""The study of seven conditions: lived, tabled, drawn, packed.

figures_of(episodes)              what `town study obligation --json` prints
rows(episodes)                    the table's
write_study(episodes, folder)     two figures, `obligation.md`, `obligation.json`, a package per episode
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from studies.catchment.episode import Episode
from studies.catchment.records import MAX_BYTES, MAX_RECORDS, stalled_collect
from studies.wording import entries, say

WORDS = "obligation"
JSON, MARKDOWN, PACKAGES = "obligation.json", "obligation.md", "packages"
TURNING = 5
"""The decision at which the memory shown makes the difference."""


def figures_of(episodes: Mapping[str, Episode], evidence: str = "offline") -> dict[str, Any]:
    """The study as data: `conditions.{NAME}.{final_reserve, obligation, ...}`."""
    rules = next(iter(episodes.values())).rules
    return {
        "evidence": evidence, "study": WORDS, "target": rules.target, "max_records": MAX_RECORDS, "max_bytes": MAX_BYTES,
        "episodes": len(episodes), "nested_decisions": sum(len(one.decisions) for one in episodes.values()),
        "conditions": {name: _condition(one) for name, one in episodes.items()},
    }  # fmt: skip


def _condition(episode: Episode) -> dict[str, Any]:
    return {
        "final_reserve": episode.final_reserve, "obligation": episode.verdict, "policy": episode.policy.name,
        "selector": episode.selector, "actions": list(episode.actions), "reserve": [state.reserve for state in episode.states],
        "selections": [row.selection.decisions for row in episode.decisions],
        "bytes_shown": [row.selection.bytes for row in episode.decisions],
        "readings": {str(one.decision): one.after.reading for one in episode.archive if one.after.reading is not None},
        "stalled_collects": [one.decision for one in episode.archive if stalled_collect(one)],
    }  # fmt: skip


def rows(episodes: Mapping[str, Episode]) -> list[list[str]]:
    """The table's rows under `obligation.columns`."""
    found = []
    for name, one in episodes.items():
        turning = one.decisions[TURNING]
        verdict = say(WORDS, f"verdict.{one.verdict}")
        found.append([name, str(one.final_reserve), verdict, str(turning.selection.decisions), turning.action])
    return found


def note(episodes: Mapping[str, Episode]) -> str:
    """What the table's figures are, and what they are no samples of."""
    figures = figures_of(episodes)
    return say(WORDS, "note", target=figures["target"], episodes=figures["episodes"], rows=figures["nested_decisions"])


def write_study(episodes: Mapping[str, Episode], folder: Path) -> tuple[Path, ...]:
    """Writes everything, over an earlier study of the same folder; the paths of the files, the table first."""
    from studies.catchment import figures
    from studies.packages.episode import episode_files
    from studies.packages.sealing import seal

    folder.mkdir(parents=True, exist_ok=True)
    data = figures_of(episodes)
    evidence = data["evidence"]
    table, written = folder / MARKDOWN, folder / JSON
    pictures = (
        figures.reserve(episodes, evidence, folder / "reserve.png"),
        figures.shown(episodes, evidence, folder / "shown.png"),
    )
    head = [str(column).replace("\n", " ") for column in entries(WORDS, "columns")]
    lines = [say(WORDS, f"evidence.{evidence}"), "", say(WORDS, "markdown.title"), ""]
    lines += [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows(episodes))]
    lines += ["", note(episodes), ""]
    for key, picture in zip(("reserve", "shown"), pictures, strict=True):
        lines += [f"![{say(WORDS, f'markdown.{key}')}]({picture.name})", ""]
    lines += [say(WORDS, "markdown.data", json=JSON), ""]
    table.write_text("\n".join(lines), encoding="utf-8")
    written.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    for name, one in episodes.items():
        seal(fresh(folder / PACKAGES / name), episode_files(one, evidence=evidence, lineage={"study": WORDS}))
    return (table, written, *pictures)


def fresh(folder: Path) -> Path:
    """The folder, emptied of an earlier package of the same study (and of nothing else)."""
    from studies.packages.sealing import RECEIPT

    if (folder / RECEIPT).is_file():
        for file in sorted(folder.iterdir()):
            file.unlink()
    return folder
