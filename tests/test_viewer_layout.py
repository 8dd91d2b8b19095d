"""Nothing overlaps, nothing is cut off, and nothing lies over whom one follows; at any size and scale of words."""

from __future__ import annotations

from itertools import combinations

import pygame
import pytest
from viewer_kit import hamlet, run, screen

from viewer import Window
from viewer.panels.book import TABS
from viewer.settings import Settings

SIZES = [(1280, 720, 1.0), (2560, 1440, 1.0), (640, 400, 1.0), (1280, 720, 1.5)]


def opened(width: int, height: int, scale: float) -> Window:
    screen((width, height))
    window = Window(hamlet(), (width, height), at=4320.0, settings=Settings(font_scale=scale))
    window.playback.playing = False
    return window


@pytest.mark.parametrize(("width", "height", "scale"), SIZES)
def test_overlays_and_panels_keep_apart_and_off_whom_one_follows(width: int, height: int, scale: float) -> None:
    window = opened(width, height, scale)
    talk = max(window.source.talks.values(), key=lambda talk: len(talk.lines))
    window.playback.seek(float(talk.started + 2))
    name = talk.everybody[0]
    window.select(name)
    window.following = True
    for comparing, tab in ((False, "now"), (True, "ask")):
        window.interviewing.comparing = comparing
        window.panels.open_resident(name, tab)
        if not comparing:
            window.panels.open_line("Say something ...")
        surface = run(window, 8, 0.2)  # the camera has arrived
        whole = surface.get_rect()
        parts = [window.scrubber.rect, window.overlays._head, *window.panels.rects()]
        parts += [rect for rect, _ in window.overlays.lines]
        parts += [window.overlays.minimap.rect] if window.overlays.mapping else []
        parts = [rect for rect in parts if rect.width]
        assert all(whole.contains(rect) for rect in parts), parts
        floating = [rect for rect in parts if window.panels.line is None or rect != window.panels.line.rect]
        for one, other in combinations(floating, 2):
            assert not one.colliderect(other), (one, other)
        if window.panels.line is not None:
            for rect, _ in window.overlays.lines:
                assert not rect.colliderect(window.panels.line.rect)
        stand = window.drawn.stands[name]
        assert not any(stand.rect.colliderect(rect) for rect in floating if rect != window.overlays._head), stand
        window.panels.close_line()
    window.close()


@pytest.mark.parametrize(("width", "height", "scale"), SIZES)
def test_pages_fit_their_panel_and_the_page_of_keys_its_window(width: int, height: int, scale: float) -> None:
    window = opened(width, height, scale)
    name = window.source.names[0]
    for tab in TABS:
        window.panels.open_resident(name, tab)
        run(window, 1)
        side = window.panels.side
        assert side is not None
        assert side._page is not None
        page = side._page.surface
        assert page.get_width() == side.page_width
        right = page.subsurface(pygame.Rect(page.get_width() - 1, 0, 1, page.get_height()))
        letters = [right.get_at((0, y))[:3] for y in range(right.get_height())]
        assert (250, 243, 224) not in letters, f"words run out of the page of {tab}"
    picture = window.overlays._help(window.size)
    assert picture.get_width() <= width
    assert picture.get_height() <= height
    window.close()
