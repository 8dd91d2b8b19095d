"""The bar at the lower rim: the clock, play and pace, and the whole run as a strip to drag along.

    Scrubber(source, fonts)    .layout(size)  .draw(surface, playback, mouse)  .press(point) / .drag(point) / .release()

The strip shows night and day, how much is talked (bars), reflections (ticks), news reaching somebody (diamonds), events,
what users asked for (triangles) and gatherings; what isn't lived yet is dark. Commands are returned as words: "toggle",
"back", "on", "live", "pace:60".
"""

from __future__ import annotations

import math

import pygame

from viewer.backdrop import quick
from viewer.caption import clock_words
from viewer.fonts import Fonts
from viewer.light import ambient
from viewer.look import ACCENTS, AMBER, CREAM, DIM, EDGE, FAINT, SLATE, SLATE_DARK, SLATE_LIGHT
from viewer.playback import PACES, Playback
from viewer.source import Source
from viewer.wording import say

HEIGHT = 74


class Scrubber:
    """The bar; `rect` is its place."""

    def __init__(self, source: Source, fonts: Fonts) -> None:
        self._source, self.fonts = source, fonts
        self.rect = pygame.Rect(0, 0, 0, 0)
        self.strip = pygame.Rect(0, 0, 0, 0)
        self._buttons: dict[str, pygame.Rect] = {}
        self._picture: pygame.Surface | None = None
        self._sky: tuple[tuple[int, int, int], pygame.Surface] | None = None
        self._bar = pygame.Surface((1, 1))
        self._key: object = None
        self._known = (-1, 0)
        self._over = False
        self.dragging = False

    def layout(self, size: tuple[int, int], fonts: Fonts) -> None:
        """Finds its place in a window of a size."""
        self.fonts = fonts
        height = fonts.size(HEIGHT)
        self.rect = pygame.Rect(0, size[1] - height, size[0], height)
        pad, button = fonts.size(12), fonts.size(26)
        left = fonts.size(230)
        self.strip = pygame.Rect(left, self.rect.y + fonts.size(10), size[0] - left - pad, fonts.size(28))
        x, y = left, self.rect.bottom - button - fonts.size(5)
        self._buttons = {}
        for command in ("back", "toggle", "on"):
            self._buttons[command] = pygame.Rect(x, y, button, button)
            x += button + fonts.size(4)
        x += fonts.size(10)
        self._over = self._source.over
        for pace in PACES if self._over else (*PACES, math.inf):
            width = fonts.size(48)
            self._buttons[f"pace:{pace:g}"] = pygame.Rect(x, y, width, button)
            x += width + fonts.size(4)
        self._buttons["live"] = pygame.Rect(x + fonts.size(10), y, fonts.size(58), button)
        self._picture, self._key = None, None

    # ------------------------------------------------------------------ mouse

    def step_at(self, x: int) -> float:
        """The step under a place of the strip."""
        part = (x - self.strip.x) / max(1, self.strip.width)
        return min(max(part, 0.0), 1.0) * self._span

    def press(self, point: tuple[int, int]) -> str | None:
        """The mouse goes down: a command, "seek", or None outside of everything."""
        if self.strip.inflate(0, 10).collidepoint(point):
            self.dragging = True
            return "seek"
        for command, rect in self._buttons.items():
            if rect.collidepoint(point):
                return command
        return None

    def release(self) -> None:
        """The mouse goes up."""
        self.dragging = False

    @property
    def _span(self) -> int:
        return max(self._source.planned, self._source.committed, 1)

    def _x(self, step: float) -> int:
        return self.strip.x + round(step / self._span * self.strip.width)

    # ------------------------------------------------------------------ drawing

    def draw(self, surface: pygame.Surface, playback: Playback, mouse: tuple[int, int], engine: str = "") -> None:
        """Draws the bar; `engine`: what the engine is doing, in words."""
        fonts = self.fonts
        if self._over != self._source.over:
            self.layout(surface.get_size(), fonts)
        known = (self._source.committed, self._span)
        grown = known[0] - self._known[0] > max(30, known[1] // 400)
        if self._picture is None or (known != self._known and (grown or self._source.over or known[1] != self._known[1])):
            self._picture, self._known = self._strip_picture(), known
        hover = next((command for command, rect in self._buttons.items() if rect.collidepoint(mouse)), "")
        words = clock_words(self._source, playback.step)
        shown = (playback.playing, playback.chosen, playback.live, engine)
        key = (words, hover, shown, self._source.committed, self._known, self.rect.size)
        if key != self._key:
            self._key = key
            self._bar = self._bar_picture(playback, words, hover)
            if engine:
                text = fonts.text(engine, 12, AMBER)
                middle = self._buttons["live"].centery - self.rect.y
                self._bar.blit(text, text.get_rect(midright=(self.rect.width - fonts.size(14), middle)))
        surface.blit(self._bar, self.rect)
        x = self._x(playback.step)
        pygame.draw.line(surface, (30, 26, 34), (x, self.strip.y - 4), (x, self.strip.bottom + 2), 5)
        pygame.draw.line(surface, CREAM, (x, self.strip.y - 4), (x, self.strip.bottom + 2), 3)
        pygame.draw.circle(surface, CREAM, (x, self.strip.y - 3), fonts.size(5))
        if self.strip.inflate(0, 8).collidepoint(mouse):
            self._hint(surface, mouse)

    def _bar_picture(self, playback: Playback, words: tuple[str, str], hover: str) -> pygame.Surface:
        """All of the bar that doesn't move from frame to frame."""
        fonts, pad = self.fonts, self.fonts.size(14)
        assert self._picture is not None
        bar = pygame.Surface(self.rect.size)
        bar.fill(SLATE)
        pygame.draw.line(bar, EDGE, (0, 0), (self.rect.width, 0))
        bar.blit(fonts.text(words[1], 28, CREAM, True), (pad, fonts.size(4)))
        bar.blit(fonts.text(words[0], 12, DIM), (pad, fonts.size(44)))
        strip = self.strip.move(-self.rect.x, -self.rect.y)
        bar.blit(self._picture, strip)
        edge = self._x(self._source.committed) - self.rect.x
        if edge < strip.right - 1:
            pygame.draw.rect(bar, SLATE_DARK, (edge, strip.y, strip.right - edge, strip.height))
            pygame.draw.line(bar, AMBER, (edge, strip.y), (edge, strip.bottom - 1), 2)
        self._draw_buttons(bar, playback, hover)
        return quick(bar)

    def _draw_buttons(self, surface: pygame.Surface, playback: Playback, hover: str) -> None:
        fonts = self.fonts
        for command, place in self._buttons.items():
            rect = place.move(-self.rect.x, -self.rect.y)
            on = command == f"pace:{playback.chosen:g}" or (command == "live" and playback.live)
            fill = AMBER if on else SLATE_LIGHT if command == hover else SLATE_DARK
            ink = SLATE_DARK if on else CREAM
            pygame.draw.rect(surface, fill, rect, border_radius=fonts.size(6))
            if command.startswith("pace:"):
                label = say("bar", "flat_out") if command == "pace:inf" else say("bar", "pace", pace=command[5:])
                text = fonts.text(label, 12, ink, True)
                surface.blit(text, text.get_rect(center=rect.center))
            elif command == "live":
                text = fonts.text(say("bar", "live" if not self._source.over else "end"), 12, ink, True)
                surface.blit(text, text.get_rect(center=rect.center))
            else:
                shape = "pause" if command == "toggle" and playback.playing else command
                _symbol(surface, shape, rect, ink, fonts.size(6))

    def _hint(self, surface: pygame.Surface, mouse: tuple[int, int]) -> None:
        step = self.step_at(mouse[0])
        date, time = clock_words(self._source, step)
        text = self.fonts.text(f"{date}, {time}", 12, CREAM, True)
        box = text.get_rect(midbottom=(mouse[0], self.rect.y - 6)).inflate(14, 8)
        box.clamp_ip(surface.get_rect())
        pygame.draw.rect(surface, EDGE, box.inflate(2, 2), border_radius=6)
        pygame.draw.rect(surface, SLATE_DARK, box, border_radius=6)
        surface.blit(text, text.get_rect(center=box.center))

    def _strip_picture(self) -> pygame.Surface:
        width, height = self.strip.size
        source, span = self._source, self._span
        picture = self._sky_picture(span).copy()
        unit = self.fonts.scale
        bar = max(3, round(3 * unit))
        bins = [0] * (width // bar + 1)
        for line in source.said:
            bins[min(line.step * width // span // bar, len(bins) - 1)] += 1
        most = max([4, *bins])
        for number, count in enumerate(bins):
            if count:
                tall = max(2, round((height - 9) * (count / most) ** 0.6))
                pygame.draw.rect(picture, ACCENTS["conversation"], (number * bar, height - tall, bar - 1, tall))
        for happening in source.happenings:
            x = happening.step * width // span
            if happening.kind == "reflection":
                pygame.draw.rect(picture, ACCENTS["reflection"], (x, 1, round(unit), round(4 * unit)))
            elif happening.kind in ("news", "event"):
                colour = ACCENTS[happening.kind]
                for half, ink in ((round(5 * unit), (30, 26, 34)), (round(4 * unit), colour)):
                    y = round(4 * unit)
                    pygame.draw.polygon(picture, ink, ((x, y - half), (x + half, y), (x, y + half), (x - half, y)))
        for step in source.interventions:
            x, half = step * width // span, round(4 * unit)
            for more, ink in ((1, (30, 26, 34)), (0, ACCENTS["event"])):
                high = half + more
                pygame.draw.polygon(picture, ink, ((x - high, height), (x + high, height), (x, height - 2 * high)))
        for start, end in source.gatherings():
            left, right = start * width // span, end * width // span
            pygame.draw.rect(picture, ACCENTS["gathering"], (left, 0, max(3, right - left), round(3 * unit)))
        day, length = source.clock.step_on(source.clock.day(0), 0), source.clock.steps(days=1)
        while day < span:
            if day > 0:
                x = day * width // span
                pygame.draw.line(picture, FAINT, (x, 0), (x, height))
            label = self.fonts.text(say("clock", "day", weekday=f"{source.clock.at(max(day, 0)):%a}"), 10, DIM)
            picture.blit(label, (max(day, 0) * width // span + 4, 4))
            day += length
        return picture

    def _sky_picture(self, span: int) -> pygame.Surface:
        """Day and night along the strip; the same while the run grows."""
        width, height = self.strip.size
        if self._sky is None or self._sky[0] != (width, height, span):
            picture = pygame.Surface((width, height))
            for x in range(width):
                colour = ambient(self._source.clock.minute_of_day(int(x / width * span)))
                dimmed = tuple(round(34 + channel * 0.24) for channel in colour)
                pygame.draw.line(picture, dimmed, (x, 0), (x, height))
            self._sky = ((width, height, span), picture)
        return self._sky[1]


def _symbol(surface: pygame.Surface, shape: str, rect: pygame.Rect, ink: tuple[int, int, int], half: int) -> None:
    x, y = rect.center
    if shape == "pause":
        pygame.draw.rect(surface, ink, (x - half + 1, y - half, half - 2, 2 * half))
        pygame.draw.rect(surface, ink, (x + 2, y - half, half - 2, 2 * half))
    elif shape == "toggle":
        pygame.draw.polygon(surface, ink, ((x - half + 2, y - half), (x - half + 2, y + half), (x + half, y)))
    else:
        way = 1 if shape == "on" else -1
        pygame.draw.polygon(surface, ink, ((x - way * half, y - half), (x - way * half, y + half), (x + way * 2, y)))
        pygame.draw.rect(surface, ink, (x + way * (half - 2) - 1, y - half, 3, 2 * half))
