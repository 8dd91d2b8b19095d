"""The town's pictures: everything that can be named draws something of its own, in the palette, the same each time."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import get_args

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import numpy as np
import pygame
import pytest

import maps
from cli.main import run as command
from maps.spec import ArenaSpec, MapSpec, ObjectSpec, SectorSpec
from personas import Look, load_people
from town.build import build_town
from town.tree import TownMap
from viewer.art import Atlas, load_atlas
from viewer.art.faces import sector_style
from viewer.art.objects import appearance
from viewer.art.palette import palette
from viewer.art.sheet import drawn_kinds, map_picture
from viewer.art.stage import DRAWERS

ROOT = Path(__file__).parents[1]
LOOK = Look(skin="tan", hair="short", hair_colour="brown", top="navy sweater", bottom="grey trousers")


def pixels(surface: pygame.Surface) -> np.ndarray:
    """uint8 [height, width, 4]."""
    raw = pygame.image.tobytes(surface, "RGBA")
    return np.frombuffer(raw, dtype=np.uint8).reshape(surface.get_height(), surface.get_width(), 4)


def look_key(surface: pygame.Surface) -> bytes:
    return pygame.image.tobytes(surface, "RGBA")


def drawn(surface: pygame.Surface) -> int:
    """How many pixels aren't wholly transparent."""
    return int((pixels(surface)[..., 3] > 0).sum())


def strangers(surface: pygame.Surface) -> set[int]:
    """Colours (as 32-bit numbers) of seen pixels that aren't in the palette."""
    seen = pixels(surface)
    numbers = np.unique(np.ascontiguousarray(seen).view(np.uint32)[seen[..., 3] > 0])
    return set(numbers.tolist()) - set(np.ascontiguousarray(palette().rgba).view(np.uint32).ravel().tolist())


@cache
def town(name: str = "hamlet") -> TownMap:
    return build_town(maps.load_map(name))


def every_ground(only: str = "") -> TownMap:
    """A town whose rows show each kind of ground (or one), four tiles of each, in the middle of grass."""
    letters = [only or kind.letter for kind in maps.grounds().values()]
    width = 4 * len(letters) + 4
    grass = maps.grounds()["grass"].letter
    rows = tuple(grass * width for _ in range(3))
    middle = grass * 2 + "".join(letter * 4 for letter in letters) + grass * 2
    ground = (*rows, middle, middle, *rows)
    tiles = tuple((x, y) for y in range(len(ground)) for x in range(width))
    bench = ObjectSpec(name="bench", kind="bench", tiles=((0, 0),), spots=((0, 0),), capacity=1, affords=("sit",), idle="free")
    arena = ArenaSpec(name="field", tiles=tiles, objects=(bench,), outdoors=True)
    sector = SectorSpec(name="streets", kind="street", arenas=(arena,), door=(0, 0))
    return build_town(
        MapSpec(
            world="Field",
            width=width,
            height=len(ground),
            ground=ground,
            sectors=(sector,),
            walls=(),
            solid=(),
            seats=(),
            doors=(),
        )
    )


@pytest.fixture(scope="module")
def atlas() -> Atlas:
    return load_atlas()


def test_palette_is_about_fifty_colours_without_pure_black() -> None:
    solid = [tuple(row) for row in palette().rgba if row[3] == 255]
    assert 44 <= len(solid) <= 56
    assert len(set(solid)) == len(solid)
    assert min(sum(int(v) for v in row[:3]) for row in solid) > 3 * 32


def test_every_kind_of_object_has_a_drawing_and_no_two_look_alike(atlas: Atlas) -> None:
    assert set(maps.catalogue()) - drawn_kinds() == set()
    looks: dict[bytes, str] = {}
    for kind in maps.catalogue():
        surface = atlas.object(kind).surface
        assert drawn(surface) > 20, kind
        assert strangers(surface) == set(), kind
        # a shelf is a shelf, a sofa a sofa: these pairs share one drawing on purpose
        twin = looks.get(look_key(surface))
        assert twin is None or DRAWERS[twin].draw is DRAWERS[kind].draw, (kind, twin)
        looks[look_key(surface)] = kind


