"""The rating window: a life and memories on the left, a question and its answers on the right, to be ranked with ties.

    Rateable                     what there is to rate; the command line fills it from a study
    RatingWindow(what, size)     one question at a time: .handle(event), .draw(surface), .running
    rate(what, size)             opens it on the screen until it is closed or all is rated

Mouse: the numbers beside an answer give its place, equal numbers are ties. Keys: up and down choose an answer, 1 to 9 its place,
Enter goes on, Backspace back, Tab changes between life and memories, Page Up and Down scroll. Each question is saved when it
is left.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Protocol

import pygame

from kernel import UsageError
from viewer.fonts import Fonts
from viewer.look import AMBER, CREAM, DIM, EDGE, FAINT, SLATE, SLATE_DARK, SLATE_LIGHT, plate
from viewer.wording import say

SIZE = (1280, 720)
MARGIN, GAP, CHIP = 16, 10, 26
LEFT = 0.4
"""Share of the window that the life takes."""


class Rateable(Protocol):
    """A blind session: letters instead of conditions. `save` is called with complete ranks (1 is best, ties are equal)."""

    @property
    def title(self) -> str:
        """What is rated, in a line."""

    @property
    def readings(self) -> Sequence[tuple[str, Sequence[str]]]:
        """What can be read on the left: (heading, lines)."""

    @property
    def questions(self) -> Sequence[tuple[str, Sequence[tuple[str, str]]]]:
        """(question, ((letter, answer), ...)) each."""

    def ranks(self, n: int) -> Mapping[str, int] | None:
        """What was given to question n before, None: nothing."""

    def save(self, n: int, ranks: Mapping[str, int]) -> None:
        """Keeps the ranks of question n."""


class RatingWindow:
    """One session. Knows nothing but what a `Rateable` shows."""

    def __init__(self, what: Rateable, size: tuple[int, int] = SIZE) -> None:
        self.what = what
        self.running = True
        self.at = next((n for n in range(len(what.questions)) if what.ranks(n) is None), len(what.questions))
        self.reading = 0
        self.scroll = [0] * len(what.readings)
        self.chosen = 0
        self.wish: dict[str, int] = dict(self._before())
        self.spots: list[tuple[pygame.Rect, str, object]] = []
        """What can be clicked, as drawn last: (where, what it does, with what)."""
        self.resize(size)

    @property
    def finished(self) -> bool:
        """Whether every question has been gone through."""
        return self.at >= len(self.what.questions)

    @property
    def complete(self) -> bool:
        """Whether every answer of this question has a place."""
        return not self.finished and all(code in self.wish for code, _ in self.what.questions[self.at][1])

    def resize(self, size: tuple[int, int]) -> None:
        """The window has another size."""
        self.size = size
        self.fonts = Fonts(max(0.8, min(size[0] / SIZE[0], size[1] / SIZE[1])))

    def handle(self, event: pygame.event.Event) -> None:
        """Mouse and keys."""
        if event.type == pygame.QUIT:
            self.running = False
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            for where, what, value in self.spots:
                if where.collidepoint(event.pos):
                    self._do(what, value)
                    return
        elif event.type == pygame.MOUSEWHEEL:
            self._scroll(-3 * event.y)
        elif event.type == pygame.KEYDOWN:
            self._key(event.key)

    def _key(self, key: int) -> None:
        if key == pygame.K_ESCAPE:
            self.running = False
        elif key in (pygame.K_RETURN, pygame.K_KP_ENTER):
            self._do("next", None)
        elif key == pygame.K_BACKSPACE:
            self._do("back", None)
        elif key == pygame.K_TAB:
            self._do("read", (self.reading + 1) % max(len(self.what.readings), 1))
        elif key in (pygame.K_PAGEDOWN, pygame.K_PAGEUP):
            self._scroll(12 if key == pygame.K_PAGEDOWN else -12)
        elif not self.finished:
            answers = self.what.questions[self.at][1]
            if key in (pygame.K_DOWN, pygame.K_UP):
                self.chosen = (self.chosen + (1 if key == pygame.K_DOWN else -1)) % len(answers)
            elif pygame.K_1 <= key < pygame.K_1 + len(answers):
                self._do("place", (answers[self.chosen][0], key - pygame.K_1 + 1))

    def _do(self, what: str, value: object) -> None:
        if what == "place" and isinstance(value, tuple):
            code, place = value
            self.wish[code] = place
            codes = [code for code, _ in self.what.questions[self.at][1]]
            self.chosen = min(codes.index(code) + 1, len(codes) - 1)
        elif what == "read" and isinstance(value, int):
            self.reading = value
        elif what == "close":
            self.running = False
        elif what == "next" and self.complete:
            self.what.save(self.at, dict(self.wish))
            self._go(self.at + 1)
        elif what == "back" and self.at > 0:
            if self.complete:
                self.what.save(self.at, dict(self.wish))
            self._go(self.at - 1)

    def _go(self, at: int) -> None:
        self.at, self.chosen = at, 0
        self.wish = dict(self._before())

    def _before(self) -> Mapping[str, int]:
        return {} if self.finished else self.what.ranks(self.at) or {}

    def _scroll(self, lines: int) -> None:
        if self.scroll:
            self.scroll[self.reading] = max(0, self.scroll[self.reading] + lines)

    def draw(self, surface: pygame.Surface) -> None:
        """The whole window."""
        surface.fill(SLATE_DARK)
        self.spots = []
        left = pygame.Rect(MARGIN, MARGIN, int(self.size[0] * LEFT) - 2 * MARGIN, self.size[1] - 2 * MARGIN)
        right = pygame.Rect(left.right + MARGIN, MARGIN, self.size[0] - left.right - 2 * MARGIN, left.height)
        for box in (left, right):
            surface.blit(plate(box.size, SLATE, 255), box)
        self._draw_reading(surface, left.inflate(-2 * MARGIN, -2 * MARGIN))
        if self.finished:
            self._draw_end(surface, right.inflate(-2 * MARGIN, -2 * MARGIN))
        else:
            self._draw_question(surface, right.inflate(-2 * MARGIN, -2 * MARGIN))

    def _draw_reading(self, surface: pygame.Surface, box: pygame.Rect) -> None:
        x = box.x
        for n, (heading, _) in enumerate(self.what.readings):
            shown = self.fonts.text(heading, 15, AMBER if n == self.reading else DIM, bold=True)
            surface.blit(shown, (x, box.y))
            self.spots.append((shown.get_rect(topleft=(x, box.y)).inflate(8, 8), "read", n))
            x += shown.get_width() + 22
        if not self.what.readings:
            return
        lines = [
            part
            for line in self.what.readings[self.reading][1]
            for part in (self.fonts.wrap(line, 13, box.width) if line.strip() else [""])
        ]
        step = self.fonts.font(13).get_linesize()
        top = box.y + 34
        fits = max(1, (box.bottom - top) // step)
        first = self.scroll[self.reading] = min(self.scroll[self.reading], max(0, len(lines) - fits))
        for i, line in enumerate(lines[first : first + fits]):
            surface.blit(self.fonts.text(line, 13, CREAM), (box.x, top + i * step))
        if len(lines) > fits:  # how far down one is
            height = max(20, (box.bottom - top) * fits // len(lines))
            y = top + (box.bottom - top - height) * first // max(len(lines) - fits, 1)
            pygame.draw.rect(surface, EDGE, (box.right + 6, y, 4, height), border_radius=2)

    def _draw_question(self, surface: pygame.Surface, box: pygame.Rect) -> None:
        question, answers = self.what.questions[self.at]
        surface.blit(self.fonts.text(self.what.title, 13, DIM), box)
        y = box.y + 26
        head = say("rating", "question", n=self.at + 1, of=len(self.what.questions), question=question)
        for line in self.fonts.wrap(head, 18, box.width, bold=True):
            surface.blit(self.fonts.text(line, 18, CREAM, bold=True), (box.x, y))
            y += self.fonts.font(18, True).get_linesize()
        surface.blit(self.fonts.text(say("rating", "hint"), 12, FAINT), (box.x, y))
        y += 26
        for n, (code, text) in enumerate(answers):
            y = self._draw_answer(surface, pygame.Rect(box.x, y, box.width, 0), n, code, text, len(answers)) + GAP
        bottom = box.bottom - 34
        self._button(surface, (box.x, bottom), say("rating", "back"), "back", live=self.at > 0)
        self._button(surface, (box.right, bottom), say("rating", "next"), "next", live=self.complete, right=True)

    def _draw_answer(self, surface: pygame.Surface, box: pygame.Rect, n: int, code: str, text: str, places: int) -> int:
        """One answer with its places; gives where it ends."""
        chips = places * (CHIP + 4)
        lines = self.fonts.wrap(text, 14, box.width - chips - 60)
        step = self.fonts.font(14).get_linesize()
        box.height = max(CHIP + 14, step * len(lines) + 14)
        surface.blit(plate(box.size, SLATE_LIGHT if n == self.chosen else SLATE_DARK, 255, 6), box)
        surface.blit(self.fonts.text(code, 16, AMBER, bold=True), (box.x + 12, box.y + 7))
        for i, line in enumerate(lines):
            surface.blit(self.fonts.text(line, 14, CREAM), (box.x + 38, box.y + 7 + i * step))
        for place in range(1, places + 1):
            spot = pygame.Rect(box.right - chips + (place - 1) * (CHIP + 4), box.y + 7, CHIP, CHIP)
            taken = self.wish.get(code) == place
            pygame.draw.rect(surface, AMBER if taken else EDGE, spot, border_radius=5, width=0 if taken else 1)
            shown = self.fonts.text(str(place), 14, SLATE_DARK if taken else CREAM, bold=taken)
            surface.blit(shown, shown.get_rect(center=spot.center))
            self.spots.append((spot, "place", (code, place)))
        return box.bottom

    def _draw_end(self, surface: pygame.Surface, box: pygame.Rect) -> None:
        for i, line in enumerate(self.fonts.wrap(say("rating", "finished"), 18, box.width)):
            surface.blit(self.fonts.text(line, 18, CREAM), (box.x, box.y + 40 + i * 28))
        self._button(surface, (box.x, box.bottom - 34), say("rating", "back"), "back", live=True)
        self._button(surface, (box.right, box.bottom - 34), say("rating", "close"), "close", live=True, right=True)

    def _button(
        self, surface: pygame.Surface, corner: tuple[int, int], text: str, what: str, *, live: bool, right: bool = False
    ) -> None:
        shown = self.fonts.text(text, 15, CREAM if live else FAINT, bold=True)
        box = pygame.Rect(0, 0, shown.get_width() + 32, 32)
        box.topleft = (corner[0] - box.width, corner[1]) if right else corner
        pygame.draw.rect(surface, SLATE_LIGHT if live else SLATE, box, border_radius=6)
        pygame.draw.rect(surface, EDGE, box, border_radius=6, width=1)
        surface.blit(shown, shown.get_rect(center=box.center))
        if live:
            self.spots.append((box, what, None))


def rate(what: Rateable, size: tuple[int, int] = SIZE, frames: int | None = None) -> bool:
    """Opens the window until it is closed (or for a number of frames); whether all was rated. Raises UsageError."""
    try:
        pygame.display.init()
        if pygame.display.get_driver() in ("dummy", "offscreen") and "SDL_VIDEODRIVER" not in os.environ:
            raise UsageError("there is no display to open a window on", hint="leave out --window to rate in the terminal")
        screen = pygame.display.set_mode(size, pygame.RESIZABLE)
    except pygame.error as error:
        raise UsageError(f"no window can be opened here: {error}", hint="leave out --window") from None
    pygame.display.set_caption(what.title)
    window = RatingWindow(what, size)
    clock = pygame.time.Clock()
    while window.running and frames != 0:
        for event in pygame.event.get():
            window.handle(event)
        screen = pygame.display.get_surface() or screen
        if screen.get_size() != window.size:
            window.resize(screen.get_size())
        window.draw(screen)
        pygame.display.flip()
        clock.tick(30)
        frames = None if frames is None else frames - 1
    pygame.display.quit()
    return window.finished
