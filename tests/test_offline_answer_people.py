"""What residents say of people in interviews: turned to their own side, each thing once, first names after the first."""

from __future__ import annotations

import pytest
from offline_town import memory
from test_offline_answer import EVIDENCE, ask

from language.offline.answer_sides import my_side, pronoun_of, shortened
from language.values import Relation

ADA, BEN = "Ada Tor", "Ben Ruf"


@pytest.mark.parametrize(
    ("text", "mine", "theirs", "said"),
    [
        ("Ben Ruf bows to her, and Ada bows back.", "she", "he", "Ben Ruf bows to me, and I bow back."),
        ("Ben Ruf lent her his good brushes. She admires him.", "she", "he", "Ben Ruf lent me his good brushes. I admire him."),
        ("Ben Ruf took the stills for Ada's film and told her honestly which were dull.", "she", "she",
         "Ben Ruf took the stills for my film and told me honestly which were dull."),
        ("Ben Ruf buys his lemons from him and lets him grumble.", "he", "he",
         "Ben Ruf buys his lemons from me and lets me grumble."),
        ("Ben Ruf called his poems noise. Ada has not forgiven him and doesn't intend to.", "he", "he",
         "Ben Ruf called his poems noise. I have not forgiven him and don't intend to."),
        ("Ben Ruf grew up two streets from her, and they share a list of shops.", "she", "he",
         "Ben Ruf grew up two streets from me, and we share a list of shops."),
        ("Ben Ruf is her husband, and she notices that he whistles.", "she", "he",
         "Ben Ruf is my husband, and I notice that he whistles."),
        ("Ben Ruf mends whatever Ada breaks and is paid in buns.", "she", "",
         "Ben Ruf mends whatever I break and is paid in buns."),
        ("Ben Ruf works beside Tom.", "she", "he", "Ben Ruf works beside Tom."),
        ("Ben Ruf apologised to him for buying the last cabbage.", "he", "",
         "Ben Ruf apologised to me for buying the last cabbage."),
    ],
)  # fmt: skip
def test_an_acquaintance_is_told_of_from_ones_own_side(text: str, mine: str, theirs: str, said: str) -> None:
    assert my_side(text, ADA, mine, BEN, theirs) == said


def test_a_pronoun_is_known_from_the_relation_or_from_what_one_has_read() -> None:
    assert pronoun_of(BEN, "landlord", []) == "he"
    assert pronoun_of(BEN, "", ["Ben Ruf wants to finish her book."]) == "she"
    assert pronoun_of(BEN, "", ["Ben Ruf gave him her book.", "Kim likes her."]) == ""


def test_a_full_name_is_said_once() -> None:
    assert shortened("Ben Ruf is kind. Ben Ruf bakes.", [BEN, ADA]) == "Ben Ruf is kind. Ben bakes."
    two = "Ben Ruf met Ben Alt. Ben Ruf waved."
    assert shortened(two, [BEN, "Ben Alt"]) == two


def test_the_same_thing_is_not_told_twice() -> None:
    twice = (
        *EVIDENCE,
        memory("20", "Mila Berg learned from Nora Field that Nora Field loves old recipes", "Nora Field", tag="memo"),
        memory("21", "Mila Berg has been talking to many people lately: Nora Field, Otto Kern and Emil Stone", tag="insight"),
    )
    for seed in range(6):
        found = ask("Who is Nora Field?", seed, evidence=twice)
        assert found.text.count("recipes") == 1
        assert "many people" not in found.text


def test_what_one_has_come_to_think_of_somebody_gives_the_reason() -> None:
    thought = memory("22", "Nora Field can be asked when it matters to Mila Berg", "Nora Field", kind="reflection", tag="insight")
    for question in ("What birthday present would you give Nora Field?", "What compliment would you pay Nora Field?"):
        with_thought, without = ask(question, evidence=(*EVIDENCE, thought)), ask(question)
        assert "can be asked when it matters to me" in with_thought.text
        assert "22" in with_thought.rests_on
        assert "22" not in without.rests_on


def test_a_gathering_is_no_person() -> None:
    for question in ("Have you heard of any Lantern Day parade?", "Do you know of a Lantern Day parade?"):
        found = ask(question)
        assert not found.knows
        assert "called that" not in found.text
        assert "by that name" not in found.text


@pytest.mark.parametrize(
    ("how", "words"), [("friend", "a friend of mine"), ("wife", "my wife"), ("acquaintance", "an acquaintance of mine")]
)
def test_relations_are_said_as_people_say_them(how: str, words: str) -> None:
    people = (Relation("Nora Field", True, how, 0.5),)
    assert any(words in ask("Who is Nora Field?", seed, people=people).text for seed in range(12))


def test_who_did_it_is_answered_by_the_one_who_did() -> None:
    mine = (memory("30", "Mila Berg is running for harbour master", "Mila Berg", tag="learned"),)
    found = ask("Who is running for harbour master?", evidence=mine)
    assert found.rests_on == ["30"]
    assert "I'm running for harbour master" in found.text
    assert not found.text.startswith("Yes")
