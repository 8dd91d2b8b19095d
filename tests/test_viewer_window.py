"""The real window without a display: events in, pictures out."""

from __future__ import annotations

from collections.abc import Iterator

import pygame
import pytest
from viewer_kit import brightness, click, difference, hamlet, press, screen

from viewer import Window
from viewer.art import load_atlas
from viewer.bubbles import draw_bubbles
from viewer.camera import Camera
from viewer.director import sights
from viewer.fonts import Fonts
from viewer.labels import free
from viewer.light import ambient
from viewer.scene import Scene
from viewer.snapshot import Line
from viewer.speech import Bubble

SIZE = (1280, 720)


@pytest.fixture(scope="module")
def opened() -> Iterator[Window]:
    screen(SIZE)
    window = Window(hamlet(), SIZE)
    yield window
    window.source.close()


@pytest.fixture
def window(opened: Window) -> Window:
    """The same window, put back as it was when it opened."""
    while opened.panels.close():
        pass
    if opened.size != SIZE:
        opened.resize(SIZE)
    opened.selected, opened.following, opened.director, opened.helping = None, False, None, False
    opened.playback.pace, opened.playback.playing = 60.0, False
    opened.playback.seek(float(at(opened, "12:00")))
    opened.camera.place((SIZE[0], SIZE[1] - opened.scrubber.rect.height))
    opened.camera.fit(at_once=True)
    run(opened, 1)
    return opened


def at(window: Window, time: str) -> int:
    return window.source.clock.step_at(window.source.clock.parse(time))


def run(window: Window, frames: int, seconds: float = 1 / 30) -> pygame.Surface:
    surface = pygame.display.get_surface()
    assert surface is not None
    for _ in range(frames):
        window.advance(seconds)
        window.draw(surface, seconds)
    return surface


def test_a_finished_run_opens_when_its_people_get_up(opened: Window) -> None:
    assert 5 <= opened.source.clock.at(int(opened._first_morning())).hour <= 8


def test_a_click_selects_and_opens_the_inspector(window: Window) -> None:
    name = next(iter(window.drawn.stands))
    click(window, window.drawn.stands[name].rect.center)
    picture = run(window, 2)
    assert window.selected is not None
    assert window.panels.mode == "who"
    side = window.panels.side
    assert side is not None
    assert picture.get_at((side.rect.x + 6, side.rect.centery))[:3] == (40, 44, 58)
    press(window, pygame.K_ESCAPE)
    assert window.panels.side is None


def test_what_is_followed_stays_in_the_middle_of_what_is_free(window: Window) -> None:
    name = window.source.names[0]
    window.select(name)
    press(window, pygame.K_f)
    run(window, 90)
    stand = window.drawn.stands[name]
    assert window.panels.side is not None
    free_width = window.panels.side.rect.left
    assert not stand.rect.colliderect(window.panels.side.rect)
    assert abs(stand.feet[0] - free_width / 2) < free_width / 3


def test_tabs_show_plan_memory_and_people(window: Window) -> None:
    window.select(window.source.names[1])
    pictures = []
    for tab in ("now", "plan", "memory", "bonds"):
        window.panels.open_resident(window.source.names[1], tab)
        pictures.append(run(window, 2).copy())
    assert window.panels.side is not None
    for number, one in enumerate(pictures):
        for other in pictures[number + 1 :]:
            assert difference(one.subsurface(window.panels.side.rect), other.subsurface(window.panels.side.rect)) > 1.0


def test_the_strip_is_scrubbed_by_dragging(window: Window) -> None:
    strip = window.scrubber.strip
    for part in (0.25, 0.6):
        point = (strip.x + round(strip.width * part), strip.centery)
        click(window, point)
        run(window, 1)
        assert window.playback.step == pytest.approx(part * window.source.planned, abs=window.source.planned / strip.width * 2)
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=strip.center, button=1))
    window.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=(strip.x, strip.centery), rel=(-9, 0), buttons=(1, 0, 0)))
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=(strip.x, strip.centery), button=1))
    assert window.playback.step == 0


def test_time_runs_at_its_pace_and_by_single_steps(window: Window) -> None:
    start = window.playback.step
    run(window, 5)
    assert window.playback.step == start
    press(window, pygame.K_SPACE)
    window.advance(1.0)
    assert window.playback.step == pytest.approx(start + 6)
    press(window, pygame.K_4)
    window.advance(1.0)
    assert window.playback.step == pytest.approx(start + 6 + 36)
    press(window, pygame.K_PERIOD)
    assert not window.playback.playing
    assert window.playback.step == start + 43
    press(window, pygame.K_COMMA)
    assert window.playback.step == start + 42