@pytest.mark.parametrize("size", [(1, 1), (2, 1), (1, 2), (3, 2), (5, 1), (1, 5), (15, 1)])
def test_every_kind_draws_in_every_size_and_facing(atlas: Atlas, size: tuple[int, int]) -> None:
    for kind in (*maps.catalogue(), "tea trolley"):
        for facing in ("south", "north", "east", "west"):
            sprite = atlas.object(kind, *size, facing=facing)  # type: ignore[arg-type]
            assert drawn(sprite.surface) > 20, (kind, size)
            assert sprite.dy <= 0
            assert sprite.foot <= 16 * size[1], (kind, size)


@pytest.mark.parametrize(
    ("kind", "state", "shows"),
    [
        ("cooking area", "burning", ("fire",)),
        ("cooking area", "off", ()),
        ("cooking area", "brewing coffee", ("steam",)),
        ("kitchen sink", "leaking", ("puddle",)),
        ("cafe seating", "decorated with garlands", ("decorated",)),
        ("table", "dirty", ("dirty",)),
        ("cooking area", "put out, a little scorched", ()),
        ("kitchen sink", "turned off and wiped dry", ()),
        ("kitchen sink", "with a bucket under it", ("puddle",)),
        ("computer", "in use", ("used",)),
        ("piano", "strangely thoughtful", ("odd",)),
        ("piano", "singing by itself", ("notes",)),
        ("desk", "covered with papers", ("papers", "used")),
        ("table", "laid", ("plates",)),
        ("bed", "slept in", ("rumpled",)),
        ("garden", "freshly watered", ("watered",)),
        ("well", "covered in snow", ("snow", "used")),
        ("well", "covered", ()),
        ("fountain", "freezing over", ("ice",)),
        ("table", "clean but leaking", ("puddle",)),
        ("table", "no longer burning", ()),
        ("toaster", "toasting", ("steam",)),
        ("sofa", "smashed to pieces", ("broken",)),
        ("class seating", "filled with students", ()),
        ("bench", "free", ()),
        ("bench", "", ()),
    ],
)
def test_states_in_words_show_effects(kind: str, state: str, shows: tuple[str, ...]) -> None:
    assert appearance(kind, state) == shows


def test_effects_are_seen_and_move(atlas: Atlas) -> None:
    still = look_key(atlas.object("cooking area").surface)
    for state in ("burning", "smoking", "brewing coffee", "leaking", "decorated", "odd noises"):
        frames = [look_key(atlas.object("cooking area", state=state, frame=frame).surface) for frame in range(4)]
        assert still not in frames, state
        assert len(set(frames)) > 1, state
    assert look_key(atlas.object("table", state="dirty").surface) != look_key(atlas.object("table").surface)


def test_every_icon_is_drawn_and_distinct(atlas: Atlas) -> None:
    dot = look_key(atlas.icon("nobody drew this"))
    seen = {dot}
    for name in maps.icons():
        surface = atlas.icon(name)
        assert surface.get_size() == (11, 11)
        assert drawn(surface) > 20, name
        assert strangers(surface) == set()
        assert look_key(surface) not in seen, name
        seen.add(look_key(surface))


@pytest.mark.parametrize("field", ["skin", "hair", "hair_colour"])
def test_every_value_of_a_look_is_seen(atlas: Atlas, field: str) -> None:
    values = get_args(Look.model_fields[field].annotation)
    looks = [LOOK.model_copy(update={field: value}) for value in values]
    pictures = [look_key(atlas.person(look, "x")) for look in looks]
    same = {frozenset((a, b)) for (a, p), (b, q) in combinations(zip(values, pictures, strict=True), 2) if p == q}
    assert same == set()


