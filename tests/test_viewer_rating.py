"""The rating window: a session of 25 answers by mouse and by keys, blind, saved as one goes."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import pygame
import pytest

from studies.judging.session import Material, Session, Store, build
from studies.judging.windowed import Windowed
from studies.ranking import PUBLISHED
from viewer.rating import Rateable, RatingWindow, rate

CATEGORIES = ("self-knowledge", "memory", "plans", "reactions", "reflections")


@pytest.fixture
def made(tmp_path: Path) -> tuple[Store, Session]:
    words = "An answer of some length that has to be broken into lines to be seen. "
    material = [
        Material(
            f"{category}.0", category, f"What about {category}?", {name: words * (i + 1) for i, name in enumerate(PUBLISHED)}
        )
        for category in CATEGORIES
    ]
    session, key = build(
        "run", "Ann Moss", "Tuesday 20:00", [f"{h}:00  She bakes." for h in range(80)], ["Ann Moss bakes."], material, 1
    )
    store = Store(tmp_path)
    store.put(session, key)
    return store, session


def opened(what: Rateable) -> tuple[RatingWindow, pygame.Surface]:
    pygame.display.init()
    surface = pygame.display.set_mode((1280, 720))
    window = RatingWindow(what, (1280, 720))
    window.draw(surface)
    return window, surface


def click(window: RatingWindow, surface: pygame.Surface, what: str, value: object = None) -> None:
    spot = next(where for where, does, with_ in window.spots if does == what and (value is None or with_ == value))
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, button=1, pos=spot.center))
    window.draw(surface)


def press(window: RatingWindow, surface: pygame.Surface, *keys: int) -> None:
    for key in keys:
        window.handle(pygame.event.Event(pygame.KEYDOWN, key=key, unicode="", mod=0))
        window.draw(surface)


def test_25_answers_are_ranked_by_mouse(made: tuple[Store, Session]) -> None:
    store, session = made
    window, surface = opened(Windowed(session, store, "me"))
    for n in range(5):
        assert not any(does == "next" for _, does, _ in window.spots)  # not before all have a place
        for i, code in enumerate("ABCDE"):
            click(window, surface, "place", (code, max(1, i)))  # A and B tie
        click(window, surface, "next")
        assert store.rated(session, "me").done == n + 1
    assert window.finished
    assert len(store.rankings()) == 5
    assert sorted(store.rankings()[0].ranks.values()) == [1, 1, 3, 4, 5]
    assert set(store.rankings()[0].ranks) == set(PUBLISHED)
    click(window, surface, "close")
    assert not window.running


def test_the_same_by_keys_and_taken_up_later(made: tuple[Store, Session]) -> None:
    store, session = made
    window, surface = opened(Windowed(session, store, "me"))
    digits = [pygame.K_1 + i for i in range(5)]
    press(window, surface, *digits, pygame.K_RETURN, *digits[:2], pygame.K_RETURN)
    assert window.at == 1  # the second question isn't complete
    press(window, surface, pygame.K_ESCAPE)
    again, surface = opened(Windowed(session, store, "me"))
    assert again.at == 1
    assert again.wish == {}
    press(again, surface, pygame.K_BACKSPACE)
    assert again.wish == dict(zip("ABCDE", range(1, 6), strict=True))
    press(again, surface, pygame.K_UP, pygame.K_DOWN, pygame.K_5, pygame.K_RETURN)
    assert store.rated(session, "me").ranks[0] == {"A": 4, "B": 1, "C": 2, "D": 3, "E": 4}


def test_the_life_can_be_read(made: tuple[Store, Session]) -> None:
    store, session = made
    window, surface = opened(Windowed(session, store, "me"))
    before = surface.copy()
    window.handle(pygame.event.Event(pygame.MOUSEWHEEL, y=-5))
    window.draw(surface)
    assert window.scroll[0] > 0
    assert pygame.image.tobytes(surface, "RGB") != pygame.image.tobytes(before, "RGB")
    press(window, surface, pygame.K_PAGEDOWN, pygame.K_PAGEDOWN, pygame.K_PAGEDOWN, pygame.K_PAGEDOWN, pygame.K_PAGEDOWN)
    assert window.scroll[0] < 200  # it ends with the life
    click(window, surface, "read", 1)
    assert window.reading == 1
    press(window, surface, pygame.K_TAB)
    assert window.reading == 0


class _Spy:
    """What the window asks for is all it can show."""

    title = "A session"
    readings: Sequence[tuple[str, Sequence[str]]] = ()
    questions: Sequence[tuple[str, Sequence[tuple[str, str]]]] = [("Why?", [("A", "Because."), ("B", "")])]

    def __init__(self) -> None:
        self.saved: list[tuple[int, Mapping[str, int]]] = []

    def ranks(self, n: int) -> Mapping[str, int] | None:
        return None

    def save(self, n: int, ranks: Mapping[str, int]) -> None:
        self.saved.append((n, ranks))


def test_a_session_without_a_life_and_with_an_empty_answer() -> None:
    spy = _Spy()
    window, surface = opened(spy)
    press(window, surface, pygame.K_TAB, pygame.K_PAGEUP, pygame.K_2, pygame.K_1, pygame.K_9, pygame.K_RETURN)
    assert spy.saved == [(0, {"A": 2, "B": 1})]
    window.resize((640, 400))
    window.draw(pygame.display.set_mode((640, 400)))


def test_it_opens_on_the_screen() -> None:
    assert rate(_Spy(), frames=2) is False
