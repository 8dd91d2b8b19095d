"""Follow-up questions in an interview: why, who told you, when, where, what else, and whom "she" means."""

from __future__ import annotations

import pytest
from offline_town import NOW, memory
from test_offline_answer import EVIDENCE, ME, PEOPLE, PLAN

from kernel import Dice
from language.offline.answering import answer
from language.operations import AnswerQuestion
from language.replies import SpokenAnswer
from language.values import Line, Scene

FIRST = "Nora Field is holding a harvest supper at the Bakery on Tuesday from six to eight."


def ask(question: str, *turns: str, seed: int = 0, first: str = "Is there a harvest supper?") -> SpokenAnswer:
    """The question after a dialogue: a first question, then answers and questions in turn."""
    said = (first, *(turns or (FIRST,)))
    lines = tuple(Line("Interviewer" if n % 2 == 0 else ME.name, text, "x") for n, text in enumerate(said))
    more = memory(
        "40",
        "Mila Berg thinks that Nora Field needs helping hands for the supper",
        "Nora Field",
        kind="reflection",
        tag="insight",
    )
    op = AnswerQuestion(
        person=ME, summary="", scene=Scene(NOW, ME.home, ""), question=question, evidence=(*EVIDENCE, more), people=PEOPLE,
        plan=PLAN, dialogue=lines,
    )  # fmt: skip
    return answer(op, Dice(seed, ME.name, 5, "answer/0"))


@pytest.mark.parametrize(
    ("question", "words", "cites"),
    [
        ("Who told you?", "Nora Field", "5"),
        ("How do you know that?", "Nora Field", "5"),
        ("When is it?", "18:00", "5"),
        ("And where?", "Bakery", "5"),
        ("Are you sure?", "harvest supper", "5"),
        ("Why?", "helping hands", "40"),
        ("What does she love?", "recipes", "11"),
    ],
)
def test_a_follow_up_sees_what_was_said(question: str, words: str, cites: str) -> None:
    for seed in range(4):
        found = ask(question, seed=seed)
        assert words in found.text, found.text
        assert cites in found.rests_on


def test_the_matter_is_kept_over_several_turns() -> None:
    found = ask("And when?", FIRST, "Who told you?", "I have it from Nora Field.")
    assert "18:00" in found.text


def test_what_else_isnt_what_was_said_already() -> None:
    found = ask("What else?", FIRST)
    assert found.knows
    assert "on Tuesday from six to eight" not in found.text
    assert found.rests_on


@pytest.mark.parametrize("question", ["Why?", "Who told you?", "When is it?", "Where?", "What else?", "Are you sure?"])
def test_nothing_is_made_up_after_an_admission(question: str) -> None:
    found = ask(question, "I don't know anyone by that name.", first="Who is Zelda Quick?")
    assert not found.knows
    assert found.rests_on == []


def test_without_a_dialogue_why_is_an_ordinary_question() -> None:
    op = AnswerQuestion(person=ME, summary="", scene=Scene(NOW, ME.home, ""), question="Why?", evidence=EVIDENCE, plan=PLAN)
    assert answer(op, Dice(0, ME.name, 5, "answer/0")).text
