"""The window: its parts, what time's passing does to them, and how they are drawn.

    Window(path, size)     .handle(event)  .advance(seconds)  .draw(surface); all of it works without a display

What keys, buttons and links do is in `commands`, the mouse in `pointing`, what lies over the town in `overlays`, the panels
in `panels/`. A process of its own that reads the run file; a run going on is followed at its edge, and lived at the pace
that is chosen here.
"""

from __future__ import annotations

from pathlib import Path

import pygame

from kernel import RunFileError
from viewer import commands
from viewer.art import load_atlas
from viewer.camera import Camera
from viewer.clips import Clips
from viewer.director import Director
from viewer.film import text_scale
from viewer.fonts import Fonts
from viewer.meddling import Meddling
from viewer.overlays import Overlays
from viewer.pacing import Pacing
from viewer.panels.desk import Panels
from viewer.playback import Playback
from viewer.pointing import Pointer
from viewer.scene import Drawn, Scene
from viewer.scrubber import Scrubber
from viewer.source import Source
from viewer.wording import say

POLL = 0.1
"""Seconds between looks at a growing run file."""
PAN = 700
"""Screen pixels a second when moving with keys."""
EASE = 0.1
"""Under the director, talk in view slows the clock to this part (at 60 game seconds a second)."""
EDGE = 2
"""Steps behind the newest one at which one still sees the present."""
SMALLEST = (640, 400)
WAYS = {
    pygame.K_LEFT: (-1, 0), pygame.K_a: (-1, 0), pygame.K_RIGHT: (1, 0), pygame.K_d: (1, 0),
    pygame.K_UP: (0, -1), pygame.K_w: (0, -1), pygame.K_DOWN: (0, 1), pygame.K_s: (0, 1),
}  # fmt: skip


