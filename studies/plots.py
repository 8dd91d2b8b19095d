"""The plots of a report, each from what was read of a run.

    news(m, path)           how many knew each tracked fact, over time
    network(m, path)        who knew whom, at the start and at the end
    attendance_of(...)      who was at a gathering, from when to when
    calls(m, path)          questions to the model by operation
(timelines of days: `timeline`)
"""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulation.measures import Attendance, Learned, acquaintance, sector_of, spread
from studies.material import Material
from studies.palette import ACCENT, INK, LINE, MUTED, NIGHT, QUIET, SERIES, days, figure, heading, save, tidy
from studies.wording import say

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def news(m: Material, path: Path) -> Path:
    """Steps up as people learn; each line labelled at its end. All learned from the start count from step 0."""
    people, end = len(m.reading.names), m.reading.committed
    made = figure(8.4, 3.4)
    axes = made.add_subplot()
    tidy(axes, grid="y")
    days(axes, m, 0, end)
    labels: list[tuple[float, str, str]] = []
    for colour, (name, fact) in zip(_cycle(SERIES), m.reading.tracked.items(), strict=False):
        learned = spread(m.reading, fact.id)
        x, y = _steps(learned, end)
        axes.plot(x, y, color=colour, linewidth=2, drawstyle="steps-post", solid_capstyle="butt")
        second = [one for one in learned if one.hand == "second"]
        at = {id(one): i + 1 for i, one in enumerate(learned)}
        axes.scatter([max(one.step, 0) for one in second], [at[id(one)] for one in second], s=14, color="white",
                     edgecolors=colour, linewidths=1.2, zorder=3)  # fmt: skip
        labels.append((len(learned), name, colour))
    for y_at, (known, name, colour) in zip(_apart([label[0] for label in labels], people * 0.075), labels, strict=True):
        text = say("report", "plot.news_label", name=name, known=round(known))
        axes.annotate(text, (end, y_at), xytext=(6, 0), textcoords="offset points", color=colour, fontsize=9, va="center",
                      fontweight="bold", annotation_clip=False)  # fmt: skip
    axes.set_ylim(0, people + 0.8)
    axes.set_yticks(range(0, people + 1, 5 if people > 8 else 1))
    heading(axes, say("report", "plot.news", people=people))
    axes.text(0, -0.22, say("report", "plot.news_key"), transform=axes.transAxes, fontsize=8, color=QUIET)
    return save(made, m, path)


def _cycle(values: tuple[str, ...]) -> Any:
    while True:
        yield from values


def _steps(learned: list[Learned], end: int) -> tuple[list[int], list[int]]:
    x, y = [0], [0]
    for number, one in enumerate(learned, 1):
        x.append(max(one.step, 0))
        y.append(number)
    return [*x, end], [*y, y[-1]]


def _apart(heights: list[float], least: float) -> list[float]:
    """The heights, moved so that no two are nearer than `least`; order kept."""
    order = sorted(range(len(heights)), key=lambda i: (heights[i], i))
    moved = list(heights)
    for below, above in pairwise(order):
        moved[above] = max(moved[above], moved[below] + least)
    return moved


def network(m: Material, path: Path) -> Path:
    """Both panels on one circle, people of a household side by side; mutual acquaintance as lines, new ones in colour."""
    start, end = acquaintance(m.reading, 0), acquaintance(m.reading, m.reading.committed)
    order = sorted(m.reading.names, key=lambda name: (m.reading.dwellers[name].home.split(" : ")[1:2], name))
    angle = {name: 2 * math.pi * i / len(order) + math.pi / 2 for i, name in enumerate(order)}
    before = {tuple(sorted(edge)) for edge in start.edges if start.has_edge(edge[1], edge[0])}
    after = {tuple(sorted(edge)) for edge in end.edges if end.has_edge(edge[1], edge[0])}
    made = figure(12.6, 6.6)
    for number, (key, edges, share) in enumerate((("start", before, "start"), ("end", after, "end")), 1):
        axes = made.add_subplot(1, 2, number)
        _circle(axes, angle, sorted(edges), before)
        pairs = say("report", f"plot.network_{key}", pairs=len(edges), density=m.data["density"][share])
        axes.set_title(pairs, fontsize=10.5, color=INK, fontweight="bold", pad=4)
    made.text(0.5, 0.01, say("report", "plot.network_key"), ha="center", fontsize=8, color=QUIET)
    return save(made, m, path)


