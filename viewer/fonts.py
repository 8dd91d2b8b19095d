"""Text on the screen: the fonts, finished pieces of text kept for reuse, and breaking lines.

    Fonts(scale)     .text(...) -> surface; .outlined(...); .width(...); .wrap(...); .pages(...)

Sizes are given for a window 720 pixels high; `scale` enlarges them for larger ones. The typeface is the one that comes
with the panels (Noto Sans), so that nothing depends on what is installed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

import pygame

Colour = tuple[int, int, int]
KEPT = 900
"""Finished pieces of text kept; when there are more, all are dropped."""

_SENTENCE = re.compile(r"(?<=[.!?…])\s+")


@cache
def _font(size: int, bold: bool) -> pygame.font.Font:
    pygame.font.init()
    name = "NotoSans-Bold.ttf" if bold else "NotoSans-Regular.ttf"
    return pygame.font.Font(str(files("pygame_gui.data").joinpath(name)), size)


class Fonts:
    """Text at one scale."""

    def __init__(self, scale: float = 1.0) -> None:
        self.scale = scale
        self._kept: dict[tuple[object, ...], pygame.Surface] = {}
        self._pages: dict[tuple[str, int, int, int], list[list[str]]] = {}
        self._wrapped: dict[tuple[str, int, int, bool], list[str]] = {}

    def size(self, size: int) -> int:
        """A size as it is at this scale."""
        return max(8, round(size * self.scale))

    def font(self, size: int, bold: bool = False) -> pygame.font.Font:
        """The font of a (720-pixel) size."""
        return _font(self.size(size), bold)

    def width(self, text: str, size: int, bold: bool = False) -> int:
        """How wide a text comes out."""
        return self.font(size, bold).size(text)[0]

    def text(self, text: str, size: int, colour: Colour, bold: bool = False) -> pygame.Surface:
        """A line of text; don't draw on it."""
        key = (text, size, colour, bold)
        found = self._kept.get(key)
        if found is None:
            found = self._keep(key, self.font(size, bold).render(text, True, colour))
        return found

    def outlined(self, text: str, size: int, colour: Colour, edge: Colour, bold: bool = True, width: int = 1) -> pygame.Surface:
        """A line of text with a rim, readable on any ground."""
        key = (text, size, colour, edge, bold, width)
        found = self._kept.get(key)
        if found is None:
            inner, outer = self.text(text, size, colour, bold), self.text(text, size, edge, bold)
            found = pygame.Surface((inner.get_width() + 2 * width, inner.get_height() + 2 * width), pygame.SRCALPHA)
            for dx in range(2 * width + 1):
                for dy in range(2 * width + 1):
                    if (dx, dy) != (width, width):
                        found.blit(outer, (dx, dy))
            found.blit(inner, (width, width))
            self._keep(key, found)
        return found

    def wrap(self, text: str, size: int, width: int, bold: bool = False) -> list[str]:
        """Broken into lines no wider than `width` pixels."""
        key = (text, size, width, bold)
        found = self._wrapped.get(key)
        if found is None:
            if len(self._wrapped) > 4 * KEPT:
                self._wrapped.clear()
            found = self._wrapped[key] = self._wrap(text, size, width, bold)
        return found

    def _wrap(self, text: str, size: int, width: int, bold: bool) -> list[str]:
        font, lines, line = self.font(size, bold), [], ""
        for word in self._words(text, font, width):
            longer = f"{line} {word}" if line else word
            if line and font.size(longer)[0] > width:
                lines.append(line)
                line = word
            else:
                line = longer
        return [*lines, line] if line else lines

    def _words(self, text: str, font: pygame.font.Font, width: int) -> Iterator[str]:
        """The words of a text; one that is wider than a line in pieces."""
        for word in text.split():
            while len(word) > 12 and font.size(word)[0] > width:
                fits = max(1, len(word) * width // font.size(word)[0] - 1)
                yield word[:fits]
                word = word[fits:]
            yield word

    def pages(self, text: str, size: int, width: int, most: int = 3) -> list[list[str]]:
        """Broken into pages of at most `most` lines, between sentences where that is possible."""
        key = (text, size, width, most)
        found = self._pages.get(key)
        if found is not None:
            return found
        pages: list[list[str]] = []
        page = ""
        for sentence in _SENTENCE.split(text):
            longer = f"{page} {sentence}" if page else sentence
            if page and len(self.wrap(longer, size, width)) > most:
                pages.extend(self._cut(page, size, width, most))
                page = sentence
            else:
                page = longer
        pages.extend(self._cut(page, size, width, most))
        self._pages[key] = pages
        return pages

    def _cut(self, text: str, size: int, width: int, most: int) -> list[list[str]]:
        lines = self.wrap(text, size, width)
        count = max(1, -(-len(lines) // most))
        if count > 1:  # several pages of like length rather than one with a single word
            lines = self.wrap(text, size, max(width * 2 // 3, round(width * len(lines) / (count * most)) + 8))
        return [lines[at : at + most] for at in range(0, len(lines), most)]

    def _keep(self, key: tuple[object, ...], surface: pygame.Surface) -> pygame.Surface:
        if len(self._kept) > KEPT:
            self._kept.clear()
        self._kept[key] = surface
        return surface
