"""The clock and a line of words at the lower rim of a film.

Caption(source, fonts).draw(surface, step, words)
clock_words(source, step)   -> (date, time)
"""

from __future__ import annotations

import pygame

from viewer.fonts import Fonts
from viewer.source import Source
from viewer.wording import say

SLATE, CREAM, AMBER = (38, 42, 54), (250, 243, 224), (242, 190, 104)


def clock_words(source: Source, step: float) -> tuple[str, str]:
    """The calendar and the time of day at a step."""
    moment = source.clock.at(int(step))
    date = say("clock", "date", weekday=f"{moment:%A}", day=moment.day, month=f"{moment:%B}")
    return date, say("clock", "time", time=f"{moment:%H:%M}")


class Caption:
    """Draws captions."""

    def __init__(self, source: Source, fonts: Fonts) -> None:
        self._source, self._fonts = source, fonts
        self._plates: dict[tuple[int, int], pygame.Surface] = {}

    def draw(self, surface: pygame.Surface, step: float, words: str) -> None:
        """The clock at the lower left, the words beside it."""
        fonts = self._fonts
        date, time = clock_words(self._source, step)
        pieces = [fonts.text(time, 17, AMBER, True), fonts.text(date, 12, CREAM)]
        if words:
            pieces.append(fonts.text(words, 13, CREAM, True))
        gap, height = fonts.size(12), fonts.size(28)
        width = sum(piece.get_width() for piece in pieces) + gap * (len(pieces) + 1)
        plate = self._plate(min(width, surface.get_width()), height)
        x, y = fonts.size(10), surface.get_height() - height - fonts.size(10)
        surface.blit(plate, (x, y))
        x += gap
        for piece in pieces:
            surface.blit(piece, piece.get_rect(midleft=(x, y + height // 2)))
            x += piece.get_width() + gap

    def _plate(self, width: int, height: int) -> pygame.Surface:
        found = self._plates.get((width, height))
        if found is None:
            if len(self._plates) > 50:
                self._plates.clear()
            found = self._plates[width, height] = pygame.Surface((width, height), pygame.SRCALPHA)
            pygame.draw.rect(found, (*SLATE, 225), found.get_rect(), border_radius=height // 3)
        return found
