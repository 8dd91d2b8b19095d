"""Two figures of the catchment: the reserve by decision, and what each selector showed at each decision.

reserve(episodes, evidence, path)    one line per distinct course; conditions of equal course share it
shown(episodes, evidence, path)      a panel per condition: experiences by decision, shown or left out
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from studies.catchment.episode import Episode
from studies.catchment.records import stalled_collect
from studies.catchment.world import DECISIONS
from studies.palette import ACCENT, INK, LINE, MUTED, QUIET, SERIES, figure, heading, label_and_save, tidy
from studies.wording import say

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WORDS = "obligation"


def reserve(episodes: Mapping[str, Episode], evidence: str, path: Path) -> Path:
    """The courses of the reserve; each labelled with its conditions, met ones in front."""
    made = figure(8.6, 4.4)
    axes = made.add_subplot()
    tidy(axes, grid="y")
    rules = next(iter(episodes.values())).rules
    courses: dict[tuple[int, ...], list[str]] = {}
    for name, episode in episodes.items():
        courses.setdefault(tuple(state.reserve for state in episode.states), []).append(name)
    order = sorted(courses, key=lambda course: (course[-1], course))
    axes.axhline(rules.target, color=ACCENT, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    axes.text(8, rules.target + 0.12, say(WORDS, "plot.target", target=rules.target), color=ACCENT, fontsize=8)
    shift = 0.05 * (len(order) - 1)
    for place, course in enumerate(order):
        colour = SERIES[(len(order) - 1 - place) % len(SERIES)]
        heights = [value - shift + 0.1 * place for value in course]
        axes.plot(range(DECISIONS + 1), heights, color=colour, linewidth=2, zorder=2 + place, label="\n".join(courses[course]))
        episode = episodes[courses[course][0]]
        cleared = [one.decision for one in episode.decisions if one.action == "clear"]
        axes.scatter(
            cleared, [heights[at] for at in cleared], s=90, facecolors="none", edgecolors=colour, linewidths=1.6, zorder=9
        )
    for after in rules.rain_after:
        axes.annotate("", (after + 0.5, -0.55), xytext=(after + 0.5, 0.15), arrowprops={"arrowstyle": "->", "color": SERIES[0]})
    axes.set_xticks(range(DECISIONS + 1), [*map(str, range(DECISIONS)), say(WORDS, "plot.end")])
    axes.set_xlim(-0.4, DECISIONS + 0.2)
    axes.set_ylim(-0.6, rules.reserve_cap + 0.6)
    axes.set_xlabel(say(WORDS, "plot.decision"), fontsize=8.5, color=INK)
    heading(axes, say(WORDS, "plot.reserve"))
    handles, labels = axes.get_legend_handles_labels()
    axes.legend(
        handles[::-1], labels[::-1], loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize=8, labelspacing=1.1,
        labelcolor=INK,
    )  # fmt: skip
    axes.text(0, -0.2, say(WORDS, "plot.reserve_key"), transform=axes.transAxes, fontsize=8, color=QUIET)
    return label_and_save(made, evidence, path)


def shown(episodes: Mapping[str, Episode], evidence: str, path: Path) -> Path:
    """A panel for each condition whose policy isn't a bare schedule."""
    drawn = {name: one for name, one in episodes.items() if not name.startswith("literal-")} or dict(episodes)
    across, down = 2, -(-len(drawn) // 2)
    made = figure(10.4, 0.9 + 3.3 * down)
    made.set_layout_engine(None)  # four panels of one shape need no solver, which takes most of a second
    made.subplots_adjust(left=0.06, right=0.99, bottom=0.24 / down, top=1 - 0.2 / down, hspace=0.26, wspace=0.1)
    for number, (name, episode) in enumerate(drawn.items(), 1):
        axes = made.add_subplot(down, across, number)
        _panel(axes, name, episode)
        if number % across == 1:
            axes.set_ylabel(say(WORDS, "plot.remembered"), fontsize=8.5, color=INK)
        if number > len(drawn) - across:
            axes.set_xlabel(say(WORDS, "plot.actions"), fontsize=8.5, color=INK)
    made.suptitle(say(WORDS, "plot.shown"), x=0.01, ha="left", fontsize=11, color=INK, fontweight="bold")
    made.supxlabel(say(WORDS, "plot.shown_key"), x=0.01, ha="left", fontsize=8, color=QUIET)
    return label_and_save(made, evidence, path)


def _panel(axes: Axes, name: str, episode: Episode) -> None:
    tidy(axes)
    stalled = {one.decision for one in episode.archive if stalled_collect(one)}
    dots: dict[tuple[bool, bool], list[tuple[int, int]]] = {}
    for row in episode.decisions:
        seen = set(row.selection.decisions)
        for past in range(row.decision):
            dots.setdefault((past in seen, past in stalled), []).append((row.decision, past))
    for (full, red), places in dots.items():
        colour = ACCENT if red else SERIES[0] if full else MUTED
        size, alpha = (42, 1.0) if full else (9, 0.45)
        across, up = [x for x, _ in places], [y for _, y in places]
        axes.scatter(across, up, s=size, color=colour, linewidths=0, alpha=alpha, zorder=3)
    axes.axvspan(4.5, 5.5, color=LINE, alpha=0.45, linewidth=0, zorder=0)
    labels = [f"{row.decision}\n{say(WORDS, f'plot.short.{row.action}')}" for row in episode.decisions]
    axes.set_xticks(range(len(labels)), labels)
    axes.set_yticks(range(0, DECISIONS - 1, 2))
    axes.set_xlim(-0.6, DECISIONS - 0.4)
    axes.set_ylim(-0.7, DECISIONS - 1.3)
    verdict = say(WORDS, f"verdict.{episode.verdict}")
    axes.set_title(say(WORDS, "plot.panel", condition=name, verdict=verdict), loc="left", fontsize=9, color=INK)
