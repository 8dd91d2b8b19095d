"""The residents in the picture: walking smoothly, seated, asleep, each behind what stands before them.

Crowd(source, atlas, backdrop)    .draw(surface, snapshot, view, beat, ...)  -> where each was drawn
Stand                             one resident on the screen
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pygame

from personas import Look
from viewer.art import TILE, Atlas, Facing, Pose
from viewer.backdrop import Backdrop
from viewer.camera import View
from viewer.pins import PINS_FROM, Pins
from viewer.snapshot import Body, Snapshot

SMALLEST = 0.8
"""People are never drawn smaller than this, so that they can be seen from afar."""
FACINGS: Mapping[str, Facing] = {"N": "north", "E": "east", "S": "south", "W": "west"}
STRIDES = (0, 1, 0, 2)
SNORES = 12
"""Beats until a sleeper's pictures repeat, whatever number of them there is."""
MARKED = (251, 230, 160)
APART = 7
"""Town pixels between people who stand on one tile."""


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a resident is on the screen: `head` just above it, `feet` the foot line, `rect` the picture."""

    body: Body
    rect: pygame.Rect
    head: tuple[int, int]
    feet: tuple[int, int]


class Crowd:
    """Draws residents."""

    def __init__(self, looks: Mapping[str, Look | None], atlas: Atlas, backdrop: Backdrop) -> None:
        self._looks, self._atlas, self._backdrop = looks, atlas, backdrop
        self._pictures: dict[tuple[str, str, str, int], pygame.Surface] = {}
        self._step, self._shifts = -1, dict[str, float]()
        self._pinned: dict[str, pygame.Rect] = {}
        self._pins = Pins(looks, atlas)

    def draw(
        self, surface: pygame.Surface, snapshot: Snapshot, view: View, beat: int, marked: str | None = None
    ) -> dict[str, Stand]:
        """Draws everybody in view in order of their foot line; `marked` stands in brackets."""
        zoom = max(view.zoom, SMALLEST)
        if int(snapshot.step) != self._step:
            self._step, self._shifts = int(snapshot.step), _shifts(snapshot)
        shifts = self._shifts
        found: dict[str, Stand] = {}
        pinned: list[Body] = []
        far, roofed = view.zoom < PINS_FROM, self._backdrop.roofed
        wide, high = view.width / view.zoom / TILE + 4, view.height / view.zoom / TILE + 4
        left, top = view.left / view.zoom / TILE - 2, view.top / view.zoom / TILE - 2
        seen = [body for body in snapshot.bodies.values() if 0 <= body.x - left < wide and 0 <= body.y - top < high]
        for body in sorted(seen, key=_depth):
            if far and body.tile in roofed:
                pinned.append(body)
                continue
            x, y = body.x * TILE + shifts.get(body.name, 0), body.y * TILE
            feet = view.screen(x + TILE / 2, y + TILE - 2)
            picture = self._picture(body, beat)
            large = self._backdrop.scaled.get(picture, zoom)
            rect = large.get_rect()
            dx, dy = self._atlas.PERSON_OFFSET
            if zoom == view.zoom:
                rect.topleft = view.screen(x + dx, y + dy)
            else:
                rect.midbottom = (feet[0], feet[1] + 2)
            if body.name == marked:
                marker = self._backdrop.scaled.get(self._atlas.marker("followed", beat // 2), zoom)
                surface.blit(marker, marker.get_rect(center=view.screen(x + TILE / 2, y + TILE / 2)))
            surface.blit(large, rect)
            if view.zoom >= 1.0:
                place = pygame.Rect(int(x) + dx - 1, int(y) + dy - 1, picture.get_width() + 2, picture.get_height() + 2)
                self._backdrop.cover(surface, view, place, round(y) + TILE - 2)
            found[body.name] = Stand(body, rect, (rect.centerx, rect.top + round(1 * zoom)), feet)
        self._pinned = self._pins.draw(surface, pinned, view)
        for name, rect in self._pinned.items():
            if name == marked:
                pygame.draw.circle(surface, MARKED, rect.center, rect.width / 2 + 2, 2)
            found[name] = Stand(snapshot.bodies[name], rect, rect.midtop, rect.midbottom)
        return found

    def brighten(self, surface: pygame.Surface, snapshot: Snapshot) -> None:
        """After the light has been drawn: who is awake under the roofs, so that the night shows it."""
        self._pins.brighten(surface, snapshot.bodies, self._pinned)

    def _picture(self, body: Body, beat: int) -> pygame.Surface:
        pose: Pose = "walk"
        frame = 0
        if body.pose == "walk":
            frame = STRIDES[int(body.stride * 2.5) % 4]
        elif body.pose == "sleep":
            pose, frame = "sleep", beat // 4 % SNORES
        elif body.pose == "sit":
            pose = "sit"
        key = (body.name, pose, body.facing, frame)
        found = self._pictures.get(key)
        if found is None:
            look = self._looks.get(body.name)
            found = self._pictures[key] = self._atlas.person(look, body.name, pose, FACINGS[body.facing], frame)
        return found


def _depth(body: Body) -> tuple[float, float]:
    return body.y, body.x


def _shifts(snapshot: Snapshot) -> dict[str, float]:
    """Those who stand on one tile move apart a little."""
    on: dict[tuple[float, float], list[str]] = {}
    for name, body in snapshot.bodies.items():
        if body.pose != "walk":
            on.setdefault((body.x, body.y), []).append(name)
    return {
        name: (number - (len(names) - 1) / 2) * APART
        for names in on.values()
        if len(names) > 1
        for number, name in enumerate(names)
    }
