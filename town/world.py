"""The world: everything that changes, with short histories, readable as of a step.

    World       bodies, objects, events and conversations; V_step is current
    AsOf        the world as all steps before some step left it, for whoever looks back a little; no engine needs to
    Spoken      words in the air: spoken at the step before, heard now

Only the engine and its parts write here. A pose or an object's state written "for step k" is part of V_k.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from town.bodies import Body, Pose
from town.front import Front, take
from town.happenings import Event
from town.history import History
from town.objects import Objects, ObjectState
from town.percepts import Signal, Tile
from town.places import Places
from town.speech import Conversation, Utterance
from town.talks import Talk
from town.tree import GameObject, TownMap

NOWHERE = ""
"""The arena of a body that isn't in town."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """An utterance, where its speaker stood, and who hears it wherever they are."""

    utterance: Utterance
    tile: Tile
    arena: str
    participants: tuple[str, ...]


class World:
    """What changes in a town. `placed` gives the tile each body starts on, in resident order.

    present     arena -> bodies in it (by index), as they stand now
    air         words heard in the present step; uttered: words that will be in the next, by their speakers' index
    touched     bodies (by index) whose pose changed since V_step was last looked at, with the arena they were in then;
                unpublished: those of them whose newest pose isn't in the histories yet
    stirred     arenas in which an object or an event changed in the present step
    signalled   bodies with signals waiting
    arriving    bodies (by index) that stepped on their goal and haven't been told
    """

    def __init__(self, town: TownMap, places: Places, placed: Mapping[str, Tile]) -> None:
        self.town = town
        self.places = places
        self.step = 0
        self.bodies: list[Body] = []
        self.present: dict[str, dict[int, Body]] = {}
        self.by_name: dict[str, Body] = {}
        self.poses: list[History[Pose]] = []
        for name, tile in placed.items():
            self.add(name, tile)
        self.objects = Objects(town)
        self.events: dict[str, Event] = {}
        self.talks: dict[str, Talk] = {}
        self.air: list[Spoken] = []
        self.uttered: dict[int, Spoken] = {}
        self.touched: dict[int, str] = {}
        self.unpublished: dict[int, None] = {}
        self.stirred: dict[str, None] = {}
        self.signalled: dict[int, None] = {}
        self.arriving: dict[int, None] = {}

    def add(self, name: str, tile: Tile) -> Body:
        """A new body, last in resident order."""
        index, arena, version = len(self.bodies), self.places.arena_at(tile), f"{name}@start"
        pose = Pose(tile, arena, None, version, False, False, False, False)
        body = Body(name, index, tile, arena, pose, version=version)
        self.bodies.append(body)
        self.by_name[name] = body
        self.poses.append(History(self.step, pose))
        self.present.setdefault(arena, {})[index] = body
        return body

    def remove(self, body: Body) -> None:
        """This body is nowhere from now on; what it was keeps its place in the histories."""
        self.touch(body)
        del self.present[body.arena][body.index]
        body.arena, body.gone, body.there, body.moving, body.end_owed = NOWHERE, True, False, False, False
        body.wake = None
        body.signals = []
        self.signalled.pop(body.index, None)
        self.arriving.pop(body.index, None)

    def put_back(self, body: Body, tile: Tile) -> None:
        """A body that was gone is on a tile again."""
        self.touch(body)
        body.tile, body.arena, body.gone = tile, self.places.arena_at(tile), False
        body.act, body.version, body.view = None, f"{body.name}@{self.step}", frozenset()
        self.present.setdefault(body.arena, {})[body.index] = body

    def at(self, step: int) -> AsOf:
        """The world as V_step; `step` may lie back as far as histories are kept."""
        return AsOf(self, step)

    def people(self, arena: str) -> Iterable[tuple[str, Pose]]:
        """Who is in an arena now."""
        return [(body.name, body.pose) for body in self.present.get(arena, {}).values()]

    def talk_of(self, name: str) -> Conversation | None:
        """The conversation a resident is in now."""
        talk = self.by_name[name].talk
        return talk.snapshot() if talk is not None else None

    def move(self, body: Body, tile: Tile) -> None:
        """Put a body on a tile; others see it once its pose is published."""
        self.touch(body)
        body.tile = tile
        arena = self.places.arena_at(tile)
        if arena != body.arena:
            del self.present[body.arena][body.index]
            self.present.setdefault(arena, {})[body.index] = body
            body.arena = arena

    def touch(self, body: Body) -> None:
        """This body's pose changes."""
        if body.index not in self.touched:
            self.touched[body.index] = body.arena
        self.unpublished[body.index] = None

    def publish(self, step: int, front: Front = None) -> None:
        """The poses of bodies that changed become part of V_step (`front`: of those bodies)."""
        for index in take(self.unpublished, front):
            body = self.bodies[index]
            body.pose = pose = body.outside()
            self.poses[index].set(step, pose)

    def post(self, body: Body, signal: Signal) -> None:
        """A body will tell its mind at the next occasion."""
        body.signals.append(signal)
        self.signalled[body.index] = None

    def taken(self, tile: Tile, by_other_than: Body) -> bool:
        """Whether somebody else rests on a tile."""
        there = self.present.get(self.places.arena_at(tile), {})
        return any(b.tile == tile and b is not by_other_than and b.rests for b in there.values())

    def users(self, address: str, other_than: Body) -> list[Body]:
        """The others who are using an object."""
        there = self.present.get(self.objects.arena_of[address], {}).values()
        return [b for b in there if b is not other_than and b.rests and b.act is not None and b.act.target == address]


class AsOf:
    """V_step, read from the histories: for checks and for whoever asks how it was a moment ago."""

    __slots__ = ("_world", "step")

    def __init__(self, world: World, step: int) -> None:
        self._world = world
        self.step = step

    def pose(self, name: str) -> Pose:
        """Where somebody was and what they were doing. KeyError, LookupError."""
        return self._world.poses[self._world.by_name[name].index].at(self.step)

    def people(self, arena: str) -> list[tuple[str, Pose]]:
        """Who was in an arena, in resident order."""
        poses = ((body.name, self._world.poses[body.index].at(self.step)) for body in self._world.bodies)
        return [(name, pose) for name, pose in poses if pose.arena == arena]

    def object(self, address: str) -> ObjectState:
        """The state an object was in. KeyError, LookupError."""
        return self._world.objects.states[address].at(self.step)

    def lively(self, arena: str) -> list[tuple[GameObject, str]]:
        """The objects of an arena that weren't idle, with their states, in map order."""
        objects = [(thing, self.object(thing.address).state) for thing in self._world.town.arena(arena).objects]
        return [(thing, state) for thing, state in objects if state != thing.idle]