def test_play_buttons_are_pressed(window: Window) -> None:
    click(window, window.scrubber._buttons["pace:10"].center)
    click(window, window.scrubber._buttons["toggle"].center)
    assert (window.playback.pace, window.playback.playing) == (10.0, True)


def test_zoom_keeps_what_is_under_the_cursor() -> None:
    camera = Camera(140, 96, (1280, 646))
    camera.look(70, 48, 1.0, at_once=True)
    point = (400, 200)
    before = camera.view().town(*point)
    camera.zoom_at(point, 1)
    for _ in range(200):
        camera.advance(1 / 30)
    assert camera.zoom == 2.0
    assert camera.view().town(*point) == pytest.approx(before, abs=1.5)


def test_the_camera_stays_over_the_town() -> None:
    camera = Camera(140, 96, (1280, 646))
    camera.look(0, 0, 2.0, at_once=True)
    left, top = camera.view().town(0, 0)
    assert left >= -30
    assert top >= -30


def test_wheel_and_drag_move_the_view(window: Window) -> None:
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(600, 300), button=4))
    run(window, 60)
    assert window.camera.zoom > 1.0
    x = window.camera.x
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(640, 320), button=1))
    window.handle(pygame.event.Event(pygame.MOUSEMOTION, pos=(610, 320), rel=(-30, 0), buttons=(1, 0, 0)))
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=(610, 320), button=1))
    assert window.camera.x >= x
    assert window.selected is None


def test_residents_are_found_and_followed(window: Window) -> None:
    press(window, pygame.K_r)
    run(window, 2)
    roster = window.panels.roster
    assert roster is not None
    assert roster._page is not None
    rect, link = roster._page.links[2]
    origin = roster._image.get_abs_rect()
    window.handle(
        pygame.event.Event(pygame.MOUSEBUTTONUP, pos=(int(origin.x) + rect.centerx, int(origin.y) + rect.centery), button=1)
    )
    assert window.selected == link.removeprefix("who:")
    assert window.following


def test_news_and_talk_open(window: Window) -> None:
    window.playback.seek(float(window.source.committed))
    press(window, pygame.K_n)
    run(window, 2)
    assert window.panels.mode == "news"
    assert window.panels.side is not None
    assert window.panels.side._page is not None
    assert any(link.startswith("step:") for _, link in window.panels.side._page.links)
    press(window, pygame.K_n)
    assert window.panels.mode == ""
    talk = max(window.source.talks.values(), key=lambda talk: len(talk.lines))
    window.go(f"talk:{talk.id}")
    run(window, 2)
    assert window.panels.side is not None
    assert window.panels.side._page is not None
    assert len([1 for _, link in window.panels.side._page.links if link.startswith("why:words:")]) == len(talk.lines)


def test_why_is_answered_from_the_file_and_closes_to_where_one_was(window: Window) -> None:
    name = window.source.names[0]
    window.select(name, "now")
    run(window, 1)
    side = window.panels.side
    assert side is not None
    assert side._page is not None
    rect, link = next(found for found in side._page.links if found[1].startswith("why:act:"))
    deed = window.source.deed(name, int(window.playback.step))
    assert deed is not None
    assert link == f"why:act:{deed.id}"
    origin = side._image.get_abs_rect()
    point = (int(origin.x) + rect.x + 4, int(origin.y) + rect.centery)
    window.handle(pygame.event.Event(pygame.MOUSEBUTTONUP, pos=point, button=1))
    picture = run(window, 1)
    assert picture.get_size() == SIZE
    assert window.panels.mode == "why"
    press(window, pygame.K_ESCAPE)
    assert window.panels.mode == "who"


def test_a_thing_and_from_afar_a_building_are_inspected(window: Window) -> None:
    thing = next(thing for thing in window.source.town.objects() if thing.kind == "well")
    window.camera.look(*thing.tiles[0], 2.0, at_once=True)
    run(window, 1)
    click(window, window.camera.view().tile_middle(*thing.tiles[0]))
    run(window, 1)
    assert (window.panels.mode, window.panels.place) == ("place", thing.address)
    window.panels.close()
    window.camera.look(*thing.tiles[0], 0.5, at_once=True)
    run(window, 1)
    door = next(sector for sector in window.source.town.sectors if sector.kind == "library")
    tile = min(door.arenas[0].tiles)
    point = window.camera.view().tile_middle(*tile)
    if window.drawn.at(point) is None:
        click(window, point)
        assert window.panels.place == door.address


