"""One picture of the town: ground and things, people, roofs from afar, light, then words.

    Scene(source, atlas, fonts)   .draw(surface, snapshot, view, seconds=..., pace=..., ...) -> Drawn
    Drawn                         where people and bubbles are on the screen, for clicking and for panels to keep clear

Nothing here knows about windows or time's passing: the same arguments give the same picture.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

import pygame

from viewer.art import TILE, Atlas, Light
from viewer.backdrop import BEATS, Backdrop
from viewer.beyond import Beyond
from viewer.bubbles import draw_bubbles, draw_murmur
from viewer.camera import View
from viewer.fonts import Fonts
from viewer.labels import Icons, PlaceNames, draw_names
from viewer.light import Lighting, is_dark
from viewer.people import Crowd, Stand
from viewer.pins import PINS_FROM, Pinned
from viewer.snapshot import Snapshot
from viewer.source import Source
from viewer.speech import Bubble, Speech

FEWEST, ROOM = 3, 75_000
"""Bubbles shown at once: at least so many, and one for so many pixels."""
WORDS_FROM = 1.0
"""The zoom from which words can be read; farther away one sees only that somebody talks."""


@dataclass(slots=True)
class Drawn:
    """What was drawn where."""

    stands: dict[str, Stand] = field(default_factory=dict)
    pinned: Pinned = field(default_factory=Pinned)
    bubbles: list[pygame.Rect] = field(default_factory=list)
    spoken: list[Bubble] = field(default_factory=list)

    def at(self, point: tuple[int, int]) -> str | None:
        """The resident at a point of the screen, the one in front; else the nearest of those close by."""
        near: list[tuple[int, str]] = []
        for name, stand in reversed(self.stands.items()):
            if stand.rect.collidepoint(point):
                return name
            if stand.rect.inflate(8, 8).collidepoint(point):
                x, y = stand.rect.center
                near.append(((x - point[0]) ** 2 + (y - point[1]) ** 2, name))
        return min(near)[1] if near and self.crowd_at(point) is None else None

    def crowd_at(self, point: tuple[int, int]) -> str | None:
        """The building of which a point shows how many more are in it."""
        return next((address for rect, address in self.pinned.crowds if rect.collidepoint(point)), None)

    def head(self, name: str) -> tuple[int, int] | None:
        """Just above somebody's face, or above the number in which somebody is counted."""
        stand, rect = self.stands.get(name), self.pinned.counted.get(name)
        return stand.head if stand is not None else rect.midtop if rect is not None else None


