"""What is on file about one resident as of a step, for the inspector; read from the run file when asked.

plan_of(source, name, step)        today's plan, hour by hour, with what was changed and why
done_of(source, name, start, step) what was really done, and why where it wasn't the plan's
memories_of(source, name, step)    the latest memories, of one kind or all
records_of(source, ids)            memories by their ids: what another rests on
bonds_of(source, name, step)       what they have with others
talks_together(source, step)       how often any two have talked
known_of(source, name, step)       what they know of the town's tree
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, cast

from memory import Relationship, Relationships
from memory.known_map import STATE_PREFIX, KnownMap
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
    place: str | None
    status: str
    reason: str
    written: int


@dataclass(frozen=True, slots=True)
class Done:
    """Something done in steps [step, until); `odd`: the plan didn't ask for it, or it was broken off; `reason` says why."""

    id: str
    step: int
    until: int
    text: str
    asleep: bool
    odd: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Remembered:
    """One memory."""

    id: str
    kind: str
    tag: str
    text: str
    created: int
    importance: int
    evidence: tuple[str, ...]


def plan_of(source: Source, name: str, step: int) -> list[Planned]:
    """The hours of the day of `step` as planned by then; dropped ones among them, as they were last written."""
    clock = source.clock
    morning = clock.step_on(clock.day(step), 0)
    evening = morning + clock.steps(days=1)
    rows = source.run.rows(
        "SELECT step, n, level, start, until, text, place, status, reason, written FROM plans"
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
    return [_remembered(name, row) for row in rows]


def _remembered(name: str, row: Sequence[Any]) -> Remembered:
    step, n, kind, tag, text, created, importance, evidence = row
    return Remembered(f"{name}/{step}/{n}", kind, tag, text, created, importance, tuple(json.loads(evidence)))


def records_of(source: Source, ids: Sequence[str]) -> list[Remembered]:
    """Memories by id, in the order given; those that aren't on file are left out."""
    found = []
    for record in ids:
        name, step, n = record.rsplit("/", 2)
        rows = source.run.rows(
            "SELECT step, n, kind, tag, text, created, importance, evidence FROM memories"
            " WHERE resident = ? AND step = ? AND n = ?",
            (name, step, n),
        )
        found += [_remembered(name, row) for row in rows]
    return found


def done_of(source: Source, name: str, start: int, step: int) -> list[Done]:
    """What somebody did from a step up to another, in order; to its real end, where it has one."""
    rows = source.run.rows(
        "SELECT a.step, a.n, a.text, a.until, a.asleep, a.plan, a.note, e.step, e.why FROM acts a LEFT JOIN act_ends e"
        " ON e.resident = a.resident AND e.act = a.resident || '/' || a.step || '/' || a.n AND e.step <= ?"
        " WHERE a.resident = ? AND a.step >= ? AND a.step <= ? ORDER BY a.step, a.n",
        (step, name, start - 8 * source.clock.steps(hours=1), step),
    )
    done = []
    for begun, n, text, until, asleep, plan, note, ended, why in rows:
        broken = why not in (None, "done")
        end = until if ended is None else ended
        odd = (plan is None and not asleep) or broken
        if end > start:
            done.append(Done(f"{name}/{begun}/{n}", begun, end, text, bool(asleep), odd, why if broken else note))
    return done


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


def talks_together(source: Source, step: int) -> Counter[tuple[str, str]]:
    """(name, name), in the order of letters -> how many conversations they have had by a step."""
    return Counter(
        pair for talk in source.talks.values() if talk.started <= step for pair in combinations(sorted(set(talk.everybody)), 2)
    )


def known_of(source: Source, name: str, step: int) -> KnownMap:
    """What somebody knew of the town as of a step."""
    rows = source.run.rows(
        "SELECT key, value FROM mind_states WHERE resident = ? AND key >= ? AND key < ? AND step < ? ORDER BY key, step",
        (name, STATE_PREFIX, STATE_PREFIX[:-1] + "0", max(step, 0)),
    )
    return KnownMap.of_state({key: json.loads(value) for key, value in rows})
