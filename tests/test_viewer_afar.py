"""From afar: roofs, faces under them, names that keep off; and how often a window draws."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace

import pygame
import pytest
from viewer_kit import brightness, click, hamlet, screen

from viewer import Source, Window
from viewer.art import load_atlas
from viewer.art.effects import EFFECTS
from viewer.art.objects import appearance
from viewer.backdrop import roofs_closed
from viewer.opening import CALM, RUSHED, SMOOTH, rhythm
from viewer.pins import SIDE
from viewer.scene import FEWEST, Scene, readable
from viewer.snapshot import Body


def noon(window: Window) -> None:
    clock = window.source.clock
    window.playback.seek(clock.step_at(clock.parse("12:00")))
    window.playback.playing = False
    window.camera.fit(at_once=True)


def test_under_roofs_everybody_is_a_face_and_can_be_clicked() -> None:
    surface = screen()
    window = Window(hamlet())
    noon(window)
    assert roofs_closed(0.5) == 1.0
    assert roofs_closed(1.0) == 0.0
    window.camera.look(20, 15, 0.5, at_once=True)
    window.draw(surface)
    bodies = window.source.at(window.playback.step).bodies
    inside = [name for name, body in bodies.items() if body.tile in window.scene.backdrop.roofed]
    assert inside
    faces = {name: window.drawn.stands[name].rect for name in inside if name in window.drawn.stands}
    assert {rect.size for rect in faces.values()} == {(22, 22)}
    centres = [rect.center for rect in faces.values()]
    assert len(set(centres)) == len(centres)
    name, rect = next(iter(faces.items()))
    assert window.drawn.at(rect.center) in faces or window.drawn.at(rect.center) == name
    window.close()


@pytest.fixture
def feast(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Window, list[str], str]]:
    """A window from afar on a roof with sixty guests under it, one of them asleep; their names, and the building."""
    screen()
    window = Window(hamlet())
    noon(window)
    window.camera.look(20, 15, 0.5, at_once=True)
    snapshot = window.source.at(window.playback.step)
    roofs = window.scene.backdrop.roofs
    place = max(roofs, key=lambda address: (roofs[address].width * roofs[address].height, address))
    tiles = [tile for tile, address in window.scene.backdrop.roofed.items() if address == place]
    deed = next(body.deed for body in snapshot.bodies.values() if body.deed is not None)
    names = [f"Guest {number}" for number in range(60)]
    guests = {
        name: Body(name, *tiles[number * 7 % len(tiles)], "S", "stand", 0.0, replace(deed, asleep=number == 0), None)
        for number, name in enumerate(names)
    }
    bodies = dict(snapshot.bodies) | guests
    crowded = replace(snapshot, bodies=bodies, still=bodies)
    monkeypatch.setattr(window.source, "at", lambda step: crowded)
    yield window, names, place
    window.source.close()


def test_of_a_crowd_under_one_roof_some_are_seen_and_the_others_counted(feast: tuple[Window, list[str], str]) -> None:
    window, names, place = feast
    surface = screen()
    window.draw(surface)
    drawn = window.drawn
    shown = [name for name in names if name in drawn.stands]
    counted = [name for name in names if name in drawn.pinned.counted]
    assert sorted(shown + counted) == sorted(names)
    assert len(shown) > 3
    assert len(counted) > 3
    assert names[0] in counted, "who sleeps is counted before others are"
    centres = [drawn.stands[name].rect.center for name in shown]
    apart = [max(abs(x - u), abs(y - v)) for i, (x, y) in enumerate(centres) for u, v in centres[:i]]
    assert min(apart) >= SIDE - 3, "faces in rows hide each other's rim at most"
    assert all(drawn.at(drawn.stands[name].rect.center) == name for name in shown)
    (number,) = (rect for rect, address in drawn.pinned.crowds if address == place)
    assert drawn.at(number.center) is None
    click(window, number.center)
    assert (window.panels.mode, window.panels.place) == ("place", place)
    click(window, drawn.stands[shown[-1]].rect.center)
    assert window.panels.who == shown[-1]


def test_who_is_selected_has_a_face_in_any_crowd(feast: tuple[Window, list[str], str]) -> None:
    window, names, _ = feast
    surface = screen()
    window.draw(surface)
    hidden = next(reversed([name for name in names if name in window.drawn.pinned.counted]))
    before = len(window.drawn.stands)
    window.selected = hidden
    window.draw(surface)
    assert hidden in window.drawn.stands
    assert len(window.drawn.stands) == before
    filmed = next(name for name in names if name in window.drawn.pinned.counted)
    drawn = window.scene.draw(surface, window.source.at(0.0), window.camera.view(), important=(filmed,))
    assert filmed in drawn.stands


def test_on_a_screen_with_large_words_faces_are_large() -> None:
    surface = screen((2560, 1440))
    window = Window(hamlet(), (2560, 1440))
    noon(window)
    window.camera.look(20, 15, 0.5, at_once=True)
    window.draw(surface)
    roofed = window.scene.backdrop.roofed
    faces = [stand.rect.size for stand in window.drawn.stands.values() if stand.body.tile in roofed]
    assert set(faces) == {(2 * SIDE, 2 * SIDE)}
    window.close()


@pytest.mark.parametrize("zoom", [0.25, 0.5, 1.0, 2.0])
def test_what_is_kept_from_frame_to_frame_is_what_is_drawn_anew(zoom: float) -> None:
    surface = screen()
    window = Window(hamlet())
    clock = window.source.clock
    window.playback.seek(clock.step_at(clock.parse("08:00")) + 0.4)
    window.playback.playing = True
    window.camera.look(20, 15, zoom, at_once=True)
    walked = False
    for _ in range(25):
        window.advance(0.021)
        snapshot = window.source.at(window.playback.step)
        walked = walked or bool(snapshot.walkers)
        window.scene.draw(surface, snapshot, window.camera.view(), seconds=window.seconds, marked="Ada Brook")
    kept = surface.copy()
    fresh = Scene(window.source, window.scene.atlas, window.scene.fonts)
    fresh.draw(surface, snapshot, window.camera.view(), seconds=window.seconds, marked="Ada Brook")
    assert walked
    assert pygame.image.tobytes(kept, "RGB") == pygame.image.tobytes(surface, "RGB")
    window.close()


def test_at_night_a_sleeper_is_darker_than_who_is_awake() -> None:
    surface = screen()
    window = Window(hamlet())
    clock = window.source.clock
    window.playback.seek(clock.step_at(clock.parse("05:00")))
    window.playback.playing = False
    window.camera.look(20, 15, 0.5, at_once=True)
    window.draw(surface)
    step = window.playback.step
    asleep = [name for name, body in window.source.at(step).bodies.items() if body.deed is not None and body.deed.asleep]
    night = [brightness(surface, window.drawn.stands[name].rect) for name in asleep if name in window.drawn.stands]
    noon(window)
    window.camera.look(20, 15, 0.5, at_once=True)
    window.draw(surface)
    day = [brightness(surface, stand.rect) for stand in window.drawn.stands.values()]
    assert night
    assert day
    assert max(night) < min(day)
    window.close()


def test_a_roof_leaves_its_front_in_sight() -> None:
    source = Source(hamlet())
    roofs = [roof for sector in source.town.sectors if (roof := load_atlas().roof(source.town, sector.address)) is not None]
    assert roofs
    for roof in roofs:
        mask = pygame.mask.from_surface(roof.surface, 250)
        middle = roof.surface.get_width() // 2
        bottom = max(y for y in range(roof.surface.get_height()) if mask.get_at((middle, y)))
        assert roof.surface.get_height() - bottom >= 12
    source.close()


def test_no_more_bubbles_than_can_be_read() -> None:
    def bubble(front: bool, facts: tuple[str, ...] = ()) -> SimpleNamespace:
        return SimpleNamespace(front=front, line=SimpleNamespace(facts=facts))

    spoken = [bubble(False), bubble(True), bubble(True, ("news",)), bubble(False), bubble(True), bubble(True)]
    kept = readable(spoken, 640 * 360)  # type: ignore[arg-type]
    assert len(kept) == FEWEST
    assert all(one.front for one in kept)
    assert spoken[2] in kept
    order = [id(one) for one in spoken]
    places = [order.index(id(one)) for one in kept]
    assert places == sorted(places)
    assert len(readable(spoken, 1280 * 720)) == len(spoken)  # type: ignore[arg-type]


def test_a_window_draws_as_often_as_there_is_something_new() -> None:
    screen()
    window = Window(hamlet())
    noon(window)
    assert rhythm(window, 0.0) == SMOOTH
    assert rhythm(window, 60.0) == CALM
    window.playback.playing = True
    assert rhythm(window, 60.0) == SMOOTH
    window.source.planned += 1000
    window.playback.choose(math.inf)
    assert rhythm(window, 60.0) == RUSHED
    window.close()


@pytest.mark.parametrize("name", sorted(EFFECTS))
def test_every_effect_changes_the_picture_and_says_whether_it_moves(name: str) -> None:
    words = {
        "fire": "burning", "smoke": "smoking", "steam": "boiling", "puddle": "leaking", "decorated": "festive", "dirty": "muddy",
        "odd": "pensive", "papers": "papers", "books": "books", "game": "chess", "plates": "laid", "dishes": "dishes",
        "treats": "cake", "flowers": "flowers", "sign": "for sale", "cat": "cat", "snow": "snow", "ice": "frozen",
        "broken": "smashed", "paint": "painted", "watered": "watered", "sparks": "sparking", "smell": "stinking",
        "glow": "glowing", "notes": "singing", "gone": "stolen",
    }  # fmt: skip
    atlas = load_atlas()
    assert name in appearance("table", words[name])
    frames = [atlas.object("table", 3, 2, words[name], frame) for frame in range(4)]
    plain = atlas.object("table", 3, 2)
    pictures = {pygame.image.tobytes(sprite.surface, "RGBA") for sprite in frames}
    assert (len(pictures) > 1) <= frames[0].moves
    assert pygame.image.tobytes(plain.surface, "RGBA") not in pictures