class Window:
    """The window's state. `at` a step to begin with; a run that is still being lived is followed at its edge."""

    def __init__(self, path: Path | str, size: tuple[int, int] = (1280, 720), at: float | None = None) -> None:
        pygame.font.init()
        self.source = Source(path)
        self.size = size
        self.seconds = 0.0
        self.fonts = Fonts(text_scale(size))
        self.scene = Scene(self.source, load_atlas(), self.fonts)
        self.camera = Camera(self.source.town.width, self.source.town.height)
        live = at is None and not self.source.over
        self.playback = Playback(self.source, step=at if at is not None else None if live else self._first_morning(), live=live)
        self.pacing = Pacing(self.source)
        self.scrubber = Scrubber(self.source, self.fonts)
        self.panels = Panels(self.source, self.scene.atlas, size, self.fonts)
        self.pointer: Pointer = Pointer(self)
        self.overlays: Overlays = Overlays(self)
        self.clips = Clips(self.source)
        self.meddling = Meddling(self.source)
        self.director: Director | None = None
        self.selected: str | None = None
        self.following = self.helping = False
        self.mapping = self.running = True
        self.trouble = ""
        self.drawn = Drawn()
        self._polled = 0.0
        self._keys: set[int] = set()
        self.resize(size)
        self.camera.place(self._room())
        self.camera.fit(at_once=True)

    def _first_morning(self) -> float:
        """A finished run is opened when its people get up: when a few of them have."""
        steps = sorted(found for name in self.source.names if (found := self.source.wakes(name)) is not None)
        return float(max(0, steps[len(steps) // 4] - 6)) if steps else 0.0

    def resize(self, size: tuple[int, int]) -> None:
        """Another size."""
        self.size = size
        self.fonts = Fonts(text_scale(size))
        self.scene.rescale(self.fonts)
        self.overlays.rescale(self.fonts)
        self.scrubber.layout(size, self.fonts)
        self.panels.layout(size, self.fonts, self.scrubber.rect.height)

    def _room(self) -> tuple[int, int]:
        return self.size[0], self.size[1] - self.scrubber.rect.height

    def sides(self) -> tuple[int, int]:
        """Between which x the screen is free of panels."""
        side, roster = self.panels.side, self.panels.roster
        return roster.rect.right if roster is not None else 0, side.rect.left if side is not None else self.size[0]

    # ------------------------------------------------------------------ time

    def advance(self, seconds: float) -> None:
        """Real time passes."""
        self.seconds += seconds
        if self.seconds - self._polled >= POLL:
            self._polled = self.seconds
            if not self.source.over and not self.trouble:
                try:
                    self.source.poll()
                except RunFileError as error:  # what has been read can still be looked at
                    self.trouble = say("window", "trouble", what=error.what)
        self.pacing.keep(seconds)
        self.playback.advance(seconds, self._slow())
        self._move(seconds)
        self.clips.advance(self.playback.step, seconds)
        self.panels.at_edge(self.playback.live or self.playback.step >= self.source.committed - EDGE)
        message = self.clips.message() or self.meddling.message(seconds)
        if message:
            self.tell(message)

    def _slow(self) -> float:
        """Under the director, one has time to read what is said."""
        if self.director is None or self.playback.live or self.playback.pace < 60:
            return 1.0
        return EASE * 60 / self.playback.pace if any(bubble.front for bubble in self.drawn.spoken) else 1.0

    def _move(self, seconds: float) -> None:
        left, right = self.sides()
        self.camera.place(self._room(), left, self.size[0] - right)
        for key in self._keys:
            way = WAYS[key]
            self.camera.pan(way[0] * PAN * seconds, way[1] * PAN * seconds)
        if self.director is not None:
            self.director.direct(self.camera, self.playback.step, seconds)
        elif self.following and self.selected is not None:
            body = self.source.at(self.playback.step).bodies.get(self.selected)
            if body is not None:
                self.camera.look(body.x, body.y - 0.5, max(self.camera.suited(2.0), self.camera.goal_zoom))
        self.camera.advance(seconds)

    # ------------------------------------------------------------------ events

    def handle(self, event: pygame.event.Event) -> None:
        """Takes an event of the mouse, the keys or the window."""
        if event.type == pygame.QUIT:
            self.running = False
        elif event.type == pygame.VIDEORESIZE:
            self.resize((max(SMALLEST[0], event.w), max(SMALLEST[1], event.h)))
        elif event.type == pygame.KEYDOWN and not (self.panels.typing and event.key != pygame.K_ESCAPE):
            self._key(event.key)
        elif event.type == pygame.WINDOWFOCUSLOST:
            self._keys.clear()
        elif event.type == pygame.KEYUP:
            self._keys.discard(event.key)
        if event.type in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            self.pointer.event(event)
        link = self.panels.event(event)
        if link is not None:
            self.go(link)

    def _key(self, key: int) -> None:
        if key in WAYS:
            self._keys.add(key)
            self.let_go()
        elif key in commands.KEYS:
            commands.KEYS[key](self)

    # ------------------------------------------------------------------ what others do with it

    def select(self, name: str, tab: str | None = None) -> None:
        """Selects a resident and opens the inspector."""
        self.selected = name
        self.director = None
        self.panels.open_resident(name, tab)

    def go(self, link: str) -> None:
        """Follows a link, or does what was typed (see `commands.go`)."""
        commands.go(self, link)

    def go_at(self, rate: float) -> None:
        """Another pace (see `commands.go_at`)."""
        commands.go_at(self, rate)

    def follow(self) -> None:
        """Follows the selected resident, or stops following."""
        commands.follow(self)

    def residents(self) -> None:
        """The list of residents."""
        commands.residents(self)

    def let_go(self) -> None:
        """The camera is the user's."""
        self.director, self.following = None, False

    def tell(self, words: str) -> None:
        """A short message at the top."""
        self.overlays.tell(words)

    def close(self) -> None:
        """The town is left alone, and the file closed."""
        self.pacing.close()
        self.source.close()

    # ------------------------------------------------------------------ drawing

    def draw(self, surface: pygame.Surface, passed: float = 0.0) -> None:
        """Draws everything onto a surface of the window's size; `passed` seconds since the last time."""
        playback = self.playback
        snapshot = self.source.at(playback.step)
        room = surface.subsurface(pygame.Rect((0, 0), self._room()))
        covered = self.overlays.covered()
        self.drawn = self.scene.draw(
            room, snapshot, self.camera.view(), seconds=self.seconds, pace=playback.rate * self._slow(), marked=self.selected,
            keep_clear=covered,
        )  # fmt: skip
        self.overlays.draw(surface, snapshot)
        self.scrubber.draw(surface, playback, self.pointer.at, self.pacing.words())
        self.panels.refresh(snapshot)
        self.panels.draw(surface, passed)
        self.overlays.draw_on_top(surface)
