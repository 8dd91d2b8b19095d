"""What is on file about one resident as of a step, for the inspector; read from the run file when asked.

plan_of(source, name, step)        today's plan, hour by hour, with what was changed and why
memories_of(source, name, step)    the latest memories, of one kind or all
bonds_of(source, name, step)       what they have with others
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from memory import Relationship, Relationships
from simulation.reading.records import read_facts
from simulation.storing.rows import RECORD_COLUMNS, read_record
from viewer.source import Source


@dataclass(frozen=True, slots=True)
class Planned:
    """One entry of a day's plan; `status` made, changed or dropped; `reason` why it was changed."""

    id: str
    level: str
    start: int
    until: int
    text: str
    status: str
    reason: str
    written: int


@dataclass(frozen=True, slots=True)
class Remembered:
    """One memory."""

    id: str
    kind: str
    tag: str
    text: str
    created: int
    importance: int
    evidence: str


def plan_of(source: Source, name: str, step: int) -> list[Planned]:
    """The hours of the day of `step` as planned by then; dropped ones among them, as they were last written."""
    clock = source.clock
    morning = clock.step_on(clock.day(step), 0)
    evening = morning + clock.steps(days=1)
    rows = source.run.rows(
        "SELECT step, n, level, start, until, text, status, reason, written FROM plans"
        " WHERE resident = ? AND written <= ? AND level = 'hour' AND until > ? AND start < ? ORDER BY written",
        (name, step, morning, evening),
    )
    latest = {f"{name}/{row[0]}/{row[1]}": Planned(f"{name}/{row[0]}/{row[1]}", *row[2:]) for row in rows}
    return sorted(latest.values(), key=lambda entry: (entry.start, entry.written))


def memories_of(source: Source, name: str, step: int, kind: str | None = None, count: int = 25) -> list[Remembered]:
    """The latest memories as of a step, newest first: of a kind, "all", or (None) those that weigh something."""
    where, values = ("AND kind = ?", (kind,)) if kind not in (None, "all") else ("", ())
    if kind is None:
        where = "AND (importance > 1 OR kind = 'reflection')"
    rows = source.run.rows(
        "SELECT step, n, kind, tag, text, created, importance, evidence FROM memories"
        f" WHERE resident = ? AND step <= ? AND step >= 0 {where} ORDER BY step DESC, n DESC LIMIT ?",
        (name, step, *values, count),
    )
    return [Remembered(f"{name}/{row[0]}/{row[1]}", *row[2:]) for row in rows]


class _Memory:
    """As much of a readable memory as relationships ask for."""

    def __init__(self, owner: str, records: list[Any]) -> None:
        self.owner, self._records = owner, records

    def since(self, start: int = 0) -> list[Any]:
        return self._records[start:]


def bonds_of(source: Source, name: str, step: int) -> list[Relationship]:
    """Those a resident knows, the dearest first."""
    facts = read_facts(source.run)
    rows = source.run.rows(
        f"SELECT {RECORD_COLUMNS} FROM memories WHERE resident = ? AND step < ? AND (kind != 'observation' OR tag != 'seen')"
        " AND kind != 'plan' ORDER BY step, n",
        (name, step),
    )
    bonds = Relationships(cast(Any, _Memory(name, [read_record(row, facts) for row in rows])))
    known = [bonds.of(other) for other in source.names if other != name]
    return sorted((bond for bond in known if bond.known), key=lambda bond: (-bond.closeness, bond.name))
