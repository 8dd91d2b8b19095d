"""The map a resident knows: growing, kept by arena, and any string for a place resolved in it."""

from __future__ import annotations

import json

import pytest

from memory import KnownMap

CAFE = "The Ville : Hobbs Cafe : cafe"
PLACES = (
    f"{CAFE} : piano",
    f"{CAFE} : kitchen sink",
    f"{CAFE} : cooking area",
    f"{CAFE} : behind the cafe counter",
    "The Ville : Johnson Park : park : park garden",
    "The Ville : Lin family's house : kitchen : cooking area",
    "The Ville : Lin family's house : kitchen : refrigerator",
    "The Ville : Lin family's house : Eddy Lin's bedroom : bed",
    "The Ville : Moore family's house : main room : bed",
    "The Ville : Oak Hill College : library",
    "The Ville : The Rose and Crown Pub",
    "The Ville : streets : outdoors",
)


@pytest.fixture
def known() -> KnownMap:
    made = KnownMap()
    made.learn(PLACES)
    return made


def test_knowing_a_part_is_knowing_what_it_lies_in() -> None:
    made = KnownMap()
    assert not made.knows(CAFE)
    assert made.learn([f"{CAFE} : piano"]) == {f"map/{CAFE}": {"piano": ""}}
    for address in ("The Ville", "The Ville : Hobbs Cafe", CAFE, f"{CAFE} : piano"):
        assert made.knows(address)
    assert not made.knows(f"{CAFE} : counter")
    assert len(made) == 4


def test_only_what_is_new_is_a_change() -> None:
    made = KnownMap()
    made.learn([f"{CAFE} : piano", CAFE])
    assert made.learn([f"{CAFE} : piano", CAFE]) == {}
    assert made.learn([], {f"{CAFE} : piano": "being played"}) == {f"map/{CAFE}": {"piano": "being played"}}
    assert made.learn([], {f"{CAFE} : piano": "being played"}) == {}
    assert made.state(f"{CAFE} : piano") == "being played"
    assert made.state(f"{CAFE} : sink") is None
    assert made.learn([f"{CAFE} : piano"]) == {}  # being told of it again doesn't wipe what one saw
    assert made.state(f"{CAFE} : piano") == "being played"
    assert made.learn(["The Ville : Johnson Park"]) == {"map/The Ville : Johnson Park": {}}


def test_levels_and_options(known: KnownMap) -> None:
    assert known.sectors() == (
        "The Ville : Hobbs Cafe", "The Ville : Johnson Park", "The Ville : Lin family's house",
        "The Ville : Moore family's house", "The Ville : Oak Hill College", "The Ville : The Rose and Crown Pub",
        "The Ville : streets",
    )  # fmt: skip
    assert known.options() == known.sectors()
    assert known.options("The Ville") == known.sectors()
    assert known.options("The Ville : Oak Hill College") == ("The Ville : Oak Hill College : library",)
    assert known.options("The Ville : The Rose and Crown Pub") == ()
    assert known.options("The Ville : Lin family's house : kitchen") == (
        "The Ville : Lin family's house : kitchen : cooking area", "The Ville : Lin family's house : kitchen : refrigerator",
    )  # fmt: skip
    assert len(known.objects()) == 9
    assert len(known.arenas()) == 7


def test_state_goes_through_json_and_back(known: KnownMap) -> None:
    known.learn([], {f"{CAFE} : piano": "being played"})
    state = json.loads(json.dumps(known.state_keys()))
    again = KnownMap.of_state({**state, "schedule": {"no": "place"}, "told/x": []})
    assert again.state_keys() == known.state_keys()
    assert again.objects() == known.objects()
    assert again.sectors() == known.sectors()
    bare = KnownMap({key.removeprefix("map/"): value for key, value in state.items()})
    assert bare.state_keys() == known.state_keys()


def test_changes_journaled_one_by_one_make_the_same_map() -> None:
    made, journal = KnownMap(), {}
    for place in PLACES:
        journal.update(made.learn([place]))
    assert KnownMap(journal).state_keys() == made.state_keys()


