"""The exposure study for readers: tables, one figure, Markdown and JSON.

tables(data)               (title, columns, rows) of each table
write_results(data, dir)   writes `exposure.md`, `exposure.json`, `obligations.png`
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from studies.exposure.living import ARMS
from studies.palette import INK, QUIET, SERIES, figure, heading, label_and_save, tidy
from studies.wording import entries, say

WORDS = "exposure"
Data = dict[str, Any]
Table = tuple[str, list[str], list[list[str]]]


def tables(data: Data) -> list[Table]:
    """What was owed; paired outcomes; pairs by obligation. Every row is there, whatever it shows."""
    names = list(data["arms"][ARMS[0]]["obligations"])
    owed = [[name, *(_cell(data["arms"][arm]["obligations"].get(name)) for arm in ARMS)] for name in names]
    differences = data["differences"]
    outcomes = [
        [label, *(_difference(differences[arm]["outcomes"][key]) for arm in ARMS[1:])]
        for key, label in entries(WORDS, "outcome").items()
    ]
    pairs = [
        [name, *(say(WORDS, "pairs", **differences[arm]["obligations"][name]) for arm in ARMS[1:])]
        for name in names
        if all(name in differences[arm]["obligations"] for arm in ARMS[1:])
    ]
    return [
        (say(WORDS, "title", scenario=data["plan"]["scenario"]), entries(WORDS, "columns"), owed),
        (say(WORDS, "outcomes_title"), entries(WORDS, "outcomes_columns"), outcomes),
        (say(WORDS, "pairs_title"), entries(WORDS, "pairs_columns"), pairs),
    ]


def _cell(one: Data | None) -> str:
    if one is None or one["interval"] is None:
        return say(WORDS, "cell_none")
    low, high = one["interval"]
    return say(WORDS, "cell", met=one["met"], scored=one["met"] + one["missed"], low=low, high=high)


def _difference(one: Data | None) -> str:
    if one is None:
        return say(WORDS, "difference_none")
    if one["interval"] is None:
        return say(WORDS, "difference_one", mean=_signed(one["mean"]))
    low, high = one["interval"]
    direction = say(WORDS, f"direction.{one['direction']}")
    p = "-" if one["p"] is None else f"{one['p']:.3f}"
    fields = {"mean": _signed(one["mean"]), "low": _signed(low), "high": _signed(high)}
    return say(WORDS, "difference", **fields, p=p, direction=direction)


def _signed(value: float) -> str:
    """With its sign; hundreds and more without decimals."""
    return f"{value:+.0f}" if abs(value) >= 100 else f"{value:+.2f}"


def notes(data: Data) -> Iterator[str]:
    """What belongs under the tables: consumption, where lives part, what isn't counted, what the intervals are."""
    means = {arm: data["arms"][arm]["mean_per_run"]["bytes"] for arm in ARMS}
    yield say(WORDS, "consumed", **{arm: "-" if mean is None else f"{mean:.0f}" for arm, mean in means.items()})
    for arm in ARMS[1:]:
        found = data["differences"][arm]
        hours = [hour for hour in found["first_difference"] if hour is not None]
        fields = {"arm": arm, "same": found["same_life"], "pairs": found["pairs"]}
        yield say(WORDS, "lives", **fields, hours=statistics.median(hours)) if hours else say(WORDS, "lives_same", **fields)
    if data["invalid"]:
        yield say(WORDS, "invalid_head")
        yield from (say(WORDS, "invalid", **one) for one in data["invalid"])
    tests = sum(len(data["differences"][arm]["outcomes"]) for arm in ARMS[1:])
    yield say(WORDS, "notes", tests=tests)


def about(data: Data) -> str:
    """How many runs, launched and complete, at which caps."""
    keys = ("planned", "launched", "complete")
    return say(WORDS, "about", **{key: data[key] for key in keys}, **data["plan"])


def write_results(data: Data, folder: Path) -> tuple[Path, ...]:
    """Writes over an earlier reading of the same study; the Markdown first."""
    picture = _figure(data, folder / "obligations.png")
    lines = [
        say("common", data["evidence"]),
        "",
        say(WORDS, "markdown_title", scenario=data["plan"]["scenario"]),
        "",
        about(data),
        "",
    ]
    for number, (title, columns, rows) in enumerate(tables(data)):
        lines += ["", title, ""] if number else []
        cells = [*columns, say("report", "evidence")]
        lines += [f"| {' | '.join(row)} |" for row in (cells, ["---"] * len(cells), *([*row, data["evidence"]] for row in rows))]
        if not number:
            lines += ["", f"![{say(WORDS, 'image')}]({picture.name})"]
    lines += ["", *notes(data), ""]
    markdown, written = folder / "exposure.md", folder / "exposure.json"
    markdown.write_text("\n".join(lines), encoding="utf-8")
    written.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return (markdown, written, picture)


def _figure(data: Data, path: Path) -> Path:
    names = list(data["arms"][ARMS[0]]["obligations"])
    made = figure(7.6, 1.5 + 0.75 * max(1, len(names)))
    axes = made.add_subplot()
    tidy(axes, grid="x")
    drawn: set[str] = set()
    for place, arm in enumerate(ARMS):
        for row, name in enumerate(names):
            one = data["arms"][arm]["obligations"].get(name)
            if one is None or one["interval"] is None:
                continue
            y, (low, high) = row + 0.2 * (place - 1), one["interval"]
            axes.plot([low, high], [y, y], color=SERIES[place], linewidth=3, alpha=0.45, solid_capstyle="round")
            axes.scatter([one["rate"]], [y], color=SERIES[place], s=34, zorder=3, label=None if arm in drawn else arm)
            drawn.add(arm)
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.set_xlim(-0.03, 1.03)
    heading(axes, say(WORDS, "plot"))
    if drawn:
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize=8, labelcolor=INK)
    axes.text(0, -0.16, say(WORDS, "plot_key"), transform=axes.transAxes, fontsize=8, color=QUIET, va="top")
    return label_and_save(made, data["evidence"], path)
