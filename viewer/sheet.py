"""A long page of words, faces and bars for a panel, laid out from top to bottom, with parts that can be clicked.

    Sheet(width, fonts)    .title .heading .text .record .entry .chips .space ..., then .finish() -> Page
    Page                   the picture, and what a point of it stands for

What a part stands for is a word such as "talk:ID" or "step:1234"; the window knows what to do with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pygame

from viewer.fonts import Colour, Fonts
from viewer.look import AMBER, CREAM, DIM, EDGE, FAINT, SLATE_DARK, SLATE_LIGHT

Paint = Callable[[pygame.Surface], object]


@dataclass(frozen=True)
class Page:
    """A finished sheet; `links` are places and what they stand for, those on top last."""

    surface: pygame.Surface
    links: tuple[tuple[pygame.Rect, str], ...]

    def at(self, point: tuple[int, int]) -> str | None:
        """What a point stands for."""
        return next((link for rect, link in reversed(self.links) if rect.collidepoint(point)), None)


class Sheet:
    """Builds a page. Sizes are for a window 720 pixels high, as everywhere."""

    def __init__(self, width: int, fonts: Fonts) -> None:
        self.width, self.fonts = width, fonts
        self.y = 0
        self._paints: list[Paint] = []
        self._links: list[tuple[pygame.Rect, str]] = []

    def px(self, size: float) -> int:
        """A measure at this scale."""
        return round(size * self.fonts.scale)

    def space(self, size: float = 8) -> None:
        """Leaves room."""
        self.y += self.px(size)

    def paint(self, paint: Paint) -> None:
        """Any other drawing, onto the finished surface."""
        self._paints.append(paint)

    def mark(self) -> int:
        """Where the drawing stands, for `paint_below`."""
        return len(self._paints)

    def paint_below(self, mark: int, paint: Paint) -> None:
        """Any drawing below what was drawn since a mark."""
        self._paints.insert(mark, paint)

    def link(self, rect: pygame.Rect, link: str) -> None:
        """A place that can be clicked."""
        self._links.append((rect, link))

    def link_below(self, rect: pygame.Rect, link: str) -> None:
        """A place that can be clicked where no other is."""
        self._links.insert(0, (rect, link))

    def blit(self, picture: pygame.Surface, x: int, y: int) -> None:
        """A picture at a place."""
        self._paints.append(lambda surface: surface.blit(picture, (x, y)))

    def title(self, face: pygame.Surface | None, words: str, below: Sequence[str]) -> None:
        """A face, a name, and lines below it."""
        left = 0
        top = self.y
        if face is not None:
            side = self.px(48)
            large = pygame.transform.scale(face, (side, side))
            frame = pygame.Rect(0, top, side + 6, side + 6)
            self._paints.append(lambda surface: pygame.draw.rect(surface, SLATE_LIGHT, frame, border_radius=6))
            self.blit(large, 3, top + 3)
            left = side + self.px(16)
        self.text(words, 17, CREAM, bold=True, indent=left)
        for line in below:
            self.text(line, 12, DIM, indent=left)
        self.y = max(self.y, top + (self.px(56) if face is not None else 0))

    def heading(self, words: str, link: str | None = None) -> None:
        """Opens a part of the page."""
        self.space(12)
        top = self.y
        self.text(words.upper(), 10, AMBER, bold=True, link=link)
        y = self.y + 1
        self._paints.append(lambda surface: pygame.draw.line(surface, EDGE, (0, y), (self.width, y)))
        self.y = max(self.y, top) + self.px(6)

    def text(
        self, words: str, size: int = 12, colour: Colour = CREAM, *, bold: bool = False, indent: int = 0, link: str | None = None,
        most: int = 99, strike: bool = False, room: int = 0,
    ) -> pygame.Rect:  # fmt: skip
        """Words over the whole width, but for `room` at the right; the place they took."""
        fonts, step, width = self.fonts, self.px(size * 1.36), self.width - indent - room
        lines = fonts.wrap(words, size, width, bold)
        if len(lines) > most:
            lines = [*lines[: most - 1], _shortened(fonts, lines[most - 1], size, width, bold)]
        rect = pygame.Rect(indent, self.y, width, step * len(lines))
        for line in lines:
            picture = fonts.text(line, size, colour, bold)
            self.blit(picture, indent, self.y + (step - picture.get_height()) // 2)
            if strike:
                middle, end = self.y + step // 2 + 1, indent + picture.get_width()
                self._paints.append(lambda surface, m=middle, e=end: pygame.draw.line(surface, colour, (indent, m), (e, m)))  # type: ignore[misc]
            self.y += step
        if link is not None:
            self._links.append((rect, link))
        return rect

    def record(self, accent: Colour, head: str, words: str, link: str | None = None, most: int = 5) -> None:
        """A record: a coloured bar, a dim line of when and what, and the words."""
        top, indent = self.y, self.px(12)
        self.text(head, 10, accent, bold=True, indent=indent)
        self.text(words, 12, CREAM, indent=indent, most=most)
        bottom = self.y
        bar = pygame.Rect(0, top + 2, self.px(4), bottom - top - 4)
        self._paints.append(lambda surface: pygame.draw.rect(surface, accent, bar, border_radius=2))
        if link is not None:
            self._links.append((pygame.Rect(0, top, self.width, bottom - top), link))
        self.space(7)

    def entry(
        self, time: str, words: str, *, now: bool = False, dim: bool = False, strike: bool = False, note: str = "",
        accent: Colour = AMBER, link: str | None = None, wide: bool = False,
    ) -> None:  # fmt: skip
        """A line of a timetable; `wide`: among its times there are some with a weekday."""
        top, indent = self.y, self.px(84 if wide or len(time) > 5 else 52)
        mark = len(self._paints)
        colour = FAINT if dim or strike else CREAM
        self.text(words, 12, colour, bold=now, indent=indent, strike=strike)
        if note:
            self.text(note, 11, accent, indent=indent)
        rect = pygame.Rect(0, top - 2, self.width, self.y - top + 4)
        stamp = self.fonts.text(time, 12, AMBER if now else DIM, now)
        self.blit(stamp, self.px(6), top + (self.px(12 * 1.36) - stamp.get_height()) // 2)
        if now:
            self._paints.insert(mark, lambda surface: pygame.draw.rect(surface, SLATE_LIGHT, rect, border_radius=4))
        if link is not None:
            self._links.append((rect, link))
        self.space(4)

    def chips(self, choices: Sequence[tuple[str, str, Colour]], chosen: str) -> None:
        """A row of small buttons: (link, words, accent); the chosen link's is filled."""
        x, height = 0, self.px(20)
        for link, words, accent in choices:
            on = link == chosen
            picture = self.fonts.text(words, 11, SLATE_DARK if on else CREAM, True)
            width = picture.get_width() + self.px(14)
            if x + width > self.width:
                x, self.y = 0, self.y + height + self.px(4)
            rect = pygame.Rect(x, self.y, width, height)
            self._paints.append(
                lambda surface, r=rect, c=accent, full=on: pygame.draw.rect(surface, c, r, 0 if full else 1, border_radius=9)  # type: ignore[misc]
            )
            self.blit(picture, *picture.get_rect(center=rect.center).topleft)
            self._links.append((rect, link))
            x += width + self.px(6)
        self.y += height + self.px(8)

    def bar(self, part: float, colour: Colour, x: int, y: int, width: int, height: int) -> None:
        """A bar from the middle for values -1..1."""
        middle = x + width // 2
        self._paints.append(lambda surface: pygame.draw.rect(surface, SLATE_DARK, (x, y, width, height), border_radius=2))
        long = round(abs(part) * width / 2)
        left = middle if part >= 0 else middle - long
        self._paints.append(lambda surface: pygame.draw.rect(surface, colour, (left, y, long, height), border_radius=2))

    def gauge(self, part: float, colour: Colour, x: int, y: int, width: int, height: int) -> None:
        """A bar for values 0..1."""
        long = round(min(1.0, max(0.0, part)) * width)
        self._paints.append(lambda surface: pygame.draw.rect(surface, SLATE_DARK, (x, y, width, height), border_radius=2))
        self._paints.append(lambda surface: pygame.draw.rect(surface, colour, (x, y, long, height), border_radius=2))

    def columns(self, pages: Sequence[Page], gap: int) -> None:
        """Finished pages beside each other."""
        left, top = 0, self.y
        for page in pages:
            self.blit(page.surface, left, top)
            self._links.extend((rect.move(left, top), link) for rect, link in page.links)
            left += page.surface.get_width() + gap
        self.y = top + max((page.surface.get_height() for page in pages), default=0)

    def finish(self, ground: Colour) -> Page:
        """The page, on a ground of one colour."""
        surface = pygame.Surface((self.width, max(1, self.y + self.px(10))))
        surface.fill(ground)
        for paint in self._paints:
            paint(surface)
        return Page(surface, tuple(self._links))


def _shortened(fonts: Fonts, line: str, size: int, width: int, bold: bool) -> str:
    """A line that goes on, with a sign for it that still fits."""
    while " " in line and fonts.width(f"{line} …", size, bold) > width:
        line = line.rpartition(" ")[0]
    return f"{line} …"
