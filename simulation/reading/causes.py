"""Why two lives part, as far as the files say; nothing is guessed.

causes(first, second, step)  -> every difference on file that can explain a first difference at `step`, the likeliest first

{"is": "intervention", run, kind, text, where}        a user asked for it in one of them, and it takes effect at that step
{"is": "seed", key, first, second, since}             other dice, from step `since` on
{"is": "model" | "setting" | "code", key, first, second}   how they were made: `key` is the manifest's, or the path
                                                      in the scenario, the people or the map ("scenario.settings.vision_radius")
{"is": "model", "key": "reply", call, first, second}  a model that was asked the same answered otherwise
{"is": "code", "key": "question", call}               it was asked something else though all had been the same before
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from simulation.provenance import changed_files
from simulation.reseeding import seed_at, turns_of
from simulation.storing.runfile import RunFile

SHOWN = 200
"""Characters of a value that are shown."""
MADE = {
    "scenario": "setting",
    "spec.scenario": "setting",
    "spec.people": "setting",
    "spec.map": "setting",
    "minds": "setting",
    "model": "model",
    "models": "model",
    "embedder": "model",
    "hash.wording": "code",
    "created_by": "code",
    "versions": "code",
}
"""Keys of the manifest that make a difference, and what kind of cause they are."""

Cause = dict[str, Any]


def causes(first: RunFile, second: RunFile, step: int) -> list[Cause]:
    """All that is on file, an intervention first, then dice (where they had been thrown), settings, models, code."""
    found = [*_interventions(first, second, step), *_dice(first, second, step), *_made(first, second, step)]
    if not found:  # with other dice the offline model answers otherwise, too: that explains nothing
        found += _answers(first, second, step)
    order = ("intervention", "seed", "setting", "model", "code")
    return sorted(found, key=lambda cause: (cause.get("since", step) > step, order.index(cause["is"])))


def _interventions(first: RunFile, second: RunFile, step: int) -> Iterator[Cause]:
    columns = "kind, text, COALESCE(place, who, '')"
    asked = [run.rows(f"SELECT {columns} FROM interventions WHERE step = ? ORDER BY id", (step,)) for run in (first, second)]
    for run, mine, others in ((first, asked[0], asked[1]), (second, asked[1], asked[0])):
        for kind, text, where in mine:
            if (kind, text, where) not in others:
                yield {"is": "intervention", "run": str(run.path), "kind": kind, "text": text, "where": where}


def _dice(first: RunFile, second: RunFile, step: int) -> Iterator[Cause]:
    turns = [turns_of(run.meta()) for run in (first, second)]
    for since in sorted({since for mine in turns for since, _ in mine if since <= max(step, 0)}):
        one, other = (seed_at(mine, since) for mine in turns)
        if one != other:
            yield {"is": "seed", "key": "seed", "first": str(one), "second": str(other), "since": since}
            return


def _made(first: RunFile, second: RunFile, step: int) -> Iterator[Cause]:
    for key, kind in MADE.items():
        one, other = first.get(key), second.get(key)
        if one == other:
            continue
        files = changed_files(first, second, step) if key == "hash.wording" else []
        if files:
            path, one, other = f"wording: {', '.join(files)}", _short_hash(one), _short_hash(other)
        elif key.startswith("spec.") or key in ("minds", "models", "versions"):
            path, one, other = _deepest(key.removeprefix("spec."), _value(one), _value(other))
        else:
            path = key
        yield {"is": kind, "key": path, "first": _short(one), "second": _short(other)}


def _short_hash(text: str) -> str:
    return text[:12]


def _deepest(path: str, one: Any, other: Any) -> tuple[str, Any, Any]:
    """Goes down to the first part in which two values differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted(one.keys() | other.keys()):
            if one.get(key) != other.get(key):
                return _deepest(f"{path}.{key}", one.get(key), other.get(key))
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, (mine, theirs) in enumerate(zip(one, other, strict=True)):
            if mine != theirs:
                name = mine.get("name", number) if isinstance(mine, dict) else number
                return _deepest(f"{path}.{name}", mine, theirs)
    return path, one, other


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else text[: SHOWN - 1] + "…"


def _answers(first: RunFile, second: RunFile, step: int) -> Iterator[Cause]:
    """The first call, up to the step, that was put or answered differently."""
    sql = (
        "SELECT step, resident, operation, n, request_hash, reply FROM calls WHERE step <= ?"
        " ORDER BY step, resident, operation, n"
    )
    others = {row[:4]: row[4:] for row in second.stream(sql, (step,))}
    for row in first.stream(sql, (step,)):
        there = others.get(row[:4])
        if there is None or there == row[4:]:
            continue
        call = f"{row[1]}/{row[0]}/{row[2]}/{row[3]}"
        if there[0] == row[4]:
            yield {"is": "model", "key": "reply", "call": call, "first": _short(row[5]), "second": _short(there[1])}
        elif row[0] < step:
            yield {"is": "code", "key": "question", "call": call, "first": row[4], "second": there[0]}
        return
