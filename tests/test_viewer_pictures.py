"""Pictures kept small and compared with a tolerance: what the window draws itself, apart from the town's art.

When a change is meant, look at the new picture and keep it: `python tests/test_viewer_pictures.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pygame
import pytest
from viewer_kit import difference, hamlet, screen

from kernel import RecordId
from memory import Record
from simulation.interview import ABLATIONS, KINDS, Interview, Side
from viewer import Source, Window
from viewer.art import load_atlas
from viewer.bubbles import draw_bubbles, draw_murmur
from viewer.fonts import Fonts
from viewer.look import ACCENTS, SLATE
from viewer.overlays import help_picture
from viewer.panels.interview import side_by_side
from viewer.panels.kit import Desk, branch
from viewer.question import Question
from viewer.sheet import Sheet
from viewer.snapshot import Line
from viewer.speech import Bubble

FOLDER = Path(__file__).with_name("pictures")
TOLERANCE = 6.0
"""Mean difference per channel (0..255); fonts are drawn a little differently from version to version."""


def bubbles() -> pygame.Surface:
    surface, fonts = pygame.Surface((480, 240)), Fonts()
    surface.fill((120, 160, 90))
    words = ("Good morning, neighbour.", "The kettle has been gone since Tuesday. Do you happen to know who has it?")
    placed = []
    for number, text in enumerate(words):
        line = Line(f"A/{number}/0", number, "A", (), text, "tell", ("kettle",) if number else (), "A/0/0")
        lines = tuple(fonts.pages(text, 13, 210)[0])
        placed.append((Bubble(line, lines, 1.0, number == 1), 150 + 180 * number, 180))
    draw_bubbles(surface, fonts, placed)
    draw_murmur(surface, 60, 210, 0.0)
    return surface


def sheet() -> pygame.Surface:
    page = Sheet(320, Fonts())
    page.title(None, "Somebody Quiet", ["41, keeper of the kettle"])
    page.heading("Plan of Monday")
    page.entry("08:00", "looking for the kettle", dim=True)
    page.entry("09:00", "asking everybody about it", now=True)
    page.entry("10:00", "giving up", strike=True, note="given up: it was found")
    page.chips([("a", "All", (240, 190, 100)), ("b", "Seen", (120, 160, 190))], "a")
    page.record((206, 140, 196), "09:10  reflection", "Whoever takes a kettle must be fond of tea.")
    return page.finish(SLATE).surface


def tree() -> pygame.Surface:
    page, look = Sheet(320, Fonts()), ACCENTS["reflection"]
    branch(page, 0, True, "21:10 · reflection · rests on 2", "Whoever takes a kettle must be fond of tea.", look, toggle="open:a")
    branch(page, 1, None, "09:10 · conversation", "The kettle has been gone since Tuesday.", ACCENTS["conversation"], toggle="")
    branch(page, 1, False, "08:05 · observation", "Somebody has been in the kitchen.", ACCENTS["observation"], toggle="open:c")
    return page.finish(SLATE).surface


def question() -> pygame.Surface:
    surface = pygame.Surface((560, 300))
    surface.fill((120, 160, 90))
    answers = [("Fork (Enter)", lambda: None), ("Let it be (Esc)", lambda: None)]
    Question("Fork the run here?", "The past stays as it was: nobody will ever know.", answers).draw(surface, Fonts(), (0, 0))
    return surface


def conditions() -> pygame.Surface:
    source = Source(hamlet())
    desk = Desk(source, load_atlas(), Fonts(), 640, lambda width: pygame.Surface((width, width)))
    seen = Record(RecordId("A", 3, 0), "observation", "The kettle is on the stove.", 3, 4)
    sides = []
    for number, (name, condition) in enumerate(ABLATIONS.items()):
        records = () if condition.hide else (seen,)
        text = "On the stove." if records else "I don't know where the kettle is."
        answer = Interview("A", 9, "", condition, "Where is it?", text, bool(records), records, "offline")
        readable = {kind: 0 if kind in condition.hide else 7 * (number + 1) for kind in KINDS}
        sides.append(Side(name, condition, answer, readable))
    page = desk.sheet()
    side_by_side(desk, page, tuple(sides))
    source.close()
    return page.finish(SLATE).surface


def keys() -> pygame.Surface:
    return help_picture(Fonts())


def scrubber() -> pygame.Surface:
    surface = pygame.display.get_surface()
    assert surface is not None
    window = Window(hamlet(), (1280, 720), at=4320.0)
    window.scrubber.draw(surface, window.playback, (0, 0))
    picture = surface.subsurface(window.scrubber.rect).copy()
    window.source.close()
    return picture


PICTURES: dict[str, Callable[[], pygame.Surface]] = {
    "bubbles": bubbles, "conditions": conditions, "keys": keys, "question": question, "scrubber": scrubber, "sheet": sheet,
    "tree": tree,
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(PICTURES))
def test_it_looks_as_it_did(name: str) -> None:
    screen()
    made, kept = PICTURES[name](), pygame.image.load(str(FOLDER / f"{name}.png"))
    assert abs(made.get_width() - kept.get_width()) <= 2
    assert abs(made.get_height() - kept.get_height()) <= 6
    assert difference(made, kept, (96, 48)) < TOLERANCE


def test_another_picture_would_be_noticed() -> None:
    screen()
    kept = pygame.image.load(str(FOLDER / "sheet.png"))
    page = Sheet(320, Fonts())
    page.text("Nothing of that.")
    assert difference(page.finish(SLATE).surface, kept, (96, 48)) > TOLERANCE


if __name__ == "__main__":
    screen()
    FOLDER.mkdir(exist_ok=True)
    for name, draw in PICTURES.items():
        pygame.image.save(draw(), str(FOLDER / f"{name}.png"))
