"""The two towns that come with Townfolk: the places of the paper, and that people can live in them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import maps
from maps.mapfile import Shape
from maps.preview import main, picture
from town.build import build_town
from town.grid import Grid
from town.percepts import Tile
from town.tree import GameObject, TownMap, leaf, parts


@cache
def town(name: str) -> TownMap:
    return build_town(maps.load_map(name))


BATH = {"bathroom sink", "shower", "toilet"}
KITCHEN = {"cooking area", "kitchen sink", "refrigerator"}
FLAT = KITCHEN | {"bed", "closet"}
PLACES: dict[str, dict[str, set[str]]] = {
    "Hobbs Cafe": {"cafe": {"behind the cafe counter", "cafe customer seating", "piano"} | KITCHEN},
    "The Rose and Crown Pub": {
        "pub": {"bar customer seating", "behind the bar counter", "microphone", "shelf"} | KITCHEN,
    },
    "The Willows Market and Pharmacy": {
        "store": {
            "behind the grocery counter", "behind the pharmacy counter", "grocery store counter",
            "grocery store shelf", "pharmacy store counter", "pharmacy store shelf",
        },
    },
    "Harvey Oak Supply Store": {
        "supply store": {"behind the supply store counter", "supply store counter", "supply store product shelf"},
    },
    "Johnson Park": {"park": {"park garden"}},
    "Oak Hill College": {
        "classroom": {"blackboard", "classroom podium", "classroom student seating"},
        "library": {"bookshelf", "library sofa", "library table"},
        "hallway": set(),
    },
    "Dorm for Oak Hill College": {
        "Ayesha Khan's room": {"bed", "closet", "desk", "shelf"},
        "Klaus Mueller's room": {"bed", "closet", "desk", "game console"},
        "Maria Lopez's room": {"bed", "blackboard", "closet", "computer", "desk"},
        "Wolfgang Schulz's room": {"bed", "closet", "desk", "game console", "lifting weight"},
        "common room": {"sofa", "table", "pool table"},
        "garden": {"dorm garden"},
        "kitchen": KITCHEN | {"toaster"},
        "man's bathroom": BATH,
        "woman's bathroom": BATH,
    },
    "artist's co-living space": {
        "Abigail Chen's room": {"bed", "closet", "desk"},
        "Francisco Lopez's room": {"bed", "closet", "easel", "shelf"},
        "Hailey Johnson's room": {"bed", "closet", "desk", "easel"},
        "Latoya Williams's room": {"bed", "closet", "desk", "shelf"},
        "Rajiv Patel's room": {"bed", "closet", "easel", "guitar"},
        "Abigail Chen's bathroom": BATH,
        "Francisco Lopez's bathroom": BATH,
        "Hailey Johnson's bathroom": BATH,
        "Latoya Williams's bathroom": BATH,
        "Rajiv Patel's bathroom": BATH,
        "common room": {"sofa", "table"},
        "kitchen": KITCHEN | {"toaster"},
    },
    "Lin family's house": {
        "Eddy Lin's bedroom": {"bed", "closet", "desk"},
        "Mei and John Lin's bedroom": {"bed", "closet", "desk"},
        "bathroom": BATH,
        "common room": {"table", "shelf"},
        "garden": {"house garden"},
        "kitchen": KITCHEN,
    },
    "Moreno family's house": {
        "Tom and Jane Moreno's bedroom": {"bed", "closet", "desk"},
        "empty bedroom": {"bed", "closet", "guitar"},
        "bathroom": BATH,
        "common room": {"table", "harp", "shelf"},
        "garden": {"garden chair", "house garden"},
        "kitchen": KITCHEN,
    },
    "Tamara Taylor and Carmen Ortiz's house": {
        "Tamara Taylor's room": {"bed", "closet", "desk"},
        "Carmen Ortiz's room": {"bed", "closet", "guitar"},
        "bathroom": BATH,
        "common room": {"table", "shelf"},
        "garden": {"house garden"},
        "kitchen": KITCHEN,
    },
    "Moore family's house": {"main room": FLAT | {"sofa", "desk"}, "bathroom": BATH},
    "Adam Smith's house": {"main room": FLAT | {"desk"}, "bathroom": BATH},
    "Carlos Gomez's apartment": {"main room": FLAT | {"desk"}, "bathroom": BATH},
    "Yuriko Yamamoto's house": {"main room": FLAT | {"desk", "shelf"}, "bathroom": BATH},
    "Giorgio Rossi's apartment": {"main room": FLAT | {"desk", "blackboard"}, "bathroom": BATH},
    "Ryan Park's apartment": {"main room": FLAT | {"computer desk"}, "bathroom": BATH},
    "Isabella Rodriguez's apartment": {"main room": FLAT | {"desk", "shelf"}, "bathroom": BATH},
    "Arthur Burton's apartment": {"main room": FLAT | {"desk", "shelf", "guitar"}, "bathroom": BATH},
}  # fmt: skip


def test_the_ville_has_the_places_of_the_paper() -> None:
    """Specification section 8 (Park et al., 2023, the map tree); ours may have more things, never fewer."""
    tree = town("the_ville")
    for sector, arenas in PLACES.items():
        found = {leaf(a.address): {leaf(o.address) for o in a.objects} for a in tree.sector(f"The Ville : {sector}").arenas}
        assert set(found) == set(arenas), sector
        for arena, things in arenas.items():
            assert things <= found[arena], (sector, arena)
            assert found[arena] - things <= {"table", "bench"}, (sector, arena)
    assert {parts(s.address)[1] for s in tree.sectors} - set(PLACES) == {"Town Square", "streets"}


@pytest.mark.parametrize("name", ["the_ville", "hamlet"])
def test_shipped_maps_are_sound(name: str) -> None:
    assert maps.check_map(maps.map_path(name)) == []


@pytest.mark.parametrize("name", ["the_ville", "hamlet"])
def test_everything_can_be_reached_from_every_front_door(name: str) -> None:
    tree = town(name)
    grid = Grid(tree)
    field = grid.distances_to(tree.sectors[0].door)
    reached = {(x, y) for y in range(tree.height) for x in range(tree.width) if field[y, x] >= 0}
    for thing in tree.objects():
        assert thing.spots
        assert 1 <= thing.capacity <= len(thing.spots), thing.address
        for spot in thing.spots:
            assert spot in reached, thing.address
            assert tree.arena_of_tile[spot] is tree.arena(thing.address), thing.address
    for sector in tree.sectors:
        assert sector.door in reached, sector.address
    for arena in tree.arenas():
        assert len(grid.standing(arena)) >= 9, arena.address
        assert set(grid.standing(arena)) <= reached, arena.address


@pytest.mark.parametrize("name", ["the_ville", "hamlet"])
def test_a_home_has_what_a_day_needs(name: str) -> None:
    tree = town(name)
    homes = [s for s in tree.sectors if s.private]
    beds: list[str] = []
    for home in homes:
        things = [thing for arena in home.arenas for thing in arena.objects]
        assert {"sleep", "wash", "shower", "toilet", "cook", "eat", "dress"} <= {key for t in things for key in t.affords}
        beds += [owner for t in things if "sleep" in t.affords for owner in t.owners[: t.capacity]]
        for arena in home.arenas:
            assert arena.capacity == (1 if "bathroom" in arena.address else None), arena.address
    owners = [owner for home in homes for owner in home.owners]
    assert len(owners) == len(set(owners)) == {"the_ville": 25, "hamlet": 5}[name]
    # the Morenos' empty bedroom has a second bed of theirs
    assert set(owners) == set(beds)


def test_walls_between_a_home_and_the_street() -> None:
    """A home is entered through its front door only: one step from inside to the street is always from a door."""
    tree = town("the_ville")
    grid = Grid(tree)
    for sector in tree.sectors:
        if sector.kind in ("street", "square", "park"):
            continue
        for arena in sector.arenas:
            for tile in grid.standing(arena):
                outside = [n for n in grid.neighbours(tile) if tree.sector(tree.arena_of_tile[n].address) is not sector]
                assert not outside or tile in tree.doors, (sector.address, tile)


def test_the_ville_in_figures() -> None:
    tree = town("the_ville")
    assert (tree.width, tree.height) == (140, 96)
    seats = {leaf(o.address): o.capacity for o in tree.objects() if o.kind.endswith("seating")}
    assert seats == {"cafe customer seating": 20, "bar customer seating": 26, "classroom student seating": 15}
    hours = {leaf(s.address): s.hours for s in tree.sectors if s.hours}
    assert hours == {
        "Hobbs Cafe": (480, 1200),
        "The Rose and Crown Pub": (1020, 1440),
        "The Willows Market and Pharmacy": (480, 1080),
        "Harvey Oak Supply Store": (480, 1080),
        "Oak Hill College": (420, 1320),
    }
    assert len(tree.arena("The Ville : Johnson Park : park").objects[0].spots) >= 40
    assert tree.sector("The Ville : Hobbs Cafe").door == (62, 39)


def test_a_place_with_hours_is_no_way_through() -> None:
    """Two doors apart would lie on somebody's shortest way home, and be shut in front of them at night."""
    for name in maps.map_names():
        tree = town(name)
        for sector in (s for s in tree.sectors if s.hours is not None):
            inside = frozenset[Tile]().union(*(arena.tiles for arena in sector.arenas))
            doors = sorted(d for d in tree.doors & inside if any(n not in inside for n in Grid(tree).neighbours(d)))
            assert doors, sector.address
            (x0, y0), (x1, y1) = doors[0], doors[-1]
            assert abs(x1 - x0) + abs(y1 - y0) <= 1, f"{sector.address} has doors apart: {doors}"


