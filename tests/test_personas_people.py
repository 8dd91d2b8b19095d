"""The people that come with Townfolk: the facts of the paper's 25, their network, and the quality of the texts."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from personas import Persona, load_people, people_folders, slug

# (age, pronoun, wakes, sleeps), specs/generative-agents.md section 7
TABLE = {
    "Abigail Chen": (25, "she", "8:00", "24:00"),
    "Adam Smith": (36, "he", "4:00", "20:00"),
    "Arthur Burton": (42, "he", "7:00", "24:00"),
    "Ayesha Khan": (20, "she", "6:00", "22:00"),
    "Carlos Gomez": (32, "he", "7:00", "22:00"),
    "Carmen Ortiz": (33, "she", "7:00", "23:00"),
    "Eddy Lin": (19, "he", "7:00", "23:00"),
    "Francisco Lopez": (23, "he", "7:00", "23:00"),
    "Giorgio Rossi": (41, "he", "7:00", "24:00"),
    "Hailey Johnson": (30, "she", "10:00", "26:00"),
    "Isabella Rodriguez": (34, "she", "6:00", "23:00"),
    "Jane Moreno": (46, "she", "6:00", "22:00"),
    "Jennifer Moore": (68, "she", "5:00", "21:00"),
    "John Lin": (45, "he", "6:00", "22:00"),
    "Klaus Mueller": (20, "he", "7:00", "23:00"),
    "Latoya Williams": (25, "she", "6:00", "22:00"),
    "Maria Lopez": (21, "she", "10:00", "24:00"),
    "Mei Lin": (44, "she", "7:00", "23:00"),
    "Rajiv Patel": (27, "he", "9:00", "24:00"),
    "Ryan Park": (29, "he", "9:00", "25:00"),
    "Sam Moore": (65, "he", "5:00", "21:00"),
    "Tamara Taylor": (30, "she", "6:00", "22:00"),
    "Tom Moreno": (52, "he", "7:00", "23:00"),
    "Wolfgang Schulz": (21, "he", "5:00", "21:00"),
    "Yuriko Yamamoto": (28, "she", "7:00", "23:00"),
}
HOURS = {
    "Arthur Burton": ("17:00", "22:00"),
    "Carmen Ortiz": ("8:00", "18:00"),
    "Isabella Rodriguez": ("8:00", "20:00"),
    "John Lin": ("9:00", "17:00"),
    "Mei Lin": ("10:00", "14:00"),
    "Tom Moreno": ("8:00", "17:00"),
}
HOW = {
    ("Adam Smith", "Sam Moore"): "mentor",
    ("Carlos Gomez", "Giorgio Rossi"): "enemy",
    ("Eddy Lin", "Tamara Taylor"): "by sight",
    ("Francisco Lopez", "Abigail Chen"): "secret crush",
    ("Giorgio Rossi", "Carlos Gomez"): "enemy",
    ("Jane Moreno", "Tom Moreno"): "husband",
    ("Jennifer Moore", "Sam Moore"): "husband",
    ("Klaus Mueller", "Maria Lopez"): "crush",
    ("Maria Lopez", "Klaus Mueller"): "secret crush",
    ("Mei Lin", "Eddy Lin"): "son",
    ("Tom Moreno", "John Lin"): "colleague",
    ("Tom Moreno", "Sam Moore"): "dislikes",
}
# words of each scenario's own news, which nobody's persona may give away
NEWS = {
    "the_ville": r"\bpart(y|ies)\b|valentine|mayor|election|candida|campaign|\bvot(e|ing)|run(s|ning)? for",
    "linden": r"\blimes?\b|lime.tree|signature|\bpetition|felled|mending afternoon|repair (day|afternoon)",
    "hamlet": r"story hour|tower",
}
CUE = re.compile(
    r"\b(at|around) (noon|midnight|(half past )?(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve))\b"
    r"|\b(before|after) (breakfast|lunch|dinner|work|class|bed)\b|\bin the (early |late )?(morning|afternoon|evening)\b",
    re.IGNORECASE,
)


def mutual(people: tuple[Persona, ...]) -> set[tuple[str, str]]:
    knows = {person.name: set(person.knows) for person in people}
    return {(a, b) for a in knows for b in knows[a] if a < b and a in knows.get(b, ())}


def sentences(person: Persona) -> list[str]:
    texts = [person.about, person.speech, *person.rhythm, *person.aims, *(other.text for other in person.knows.values())]
    return [sentence for text in texts for sentence in re.split(r"(?<=[.!?])\s+", text.strip())]


def test_the_ville_has_the_papers_people():
    people = load_people("the_ville")
    assert {p.name: (p.age, p.pronoun, p.wakes, p.sleeps) for p in people} == TABLE
    assert {p.name: p.work.hours for p in people if p.work is not None} == HOURS
    assert [p.name for p in people if p.newcomer] == ["Tamara Taylor"]


def test_the_ville_starts_at_50_of_300():
    people = load_people("the_ville")
    assert len(people) * (len(people) - 1) // 2 == 300
    assert len(mutual(people)) == 50


def test_linden_starts_as_dense():
    people = load_people("linden")
    assert len(people) == 25
    assert len(mutual(people)) == 50


def test_relations_keep_their_words():
    knows = {person.name: person.knows for person in load_people("the_ville")}
    assert {pair: knows[pair[0]][pair[1]].how for pair in HOW} == HOW
    assert "Isabella Rodriguez" not in knows["Maria Lopez"]
    assert "Maria Lopez" in knows["Isabella Rodriguez"]
    assert knows["Tamara Taylor"].keys() == {"Carmen Ortiz"}


@pytest.mark.parametrize("folder", ["hamlet", "linden", "the_ville"])
def test_nobody_gives_the_news_away(folder: str):
    leaks = [s for person in load_people(folder) for s in sentences(person) if re.search(NEWS[folder], s, re.IGNORECASE)]
    assert leaks == []


@pytest.mark.parametrize("folder", ["hamlet", "linden", "the_ville"])
def test_texts_are_full(folder: str):
    for person in load_people(folder):
        about = re.split(r"(?<=[.!?])\s+", person.about.strip())
        assert 5 <= len(about) <= 8, person.name
        assert about[0].startswith(person.name)
        assert 8 <= len(person.rhythm) <= 13, person.name
        assert 2 <= len(person.aims) <= 4, person.name
        assert 4 <= len(person.traits) <= 6, person.name
        assert [s for s in person.rhythm if not CUE.search(s)] == [], person.name
        meals = [meal for meal in ("breakfast", "lunch", "dinner") if any(meal in s for s in person.rhythm)]
        assert meals == ["breakfast", "lunch", "dinner"], person.name
        assert person.look is not None


def test_no_sentence_is_used_twice():
    said = Counter(s for folder in people_folders() for person in load_people(folder) for s in sentences(person))
    assert [s for s, times in said.items() if times > 1] == []


def test_no_two_people_share_their_traits():
    traits = Counter(frozenset(person.traits) for folder in people_folders() for person in load_people(folder))
    assert max(traits.values()) == 1


def test_folders_and_file_names():
    assert people_folders() == ("hamlet", "linden", "the_ville")
    assert slug("Zoë O'Hara") == "zoe-ohara"
