"""What was said, as Markdown: by day, by conversation in order of its first words of the day; every utterance once.

transcript(run, worth)   lines
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from simulation.storing.library import run_clock
from simulation.storing.runfile import RunFile
from simulation.wording import phrase
from town.tree import parts

_MARKS = re.compile(r"([\\`*_\[\]<>#|~])")


def transcript(run: RunFile, worth: str) -> Iterator[str]:
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
