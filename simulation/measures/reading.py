"""What measures read of a run file, each table once, as values.

    Reading    people, facts, memories, words, acts and places of a run; only what was committed
    Said, Done one utterance; one act with its real end

Everything is loaded when first asked for and kept; nothing is written.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from kernel import Clock, RecordId
from memory import Record
from simulation.reading.records import read_facts
from simulation.storing.library import names, run_clock
from simulation.storing.rows import NONE, RECORD_COLUMNS, read_gathering, read_record
from simulation.storing.runfile import RunFile
from town.speech import Fact, Gathering
from town.tree import parent, parts


@dataclass(frozen=True, slots=True)
class Said:
    """One utterance. `passes_on` are fact ids, `rests_on` ids as written; `place` the arena of its conversation."""

    id: RecordId
    conversation: str
    to: tuple[str, ...]
    text: str
    act: str
    passes_on: tuple[str, ...]
    rests_on: tuple[str, ...]
    gathering: Gathering | None
    ends: bool
    place: str

    @property
    def speaker(self) -> str:
        """Who said it."""
        return self.id.resident

    @property
    def step(self) -> int:
        """When."""
        return self.id.step


@dataclass(frozen=True, slots=True)
class Done:
    """One act: in steps [start, end), `end` the real one. `plan` and `records` are the ids it rests on."""

    id: RecordId
    start: int
    end: int
    text: str
    icon: str
    target: str
    asleep: bool
    plan: str | None
    records: tuple[str, ...]
    percepts: tuple[str, ...]
    note: str

    @property
    def doer(self) -> str:
        """Whose act it is."""
        return self.id.resident


@dataclass(frozen=True, slots=True)
class Place:
    """One node of the map. `hours` in minutes since midnight, None: always open; `spots` of an object."""

    address: str
    level: str
    kind: str
    capacity: int | None
    owners: tuple[str, ...]
    hours: tuple[int, int] | None
    tiles: frozenset[tuple[int, int]]
    spots: frozenset[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Dweller:
    """A resident: where they live and work (addresses)."""

    name: str
    home: str
    workplace: str | None


class Reading:
    """A run file as measures see it."""

    def __init__(self, run: RunFile) -> None:
        self.run = run
        self.clock: Clock = run_clock(run)
        self.committed = run.committed
        self.names: tuple[str, ...] = tuple(names(run))

    @cached_property
    def dwellers(self) -> dict[str, Dweller]:
        """Residents by name, in resident order."""
        rows = self.run.rows("SELECT name, home, workplace FROM residents ORDER BY position")
        return {row[0]: Dweller(*row) for row in rows}

    @cached_property
    def facts(self) -> dict[str, Fact]:
        """All facts by id."""
        return read_facts(self.run)

    @cached_property
    def tracked(self) -> dict[str, Fact]:
        """The tracked facts by the scenario's name for them, in order of name."""
        rows = self.run.rows("SELECT COALESCE(name, id), id FROM facts WHERE tracked = 1 ORDER BY COALESCE(name, id)")
        return {name: self.facts[id] for name, id in rows}

    @cached_property
    def memories(self) -> dict[str, list[Record]]:
        """Each resident's records in order of storing."""
        found: dict[str, list[Record]] = {name: [] for name in self.names}
        rows = self.run.stream(
            f"SELECT {RECORD_COLUMNS} FROM memories WHERE step < ? ORDER BY resident, step, n", (self.committed,)
        )
        for row in rows:
            found.setdefault(row[0], []).append(read_record(row, self.facts))
        return found

    @cached_property
    def record_of(self) -> dict[str, Record]:
        """Every record by the text form of its id."""
        return {str(record.id): record for records in self.memories.values() for record in records}

    @cached_property
    def said(self) -> list[Said]:
        """All utterances in order of step, then resident order as stored."""
        places = dict(self.run.rows("SELECT id, place FROM conversations ORDER BY step, n"))
        rows = self.run.rows(
            "SELECT resident, step, n, conversation, addressed, text, act, passes_on, rests_on, gathering, ends"
            " FROM utterances WHERE step < ? ORDER BY step, resident, n",
            (self.committed,),
        )
        return [
            Said(
                RecordId(*row[:3]), row[3], _list(row[4]), row[5], row[6], _list(row[7]), _list(row[8]), read_gathering(row[9]),
                bool(row[10]), places.get(row[3], ""),
            )
            for row in rows
        ]  # fmt: skip

    @cached_property
    def conversations(self) -> dict[str, list[Said]]:
        """The utterances of each conversation, in order; conversations by their first words."""
        found: dict[str, list[Said]] = {}
        for said in self.said:
            found.setdefault(said.conversation, []).append(said)
        return found

    @cached_property
    def acts(self) -> dict[str, list[Done]]:
        """Each resident's acts in order of time."""
        ends: dict[str, int] = {}
        for act, step in self.run.rows("SELECT act, step FROM act_ends WHERE step < ? ORDER BY step DESC", (self.committed,)):
            ends[act] = step
        found: dict[str, list[Done]] = {name: [] for name in self.names}
        rows = self.run.rows(
            "SELECT resident, step, n, until, text, icon, target, asleep, plan, records, percepts, note FROM acts"
            " WHERE step < ? ORDER BY resident, step, n",
            (self.committed,),
        )
        for row in rows:
            name = RecordId(*row[:3])
            end = ends.get(str(name), min(row[3], self.committed))
            plan, records, percepts, note = row[8], _list(row[9]), _list(row[10]), row[11]
            act = Done(name, row[1], end, row[4], row[5], row[6], bool(row[7]), plan, records, percepts, note)
            found.setdefault(row[0], []).append(act)
        return found

    @cached_property
    def places(self) -> dict[str, Place]:
        """All places by address, in map order."""
        rows = self.run.rows(
            "SELECT address, level, kind, capacity, owners, opens, closes, tiles, spots FROM places ORDER BY position"
        )
        return {
            address: Place(
                address, level, kind, capacity, _list(owners), None if opens is None else (opens, closes), _tiles(tiles),
                _tiles(spots),
            )
            for address, level, kind, capacity, owners, opens, closes, tiles, spots in rows
        }  # fmt: skip

    @cached_property
    def plan_evidence(self) -> dict[str, tuple[str, ...]]:
        """What each plan rests on, by the plan's id."""
        rows = self.run.rows(
            "SELECT resident, step, n, rests_on FROM plans WHERE written < ? ORDER BY written", (self.committed,)
        )
        return {str(RecordId(*row[:3])): _list(row[3]) for row in rows}

    def act_at(self, name: str, step: int) -> Done | None:
        """What a resident was doing as `step` began."""
        return next((act for act in reversed(self.acts[name]) if act.start <= step < act.end), None)

    def grounds(self, ids: Iterable[str | None]) -> Iterator[Record]:
        """The records that some ids stand for, and all that those rest on, each once."""
        waiting = [id for id in ids if id is not None]
        seen: set[str] = set()
        while waiting:
            id = waiting.pop()
            if id in seen:
                continue
            seen.add(id)
            record = self.record_of.get(id)
            if record is not None:
                yield record
                waiting.extend(str(evidence) for evidence in record.evidence)
            waiting.extend(self.plan_evidence.get(id, ()))

    def time(self, step: int) -> str:
        """Calendar time of a step, to the minute."""
        return self.clock.at(step).isoformat(sep=" ", timespec="minutes")

    def days(self) -> list[tuple[int, int]]:
        """The days lived: [first step, end) each; a day that was only begun counts if it is the only one."""
        length = self.clock.steps(days=1)
        midnight = self.clock.step_on(self.clock.day(0), 0)
        spans = []
        while midnight < self.committed:
            spans.append((max(midnight, 0), min(midnight + length, self.committed)))
            midnight += length
        whole = [span for span in spans if span[1] - span[0] == length]
        return whole or spans


def sector_of(address: str) -> str:
    """The sector of an address; the town's own for the town."""
    while len(parts(address)) > 2:
        address = parent(address)
    return address


def _list(value: str) -> tuple[str, ...]:
    return () if value == NONE else tuple(json.loads(value))


def _tiles(value: str) -> frozenset[tuple[int, int]]:
    return frozenset((x, y) for x, y in json.loads(value))