def test_every_extra_is_seen(atlas: Atlas) -> None:
    plain = look_key(atlas.person(LOOK, "x"))
    extras = ("glasses", "apron", "cap", "scarf", "beard", "moustache", "headphones", "hat", "bag", "tie")
    pictures = [look_key(atlas.person(LOOK.model_copy(update={"extras": (extra,)}), "x")) for extra in extras]
    assert plain not in pictures
    assert len(set(pictures)) == len(extras)


@pytest.mark.parametrize("folder", ["the_ville", "linden", "hamlet"])
def test_people_of_a_town_are_pairwise_different(atlas: Atlas, folder: str) -> None:
    people = load_people(folder)
    for (a, first), (b, second) in combinations([(p.name, pixels(atlas.person(p.look, p.name))) for p in people], 2):
        assert int((first != second).any(axis=2).sum()) >= 20, (a, b)


def test_people_without_a_look_get_one_by_name(atlas: Atlas) -> None:
    pictures = {look_key(atlas.person(None, f"person {n}")) for n in range(60)}
    assert len(pictures) >= 55
    assert look_key(atlas.person(None, "Ann")) == look_key(Atlas().person(None, "Ann"))


def test_poses_and_sides_differ_and_fit(atlas: Atlas) -> None:
    for facing in ("south", "north", "east", "west"):
        steps = [look_key(atlas.person(LOOK, "x", "walk", facing, frame)) for frame in range(3)]  # type: ignore[arg-type]
        assert len(set(steps)) == 3
    poses = {look_key(atlas.person(LOOK, "x", pose)) for pose in ("stand", "sit", "sleep", "carry")}  # type: ignore[arg-type]
    assert len(poses) == 4
    sleeper = [look_key(atlas.person(LOOK, "x", "sleep", frame=frame)) for frame in range(3)]
    assert len(set(sleeper)) == 3
    for pose in ("walk", "sit", "sleep", "carry"):
        surface = atlas.person(LOOK, "x", pose)  # type: ignore[arg-type]
        assert surface.get_size() == Atlas.PERSON_SIZE
        assert strangers(surface) == set()
    east, west = atlas.person(LOOK, "x", "walk", "east"), atlas.person(LOOK, "x", "walk", "west")
    assert look_key(pygame.transform.flip(east, True, False)) == look_key(west)


def test_every_ground_letter_is_seen(atlas: Atlas) -> None:
    field, lawn = every_ground(), every_ground(only=maps.grounds()["grass"].letter)
    shown, plain = (pixels(map_picture(Atlas(), place)).astype(int) for place in (field, lawn))
    seen: dict[bytes, str] = {}
    for n, name in enumerate(maps.grounds()):
        block = (slice(3 * 16, 5 * 16), slice((3 + 4 * n) * 16, (5 + 4 * n) * 16))
        changed = int((shown[block] != plain[block]).any(axis=2).sum())
        assert (changed > 30) == (name != "grass"), (name, changed)
        assert shown[block].tobytes() not in seen, (name, seen.get(shown[block].tobytes()))
        seen[shown[block].tobytes()] = name
    assert strangers(atlas.ground(field)) == set()


@pytest.mark.parametrize("name", ["hamlet", "the_ville"])
def test_a_whole_town_draws_in_the_palette(atlas: Atlas, name: str) -> None:
    place = town(name)
    ground = atlas.ground(place)
    assert ground.get_size() == (place.width * 16, place.height * 16)
    assert strangers(ground) == set()
    feet = [piece.foot for piece in atlas.tall(place)]
    assert feet == sorted(feet)
    standing = {thing.address for thing in atlas.things(place)}
    assert standing == {thing.address for thing in place.objects()}
    covered = [(t.x + i, t.y + j) for t in atlas.things(place) for i in range(t.width) for j in range(t.height)]
    assert sorted(covered) == sorted(tile for thing in place.objects() for tile in thing.tiles)


