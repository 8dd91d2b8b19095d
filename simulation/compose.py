"""The composition root: from a scenario (or a run file) to a town with people, minds and models. Nothing else wires.

Blueprint               everything a run is made of, as plain specifications; kept whole in the run file
read_blueprint(...)     from a scenario's name or path and the command line's wishes
stored_blueprint(run)   from a run file: no other file is read
assemble(...)           Blueprint + run file -> Composition, ready to run (or to be restored)
found(...)              writes what a fresh run begins with: places, residents, facts, seeds
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from importlib.metadata import version
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agents import MindSettings
from agents.arrival import placed_at_start, staff_of
from agents.persona import SEEDED
from agents.resident import Dweller
from kernel import Clock, Json, RunFileError, UsageError, digest, dumps, nearest
from language import Embedder, Gateway, LanguageModel
from maps import MapSpec, load_map
from personas import Persona, load_people
from planning.places import Places
from scenarios import Scenario
from scenarios import load as load_scenario
from simulation import provenance
from simulation.interventions.desk import Desk, newcomer
from simulation.models import OFFLINE, Made, Means, embedder_name, make_embedder, make_models
from simulation.recruiting import Recruits
from simulation.seeds import facts_of, happenings_of, seed_records
from simulation.storing.journal import RunJournal
from simulation.storing.rows import fact_row, resident_row
from simulation.storing.runfile import RunFile
from town import Ahead, Engine, Grid, TownMap, build_town
from town.tree import GameObject, Sector, parent

EMBEDDER = "wordllama-256"
GATHERING_HOURS = 4
"""How often everybody comes together out of order, for the world to be saved. Each time costs a quarter of a percent of a day
(in time); after a kill at most so much is lived again, from answers on file."""
ENGINES: dict[str, type[Engine]] = {"sync": Engine, "ooo": Ahead}


class TownSettings(BaseModel):
    """The keys of a scenario's `settings` that are the town's, in tiles, rounds of a conversation and words a second."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    vision_radius: int = Field(default=4, ge=1, le=1000)
    max_rounds: int = Field(default=8, ge=1, le=1000)
    words_per_second: float = Field(default=2.5, ge=0.01, le=1000)


TOWN_SETTINGS = tuple(TownSettings.model_fields)
"""Keys of a scenario's `settings` that are the town's; all others are the minds'."""


@dataclass(frozen=True)
class Blueprint:
    """What a run is made of. `seed` and the minds are resolved (command line > scenario); `planned` is a step."""

    scenario: Scenario
    people: tuple[Persona, ...]
    map: MapSpec
    seed: int
    minds: Mapping[str, str]
    model: str
    model_for: Mapping[str, str]
    embedder: str
    planned: int

    @property
    def clock(self) -> Clock:
        """The run's calendar."""
        return Clock(self.scenario.start, self.scenario.step_seconds)

    def manifest(self) -> dict[str, str]:
        """The `meta` rows of a new run."""
        scenario = self.scenario.model_dump_json()
        people = dumps([person.model_dump(mode="json") for person in self.people])
        town = dumps(self.map.model_dump(mode="json"))
        kinds = sorted(set(self.minds.values()))
        return {
            "planned": str(self.planned),
            "created_by": version("townfolk"),
            "scenario": self.scenario.name,
            "title": self.scenario.title,
            "seed": str(self.seed),
            "mind": ",".join(kinds),
            "minds": dumps(dict(self.minds)),
            "model": self.model,
            "models": dumps(dict(self.model_for)),
            "embedder": self.embedder,
            "start": self.scenario.start.isoformat(sep=" "),
            "step_seconds": str(self.scenario.step_seconds),
            "town": self.map.world,
            "wall_seconds": "[]",
            "spec.scenario": scenario,
            "spec.people": people,
            "spec.map": town,
            "hash.scenario": digest(scenario),
            "hash.people": digest(people),
            "hash.map": digest(town),
            "hash.wording": provenance.wording_hash(),
            "versions": dumps(provenance.versions()),
        }


