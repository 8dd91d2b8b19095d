"""A panel that shows pages: a frame, buttons on top, and the page in a part that scrolls.

themed(size, fonts)           what manages all panels
Holder(manager, rect, ...)    .show(page)  .link_at(point)  .pressed(event), .done(event) -> the button's word
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pygame
import pygame_gui
from pygame_gui.elements import UIButton, UIImage, UIPanel, UIScrollingContainer, UITextEntryLine

from viewer.fonts import Fonts
from viewer.look import SLATE
from viewer.sheet import Page

PAD = 12
IN_A_ROW = 4
"""Tabs beside each other."""
LONGEST = 300
"""Characters one can type into a line of deeds."""


def themed(size: tuple[int, int], fonts: Fonts) -> pygame_gui.UIManager:
    """What manages the panels, with words of this scale."""
    theme = json.loads(Path(__file__).with_name("theme.json").read_text(encoding="utf-8"))
    points = fonts.size(13)
    for part in ("defaults", "button", "text_entry_line"):
        theme.setdefault(part, {})["font"] = {"name": "noto_sans", "size": str(points)}
    manager = pygame_gui.UIManager(size, enable_live_theme_updates=False)
    manager.preload_fonts([{"name": "noto_sans", "point_size": points, "style": "regular", "antialiased": "1"}])
    manager.get_theme().load_theme(theme)
    return manager


class Holder:
    """One panel. `tabs` are (word, label); with `search`, a line to type in on top; with `deeds` (word, label), a line to
    type in and buttons at the bottom."""

    def __init__(
        self, manager: pygame_gui.UIManager, rect: pygame.Rect, fonts: Fonts, tabs: Sequence[tuple[str, str]] = (), *,
        search: bool = False, hint: str = "", deeds: Sequence[tuple[str, str]] = (), deed_hint: str = "",
    ) -> None:  # fmt: skip
        self.rect = rect
        self._manager = manager
        pad, height = fonts.size(PAD), fonts.size(28)
        self.panel = UIPanel(rect, starting_height=1, manager=manager, margins={"left": 0, "right": 0, "top": 0, "bottom": 0})
        self._tabs: dict[str, UIButton] = {}
        top = pad
        gap = fonts.size(4)
        for row in _rows(tabs):
            width = (rect.width - 2 * pad - gap * (len(row) - 1)) // len(row)
            for number, (word, label) in enumerate(row):
                place = pygame.Rect(pad + number * (width + gap), top, width, height)
                self._tabs[word] = UIButton(place, label, manager, container=self.panel)
            top += height + gap
        top += pad - gap if tabs else 0
        self.search: UITextEntryLine | None = None
        if search:
            self.search = UITextEntryLine(
                pygame.Rect(pad, top, rect.width - 2 * pad, height), manager, container=self.panel, placeholder_text=hint
            )
            top += height + pad
        bottom = rect.height - pad
        self.line: UITextEntryLine | None = None
        self._deeds: dict[str, UIButton] = {}
        for word, label in reversed(deeds):
            bottom -= height
            place = pygame.Rect(pad, bottom, rect.width - 2 * pad, height)
            self._deeds[word] = UIButton(place, label, manager, container=self.panel)
            bottom -= fonts.size(4)
        if deeds:
            bottom -= height
            self.line = UITextEntryLine(
                pygame.Rect(pad, bottom, rect.width - 2 * pad, height), manager, container=self.panel, placeholder_text=deed_hint
            )
            self.line.set_text_length_limit(LONGEST)
            bottom -= pad
        inside = pygame.Rect(pad, top, rect.width - pad - 4, bottom - top)
        self.page_width = inside.width - fonts.size(24)
        self._scroll = UIScrollingContainer(inside, manager, container=self.panel, allow_scroll_x=False)
        self._image = UIImage(pygame.Rect(0, 0, self.page_width, 10), _blank(self.page_width), manager, container=self._scroll)
        self._page: Page | None = None
        self._room = inside

    def show(self, page: Page) -> None:
        """Another page; one scrolls on from where one was, if it is as long."""
        if page is self._page:
            return
        longer = self._page is None or page.surface.get_height() != self._page.surface.get_height()
        self._page = page
        if longer:
            self._image.set_dimensions(page.surface.get_size())
            self._scroll.set_scrollable_area_dimensions(page.surface.get_size())
        self._image.set_image(page.surface)

    def choose(self, word: str | None) -> None:
        """Marks the chosen tab."""
        for name, button in self._tabs.items():
            if name == word:
                button.select()  # type: ignore[no-untyped-call]
            else:
                button.unselect()  # type: ignore[no-untyped-call]

    def pressed(self, event: pygame.event.Event) -> str | None:
        """The word of the tab that an event pressed."""
        return next((word for word, button in self._tabs.items() if event.ui_element is button), None)

    def done(self, event: pygame.event.Event) -> tuple[str, str] | None:
        """(word, what was typed) of the deed that an event asks for: its button, or Enter for the first one."""
        if self.line is None:
            return None
        word = None
        if event.type == pygame_gui.UI_BUTTON_PRESSED:
            word = next((word for word, button in self._deeds.items() if event.ui_element is button), None)
        elif event.type == pygame_gui.UI_TEXT_ENTRY_FINISHED and event.ui_element is self.line:
            word = next(reversed(self._deeds))
        if word is None:
            return None
        typed = self.line.get_text().strip()
        self.line.set_text("")
        return word, typed

    def link_at(self, point: tuple[int, int]) -> str | None:
        """What a point of the screen stands for."""
        if self._page is None or not self._scroll.get_abs_rect().collidepoint(point):
            return None
        at = self._image.get_abs_rect()
        return self._page.at((point[0] - int(at.x), point[1] - int(at.y)))

    def kill(self) -> None:
        """Takes it away."""
        self.panel.kill()  # type: ignore[no-untyped-call]


def _rows(tabs: Sequence[tuple[str, str]]) -> list[Sequence[tuple[str, str]]]:
    """Tabs in rows of at most IN_A_ROW, of like length."""
    count = -(-len(tabs) // IN_A_ROW)
    each = -(-len(tabs) // count) if count else 1
    return [tabs[start : start + each] for start in range(0, len(tabs), each)]


def _blank(width: int) -> pygame.Surface:
    surface = pygame.Surface((max(1, width), 10))
    surface.fill(SLATE)
    return surface
