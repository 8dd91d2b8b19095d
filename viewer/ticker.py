"""The ticker: what just happened, newest at the bottom, each line fading after a while.

    Ticker(source, fonts)    .draw(surface, step, playing, left, bottom, width)  -> the rects of lines and what they stand for
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

import pygame

from viewer.director import place_name
from viewer.fonts import Fonts
from viewer.look import ACCENTS, CREAM, SLATE_DARK
from viewer.snapshot import Happening
from viewer.source import Source
from viewer.wording import say

LINES = 5
BACK = 180
"""Steps that a line is shown."""
ACCENT = {"talk": "conversation", "invite": "conversation", "accept": "conversation", "decline": "conversation"}


class Ticker:
    """Draws the latest happenings."""

    def __init__(self, source: Source, fonts: Fonts) -> None:
        self._source, self.fonts = source, fonts

    def draw(self, surface: pygame.Surface, step: float, left: int, bottom: int, width: int) -> list[tuple[pygame.Rect, Happening]]:
        """Draws upwards from `bottom`."""
        fonts, found, y = self.fonts, [], bottom
        for happening in reversed(self._latest(step)):
            words = self.words(happening)
            lines = fonts.wrap(words, 12, width - fonts.size(22))[:2]
            height = fonts.size(17) * len(lines) + 5
            y -= height + 3
            age = (step - happening.step) / BACK
            layer = pygame.Surface((width, height), pygame.SRCALPHA)
            pygame.draw.rect(layer, (*SLATE_DARK, 205), layer.get_rect(), border_radius=6)
            accent = ACCENTS[ACCENT.get(happening.kind, happening.kind)]
            pygame.draw.rect(layer, accent, (0, 0, 4, height), border_top_left_radius=6, border_bottom_left_radius=6)
            for number, line in enumerate(lines):
                layer.blit(fonts.text(line, 12, CREAM), (fonts.size(11), 1 + number * fonts.size(17)))
            layer.set_alpha(round(255 * min(1.0, max(0.0, 1.5 - 1.5 * age))))
            surface.blit(layer, (left, y))
            found.append((pygame.Rect(left, y, width, height), happening))
        return found

    def words(self, happening: Happening) -> str:
        """A happening as a sentence."""
        place = place_name(happening.place) if happening.place else ""
        people = ", ".join(happening.people)
        return say("ticker", happening.kind, who=happening.who, people=people, text=happening.text, place=place)

    def _latest(self, step: float) -> list[Happening]:
        steps = self._source.happening_steps
        start, end = bisect_left(steps, int(step) - BACK), bisect_right(steps, int(step))
        found = self._source.happenings[start:end]
        weighty = [happening for happening in found if happening.weight >= 0.5][-LINES:]
        rest = [happening for happening in found if happening.weight < 0.5][-(LINES - min(len(weighty), LINES - 2)) :]
        return sorted([*weighty, *rest], key=lambda happening: happening.step)[-LINES:]
