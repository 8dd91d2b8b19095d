"""The residents in the picture: walking smoothly, seated, asleep, each behind what stands before them.

Crowd(source, atlas, backdrop)    .draw(surface, snapshot, view, beat, ...)  -> where each was drawn
Stand                             one resident on the screen
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

import pygame

from personas import Look
from viewer.art import TILE, Atlas, Facing, Pose
from viewer.backdrop import Backdrop, Item
from viewer.camera import View
from viewer.pins import PINS_FROM, Pinned, Pins
from viewer.snapshot import Body, Snapshot

SMALLEST = 0.8
"""People are never drawn smaller than this, so that they can be seen from afar."""
FACINGS: Mapping[str, Facing] = {"N": "north", "E": "east", "S": "south", "W": "west"}
STRIDES = (0, 1, 0, 2)
SNORES = 12
"""Pictures of a sleeper until they repeat, whatever number of them there is."""
BREATH = 4
"""Beats that each of them lasts."""
APART = 7
"""Town pixels between people who stand on one tile."""
MARGIN = 2
"""Tiles beyond the screen that figures may reach into it from."""
NOWHERE = pygame.Rect(0, 0, 0, 0)
NAMELESS: Mapping[str, int] = {}
NOTHING: Sequence[Item] = ()


class Stand(NamedTuple):
    """Where a resident is on the screen: `head` just above it, `feet` the foot line, `rect` the picture."""

    body: Body
    rect: pygame.Rect
    head: tuple[int, int]
    feet: tuple[int, int]


class _Figure(NamedTuple):
    """A body's picture and its place in the zoomed town; `before`: what is drawn over it again, within `place` of the town."""

    depth: tuple[float, float]
    body: Body
    picture: pygame.Surface
    rect: pygame.Rect
    feet: tuple[int, int]
    place: pygame.Rect
    before: Sequence[Item]

    def stand(self, view: View, zoom: float) -> Stand:
        """The figure on the screen."""
        rect = self.rect.move(-view.left, -view.top)
        return Stand(self.body, rect, (rect.centerx, rect.top + round(zoom)), (self.feet[0] - view.left, self.feet[1] - view.top))