def test_rename_gives_the_town_to_other_people() -> None:
    spec = maps.load_map("the_ville")
    other = build_town(spec, {"Lin family": "Novak family", "Eddy Lin": "Jan Novak", "Lin": "Novak", "The Ville": "Brno"})
    assert other.name == "Brno"
    assert other.sector("Brno : Novak family's house").owners == ("Mei Novak", "John Novak", "Jan Novak")
    room = other.arena("Brno : Novak family's house : Jan Novak's bedroom")
    assert room.owners == room.objects[0].owners == ("Jan Novak",)


def test_a_map_survives_a_run_file() -> None:
    spec = maps.load_map("hamlet")
    assert maps.MapSpec.model_validate(spec.model_dump(mode="json")) == spec


def test_nobody_stands_behind_a_counter_to_buy() -> None:
    tree = town("the_ville")
    store = {leaf(o.address): o for o in tree.arena("The Ville : The Willows Market and Pharmacy : store").objects}
    assert not set(store["grocery store counter"].spots) & set(store["behind the grocery counter"].tiles)


def test_a_doorway_of_a_full_bathroom_belongs_to_the_room_before_it() -> None:
    tree = town("the_ville")
    doors = [d for d in sorted(tree.doors) if leaf(tree.arena_of_tile[d].address).endswith("bathroom")]
    assert doors == []


