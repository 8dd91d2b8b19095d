"""What happens by itself: acts end, wake-ups and turns come due, places close, happenings happen, bodies arrive.

Timing       knows when the next of these is, and makes V_k complete before anyone reads it
"""

from __future__ import annotations

import sys
from bisect import insort
from collections.abc import Callable, Iterable

from kernel import UsageError, nearest
from town.bodies import Body
from town.front import Front, bodies, take
from town.happenings import Event, Happening
from town.perceive import distance
from town.percepts import Signal, Tile
from town.protocols import Journal
from town.resolve import Resolver
from town.talks import TURN_STEPS, Talk
from town.tree import Arena, GameObject, Sector
from town.world import World

NEVER = sys.maxsize


class Timing:
    """The clockwork of a world. `to_come` are happenings in order of their steps; `events_made` numbers events.

    `welcome` is called with the name of a body that has come, and the step.
    """

    def __init__(
        self, world: World, resolver: Resolver, journal: Journal, welcome: Callable[[str, int], None] | None = None
    ) -> None:
        self.world = world
        self.resolver = resolver
        self.journal = journal
        self.welcome = welcome
        self.to_come: list[Happening] = []
        self.events_made = 0

    def add(self, happening: Happening) -> None:
        """Queue a happening, after those of the same step. Raises UsageError for a place or resident that isn't there."""
        town = self.world.town
        if happening.kind in ("event", "object"):
            node = town.by_address.get(happening.place or "")
            if happening.kind == "object" and not isinstance(node, GameObject):
                self._unknown("object", happening.place, self.world.objects.states)
            if node is None and happening.place != town.name:
                self._unknown("place", happening.place, town.by_address)
        elif happening.kind == "arrive":
            if self._expected(happening.resident):
                raise UsageError(f"{happening.resident} is in town already", hint="choose another name")
            tile = happening.tile or self._way_in(happening.place or "", happening.at)
            if tile is None or not self.world.places.grid.walkable(tile):
                raise UsageError("nobody can stand there", hint="choose another place")
        elif not self._expected(happening.resident):
            here = [body.name for body in self.world.bodies if not body.gone]
            self._unknown("resident", happening.resident, here)
        insort(self.to_come, happening, key=lambda h: h.at)

    def _expected(self, name: str | None) -> bool:
        """Whether somebody is in town once all that is to come has come."""
        body = self.world.by_name.get(name or "")
        there = body is not None and not body.gone
        for happening in self.to_come:
            if happening.resident == name and happening.kind in ("arrive", "depart"):
                there = happening.kind == "arrive"
        return there

    def _way_in(self, address: str, step: int) -> Tile | None:
        """Where somebody stands who comes to a place: in the first room of a sector (at its door while it is closed), on a free
        tile of an arena, beside an object."""
        node: object = self.world.town.by_address.get(address)
        if isinstance(node, Sector):
            if not node.arenas or not self.world.places.open(node, step):
                return node.door
            node = node.arenas[0]
        arena = self.world.town.by_address.get(self.world.objects.arena_of[address]) if isinstance(node, GameObject) else node
        if not isinstance(arena, Arena):
            return self.world.town.sectors[0].door if address == self.world.town.name else None
        few, every = self.world.places.standing(arena)
        resting = {body.tile for body in self.world.bodies if body.rests and not body.gone}
        near = node.tiles[0] if isinstance(node, GameObject) else None
        free = [tile for tile in (*few, *every) if tile not in resting] or list(few)
        if near is not None:
            free.sort(key=lambda tile: (distance(tile, near), tile))
        return free[0] if free else None

    def _unknown(self, what: str, name: str | None, known: Iterable[str]) -> None:
        like = nearest(name, known) if name else None
        raise UsageError(f"there is no {what} '{name}' in this town", hint=f"did you mean '{like}'?" if like else None)

    def next(self, step: int, front: Front = None) -> int:
        """The first step at or after `step` at which something is due by itself (`front`: for those bodies)."""
        world = self.world
        soonest = NEVER
        for body in bodies(world, front):
            if body.wake is not None and body.wake < soonest:
                soonest = body.wake
            if not body.over and body.act is not None and body.act.until < soonest:
                soonest = body.act.until
        for talk in self._talks(front):
            soonest = min(soonest, talk.turn_at + TURN_STEPS if talk.asked else talk.turn_at)
        for event in world.events.values():
            soonest = min(soonest, event.until)
        if self.to_come:
            soonest = min(soonest, self.to_come[0].at)
        closing = world.places.next_closing(step)
        if closing is not None:
            soonest = min(soonest, closing)
        return max(soonest, step)

    def _talks(self, front: Front) -> list[Talk]:
        """Conversations of a front: all who are in one stand near each other."""
        talks = self.world.talks.values()
        return [t for t in talks if front is None or self.world.by_name[t.participants[0]].index in front]

    def due(self, step: int, front: Front = None) -> None:
        """Do what is due by itself at `step`, for a front."""
        world = self.world
        for event in [event for event in world.events.values() if event.until <= step]:
            del world.events[event.id]
            world.stirred.update(dict.fromkeys(event.arenas))
        for body in bodies(world, front):
            if not body.over and body.act is not None and body.act.until <= step:
                self.resolver.end_act(body, "done")
                body.stop()
                if body.talk is not None:
                    body.end_owed = True
                else:
                    world.post(body, Signal("act_ended"))
            if body.wake is not None and body.wake <= step:
                body.wake = None
                world.post(body, Signal("due"))
        for talk in self._talks(front):
            for name in talk.participants:
                if world.by_name[name].asleep:
                    self.resolver.drop_out(world.by_name[name], talk)
                    break
            if talk.ended is None and talk.turn is not None and talk.turn_at <= step:
                if not talk.asked:
                    talk.asked = True
                    world.post(world.by_name[talk.turn], Signal("your_turn", conversation=talk.snapshot()))
                elif talk.turn_at + TURN_STEPS <= step:
                    self.resolver.pass_turn(talk.turn, talk)
        for address in world.places.closing(step):
            sector = world.town.by_address[address]
            assert isinstance(sector, Sector)
            for body in bodies(world, front):
                if world.places.sector_of.get(body.arena) is sector and not world.places.exempt(sector, body.name):
                    world.post(body, Signal("closing", address))

    def settle(self, step: int, front: Front = None) -> None:
        """Make V_step complete for a front: words of the last step are in the air, bodies have arrived, happenings happen."""
        world = self.world
        world.air = list(take(world.uttered, front).values())
        if world.objects.stilled:
            world.objects.stilled = {}
        if world.arriving:
            for index in take(world.arriving, front):
                body = world.bodies[index]
                if body.act is not None and not body.over and body.goal == body.tile and not body.there:
                    body.there = True
                    if body.act.target in world.objects.things:
                        world.objects.claim(body.act)
                    world.touch(body)
                    world.post(body, Signal("arrived"))
        while self.to_come and self.to_come[0].at <= step:
            self._happen(self.to_come.pop(0), step)
        if world.objects.pending:
            doers = None if front is None else {body.name for body in front.values()}
            for address, new in world.objects.flush(step, doers):
                world.stirred[world.objects.arena_of[address]] = None
                self.journal.object_changed(address, step, new.state, new.by)
        if world.unpublished:
            world.publish(step, front)

    def _happen(self, happening: Happening, step: int) -> None:
        world = self.world
        if happening.kind == "object":
            assert happening.place is not None
            world.objects.override(happening.place, happening.text)
        elif happening.kind == "event":
            assert happening.place is not None
            arenas, tile = self._where(happening.place)
            until = happening.until if happening.until is not None else step + 1
            event = Event(f"event/{step}/{self.events_made}", step, until, happening.place, happening.text, arenas, tile)
            self.events_made += 1
            world.events[event.id] = event
            world.stirred.update(dict.fromkeys(arenas))
            self.journal.happened(event.id, step, until, event.place, event.text)
        elif happening.kind == "arrive":
            self._arrive(happening, step)
        else:
            body = world.by_name.get(happening.resident or "")
            if body is None or body.gone:
                return  # left meanwhile
            if happening.kind == "depart":
                self._depart(body, step)
            else:
                world.post(body, Signal(happening.kind, happening.text))

    def _arrive(self, happening: Happening, step: int) -> None:
        """A body comes into town and is asked at once."""
        world, name = self.world, happening.resident
        tile = happening.tile or self._way_in(happening.place or "", happening.at)
        assert name is not None
        assert tile is not None
        body = world.by_name.get(name)
        if body is None:
            body = world.add(name, tile)
            world.touch(body)
        else:
            world.put_back(body, tile)
        body.look, body.visitor = happening.text, bool(happening.text)
        self.journal.came(name, step, tile, body.look, body.visitor)
        self.journal.moved(name, step, (tile,))
        if self.welcome is not None:
            self.welcome(name, step)
        world.post(body, Signal("started"))

    def _depart(self, body: Body, step: int) -> None:
        """A body leaves town: out of any talk, its act over; nobody is told but those who see that it isn't there."""
        if body.talk is not None:
            self.resolver.drop_out(body, body.talk)
        self.resolver.end_act(body, "left")
        body.stop()
        self.journal.went(body.name, step, body.tile, body.look, body.visitor)
        self.world.remove(body)

    def _where(self, address: str) -> tuple[tuple[str, ...], Tile | None]:
        """Arenas in which an event at an address can be noticed, and its tile (None: everywhere in them)."""
        node = self.world.town.by_address.get(address)
        if isinstance(node, GameObject):
            return (self.world.objects.arena_of[address],), node.tiles[0]
        if isinstance(node, Arena):
            return (node.address,), None
        sectors = (node,) if isinstance(node, Sector) else self.world.town.sectors
        return tuple(arena.address for sector in sectors for arena in sector.arenas), None
