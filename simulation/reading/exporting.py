"""A run for other programs: tables as CSV, the talk of each day as Markdown, who knows whom as GraphML.

    export(path, folder)    writes the files, says which

Only committed steps are exported. Every CSV row and every file says what its words are worth (design rule 10): `evidence`.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from kernel import Clock, RunFileError
from simulation.storing.library import run_clock
from simulation.storing.runfile import RunFile
from simulation.storing.schema import STEPPED
from simulation.wording import phrase
from town.tree import parts

TABLES = (
    "residents", "places", "acts", "act_ends", "moves", "object_states", "events", "plans", "memories", "retrievals",
    "exposures", "conversations", "utterances", "facts", "interventions", "interviews",
)  # fmt: skip
LEFT_OUT = frozenset({"embedding"})
TRANSCRIPT = "transcript.md"
NETWORK = "network.graphml"
_MARKS = re.compile(r"([\\`*_\[\]<>#|~])")


def export(path: Path, folder: Path) -> list[Path]:
    """Writes CSV files, the transcript and the network into a folder; their paths. Never overwrites.

    Raises RunFileError for a file that is there already or a folder that can't be written.
    """
    targets = [*(folder / f"{table}.csv" for table in TABLES), folder / TRANSCRIPT, folder / NETWORK]
    with RunFile.open(path) as run:
        for target in targets:
            if target.exists():
                raise RunFileError("the file exists already", place=str(target), hint="choose another --out")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            worth = _evidence(run)
            for table, target in zip(TABLES, targets, strict=False):
                _table(run, table, target, worth)
            targets[-2].write_text("\n".join(_transcript(run, worth)) + "\n", encoding="utf-8")
            _network(run, targets[-1], worth)
        except OSError as error:
            raise RunFileError(f"can't be written: {error.strerror}", place=str(folder), hint="choose another --out") from None
    return targets


def _evidence(run: RunFile) -> str:
    from simulation.measures import Reading, evidence

    return str(evidence(Reading(run)))


def _table(run: RunFile, table: str, target: Path, worth: str) -> None:
    clock, committed = run_clock(run), run.committed
    columns = [row[1] for row in run.rows(f"PRAGMA table_info({table})") if row[1] not in LEFT_OUT]
    step = STEPPED.get(table, "step") if "step" in columns else None
    where = f" WHERE {step} < {committed} ORDER BY {step}" if step and table != "interviews" else ""
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*columns, *(["time"] if step else []), "evidence"])
        at = columns.index(step) if step else -1
        for row in run.stream(f"SELECT {', '.join(columns)} FROM {table}{where}"):
            writer.writerow([*row, *([_time(clock, row[at])] if step else []), worth])


def _time(clock: Clock, step: int | None) -> str:
    return "" if step is None or step < 0 else clock.at(step).isoformat(sep=" ")


def _transcript(run: RunFile, worth: str) -> Iterator[str]:
    """Every utterance once: by day, by conversation in order of its first words of the day."""
    clock = run_clock(run)
    yield phrase("export", "title", title=_plain(run.get("title")))
    yield ""
    yield phrase("export", f"evidence_{worth}" if worth in ("offline", "model") else "evidence_other", evidence=worth)
    rows = run.rows(
        "SELECT u.step, u.resident, u.text, u.addressed, u.conversation,"
        " COALESCE((SELECT c.place FROM conversations c WHERE c.id = u.conversation ORDER BY c.step, c.n LIMIT 1), '')"
        " FROM utterances u WHERE u.step < ? ORDER BY u.step, u.resident, u.n",
        (run.committed,),
    )
    for day, spoken in groupby(rows, key=lambda row: clock.day(row[0])):
        talks: dict[str, list[Any]] = {}
        for row in spoken:
            talks.setdefault(row[4], []).append(row)
        first = next(iter(talks.values()))[0][0]
        yield from ("", phrase("export", "day", day=f"{clock.at(first):%A %Y-%m-%d}", number=(day - clock.day(0)).days + 1))
        for talk in talks.values():
            people = list(dict.fromkeys(name for row in talk for name in (row[1], *json.loads(row[3]))))
            where = ", ".join(reversed(parts(talk[0][5])[1:]))
            yield ""
            yield phrase(
                "export", "talk", time=f"{clock.at(talk[0][0]):%H:%M}", people=_plain(", ".join(people)), place=_plain(where)
            )
            yield ""
            for step, who, text, *_ in talk:
                yield phrase("export", "words", time=f"{clock.at(step):%H:%M:%S}", who=_plain(who), text=_plain(text))


def _plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    return _MARKS.sub(r"\\\1", text)


def _network(run: RunFile, target: Path, worth: str) -> None:
    import networkx

    from simulation.measures import Reading, acquaintance

    graph = acquaintance(Reading(run), run.committed)
    graph.graph["evidence"] = worth
    for name, occupation, home in run.rows("SELECT name, occupation, home FROM residents ORDER BY position"):
        graph.nodes[name].update(occupation=occupation, home=home)
    networkx.write_graphml(graph, target)
