"""The report of a run: Markdown with tables and plots, and the same figures as JSON, in a folder of their own.

    write_report(run, folder)    writes and gives the paths, the Markdown first
    report_folder(run)           where it goes by default: beside the run file

A folder written before is written over, file by file; nothing else in it is touched.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from simulation.measures import attendance
from simulation.storing.runfile import RunFile
from studies import sections
from studies.material import Material, gather
from studies.wording import say

MARKDOWN, JSON = "report.md", "report.json"


def report_folder(run: Path) -> Path:
    """`runs/NAME.town` -> `runs/NAME-report`."""
    return run.with_name(f"{run.stem}-report")


def write_report(run: RunFile, folder: Path) -> tuple[Path, ...]:
    """Measures a run and writes its report. Raises OSError when the folder can't be written."""
    return write(gather(run), folder)


def write(m: Material, folder: Path) -> tuple[Path, ...]:
    """As `write_report`, from what has been read already."""
    folder.mkdir(parents=True, exist_ok=True)
    writer = _Writer(m, folder)
    text = "\n".join(writer.lines())
    markdown, data = folder / MARKDOWN, folder / JSON
    markdown.write_text(text, encoding="utf-8")
    data.write_text(json.dumps(m.data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return (markdown, data, *writer.pictures)


class _Writer:
    """Draws the plots as the text comes to them."""

    def __init__(self, m: Material, folder: Path) -> None:
        self.m = m
        self.folder = folder
        self.pictures: list[Path] = []

    def lines(self) -> Iterator[str]:
        """The whole report."""
        from studies import plots

        m = self.m
        yield from (m.evidence_line(), "", say("report", "title", title=m.data["title"]), "", self._about(), "")
        yield from sections.short(m)
        yield from (say("report", "news.head"), "")
        if m.reading.tracked:
            yield from self._image(plots.news(m, self.folder / "news.png"), say("report", "news.alt"))
            yield from sections.news(m)
        else:
            yield from (say("report", "news.none"), "")
        yield from (say("report", "network.head"), "", say("report", "network.text"), "")
        yield from self._image(plots.network(m, self.folder / "network.png"), say("report", "network.alt"))
        if m.data["gatherings"]:
            yield from (say("report", "gatherings.head"), "")
        for name in m.data["gatherings"]:
            found = attendance(m.reading, m.where, m.reading.tracked[name])
            picture = plots.attendance_of(m, found, self.folder / f"gathering-{_file_name(name)}.png") if found.begun else None
            if picture is not None:
                self.pictures.append(picture)
            yield from sections.gathering(m, name, picture.name if picture is not None else None)
        yield from sections.obligations(m)
        yield from self._days()
        yield from sections.talk(m)
        yield from sections.reflection(m)
        yield from sections.odd(m, JSON)
        yield from (say("report", "calls.head"), "")
        yield from self._image(plots.calls(m, self.folder / "calls.png"), say("report", "calls.alt"))
        yield from sections.calls(m)

    def _about(self) -> str:
        data, clock = self.m.data, self.m.reading.clock
        start, end = (f"{clock.at(step):%Y-%m-%d %H:%M}" for step in (0, data["steps"]))
        about = {**data, "start": start, "end": end, "days": data["game_days"], "json": JSON}
        return say("report", "about", **about)

    def _days(self) -> Iterator[str]:
        from studies.timeline import timeline

        yield from (say("report", "days.head"), "")
        for number, (start, end) in enumerate(self.m.reading.days(), 1):
            weekday = f"{self.m.reading.clock.at(start):%A}"
            picture = timeline(self.m, start, end, self.folder / f"day-{number}.png")
            yield from self._image(picture, say("report", "days.alt", weekday=weekday))

    def _image(self, path: Path | None, alt: str) -> list[str]:
        if path is None:
            return []
        self.pictures.append(path)
        return sections.image(alt, path.name)


def _file_name(name: str) -> str:
    """A scenario's name for a fact as part of a file's name."""
    return "".join(letter if letter.isalnum() or letter in "-_" else "-" for letter in name)
