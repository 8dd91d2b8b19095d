"""What pages are made with: a desk with the run, the faces and the measures, and the rows that several pages have.

Desk(source, atlas, fonts, width)    .sheet() .face(name) .time(step) .person(sheet, name, words, link=...)
head(desk, name)                     a sheet that begins with who it is about
branch(sheet, ...)                   a row of a tree that can be opened
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pygame

from viewer.art import Atlas
from viewer.fonts import Colour, Fonts
from viewer.look import CREAM, DIM, FAINT
from viewer.sheet import Sheet
from viewer.source import Source
from viewer.wording import say

STEP = 16
"""How far each level of a tree is set in."""


@dataclass(frozen=True)
class Desk:
    """What pages are made with. `ground`: the town as a picture of a width (see `minimap`)."""

    source: Source
    atlas: Atlas
    fonts: Fonts
    width: int
    ground: Callable[[int], pygame.Surface]

    def sheet(self) -> Sheet:
        """An empty sheet."""
        return Sheet(self.width, self.fonts)

    def face(self, name: str) -> pygame.Surface:
        """Somebody's face."""
        persona = self.source.people.get(name)
        return self.atlas.face(persona.look if persona else None, name)

    def time(self, step: int) -> str:
        """The time of day; the weekday, too, when it isn't the first day."""
        if step < 0:
            return say("panel", "known")
        moment, first = self.source.clock.at(step), self.source.clock.at(0)
        return f"{moment:%H:%M}" if moment.date() == first.date() else f"{moment:%a %H:%M}"

    def person(self, sheet: Sheet, name: str, words: str, *, link: str, depth: int = 0, dim: bool = False, room: int = 0) -> int:
        """A line with a small face; `room` is left free at the right. Returns the y of its middle."""
        side, indent, top = sheet.px(24), sheet.px(18 * depth), sheet.y
        face = pygame.transform.scale(self.face(name), (side, side))
        sheet.blit(face, indent, top)
        left = indent + side + sheet.px(8)
        sheet.text(name, 12, DIM if dim else CREAM, bold=True, indent=left, room=room, most=1)
        if words:
            sheet.text(words, 11, DIM, indent=left, most=1, room=room)
        sheet.y = max(sheet.y, top + side) + sheet.px(4)
        sheet.link(pygame.Rect(indent, top, self.width - indent, sheet.y - top), link)
        return top + side // 2


def head(desk: Desk, name: str) -> Sheet:
    """A sheet that begins with who it is about."""
    sheet = desk.sheet()
    persona = desk.source.people.get(name)
    below = [say("panel", "age", age=persona.age, occupation=persona.occupation)] if persona else []
    sheet.title(desk.face(name), name, below)
    return sheet


def branch(
    sheet: Sheet, depth: int, opened: bool | None, stamp: str, words: str, accent: Colour, *, toggle: str, link: str = "",
    ink: Colour = CREAM, most: int = 3,
) -> None:  # fmt: skip
    """A row of a tree: `opened` None for one that has nothing below it. The mark follows `toggle`, the words `link`."""
    indent, top = sheet.px(STEP * depth), sheet.y
    left = indent + sheet.px(STEP)
    if stamp:
        sheet.text(stamp, 10, accent, bold=True, indent=left)
    sheet.text(words, 12, ink, indent=left, most=most)
    bottom = sheet.y
    if depth:
        middle = top + sheet.px(8)
        rail = indent - sheet.px(STEP / 2)
        sheet.paint(lambda s: pygame.draw.lines(s, FAINT, False, ((rail, top - sheet.px(5)), (rail, middle), (indent, middle))))
    _mark(sheet, opened, indent + sheet.px(5), top + sheet.px(8), accent)
    if link:
        sheet.link(pygame.Rect(left, top, sheet.width - left, bottom - top), link)
    if opened is not None:
        whole = sheet.width if not link else left
        sheet.link(pygame.Rect(0, top - 2, whole, bottom - top + 4), toggle)
    sheet.space(6)


def _mark(sheet: Sheet, opened: bool | None, x: int, y: int, colour: Colour) -> None:
    half = sheet.px(4)
    if opened is None:
        sheet.paint(lambda s: pygame.draw.circle(s, colour, (x, y), max(2, half - 2)))
    elif opened:
        sheet.paint(lambda s: pygame.draw.polygon(s, colour, ((x - half, y - half + 1), (x + half, y - half + 1), (x, y + half))))
    else:
        sheet.paint(lambda s: pygame.draw.polygon(s, colour, ((x - half + 1, y - half), (x - half + 1, y + half), (x + half, y))))
