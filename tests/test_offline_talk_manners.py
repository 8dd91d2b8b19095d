"""Manners of talk: weighty news first, quirks once, habits as habits, content taken up, company addressed by name."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime

import pytest
from offline_town import (
    EMIL,
    MILA,
    NORA,
    NOW,
    OTTO,
    PARK,
    SUPPER,
    SUPPER_NEWS,
    TOWN,
    carries,
    converse,
    memory,
    person,
    relation,
    speak,
)  # fmt: skip

from kernel import Dice
from language import named
from language.offline.manner import job_slots
from language.offline.reading_talk import echo, habit, turned
from language.offline.recalling import recall
from language.offline.talking import say
from language.operations import RecallTalk, Speak
from language.replies import Turn
from language.values import Commitment, Event, Line, News, Relation, Scene, Statement

SEEDS = range(40)
BELL = News("bell", "Nora Field is giving the old ship's bell back to the harbour.", "Nora Field")
OWN = carries(BELL, "Nora Field/-1/7", importance=9, tag="")
ANN = person(
    "Ann Moss", "she", "potter", ("warm",),
    [
        ("about", "Ann Moss grew up above a laundry."),
        ("rhythm", "At half past seven she eats oat flakes in the kitchen."),
        ("aim", "She wants to fire a blue glaze."),
    ],
)  # fmt: skip


@pytest.mark.parametrize(("how", "closeness", "least"), [("husband", 0.9, 34), ("friend", 0.5, 14)])
def test_weighty_news_of_ones_own_is_told_and_told_first(how: str, closeness: float, least: int) -> None:
    told = 0
    for seed in SEEDS:
        turns = converse(NORA, EMIL, relation(EMIL, how, closeness), relation(NORA, how, closeness), seed, topics_one=(OWN,))
        at = [k for k, turn in enumerate(turns) if "bell" in turn.passes_on and turn.act == "tell"]
        assert len(at) <= 1
        told += bool(at)
        if at:
            assert not any(turn.act in ("tell", "gossip") for turn in turns[: at[0] : 2]), turns
            assert "I'm giving the old ship's bell back to the harbour" in turns[at[0]].text
    assert told >= least


def test_news_told_to_many_is_told_less_readily() -> None:
    many = replace(OWN, told_to=tuple(f"Guest Nr{n}" for n in range(16)))
    lines = (Line("Emil Stone", "Good day.", "greet"),)
    fresh = sum("bell" in speak(NORA, relation(EMIL), s, topics=(OWN,), lines=lines).passes_on for s in range(100))
    stale = sum("bell" in speak(NORA, relation(EMIL), s, topics=(many,), lines=lines).passes_on for s in range(100))
    assert fresh > 1.4 * stale


@pytest.mark.parametrize("how", ["wife", "housemate", "son"])
def test_those_at_home_arent_told_what_they_know(how: str) -> None:
    for seed in SEEDS:
        for turn in converse(ANN, EMIL, relation(EMIL, how, 0.7), relation(ANN, how, 0.7), seed)[::2]:
            assert "laundry" not in turn.text
            assert "oat flakes" not in turn.text
            assert "don't know me yet" not in turn.text


def test_a_quirk_is_told_once_to_the_same_person() -> None:
    stranger = {"how": "acquaintance", "closeness": 0.0, "talks": 0, "hours_since": None}
    told = replace(
        memory("Ann Moss/-1/2", "She wants to fire a blue glaze.", tag="identity"), told_to=("Emil Stone",), hours_ago=30.0
    )
    lines = (Line("Ann Moss", "Hello.", "greet"), Line("Emil Stone", "Good day.", "greet"))
    fresh = [speak(ANN, relation(EMIL, **stranger), s, lines=lines) for s in SEEDS]
    again = [speak(ANN, relation(EMIL, **stranger), s, lines=lines, shared=(told,)) for s in SEEDS]
    assert any(t.act == "tell" and "blue glaze" in t.text and t.passes_on == ["Ann Moss/-1/2"] for t in fresh)
    assert not any(t.act == "tell" and "blue glaze" in t.text for t in again)


def test_a_habit_is_told_as_a_habit() -> None:
    lines = (Line("Emil Stone", "And the oat flakes in the kitchen?", "ask"),)
    for seed in SEEDS:
        turn = speak(ANN, relation(EMIL), seed, lines=lines)
        assert turn.rests_on == ["Ann Moss/-1/1"]
        assert re.search(r"I (usually |mostly |like to )?eat oat flakes", turn.text), turn.text
        assert "around half past seven" in turn.text.lower()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("At six in the evening I lift weights in my room.", ("lift weights in my room", "around six in the evening")),
        ("Around ten I spray the lettuces.", ("spray the lettuces", "around ten")),
        ("I have soup at home at noon.", ("have soup at home", "at noon")),
        ("Before bed I read.", ("read", "before bed")),
        ("I grew up above a laundry.", None),
        ("I want to build a boat.", None),
    ],
)
def test_sentences_on_the_hours_of_the_day_are_known(text: str, expected: tuple[str, str] | None) -> None:
    assert habit(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("You grew up above your parents' laundry and learnt fractions.", "your parents' laundry"),
        ("The old lighthouse lamp was stolen on Sunday night.", "The old lighthouse lamp"),
        ("You're hard of hearing on the left and sit accordingly.", ""),
        ("You finish a single film this term.", "a single film"),
        ("You run the store two weeks ago.", "the store"),
        ("You want to hear your cafe's piano played.", "your cafe's piano"),
    ],
)
def test_a_thing_to_take_up_is_found(text: str, expected: str) -> None:
    assert echo(text) == expected


def test_what_somebody_says_of_themselves_is_said_back() -> None:
    assert turned("build my boat before my brother sees me") == "build your boat before your brother sees you"
    assert named("He would like to rest.", "Bo Reed", "he") == "Bo Reed would like to rest."
    assert named("His daughter sings.", "Bo Reed", "he") == "Bo Reed's daughter sings."
    assert named("Bo Reed rests.", "Bo Reed", "he") == "Bo Reed rests."


def test_what_was_told_is_taken_up() -> None:
    news = News("Otto Kern/-1/1", "Otto Kern wants to carve a giant spoon.", "Otto Kern")
    lines = (Line("Mila Berg", "Hello.", "greet"), Line("Otto Kern", "I want to carve a giant spoon.", "tell", (news,)))
    texts = [speak(MILA, relation(OTTO), s, lines=lines).text.lower() for s in SEEDS]
    about = [text for text in texts if "spoon" in text or "carv" in text]
    assert len(about) >= 26
    assert len(set(texts)) > 30


def test_how_a_matter_came_about_is_answered_with_what_goes_with_it() -> None:
    me = replace(
        MILA,
        statements=(
            Statement("Mila Berg/-1/0", "Mila Berg wants to open a museum of moss.", "aim"),
            Statement("Mila Berg/-1/1", "Mila Berg inherited forty boxes of moss.", "about"),
        ),
    )
    lines = (Line("Nora Field", "You want to open a museum of moss? What made you think of a museum of moss?", "ask"),)
    turns = [speak(me, relation(NORA), s, lines=lines) for s in SEEDS]
    assert {t.act for t in turns} <= {"answer", "ask"}
    assert all("I inherited forty boxes of moss" in t.text for t in turns)
    assert all({"Mila Berg/-1/0", "Mila Berg/-1/1"} <= set(t.rests_on) for t in turns)


def test_who_else_knows_is_answered_from_memory() -> None:
    lines = (
        Line("Nora Field", "I'm giving the old ship's bell back to the harbour.", "tell", (BELL,)),
        Line("Emil Stone", "Who else knows?", "ask"),
    )
    told = replace(OWN, told_to=("Mila Berg", "Otto Kern", "Emil Stone"))
    for seed in range(20):
        turn = speak(NORA, relation(EMIL), seed, topics=(told,), lines=lines)
        assert "Mila" in turn.text
        assert "Otto" in turn.text
        assert "Nora Field/-1/7" in turn.rests_on


def test_the_evening_is_answered_from_the_diary() -> None:
    concert = Event("brass concert", PARK, NOW.replace(hour=19), NOW.replace(hour=21), "Emil Stone")
    diary = (Commitment("Nora Field/8/1", concert, "guest"),)
    lines = (Line("Mila Berg", "Will you be home for dinner?", "ask"),)
    for seed in range(20):
        busy = speak(NORA, relation(MILA, "daughter", 0.8), seed, lines=lines, commitments=diary)
        assert "concert" in busy.text
        assert "Nora Field/8/1" in busy.rests_on
        assert "concert" not in speak(NORA, relation(MILA, "daughter", 0.8), seed, lines=lines).text


def test_trades_are_said_as_people_say_them() -> None:
    assert job_slots("retired stationmaster") == {"job": "a retired stationmaster"}
    assert job_slots("owner of Lantern Cafe") == {"job_do": "own Lantern Cafe"}
    assert job_slots("landlady of The Blue Heron") == {"job_do": "run The Blue Heron"}
    assert job_slots("midwife, new in town") == {"job": "a midwife", "job_as": "a midwife"}
    assert "job_as" not in job_slots("film student at Oak Hill College")


def test_ordinary_states_of_things_are_no_remark() -> None:
    for state in ("in use", "partly taken", "brewing", "attended", "with a customer"):
        scene = Scene(NOW, PARK, "", ("Nora Field", "Emil Stone"), ((TOWN + "Bakery : shop : behind the counter", state),))
        lines = (Line("Emil Stone", "Good day.", "greet"),)
        assert not any(state in speak(NORA, relation(EMIL), s, lines=lines, scene=scene).text for s in SEEDS)
    scene = Scene(NOW, PARK, "", ("Nora Field", "Emil Stone"), ((TOWN + "Bakery : shop : behind the counter", "upside down"),))
    texts = [speak(NORA, relation(EMIL), s, lines=(Line("Emil Stone", "Hm.", "remark"),), scene=scene).text for s in SEEDS]
    assert any("the counter" in text and "upside down" in text for text in texts)
    assert not any("behind" in text for text in texts)


def test_doings_of_no_moment_arent_asked_after() -> None:
    trifle = memory("n1", "Mila Berg is turning pages", "Mila Berg", importance=1, hours_ago=1.0, tag="seen")
    notable = memory("n2", "Mila Berg is building a raft at the pond", "Mila Berg", importance=4, hours_ago=1.0, tag="seen")
    lines = (Line("Mila Berg", "Hi.", "greet"),)
    for topic, expected in ((trifle, False), (notable, True)):
        turns = [speak(NORA, relation(MILA), s, topics=(topic,), lines=lines) for s in range(120)]
        assert any(topic.id in t.rests_on for t in turns) is expected


def test_in_company_the_one_meant_is_called_by_name() -> None:
    third = Relation("Otto Kern", True, "friend", 0.4, talks=1, hours_since=30.0)
    lines = (
        Line("Nora Field", "Hello, everybody.", "greet"),
        Line("Mila Berg", "Hello.", "greet"),
        Line("Otto Kern", "What are you up to today?", "ask"),
    )
    for seed in SEEDS:
        op = Speak(
            person=NORA, summary="", scene=Scene(NOW, PARK, "feeding the ducks"), listeners=(third, relation(MILA)),
            topics=(), lines=lines,
        )  # fmt: skip
        assert "Otto" in say(op, Dice(seed, "Nora Field", 3, "say/0")).text


def test_one_is_asked_after_what_one_has_promised_only_when_it_is_time_and_the_tone_tells() -> None:
    def warmth(*acts: tuple[str, str]) -> float:
        lines = tuple(Line(who, "...", act, (), SUPPER) for who, act in acts)
        op = RecallTalk(person=NORA, scene=Scene(datetime(2031, 5, 14, 9), PARK, ""), partners=(relation(MILA),), lines=lines)
        return recall(op, Dice(1, "Nora Field", 1, "recall/0")).warmth

    friendly = warmth(("Nora Field", "greet"), ("Mila Berg", "answer"))
    sorry = warmth(("Nora Field", "ask_why"), ("Mila Berg", "apologise"))
    reasons = warmth(("Nora Field", "ask_why"), ("Mila Berg", "explain"))
    assert reasons < sorry < friendly


def test_invitations_of_guests_go_to_friends_and_fade() -> None:
    heard = carries(SUPPER_NEWS, "Emil Stone/9/1", "Nora Field", ("Nora Field",))
    going = (Commitment("Emil Stone/9/2", SUPPER, "guest"),)
    lines = (Line("Mila Berg", "Hello.", "greet"),)

    def share(closeness: float, told: tuple[str, ...]) -> float:
        record = replace(heard, told_to=told)
        acts: list[Turn] = [
            speak(EMIL, relation(MILA, "friend", closeness), s, topics=(record,), commitments=going, lines=lines)
            for s in range(150)
        ]
        return sum(t.act == "invite" for t in acts) / 150

    assert 0.1 < share(0.8, ("Nora Field",)) < 0.6
    assert share(0.1, ("Nora Field",)) == 0.0
    assert share(0.8, tuple(f"Guest Nr{n}" for n in range(6))) < share(0.8, ("Nora Field",))


def test_no_show_isnt_explained_by_the_record_of_the_absence_itself() -> None:
    gone = memory(
        "Mila Berg/90/0", "Mila Berg had promised to come to harvest supper and didn't go", "Mila Berg", tag="absence",
        news=SUPPER_NEWS, hours_ago=13.0,
    )  # fmt: skip
    later = Scene(datetime(2031, 5, 14, 9, 0), PARK, "feeding the ducks")
    lines = (Line("Nora Field", "You said you'd come. What happened?", "ask_why", (), SUPPER),)
    turns = [speak(MILA, relation(NORA), s, lines=lines, scene=later, topics=(gone,)) for s in SEEDS]
    assert {t.act for t in turns} == {"apologise"}
    assert not any("holding" in t.text for t in turns)
