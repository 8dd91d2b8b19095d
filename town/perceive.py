"""Perceiving: what of V_k is in a resident's view, and for whom something in view is new.

    in_view      versions of everything in a body's view: quick, for telling whether there is news
    percepts     the same things as percepts, nearest first, with the words heard
    concerned    whose view a step's changes may have altered

In view is what lies within a square of half-width `radius` in the same arena (paper 4.1; a wall between rooms hides
what is behind it because rooms are arenas). Asleep, one perceives nothing.
"""

from __future__ import annotations

from town.bodies import Body
from town.front import Front, take
from town.happenings import Event
from town.percepts import Percept, Tile
from town.tree import GameObject
from town.world import Spoken, World

NOTHING: frozenset[str] = frozenset()


def distance(a: Tile, b: Tile) -> int:
    """The larger of |dx| and |dy|."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def _nearest(thing: GameObject, tile: Tile) -> tuple[int, Tile]:
    return min([(distance(t, tile), t) for t in thing.tiles or thing.spots])


def _within(thing: GameObject, tile: Tile, radius: int) -> bool:
    """Whether any part of a thing is as near as that: asked of every lively thing in the room, at every step."""
    x, y = tile
    return any(-radius <= tx - x <= radius and -radius <= ty - y <= radius for tx, ty in thing.tiles or thing.spots)


def _event_near(event: Event, body: Body, radius: int) -> bool:
    return body.pose.arena in event.arenas and (event.tile is None or distance(event.tile, body.pose.tile) <= radius)


def hears(body: Body, spoken: Spoken, radius: int) -> bool:
    """Whether words reach a body: it is part of the conversation, or within view of where they were spoken."""
    if body.name == spoken.utterance.speaker or body.pose.asleep or body.gone:
        return False
    if body.name in spoken.participants:
        return True
    return body.pose.arena == spoken.arena and distance(body.pose.tile, spoken.tile) <= radius


def in_view(world: World, body: Body, radius: int) -> tuple[frozenset[str], frozenset[str]]:
    """(everything in view, the part of it that is news when it is new), as versions, words not included.

    Sleepers, and residents who have never acted, are in view but no news.
    """
    pose = body.pose
    if pose.asleep:
        return NOTHING, NOTHING
    x, y = pose.tile
    news: list[str] = []
    dull: list[str] = []
    for other in world.present[pose.arena].values():
        seen = other.pose
        ox, oy = seen.tile
        if -radius <= ox - x <= radius and -radius <= oy - y <= radius and other is not body:
            (dull if seen.asleep or seen.act is None else news).append(seen.version)
    objects = world.objects
    lively = objects.lively.get(pose.arena)
    if lively:
        for address, thing in lively.items():
            if _within(thing, pose.tile, radius):
                news.append(f"{address}@{objects.states[address].changed}")
    if world.events:
        news += [event.id for event in world.events.values() if _event_near(event, body, radius)]
    if not news and not dull:
        return NOTHING, NOTHING
    newsworthy = frozenset(news)
    return newsworthy.union(dull) if dull else newsworthy, newsworthy


def percepts(world: World, body: Body, radius: int) -> tuple[Percept, ...]:
    """Everything a body perceives in the present V, nearest first, ties by subject."""
    me = body.pose
    if me.asleep:
        return ()
    found: list[Percept] = []
    for other in world.present[me.arena].values():
        away = distance(other.pose.tile, me.tile)
        if away <= radius and other is not body:
            found.append(_person(other, away))
    objects = world.objects
    for things in (objects.lively.get(me.arena, {}), objects.stilled.get(me.arena, {})):
        for address, thing in things.items():
            if _within(thing, me.tile, radius):
                away, tile = _nearest(thing, me.tile)
                history = objects.states[address]
                state = history.last.state
                version = f"{address}@{history.changed}"
                found.append(Percept("object", address, state, version, address, tile, away, idle=state == thing.idle))
    for event in world.events.values():
        if _event_near(event, body, radius):
            tile = event.tile or me.tile
            found.append(Percept("event", event.id, event.text, event.id, event.place, tile, distance(tile, me.tile)))
    for spoken in world.air:
        if hears(body, spoken, radius):
            words = spoken.utterance
            away = distance(spoken.tile, me.tile)
            version = str(words.id)
            look = world.by_name[words.speaker].look
            heard = Percept(
                "words", words.speaker, words.text, version, spoken.arena, spoken.tile, away, utterance=words, look=look
            )
            found.append(heard)
    found.sort(key=lambda p: (p.distance, p.subject, p.kind, p.version))
    return tuple(found)


def _person(other: Body, away: int) -> Percept:
    pose = other.pose
    act = pose.act
    return Percept(
        "person",
        other.name,
        act.text if act is not None else "",
        pose.version,
        act.target if act is not None and pose.there else pose.arena,
        pose.tile,
        away,
        idle=pose.asleep or act is None,
        busy=pose.busy,
        walking=pose.walking,
        look=pose.look,
    )


def concerned(world: World, radius: int, front: Front = None) -> dict[int, Body]:
    """Bodies in whose view something may have changed since V_step-1: the touched ones, and those near to any change.

    `front`: only of those bodies; what is kept of their being touched is used up.
    """
    near: dict[int, Body] = {}
    reach = radius + 1  # a step ago it may have been one tile nearer
    for index, before in take(world.touched, front).items():
        body = world.bodies[index]
        if not body.gone:
            near[index] = body
            x, y = body.tile
            for other in world.present[body.arena].values():
                ox, oy = other.tile
                if -reach <= ox - x <= reach and -reach <= oy - y <= reach:
                    near[other.index] = other
        if before != body.arena:
            near.update(world.present.get(before, {}))
    for arena in world.stirred:
        near.update(world.present.get(arena, {}))
    world.stirred.clear()
    return near if front is None else {index: body for index, body in near.items() if index in front}
