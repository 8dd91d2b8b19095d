"""Pictures kept small and compared with a tolerance: what the window draws itself, apart from the town's art.

When a change is meant, look at the new picture and keep it: `python tests/test_viewer_pictures.py`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pygame
import pytest
from viewer_kit import difference, hamlet, screen

from viewer import Window
from viewer.bubbles import draw_bubbles, draw_murmur
from viewer.fonts import Fonts
from viewer.look import SLATE
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


def scrubber() -> pygame.Surface:
    surface = pygame.display.get_surface()
    assert surface is not None
    window = Window(hamlet(), (1280, 720), at=4320.0)
    window.scrubber.draw(surface, window.playback, (0, 0))
    picture = surface.subsurface(window.scrubber.rect).copy()
    window.source.close()
    return picture


PICTURES: dict[str, Callable[[], pygame.Surface]] = {"bubbles": bubbles, "scrubber": scrubber, "sheet": sheet}


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