def test_chairs_look_at_their_tables(atlas: Atlas) -> None:
    place = town("the_ville")
    tables = {
        (x, y)
        for y, row in enumerate(place.ground)
        for x, letter in enumerate(row)
        if letter == maps.grounds()["small table"].letter
    }
    ahead = {"east": (1, 0), "west": (-1, 0), "south": (0, 1), "north": (0, -1)}
    chairs = [thing for thing in atlas.things(place) if thing.kind == "cafe seating"]
    assert len(chairs) == 20
    for chair in chairs:
        dx, dy = ahead[chair.facing]
        assert (chair.x + dx, chair.y + dy) in tables
    pupils = [thing for thing in atlas.things(place) if thing.kind == "class seating"]
    assert {pupil.facing for pupil in pupils} == {"north"}


def test_roofs_cover_buildings_and_only_them(atlas: Atlas) -> None:
    place = town()
    for sector in place.sectors:
        roof = atlas.roof(place, sector.address)
        indoors = any(not arena.outdoors for arena in sector.arenas)
        assert (roof is not None) == (indoors and sector.kind != "street"), sector.address
        if roof is not None:
            assert strangers(roof.surface) == set()
    assert sector_style("A : b") == sector_style("A : b")


def test_lights_are_lamps_and_windows(atlas: Atlas) -> None:
    place = town()
    lamps = sum(row.count(maps.grounds()["lamp"].letter) for row in place.ground)
    windows = sum(row.count(maps.grounds()["window"].letter) for row in place.ground)
    lights = atlas.lights(place)
    assert [sum(light.kind == kind for light in lights) for kind in ("lamp", "window")] == [lamps, windows]
    assert all(light.arena in place.by_address for light in lights if light.kind == "window")


def test_water_shimmers_in_two_pictures(atlas: Atlas) -> None:
    place = town("the_ville")
    first, second = atlas.water(place, 0), atlas.water(place, 1)
    assert len(first) == len(second) > 0
    assert [look_key(p.surface) for p in first] != [look_key(p.surface) for p in second]
    assert atlas.water(place, 2) is first


def test_parts_of_the_window(atlas: Atlas) -> None:
    assert atlas.bubble(40, 20).get_size() == (52, 37)
    assert len({look_key(atlas.bubble(40, 20, style)) for style in ("talk", "thought", "news")}) == 3
    assert len({look_key(atlas.cursor(name)) for name in ("arrow", "hand", "move", "inject")}) == 4
    assert len({look_key(atlas.marker(name)) for name in ("followed", "talk", "spark", "pin")}) == 4
    assert atlas.face(LOOK, "x").get_size() == (16, 16)
    assert atlas.colour("cream3") == (253, 247, 232)


def test_pictures_are_the_same_bytes_in_another_process() -> None:
    code = (
        "import hashlib, pygame, maps\n"
        "from town.build import build_town\nfrom viewer.art import load_atlas\nfrom viewer.art.sheet import map_picture, sheet\n"
        "a = load_atlas(); t = build_town(maps.load_map('hamlet'))\n"
        "for s in (map_picture(a, t), sheet(a)):\n    print(hashlib.sha256(pygame.image.tobytes(s, 'RGB')).hexdigest())\n"
    )
    env = {**os.environ, "PYTHONHASHSEED": "77", "SDL_VIDEODRIVER": ""}  # no display is asked for at all
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    from viewer.art.sheet import sheet

    fresh = Atlas()
    here = [hashlib.sha256(pygame.image.tobytes(s, "RGB")).hexdigest() for s in (map_picture(fresh, town()), sheet(fresh))]
    assert done.stdout.split()[-2:] == here


def test_the_command_writes_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "sub" / "atlas.png"
    assert command(["atlas", "--out", str(out), "--zoom", "1"]) == 0
    assert pygame.image.load(str(out)).get_width() == 680
    assert command(["atlas", "--out", str(tmp_path / "hamlet.png"), "--zoom", "1", "--map", "hamlet"]) == 0
    assert pygame.image.load(str(tmp_path / "hamlet.png")).get_size() == (48 * 16, 37 * 16)
    capsys.readouterr()
    assert command(["atlas", "--out", str(tmp_path / "x.png"), "--map", "atlantis"]) == 2
    assert "atlantis" in capsys.readouterr().err
