"""What talk leaves behind, what residents wonder about, and insights that rest on records."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from offline_town import MILA, NORA, NOW, PARK, SUPPER, SUPPER_NEWS, carries, memory, relation

from kernel import Dice
from language.offline.reading_talk import words_of
from language.offline.recalling import recall
from language.offline.reflecting import insights, questions
from language.operations import AskQuestions, DrawInsights, RecallTalk
from language.replies import Insights, Recall
from language.values import Event, Line, News, Recollection, Scene

SEEDS = range(12)
CAMPAIGN = News("run", "Emil Stone wants to run for harbour master.", "Emil Stone")

EVIDENCE = (
    memory("1", "Mila Berg wants to learn the accordion.", tag="identity", hours_ago=30.0, importance=6),
    memory("2", "Nora Field is kneading dough at the Bakery", "Nora Field", tag="seen"),
    memory("3", "Nora Field is kneading dough at the Bakery", "Nora Field", tag="seen", hours_ago=7.0),
    carries(SUPPER_NEWS, "4", "Nora Field", importance=7),
    memory("5", "Mila Berg was drawing mosses at the library", tag="done", hours_ago=4.0),
    memory("6", "Mila Berg was drawing mosses at the library", tag="done", hours_ago=6.0),
    carries(CAMPAIGN, "7", "Emil Stone", importance=7),
    memory(
        "8", "Nora Field cares for her dough more than for money", "Nora Field", kind="reflection", tag="insight", hours_ago=20.0
    ),
    memory("9", "Mila Berg distrusts Emil Stone.", "Emil Stone", tag="acquaintance", hours_ago=99.0),
)


def draw(seed: int, evidence: tuple[Recollection, ...] = EVIDENCE) -> Insights:
    op = DrawInsights(person=MILA, questions=("What does Mila Berg make of Nora Field lately?",), evidence=evidence)
    return insights(op, Dice(seed, "Mila Berg", seed, "insights/0"))


def after(*lines: Line, me: str = "Nora Field") -> Recall:
    person, other = (NORA, MILA) if me == "Nora Field" else (MILA, NORA)
    learned = {n.id: n for line in lines if line.speaker != me for n in line.news}
    op = RecallTalk(
        person=person, scene=Scene(NOW, PARK, ""), partners=(relation(other),), lines=lines, news_learned=tuple(learned.values())
    )
    return recall(op, Dice(1, me, 1, "recall/0"))


@pytest.mark.parametrize("seed", SEEDS)
def test_insights_are_five_cite_their_records_and_differ(seed: int) -> None:
    found = draw(seed).insights
    assert len(found) == 5
    assert len({i.text for i in found}) == 5
    by_id = {r.id: r for r in EVIDENCE}
    for insight in found:
        assert 1 <= len(insight.rests_on) <= 5
        cited = words_of(" ".join(by_id[i].text for i in insight.rests_on))
        assert len(words_of(insight.text) & cited) >= 2, insight


@pytest.mark.parametrize("seed", SEEDS)
def test_some_insight_is_an_intention_a_planner_can_use(seed: int) -> None:
    meant = [i for i in draw(seed).insights if i.intention]
    assert meant
    assert all(i.text.startswith("Mila Berg means to ") for i in meant)


def test_insights_rest_upon_insights() -> None:
    upon = [i for s in SEEDS for i in draw(s).insights if "8" in i.rests_on]
    assert upon
    assert all({"2", "3"} & set(i.rests_on) for i in upon)


def test_doubt_cites_the_dislike() -> None:
    doubts = [i for s in SEEDS for i in draw(s).insights if "7" in i.rests_on and "9" in i.rests_on]
    assert all("harbour master" in i.text for i in doubts)
    assert doubts


def test_nothing_comes_of_nothing() -> None:
    assert draw(1, ()).insights == []


def test_what_rested_on_a_removed_record_vanishes() -> None:
    rest = tuple(r for r in EVIDENCE if r.id not in ("7", "9"))
    assert not any("harbour" in i.text or "Emil" in i.text for s in SEEDS for i in draw(s, rest).insights)


def test_questions_are_three_about_people_weight_and_aims() -> None:
    for seed in SEEDS:
        asked = questions(AskQuestions(person=MILA, recent=EVIDENCE), Dice(seed, "Mila Berg", seed, "questions/0")).questions
        assert len(set(asked)) == 3
        assert "Nora Field" in asked[0]
        assert all(q.endswith("?") for q in asked)


def test_questions_of_an_empty_mind_are_still_questions() -> None:
    asked = questions(AskQuestions(person=replace(MILA, statements=()), recent=()), Dice(0, "Mila Berg", 0, "questions/0"))
    assert len(asked.questions) == 3


def test_a_promise_is_remembered_on_both_sides() -> None:
    lines = (Line("Nora Field", "Come!", "invite", (SUPPER_NEWS,), SUPPER), Line("Mila Berg", "Gladly.", "accept", (), SUPPER))
    host, guest = after(*lines), after(*lines, me="Mila Berg")
    for recalled in (host, guest):
        assert "Nora Field's harvest supper" in recalled.summary
        assert "Mila Berg promised to come to Nora Field's harvest supper" in recalled.summary
    assert host.plans == "Nora Field can expect Mila Berg at Nora Field's harvest supper on 13 May at six"
    assert guest.plans == "Mila Berg said yes to Nora Field's harvest supper at the Bakery on 13 May at six"


def test_help_is_remembered_as_help() -> None:
    start = datetime(2031, 5, 13, 16, 30)
    setting_up = Event("setting up for the harvest supper", SUPPER.place, start, start + timedelta(minutes=90), "Nora Field")
    lines = (Line("Nora Field", "Help me?", "ask_help", (), setting_up), Line("Mila Berg", "Sure.", "accept", (), setting_up))
    recalled = after(*lines, me="Mila Berg")
    assert (
        recalled.plans
        == "Mila Berg will help Nora Field with setting up for the harvest supper at the Bakery on 13 May at half past four"
    )


def test_news_learned_is_in_the_summary_and_the_memo_names_the_teller() -> None:
    recalled = after(Line("Mila Berg", "Emil wants to run.", "gossip", (CAMPAIGN,)))
    assert "how Emil Stone wants to run for harbour master" in recalled.summary
    assert "Mila Berg" in recalled.partner
    assert "Emil Stone wants to run for harbour master" in recalled.partner


def test_warmth_follows_the_acts() -> None:
    yes = after(Line("Nora Field", "Come!", "invite", (SUPPER_NEWS,), SUPPER), Line("Mila Berg", "Gladly.", "accept", (), SUPPER))
    no = after(Line("Nora Field", "Come!", "invite", (SUPPER_NEWS,), SUPPER), Line("Mila Berg", "No.", "decline", (), SUPPER))
    assert yes.warmth > 0.1 > no.warmth
    why = after(Line("Nora Field", "Where were you?", "ask_why", (), SUPPER))
    assert why.warmth < 0