@dataclass
class Composition:
    """A town ready to live: what `simulation.run` drives."""

    blueprint: Blueprint
    engine: Engine
    recruits: Recruits
    gateway: Gateway
    journal: RunJournal
    desk: Desk
    clock: Clock
    made: Made

    @property
    def residents(self) -> tuple[Dweller, ...]:
        """Everybody who lives or has lived in a body here, visitors included, in the order of their coming."""
        return tuple(self.recruits.members.values())

    def state(self) -> Json:
        """The engine's state, and which interventions it holds already."""
        return {**self.engine.state(), "held": self.desk.held()}

    def accessed(self) -> bytes:
        """Last-accessed steps of all streams, for a checkpoint: per resident [row, step] where it isn't that of storing."""
        return dumps({resident.name: resident.stream.accessed_since() for resident in self.residents}).encode()


def read_blueprint(
    scenario: str,
    *,
    seed: int | None = None,
    days: float | None = None,
    until: str | None = None,
    mind: str | None = None,
    model: str = OFFLINE,
    model_for: Mapping[str, str] | None = None,
    embedder: str = EMBEDDER,
) -> Blueprint:
    """A scenario with the user's wishes. Raises DataFileError and UsageError."""
    spec = load_scenario(scenario)
    people = load_people(spec.people, spec.residents or None)
    names = [person.name for person in people]
    minds = {name: mind or spec.minds.get(name, spec.mind) for name in names}
    clock = Clock(spec.start, spec.step_seconds)
    return Blueprint(
        scenario=spec,
        people=people,
        map=load_map(spec.map),
        seed=spec.seed if seed is None else seed,
        minds=minds,
        model=model,
        model_for=dict(model_for or {}),
        embedder=embedder_name(embedder),
        planned=planned_end(clock, spec.days if days is None else days, until),
    )


def with_settings(blueprint: Blueprint, **settings: float | int | str | bool | None) -> Blueprint:
    """The same run with some of its scenario's settings replaced (None: left as it is). Raises UsageError."""
    wanted = {key: value for key, value in settings.items() if value is not None}
    if not wanted:
        return blueprint
    merged = {**blueprint.scenario.settings, **wanted}
    settings_of(merged)
    return replace(blueprint, scenario=blueprint.scenario.model_copy(update={"settings": merged}))


def planned_end(clock: Clock, days: float, until: str | None, since: int = 0) -> int:
    """The step (exclusive) at which to stop: `days` after step `since`, or at the calendar time `until`.

    Raises UsageError when that isn't after `since`.
    """
    try:
        end = clock.step_at(clock.parse(until) if until is not None else clock.start + timedelta(days=days))
    except (OverflowError, ValueError):
        raise UsageError(f"{days:g} days can't be lived", hint="a number above 0, such as 0.5") from None
    end += since if until is None else 0
    if end <= since:
        raise UsageError(
            f"'{until if until is not None else days}' is not after {clock.at(since):%Y-%m-%d %H:%M}", hint="choose a later time"
        )
    return end