class Crowd:
    """Draws residents. Whoever stands still is put in place once a step; walkers go on from frame to frame."""

    def __init__(self, look_of: Callable[[str], Look | None], atlas: Atlas, backdrop: Backdrop) -> None:
        self._look_of, self._atlas, self._backdrop = look_of, atlas, backdrop
        self._pictures: dict[tuple[str, str, str, int], pygame.Surface] = {}
        self._still: Mapping[str, Body] | None = None
        self._key: tuple[object, ...] = ()
        self._shifts: dict[str, float] = {}
        self._view: View | None = None
        self._figures: dict[str, _Figure] = {}
        self._standing: list[tuple[_Figure, Stand]] = []
        self._walking: list[str] = []
        self._pins = Pins(look_of, atlas, backdrop.roofed, backdrop.roofs)

    @property
    def pinned(self) -> Pinned:
        """Who was shown under roofs the last time, and who is only counted there."""
        return self._pins.pinned

    def draw(
        self, surface: pygame.Surface, snapshot: Snapshot, view: View, beat: int, marked: str | None = None, *,
        first: Collection[str] = (), dark: bool = False, names_high: Mapping[str, int] = NAMELESS, scale: float = 1.0,
    ) -> dict[str, Stand]:  # fmt: skip
        """Draws everybody in view in order of their foot line; `marked` stands in brackets.

        `dark`: those who are awake under roofs are left to `brighten`; `first`, `names_high` and `scale` as in `Pins.arrange`.
        """
        far = view.zoom < PINS_FROM
        if far:
            self._pins.arrange(snapshot, view, names_high, marked, first, scale)
        else:
            self._pins.nobody()
        self._arrange(snapshot, view, beat, far)
        standing = self._standing
        if self._walking:
            zoom = max(view.zoom, SMALLEST)
            walkers = (self._figure(snapshot.bodies[name], view.zoom, beat) for name in self._walking)
            standing = sorted([*standing, *((figure, figure.stand(view, zoom)) for figure in walkers)], key=_depth)
        found = {figure.body.name: stand for figure, stand in standing}
        self._blit(surface, standing, view, beat, marked)
        if far:
            for name, rect in self._pins.draw(surface, snapshot.bodies, view, marked, dark=dark).items():
                found[name] = Stand(snapshot.bodies[name], rect, rect.midtop, rect.midbottom)
        return found

    def brighten(self, surface: pygame.Surface) -> None:
        """After the light has been drawn: who is awake under the roofs, so that the night shows it."""
        self._pins.brighten(surface)

    def _arrange(self, snapshot: Snapshot, view: View, beat: int, far: bool) -> None:
        """Finds the figures in view of those who stand still, and who in view walks."""
        key = (view.zoom, beat // BREATH, self._backdrop.forgotten)
        if snapshot.still is not self._still or key != self._key:
            if snapshot.still is not self._still:
                self._shifts = _shifts(snapshot)
            self._still, self._key, self._view = snapshot.still, key, None
            self._figures.clear()
        if view == self._view:
            return
        self._view = view
        roofed, walkers, figures = self._backdrop.roofed, set(snapshot.walkers), self._figures
        wide, high = view.width / view.zoom / TILE + 2 * MARGIN, view.height / view.zoom / TILE + 2 * MARGIN
        left, top = view.left / view.zoom / TILE - MARGIN, view.top / view.zoom / TILE - MARGIN
        seen = [body for body in snapshot.still.values() if 0 <= body.x - left < wide and 0 <= body.y - top < high]
        if far:
            seen = [body for body in seen if body.tile not in roofed]
        self._walking = [body.name for body in seen if body.name in walkers]
        zoom = max(view.zoom, SMALLEST)
        self._standing = []
        for body in seen:
            if body.name not in walkers:
                figure = figures.get(body.name)
                if figure is None:
                    figure = figures[body.name] = self._figure(body, view.zoom, beat)
                self._standing.append((figure, figure.stand(view, zoom)))
        self._standing.sort(key=_depth)

    def _figure(self, body: Body, zoom: float, beat: int) -> _Figure:
        """A body's picture and its place."""
        x, y = body.x * TILE + self._shifts.get(body.name, 0), body.y * TILE
        feet = round((x + TILE / 2) * zoom), round((y + TILE - 2) * zoom)
        picture = self._picture(body, beat)
        large = self._backdrop.scaled.get(picture, max(zoom, SMALLEST))
        rect = large.get_rect()
        dx, dy = self._atlas.PERSON_OFFSET
        place, before = NOWHERE, NOTHING
        if zoom >= SMALLEST:
            rect.topleft = round((x + dx) * zoom), round((y + dy) * zoom)
        else:
            rect.midbottom = (feet[0], feet[1] + 2)
        if zoom >= 1.0:
            place = pygame.Rect(int(x) + dx - 1, int(y) + dy - 1, picture.get_width() + 2, picture.get_height() + 2)
            before = self._backdrop.before(place, round(y) + TILE - 2)
        return _Figure((body.y, body.x), body, large, rect, feet, place, before)

    def _blit(
        self, surface: pygame.Surface, standing: Sequence[tuple[_Figure, Stand]], view: View, beat: int, marked: str | None
    ) -> None:
        """Draws figures in their order, as many at a time as nothing of the town comes between."""
        waiting: list[tuple[pygame.Surface, pygame.Rect]] = []
        for figure, stand in standing:
            if figure.body.name == marked:
                marker = self._backdrop.scaled.get(self._atlas.marker("followed", beat // 2), max(view.zoom, SMALLEST))
                x, y = figure.body.x * TILE + self._shifts.get(marked, 0), figure.body.y * TILE
                waiting.append((marker, marker.get_rect(center=view.screen(x + TILE / 2, y + TILE / 2))))
            waiting.append((figure.picture, stand.rect))
            if figure.before:
                surface.fblits(waiting)
                waiting = []
                self._backdrop.cover(surface, view, figure.place, figure.before)
        surface.fblits(waiting)

    def _picture(self, body: Body, beat: int) -> pygame.Surface:
        pose: Pose = "walk"
        frame = 0
        if body.pose == "walk":
            frame = STRIDES[int(body.stride * 2.5) % 4]
        elif body.pose == "sleep":
            pose, frame = "sleep", beat // BREATH % SNORES
        elif body.pose == "sit":
            pose = "sit"
        key = (body.name, pose, body.facing, frame)
        found = self._pictures.get(key)
        if found is None:
            look = self._look_of(body.name)
            found = self._pictures[key] = self._atlas.person(look, body.name, pose, FACINGS[body.facing], frame)
        return found


def _depth(standing: tuple[_Figure, Stand]) -> tuple[float, float]:
    return standing[0].depth


def _shifts(snapshot: Snapshot) -> dict[str, float]:
    """Those who stand on one tile move apart a little."""
    on: dict[tuple[float, float], list[str]] = {}
    walking = set(snapshot.walkers)
    for name, body in snapshot.still.items():
        if name not in walking:
            on.setdefault((body.x, body.y), []).append(name)
    return {
        name: (number - (len(names) - 1) / 2) * APART
        for names in on.values()
        if len(names) > 1
        for number, name in enumerate(names)
    }
