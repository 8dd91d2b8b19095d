"""Each resident's day as a row of coloured bars: what it was spent with, where, and when they talked.

spans(m, name)          (start, end, kind) stretches of a resident's run; kinds as in `palette.KINDS`
timeline(m, ..., path)  one day of everybody
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from simulation.measures import Done, sector_of
from simulation.measures.words import words
from studies.material import Material
from studies.palette import ACCENT, INK, KINDS, QUIET, days, figure, heading, save, tidy
from studies.wording import say

OUTDOORS = frozenset({"street", "park", "square"})
TALK_MINUTES = 4
"""How wide a talk is drawn at least, so that short ones are seen."""


def spans(m: Material, name: str) -> list[tuple[int, int, str]]:
    """What the time was spent with: asleep and eating by the act, the rest by where the body was. Equal neighbours merged."""
    reading = m.reading
    rooms = m.where.rooms[name]
    cuts = sorted(
        {step for act in reading.acts[name] for step in (act.start, act.end)} | {step for s, e, _ in rooms for step in (s, e)}
    )
    acts, places = iter(reading.acts[name]), iter(rooms)
    act: Done | None = next(acts, None)
    place = next(places, None)
    found: list[tuple[int, int, str]] = []
    for start, end in pairwise(cuts):
        while act is not None and act.end <= start:
            act = next(acts, None)
        while place is not None and place[1] <= start:
            place = next(places, None)
        if place is None:
            break
        doing = act if act is not None and act.start <= start else None
        kind = _kind(m, name, doing, place[2])
        if found and found[-1][2] == kind and found[-1][1] == start:
            found[-1] = (found[-1][0], end, kind)
        else:
            found.append((start, end, kind))
    return found


def _kind(m: Material, name: str, act: Done | None, room: str) -> str:
    dweller, sector = m.reading.dwellers[name], sector_of(room)
    if act is not None and act.asleep and sector_of(act.target) == sector:
        return "asleep"
    if act is not None and act.icon in words("meals", "eat_icons") and sector_of(act.target) == sector:
        return "eating"
    if sector == sector_of(dweller.home):
        return "home"
    if dweller.workplace is not None and sector == sector_of(dweller.workplace):
        return "work"
    known = m.reading.places.get(sector)
    return "outdoors" if known is None or known.kind in OUTDOORS else "elsewhere"


def timeline(m: Material, start: int, end: int, path: Path) -> Path:
    """Everybody's steps [start, end) as rows; marks below a row are talks, bands are planned gatherings."""
    from matplotlib.patches import Patch

    reading = m.reading
    made = figure(11.0, 1.5 + 0.27 * len(reading.names))
    axes = made.add_subplot()
    tidy(axes)
    days(axes, m, start, end, every=3, weekdays=False)
    talking = _talks(m)
    for y, name in enumerate(reading.names):
        day = [(max(s, start), min(e, end), kind) for s, e, kind in spans(m, name) if s < end and e > start]
        for kind, colour in KINDS.items():
            axes.broken_barh([(s, e - s) for s, e, k in day if k == kind], (y - 0.3, 0.56), color=colour, linewidth=0, zorder=2)
        marks = [(s, e - s) for s, e in talking[name] if start <= s < end]
        axes.broken_barh(marks, (y + 0.29, 0.15), color=INK, linewidth=0, zorder=3)
    for fact in reading.tracked.values():
        what = fact.gathering
        if what is not None and what.start < end and what.end > start:
            for edge in (what.start, what.end):
                axes.axvline(edge, color=ACCENT, linewidth=0.9, linestyle=(0, (3, 2)), zorder=4)
            axes.text((what.start + what.end) / 2, -0.75, what.name, ha="center", va="bottom", fontsize=8, color=ACCENT)
    axes.set_yticks(range(len(reading.names)), reading.names)
    axes.set_ylim(len(reading.names) - 0.4, -0.8)
    moment = reading.clock.at(start)
    heading(axes, say("report", "plot.day", weekday=f"{moment:%A}", date=f"{moment:%d %B %Y}"))
    handles = [Patch(facecolor=colour, label=say("report", f"plot.kind_{kind}")) for kind, colour in KINDS.items()]
    handles.append(Patch(facecolor=INK, label=say("report", "plot.kind_talk")))
    made.legend(handles=handles, loc="outside lower center", ncols=len(handles), frameon=False, fontsize=8.5, labelcolor=INK,
                handlelength=1, handleheight=1)  # fmt: skip
    axes.tick_params(axis="x", labelcolor=QUIET)
    return save(made, m, path)


def _talks(m: Material) -> dict[str, list[tuple[int, int]]]:
    """(start, end) of each resident's conversations."""
    least = m.reading.clock.steps(minutes=TALK_MINUTES)
    found: dict[str, list[tuple[int, int]]] = {name: [] for name in m.reading.names}
    for lines in m.reading.conversations.values():
        people = dict.fromkeys(name for said in lines for name in (said.speaker, *said.to))
        first, last = lines[0].step, lines[-1].step + 1
        for name in people:
            if name in found:
                found[name].append((first, max(last, first + least)))
    return found