def test_words_of_all_maps() -> None:
    assert 35 <= len(maps.icons()) <= 60
    assert {"sleep", "coffee", "cook", "fire", "walk", "talk", "party"} <= set(maps.icons())
    letters = [kind.letter for kind in maps.grounds().values()]
    assert len(letters) == len(set(letters))
    unused = set(maps.affordances()) - {key for kind in maps.catalogue().values() for key in kind.affords}
    assert unused == set()


def test_strokes_of_ground() -> None:
    from maps.ground import paint

    shapes = (
        Shape(of="path", rect=(0, 0, 4, 2)),
        Shape(of="tree", rect=(0, 0, 6, 3), every=(3, 2)),
        Shape(of="flowers", line=((5, 0), (5, 2)), on=("grass",)),
        Shape(of="water", ellipse=(1, 4, 1, 1)),
    )
    assert ["".join(row) for row in paint((6, 6), "grass", shapes)] == [
        "T::T.f",
        "::::.f",
        "..T..T",
        ".w....",
        "www...",
        ".w....",
    ]
    half = paint((100, 100), "grass", (Shape(of="tree", rect=(0, 0, 100, 100), share=0.5),))
    assert 4800 < sum(row.count("T") for row in half) < 5200
    assert half == paint((100, 100), "grass", (Shape(of="tree", rect=(0, 0, 100, 100), share=0.5),))


def test_preview(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pixels = picture(maps.load_map("hamlet"), scale=4)
    assert pixels.shape == (37 * 4, 48 * 4, 3)
    assert pixels.dtype == np.uint8
    assert main(["hamlet", str(tmp_path / "out.png")]) == 0
    assert (tmp_path / "out.png").read_bytes()[:4] == b"\x89PNG"
    assert main(["atlantis", str(tmp_path / "no.png")]) == 2
    assert "there is no map 'atlantis'" in capsys.readouterr().err


def test_the_map_in_the_documentation_is_sound(tmp_path: Path) -> None:
    text = (Path(__file__).parent.parent / "docs" / "maps.md").read_text(encoding="utf-8")
    file = tmp_path / "tiny.yaml"
    file.write_text(text.split("```yaml\n")[1].split("```")[0], encoding="utf-8")
    assert maps.check_map(file) == []
    tree = build_town(maps.load_map(file))
    assert [leaf(a.address) for a in tree.arenas()] == ["main room", "bathroom", "outdoors"]
    bed = tree.by_address["Tiny : Ann Lee's house : main room : bed"]
    assert isinstance(bed, GameObject)
    assert (bed.spots, bed.owners) == (((3, 2),), ("Ann Lee",))


def test_the_documentation_lists_every_mark() -> None:
    text = (Path(__file__).parent.parent / "docs" / "maps.md").read_text(encoding="utf-8")
    for kind in maps.grounds().values():
        assert kind.mark is None or f"| `{kind.mark}` |" in text, kind
