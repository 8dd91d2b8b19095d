"""Maps that are wrong: every mistake is told with its line, its place and a way out; all of them at once."""

from __future__ import annotations

from pathlib import Path

import pytest

import maps
from kernel import DataFileError, UsageError

GOOD = """\
world: Tiny
size: [12, 8]
sectors:
  Shed:
    kind: shop
    at: [1, 1]
    hours: 8:00-18:00
    plan: |
      ######
      #s..k#
      #.1..#
      ###+##
    legend:
      1: {arena: room}
      s: shelf
      k: {name: stove, kind: cooking area}
"""


def problems(tmp_path: Path, text: str) -> list[tuple[int | None, str, str | None]]:
    file = tmp_path / "map.yaml"
    file.write_text(text, encoding="utf-8")
    found = maps.check_map(file)
    assert all(problem.file == str(file) for problem in found)
    return [(problem.line, problem.what, problem.hint) for problem in found]


def edited(old: str, new: str) -> str:
    assert GOOD.count(old) == 1
    return GOOD.replace(old, new)


def test_a_sound_map_has_no_problems(tmp_path: Path) -> None:
    assert problems(tmp_path, GOOD) == []


@pytest.mark.parametrize(
    ("old", "new", "line", "what", "hint"),
    [
        # the shelf's only neighbour is walled off
        ("s..k#\n      #.", "sk.k#\n      #k", 10, "Shed: the object 'shelf' in 'room' can't be reached", "beside it"),
        ("###+##", "######", 10, "Shed: the arena 'room' can't be reached", "draw a door"),
        ("      s: shelf", "      s: shelv", 15, "Shed: unknown kind 'shelv'", "did you mean 'shelf'?"),
        ("{arena: room}", "{arena: room, affords: [cok]}", 14, "Shed: unknown affordance 'cok'", "did you mean 'cook'?"),
        ("{arena: room}", "{arena: room, floor: woood}", 14, "Shed: unknown ground 'woood'", "did you mean 'wood'?"),
        ("#.1..#", "#.1.#", 11, "Shed: row 3 of the plan has 5 columns, the first row 6", "equally long"),
        ("#.1..#", "#.1.Z#", 11, "Shed: 'Z' in row 3, column 5 of the plan isn't in the legend", "add 'Z: ...'"),
        ("at: [1, 1]", "at: [9, 1]", 6, "Shed: the plan at (9, 1), 6 x 4 tiles, leaves the town", "12 x 8"),
        ("8:00-18:00", "18:00-8:00", 7, "sectors.Shed.hours: hours '18:00-8:00' must close after they open", None),
        ("8:00-18:00", "all day", 7, "sectors.Shed.hours: hours 'all day' can't be read, write them as 8:00-20:00", None),
        ("name: stove", "name: shelf", 16, "Shed: 's' and 'k' are both 'shelf' in 'room'", "give one another name"),
        ("name: stove", "nam: stove", 16, "unknown key 'sectors.Shed.legend.k.nam'", "did you mean 'name'?"),
        ("kind: shop", "knd: shop", 5, "unknown key 'sectors.Shed.knd'", "did you mean 'kind'?"),
        ("      s: shelf", "      s: shelf\n      s: sofa", 16, "the key 's' is given twice", "first on line 15"),
        ("      s: shelf", "      s: shelf\n      x: sofa", 16, "Shed: the legend's 'x' isn't in the plan", "draw it"),
        ("      s: shelf", "      s: shelf\n      '#': sofa", 16, "Shed: '#' can't be a mark of one's own", "one letter"),
        ("#.1..#", "#....#", 14, "Shed: the legend's '1' isn't in the plan", None),
        ("kind: shop", "kind: home\n    owners: [Ann, Ann]", 6, "Shed: an owner is named twice", "name each once"),
        ("{name: stove, ", "{capacity: 9, name: stove, ", 16, "Shed: 'stove' has room for 2, not 9", "lower its capacity"),
        ("size: [12, 8]", "size: [12]", 2, "size: item 2 is missing", None),
        ("size: [12, 8]", "size: [12, 8]\nfill: gras", 3, "unknown ground 'gras'", "did you mean 'grass'?"),
        ("size: [12, 8]", "size: [12, 8]\nground: [{of: path}]", 3, "a shape has exactly one of rect", None),
        ("  Shed:\n", "  'Shed : 2':\n", 4, "'Shed : 2' can't be a name", None),
    ],
)  # fmt: skip
def test_a_mistake_names_its_line_and_the_way_out(
    tmp_path: Path, old: str, new: str, line: int, what: str, hint: str | None
) -> None:
    found = problems(tmp_path, edited(old, new))
    hits = [p for p in found if p[0] == line and what in p[1]]
    assert hits, found
    assert hint is None or hint in (hits[0][2] or "")


