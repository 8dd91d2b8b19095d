"""Other futures from the window: forks of the past, and runs that nobody lives being lived on."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pygame
import pytest
from viewer_kit import click, copy_of_hamlet, links, press, run, screen, type_words, wait

from simulation import resume
from simulation.pace import Pace, release
from simulation.storing.digest import run_digest
from simulation.storing.runfile import RunFile
from viewer import Window
from viewer.opening import succeed

SIZE = (1280, 720)
OVEN = "Hamlet : Bakery : bakery : oven"


@pytest.fixture
def window(tmp_path: Path) -> Iterator[Window]:
    screen(SIZE)
    window = Window(copy_of_hamlet(tmp_path), SIZE)
    window.playback.playing = False
    window.playback.seek(6400.0)
    run(window, 1)
    yield window
    window.close()


def digest(path: Path) -> str:
    with RunFile.open(path) as file:
        return run_digest(file)


def forked(window: Window) -> Window:
    wait(window, lambda: window.opening is not None)
    assert window.opening is not None
    new = succeed(window, window.opening)
    run(new, 1)
    return new


def test_meddling_in_the_past_offers_a_fork_and_leaves_the_past_as_it_was(window: Window) -> None:
    before = digest(window.source.path)
    window.panels.open_place(OVEN)
    type_words(window, "burning", "object")
    assert window.question is not None
    picture = run(window, 1)
    assert picture.get_at(window.question.button(0).center)[:3] != picture.get_at((5, 5))[:3]
    click(window, window.question.button(1).center)  # fork, and let it stand still
    assert window.question is None
    old = window.source.path
    new = forked(window)
    assert digest(old) == before
    assert new.source.path == old.with_name("copy-fork1.town")
    assert (new.source.committed, new.playback.step, new.panels.place) == (6400, 6400.0, OVEN)
    rows = new.source.run.rows("SELECT kind, place, text, step FROM interventions")
    assert rows == [("object", OVEN, "burning", None)]
    assert new.source.run.get("parent") == old.name
    assert not new.reviving.running
    new.close()


def test_a_fork_is_lived_on_by_an_engine_of_its_own(window: Window) -> None:
    window.panels.open_place(OVEN)
    type_words(window, "burning", "object")
    press(window, pygame.K_RETURN)  # fork, and live on
    new = forked(window)
    assert new.reviving.running
    assert new.pacing.wanted == Pace(60.0)
    wait(new, lambda: new.source.committed > 6400, 60.0)
    assert new.playback.live
    assert new.source.committed < 6480, "it is lived at the pace of the window, not flat out"
    wait(new, lambda: new.source.at(new.source.committed).states.get(OVEN) == "burning")
    press(new, pygame.K_5)
    wait(new, lambda: new.source.over, 60.0)
    wait(new, lambda: not new.reviving.running, 60.0)
    assert new.reviving.message() == ""
    new.close()


@pytest.mark.parametrize("key", [pygame.K_ESCAPE, None])
def test_a_fork_that_is_not_wanted_is_not_made(window: Window, key: int | None) -> None:
    press(window, pygame.K_k)
    assert window.question is not None
    run(window, 1)
    if key is None:
        click(window, window.question.button(2).center)
    else:
        press(window, key)
    run(window, 5)
    assert window.question is None
    assert list(window.source.path.parent.glob("*fork*")) == []


def test_a_question_takes_all_keys_and_clicks(window: Window) -> None:
    press(window, pygame.K_k)
    step, mode = window.playback.step, window.panels.mode
    press(window, pygame.K_PERIOD, pygame.K_n, pygame.K_SPACE)
    run(window, 1)
    click(window, (10, 10))
    assert window.question is not None
    assert (window.playback.step, window.panels.mode, window.playback.playing) == (step, mode, False)
    press(window, pygame.K_ESCAPE)


def test_what_can_never_be_is_said_before_a_fork_is_offered(window: Window) -> None:
    window.panels.open_place(OVEN)
    type_words(window, "  ", "object")
    assert window.question is None
    assert "no words" in window.overlays._toast[0]


def test_a_run_at_its_end_is_lived_on_if_one_wants_to(window: Window) -> None:
    window.playback.seek(float(window.source.committed))
    press(window, pygame.K_g)
    assert window.question is not None
    assert next(label for label, _ in window.question.answers).startswith("1 ")
    press(window, pygame.K_ESCAPE)
    assert not window.reviving.running


def test_an_engine_that_fails_is_told_in_its_own_words(window: Window, tmp_path: Path) -> None:
    from viewer.reviving import Reviving

    empty = tmp_path / "empty.town"
    empty.write_bytes(b"")
    window.reviving = Reviving(empty)
    window.reviving.begin()
    wait(window, lambda: "empty" in window.overlays._toast[0], 30.0)
    assert window.overlays._toast[0].startswith("The engine stopped: ")


def test_links_of_the_plan_lead_to_where_a_fork_can_begin(window: Window) -> None:
    window.select(window.source.names[0], "plan")
    run(window, 1)
    window.go(next(link for link in links(window) if link.startswith("step:")))
    assert window.playback.step < 6400


@pytest.fixture
def elsewhere(window: Window) -> Iterator[Any]:
    """Lives the window's run on by some further steps, as `town resume` in another terminal does; stands still after twenty."""
    threads: list[threading.Thread] = []

    def begin() -> threading.Thread:
        path, end = window.source.path, window.source.committed
        job = lambda: resume(path, days=0.01, pace=Pace(0.0, until=end + 20))  # noqa: E731
        threads.append(threading.Thread(target=job, daemon=True))
        threads[-1].start()
        return threads[-1]

    yield begin
    for thread in threads:
        thread.join(30)


def let_go(window: Window) -> None:
    wait(window, lambda: release(window.source.path))


def test_a_run_resumed_elsewhere_is_followed_by_who_looks_at_its_end(window: Window, elsewhere: Any) -> None:
    end = window.source.committed
    window.playback.seek(float(end))
    window.playback.playing = True
    before = run(window, 2).subsurface(window.scrubber.rect).copy()
    assert (window.source.over, window.playback.live) == (True, False)
    thread = elsewhere()
    wait(window, lambda: window.source.committed == end + 20)
    assert not window.source.over
    assert window.playback.live
    assert "lives on" in window.overlays._toast[0]
    wait(window, lambda: window.playback.step > end + 18)
    assert "pace:inf" in window.scrubber._buttons, "it can be lived flat out, as any town that lives"
    after = run(window, 2).subsurface(window.scrubber.rect)
    assert pygame.image.tobytes(before, "RGB") != pygame.image.tobytes(after, "RGB")
    assert window.pacing.wanted is None, "nobody has chosen a pace here"
    let_go(window)
    thread.join(30)
    wait(window, lambda: window.source.over)
    wait(window, lambda: window.playback.step == window.source.committed)
    assert window.source.committed == window.source.planned > end + 80


def test_who_looks_at_the_past_is_told_that_a_run_is_resumed_and_stays_there(window: Window, elsewhere: Any) -> None:
    end = window.source.committed
    thread = elsewhere()
    wait(window, lambda: window.source.committed == end + 20)
    assert (window.playback.step, window.playback.live) == (6400.0, False)
    assert "L shows" in window.overlays._toast[0]
    press(window, pygame.K_l)
    wait(window, lambda: window.playback.step > end + 18)
    let_go(window)
    thread.join(30)
