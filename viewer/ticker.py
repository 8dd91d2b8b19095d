"""The ticker: what just happened, newest at the bottom, each line fading after a while.

Ticker(source, fonts)    .draw(surface, step, playing, left, bottom, width)  -> the rects of lines and what they stand for
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import replace

import pygame

from viewer.director import place_name, together
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
        self._lines: dict[tuple[object, ...], pygame.Surface] = {}

    def draw(
        self, surface: pygame.Surface, step: float, left: int, bottom: int, width: int
    ) -> list[tuple[pygame.Rect, Happening]]:
        """Draws upwards from `bottom`."""
        found, y = [], bottom
        for happening in reversed(self._latest(step)):
            layer = self._line(happening, width)
            y -= layer.get_height() + 3
            age = (step - happening.step) / BACK
            layer.set_alpha(round(255 * min(1.0, max(0.0, 2.2 - 2.2 * age))))
            surface.blit(layer, (left, y))
            found.append((pygame.Rect((left, y), layer.get_size()), happening))
        return found

    def _line(self, happening: Happening, width: int) -> pygame.Surface:
        fonts, key = self.fonts, (happening.kind, happening.id, happening.who, width, self.fonts.scale)
        layer = self._lines.get(key)
        if layer is None:
            lines = fonts.wrap(self.words(happening), 12, width - fonts.size(22))
            if len(lines) > 2:
                lines = [lines[0], f"{lines[1]} …"]
            height = fonts.size(17) * len(lines) + 5
            layer = pygame.Surface((width, height), pygame.SRCALPHA)
            pygame.draw.rect(layer, (*SLATE_DARK, 225), layer.get_rect(), border_radius=6)
            accent = ACCENTS[ACCENT.get(happening.kind, happening.kind)]
            pygame.draw.rect(layer, accent, (0, 0, 4, height), border_top_left_radius=6, border_bottom_left_radius=6)
            for number, line in enumerate(lines):
                layer.blit(fonts.text(line, 12, CREAM), (fonts.size(11), 1 + number * fonts.size(17)))
            if len(self._lines) > 60:
                self._lines.clear()
            self._lines[key] = layer
        return layer

    def words(self, happening: Happening) -> str:
        """A happening as a sentence."""
        place = place_name(happening.place) if happening.place else ""
        people = ", ".join(happening.people)
        return say("ticker", happening.kind, who=happening.who, people=people, text=happening.text, place=place)

    def _latest(self, step: float) -> list[Happening]:
        steps = self._source.happening_steps
        start, end = bisect_left(steps, int(step) - BACK), bisect_right(steps, int(step))
        found = self._together(self._source.happenings[start:end])
        weighty = [happening for happening in found if happening.weight >= 0.5][-LINES:]
        # Of each one's thoughts only the last: they come in rows.
        thoughts = {happening.who: happening.id for happening in found if happening.kind == "reflection"}
        found = [h for h in found if h.kind != "reflection" or thoughts[h.who] == h.id]
        rest = [happening for happening in found if happening.weight < 0.5][-(LINES - min(len(weighty), LINES - 2)) :]
        return sorted([*weighty, *rest], key=lambda happening: happening.step)[-LINES:]

    def _together(self, found: list[Happening]) -> list[Happening]:
        """News that several hear at once is one line."""
        groups: dict[tuple[object, ...], list[Happening]] = {}
        for happening in found:
            alone = happening.id if happening.kind != "news" else ""
            groups.setdefault((happening.step, happening.kind, happening.people, happening.text, alone), []).append(happening)
        return [
            group[0] if len(group) == 1 else replace(group[0], who=together([happening.who for happening in group]))
            for group in groups.values()
        ]