def _circle(axes: Axes, angle: dict[str, float], edges: list[tuple[str, ...]], before: set[tuple[str, ...]]) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path as Curve

    axes.set_aspect("equal")
    axes.axis("off")
    axes.set_xlim(-1.55, 1.55)
    axes.set_ylim(-1.5, 1.5)
    spot = {name: (math.cos(a), math.sin(a)) for name, a in angle.items()}
    degree = dict.fromkeys(angle, 0)
    for a, b in sorted(edges, key=lambda edge: edge in before):
        degree[a] += 1
        degree[b] += 1
        old = (a, b) in before
        curve = Curve([spot[a], _bend(spot[a], spot[b]), spot[b]], [Curve.MOVETO, Curve.CURVE3, Curve.CURVE3])
        axes.add_patch(
            PathPatch(
                curve,
                fill=False,
                edgecolor=SERIES[0] if old else SERIES[1],
                linewidth=1.1 if old else 0.7,
                alpha=0.8 if old else 0.42,
            )
        )
    for name, (x, y) in spot.items():
        axes.scatter([x], [y], s=22 + 5 * degree[name], color="white", edgecolors=INK, linewidths=1.1, zorder=3)
        turned = math.degrees(angle[name]) % 360
        left = 90 < turned < 270
        axes.text(x * 1.09, y * 1.09, name, rotation=turned + 180 if left else turned, rotation_mode="anchor", fontsize=8,
                  color=INK, ha="right" if left else "left", va="center")  # fmt: skip


def _bend(a: tuple[float, float], b: tuple[float, float]) -> tuple[float, float]:
    """Where a chord is drawn to: neighbours' chords stay near the rim, opposites' pass near the middle."""
    x, y = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
    inward = 0.86 - 0.5 * math.dist(a, b) / 2
    return x * inward, y * inward


def attendance_of(m: Material, found: Attendance, path: Path) -> Path | None:
    """Who was in the place from an hour before to an hour after, the host first, then in order of coming; None if nobody."""
    what, hour = found.gathering, m.reading.clock.steps(hours=1)
    since, until = max(0, what.start - hour), min(what.end + hour, m.reading.committed)
    sector = sector_of(what.place)
    rows: list[tuple[int, str, list[tuple[int, int]]]] = []
    for name in m.reading.names:
        spans = [
            (max(start, since), min(end, until)) for start, end, room in m.where.rooms[name]
            if sector_of(room) == sector and start < until and end > since
        ]  # fmt: skip
        if spans and (name == what.host or name in found.came or name in found.promised):
            rows.append((-1 if name == what.host else spans[0][0], name, spans))
    absent = [name for name in found.promised if all(name != row[1] for row in rows)]
    if not rows or since >= until:
        return None
    rows.sort()
    rows += [(until, name, []) for name in absent]
    made = figure(8.4, 1.1 + 0.24 * len(rows))
    axes = made.add_subplot()
    tidy(axes)
    axes.axvspan(what.start, what.end, color=NIGHT, linewidth=0, zorder=0)
    for y, (_, name, spans) in enumerate(rows):
        axes.axhline(y, color=LINE, linewidth=0.5, zorder=1)
        colour = ACCENT if name == what.host else SERIES[2] if name in found.promised else SERIES[4]
        axes.broken_barh([(start, end - start) for start, end in spans], (y - 0.32, 0.64), color=colour, linewidth=0, zorder=2)
    axes.set_yticks(range(len(rows)), [name for _, name, _ in rows])
    axes.invert_yaxis()
    half = max(1, hour // 2)
    ticks = list(range(since, until + 1, half))
    axes.set_xticks(ticks, [f"{m.reading.clock.at(tick):%H:%M}" for tick in ticks])
    axes.set_xlim(since, until)
    heading(axes, say("report", "plot.attendance", name=what.name, place=m.place(what.place)))
    _legend(
        made,
        {say("report", "plot.host"): ACCENT, say("report", "plot.promised"): SERIES[2], say("report", "plot.unasked"): SERIES[4]},
    )
    return save(made, m, path)


def _legend(made: Figure, entries: dict[str, str]) -> None:
    from matplotlib.patches import Patch

    handles = [Patch(facecolor=colour, label=label) for label, colour in entries.items()]
    made.legend(handles=handles, loc="outside lower center", ncols=len(handles), frameon=False, fontsize=8.5, labelcolor=INK,
                handlelength=1, handleheight=1)  # fmt: skip


def calls(m: Material, path: Path) -> Path | None:
    """Bars by operation, the part that fell back in the accent colour; None when nothing was asked."""
    rows = sorted(m.data["calls"].items(), key=lambda item: (-item[1]["count"], item[0]))
    if not rows:
        return None
    made = figure(7.2, 0.9 + 0.28 * len(rows))
    axes = made.add_subplot()
    tidy(axes)
    most = max(row["count"] for _, row in rows)
    for y, (_, row) in enumerate(rows):
        axes.barh(y, row["count"], height=0.62, color=MUTED)
        axes.barh(y, row["fallbacks"], height=0.62, color=ACCENT)
        label = "plot.calls_fallbacks" if row["fallbacks"] else "plot.calls_count"
        text = say("report", label, count=row["count"], fallbacks=row["fallbacks"])
        axes.text(row["count"] + most * 0.012, y, text, va="center", fontsize=8, color=INK)
    axes.set_yticks(range(len(rows)), [name for name, _ in rows])
    axes.set_xticks([])
    axes.set_xlim(0, most * 1.25)
    axes.invert_yaxis()
    heading(axes, say("report", "plot.calls"))
    return save(made, m, path)
