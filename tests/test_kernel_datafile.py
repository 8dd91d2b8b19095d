"""Data files: lines of keys and values, and every mistake as one sentence with its line."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from pydantic import BaseModel, ConfigDict, Field

from kernel import DataFileError, check_model, load_yaml, read_model


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Pet(Strict):
    name: str
    age: int = Field(default=1, ge=0)


class Home(Strict):
    street: str
    pets: tuple[Pet, ...] = ()
    rooms: dict[str, Pet | None] = Field(default_factory=dict)


def write(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "home.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def told(tmp_path: Path, text: str) -> list[str]:
    file = write(tmp_path, text)
    return [problem.sentence().replace(str(file), "F") for problem in check_model(file, Home)[2]]


def test_lines_of_keys_items_and_rows_of_text(tmp_path: Path) -> None:
    located = load_yaml(write(tmp_path, "a: 1\nb:\n  c: [x,\n      y]\n  1: z\ntext: |\n  one\n  two\n"))
    assert located.data == {"a": 1, "b": {"c": ["x", "y"], 1: "z"}, "text": "one\ntwo\n"}
    paths: tuple[tuple[str | int, ...], ...] = (("a",), ("b",), ("b", "c"), ("b", "c", 1), ("b", "1"), ("b", 1))
    assert [located.line_of(*path) for path in paths] == [1, 2, 3, 4, 5, 5]
    assert located.line_of("b", "missing", "deeper") == 2
    assert located.text_line("text", row=1) == 8
    assert located.text_line("a") == 1


def test_words_mean_what_they_look_like(tmp_path: Path) -> None:
    text = "a: off\nb: yes\nc: 10:30\nd: 2023-02-14\ne: true\nf: 12\ng: 1.5\nh: ~\ni: 1e3\nj: '7'\nk: -3\n"
    assert load_yaml(write(tmp_path, text)).data == {
        "a": "off", "b": "yes", "c": "10:30", "d": "2023-02-14", "e": True, "f": 12, "g": 1.5, "h": None, "i": 1000.0,
        "j": "7", "k": -3,
    }  # fmt: skip


def test_anchors_and_merges(tmp_path: Path) -> None:
    assert load_yaml(write(tmp_path, "a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  b: 3\n")).data["d"] == {"b": 3, "c": 2}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("street: A\npets: [{nam: Rex}]",
         ["F:2: pets.0: 'name' is missing (add 'name: ...')", "F:2: unknown key 'pets.0.nam' (did you mean 'name'?)"]),
        ("stret: A", ["F:1: 'street' is missing (add 'street: ...')", "F:1: unknown key 'stret' (did you mean 'street'?)"]),
        ("street: A\n\npets:\n  - name: Rex\n    age: -1", ["F:5: pets.0.age: should be greater than or equal to 0, not -1"]),
        ("street: A\nrooms:\n  attic: {name: Rex, agee: 1}", ["F:3: unknown key 'rooms.attic.agee' (did you mean 'age'?)"]),
        ("street: 5", ["F:1: street: should be a valid string, not 5"]),
        ("street: A\nzzz: 1", ["F:2: unknown key 'zzz' (known here: pets, rooms, street)"]),
        ("street: A\nstreet: B", ["F:2: the key 'street' is given twice (first on line 1)"]),
        ("street: [A",
         ["F:1: not valid YAML: while parsing a flow sequence did not find expected ',' or ']' (check indentation and quotes)"]),
        ("- a", ["F:1: the file: should be a valid dictionary or instance of Home"]),
        ("street: A\npets: Rex", ["F:2: pets: should be a list, as in [a, b], not 'Rex'"]),
        ("street: A\n? [a, b]\n: c", ["F:2: a list or a mapping can't be a key (check the colons)"]),
        ("street: A\nrooms: &x\n  a: *x", ["F:2: a part of the file holds itself (remove the alias)"]),
        ("street: A\npets: &x [*x]", ["F:2: a part of the file holds itself (remove the alias)"]),
    ],
)  # fmt: skip
def test_every_mistake_is_a_sentence_with_its_line(tmp_path: Path, text: str, said: list[str]) -> None:
    assert told(tmp_path, text) == said


def test_anchors_upon_anchors_end_in_a_sentence(tmp_path: Path) -> None:
    """Ten of ten of ten ...: a file of a few lines that would take all memory."""
    letters = "abcdefghi"
    rows = [f"{here}: &{here} [{', '.join([f'*{before}'] * 10)}]" for before, here in pairwise(letters)]
    with pytest.raises(DataFileError, match=r"more than 1,000,000 values \(repeat fewer anchors\)"):
        load_yaml(write(tmp_path, "\n".join(["a: &a [x]", *rows])))


def test_read_model_returns_or_raises(tmp_path: Path) -> None:
    home, located = read_model(write(tmp_path, "street: A\npets: [{name: Rex}]"), Home)
    assert home.pets[0] == Pet(name="Rex", age=1)
    assert located.line_of("pets", 0) == 2
    with pytest.raises(DataFileError, match="there is no such file"):
        read_model(tmp_path / "nothing.yaml", Home)
    (tmp_path / "latin.yaml").write_bytes(b"street: \xe9t\xe9")
    with pytest.raises(DataFileError, match="UTF-8"):
        load_yaml(tmp_path / "latin.yaml")
    assert [p.what for p in check_model(write(tmp_path, ""), Home)[2]] != []