def test_a_bubble_is_clicked_to_read_on(window: Window) -> None:
    talk = next(talk for talk in window.source.talks.values() if len(talk.lines) >= 2)
    window.playback.seek(float(talk.started))
    tile = window.source.tile(talk.lines[0].speaker, talk.started)
    assert tile is not None
    window.camera.look(*tile, 2.0, at_once=True)
    run(window, 2)
    assert window.drawn.bubbles
    click(window, window.drawn.bubbles[0].center)
    assert window.panels.mode == "talk"
    assert window.panels.talk == talk.id


def test_the_director_goes_where_people_talk(window: Window) -> None:
    talk = max(window.source.talks.values(), key=lambda talk: len(talk.lines))
    best = sights(window.source, talk.started + 1)[0]
    assert best.key == talk.id
    window.playback.seek(float(talk.started))
    press(window, pygame.K_t)
    run(window, 90)
    assert window.director is not None
    assert window.camera.view().tile(640, 323) == pytest.approx((round(best.x), round(best.y)), abs=6)
    assert window.director.caption


def test_help_and_resizing(window: Window) -> None:
    before = run(window, 1).copy()
    press(window, pygame.K_F1)
    assert difference(run(window, 1), before) > 5
    press(window, pygame.K_F1)
    pygame.display.set_mode((2560, 1440))
    window.handle(pygame.event.Event(pygame.VIDEORESIZE, w=2560, h=1440, size=(2560, 1440)))
    window.select(window.source.names[0])
    picture = run(window, 2)
    assert picture.get_size() == (2560, 1440)
    assert window.fonts.scale > 1.5
    pygame.display.set_mode(SIZE)


def test_night_is_dark_and_lamps_are_lit(window: Window) -> None:
    noon = run(window, 1).copy()
    window.playback.seek(float(at(window, "02:00")))
    night = run(window, 1).copy()
    town = pygame.Rect(0, 0, 1280, 600)
    assert brightness(night, town) < 0.6 * brightness(noon, town)
    assert ambient(12 * 60) == (255, 255, 255)
    assert ambient(6.4 * 60)[0] > ambient(6.4 * 60)[2]
    assert ambient(0) == ambient(24 * 60)


def test_equal_moments_give_equal_pictures(window: Window) -> None:
    scene = Scene(window.source, load_atlas(), Fonts())
    surfaces = []
    for step in (4321.5, 2000.0, 4321.5):
        surface = pygame.Surface((640, 360))
        scene.draw(surface, window.source.at(step), window.camera.view())
        surfaces.append(pygame.image.tobytes(surface, "RGB"))
    assert surfaces[0] == surfaces[2]
    assert surfaces[0] != surfaces[1]


def test_an_object_shows_its_state_and_goes_back(window: Window) -> None:
    backdrop = window.scene.backdrop
    stove = next(thing for thing in window.source.town.objects() if "cook" in thing.affords)
    backdrop.show({}, 0)
    before = pygame.image.tobytes(backdrop.picture, "RGB")
    backdrop.show({stove.address: "burning"}, 0)
    burning = pygame.image.tobytes(backdrop.picture, "RGB")
    backdrop.show({stove.address: "burning"}, 1)
    moving = pygame.image.tobytes(backdrop.picture, "RGB")
    backdrop.show({}, 0)
    assert burning != before
    assert moving != burning
    assert pygame.image.tobytes(backdrop.picture, "RGB") == before


def test_bubbles_fit_their_words_and_keep_apart() -> None:
    screen(SIZE)
    surface, fonts = pygame.Surface((700, 300)), Fonts()
    lines = [
        Line(f"A/{number}/0", number, "A", ("B",), text, "tell", (), "A/0/0")
        for number, text in enumerate(("Good morning.", "I have been looking for the kettle since the day before yesterday."))
    ]
    pages = [tuple(fonts.pages(line.text, 13, 210)[0]) for line in lines]
    assert all(fonts.width(words, 13) <= 210 for page in pages for words in page)
    bubbles = [Bubble(line, page, 1.0, number == 1) for number, (line, page) in enumerate(zip(lines, pages, strict=True))]
    rects = draw_bubbles(surface, fonts, [(bubbles[0], 300, 250), (bubbles[1], 340, 250)])
    assert free(rects[0], rects[1:])
    assert all(surface.get_rect().contains(rect) for rect in rects)
    assert surface.get_at(rects[0].center)[:3] != (0, 0, 0)


def test_long_words_are_split_at_sentences() -> None:
    screen(SIZE)
    fonts = Fonts()
    text = (
        "One is short. The second sentence is a good deal longer than the first one was."
        " And the third is there to fill the page up."
    )
    pages = fonts.pages(text, 13, 210)
    assert len(pages) == 2
    assert all(len(page) <= 3 for page in pages)
    assert " ".join(" ".join(page) for page in pages) == text
