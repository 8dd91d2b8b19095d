"""What lies over the town beside the panels: the headline, the ticker, the small map, the page of keys.

Overlays(window)    .covered() before the town is drawn, .draw(surface) after it; .tell(words) for a while
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygame

from viewer.caption import SLATE as CAPTION_SLATE
from viewer.fonts import Fonts
from viewer.light import ambient
from viewer.look import AMBER, CREAM, DIM, plate
from viewer.minimap import Minimap
from viewer.snapshot import Happening, Snapshot
from viewer.ticker import Ticker
from viewer.wording import entries, say

if TYPE_CHECKING:
    from viewer.window import Window

TOAST = 4.0
"""Seconds that a short message is shown, and what each of its characters adds beyond LONG."""
LONG, SLOW = 50, 0.05
ROOM = 400
"""Width of the free part of the window in which the ticker and the small map have room beside each other."""
HELP_WIDTH, HELP_ROW, HELP_TOP = 560, 23, 84
"""Measures of the page of keys; it is made smaller when a window is too small for it."""


class Overlays:
    """The overlays of a window. `lines`: where the ticker's lines are, and what they stand for."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self.ticker = Ticker(window.source, window.fonts)
        self.minimap = Minimap(window.scene.backdrop)
        self.lines: list[tuple[pygame.Rect, Happening]] = []
        self._head = pygame.Rect(0, 0, 0, 0)
        self._toast = ("", 0.0)
        self._page: tuple[float, pygame.Surface] | None = None

    def tell(self, words: str) -> None:
        """A short message."""
        self._toast = (words, self._window.seconds)

    def rescale(self, fonts: Fonts) -> None:
        """Another size of words."""
        self.ticker.fonts = fonts

    @property
    def mapping(self) -> bool:
        """Whether the small map is shown: where there is room for it beside the ticker."""
        left, right = self._window.sides()
        return self._window.mapping and right - left >= self._window.fonts.size(ROOM)

    def covered(self) -> list[pygame.Rect]:
        """What of the screen is not the town's; finds the small map's place, too."""
        window, fonts = self._window, self._window.fonts
        found = [*window.panels.rects(), self._head]
        if self.mapping:
            right = window.sides()[1]
            self.minimap.layout(right - fonts.size(12), window.scrubber.rect.top - fonts.size(12), fonts)
            found.append(self.minimap.rect)
        return found

    def draw(self, surface: pygame.Surface, snapshot: Snapshot) -> None:
        """Draws what lies under the panels."""
        window, fonts = self._window, self._window.fonts
        left, right = window.sides()
        beside = self.minimap.rect.width + fonts.size(24) if self.mapping else 0
        width = min(fonts.size(330), right - left - fonts.size(24) - beside)
        bottom, line = window.scrubber.rect.top - fonts.size(10), window.panels.line
        if line is not None and line.rect.left < left + fonts.size(18) + width:
            bottom = line.rect.top - fonts.size(8)
        self.lines = self.ticker.draw(surface, window.playback.step, left + fonts.size(12), bottom, width)
        if self.mapping:
            light = ambient(window.source.clock.minute_of_day(int(window.playback.step)))
            self.minimap.draw(surface, snapshot, window.camera.view(), light, window.selected)
        self._headline(surface, left, right)

    def draw_on_top(self, surface: pygame.Surface) -> None:
        """Draws what lies over the panels."""
        window = self._window
        if window.question is not None:
            window.question.draw(surface, window.fonts, window.pointer.at)
        elif window.helping:
            picture = self._help(surface.get_size())
            surface.blit(picture, picture.get_rect(center=surface.get_rect().center))

    def _help(self, size: tuple[int, int]) -> pygame.Surface:
        """The page of keys, smaller than other words where a window is too small for it."""
        rows, fonts = len(entries("help")["rows"]), self._window.fonts
        scale = min(fonts.scale, (size[1] - 20) / (HELP_TOP + HELP_ROW * rows), (size[0] - 20) / HELP_WIDTH)
        if self._page is None or self._page[0] != scale:
            self._page = (scale, help_picture(fonts if scale == fonts.scale else Fonts(scale)))
        return self._page[1]

    def _words(self) -> str:
        window, (toast, since) = self._window, self._toast
        if window.trouble:
            return window.trouble
        if toast and window.seconds - since < TOAST + max(0, len(toast) - LONG) * SLOW:
            return toast
        if window.visiting.asked:
            return window.visiting.words()
        if window.director is not None:
            return say("window", "directing", what=window.director.caption)
        if window.following and window.selected is not None:
            return say("window", "following", who=window.selected)
        if window.playback.at_end and not window.source.over and window.playback.playing:
            return say("window", "waiting")
        return ""

    def _headline(self, surface: pygame.Surface, left: int, right: int) -> None:
        """What the camera does, and short messages, at the top; long ones on several lines."""
        self._head = pygame.Rect(0, 0, 0, 0)
        words = self._words()
        if not words:
            return
        fonts = self._window.fonts
        lines = fonts.wrap(words, 13, right - left - fonts.size(64), True)
        texts = [fonts.text(line, 13, CREAM, True) for line in lines]
        step = texts[0].get_height()
        size = (max(text.get_width() for text in texts) + fonts.size(24), step * len(texts) + fonts.size(10))
        rect = pygame.Rect((0, 0), size)
        rect.midtop = ((left + right) // 2, fonts.size(10))
        surface.blit(plate(size, CAPTION_SLATE, 225), rect)
        for number, text in enumerate(texts):
            surface.blit(text, text.get_rect(midtop=(rect.centerx, rect.y + fonts.size(10) // 2 + number * step)))
        self._head = rect


def help_picture(fonts: Fonts) -> pygame.Surface:
    """The page of keys, for F1."""
    rows = entries("help")["rows"]
    pad, step, left = fonts.size(22), fonts.size(HELP_ROW), fonts.size(210)
    surface = plate((fonts.size(HELP_WIDTH), pad * 2 + step * len(rows) + fonts.size(38)), alpha=250)
    surface.blit(fonts.text(entries("help")["title"], 18, AMBER, True), (pad, pad - 4))
    for number, (keys, words) in enumerate(rows):
        y = pad + fonts.size(34) + number * step
        surface.blit(fonts.text(keys, 13, CREAM, True), (pad, y))
        surface.blit(fonts.text(words, 13, DIM), (pad + left, y))
    return surface
