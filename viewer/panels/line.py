"""A line to type in at the lower rim, in the middle of the window: what a visitor says.

Line(manager, size, bottom, fonts, hint)    .done(event) -> what was typed, once Enter is pressed    .words    .kill()
"""

from __future__ import annotations

import pygame
import pygame_gui
from pygame_gui.elements import UITextEntryLine

from viewer.fonts import Fonts
from viewer.look import AMBER, DIM

WIDTH, HEIGHT, ABOVE = 460, 34, 16
LONGEST = 300


class Line:
    """The line; it has the keys as long as it is there."""

    def __init__(
        self, manager: pygame_gui.UIManager, size: tuple[int, int], bottom: int, fonts: Fonts, hint: str, words: str = ""
    ) -> None:
        self.hint, self._fonts = hint, fonts
        width, height = min(fonts.size(WIDTH), size[0] - 40), fonts.size(HEIGHT)
        self.rect = pygame.Rect((size[0] - width) // 2, size[1] - bottom - height - fonts.size(ABOVE), width, height)
        self._entry = UITextEntryLine(self.rect, manager)
        self._entry.set_text_length_limit(LONGEST)
        if words:
            self._entry.set_text(words)
        self._entry.focus()  # type: ignore[no-untyped-call]

    @property
    def words(self) -> str:
        """What is in it."""
        return str(self._entry.get_text())

    def done(self, event: pygame.event.Event) -> str | None:
        """What was typed, when an event ends it."""
        if event.type == pygame_gui.UI_TEXT_ENTRY_FINISHED and event.ui_element is self._entry:
            return self.words.strip()
        return None

    def draw(self, surface: pygame.Surface) -> None:
        """A rim, and what it is for as long as nothing is typed; over what the manager draws."""
        pygame.draw.rect(surface, AMBER, self.rect.inflate(4, 4), 2, border_radius=self._fonts.size(6))
        if not self.words:
            text = self._fonts.text(self.hint, 13, DIM)
            surface.blit(text, text.get_rect(midleft=(self.rect.x + self._fonts.size(10), self.rect.centery)))

    def kill(self) -> None:
        """Takes it away."""
        self._entry.kill()  # type: ignore[no-untyped-call]
