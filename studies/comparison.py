"""The picture of two lives compared: how far apart they were when, who spent more time where, who knew and met whom.

picture(first, second, found, path)   PNG, with the evidence label in its corner
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from kernel import Clock, RunFileError
from simulation.reading.comparing import Comparison, in_words
from simulation.reading.outcomes import Outcome, apart
from simulation.storing.library import names, run_clock
from simulation.storing.runfile import RunFile
from studies.palette import ACCENT, INK, LINE, MUTED, NIGHT, QUIET, SERIES, figure, heading, label_and_save, tidy
from studies.wording import say
from town.tree import leaf

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLUMNS = 8
"""Places that get a column of their own; what is left is summed up in the last."""
LEAST = 30.0
"""Minutes at which colours are at full strength at the least, so that small differences look small."""
SAMPLES = 400
"""Moments looked at for the curve."""
WRAPPED = 130
"""Characters of the sentence above the curve."""

Grid = list[list[float]]


def picture(first: RunFile, second: RunFile, found: Comparison, path: Path) -> Path:
    """Draws what `compare` found. Raises RunFileError when the picture can't be written."""
    people = [name for name in names(first) if name in names(second)] or names(first)
    tall = 0.24 * len(people)
    made = figure(11.0, 4.6 + tall)
    title = first.get("title")
    if found.lives is None:
        made.suptitle(say("comparison", "title_same", title=title, time=found.end), fontsize=12, color=INK, fontweight="bold")
    else:
        made.suptitle(say("comparison", "title", title=title, time=found.time[:16]), fontsize=12, color=INK, fontweight="bold")
        grid = made.add_gridspec(2, 2, height_ratios=(2.2, 1.6 + tall), width_ratios=(2.4, 1.0))
        _curve(made.add_subplot(grid[0, :]), run_clock(first), found, len(people))
        _stays(made.add_subplot(grid[1, 0]), _homes(first), found, people)
        _known(made.add_subplot(grid[1, 1]), found.lives, people)
    runs = say("comparison", "runs", first=Path(found.runs[0]).name, second=Path(found.runs[1]).name)
    made.text(0.006, 0.004, runs, fontsize=6.5, color=QUIET)
    try:
        return label_and_save(made, found.evidence, path)
    except OSError as error:
        raise RunFileError(f"can't be written: {error.strerror}", place=str(path), hint="choose another --out") from None


def _homes(run: RunFile) -> dict[str, str]:
    from simulation.measures import sector_of

    return {name: sector_of(home) for name, home in run.rows("SELECT name, home FROM residents")}


