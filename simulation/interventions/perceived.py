"""Interventions as a user reads them: who asked what and when, what came of it, and who noticed it first.

listing(run)                -> [Intervention], in order of asking
first_perceivers(run, id)   (resident, step) of everybody who noticed one with their own senses
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kernel import dumps
from simulation.storing.library import run_clock
from simulation.storing.runfile import RunFile
from simulation.wording import phrase

_NOTICED = """
    SELECT m.resident, MIN(m.step) FROM memories m, interventions i WHERE i.id = ? AND m.step >= i.step
    AND m.resident IN (SELECT name FROM residents) AND (
        (i.kind = 'voice' AND m.tag = 'voice' AND m.resident = i.who AND m.step = i.step)
        OR (i.kind = 'event' AND m.tag = 'event' AND m.address = i.place AND instr(m.text, i.text))
        OR (i.kind = 'object' AND m.tag = 'state' AND m.about = i.place AND instr(m.text, i.text))
        OR (i.kind IN ('visit', 'arrive') AND m.tag = 'seen' AND m.about = i.who AND m.step < COALESCE(
            (SELECT MIN(c.step) FROM comings c WHERE c.name = i.who AND c.change = 'went' AND c.step > i.step), m.step + 1)))
    GROUP BY m.resident ORDER BY 2, 1"""
_HEARD = """
    SELECT e.value, u.step + 1 FROM interventions i, json_each(u.addressed) e, utterances u
    WHERE i.id = ? AND u.resident = i.who AND u.step >= i.step AND u.text = i.text
    AND u.step = (SELECT MIN(v.step) FROM utterances v WHERE v.resident = i.who AND v.step >= i.step AND v.text = i.text)
    ORDER BY 2, 1"""


@dataclass(frozen=True, slots=True)
class Intervention:
    """One row, and what came of it. `step` None: not yet, or refused (`outcome` says why); `due` a step it is set for."""

    id: int
    kind: str
    author: str
    asked: str
    who: str | None
    place: str | None
    text: str
    addressed: str | None
    tile: str | None
    due: int | None
    step: int | None
    time: str
    outcome: str
    perceived: tuple[tuple[str, int, str], ...]

    def as_dict(self) -> dict[str, Any]:
        """{id, kind, author, asked, who, place, text, addressed, tile, due, step, time, outcome, perceived}."""
        noticed = [{"resident": name, "step": step, "time": time} for name, step, time in self.perceived]
        return {
            "id": self.id, "kind": self.kind, "author": self.author, "asked": self.asked, "who": self.who, "place": self.place,
            "text": self.text, "addressed": self.addressed, "tile": self.tile, "due": self.due, "step": self.step,
            "time": self.time, "outcome": self.outcome, "perceived": noticed,
        }  # fmt: skip

    def lines(self) -> Iterator[str]:
        """As it is read: what, by whom, when; what came of it; who noticed."""
        target = self.place or self.who or ""
        if self.who and self.place:
            target = f"{self.who}, {self.place}"
        if self.addressed:
            target = phrase("interventions", "to", who=target, other=self.addressed)
        by = phrase("interventions", "by", author=self.author) if self.author else ""
        text = self.text or self.tile or ""
        yield phrase(
            "interventions", "title" if text else "title_bare", id=self.id, kind=self.kind, target=target, text=text, by=by
        )
        yield "    " + phrase("interventions", self._state(), time=self.time, why=self.outcome)
        for name, _, time in self.perceived:
            yield "    " + phrase("interventions", "perceived", name=name, time=time)

    def _state(self) -> str:
        if self.step is not None:
            return "granted"
        return "refused" if self.outcome else "due" if self.due is not None else "waits"


def listing(run: RunFile) -> list[Intervention]:
    """All that was asked of a run, in order of asking."""
    clock = run_clock(run)

    def time(step: int | None) -> str:
        return "" if step is None else f"{clock.at(step):%Y-%m-%d %H:%M:%S}"

    sql = "SELECT id, kind, author, asked, who, place, text, addressed, tile, due, step, outcome FROM interventions ORDER BY id"
    found = []
    for id, kind, author, asked, who, place, text, addressed, tile, due, step, outcome in run.rows(sql):
        noticed = tuple((name, at, time(at)) for name, at in first_perceivers(run, id)) if step is not None else ()
        when = time(due if step is None else step)
        found.append(
            Intervention(id, kind, author, asked, who, place, text, addressed, tile, due, step, when, outcome or "", noticed)
        )
    return found


def listing_json(run: RunFile) -> str:
    """[{id, kind, author, ...}]."""
    return dumps([one.as_dict() for one in listing(run)])


def first_perceivers(run: RunFile, intervention: int) -> list[tuple[str, int]]:
    """(resident, step) of everybody who noticed an intervention with their own senses, the first first."""
    found = run.rows(_NOTICED, (intervention,))
    if run.rows("SELECT 1 FROM interventions WHERE id = ? AND kind = 'words'", (intervention,)):
        found = run.rows(_HEARD, (intervention,))
    return [(name, step) for name, step in found if step < run.committed]
