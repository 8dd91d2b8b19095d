"""Question banks: the shipped one, blanks filled from a run, and files with mistakes in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernel import DataFileError, UsageError
from simulation.compose import read_blueprint
from simulation.run import start
from simulation.storing.library import names
from simulation.storing.runfile import RunFile
from studies.blanks import Blanks
from studies.questions import BLANKS, Asked, Unasked, read_questions


@pytest.fixture(scope="module")
def noon(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("noon") / "noon.town"
    start(read_blueprint("hamlet", until="11:00", embedder="hash-64"), path)
    return path


def test_the_shipped_bank_has_five_categories_of_five() -> None:
    bank = read_questions()
    assert bank.categories == ("self-knowledge", "memory", "plans", "reactions", "reflections")
    assert [sum(q.category == name for q in bank.questions) for name in bank.categories] == [5] * 5
    assert len({q.item for q in bank.questions}) == len({q.ask for q in bank.questions}) == 25
    assert [q.item for q in bank.questions if not q.knowable] == ["memory.person_invented"]
    everybody_can_be_asked = bank.ask(dict.fromkeys(BLANKS) | {"invented": "Zo Zett"})
    assert all(isinstance(one, Asked) for one in everybody_can_be_asked)


def test_some_categories_in_the_order_of_the_file() -> None:
    assert read_questions().only(["plans", "memory"]).categories == ("memory", "plans")
    with pytest.raises(UsageError, match="did you mean reflections"):
        read_questions().only(["reflection"])


def test_blanks_are_filled_from_what_the_resident_has_lived(noon: Path) -> None:
    bank = read_questions()
    with RunFile.open(noon) as run:
        blanks = Blanks(run, bank.invented)
        everybody = names(run)
        for who in everybody:
            found = blanks.of(who, run.committed)
            assert found == Blanks(run, bank.invented).of(who, run.committed)
            talks = dict(
                run.rows("SELECT about, COUNT(*) FROM memories WHERE resident = ? AND tag = 'talk' GROUP BY about", (who,))
            )
            if talks:
                assert talks[found["partner"]] == max(talks.values())
            assert found["met"] in everybody
            assert who not in {found["met"], found["met_other"], found["partner"]}
            assert found["met"] != found["met_other"]
            assert found["invented"] in bank.invented
            assert (found["deed"], found["gathering"]) == ("is going to make the old tower clock strike again", "story hour")
            assert found["first"] == who.split()[0]
            early = blanks.of(who, 0)
            assert early["partner"] is None
            assert early["invented"] == found["invented"]


def test_an_invented_person_is_nobody_in_the_run(noon: Path) -> None:
    with RunFile.open(noon) as run:
        drawn = {Blanks(run, ["Zo Brook", "Ada Zett", "Crumb Zett", "Zo Zett"]).of(who, 100)["invented"] for who in names(run)}
        assert drawn == {"Zo Zett"}  # the others share a name or a word with the run
        assert Blanks(run, ["Ada Brook"]).of("Ben Carter", 100)["invented"] is None


def test_what_cannot_be_asked_is_said(tmp_path: Path) -> None:
    file = tmp_path / "q.yaml"
    file.write_text("categories: {a: {x: {ask: 'Who is {met}?'}, y: {ask: 'And {partner}?', otherwise: 'Anybody?'}}}")
    found = read_questions(file).ask({"met": None, "partner": None})
    assert [type(one) for one in found] == [Unasked, Asked]
    assert isinstance(found[1], Asked)
    assert (found[1].text, found[1].blanks) == ("Anybody?", {})


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("categories:\n  a:\n    x: {ask: 'Who is {mett}?'}\n", 3, "there is no blank {mett} (did you mean {met}?)"),
        ("categories:\n  a:\n    x: {ask: 'Who is {invented}?'}\n", 3, "nobody is invented in this file"),
        ("categories:\n  a:\n    x: {ask: 'Who is {met?'}\n", 3, "the braces don't match"),
        ("categories:\n  a:\n    x: {ask: 'Who is {0}?'}\n", 3, "there is no blank {0}"),
        ("categories:\n  a:\n    x: {ask: ' '}\n", 3, "the question is empty"),
        ("categories:\n  a:\n    x: {ask: Hm?, otherwise: Hm.}\n", 3, "'otherwise' is never asked"),
        ("categories:\n  a:\n    x: {ask: 'So {met}?', otherwise: '{partner}?'}\n", 3, "can't have blanks"),
        ("categories:\n  a: {}\n", 2, "the category 'a' has no questions"),
        ("categories: {}\n", 1, "at least 1 item"),
        ("invented:\n  - Zo\ncategories: {a: {x: {ask: Hm?}}}\n", 2, "'Zo' is not a full name"),
        ("categories:\n  a:\n    x: {ask: Hm?, knowabel: false}\n", 3, "did you mean 'knowable'?"),
        ("categories:\n  a:\n    x: {ask: Hm?, knowable: maybe}\n", 3, "knowable"),
        ("categories:\n  a:\n    x: {ask: " + "Hm? " * 200 + "}\n", 3, "the question has"),
        ("- a\n- b\n", 1, "the file"),
        ("categories: [\n", 1, "not valid YAML"),
        ("", None, "the file"),
    ],
)
def test_mistakes_are_told_with_their_line(tmp_path: Path, text: str, line: int | None, what: str) -> None:
    file = tmp_path / "q.yaml"
    file.write_text(text)
    with pytest.raises(DataFileError) as raised:
        read_questions(file)
    assert what in raised.value.sentence()
    assert raised.value.line == line


def test_a_file_that_isnt_there(tmp_path: Path) -> None:
    with pytest.raises(DataFileError, match="there is no such file"):
        read_questions(tmp_path / "none.yaml")
