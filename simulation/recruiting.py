"""Who lives in the bodies of a run: founders, residents added on the way, visitors. Part of the composition root.

Recruits          makes a Dweller for anybody, remembers who there is, and settles newcomers in
mind_init(...)    what one resident's mind is made of
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agents import MindSettings, make_mind
from agents.arrival import known_at_start, known_inside
from agents.mind import MindInit
from agents.persona import identity_records, person_of
from agents.resident import Dweller
from agents.visitor import VisitorMind
from language import Ask, Embedder, Gateway
from memory import Stream
from memory.exposure import Exposure
from personas import Persona
from planning.places import Places
from simulation.seeds import tidings_of
from simulation.storing.journal import RunJournal
from town.places import Places as Ground
from town.speech import Fact
from town.tree import join, parts

if TYPE_CHECKING:
    from simulation.compose import Blueprint


@dataclass
class Recruits:
    """Everybody of a run, by name. `members` in the order of their coming; `people` residents, `visitors` the others."""

    blueprint: Blueprint
    places: Places
    staff: dict[str, frozenset[str]]
    facts: Mapping[str, Fact]
    settings: MindSettings
    embedder: Embedder
    gateway: Gateway
    journal: RunJournal
    members: dict[str, Dweller] = field(default_factory=dict)
    people: dict[str, Persona] = field(default_factory=dict)
    visitors: dict[str, Dweller] = field(default_factory=dict)
    ground: Ground | None = None
    _minds: dict[str, str] = field(default_factory=dict)

    def founder(self, persona: Persona) -> Dweller:
        """One of those who were there from the start."""
        stream = Stream(persona.name, self.embedder, self.blueprint.clock)
        init = mind_init(self.blueprint, persona, stream, self.places, self.facts, self.settings)
        return self._join(
            persona.name, Dweller(make_mind(self.blueprint.minds[persona.name], init), stream, *self._ways()), persona
        )

    def newcomer(self, persona: Persona, mind: str, step: int) -> Dweller:
        """A resident who is added at a step. Their home and work admit them from now on."""
        if persona.name in self.members:
            return self.members[persona.name]
        stream = Stream(persona.name, self.embedder, self.blueprint.clock)
        init = mind_init(self.blueprint, persona, stream, self.places, self.facts, self.settings, since=step)
        for place in (persona.home, persona.work.place if persona.work else persona.home):
            sector = join(self.places.town.name, parts(place)[0])
            self.staff[sector] = self.staff.get(sector, frozenset()) | {persona.name}
            if self.ground is not None:
                self.ground.admit_always(sector, persona.name)
        self._minds[persona.name] = mind
        return self._join(persona.name, Dweller(make_mind(mind, init), stream, *self._ways()), persona)

    def visitor(self, name: str) -> Dweller:
        """A user's body. Who comes again is the one they were."""
        if name not in self.members:
            clock = self.blueprint.clock
            stream = Stream(name, self.embedder, clock)
            mind = VisitorMind(name, self.places.town, clock, stream, tuple(self.people))
            self.visitors[name] = self._join(name, Dweller(mind, stream, *self._ways()), None)
        return self.members[name]

    def welcome(self, name: str, step: int) -> None:
        """Somebody has come into town: a newcomer's first memories and state are theirs from this step on, and on file."""
        if name in self.visitors or self._minds.get(name) is None:
            return
        persona, resident, town = self.people[name], self.members[name], self.places.town.name
        if len(resident.stream):
            return  # came back
        others = [other for other in self.people if other != name]
        records = identity_records(persona, others, seeded=step)
        resident.stream.extend(records)
        self.journal.moved_in(persona, self._minds[name], len(self.people) - 1, town, step)
        for record, vector in zip(records, resident.stream.vectors(), strict=True):
            self.journal.remembered(record, vector)
        for key, value in resident.mind.state().items():
            self.journal.state_changed(name, key, step, value)

    def _join(self, name: str, dweller: Dweller, persona: Persona | None) -> Dweller:
        self.members[name] = dweller
        if persona is not None:
            self.people[name] = persona
        return dweller

    def _ways(self) -> tuple[Callable[[str, int], Ask], RunJournal, Exposure]:
        return self.gateway.asker, self.journal, self.settings.exposed


def mind_init(
    blueprint: Blueprint, persona: Persona, stream: Stream, places: Places, facts: Mapping[str, Fact], settings: MindSettings,
    *, since: int | None = None,
) -> MindInit:  # fmt: skip
    """What one resident's mind is made of; `facts` are the scenario's by name; `since`: the step at which a newcomer came."""
    town = places.town
    known = known_at_start(persona, town)
    if since is not None:
        known = known_inside(persona, town, known)
    return MindInit(
        person=person_of(persona, town.name) if since is None else person_of(persona, town.name, seeded=since),
        seed=blueprint.seed,
        clock=blueprint.clock,
        stream=stream,
        places=places,
        bed=join(town.name, persona.bed),
        known_places=known,
        tidings=tidings_of(blueprint.scenario, facts),
        settings=settings,
    )