class Scene:
    """Draws one run's town."""

    def __init__(self, source: Source, atlas: Atlas, fonts: Fonts) -> None:
        self.source, self.atlas, self.fonts = source, atlas, fonts
        self.backdrop = Backdrop(source.town, atlas)
        self.lighting = Lighting(source.town, atlas)
        self.speech = Speech(source, fonts)
        self.short = short_names(source.names)
        self._beyond = Beyond(source.town.width, source.town.height, atlas)
        self._crowd = Crowd(source.look_of, atlas, self.backdrop)
        self._places = PlaceNames(source.town)
        self._lit_key, self._lit_rooms = (-1, -1), set[str]()
        self._shining: tuple[Light, ...] = ()
        self._icons = Icons(atlas, self.backdrop.scaled)
        self._arena_of = {tile: arena.address for tile, arena in source.town.arena_of_tile.items()}

    def rescale(self, fonts: Fonts) -> None:
        """Other text sizes, for a window of another size."""
        self.fonts = fonts
        self.speech = Speech(self.source, fonts)

    def draw(
        self, surface: pygame.Surface, snapshot: Snapshot, view: View, *, seconds: float = 0.0, pace: float = 0.0,
        marked: str | None = None, important: Collection[str] = (), keep_clear: Collection[pygame.Rect] = (), names: bool = True,
    ) -> Drawn:  # fmt: skip
        """Draws the town. `seconds` of real time move flames and water; `pace`: game seconds per real second (0: still);
        `marked` is bracketed; `important` ones always have their names shown; no words go
        into the parts `keep_clear` of the screen.
        """
        beat = int(seconds * BEATS)
        self._beyond.draw(surface, view)
        self.backdrop.show(snapshot.states, beat)
        self.backdrop.draw(surface, view)
        if view.zoom >= WORDS_FROM:
            self._shimmer(surface, view, int(seconds * 2))
        dark = is_dark(self._minute(snapshot.step))
        names_high = self._places.heights(self.fonts, view.zoom) if view.zoom < PINS_FROM else {}
        stands = self._crowd.draw(
            surface, snapshot, view, beat, marked, first=important, dark=dark, names_high=names_high, scale=self.fonts.scale
        )
        lit = self._lit(snapshot)
        self.lighting.draw(surface, view, self._minute(snapshot.step), lit, self._shining)
        if dark:
            self._crowd.brighten(surface)
        drawn = Drawn(stands, self._crowd.pinned)
        taken: list[pygame.Rect] = list(keep_clear)
        self._talk(surface, snapshot, view, seconds, pace, drawn, taken)
        if view.zoom >= WORDS_FROM:
            quiet = {bubble.line.speaker for bubble in drawn.spoken}
            self._icons.draw(surface, stands, quiet, view.zoom, taken)
        wanted = {*important, *((marked,) if marked else ())}
        draw_names(surface, self.fonts, stands, self.short, wanted, taken, names and view.zoom >= 1.0)
        if view.zoom < 2.0:
            heads = [stand.rect for stand in stands.values()] if view.zoom < 1.0 else []
            heads += [rect for rect, _ in drawn.pinned.crowds]
            self._places.draw(surface, self.fonts, view, taken, heads)
        return drawn

    def _minute(self, step: float) -> float:
        clock = self.source.clock
        return clock.minute_of_day(int(step)) + (step % 1) * clock.step_seconds / 60

    def _lit(self, snapshot: Snapshot) -> set[str]:
        """The rooms in which somebody is awake."""
        key = (int(snapshot.step), self.source.committed)
        if key != self._lit_key:
            self._lit_key, self._lit_rooms = key, self._rooms_lit(snapshot)
            self._shining = self.backdrop.shining(snapshot.states)
        return self._lit_rooms

    def _rooms_lit(self, snapshot: Snapshot) -> set[str]:
        return {
            self._arena_of[body.tile]
            for body in snapshot.bodies.values()
            if body.tile in self._arena_of and not (body.deed is not None and body.deed.asleep)
        }

    def _shimmer(self, surface: pygame.Surface, view: View, frame: int) -> None:
        scaled = self.backdrop.scaled
        surface.fblits(
            [
                (scaled.get(piece.surface, view.zoom), at)
                for piece in self.atlas.water(self.source.town, frame)
                if view.shows(*(at := view.screen(piece.x, piece.y)), margin=round(TILE * 4 * view.zoom))
            ]
        )

    def _talk(
        self, surface: pygame.Surface, snapshot: Snapshot, view: View, seconds: float, pace: float, drawn: Drawn,
        taken: list[pygame.Rect],
    ) -> None:  # fmt: skip
        if view.zoom < WORDS_FROM:
            for talk in snapshot.talks:
                heads = [head for name in talk.people(int(snapshot.step)) if (head := drawn.head(name)) is not None]
                if heads:
                    x = sum(head[0] for head in heads) // len(heads)
                    draw_murmur(surface, x, min(head[1] for head in heads) - 2, seconds)
            return
        spoken = [bubble for bubble in self.speech.at(snapshot.step, pace) if bubble.line.speaker in drawn.stands]
        spoken = readable(spoken, surface.get_width() * surface.get_height() / self.fonts.scale**2)
        placed = [(bubble, *drawn.stands[bubble.line.speaker].head) for bubble in spoken]
        rects = [stand.rect for stand in drawn.stands.values()]
        faces = [pygame.Rect(rect.x, rect.y, rect.width, rect.height * 2 // 3) for rect in rects]
        drawn.spoken = spoken
        drawn.bubbles = draw_bubbles(surface, self.fonts, placed, taken, faces)[len(taken) :]
        taken.extend(drawn.bubbles)


def readable(spoken: list[Bubble], pixels: float) -> list[Bubble]:
    """No more bubbles than can be read in a picture of a size: the latest words of each talk first, then what passes on news."""
    most = max(FEWEST, int(pixels / ROOM))
    if len(spoken) <= most:
        return spoken
    order = sorted(range(len(spoken)), key=lambda at: (not spoken[at].front, not spoken[at].line.facts, -at))
    return [spoken[at] for at in sorted(order[:most])]


def short_names(names: Collection[str]) -> dict[str, str]:
    """First names, or whole names where two are alike."""
    firsts = [name.split()[0] for name in names]
    return {name: first if firsts.count(first) == 1 else name for name, first in zip(names, firsts, strict=True)}
