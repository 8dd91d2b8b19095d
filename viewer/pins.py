"""Far away, whoever is under a roof is shown as a face on a small disc, as on a map; of a crowd a few, and how many more.

Pins(look_of, atlas, roofed, roofs)    .arrange(snapshot, view, names_high, ...) -> Pinned, the same for all of a step
    .draw(surface, bodies, view, ...)   draws that -> where each face is
    .brighten(surface)               over the light of the night: those who are awake

Where there is room, a face is where its resident is. Under a roof too full or too small for that they stand in rows, those who
are awake first, above the place's name; the last disc then counts whoever found no room. All measures are pixels of a screen of
common size; on one with words twice as large discs are twice as large.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

import pygame

from personas import Look
from town.percepts import Tile
from viewer.art import TILE, Atlas
from viewer.backdrop import quick
from viewer.camera import View
from viewer.fonts import Fonts
from viewer.snapshot import Body, Snapshot

PINS_FROM = 0.6
"""The zoom below which roofs hide who is under them."""
DISC, RIM, WALKING, MARKED = (255, 248, 228), (96, 70, 66), (242, 190, 104), (251, 230, 160)
SIDE = 22
WIDE, HIGH = 18, 16
"""Of so many pixels of the screen each disc takes one cell, where they stand as they are."""
ASIDE = ((0, 0), (1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (-1, -1), (1, 1), (-1, 1), (2, 0), (-2, 0), (2, -1), (-2, -1))
FREELY, AT_MOST = 3, 12
"""One face for so many cells of a roof, and no more than so many, stand where their residents are."""
ROW, COLUMN = 19, 20
"""Pixels from row to row and from face to face in rows."""
ROOMY = 2.5
"""A roof has room for faces where their residents are when beside its name it is so many of them high."""
LARGE = 1.75
"""The scale of words from which discs are twice as large."""

Picture = tuple[pygame.Surface, pygame.Rect]


@dataclass(slots=True)
class Pinned:
    """Who is shown where while a step lasts.

    faces      name -> place, of those who keep it; `moving` are the names of those whose place goes with them
    counted    name -> place of the number they are counted in, of those without a face of their own
    crowds     (place of the number, address of the building)
    """

    faces: dict[str, pygame.Rect] = field(default_factory=dict)
    moving: list[str] = field(default_factory=list)
    counted: dict[str, pygame.Rect] = field(default_factory=dict)
    crowds: list[tuple[pygame.Rect, str]] = field(default_factory=list)
    asleep: list[Picture] = field(default_factory=list)
    awake: list[Picture] = field(default_factory=list)


class Pins:
    """Draws the discs. `roofed`: the building over each tile; `roofs`: what lies under each, in town pixels."""

    def __init__(
        self, look_of: Callable[[str], Look | None], atlas: Atlas, roofed: Mapping[Tile, str], roofs: Mapping[str, pygame.Rect]
    ) -> None:
        self._look_of, self._atlas, self._roofed, self._roofs = look_of, atlas, roofed, roofs
        self._discs: dict[tuple[str, bool, int], pygame.Surface] = {}
        self._numbers: dict[tuple[int, int], pygame.Surface] = {}
        self._fonts = Fonts()
        self._unit = 1
        self._bright: list[Picture] = []
        self._key: tuple[object, ...] = ()
        self._still: Mapping[str, Body] | None = None
        self.pinned = Pinned()

    def nobody(self) -> None:
        """Near by there are no discs."""
        if self._still is not None:
            self._still, self.pinned, self._bright = None, Pinned(), []

    def arrange(
        self, snapshot: Snapshot, view: View, names_high: Mapping[str, int], marked: str | None = None,
        first: Collection[str] = (), scale: float = 1.0,
    ) -> Pinned:  # fmt: skip
        """Finds a place for everybody under a roof in view.

        marked      has a ring, and a face in any crowd
        first       others who have a face before anybody
        names_high  per address of a building, the pixels that rows leave to its name
        scale       of words
        """
        self._unit = unit = 2 if scale >= LARGE else 1
        key = (view, marked, frozenset(first), scale)
        if snapshot.still is self._still and key == self._key:
            return self.pinned
        self._still, self._key, self.pinned = snapshot.still, key, Pinned()
        walking = set(snapshot.walkers)
        under: dict[str, list[Body]] = {}
        for body in snapshot.still.values():
            address = self._roofed.get(body.tile)
            if address is not None:
                under.setdefault(address, []).append(body)
        freely: list[Body] = []
        screen = pygame.Rect(0, 0, view.width, view.height).inflate(4 * SIDE, 4 * SIDE)
        for address, bodies in under.items():
            roof = self._roofs[address]
            left, top = view.screen(roof.left, roof.top)
            right, bottom = view.screen(roof.right, roof.bottom)
            place = pygame.Rect(left, top, right - left, bottom - top)
            if not place.colliderect(screen):
                continue
            cells = place.width // (WIDE * unit) * (place.height // (HIGH * unit))
            place.height -= names_high.get(address, 0)
            if place.height >= ROOMY * SIDE * unit and len(bodies) <= min(AT_MOST, cells // FREELY):
                freely += bodies
            else:
                bodies.sort(key=lambda body: (body.name != marked, body.name not in first, _asleep(body)))
                self._in_rows(address, place, bodies, walking, marked)
        self.pinned.moving = [body.name for body in freely if body.name in walking]
        self._as_they_are([body for body in freely if body.name not in walking], view, marked)
        return self.pinned

    def draw(
        self, surface: pygame.Surface, bodies: Mapping[str, Body], view: View, marked: str | None = None, *, dark: bool = False
    ) -> dict[str, pygame.Rect]:  # fmt: skip
        """Draws what was arranged, and who is on the way. By night those who are awake are left to `brighten`."""
        pinned = self.pinned
        self._bright = [*pinned.awake]
        found = dict(pinned.faces)
        for name in pinned.moving:
            body = bodies[name]
            found[name] = self._disc_at(*view.screen((body.x + 0.5) * TILE, (body.y + 0.25) * TILE))
            self._bright += self._face(name, found[name], body.pose == "walk", name == marked)
        surface.fblits(pinned.asleep if dark else [*pinned.asleep, *self._bright])
        return found

    def brighten(self, surface: pygame.Surface) -> None:
        """Over the light of the night, those who are awake."""
        surface.fblits(self._bright)

    def _as_they_are(self, bodies: Sequence[Body], view: View, marked: str | None) -> None:
        """Each where the resident is, the northern ones first; who stands close to another moves aside."""
        cells: set[tuple[int, int]] = set()
        tile, wide, high = TILE * view.zoom, WIDE * self._unit, HIGH * self._unit
        for body in sorted(bodies, key=lambda body: (body.y, body.x)):
            x, y = round((body.x + 0.5) * tile), round((body.y + 0.25) * tile)
            column, row = x // wide, y // high
            for dx, dy in ASIDE:
                if (column + dx, row + dy) not in cells:
                    cells.add((column + dx, row + dy))
                    x, y = x + dx * wide, y + dy * high
                    break
            self._keep(body, self._disc_at(x - view.left, y - view.top), False, marked)

    def _in_rows(self, address: str, place: pygame.Rect, bodies: Sequence[Body], walking: set[str], marked: str | None) -> None:
        """From the top of a place down; above one that is too low for them, over its upper rim."""
        unit, pitch, side = self._unit, COLUMN * self._unit, SIDE * self._unit
        columns = max(2, (place.width - 4) // pitch)
        rows = max(1, (place.height - 4) // (ROW * unit))
        shown = len(bodies) if len(bodies) <= columns * rows else columns * rows - 1
        total = min(len(bodies), columns * rows)
        top = place.top + min(side // 2 + 2, max(-8 * unit, place.height - side // 2))
        spots = []
        for place_number in range(total):
            row, column = divmod(place_number, columns)
            across = min(columns, total - row * columns)
            spots.append((place.centerx + round((column - (across - 1) / 2) * pitch), top + row * ROW * unit))
        for body, spot in zip(bodies[:shown], spots, strict=False):
            self._keep(body, self._disc_at(*spot), body.name in walking, marked)
        rest = bodies[shown:]
        if rest:
            number = self._number(len(rest))
            rect = number.get_rect(center=spots[-1])
            self.pinned.counted |= {body.name: rect for body in rest}
            self.pinned.crowds.append((rect, address))
            (self.pinned.asleep if all(_asleep(body) for body in rest) else self.pinned.awake).append((number, rect))

    def _keep(self, body: Body, rect: pygame.Rect, walking: bool, marked: str | None) -> None:
        self.pinned.faces[body.name] = rect
        pictures = self._face(body.name, rect, walking, body.name == marked)
        (self.pinned.asleep if _asleep(body) else self.pinned.awake).extend(pictures)

    def _disc_at(self, x: int, y: int) -> pygame.Rect:
        side = SIDE * self._unit
        return pygame.Rect(x - side // 2, y - side // 2, side, side)

    def _face(self, name: str, rect: pygame.Rect, walking: bool, marked: bool) -> list[Picture]:
        face = (self._discs.get((name, walking, self._unit)) or self._disc(name, walking), rect)
        if not marked:
            return [face]
        ring = pygame.Surface((rect.width + 6, rect.width + 6), pygame.SRCALPHA)
        pygame.draw.circle(ring, MARKED, (rect.width / 2 + 3, rect.width / 2 + 3), rect.width / 2 + 2, 2)
        return [face, (ring, ring.get_rect(center=rect.center))]

    def _disc(self, name: str, walking: bool) -> pygame.Surface:
        disc = _plate(SIDE, WALKING if walking else DISC)
        face = self._atlas.face(self._look_of(name), name)
        bust = pygame.Surface((SIDE, SIDE), pygame.SRCALPHA)
        bust.blit(face, face.get_rect(midbottom=(SIDE // 2, SIDE - 2)))
        mask = pygame.Surface((SIDE, SIDE), pygame.SRCALPHA)
        pygame.draw.circle(mask, (255, 255, 255, 255), (SIDE / 2, SIDE / 2), SIDE / 2 - 1.5)
        bust.blit(mask, (0, 0), special_flags=pygame.BLEND_RGBA_MIN)
        disc.blit(bust, (0, 0))
        self._discs[name, walking, self._unit] = disc = quick(pygame.transform.scale_by(disc, self._unit))
        return disc

    def _number(self, count: int) -> pygame.Surface:
        found = self._numbers.get((count, self._unit))
        if found is None:
            text = self._fonts.text(f"+{count}", 10 * self._unit, RIM, True)
            plate = pygame.transform.scale_by(_plate(max(SIDE, text.get_width() // self._unit + 8), DISC), self._unit)
            plate.blit(text, text.get_rect(center=plate.get_rect().center))
            self._numbers[count, self._unit] = found = quick(plate)
        return found


def _plate(width: int, fill: tuple[int, int, int]) -> pygame.Surface:
    """A disc, or a longer one with round ends."""
    plate = pygame.Surface((width, SIDE), pygame.SRCALPHA)
    if width == SIDE:
        pygame.draw.circle(plate, RIM, (SIDE / 2, SIDE / 2), SIDE / 2)
        pygame.draw.circle(plate, fill, (SIDE / 2, SIDE / 2), SIDE / 2 - 1.5)
    else:
        pygame.draw.rect(plate, RIM, plate.get_rect(), border_radius=SIDE // 2)
        pygame.draw.rect(plate, fill, plate.get_rect().inflate(-3, -3), border_radius=SIDE // 2 - 2)
    return plate


def _asleep(body: Body) -> bool:
    return body.deed is not None and body.deed.asleep