def _curve(axes: Axes, clock: Clock, found: Comparison, people: int) -> None:
    """How many are in another room than in the other life, over the time since they parted."""
    assert found.lives is not None
    one, other = found.lives
    since, until = one.since, max(found.until, one.since + 1)
    stride = max(1, (until - since) // SAMPLES)
    steps = list(range(since, until, stride))
    tidy(axes, grid="y")
    axes.fill_between(
        steps, [len(apart(one, other, step)) for step in steps], color=SERIES[0], alpha=0.85, linewidth=0, step="post"
    )
    hour = clock.steps(hours=1)
    every = hour * max(1, round((until - since) / hour / 10))
    first = clock.step_on(clock.day(since), 0)
    ticks = [step for step in range(first, until + 1, every) if step >= since]
    axes.set_xticks(ticks, [f"{clock.at(step):%a %H:%M}" for step in ticks])
    for night in range(first, until, 24 * hour):
        for start, end in ((night, night + 6 * hour), (night + 22 * hour, night + 24 * hour)):
            if max(start, since) < min(end, until):
                axes.axvspan(max(start, since), min(end, until), color=NIGHT, linewidth=0, zorder=0)
    axes.axvline(since, color=ACCENT, linewidth=1.4)
    why = in_words(found.cause) if found.cause is not None else say("comparison", "unknown")
    axes.text(0.006, 0.97, _short(why), transform=axes.transAxes, fontsize=8, color=ACCENT, va="top")
    axes.set_xlim(since, until)
    axes.set_ylim(0, people)
    axes.set_yticks(range(0, people + 1, max(1, people // 5)))
    axes.set_ylabel(say("comparison", "apart_axis", people=people), fontsize=8, color=QUIET)
    heading(axes, say("comparison", "apart"))


def _short(text: str) -> str:
    return text if len(text) <= WRAPPED else text[: WRAPPED - 1] + "…"


def _stays(axes: Axes, homes: dict[str, str], found: Comparison, people: list[str]) -> None:
    """Minutes more in the second life, a row per resident, a column per place (own homes are one)."""
    assert found.lives is not None
    labels, grid = _minutes(found.lives, homes, people)
    most = max(LEAST, *(abs(value) for row in grid for value in row))
    axes.imshow(grid, cmap="PuOr_r", vmin=-most, vmax=most, aspect="auto")
    for y, row in enumerate(grid):
        for x, value in enumerate(row):
            if abs(value) >= 1:
                colour = "white" if abs(value) > 0.65 * most else INK
                axes.text(x, y, f"{value:+.0f}", ha="center", va="center", fontsize=7.5, color=colour)
    tidy(axes)
    axes.set_xticks(range(len(labels)), labels, rotation=22, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(people)), people)
    _lines(axes, len(labels), len(people))
    heading(axes, say("comparison", "went"))


def _minutes(lives: tuple[Outcome, Outcome], homes: dict[str, str], people: list[str]) -> tuple[list[str], Grid]:
    """Column labels, and the differences row by row; the places that differ most first."""
    home, rest = say("comparison", "home"), say("comparison", "elsewhere")
    rows: list[dict[str, float]] = []
    for name in people:
        mine: dict[str, float] = {}
        for life, sign in zip(lives, (-1, 1), strict=True):
            for place, minutes in life.minutes.get(name, {}).items():
                label = home if place == homes.get(name) else leaf(place)
                mine[label] = mine.get(label, 0.0) + sign * minutes
        rows.append(mine)
    total: dict[str, float] = {}
    for row in rows:
        for label, minutes in row.items():
            total[label] = total.get(label, 0.0) + abs(minutes)
    order = sorted(total, key=lambda label: (-total[label], label))
    shown = [label for label in order[:COLUMNS] if total[label] >= 1] or order[:1]
    left = [label for label in order if label not in shown and total[label] >= 1]
    grid = [
        [row.get(label, 0.0) for label in shown] + ([sum(row.get(label, 0.0) for label in left)] if left else []) for row in rows
    ]
    return [*shown, *([rest] if left else [])], grid


def _known(axes: Axes, lives: tuple[Outcome, Outcome], people: list[str]) -> None:
    """A row per resident, a column per tracked fact: known at the end of both lives, of one, of neither."""
    from matplotlib.lines import Line2D

    facts = sorted(lives[0].knew.keys() | lives[1].knew.keys())
    looks: dict[str, dict[str, Any]] = {
        "both": {"color": MUTED, "marker": "o"},
        "first": {"color": SERIES[3], "marker": "<"},
        "second": {"color": SERIES[1], "marker": ">"},
    }
    for key, look in looks.items():
        spots = [
            (x, y)
            for x, fact in enumerate(facts)
            for y, name in enumerate(people)
            if _which(name in lives[0].knew.get(fact, {}), name in lives[1].knew.get(fact, {})) == key
        ]
        axes.scatter([x for x, _ in spots], [y for _, y in spots], s=34, linewidths=0, zorder=3, **look)
    tidy(axes)
    _lines(axes, len(facts), len(people))
    axes.set_xticks(range(len(facts)), facts, rotation=22, ha="right", rotation_mode="anchor")
    axes.set_yticks([])
    axes.set_xlim(-0.5, max(len(facts), 1) - 0.5)
    axes.set_ylim(len(people) - 0.5, -0.5)
    handles = [Line2D([], [], linestyle="", markersize=6, label=say("comparison", key), **look) for key, look in looks.items()]
    axes.legend(handles=handles, loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, fontsize=8, labelcolor=INK,
                handletextpad=0.1)  # fmt: skip
    heading(axes, say("comparison", "knew"))


def _which(here: bool, there: bool) -> str:
    return "both" if here and there else "first" if here else "second" if there else "neither"


def _lines(axes: Axes, columns: int, rows: int) -> None:
    """Light lines between rows and columns."""
    for x in range(columns + 1):
        axes.axvline(x - 0.5, color=LINE, linewidth=0.6)
    for y in range(rows + 1):
        axes.axhline(y - 0.5, color=LINE, linewidth=0.6)
