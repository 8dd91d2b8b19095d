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
from viewer import commands, futures
from viewer.art import load_atlas
from viewer.branching import Branching, Opening
from viewer.camera import TILE, Camera
from viewer.clips import Clips
from viewer.director import Director
from viewer.film import text_scale
from viewer.fonts import Fonts
from viewer.interviewing import Interviewing
from viewer.meddling import Meddling
from viewer.overlays import Overlays
from viewer.pacing import Pacing
from viewer.panels.shelf import Panels
from viewer.panels.status import Figures
from viewer.playback import Playback
from viewer.pointing import Pointer
from viewer.question import Question
from viewer.reviving import Reviving
from viewer.scene import Drawn, Scene, short_names
from viewer.scrubber import Scrubber
from viewer.settings import Settings
from viewer.source import Source
from viewer.visiting import Visiting
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
    """The window's state. `at` a step to begin with; a run that is still being lived is followed at its edge.

    `opening` is the run to be shown instead, when there is one: whoever keeps the loop opens it (see `viewer.opening`).
    """

    def __init__(
        self, path: Path | str, size: tuple[int, int] = (1280, 720), at: float | None = None, settings: Settings | None = None
    ) -> None:
        pygame.font.init()
        self.source = Source(path)
        self.settings = settings or Settings()
        self.size = size
        self.seconds = 0.0
        self.fonts = self._sized()
        self.scene = Scene(self.source, load_atlas(), self.fonts)
        self.camera = Camera(self.source.town.width, self.source.town.height)
        live = at is None and not self.source.over
        self.playback = Playback(self.source, step=at if at is not None else None if live else self._first_morning(), live=live)
        self.pacing = Pacing(self.source)
        self.scrubber = Scrubber(self.source, self.fonts)
        self.pointer: Pointer = Pointer(self)
        self.overlays: Overlays = Overlays(self)
        self.interviewing = Interviewing(self.source)
        self.panels = Panels(
            self.source, self.scene.atlas, size, self.fonts,
            ground=self.overlays.minimap.ground, interviewing=self.interviewing, figures=self._figures,
        )  # fmt: skip
        self.clips = Clips(self.source)
        self.meddling = Meddling(self.source)
        self.branching = Branching(self.source)
        self.reviving = Reviving(self.source.path)
        self.visiting: Visiting = Visiting(self)
        self.question: Question | None = None
        self.opening: Opening | None = None
        self.director: Director | None = None
        self.selected: str | None = None
        self.following = self.helping = False
        self.mapping, self.running = self.settings.minimap, True
        self.trouble = ""
        self.waiting: float | None = None
        """Since when an engine is looked for before one is started."""
        self.drawn = Drawn()
        self._polled = 0.0
        self._keys: set[int] = set()
        self.resize(size)
        self.camera.place(self._room())
        self.camera.fit(at_once=True)
        self._meet()
        self._as_set()

    def _as_set(self) -> None:
        """As the settings want it to open."""
        settings = self.settings
        self.playback.choose(settings.rate)
        if settings.zoom is not None:
            self.camera.look(self.source.town.width / 2, self.source.town.height / 2, settings.zoom, at_once=True)
        if settings.director:
            self.director = Director(self.source)
        opening = {"residents": self.panels.toggle_roster, "news": self.panels.open_news, "status": self.panels.open_status}
        if settings.panel in opening:
            opening[settings.panel]()

    def _sized(self) -> Fonts:
        return Fonts(text_scale(self.size) * self.settings.font_scale)

    def _first_morning(self) -> float:
        """A finished run is opened when its people get up: when a few of them have."""
        steps = sorted(found for name in self.source.names if (found := self.source.wakes(name)) is not None)
        return float(max(0, steps[len(steps) // 4] - 6)) if steps else 0.0

    def resize(self, size: tuple[int, int]) -> None:
        """Another size."""
        self.size = size
        self.fonts = self._sized()
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
            self._poll()
        self.pacing.keep(seconds)
        self.playback.advance(seconds, self._slow())
        self._move(seconds)
        self.clips.advance(self.playback.step, seconds)
        self.panels.at_edge(self.playback.live or self.playback.step >= self.source.committed - EDGE)
        futures.await_life(self)
        self.visiting.advance(seconds)
        self.opening = self.branching.ready() or self.opening
        message = self.clips.message() or self.meddling.message(seconds) or self.branching.message() or self.reviving.message()
        if message:
            self.tell(message)

    def _poll(self) -> None:
        if self.trouble:
            return
        known, over, at_end = len(self.source.visitors) + len(self.source.names), self.source.over, self.playback.at_end
        try:
            self.source.poll()
        except RunFileError as error:  # what has been read can still be looked at
            self.trouble = say("window", "trouble", what=error.what)
        if len(self.source.visitors) + len(self.source.names) != known:
            self._meet()
        if over and not self.source.over:
            futures.lived_on(self, at_end)

    def _meet(self) -> None:
        """Everybody's short name, newcomers' among them."""
        self.scene.short = short_names((*self.source.names, *self.source.visitors))

    def _figures(self) -> Figures:
        price = self.settings.price
        known = (price[0], price[1]) if price is not None else None
        return Figures(self.playback.words(), self.pacing.words(), self.pacing.waiting(), known)

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
        elif self.question is not None:
            self._answer(event, self.question)
            return
        elif event.type == pygame.KEYDOWN and not (self.panels.typing and event.key != pygame.K_ESCAPE):
            self._key(event.key)
            return  # a line that a key opens isn't to take that key itself
        elif event.type == pygame.WINDOWFOCUSLOST:
            self._keys.clear()
        elif event.type == pygame.KEYUP:
            self._keys.discard(event.key)
            if event.key in WAYS:
                self.visiting.release(WAYS[event.key])
        if event.type in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            self.pointer.event(event)
        link = self.panels.event(event)
        if link is not None:
            self.go(link)

    def _answer(self, event: pygame.event.Event, question: Question) -> None:
        """A question that is asked takes all keys and clicks."""
        if event.type == pygame.MOUSEMOTION:
            self.pointer.at = event.pos
        pressed = event.type == pygame.MOUSEBUTTONDOWN and event.button == 1 and question.press(event.pos)
        if (pressed or (event.type == pygame.KEYDOWN and question.key(event.key))) and self.question is question:
            self.question = None

    def _key(self, key: int) -> None:
        if key in WAYS and self.visiting.asked:
            self.visiting.press(WAYS[key])
        elif key in WAYS:
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

    def resume_from(self, old: Window, opening: Opening) -> None:
        """A window on another future takes up where the old one was: what is seen, selected and open, and the pace."""
        if opening.step is not None:
            self.playback.seek(float(opening.step))
        self.playback.choose(old.playback.pace)
        self.camera.look(old.camera.x / TILE - 0.5, old.camera.y / TILE - 0.5, old.camera.goal_zoom, at_once=True)
        self.selected, self.following, self.mapping = old.selected, old.following, old.mapping
        if old.panels.mode == "who" and old.panels.who is not None:
            self.panels.open_resident(old.panels.who, old.panels.tab)
        elif old.panels.mode == "place" and old.panels.place is not None:
            self.panels.open_place(old.panels.place)
        if opening.living:
            futures.revive(self)
        else:
            self.playback.playing = False
            self.tell(say("fork", "open", path=opening.path.name))

    def let_go(self) -> None:
        """The camera is the user's."""
        self.director, self.following = None, False

    def tell(self, words: str) -> None:
        """A short message at the top."""
        self.overlays.tell(words)

    def close(self) -> None:
        """The town is left alone, and the file closed."""
        self.interviewing.close()
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
