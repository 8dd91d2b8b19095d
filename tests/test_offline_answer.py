"""Interviews: answers in the first person from records alone, cited, and an honest "I don't know"."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from offline_town import MILA, NOW, SUPPER_NEWS, carries, memory, without_statements

from kernel import Dice
from language.offline.answering import answer
from language.offline.topics import spoken
from language.operations import AnswerQuestion
from language.replies import SpokenAnswer
from language.values import News, Recollection, Relation, Scene, Statement

ME = replace(
    MILA,
    statements=(
        *MILA.statements,
        Statement("Mila Berg/-1/7", "At seven in the morning she waters her ferns in the dorm garden.", "rhythm"),
        Statement("Mila Berg/-1/8", "Mila Berg shares a dorm kitchen with three other students.", "about"),
    ),
)
CAMPAIGN = News("run", "Emil Stone wants to run for harbour master.", "Emil Stone")
EVIDENCE = (
    carries(SUPPER_NEWS, "5", "Nora Field"),
    carries(CAMPAIGN, "8", "Otto Kern"),
    memory(
        "10", "Mila Berg promised Nora Field to come to harvest supper at Bakery on Tuesday from six to eight", "Mila Berg",
        kind="conversation", tag="promise", news=SUPPER_NEWS,
    ),
    memory("11", "Nora Field loves old recipes.", "Nora Field", tag="acquaintance"),
    memory("12", "Mila Berg has come to see how much patience mosses need", kind="reflection", tag="insight"),
    memory("p1", "From two to five, Mila Berg plans on drawing mosses at the library", kind="plan", tag="day"),
)  # fmt: skip
PLAN = (("14:00", "17:00", "From two to five, Mila Berg plans on drawing mosses at the library"),)
PEOPLE = (Relation("Nora Field", True, "friend", 0.5),)


def ask(
    question: str, seed: int = 0, evidence: tuple[Recollection, ...] = EVIDENCE,
    plan: tuple[tuple[str, str, str], ...] = PLAN, who: object = ME, people: tuple[Relation, ...] = PEOPLE,
) -> SpokenAnswer:  # fmt: skip
    op = AnswerQuestion(
        person=who, summary="", scene=Scene(NOW, ME.home, ""), question=question, evidence=evidence, people=people, plan=plan,  # type: ignore[arg-type]
    )  # fmt: skip
    return answer(op, Dice(seed, "Mila Berg", 5, "answer/0"))


@pytest.mark.parametrize(
    ("question", "words", "cites"),
    [
        ("Introduce yourself.", "Mila Berg", "Mila Berg/-1/0"),
        ("Who do you live with?", "I share a dorm kitchen with three other students", "Mila Berg/-1/8"),
        ("What does your usual weekday look like?", "At seven in the morning I water my ferns", "Mila Berg/-1/7"),
        ("Who is Nora Field?", "loves old recipes", "11"),
        ("Do you know Nora?", "loves old recipes", "11"),
        ("Who is running for harbour master?", "Emil Stone wants to run for harbour master", "8"),
        ("Is there a harvest supper?", "harvest supper at the Bakery", "5"),
        ("Have you heard about the harvest supper?", "harvest supper at the Bakery", "5"),
        ("What will you be doing at 6 pm tomorrow?", "Nora Field's harvest supper", "10"),
        ("What will you be doing at 15:00?", "drawing mosses at the library", "p1"),
        ("What will you have just finished at 5 pm?", "drawing mosses at the library", "p1"),
        ("What inspires you most, and why?", "patience", "12"),
        ("What birthday present would you give Nora Field?", "old recipes", "11"),
    ],
)
def test_what_is_on_record_is_said_and_cited(question: str, words: str, cites: str) -> None:
    for seed in range(6):
        found = ask(question, seed)
        assert found.knows
        assert words in found.text, found.text
        assert cites in found.rests_on


@pytest.mark.parametrize(
    "question",
    [
        "Who is Marvin Plimpton?",
        "Do you know Zelda Quick?",
        "Was there a fireworks display?",
        "Have you heard about a robbery at the bank?",
        "Who is running in the beauty contest?",
        "What will you be doing at 3 am on Friday?",
    ],
)
def test_what_is_not_on_record_is_not_known_or_at_least_not_claimed(question: str) -> None:
    for seed in range(6):
        found = ask(question, seed)
        assert not found.knows or "asleep" in found.text.lower() or "sleeping" in found.text.lower(), found.text
        assert found.rests_on == []


def test_an_invented_person_is_not_known() -> None:
    assert all("don't know anyone" in ask("Who is Marvin Plimpton?", seed).text for seed in range(12))


def test_a_hidden_plan_is_not_made_up() -> None:
    hidden = tuple(r for r in EVIDENCE if r.kind != "plan")
    found = ask("What will you be doing at 15:00?", evidence=hidden, plan=())
    assert not found.knows
    assert "mosses" not in found.text


@pytest.mark.parametrize(
    "question",
    [
        "Introduce yourself.",
        "What is your job?",
        "What are your interests?",
        "Who do you live with?",
        "What is your usual day?",
        "Who is Nora Field?",
        "Is there a harvest supper?",
        "What will you be doing at 15:00?",
        "What inspires you most?",
        "What book would you give Nora Field?",
        "Whom of those you recently met would you spend time with?",
    ],
)
def test_a_mind_with_everything_hidden_claims_nothing(question: str) -> None:
    found = ask(question, evidence=(), plan=(), who=without_statements(ME), people=())
    assert not found.knows
    assert found.rests_on == []
    for words in ("botany", "mosses", "student", "supper", "recipes"):
        assert words not in found.text


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Your breakfast is burning! What would you do?", "[Oo]ff|switch"),
        ("The bathroom is occupied. What do you do?", "wait|later|back|minutes|meantime"),
        ("You want to cook dinner but the fridge is empty. What would you do?", "eat|shop|buy"),
        ("There is a fire in the street! What do you do?", "help|alarm"),
    ],
)
def test_reactions_are_apt(question: str, words: str) -> None:
    import re

    for seed in range(8):
        assert re.search(words, ask(question, seed).text), ask(question, seed).text


def test_a_friend_walking_by_is_greeted_with_something_remembered() -> None:
    found = ask("You see a friend walking by. What do you say?")
    assert "Nora" in found.text or "Emil" in found.text
    assert found.rests_on


def test_something_called_off_is_said_to_be_off() -> None:
    off = News("off", "Nora Field has called off the harvest supper.", "Nora Field", retracts="supper")
    found = ask("Is there a harvest supper?", evidence=(*EVIDENCE, carries(off, "20", "Nora Field")))
    assert "called off the harvest supper" in found.text
    assert "20" in found.rests_on


def test_ones_own_name_after_and_is_a_subject_when_a_verb_follows() -> None:
    told = "Otto Kern listens at the next table, and Mila has begun to speak more clearly for him."
    assert (
        spoken(told, "Mila Berg", "she", None)
        == "Otto Kern listens at the next table, and I have begun to speak more clearly for him."
    )
    assert spoken("Otto Kern talks with Mila and Bo Lind.", "Mila Berg", "she", None) == "Otto Kern talks with me and Bo Lind."


def test_an_acquaintance_is_described_from_ones_own_side() -> None:
    known = memory(
        "20",
        "Emil Stone, her neighbour, bows to her, and his clocks wake her one after the other.",
        "Emil Stone",
        tag="acquaintance",
    )
    found = ask("Who is Emil Stone?", evidence=(known,), people=())
    assert "Emil Stone, my neighbour, bows to me, and his clocks wake me one after the other." in found.text
    nobody_sure = memory("21", "Nora Field lends a hand and forgets her hat.", "Nora Field", tag="acquaintance")
    assert "forgets her hat" in ask("Who is Nora Field?", evidence=(nobody_sure,), people=()).text


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("What are you worried about?", "patience"),
        ("You see Nora Field on the street. Would you talk to her?", "After all|ask about this|something to talk about"),
        ("Have you heard any news lately?", "harvest supper at the Bakery"),
        ("What have you done today?", "I don't|I couldn't|So far|Let me see"),
    ],
)
def test_more_ways_to_ask(question: str, words: str) -> None:
    assert re.search(words, ask(question, evidence=EVIDENCE[:2] if "news" in question else EVIDENCE).text)
