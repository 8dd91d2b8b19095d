"""How plots look: one muted palette, one hand for axes, one way to write a figure to a file.

figure(width, height)   a figure with our type and ground (inches); matplotlib is imported here, not before
tidy(axes)              no frame, quiet ticks
days(axes, material)    a time axis: midnights labelled with weekdays, nights shaded
save(figure, m, path)   PNG, the same bytes for the same figure; `label_and_save` for what isn't one run
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from studies.wording import say

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from studies.material import Material

INK, QUIET, LINE, GROUND, NIGHT = "#2f3440", "#7b818c", "#d5d8de", "#ffffff", "#f1f2f5"
SERIES = ("#4f7396", "#b8734f", "#6f8f63", "#8a76a3", "#b59a4a", "#5a9490")
"""Blue, clay, sage, violet, ochre, teal: for things told apart, in this order."""
ACCENT, MUTED = "#b5533c", "#b9c2cc"
KINDS = {
    "asleep": "#d9dee6",
    "home": "#c8b795",
    "work": "#4f7396",
    "eating": "#c98f5a",
    "outdoors": "#8fae7f",
    "elsewhere": "#9a8bb3",
}
"""What a stretch of a day is spent with or where, for the timelines; the key's label is in `wording/report.yaml`."""


def figure(width: float, height: float) -> Figure:
    """An empty figure."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure as Empty

    made = Empty(figsize=(width, height), dpi=130, facecolor=GROUND, layout="constrained")
    FigureCanvasAgg(made)
    return made


def tidy(axes: Axes, *, grid: Literal["x", "y"] | None = None) -> None:
    """Takes the frame away; `grid` "x" or "y" draws light lines across."""
    axes.set_facecolor(GROUND)
    for side in axes.spines.values():
        side.set_visible(False)
    axes.tick_params(length=0, labelsize=8, labelcolor=INK)
    if grid is not None:
        axes.grid(axis=grid, color=LINE, linewidth=0.6)
        axes.set_axisbelow(True)


def heading(axes: Axes, text: str) -> None:
    """A title at the left edge."""
    axes.set_title(text, loc="left", fontsize=10.5, color=INK, fontweight="bold", pad=10)


def days(axes: Axes, m: Material, start: int, end: int, *, every: int = 6, weekdays: bool = True) -> None:
    """Ticks `every` so many hours on an axis of steps, weekdays at midnight, nights (22 to 6) shaded."""
    clock = m.reading.clock
    hour = clock.steps(hours=1)
    ticks, labels = [], []
    at = clock.step_on(clock.day(start), 0)
    while at <= end:
        if at >= start:
            moment = clock.at(at)
            ticks.append(at)
            labels.append(f"{moment:%H:%M}\n{moment:%A}" if weekdays and moment.hour == 0 and at < end else f"{moment:%H:%M}")
        if clock.at(at).hour == 0:
            for since, until in ((at, at + 6 * hour), (at + 22 * hour, at + 24 * hour)):
                if max(since, start) < min(until, end):
                    axes.axvspan(max(since, start), min(until, end), color=NIGHT, linewidth=0, zorder=0)
        at += every * hour
    axes.set_xticks(ticks, labels)
    axes.set_xlim(start, end)


def save(made: Figure, m: Material, path: Path) -> Path:
    """Writes a figure of a run, with the run's evidence label in its corner."""
    return label_and_save(made, m.data["evidence"], path)


def label_and_save(made: Figure, evidence: str, path: Path) -> Path:
    """Writes a figure, with the evidence label in its corner (design rule 10)."""
    made.text(0.995, 0.996, say("common", f"label_{evidence}"), ha="right", va="top", fontsize=6.5, color=QUIET)
    made.savefig(path, format="png", facecolor=GROUND, metadata={"Software": None})
    return path