def test_a_copy_is_independent(known: KnownMap) -> None:
    other = known.copy()
    other.learn(["The Ville : Moon"], {f"{CAFE} : piano": "on fire"})
    assert not known.knows("The Ville : Moon")
    assert known.state(f"{CAFE} : piano") is None


@pytest.mark.parametrize(
    ("text", "address"),
    [
        (f"{CAFE} : piano", f"{CAFE} : piano"),
        ("the ville:hobbs cafe:cafe:PIANO", f"{CAFE} : piano"),
        ("The Ville > Hobbs Cafe > cafe", CAFE),
        ("Hobbs Cafe: cafe: piano", f"{CAFE} : piano"),
        ("Hobbs Cafe, piano", f"{CAFE} : piano"),
        ("hobbs cafe", "The Ville : Hobbs Cafe"),
        ("Piano", f"{CAFE} : piano"),
        ("the piano", f"{CAFE} : piano"),
        ("the piano at Hobbs Cafe", f"{CAFE} : piano"),
        ("Rose and Crown Pub", "The Ville : The Rose and Crown Pub"),
        ("the Rose & Crown pub", "The Ville : The Rose and Crown Pub"),
        ("Hobs Café", "The Ville : Hobbs Cafe"),
        ("Johnson Parc", "The Ville : Johnson Park"),
        ("refridgerator", "The Ville : Lin family's house : kitchen : refrigerator"),
        ("the Lin family's kitchen", "The Ville : Lin family's house : kitchen"),
        ("library of Oak Hill College", "The Ville : Oak Hill College : library"),
        ("the bed in the Moore family's house", "The Ville : Moore family's house : main room : bed"),
        ("Hobbs Cafe : kitchen", f"{CAFE} : kitchen sink"),  # there is none: the nearest thing it has
    ],
)
def test_any_string_for_a_place_finds_its_near_match(known: KnownMap, text: str, address: str) -> None:
    assert known.resolve(text) == address


@pytest.mark.parametrize(
    "text", ["", "   ", ":", "the", "space station", "a swimming pool", "42", "The Ville : Airport : gate", "\n\t"]
)
def test_what_is_nowhere_near_is_nothing(known: KnownMap, text: str) -> None:
    assert known.resolve(text) is None


def test_among_equals_the_nearest_wins(known: KnownMap) -> None:
    assert (
        known.resolve("bed", near="The Ville : Moore family's house : main room")
        == "The Ville : Moore family's house : main room : bed"
    )
    assert known.resolve("bed", near="The Ville : Lin family's house : kitchen") == PLACES[7]
    assert known.resolve("cooking area", near=CAFE) == f"{CAFE} : cooking area"
    assert known.resolve("cooking area") == f"{CAFE} : cooking area"


def test_resolving_follows_what_is_learned(known: KnownMap) -> None:
    assert known.resolve("swimming pool") is None
    known.learn(["The Ville : Johnson Park : pool : swimming pool"])
    assert known.resolve("swimming pool") == "The Ville : Johnson Park : pool : swimming pool"
    assert KnownMap().resolve("piano") is None


def test_a_map_brought_up_to_date_is_the_map_of_the_whole_state(known: KnownMap) -> None:
    state = known.state_keys()
    seen = known.copy().learn(
        [f"{CAFE} : counter", "The Ville : Harvey Oak Supply Store : store"], {f"{CAFE} : piano": "being played"}
    )
    updated = known.updated({**seen, "schedule": {"blocks": []}})
    whole = KnownMap.of_state({**state, **seen})
    assert updated.state_keys() == whole.state_keys()
    assert len(updated) == len(whole) == len(known) + 3
    assert updated.objects() == whole.objects()
    assert updated.state(f"{CAFE} : piano") == "being played"
    assert known.state_keys() == state  # the old one is left as it was
    assert updated.resolve("the store") == whole.resolve("the store")
