"""Loading people by name and path, and what is said about files that are wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernel import DataFileError
from personas import check_people, check_people_places, load_people, minutes

GOOD = """\
name: {name}
age: 40
pronoun: she
occupation: ferrywoman
traits: [calm]
about: {name} rows the ferry.
rhythm:
  - She rows at noon.
speech: She says little.
home: "Hut : room"
bed: "Hut : room : bed"
wakes: 6:00
sleeps: 22:00
knows:
  {other}: {{how: friend, text: They fish together.}}
"""


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def pair(tmp_path: Path) -> Path:
    write(tmp_path, "ada-pond.yaml", GOOD.format(name="Ada Pond", other="Bea Rill"))
    write(tmp_path, "bea-rill.yaml", GOOD.format(name="Bea Rill", other="Ada Pond"))
    return tmp_path


def problems(folder: Path) -> list[tuple[str, int | None, str, str | None]]:
    return [(Path(e.file).name, e.line, e.what, e.hint) for e in check_people(folder)]


def test_own_folder_and_order(pair: Path):
    assert [p.name for p in load_people(pair)] == ["Ada Pond", "Bea Rill"]
    assert [p.name for p in load_people(pair, ["Bea Rill", "ada-pond"])] == ["Bea Rill", "Ada Pond"]
    assert [p.name for p in load_people(str(pair / "bea-rill.yaml"))] == ["Bea Rill"]
    assert [p.name for p in load_people(pair.name, beside=pair.parent)] == ["Ada Pond", "Bea Rill"]


def test_a_single_file_may_have_any_name(pair: Path):
    path = (pair / "bea-rill.yaml").rename(pair / "someone.yaml")
    assert load_people(path)[0].name == "Bea Rill"


def test_unknown_people_and_folders(pair: Path):
    with pytest.raises(DataFileError, match=r"there is no 'Bea Ril' among these people.*did you mean 'bea-rill'"):
        load_people(pair, ["Bea Ril"])
    with pytest.raises(DataFileError, match=r"hamlt: there are no such people.*did you mean 'hamlet'"):
        load_people("hamlt")
    empty = pair / "empty"
    empty.mkdir()
    with pytest.raises(DataFileError, match="there are no persona files here"):
        load_people(empty)


def test_unknown_acquaintance(pair: Path):
    write(pair, "ada-pond.yaml", GOOD.format(name="Ada Pond", other="Bea Ril"))
    assert problems(pair) == [("ada-pond.yaml", 15, "Ada Pond knows an unknown 'Bea Ril'", "did you mean 'Bea Rill'?")]


def test_knowing_oneself_and_a_file_named_otherwise(pair: Path):
    write(pair, "cy-lake.yaml", GOOD.format(name="Ada Pond", other="Ada Pond"))
    assert [(file, line, what) for file, line, what, _ in problems(pair)] == [
        ("cy-lake.yaml", 1, "the file is not named after 'Ada Pond'"),
        ("cy-lake.yaml", 1, "there are two people called 'Ada Pond'"),
        ("cy-lake.yaml", 15, "Ada Pond is said to know themself"),
    ]


def test_all_problems_at_once(pair: Path):
    text = GOOD.format(name="Ada Pond", other="Bea Rill")
    text = text.replace("Ada Pond rows the ferry.", "Ada Pond rows the ferry").replace("She rows at noon.", "noon: rowing")
    write(pair, "ada-pond.yaml", text.replace("- noon: rowing", "- rows at noon").replace("22:00", "2:75"))
    write(pair, "bea-rill.yaml", GOOD.format(name="Bea Rill", other="Ada Pond").replace("Hut : room : bed", "Barn : bed"))
    assert problems(pair) == [
        ("ada-pond.yaml", 13, "'2:75' is not a time of day", "write hours and minutes, as in '7:30'"),
        ("ada-pond.yaml", 6, "the text does not end as a sentence", "write a full sentence, ending with a full stop"),
        ("ada-pond.yaml", 8, "the text does not end as a sentence", "write a full sentence, ending with a full stop"),
        ("bea-rill.yaml", 11, "the bed 'Barn : bed' is not in the home", "write 'Hut : room : bed'"),
    ]


def test_sleeping_before_waking_and_work_backwards(pair: Path):
    text = GOOD.format(name="Ada Pond", other="Bea Rill").replace("sleeps: 22:00", "sleeps: 1:00")
    write(pair, "ada-pond.yaml", text + "work:\n  place: Quay\n  hours: [17:00, 9:00]\n")
    assert [(line, what) for _, line, what, _ in problems(pair)] == [
        (13, "Ada Pond goes to sleep before waking"),
        (18, "the work of Ada Pond ends before it begins"),
    ]


def test_form_comes_from_the_spec(pair: Path):
    write(pair, "ada-pond.yaml", GOOD.format(name="Ada Pond", other="Bea Rill").replace("speech:", "speach:"))
    assert [(line, what, hint) for _, line, what, hint in problems(pair)] == [
        (1, "'speech' is missing", "add 'speech: ...'"),
        (9, "unknown key 'speach'", "did you mean 'speech'?"),
    ]


def test_places_of_the_map(pair: Path):
    known = {"Hut", "Hut : room", "Hut : room : bed", "Quay"}
    assert check_people_places(pair, known) == []
    found = check_people_places(pair, known - {"Hut : room : bed"}, ["Ada Pond"])
    assert [(e.line, e.what, e.hint) for e in found] == [
        (11, "the map has no 'Hut : room : bed'", "did you mean 'Hut : room'?"),
    ]


def test_minutes():
    assert minutes("7:30") == 450
    assert minutes("26:00") == 1560
    for wrong in ("7:60", "37:00"):
        with pytest.raises(ValueError, match="not a time of day"):
            minutes(wrong)
