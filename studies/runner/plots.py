"""The plots of a study: ratings with intervals, by category, and mean ranks by resident.

ratings(data, path)   categories(data, path)   residents(data, path)
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from studies.palette import INK, LINE, QUIET, SERIES, figure, heading, label_and_save, tidy
from studies.runner.tables import condition_words
from studies.wording import say

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Data = Mapping[str, Any]
GREY = "#9aa1ab"


def colours(data: Data) -> dict[str, str]:
    """A colour for each condition, the same in all plots."""
    return {name: SERIES[i % len(SERIES)] for i, name in enumerate(data["conditions"])}


def ratings(data: Data, path: Path) -> Path:
    """A dot with its interval per condition, best on top."""
    order = [name for name in data["order"] if data["conditions"][name]["n"]]
    made = figure(7.2, 0.9 + 0.5 * max(len(order), 2))
    axes = made.add_subplot()
    tidy(axes, grid="x")
    for place, name in enumerate(reversed(order)):
        one = data["conditions"][name]
        _interval(axes, one, place, colours(data)[name])
        axes.annotate(
            f"{one['mu']:.2f}", (one["mu"], place), (0, 7), textcoords="offset points", ha="center", fontsize=8, color=INK
        )
    axes.set_yticks(range(len(order)), [condition_words(name) for name in reversed(order)])
    axes.set_ylim(-0.6, len(order) - 0.3)
    axes.set_xlabel(_axis(data), fontsize=8, color=QUIET, loc="left")
    heading(axes, say("study", "ratings.title"))
    return label_and_save(made, data["evidence"], path)


def categories(data: Data, path: Path) -> Path:
    """The same for each category, the conditions beside each other."""
    names = list(data["conditions"])
    groups = list(data["categories"])
    made = figure(8.4, 0.9 + 0.22 * len(names) * max(len(groups), 1) + 0.2 * len(groups))
    axes = made.add_subplot()
    tidy(axes, grid="x")
    step = 0.8 / max(len(names), 1)
    for row, group in enumerate(reversed(groups)):
        for i, name in enumerate(names):
            one = data["categories"][group]["conditions"].get(name)
            if one and one["n"]:
                _interval(axes, one, row + 0.4 - step * (i + 0.5), colours(data)[name], size=5)
        axes.axhline(row - 0.5, color=LINE, linewidth=0.6)
    axes.set_yticks(range(len(groups)), list(reversed(groups)))
    axes.set_ylim(-0.5, max(len(groups), 1) - 0.5)
    axes.set_xlabel(_axis(data), fontsize=8, color=QUIET, loc="left")
    handles = [axes.plot([], [], "o", color=colours(data)[name], label=condition_words(name), markersize=5)[0] for name in names]
    made.legend(handles=handles, loc="outside lower center", ncols=min(len(names), 3), frameon=False, fontsize=8, labelcolor=INK)
    heading(axes, say("study", "categories.title"))
    return label_and_save(made, data["evidence"], path)


def residents(data: Data, path: Path) -> Path:
    """Mean rank of each condition, a line per resident."""
    people = sorted(data["residents"], reverse=True)
    names = list(data["conditions"])
    made = figure(7.2, 1.3 + 0.24 * max(len(people), 3))
    axes = made.add_subplot()
    tidy(axes, grid="x")
    offset = 0.5 / max(len(names), 1)
    for row, who in enumerate(people):
        axes.axhline(row, color=LINE, linewidth=0.5, zorder=0)
        for i, name in enumerate(names):
            rank = data["residents"][who].get(name)
            if rank is not None:  # conditions that rank alike lie beside each other, not on each other
                axes.plot(rank, row + 0.25 - offset * i, "o", color=colours(data)[name], markersize=4.5, linestyle="")
    axes.set_yticks(range(len(people)), people)
    axes.set_ylim(-0.7, len(people) - 0.3)
    axes.set_xlim(0.8, len(names) + 0.2)
    handles = [axes.plot([], [], "o", color=colours(data)[name], label=condition_words(name), markersize=5)[0] for name in names]
    made.legend(handles=handles, loc="outside lower center", ncols=min(len(names), 3), frameon=False, fontsize=8, labelcolor=INK)
    heading(axes, say("study", "residents.title"))
    return label_and_save(made, data["evidence"], path)


def _axis(data: Data) -> str:
    note = f" ({say('study', 'table_note')})" if data["judge"] == "grounding" else ""
    return say("study", "ratings.axis") + note


def _interval(axes: Axes, one: Mapping[str, float], y: float, colour: str, size: float = 7) -> None:
    axes.plot([one["low"], one["high"]], [y, y], color=colour, linewidth=2, solid_capstyle="round")
    axes.plot(one["mu"], y, "o", color=colour, markersize=size, markeredgecolor="white", markeredgewidth=0.8)
