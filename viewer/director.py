"""Director mode: finds what is worth seeing and moves the camera there, gently, and not too often.

    Director(source)   .direct(camera, step, passed)   moves the camera's goal; `.caption` says what is shown
    sights(source, step)   -> what there is to see, the best first

A sight is worth what happens there: an event most, then news being passed on, invitations, gatherings of many, other
talk, somebody on the way. What has just been shown loses its charm for a while.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from town.tree import leaf, parent, parts
from viewer.camera import Camera
from viewer.snapshot import Snapshot
from viewer.source import Source
from viewer.wording import say

STAY = 7.0
"""Seconds that the camera stays at least."""
AHEAD = 3
"""Steps the director knows beforehand, so that the camera is there when the first words fall."""
BEHIND = 12
"""Steps that a conversation is worth seeing after its end, as long as its people stand together: words linger."""
NEAR = 5
"""Tiles within which people are shown together."""
WORTH = {"event": 10.0, "news": 8.0, "invite": 7.0, "gathering": 5.0, "talk": 4.0, "walk": 1.0}
MANY = 4
"""So many people awake in one room are a gathering."""


@dataclass(frozen=True, slots=True)
class Sight:
    """Something to see at (x, y) in tiles; `key` stays the same while it lasts."""

    key: str
    kind: str
    x: float
    y: float
    worth: float
    zoom: float
    caption: str


def sights(source: Source, step: float) -> list[Sight]:
    """What there is to see, the best first."""
    snapshot = source.at(step)
    found = [*_talks(source, snapshot), *_gatherings(source, snapshot), *_events(source, snapshot), *_walks(source, snapshot)]
    return sorted(found, key=lambda sight: (-sight.worth, sight.key))


def _talks(source: Source, snapshot: Snapshot) -> list[Sight]:
    step = int(snapshot.step)
    found = []
    for talk in source.talks_between(step - BEHIND, min(step + AHEAD, source.committed)):
        people = [name for name in talk.people(max(step, talk.started)) if name in snapshot.bodies]
        if not people:
            continue
        lines = talk.lines
        kind = "talk"
        if any(line.act in ("invite", "ask_help") for line in lines):
            kind = "invite"
        if any(fact in source.news.facts for line in lines for fact in line.facts):
            kind = "news"
        bodies = [snapshot.bodies[name] for name in people]
        speaker = next((line.speaker for line in reversed(lines) if line.step <= step and line.speaker in people), people[0])
        middle = snapshot.bodies[speaker]
        near = [body for body in bodies if abs(body.x - middle.x) <= NEAR and abs(body.y - middle.y) <= NEAR]
        x, y = sum(body.x for body in near) / len(near), sum(body.y for body in near) / len(near)
        over = talk.ended is not None and step > talk.ended + 2
        if over and len(near) < 2:
            continue
        words = say("director", kind, people=together(people), place=place_name(talk.place))
        found.append(Sight(talk.id, kind, x, y - 1.5, (WORTH[kind] + 0.3 * len(people)) * (0.6 if over else 1.0), 3.0, words))
    return found


def _gatherings(source: Source, snapshot: Snapshot) -> list[Sight]:
    rooms: dict[str, list[str]] = {}
    for body in snapshot.bodies.values():
        arena = source.town.arena_of_tile.get(body.tile)
        if arena is not None and not (body.deed is not None and body.deed.asleep):
            rooms.setdefault(arena.address, []).append(body.name)
    found = []
    for address, people in rooms.items():
        if (
            len(people) < MANY
            or source.town.arena(address).address.count(" : ") < 2
            or source.town.sector(address).kind == "street"
        ):
            continue
        x = sum(snapshot.bodies[name].x for name in people) / len(people)
        y = sum(snapshot.bodies[name].y for name in people) / len(people)
        words = say("director", "gathering", count=len(people), place=place_name(address))
        found.append(Sight(address, "gathering", x, y - 1, WORTH["gathering"] * min(1.5, len(people) / 8), 2.8, words))
    return found


def _events(source: Source, snapshot: Snapshot) -> list[Sight]:
    found = []
    for event in snapshot.events:
        node = source.town.by_address.get(event.place)
        tiles = getattr(node, "tiles", ())
        if tiles:
            x, y = sum(x for x, _ in tiles) / len(tiles), sum(y for _, y in tiles) / len(tiles)
            found.append(Sight(event.id, "event", x, y, WORTH["event"], 2.0, say("director", "event", text=event.text)))
    return found


def _walks(source: Source, snapshot: Snapshot) -> list[Sight]:
    """Somebody who walks, or else somebody awake; whoever has the most before them."""
    found = []
    for body in snapshot.bodies.values():
        if body.deed is None or body.deed.asleep:
            continue
        worth = WORTH["walk"] + (0.5 if body.pose == "walk" else 0.0)
        words = say("director", "walk", who=body.name, act=body.deed.text)
        found.append(Sight(f"walk {body.name}", "walk", body.x, body.y - 0.5, worth, 3.0, words))
    return found


class Director:
    """Chooses and changes sights."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._sight: Sight | None = None
        self._since = 0.0
        self._seen: Counter[str] = Counter()
        self.caption = ""

    def direct(self, camera: Camera, step: float, passed: float, *, at_once: bool = False, zoom: float | None = None) -> None:
        """Sets the camera's goal; call once a frame with the real time that passed."""
        self._since += passed
        found = sights(self._source, step)
        now = next((sight for sight in found if self._sight is not None and sight.key == self._sight.key), None)
        best = max(found, key=lambda sight: (sight.worth / (1 + self._seen[sight.key] * 0.5), sight.key), default=None)
        if best is None:
            self._sight, self.caption = None, say("director", "town", town=self._source.title)
            camera.fit(at_once=at_once)
            return
        tired = self._since > STAY
        if now is None or (tired and best.key != now.key and best.worth > now.worth * (0.75 if self._since > 3 * STAY else 1.2)):
            if now is not None or self._since > 2.5 or self._sight is None:
                self._seen[best.key] += 1
                self._sight, self._since = best, 0.0
        elif now is not None:
            self._sight = now
        if self._sight is not None:
            self.caption = self._sight.caption
            camera.look(self._sight.x, self._sight.y, zoom or camera.suited(self._sight.zoom), at_once=at_once)


def place_name(address: str) -> str:
    """A place as people say it: the building of a room, the room's own name outdoors."""
    while len(parts(address)) > 2:
        address = parent(address)
    return leaf(address)


def together(people: list[str]) -> str:
    """First names as people list them."""
    firsts = [name.split()[0] for name in people]
    if len(firsts) == 1:
        return firsts[0]
    return say("director", "people", first=", ".join(firsts[:-1]), last=firsts[-1])
