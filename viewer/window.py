"""The window: what is seen now, what the mouse and the keys mean, and the loop that keeps it going.

    Window(path, size)     .handle(event)  .advance(seconds)  .draw() -> surface; all of it works without a display

A process of its own that reads the run file; a run going on is followed at its edge, and lived at the pace that is chosen here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pygame

from kernel import RunFileError
from simulation.pace import Pace
from viewer.art import load_atlas
from viewer.camera import Camera
from viewer.caption import SLATE as CAPTION_SLATE
from viewer.clips import Clips
from viewer.director import Director
from viewer.film import text_scale
from viewer.fonts import Fonts
from viewer.light import ambient
from viewer.look import CREAM, plate
from viewer.meddling import Meddling
from viewer.minimap import Minimap
from viewer.pacing import Pacing
from viewer.panels.desk import Panels, help_picture
from viewer.playback import PACES, Playback
from viewer.scene import Drawn, Scene
from viewer.scrubber import Scrubber
from viewer.snapshot import Happening
from viewer.source import Source
from viewer.ticker import Ticker
from viewer.wording import say

POLL = 0.1
"""Seconds between looks at a growing run file."""
PAN = 700
"""Screen pixels a second when moving with keys."""
EASE = 0.1
"""Under the director, talk in view slows the clock to this part (at 60 game seconds a second)."""
DRAG = 4
"""Pixels that make a press a drag."""
TOAST = 4.0
EDGE = 2
"""Steps behind the newest one at which one still sees the present."""
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
        self.fonts = Fonts(text_scale(size))
        self.scene = Scene(self.source, load_atlas(), self.fonts)
        self.camera = Camera(self.source.town.width, self.source.town.height)
        live = at is None and not self.source.over
        self.playback = Playback(self.source, step=at if at is not None else None if live else self._first_morning(), live=live)
        self.pacing = Pacing(self.source)
        self.scrubber = Scrubber(self.source, self.fonts)
        self.ticker = Ticker(self.source, self.fonts)
        self.minimap = Minimap(self.scene.backdrop)
        self.panels = Panels(self.source, self.scene.atlas, size, self.fonts)
        self.director: Director | None = None
        self.clips = Clips(self.source)
        self.meddling = Meddling(self.source)
        self.selected: str | None = None
        self.following = False
        self.helping = False
        self.mapping = True
        self.running = True
        self.trouble = ""
        self.seconds = 0.0
        self.drawn = Drawn()
        self._lines: list[tuple[pygame.Rect, Happening]] = []
        self._polled = 0.0
        self._pressed: tuple[int, int] | None = None
        self._dragging = False
        self._keys: set[int] = set()
        self._toast = ("", 0.0)
        self._mouse = (0, 0)
        self._head = pygame.Rect(0, 0, 0, 0)
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
        self.ticker.fonts = self.fonts
        self.scrubber.layout(size, self.fonts)
        self.panels.layout(size, self.fonts, self.scrubber.rect.height)

    def _room(self) -> tuple[int, int]:
        return self.size[0], self.size[1] - self.scrubber.rect.height

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
            self._say(message)

    def _slow(self) -> float:
        """Under the director, one has time to read what is said."""
        if self.director is None or self.playback.live or self.playback.pace < 60:
            return 1.0
        return EASE * 60 / self.playback.pace if any(bubble.front for bubble in self.drawn.spoken) else 1.0

    def _move(self, seconds: float) -> None:
        side, roster = self.panels.side, self.panels.roster
        self.camera.place(
            self._room(), roster.rect.right if roster is not None else 0, self.size[0] - side.rect.left if side is not None else 0
        )
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
            self.resize((max(640, event.w), max(400, event.h)))
        elif event.type == pygame.KEYDOWN and not (self.panels.typing and event.key != pygame.K_ESCAPE):
            self._key(event.key)
        elif event.type == pygame.WINDOWFOCUSLOST:
            self._keys.clear()
        elif event.type == pygame.KEYUP:
            self._keys.discard(event.key)
        if hasattr(event, "pos") and event.type in (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP):
            self._mouse = event.pos
            self._point(event)
        link = self.panels.event(event)
        if link is not None:
            self.go(link)

    def _key(self, key: int) -> None:
        if key in WAYS:
            self._keys.add(key)
            self._let_go()
        elif key in (pygame.K_1, pygame.K_2, pygame.K_3, pygame.K_4):
            self.go_at(PACES[key - pygame.K_1])
        elif key in _KEYS:
            getattr(self, _KEYS[key])()

    def _point(self, event: pygame.event.Event) -> None:
        if event.type == pygame.MOUSEMOTION:
            if self.scrubber.dragging:
                self.playback.seek(self.scrubber.step_at(event.pos[0]))
            elif self._pressed is not None:
                dx, dy = event.pos[0] - self._pressed[0], event.pos[1] - self._pressed[1]
                if self._dragging or abs(dx) + abs(dy) > DRAG:
                    self._dragging = True
                    self._let_go()
                    self.camera.pan(-event.rel[0], -event.rel[1])
            return
        if self.panels.covers(event.pos):
            self._pressed = None
            return
        if event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self._press(event.pos)
        elif event.type == pygame.MOUSEBUTTONUP and event.button == 1:
            self.scrubber.release()
            if self._pressed is not None and not self._dragging:
                self._click(event.pos)
            self._pressed, self._dragging = None, False
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button in (4, 5):
            self._zoom(1 if event.button == 4 else -1, event.pos)

    def _press(self, point: tuple[int, int]) -> None:
        if self.helping:
            self.helping = False
            return
        command = self.scrubber.press(point)
        if command == "seek":
            self.playback.seek(self.scrubber.step_at(point[0]))
        elif command is not None:
            self._command(command)
        elif self.mapping and self.minimap.rect.collidepoint(point):
            self._let_go()
            self.camera.look(*self.minimap.tile_at(point))
        elif not self.scrubber.rect.collidepoint(point):
            self._pressed = point

    def _command(self, command: str) -> None:
        word, _, rest = command.partition(":")
        if word == "pace":
            self.go_at(float(rest))
        else:
            {"toggle": self.toggle, "back": self.step_back, "on": self.step_on, "live": self.live}[word]()

    def _click(self, point: tuple[int, int]) -> None:
        for rect, bubble in zip(self.drawn.bubbles, reversed(self.drawn.spoken), strict=False):
            if rect.collidepoint(point):
                self.panels.open_talk(bubble.line.talk)
                return
        for rect, happening in self._lines:
            if rect.collidepoint(point):
                self._visit(happening)
                return
        name = self.drawn.at(point)
        if name is not None:
            self.select(name)
        elif (place := self._place_at(point)) is not None:
            self.panels.open_place(place)
        elif self.panels.mode in ("who", "place"):
            self.selected, self.following = None, False
            self.panels.close()

    def _place_at(self, point: tuple[int, int]) -> str | None:
        """The thing at a point of the screen; from afar the building."""
        view = self.camera.view()
        tile, town = view.tile(*point), self.source.town
        arena = town.arena_of_tile.get(tile)
        if view.zoom < 1.0:
            sector = town.sector(arena.address) if arena is not None else None
            return sector.address if sector is not None and sector.kind != "street" else None
        below = (tile[0], tile[1] + 1)  # tall things reach into the tile to the north
        for wanted in (tile, below):
            for thing in arena.objects if arena is not None else ():
                if wanted in thing.tiles:
                    return thing.address
        return None

    def _visit(self, happening: Happening) -> None:
        who = next((name for name in self.source.names if happening.id.startswith(f"{name}/")), None)
        if who is not None:
            self.select(who)
            self.following = True
        line = next((line for line in self.source.said if line.id == happening.id), None)
        if line is not None:
            self.panels.open_talk(line.talk)

    def go(self, link: str) -> None:
        """Follows a link of a panel: "who:NAME", "talk:ID", "step:N"; or does what was typed there: "event:WORDS"."""
        word, _, rest = link.partition(":")
        if word == "who":
            self.select(rest)
            self.following = True
        elif word == "talk":
            self.panels.open_talk(rest)
        elif word == "step":
            self.playback.seek(float(rest))
        elif word in ("object", "event", "voice"):
            target = self.panels.who if word == "voice" else self.panels.place
            self._say(self.meddling.ask(word, target or "", rest))

    # ------------------------------------------------------------------ what the keys do

    def select(self, name: str, tab: str | None = None) -> None:
        """Selects a resident and opens the inspector."""
        self.selected = name
        self.director = None
        self.panels.open_resident(name, tab)

    def toggle(self) -> None:
        """Pauses or goes on; at the live edge, the town does."""
        self.playback.playing = not self.playback.playing
        self._pace()

    def go_at(self, rate: float) -> None:
        """Another pace, in game seconds per second; at the live edge, the town's."""
        self.playback.choose(rate)
        self._pace()

    def flat_out(self) -> None:
        """The town lives as fast as it can."""
        self.go_at(math.inf)

    def _pace(self, until: int | None = None) -> None:
        if self.playback.live:
            rate = self.playback.chosen if self.playback.playing and until is None else 0.0
            self.pacing.ask(Pace(rate, until))

    def step_on(self) -> None:
        """One step on; at the live edge, the town lives one step."""
        edge = self.source.committed
        if self.source.over or self.playback.step + 1 <= edge:
            self.playback.nudge(1)
        else:
            self.playback.live, self.playback.playing = True, False
            self._pace(until=edge + 1)

    def step_back(self) -> None:
        """One step back."""
        self.playback.nudge(-1)

    def follow(self) -> None:
        """Follows the selected resident, or stops following."""
        self.following = self.selected is not None and not self.following
        self.director = None

    def direct(self) -> None:
        """Director mode on or off."""
        self.director = None if self.director is not None else Director(self.source)
        self.following = False

    def whole_town(self) -> None:
        """Shows all of the town."""
        self._let_go()
        self.camera.fit()

    def zoom_in(self) -> None:
        """Nearer."""
        self._zoom(1, self._mouse)

    def zoom_out(self) -> None:
        """Farther."""
        self._zoom(-1, self._mouse)

    def live(self) -> None:
        """To the live edge."""
        self.playback.go_live()
        if self.pacing.wanted is not None:
            self._pace()

    def residents(self) -> None:
        """The list of residents."""
        self.panels.toggle_roster()

    def news(self) -> None:
        """The news panel."""
        self._toggle("news", lambda: self.panels.open_news())

    def talk(self) -> None:
        """The conversation going on, the selected resident's or the nearest to the middle."""
        talks = self.source.talks_between(int(self.playback.step) - 60, int(self.playback.step))
        mine = [talk for talk in talks if self.selected in talk.everybody]
        chosen = (mine or talks)[-1].id if talks else None
        self._toggle("talk", lambda: self.panels.open_talk(chosen))

    def status(self) -> None:
        """How far the run is, and what it took."""
        self._toggle("status", self.panels.open_status)

    def small_map(self) -> None:
        """The small map on or off."""
        self.mapping = not self.mapping

    def help(self) -> None:
        """The keys."""
        self.helping = not self.helping

    def escape(self) -> None:
        """Closes what was opened last."""
        if self.helping:
            self.helping = False
        elif not self.panels.close():
            self.selected, self.following, self.director = None, False, None

    def clip(self) -> None:
        """Saves the last seconds as a film, while the window goes on."""
        self._say(self.clips.save(self.camera, self.selected if self.following else None, self.playback.pace))

    def whole_screen(self) -> None:
        """The whole screen, or back."""
        if pygame.display.get_surface() is not None:
            pygame.display.toggle_fullscreen()

    def _toggle(self, mode: str, opening: Callable[[], None]) -> None:
        if self.panels.mode == mode:
            self.panels.close()
        else:
            opening()

    def _zoom(self, notches: int, point: tuple[int, int]) -> None:
        if self.director is not None:
            self.director = None
        self.camera.zoom_at(point, notches)

    def _let_go(self) -> None:
        self.director, self.following = None, False

    def _say(self, words: str) -> None:
        self._toast = (words, self.seconds)

    def close(self) -> None:
        """The town is left alone, and the file closed."""
        self.pacing.close()
        self.source.close()

    # ------------------------------------------------------------------ drawing

    def draw(self, surface: pygame.Surface, passed: float = 0.0) -> None:
        """Draws everything onto a surface of the window's size; `passed` seconds since the last time."""
        fonts, playback = self.fonts, self.playback
        snapshot = self.source.at(playback.step)
        room = surface.subsurface(pygame.Rect((0, 0), self._room()))
        view = self.camera.view()
        covered = [*self.panels.rects(), self._head]
        right = self.panels.side.rect.left if self.panels.side is not None else self.size[0]
        left = self.panels.roster.rect.right if self.panels.roster is not None else 0
        if self.mapping:
            self.minimap.layout(right - fonts.size(12), self.scrubber.rect.top - fonts.size(12), fonts)
            covered = [*covered, self.minimap.rect]
        self.drawn = self.scene.draw(
            room,
            snapshot,
            view,
            seconds=self.seconds,
            pace=playback.rate * self._slow(),
            marked=self.selected,
            keep_clear=covered,
        )
        width = min(fonts.size(330), max(fonts.size(200), right - left - fonts.size(240)))
        self._lines = self.ticker.draw(
            surface, playback.step, left + fonts.size(12), self.scrubber.rect.top - fonts.size(10), width
        )
        if self.mapping:
            light = ambient(self.source.clock.minute_of_day(int(playback.step)))
            self.minimap.draw(surface, snapshot, view, light, self.selected)
        self._headline(surface, left, right)
        self.scrubber.draw(surface, playback, self._mouse, self.pacing.words())
        self.panels.refresh(snapshot)
        self.panels.draw(surface, passed)
        if self.helping:
            picture = help_picture(fonts)
            surface.blit(picture, picture.get_rect(center=surface.get_rect().center))

    def _headline(self, surface: pygame.Surface, left: int, right: int) -> None:
        """What the camera does, and short messages, at the top."""
        words, toast = self.trouble, self._toast
        if words:
            pass
        elif toast[0] and self.seconds - toast[1] < TOAST:
            words = toast[0]
        elif self.director is not None:
            words = say("window", "directing", what=self.director.caption)
        elif self.following and self.selected is not None:
            words = say("window", "following", who=self.selected)
        elif self.playback.at_end and not self.source.over and self.playback.playing:
            words = say("window", "waiting")
        self._head = pygame.Rect(0, 0, 0, 0)
        if words:
            text = self.fonts.text(words, 13, CREAM, True)
            back = plate((text.get_width() + self.fonts.size(24), text.get_height() + self.fonts.size(10)), CAPTION_SLATE, 225)
            rect = back.get_rect(midtop=((left + right) // 2, self.fonts.size(10)))
            surface.blit(back, rect)
            surface.blit(text, text.get_rect(center=rect.center))
            self._head = rect


_KEYS: dict[int, str] = {
    pygame.K_SPACE: "toggle", pygame.K_PERIOD: "step_on", pygame.K_COMMA: "step_back", pygame.K_f: "follow", pygame.K_t: "direct",
    pygame.K_HOME: "whole_town", pygame.K_PLUS: "zoom_in", pygame.K_EQUALS: "zoom_in", pygame.K_KP_PLUS: "zoom_in",
    pygame.K_MINUS: "zoom_out", pygame.K_KP_MINUS: "zoom_out", pygame.K_l: "live", pygame.K_r: "residents", pygame.K_n: "news",
    pygame.K_c: "talk", pygame.K_i: "status", pygame.K_m: "small_map", pygame.K_F1: "help", pygame.K_ESCAPE: "escape",
    pygame.K_5: "flat_out", pygame.K_F9: "clip", pygame.K_F11: "whole_screen",
}  # fmt: skip