def test_a_door_must_lead_somewhere(tmp_path: Path) -> None:
    found = problems(tmp_path, edited("      ######\n", "      ####+#\n"))
    assert found == [
        (9, "Shed: a door leads nowhere (row 1, column 5)", "leave the tiles on both sides of it free"),
    ]


def test_two_marks_in_one_room_overlap(tmp_path: Path) -> None:
    text = edited("#.1..#", "#.12.#").replace("      s: shelf", "      2: {arena: cellar}\n      s: shelf")
    assert problems(tmp_path, text) == [
        (11, "Shed: the arenas 'room' and 'cellar' overlap (at row 3, column 4)", "draw a wall or a door between them"),
    ]


def test_two_marks_may_not_name_one_arena(tmp_path: Path) -> None:
    text = edited("#.1..#", "#.1#2#").replace("      s: shelf", "      2: {arena: Room}\n      s: shelf")
    assert (15, "Shed: two marks name an arena 'Room'", "use '1' for both") in problems(tmp_path, text)


def test_a_room_without_a_mark(tmp_path: Path) -> None:
    text = edited("      #s..k#\n", "      #s..k###\n").replace("      ######\n", "      ########\n")
    text = text.replace("#.1..#", "#.1..+.#").replace("###+##", "###+####")
    assert problems(tmp_path, text)[0] == (
        11,
        "Shed: no mark names the room at row 3, column 7",
        "put an arena's mark into it, or '_' where the sector ends",
    )


SECOND = """\
  Hut:
    kind: home
    at: {at}
    owners: [Ann Lee]
    plan: |
      ####
      #b.#
      #.1#
      #+##
    legend:
      1: {{arena: room, owners: [{owner}]}}
      b: bed
"""


def test_sectors_may_share_walls_and_nothing_else(tmp_path: Path) -> None:
    assert problems(tmp_path, GOOD + SECOND.format(at="[6, 1]", owner="Ann Lee")) == []
    found = problems(tmp_path, GOOD + SECOND.format(at="[5, 1]", owner="Ann Lee"))
    assert (23, "Hut: it overlaps 'Shed' (row 2, column 1)", "move one of them; only walls may be shared") in found


def test_a_room_belongs_to_somebody_who_owns_the_sector(tmp_path: Path) -> None:
    found = problems(tmp_path, GOOD + SECOND.format(at="[6, 1]", owner="Ann Li"))
    assert found == [(27, "Hut: 'Ann Li' owns 'room' but not the sector", "did you mean 'Ann Lee'?")]


def test_names_differ_by_more_than_case(tmp_path: Path) -> None:
    found = problems(tmp_path, GOOD + SECOND.format(at="[6, 1]", owner="Ann Lee").replace("Hut", "shed"))
    assert [(line, what) for line, what, _ in found] == [(17, "the sector 'shed' has the name of another")]


def test_all_problems_are_told_at_once_in_order(tmp_path: Path) -> None:
    text = edited("      s: shelf", "      s: shelv").replace("#.1..#", "#.1.?#").replace("cooking area", "stov")
    assert [line for line, _, _ in problems(tmp_path, text)] == [11, 15, 16]


def test_load_raises_the_first_problem(tmp_path: Path) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text(edited("s: shelf", "s: shelv"), encoding="utf-8")
    with pytest.raises(DataFileError, match=r"bad\.yaml:15: Shed: unknown kind 'shelv' \(did you mean 'shelf'\?\)"):
        maps.load_map(file)


def test_a_map_by_name_or_path() -> None:
    assert maps.load_map("hamlet") == maps.load_map(maps.map_path("hamlet"))
    with pytest.raises(UsageError, match=r"there is no map 'hamlett' \(did you mean 'hamlet'\?\)"):
        maps.load_map("hamlett")
    with pytest.raises(DataFileError, match="there is no such file"):
        maps.load_map("nowhere/at_all.yaml")
