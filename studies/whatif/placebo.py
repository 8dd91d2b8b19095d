"""Irrelevant changes: objects that are idle and that nobody is near, so that whatever follows from them is not about them.

    placebos(run, step, away)   addresses, the most irrelevant first

The rule. Candidates are objects in their idle state which no act is using, in sectors in which nobody is as `step` begins
and which aren't among `away` (the sectors of the change). First those that acts have used least so far; of these the
farthest from anybody (in tiles as the crow flies); then in order of address. Where every sector is occupied, objects of rooms in
which nobody is, else any idle object outside `away`, else any idle object.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection

from kernel import UsageError
from simulation.measures import Place, Reading, Whereabouts, sector_of
from simulation.storing.runfile import RunFile
from town.tree import parent

Tile = tuple[int, int]


def placebos(run: RunFile, step: int, away: Collection[str]) -> list[str]:
    """Objects to change, in order. Raises UsageError for a town that has no object."""
    reading = Reading(run)
    where = Whereabouts(reading)
    rooms = {room for name in reading.names if (room := where.room_at(name, step))}
    sectors = {sector_of(room) for room in rooms}
    bodies = [tile for name in reading.names if (tile := where.tile_at(name, step)) is not None]
    used = Counter(act.target for acts in reading.acts.values() for act in acts if act.start < step)
    using = {act.target for acts in reading.acts.values() for act in acts if act.start <= step < act.end}
    changed = dict(run.rows("SELECT address, state FROM object_states WHERE step < ? ORDER BY step, n", (step,)))
    idle = dict(run.rows("SELECT address, idle FROM places WHERE level = 'object'"))
    things = [
        place
        for address, place in reading.places.items()
        if place.level == "object" and address not in using and changed.get(address, idle[address]) == idle[address]
    ]
    rules: tuple[Callable[[Place], bool], ...] = (
        lambda thing: sector_of(thing.address) not in sectors and sector_of(thing.address) not in away,
        lambda thing: parent(thing.address) not in rooms and sector_of(thing.address) not in away,
        lambda thing: sector_of(thing.address) not in away,
        lambda thing: True,
    )
    for fits in rules:
        found = [thing for thing in things if fits(thing)]
        if found:
            found.sort(key=lambda thing: (used[thing.address], -_far(thing, bodies), thing.address))
            return [thing.address for thing in found]
    raise UsageError("there is no idle object in this town to change for comparison", hint="choose another --at")


def _far(thing: Place, bodies: Collection[Tile]) -> float:
    """Tiles to the nearest body."""
    tiles = thing.tiles or thing.spots
    return round(min((math.dist(tile, body) for tile in tiles for body in bodies), default=0.0), 3)
