"""The inspector: thoughts down to what was seen, the known map, bonds drawn, the plan's timetable, interviews."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pygame
import pytest
from viewer_kit import click_link, difference, links, run, screen, type_words, wait, whole_day

from memory import NONE
from simulation.interview import ABLATIONS, Interviewer
from simulation.storing.digest import run_digest
from simulation.storing.runfile import RunFile
from viewer import Window
from viewer.dossier import done_of, known_of, memories_of, plan_of, records_of, talks_together

SIZE = (1280, 720)
QUESTION = "What did you do this morning?"


@pytest.fixture(scope="module")
def opened() -> Iterator[Window]:
    screen(SIZE)
    window = Window(whole_day(), SIZE)
    window.playback.playing = False
    yield window
    window.close()


@pytest.fixture
def window(opened: Window) -> Window:
    opened.panels.opened.clear()
    opened.interviewing.comparing = False
    opened.playback.seek(float(opened.source.committed))
    run(opened, 1)
    return opened


def thinker(window: Window) -> str:
    """Whoever has thought about something that was thought about, or observed."""
    step = window.source.committed
    return max(window.source.names, key=lambda name: len(memories_of(window.source, name, step, "reflection", 40)))


def picture(window: Window) -> pygame.Surface:
    side = window.panels.side
    assert side is not None
    assert side._page is not None
    return side._page.surface


def test_a_thought_opens_down_to_what_was_seen_and_heard(window: Window) -> None:
    name = thinker(window)
    window.select(name, "thoughts")
    run(window, 1)
    closed = picture(window).get_height()
    thought = memories_of(window.source, name, window.source.committed, "reflection", 40)[0]
    assert thought.evidence
    click_link(window, f"open:{thought.id}")
    assert picture(window).get_height() > closed
    for record in thought.evidence:
        assert f"why:memory:{record}" in links(window)
    kinds = {record.kind for record in records_of(window.source, thought.evidence)}
    assert kinds <= {"observation", "conversation", "reflection", "plan"}
    click_link(window, f"open:{thought.id}")
    assert picture(window).get_height() == closed
    click_link(window, "why:memory:")
    assert window.panels.mode == "why"
    window.panels.close()


def test_the_bottom_of_every_thought_is_reached(window: Window) -> None:
    """Following evidence ends: at records that rest on nothing further."""
    name = thinker(window)
    window.select(name, "thoughts")
    for _ in range(12):
        run(window, 1)
        closed = [link for link in links(window) if link.startswith("open:") and link[5:] not in window.panels.opened]
        if not closed:
            break
        for link in closed:
            window.panels._follow(link)
    else:
        raise AssertionError("there is always something below")
    leaves = {record for _, record in (link.rsplit(":", 1) for link in links(window) if link.startswith("why:memory:"))}
    assert any(not record.evidence for record in records_of(window.source, sorted(leaves)))


def test_what_one_knows_of_the_town_is_less_than_all_of_it_and_drawn(window: Window) -> None:
    source, step = window.source, window.source.committed
    name = min(source.names, key=lambda one: len(known_of(source, one, step)))
    known = known_of(source, name, step)
    unknown = [sector.address for sector in source.town.sectors if not known.knows(sector.address)]
    rooms = [arena for arena in source.town.arenas() if not known.knows(arena.address)]
    assert rooms
    window.select(name, "known")
    run(window, 1)
    page, ground = picture(window), window.overlays.minimap.ground(window.panels.side.page_width)  # type: ignore[union-attr]
    scale = ground.get_width() / source.town.width
    top = next(rect.top for rect, link in window.panels.side._page.links if link.startswith("look:"))  # type: ignore[union-attr]
    tile = min(rooms[0].tiles)
    x, y = round((tile[0] + 0.5) * scale), round((tile[1] + 0.5) * scale)
    first = next(arena for arena in source.town.arenas() if known.knows(arena.address))
    here = min(first.tiles)
    dark = [page.get_at((x, row))[0] for row in range(top - round(60 * scale), page.get_height()) if 0 <= row < page.get_height()]
    assert min(dark) < ground.get_at((x, y))[0]
    assert known.knows(source.town.arena_of_tile[here].address)
    sectors = [link for link in links(window) if link.startswith("open:")]
    assert len(sectors) == len([s for s in source.town.sectors if known.knows(s.address) and s.arenas])
    assert all(f"look:{address}" in links(window) for address in unknown)
    click_link(window, sectors[0])
    assert any(link.startswith(sectors[0] + " : ") for link in links(window))
    before = (window.camera.x, window.camera.y, window.camera.goal_zoom)
    click_link(window, "look:")
    assert (window.camera._goal[0], window.camera._goal[1], window.camera.goal_zoom) != before


def test_bonds_are_drawn_and_listed(window: Window) -> None:
    name = thinker(window)
    window.select(name, "bonds")
    run(window, 1)
    others = {link for link in links(window) if link.startswith("who:") and link != f"who:{name}"}
    assert len(others) >= 2
    for link in others:
        assert links(window).count(link) == 2, "a face in the circle, and a line below it"
    assert talks_together(window.source, window.source.committed).total() > 0


def test_the_timetable_shows_what_was_done_and_what_was_otherwise(window: Window) -> None:
    source, name = window.source, thinker(window)
    noon = source.clock.step_at(source.clock.parse("12:00"))
    window.playback.seek(float(noon))
    window.select(name, "plan")
    run(window, 1)
    entries = plan_of(source, name, noon)
    assert [f"step:{max(0, entry.start)}" in links(window) for entry in entries] == [True] * len(entries)
    past = next(entry for entry in entries if entry.until <= noon)
    done = [deed for deed in done_of(source, name, past.start, noon) if deed.step < past.until and past.start < deed.until]
    click_link(window, f"open:plan {past.id}")
    assert all(f"why:act:{deed.id}" in links(window) for deed in done)
    for deed in done:
        assert deed.reason or not deed.odd
    morning = picture(window).copy()
    window.playback.seek(float(noon - 720))
    run(window, 1)
    assert difference(morning, picture(window)) > 0.5


def test_an_interview_answers_as_the_command_line_does_and_leaves_no_trace(window: Window) -> None:
    name = thinker(window)
    with RunFile.open(whole_day()) as file:
        before = run_digest(file)
    window.playback.seek(5400.0)
    window.select(name, "ask")
    run(window, 1)
    type_words(window, QUESTION, "ask")
    asked = window.interviewing.of(name)[0]
    wait(window, asked.answer.done)
    run(window, 1)
    with RunFile.open(whole_day()) as file:
        expected = Interviewer(file).ask(name, QUESTION, at=5400)
        assert run_digest(file) == before
        assert file.rows("SELECT COUNT(*) FROM interviews") == [(0,)]
    answer = asked.answer.result()
    assert (answer.answer, answer.step, answer.records) == (expected.answer, 5400, expected.records)
    for record in answer.records:
        assert f"why:memory:{record.id}" in links(window)


def test_conditions_are_compared_side_by_side_with_what_each_may_read(window: Window) -> None:
    name = thinker(window)
    window.select(name, "ask")
    run(window, 1)
    if not window.interviewing.of(name):
        type_words(window, QUESTION, "ask")
    narrow = window.panels.side.rect.width  # type: ignore[union-attr]
    click_link(window, "compare:on")
    asked = window.interviewing.of(name)[0]
    assert asked.side_by_side is not None
    wait(window, asked.side_by_side.done)
    run(window, 1)
    sides = asked.side_by_side.result().sides
    assert [side.name for side in sides] == list(ABLATIONS)
    assert all(side.readable[kind] == 0 for side in sides for kind in side.condition.hide)
    assert not next(side for side in sides if side.condition == NONE).interview.records
    assert window.panels.side.rect.width > 1.8 * narrow  # type: ignore[union-attr]
    assert window.panels.side.rect.left > 200  # type: ignore[union-attr]
    click_link(window, "compare:off")
    assert window.panels.side.rect.width == narrow  # type: ignore[union-attr]


def test_a_second_question_follows_up_on_the_first(window: Window) -> None:
    name = window.source.names[-1]
    window.playback.seek(5000.0)
    window.select(name, "ask")
    run(window, 1)
    for question in (QUESTION, "And then?"):
        type_words(window, question, "ask")
        wait(window, window.interviewing.of(name)[0].answer.done)
    assert [turn.question for turn in window.interviewing.of(name)[0].dialogue] == [QUESTION]
    window.playback.seek(4000.0)
    type_words(window, "And now?", "ask")
    assert window.interviewing.of(name)[0].dialogue == (), "at another step it is another interview"


def test_no_words_are_no_question(window: Window) -> None:
    name = window.source.names[0]
    before = len(window.interviewing.of(name))
    window.select(name, "ask")
    type_words(window, "   ", "ask")
    assert len(window.interviewing.of(name)) == before
    assert "no words" in window.overlays._toast[0]


def test_nothing_was_written_by_all_this(opened: Window) -> None:
    connection = sqlite3.connect(f"file:{whole_day()}?mode=ro", uri=True)
    assert connection.execute("SELECT COUNT(*) FROM interviews").fetchone() == (0,)
    assert connection.execute("SELECT COUNT(*) FROM interventions").fetchone() == (0,)
    connection.close()
