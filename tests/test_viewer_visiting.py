"""Walking into the town from the window: keys in, and what the town makes of it in the run file and the picture."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest
from viewer_kit import Living, copy_of_hamlet, living_hamlet, press, run, screen, wait

from viewer import Window
from viewer.settings import Settings
from viewer.visiting import PATIENCE, Visiting

SIZE = (1280, 720)
GUEST = "Guest"


@pytest.fixture
def living(tmp_path: Path) -> Iterator[Living]:
    with living_hamlet(tmp_path / "live.town", SIZE) as lived:
        yield lived


def hold(window: Window, key: int, down: bool = True) -> None:
    window.handle(pygame.event.Event(pygame.KEYDOWN if down else pygame.KEYUP, key=key, mod=0, unicode="", scancode=0))


def tile(window: Window) -> tuple[int, int]:
    found = window.source.tile(GUEST, window.source.committed)
    assert found is not None
    return found


def come_in(window: Window, x: int, y: int) -> None:
    window.camera.look(x, y, 2.0, at_once=True)
    window.pointer.at = window.camera.view().tile_middle(x, y)
    press(window, pygame.K_v)
    wait(window, lambda: window.visiting.here)


def say(window: Window, words: str) -> None:
    press(window, pygame.K_RETURN)
    assert window.panels.line is not None
    press(window, pygame.K_l, pygame.K_n)
    assert window.panels.mode == "", "letters go into the line"
    window.panels.line._entry.set_text(words)
    window.handle(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_RETURN, mod=0, unicode="\r", scancode=0))
    for event in pygame.event.get():
        window.handle(event)
    assert window.panels.line is None


def test_one_walks_in_is_seen_spoken_to_and_remembered_and_leaves(living: Living) -> None:
    window = living.window
    clara = window.source.at(2520).bodies["Clara Doyle"].tile
    grid, room = window.visiting._paths(), window.source.town.arena_of_tile[clara]
    x, y = next(tile for tile in grid.standing(room) if tile != clara and abs(tile[0] - clara[0]) + abs(tile[1] - clara[1]) <= 2)
    come_in(window, x, y)
    assert tile(window) == (x, y), "one comes in where the mouse is"
    wait(window, lambda: GUEST in window.source.at(window.playback.step).bodies)
    assert (window.selected, window.following) == (GUEST, True)
    assert window.playback.pace == 30.0
    run(window, 2)
    assert GUEST in window.drawn.stands, "the visitor is in the picture"
    say(window, "Good morning! What are you having?")
    wait(window, lambda: any(line.speaker == GUEST for line in window.source.said), 30.0)
    wait(window, lambda: any(line.speaker != GUEST and GUEST in line.to for line in window.source.said), 30.0)
    told = "SELECT resident FROM memories WHERE resident != ? AND people LIKE ?"
    assert window.source.run.rows(told, (GUEST, f"%{GUEST}%")), "one is remembered"
    press(window, pygame.K_v)
    wait(window, lambda: not window.source.there(GUEST, window.source.committed))
    assert GUEST not in window.source.at(window.source.committed).bodies
    assert window.selected is None


def test_arrows_walk_a_tile_or_on_and_on_and_words_to_nobody_are_told(living: Living) -> None:
    window = living.window
    grid, town, awake = window.visiting._paths(), window.source.town, window.source.at(2520).bodies.values()
    x, y = next(
        (x, y)
        for x in range(town.width)
        for y in range(town.height)
        if all(grid.walkable((x + dx, y + dy)) for dx, dy in ((0, 0), *((n, 1) for n in range(8))))
        and all(abs(body.tile[0] - x) + abs(body.tile[1] - y) > 12 for body in awake)
    )
    come_in(window, x, y)
    press(window, pygame.K_DOWN)
    wait(window, lambda: tile(window) == (x, y + 1))
    hold(window, pygame.K_RIGHT)
    wait(window, lambda: tile(window)[0] >= x + 3)
    hold(window, pygame.K_RIGHT, down=False)
    wait(window, lambda: window.source.at(window.source.committed).bodies[GUEST].pose != "walk")
    assert tile(window)[1] == y + 1
    say(window, "Is anybody there?")
    wait(window, lambda: window.overlays._toast[0].startswith("Nobody was near"), 30.0)


def test_arrows_move_the_view_again_afterwards_and_escape_puts_the_line_away(living: Living) -> None:
    window = living.window
    come_in(window, 20, 20)
    press(window, pygame.K_RETURN)
    assert window.panels.line is not None
    press(window, pygame.K_ESCAPE)
    assert window.panels.line is None
    window.visiting = Visiting(window)  # as in a window opened anew
    assert not window.visiting.here
    press(window, pygame.K_v)
    assert window.visiting.here, "who was left standing is taken up again"
    run(window, 2)
    press(window, pygame.K_v)
    wait(window, lambda: not window.source.there(GUEST, window.source.committed))
    hold(window, pygame.K_LEFT)
    assert pygame.K_LEFT in window._keys
    hold(window, pygame.K_LEFT, down=False)


def test_where_nobody_lives_the_run_one_is_told_so(tmp_path: Path) -> None:
    screen(SIZE)
    window = Window(copy_of_hamlet(tmp_path, committed=3000), SIZE)
    press(window, pygame.K_v)
    run(window, round((PATIENCE + 1) * 10), 0.1)
    assert not window.visiting.asked
    assert window.overlays._toast[0].startswith("Nobody lives this run")
    assert window.source.run.rows("SELECT COUNT(*) FROM interventions") == [(0,)]
    window.close()


def test_a_run_at_its_end_cannot_be_walked_into(tmp_path: Path) -> None:
    screen(SIZE)
    window = Window(copy_of_hamlet(tmp_path), SIZE)
    press(window, pygame.K_v)
    assert not window.visiting.asked
    assert "at its end" in window.overlays._toast[0]
    window.close()


def test_a_name_that_is_taken_is_refused_in_a_sentence(living: Living) -> None:
    window = living.window
    window.settings = Settings(visitor="Edda Finch")
    window.visiting.name = "Edda Finch"
    press(window, pygame.K_v)
    wait(window, lambda: not window.visiting.asked)
    assert "lives in this town" in window.overlays._toast[0]