def stored_blueprint(run: RunFile) -> Blueprint:
    """The blueprint a run was made of, from its file alone. Raises RunFileError when its manifest can't be read."""
    meta = run.meta()
    try:
        return Blueprint(
            scenario=Scenario.model_validate_json(meta["spec.scenario"]),
            people=tuple(Persona.model_validate(person) for person in json.loads(meta["spec.people"])),
            map=MapSpec.model_validate_json(meta["spec.map"]),
            seed=int(meta["seed"]),
            minds=json.loads(meta["minds"]),
            model=meta["model"],
            model_for=json.loads(meta["models"]),
            embedder=meta["embedder"],
            planned=int(meta["planned"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        what = str(error).splitlines()[0]
        hint = "restore a copy, or start again with `town run`"
        raise RunFileError(
            f"the run file is damaged: its manifest can't be read: {what}", place=str(run.path), hint=hint
        ) from None


def assemble(
    blueprint: Blueprint,
    run: RunFile,
    *,
    models: Mapping[str, LanguageModel] | None = None,
    embedder: Embedder | None = None,
    since: int | None = None,
    means: Means | None = None,
) -> Composition:
    """Wires a run. `models` gives providers for specifications that `make_model` can't make (scripted ones, in tests).

    `since` is the step whose state it will be filled with, when that isn't the last committed one.
    """
    scenario, clock = blueprint.scenario, blueprint.clock
    town = build_town(blueprint.map, scenario.rename_places)
    grid = Grid(town)
    facts = facts_of(scenario, town.name, clock)
    journal = RunJournal(
        run,
        tracked={facts[name].id: name for name, spec in scenario.facts.items() if spec.tracked},
        steps_per_hour=clock.steps(hours=1),
        calls_at_once=bool({blueprint.model, *blueprint.model_for.values()} - {OFFLINE}),
        since=since,
    )
    made = make_models((blueprint.model, *blueprint.model_for.values()), run, journal, means or Means(), models)
    gateway = Gateway(
        made.models[blueprint.model],
        by_operation={operation: made.models[spec] for operation, spec in blueprint.model_for.items()},
        ledger=made.ledger,
        seed=blueprint.seed,
    )
    staff = staff_of(blueprint.people, town)
    places = Places(town, grid, clock, staff)
    vectors = embedder or make_embedder(blueprint.embedder)
    ours, minds = settings_of(scenario.settings)
    recruits = Recruits(blueprint, places, staff, facts, minds, vectors, gateway, journal)
    founders = [recruits.founder(persona) for persona in blueprint.people]
    engine = engine_of(blueprint, means)(
        town, grid, clock, founders, journal,
        placed=placed_at_start(blueprint.people, town), staff=staff, seed=blueprint.seed,
        happenings=happenings_of(scenario, town.name, clock), welcome=recruits.welcome, **ours,
    )  # fmt: skip
    recruits.ground = engine.world.places
    for kind, name, persona, step in run.rows(_CAME, (journal.step,)):  # those whom the state to be taken up may hold
        engine.expect(recruits.visitor(name) if kind == "visit" else recruits.newcomer(*newcomer(persona), step))
    desk = Desk(engine, recruits)
    composition = Composition(blueprint, engine, recruits, gateway, journal, desk, clock, made)
    journal.attach(composition.state, composition.accessed, desk.take)
    if isinstance(engine, Ahead):
        engine.every, engine.gathered = clock.steps(hours=GATHERING_HOURS), journal.gathered
        journal.hold(engine.reporting, engine.summon)
    return composition


def engine_of(blueprint: Blueprint, means: Means | None) -> type[Engine]:
    """Which engine lives a run: the one asked for, else out of order where models are waited for."""
    if means is not None and means.engine is not None:
        return ENGINES[means.engine]
    return Ahead if {blueprint.model, *blueprint.model_for.values()} - {OFFLINE} else Engine


_CAME = "SELECT kind, who, persona, step FROM interventions WHERE kind IN ('visit', 'arrive') AND step <= ? ORDER BY step, id"


def found(composition: Composition, run: RunFile) -> None:
    """Writes what a fresh run begins with, and puts the seeds into the streams."""
    blueprint, journal = composition.blueprint, composition.journal
    scenario, clock = blueprint.scenario, blueprint.clock
    town = composition.engine.town
    facts = facts_of(scenario, town.name, clock)
    names = [person.name for person in blueprint.people]
    with run.transaction():
        run.write(f"INSERT INTO places VALUES ({', '.join('?' * 14)})", place_rows(town))
        run.write(f"INSERT INTO residents VALUES ({', '.join('?' * 10)})", resident_rows(blueprint, town.name))
        run.write(
            f"INSERT INTO facts VALUES ({', '.join('?' * 9)})",
            [fact_row(facts[name], SEEDED, name if spec.tracked else None) for name, spec in scenario.facts.items()],
        )
    journal.know(facts)
    for persona, resident in zip(blueprint.people, composition.residents, strict=True):
        records = seed_records(persona, scenario, facts, names)
        resident.stream.extend(records)
        for record, vector in zip(records, resident.stream.vectors(), strict=True):
            journal.remembered(record, vector)
        for key, value in resident.mind.state().items():
            journal.state_changed(resident.name, key, -1, value)
    journal.flush()


def settings_of(settings: Mapping[str, float | int | str | bool]) -> tuple[dict[str, Any], MindSettings]:
    """A scenario's settings: the town's, and the minds'. Raises UsageError for an unknown key or an impossible value."""
    known = (*TOWN_SETTINGS, *MindSettings.model_fields)
    for key in settings:
        if key not in known:
            close = nearest(key, known)
            raise UsageError(
                f"there is no setting '{key}'", hint=f"did you mean {close}?" if close else f"there are {', '.join(known)}"
            )
    ours = {key: value for key, value in settings.items() if key in TOWN_SETTINGS}
    try:
        minds = MindSettings.model_validate({key: value for key, value in settings.items() if key not in TOWN_SETTINGS})
        return TownSettings.model_validate(ours).model_dump(exclude_unset=True), minds
    except ValidationError as error:
        wrong = error.errors()[0]
        what = str(wrong["msg"]).removeprefix("Input ")
        raise UsageError(f"the setting '{wrong['loc'][0]}' {what}, not {wrong['input']!r}") from None


def resident_rows(blueprint: Blueprint, town: str) -> list[tuple[Any, ...]]:
    """Rows of `residents`."""
    return [
        resident_row(person, blueprint.minds[person.name], position, town, SEEDED)
        for position, person in enumerate(blueprint.people)
    ]


def place_rows(town: TownMap) -> list[tuple[Any, ...]]:
    """Rows of `places`, in map order."""
    rows: list[tuple[Any, ...]] = []

    def add(
        address: str, level: str, kind: str, tiles: Sequence[Any] = (), spots: Sequence[Any] = (), capacity: int | None = None,
        affords: Sequence[str] = (), idle: str | None = None, owners: Sequence[str] = (), hours: tuple[int, int] | None = None,
        outdoors: bool = False,
    ) -> None:  # fmt: skip
        opens, closes = hours or (None, None)
        above = parent(address) if level != "town" else None
        rows.append(
            (
                address, above, level, kind, len(rows), dumps(sorted(tiles)), dumps(list(spots)), capacity, dumps(list(affords)),
                idle, dumps(list(owners)), opens, closes, int(outdoors),
            )
        )  # fmt: skip

    add(town.name, "town", "town")
    for sector in town.sectors:
        _sector(add, sector)
    return rows


def _sector(add: Any, sector: Sector) -> None:
    add(sector.address, "sector", sector.kind, owners=sector.owners, hours=sector.hours)
    for arena in sector.arenas:
        add(
            arena.address, "arena", "arena", arena.tiles, capacity=arena.capacity, affords=arena.affords, owners=arena.owners,
            outdoors=arena.outdoors,
        )  # fmt: skip
        for thing in arena.objects:
            _thing(add, thing)


def _thing(add: Any, thing: GameObject) -> None:
    add(thing.address, "object", thing.kind, thing.tiles, thing.spots, thing.capacity, thing.affords, thing.idle, thing.owners)


def with_model(blueprint: Blueprint, model: str | None, model_for: Mapping[str, str]) -> Blueprint:
    """The same run, going on with another model (when one is given)."""
    if model is None and not model_for:
        return blueprint
    return replace(blueprint, model=model or blueprint.model, model_for={**blueprint.model_for, **model_for})


def restored_state(rows: Sequence[tuple[str, str, str]]) -> dict[str, dict[str, Json]]:
    """(resident, key, value JSON) rows -> state per resident; deleted keys are left out."""
    states: dict[str, dict[str, Json]] = {}
    for resident, key, value in rows:
        if value != "null":
            states.setdefault(resident, {})[key] = json.loads(value)
    return states
