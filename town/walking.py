"""Walking: all bodies that are under way go one tile further.

    walk     the movement of a step, in resident order

Walkers don't block each other. The tile they stop on is their own, an object takes no more users and an arena no more
people than its capacity, and a closed place lets nobody in but those who live or work there: whoever can't go on stops on
the last tile outside and is told why. Segments are told to the journal as they begin, with the whole path; a segment that
is cut short is followed by one of a single tile, at the step from which the body stands there.
"""

from __future__ import annotations

from town.bodies import Body
from town.front import Front, bodies
from town.perceive import distance
from town.percepts import Tile
from town.protocols import Journal
from town.resolve import Resolver
from town.tree import Arena, GameObject
from town.world import World


def walk(world: World, resolver: Resolver, journal: Journal, front: Front = None) -> None:
    """Move everybody of a front who is under way."""
    step = world.step
    for body in bodies(world, front):
        if not body.path:
            if body.moving:
                _stand(body, step, journal)
            continue
        if body.talk is not None:
            if body.moving:
                _stand(body, step, journal)
            continue
        if not _way_clear(world, resolver, body):
            if body.moving:
                _stand(body, step, journal)
            continue
        if body.turned or not body.moving:
            journal.moved(body.name, step, body.path[body.along :])
            body.moving, body.turned = True, False
        body.along += 1
        tile = body.path[body.along]
        world.move(body, tile)
        if tile == body.goal:
            body.path, body.along, body.moving = (), 0, False
            world.arriving[body.index] = None


def _stand(body: Body, step: int, journal: Journal) -> None:
    journal.moved(body.name, step, (body.tile,))
    body.moving = False


def _way_clear(world: World, resolver: Resolver, body: Body) -> bool:
    """Whether the next tile may be entered; stops the body if not. May choose another spot for it."""
    places = world.places
    ahead = body.path[body.along + 1]
    arena = places.arena_at(ahead)
    if arena != body.arena:
        sector = places.sector_of.get(arena)
        if (
            sector is not None
            and sector is not places.sector_of.get(body.arena)
            and not places.admits(sector, body.name, world.step)
        ):
            resolver.block(body, "closed")
            return False
        capacity = places.capacity.get(arena)
        if capacity is not None and len(world.present.get(arena, {})) >= capacity:
            resolver.block(body, "full")
            return False
    if ahead != body.goal or body.act is None:
        return True
    place = world.town.by_address[body.act.target]
    other: Tile | None
    if isinstance(place, GameObject):
        if not world.taken(ahead, body) and resolver.users(body, place, ahead) < place.capacity:
            return True
        other = resolver.free_spot(body, place, ahead)
    else:
        assert isinstance(place, Arena)
        others = [b.tile for b in world.present.get(place.address, {}).values() if b is not body and b.rests]
        if all(distance(ahead, tile) > 1 for tile in others):
            return True
        other = resolver.place_beside(body, place, ahead)
        if other is None or other == ahead:
            return True
    if other is None:
        resolver.block(body, "full")
        return False
    if other == body.tile:  # it stands on a free one already
        body.path, body.along, body.goal = (), 0, other
        world.arriving[body.index] = None
        return False
    resolver.head_for(body, other)
    return _way_clear(world, resolver, body) if world.places.arena_at(body.path[1]) != body.arena else True
