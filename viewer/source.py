"""A run file as the window sees it: read once into memory, then followed at its growing end. Never writes.

    Source(path)     the town, its people, its clock, and everything that is drawn
      .at(step)      the whole town at any (fractional) step
      .poll()        takes in what was committed since; True when there was something
      .talks, .happenings, .said     for the reader, the ticker and the scrubber

A step of a two-day run of 25 residents is there within 200 ms of opening, and within 2 ms afterwards.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from kernel import Clock, UsageError
from maps import MapSpec
from personas import Look, Persona
from simulation.storing.library import names, run_clock
from simulation.storing.rows import NONE
from simulation.storing.runfile import RunFile
from town import TownMap, build_town
from viewer.news import News
from viewer.posing import Posing
from viewer.snapshot import Body, Deed, Event, Happening, Line, Snapshot, Talk
from viewer.tracks import Since, Walk

SPAN = 60
"""Steps of one drawer of the index of conversations."""

WEIGHTS = {
    "talk": 0.3,
    "news": 0.9,
    "invite": 0.8,
    "accept": 0.6,
    "decline": 0.6,
    "reflection": 0.25,
    "event": 1.0,
    "gathering": 1.0,
}
"""How much the kinds of happenings are worth seeing."""


_OF_RESIDENT = ("resident IN (SELECT name FROM residents UNION SELECT name FROM comings)", "step, resident, n")
_OWNERS = {
    "moves": _OF_RESIDENT,
    "acts": _OF_RESIDENT,
    "act_ends": _OF_RESIDENT,
    "utterances": _OF_RESIDENT,
    "memories": _OF_RESIDENT,
    "object_states": ("address IN (SELECT address FROM places)", "step, address, n"),
    "conversations": ("1", "step, id, n"),
    "comings": ("1", "step, name, change"),
}
"""Per table a condition that leads into its key, and the order of reading."""


class Source:
    """An open run. Raises RunFileError for a file that is missing, empty, damaged, newer or not a run."""

    def __init__(self, path: Path | str) -> None:
        self.run = RunFile.open(path)
        self.path = Path(path)
        self.clock: Clock = run_clock(self.run)
        meta = self.run.meta()
        self.title = meta.get("title", "")
        self.planned = int(meta.get("planned", "0"))
        self.names: tuple[str, ...] = tuple(names(self.run))
        self.visitors: dict[str, str] = {}
        """Visitors there have been, and how they look, in words."""
        self._comings: dict[str, list[tuple[int, bool]]] = {}
        self.committed = 0
        self._spec = meta
        self._since = -1
        self._walks = {name: Walk() for name in self.names}
        self._deeds: dict[str, Since[Deed]] = {name: Since() for name in self.names}
        self._ends: dict[str, int] = {}
        self._states: dict[str, Since[str]] = {}
        self._drawers: dict[int, list[Talk]] = {}
        self._open: dict[str, Talk] = {}
        self.talks: dict[str, Talk] = {}
        self.said: list[Line] = []
        self.events: list[Event] = []
        self.interventions: list[int] = []
        """Steps at which something that a user asked for took effect; each step of a visitor's way isn't worth a mark."""
        self.happenings: list[Happening] = []
        self.happening_steps: list[int] = []
        self.news = News(self.run)
        self._moments: dict[int, _Moment] = {}
        self.poll()

    @cached_property
    def town(self) -> TownMap:
        """The town's tree with this run's names."""
        renames = json.loads(self._spec.get("spec.scenario", "{}")).get("rename_places", {})
        return build_town(MapSpec.model_validate_json(self._spec["spec.map"]), renames)

    @cached_property
    def people(self) -> dict[str, Persona]:
        """The personas by name, in resident order."""
        found = {person["name"]: Persona.model_validate(person) for person in json.loads(self._spec["spec.people"])}
        for name, persona in self.run.rows("SELECT name, persona FROM residents WHERE since >= 0"):
            told = {key: value for key, value in json.loads(persona).items() if key != "mind"}
            found[name] = Persona.model_validate(told)
        return {name: found[name] for name in self.names if name in found}

    def look_of(self, name: str) -> Look | None:
        """How a resident looks; None for visitors, and for whoever hasn't been given a look. People may move in while watched."""
        persona = self.people.get(name)
        return persona.look if persona is not None else None

    def there(self, name: str, step: float) -> bool:
        """Whether somebody is in town at a step: those who have come or gone on the way are there at times only."""
        comings = self._comings.get(name)
        if not comings:
            return True
        here = not comings[0][1]
        for since, came in comings:
            if since > step:
                break
            here = came
        return here

    @property
    def everybody(self) -> tuple[str, ...]:
        """Residents and visitors there have been."""
        return (*self.names, *(name for name in self.visitors if name not in self.names))

    def require(self, name: str, start: float, end: float) -> None:
        """That somebody is in town at some time in steps [start, end]. Raises UsageError that says when they were."""
        comings = self._comings.get(name, ())
        if self.there(name, start) or any(came and start <= since <= end for since, came in comings):
            return
        times = ", ".join(f"{self.clock.at(since):%Y-%m-%d %H:%M}" for since, came in comings if came)
        raise UsageError(f"{name} isn't in town then", hint=f"came: {times}" if times else "choose another time")

    @cached_property
    def _posing(self) -> Posing:
        return Posing(self.town)

    @cached_property
    def idle(self) -> dict[str, str]:
        """What objects are like at the start."""
        return {thing.address: thing.idle for thing in self.town.objects()}

    # ------------------------------------------------------------------ a moment

    def at(self, step: float) -> Snapshot:
        """The town at a step, which is brought within [0, committed]."""
        step = min(max(step, 0.0), float(self.committed))
        whole = int(step)
        moment = self._moments.get(whole)
        if moment is None:
            if len(self._moments) > 64:
                self._moments.clear()
            moment = self._moments[whole] = self._moment(whole)
        bodies = dict(moment.bodies)
        for name in moment.walkers:
            found, body = self._walks[name].at(step), bodies[name]
            assert found is not None
            x, y, way, stride = found
            if way is not None:
                bodies[name] = Body(name, x, y, way, "walk", stride, body.deed, body.talk)
        return Snapshot(step, bodies, moment.talks, moment.states, moment.events, moment.bodies, moment.walkers)

    def deed(self, name: str, step: int) -> Deed | None:
        """What somebody is doing at a step."""
        deed = self._deeds[name].at(step)
        return deed if deed is not None and step < self._ends.get(deed.id, deed.until + 1) else None

    def changes(self, address: str, step: int, count: int = 8) -> list[tuple[int, str]]:
        """The latest (step, state) of an object as of a step, newest first."""
        course = self._states.get(address)
        if course is None:
            return []
        found = [(since, state) for since, state in zip(course.steps, course.values, strict=True) if since <= step]
        return found[: -count - 1 : -1]

    def wakes(self, name: str) -> int | None:
        """The step of somebody's first act that isn't sleep."""
        return next((deed.step for deed in self._deeds[name].values if not deed.asleep), None)

    def talks_at(self, step: int) -> tuple[Talk, ...]:
        """The conversations going on at a step, oldest first."""
        return tuple(
            talk
            for talk in self._drawers.get(step // SPAN, ())
            if talk.started <= step and (talk.ended is None or step < talk.ended)
        ) + tuple(talk for talk in self._open.values() if talk.started <= step)

    def talks_between(self, start: int, end: int) -> list[Talk]:
        """The conversations of which some part lies in steps [start, end], oldest first."""
        found: dict[str, Talk] = {}
        for drawer in range(max(start, 0) // SPAN, max(end, 0) // SPAN + 1):
            for talk in self._drawers.get(drawer, ()):
                if talk.started <= end and (talk.ended is None or start <= talk.ended):
                    found[talk.id] = talk
        for talk in self._open.values():
            if talk.started <= end:
                found[talk.id] = talk
        return sorted(found.values(), key=lambda talk: (talk.started, talk.id))

    def tile(self, name: str, step: int) -> tuple[int, int] | None:
        """Where somebody stands as a step begins."""
        return self._walks[name].tile(step)

    def _moment(self, step: int) -> _Moment:
        talks = self.talks_at(step)
        talk_of = {name: talk for talk in talks for name in talk.people(step)}
        stands = {
            name: stand
            for name, walk in self._walks.items()
            if (stand := walk.stand(step)) is not None and self.there(name, step)
        }
        states = {}
        for address, course in self._states.items():
            state = course.at(step)
            if state is not None and state != self.idle.get(address):
                states[address] = state
        bodies: dict[str, Body] = {}
        walkers = []
        for name, (tile, leaves, way) in stands.items():
            talk, deed = talk_of.get(name), self.deed(name, step)
            others = [stands[other][0] for other in talk.people(step) if other != name and other in stands] if talk else []
            facing, pose = self._posing.stance(tile, deed, others, way)
            bodies[name] = Body(name, *tile, facing, pose, 0.0, deed, talk)
            if leaves:
                walkers.append(name)
        events = tuple(event for event in self.events if event.step <= step < event.until)
        return _Moment(bodies, tuple(walkers), talks, states, events)

    # ------------------------------------------------------------------ reading

    def poll(self) -> bool:
        """Takes in the rows committed since the last time; False when there were none. One short read transaction."""
        run = self.run
        committed = run.committed
        if committed == self._since:
            self.planned = int(run.get("planned", "0"))  # somebody may have gone on with it
            return False
        self._moments.clear()
        with run.translating():
            run.connection.execute("BEGIN")
            try:
                committed = run.committed
                self.planned = int(run.get("planned", "0"))
                self._take_in(committed)
            finally:
                run.connection.execute("COMMIT")
        self.committed = self._since = committed
        return True

    def gatherings(self) -> list[tuple[int, int]]:
        """(start, end) steps of the gatherings that facts announce."""
        return sorted({(gathering["start"], gathering["end"]) for gathering in self._announced()})

    def _announced(self) -> list[dict[str, Any]]:
        return [json.loads(row[0]) for row in self.run.rows("SELECT DISTINCT gathering FROM facts WHERE gathering IS NOT NULL")]

    def _gatherings(self) -> list[tuple[int, str, str]]:
        """(start, name, place) of each, once."""
        return sorted({(gathering["start"], gathering["name"], gathering["place"]) for gathering in self._announced()})

    @property
    def over(self) -> bool:
        """Whether the run has reached its planned end."""
        return self.committed >= self.planned

    def _fresh(self, table: str, columns: str, before: int, where: str = "1") -> Iterator[Any]:
        """The rows of a table committed since the last time, in order of step.

        Found through each table's key, so that looking for what is new doesn't read what is old.
        """
        owners, order = _OWNERS.get(table, ("1", "step"))
        return iter(
            self.run.rows(
                f"SELECT {columns} FROM {table} WHERE {owners} AND step >= ? AND step < ? AND ({where}) ORDER BY {order}",
                (self._since, before),
            )
        )

    def _take_in_comings(self, before: int) -> None:
        for name, step, change, visitor, look in self._fresh("comings", "name, step, change, visitor, look", before):
            self._comings.setdefault(name, []).append((step, change == "came"))
            self._walks.setdefault(name, Walk())
            self._deeds.setdefault(name, Since())
            if visitor:
                self.visitors[name] = look
            elif name not in self.names:
                self.names = tuple(names(self.run))
                self.__dict__.pop("people", None)

    def _take_in(self, before: int) -> None:
        self._take_in_comings(before)
        for name, step, x, y, path in self._fresh("moves", "resident, step, x, y, path", before):
            self._walks[name].add(step, x, y, path)
        for name, step, n, until, text, icon, target, asleep in self._fresh(
            "acts", "resident, step, n, until, text, icon, target, asleep", before
        ):
            self._deeds[name].add(step, Deed(f"{name}/{step}/{n}", step, until, text, icon, target, bool(asleep)))
        for act, step in self._fresh("act_ends", "act, step", before):
            self._ends.setdefault(act, step)
        for address, step, state in self._fresh("object_states", "address, step, state", before):
            self._states.setdefault(address, Since()).add(step, state)
        for event in self._fresh("events", "id, step, until, place, text", before):
            self.events.append(Event(*event))
            self.happenings.append(Happening(event[1], "event", "", (), event[4], event[3], WEIGHTS["event"], event[0]))
        wanted = "kind NOT IN ('go', 'words')"
        self.interventions += [step for (step,) in self._fresh("interventions", "step", before, wanted)]
        self._take_in_talks(before)
        self._take_in_memories(before)
        for start, name, place in self._gatherings():
            if self._since <= start < before:
                weight = WEIGHTS["gathering"]
                self.happenings.append(Happening(start, "gathering", "", (), name, place, weight, f"gathering {name}"))
        self.happenings.sort(key=lambda happening: happening.step)
        self.happening_steps = [happening.step for happening in self.happenings]

    def _take_in_talks(self, before: int) -> None:
        for name, step, place, started, people, everybody, ended in self._fresh(
            "conversations", "id, step, place, started, participants, everybody, ended", before
        ):
            talk = self.talks.get(name)
            if talk is None:
                talk = self.talks[name] = Talk(name, place, started, None, ())
                self._open[name] = talk
            talk.everybody = tuple(json.loads(everybody))
            talk.changes.append((step, tuple(json.loads(people))))
            if talk.ended is None and ended is not None:
                talk.ended = ended
                self._open.pop(name, None)
                for drawer in range(started // SPAN, ended // SPAN + 1):
                    self._drawers.setdefault(drawer, []).append(talk)
        for name, step, n, talk_id, to, text, act, facts in self._fresh(
            "utterances", "resident, step, n, conversation, addressed, text, act, passes_on", before
        ):
            line = Line(f"{name}/{step}/{n}", step, name, _list(to), text, act, _list(facts), talk_id)
            self.said.append(line)
            if talk_id in self.talks:
                self.talks[talk_id].lines.append(line)
            place = self.talks[talk_id].place if talk_id in self.talks else None
            kind = "talk" if line.id == talk_id else act if act in WEIGHTS else None
            if kind is not None:
                self.happenings.append(Happening(step, kind, name, line.to, text, place, WEIGHTS[kind], line.id))

    def _take_in_memories(self, before: int) -> None:
        rows = self._fresh(
            "memories", "resident, step, n, kind, text, created, fact, heard_from, source, address", before,
            "kind = 'reflection' OR fact IS NOT NULL",
        )  # fmt: skip
        self.news.take_facts()
        for name, step, n, kind, text, created, fact, heard_from, source, address in rows:
            record = f"{name}/{step}/{n}"
            if kind == "reflection" and step >= 0:
                self.happenings.append(Happening(step, "reflection", name, (), text, address, WEIGHTS["reflection"], record))
            if fact is not None and self.news.learn(fact, name, created, heard_from, source, record, address) and step >= 0:
                told = self.news.facts[fact].text
                self.happenings.append(Happening(step, "news", name, (heard_from,), told, address, WEIGHTS["news"], record))

    def close(self) -> None:
        """Closes the file."""
        self.run.close()


class _Moment:
    """The part of a snapshot that is the same for a whole step: everybody as if they stood, and who walks."""

    __slots__ = ("bodies", "events", "states", "talks", "walkers")

    def __init__(
        self, bodies: dict[str, Body], walkers: tuple[str, ...], talks: tuple[Talk, ...], states: dict[str, str],
        events: tuple[Event, ...],
    ) -> None:  # fmt: skip
        self.bodies, self.walkers, self.talks, self.states, self.events = bodies, walkers, talks, states, events


def _list(value: str) -> tuple[str, ...]:
    return () if value == NONE else tuple(json.loads(value))
