"""What is said about scenario files that are wrong: all of it, with line and hint."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernel import DataFileError
from scenarios import check_scenario, check_scenario_places, load

BASE = """\
name: test
title: A test
map: hamlet
people: hamlet
start: 2023-06-02 00:00
days: 1
"""


@pytest.fixture
def said(tmp_path: Path):
    def check(more: str) -> list[tuple[int | None, str, str | None]]:
        path = tmp_path / "test.yaml"
        path.write_text(BASE + more, encoding="utf-8")
        return [(e.line, e.what, e.hint) for e in check_scenario(path)]

    return check


def test_sound(said):
    assert said("facts:\n  swim:\n    text: Ada Brook swam.\n    holders: [Ada Brook]\n") == []


def test_unknown_names(said):
    more = """\
facts:
  swim:
    text: Ada Brook swam.
    about: Ada Broo
    holders: [Ada Brook, Ben Cartr, Ada Brook]
    gathering: {name: swim, place: "The Green : green", start: 2023-06-02 10:00, end: 2023-06-02 11:00, host: Zzz}
memories:
  - {resident: Dov Ellr, text: Dov Eller slept badly.}
minds:
  Eda Finch: clockwork
"""
    assert said(more) == [
        (10, "nobody in this town is called 'Ada Broo'", "did you mean 'Ada Brook'?"),
        (11, "nobody in this town is called 'Ben Cartr'", "did you mean 'Ben Carter'?"),
        (12, "nobody in this town is called 'Zzz'", "name somebody of this scenario's residents, in full"),
        (14, "nobody in this town is called 'Dov Ellr'", "did you mean 'Dov Eller'?"),
        (16, "nobody in this town is called 'Eda Finch'", "did you mean 'Edda Finch'?"),
        (11, "'Ada Brook' holds 'swim' twice", "leave one out"),
    ]


def test_residents(said):
    more = "residents:\n  - Ada Brook\n  - Ben Cartr\n  - Ada Brook\n"
    assert [(line, what) for line, what, _ in said(more)] == [
        (7, "there is no 'Ben Cartr' among these people"),
        (10, "'Ada Brook' is named twice"),
    ]


def test_times(said):
    more = """\
facts:
  swim:
    text: Ada Brook swam.
    at: 2023-06-03 09:00
    gathering: {name: swim, place: "The Green : green", start: 2023-06-02 10:00, end: 2023-06-02 10:00, host: Ada Brook}
  late:
    text: Ada Brook dined.
    gathering:
      name: dinner
      place: "The Green : green"
      start: 2023-06-02 23:00
      end: 2023-06-03 01:00
      host: Ada Brook
happenings:
  - {at: 2023-06-01 09:00, kind: event, text: It rains.}
  - {at: 2023-06-02 09:00, kind: voice, text: You are hungry.}
"""
    run = "the run goes from 2023-06-02 00:00 to 2023-06-03 00:00"
    assert said(more) == [
        (10, "2023-06-03 09:00 lies outside the run", run),
        (11, "'swim' ends before it begins", "write both with their day, as in 2023-02-14 17:00"),
        (18, "2023-06-03 01:00 lies outside the run", run),
        (21, "2023-06-01 09:00 lies outside the run", run),
        (21, "a happening of kind 'event' needs a place", "add 'place: ...'"),
        (22, "a happening of kind 'voice' needs a resident", "add 'resident: ...'"),
    ]


def test_sentences_and_retractions(said):
    more = """\
facts:
  swim: {text: a swim at ten}
  off: {text: "There is no swim after all.", retracts: swin}
memories:
  - {resident: Ada Brook, text: swam once}
"""
    full = "write a full sentence, ending with a full stop"
    assert said(more) == [
        (8, "the text of 'swim' does not end as a sentence", full),
        (9, "'off' takes back an unknown 'swin'", "did you mean 'swim'?"),
        (11, "the text of the memory does not end as a sentence", full),
    ]


def test_unknown_people_and_map_key(said):
    assert said("peopl: x\n")[0][:2] == (7, "unknown key 'peopl'")


def test_people_that_do_not_exist(tmp_path: Path):
    path = tmp_path / "test.yaml"
    path.write_text(BASE.replace("people: hamlet", "people: hamlit"), encoding="utf-8")
    with pytest.raises(DataFileError, match=r"test\.yaml:4: there are no people 'hamlit' \(did you mean 'hamlet'\?\)"):
        load(path)


def test_places_after_renaming(tmp_path: Path):
    path = tmp_path / "test.yaml"
    more = """\
residents: [Ada Brook]
facts:
  swim:
    text: Ada Brook swam.
    gathering: {name: swim, place: "Pond : shore", start: 2023-06-02 10:00, end: 2023-06-02 11:00, host: Ada Brook}
rename_places: {Green: Common, Nobody: Somebody}
"""
    path.write_text(BASE + more, encoding="utf-8")
    home = "Ada Brook's house : main room"
    known = {"Green : lawn", home, f"{home} : bed", "Bakery : bakery : counter"}
    found = check_scenario_places(path, known, {"Ada Brook"})
    assert [(e.line, e.what, e.hint) for e in found] == [
        (12, "no place and no owner is called 'Nobody'", "write it as the map does"),
        (11, "the map has no 'Pond : shore'", "use an address of the map, without the town's name"),
    ]


def test_a_bed_for_one_that_two_call_theirs(tmp_path: Path):
    from personas import find_people
    from simulation.checking import check_whole_scenario

    people = tmp_path / "people"
    people.mkdir()
    for source in find_people("hamlet").glob("*.yaml"):
        text = source.read_text(encoding="utf-8")
        if source.stem == "clara-doyle":
            lines = [line for line in text.splitlines() if not line.startswith(("home:", "bed:"))]
            other = (source.parent / "ada-brook.yaml").read_text(encoding="utf-8").splitlines()
            text = "\n".join([*(line for line in other if line.startswith(("home:", "bed:"))), *lines]) + "\n"
        (people / source.name).write_text(text, encoding="utf-8")
    path = tmp_path / "test.yaml"
    path.write_text(BASE.replace("people: hamlet", "people: people"), encoding="utf-8")
    (found,) = check_whole_scenario(path)
    assert (found.file, found.line) == (str(people / "clara-doyle.yaml"), 2)
    assert found.what == "the bed 'Ada Brook's house : main room : bed' is full"
    assert (found.hint or "").startswith("taken by Ada Brook;")


def test_settings_are_checked_and_nothing_is_said_twice(tmp_path: Path):
    from simulation.checking import check_files

    path = tmp_path / "test.yaml"
    settings = "settings:\n  vision_radius: wide\n  visoin_radius: 5\n  retrieve: 12\n"
    path.write_text(BASE + settings, encoding="utf-8")
    _, problems = check_files([path, path])
    first = BASE.count("\n") + 2
    assert [(problem.line, problem.hint) for problem in problems] == [(first, None), (first + 1, "did you mean vision_radius?")]
    assert problems[0].what.startswith("the setting 'vision_radius' should be a valid integer")
