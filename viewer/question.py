"""A question the window asks its user, with a few answers to choose from; nothing else takes keys or clicks meanwhile.

Question(words, detail, answers)    .draw(surface, fonts, mouse)  .press(point)  .key(key) -> whether it is over
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from viewer.fonts import Fonts
from viewer.look import AMBER, CREAM, DIM, SLATE_DARK, SLATE_LIGHT, plate

WIDTH = 460


class Question:
    """`answers` are (label, what to do); the first is given by Enter, none by Esc."""

    def __init__(self, words: str, detail: str, answers: Sequence[tuple[str, Callable[[], None]]]) -> None:
        self.words, self.detail, self.answers = words, detail, answers
        self._buttons: list[pygame.Rect] = []

    def key(self, key: int) -> bool:
        """Takes a key; True when the question is over."""
        if key in (pygame.K_RETURN, pygame.K_KP_ENTER):
            self.answers[0][1]()
            return True
        return key == pygame.K_ESCAPE

    def press(self, point: tuple[int, int]) -> bool:
        """Takes a click; True when it chose an answer."""
        for rect, (_, answer) in zip(self._buttons, self.answers, strict=False):
            if rect.collidepoint(point):
                answer()
                return True
        return False

    def button(self, number: int) -> pygame.Rect:
        """Where an answer was drawn."""
        return self._buttons[number]

    def draw(self, surface: pygame.Surface, fonts: Fonts, mouse: tuple[int, int]) -> None:
        """Draws it in the middle."""
        pad, width, high = fonts.size(20), fonts.size(WIDTH), fonts.size(32)
        head = fonts.wrap(self.words, 16, width - 2 * pad, True)
        body = fonts.wrap(self.detail, 12, width - 2 * pad)
        lines = [(fonts.text(line, 16, CREAM, True), fonts.size(22)) for line in head]
        lines += [(fonts.text(line, 12, DIM), fonts.size(17)) for line in body]
        tall = sum(step for _, step in lines) + 2 * pad + fonts.size(14) + (high + fonts.size(6)) * len(self.answers)
        rect = pygame.Rect(0, 0, width, tall)
        rect.center = surface.get_rect().center
        surface.blit(plate(rect.size, alpha=250), rect)
        y = rect.y + pad
        for picture, step in lines:
            surface.blit(picture, (rect.x + pad, y))
            y += step
        y += fonts.size(14)
        self._buttons = []
        for number, (label, _) in enumerate(self.answers):
            place = pygame.Rect(rect.x + pad, y, width - 2 * pad, high)
            first = number == 0
            fill = AMBER if first else SLATE_LIGHT if place.collidepoint(mouse) else SLATE_DARK
            pygame.draw.rect(surface, fill, place, border_radius=fonts.size(6))
            text = fonts.text(label, 13, SLATE_DARK if first else CREAM, first)
            surface.blit(text, text.get_rect(center=place.center))
            self._buttons.append(place)
            y += high + fonts.size(6)
