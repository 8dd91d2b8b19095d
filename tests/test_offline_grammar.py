"""Morphology of the offline model, by example."""

from __future__ import annotations

from datetime import datetime

import pytest

from language.offline import grammar


@pytest.mark.parametrize(
    ("third", "base"),
    [
        ("waters", "water"), ("carries", "carry"), ("watches", "watch"), ("goes", "go"), ("does", "do"), ("has", "have"),
        ("closes", "close"), ("fixes", "fix"), ("buzzes", "buzz"), ("dies", "die"), ("focuses", "focus"), ("is", "be"),
        ("Swims", "Swim"), ("zorbles", "zorble"),
    ],
)  # fmt: skip
def test_third_person_and_base_form(third: str, base: str) -> None:
    assert grammar.third_to_base(third) == base
    assert grammar.base_to_third(base) == third


@pytest.mark.parametrize("word", ["always", "this", "glass", "perhaps", "water", "press", "us"])
def test_words_that_only_look_like_a_third_person(word: str) -> None:
    assert grammar.third_to_base(word) == word


@pytest.mark.parametrize(
    ("base", "form"),
    [
        ("water the plants", "watering the plants"),
        ("run", "running"),
        ("chop onions", "chopping onions"),
        ("wash up and make tea", "washing up and making tea"),
        ("lie down", "lying down"),
        ("see to the ovens", "seeing to the ovens"),
        ("picnic", "picnicking"),
        ("quit", "quitting"),
        ("visit friends", "visiting friends"),
        ("travel", "travelling"),
        ("buy bread and butter", "buying bread and butter"),
        ("read and write letters", "reading and writing letters"),
        ("slowly mend the net", "slowly mending the net"),
        ("be with friends", "being with friends"),
        ("zorble the frobs", "zorbling the frobs"),
        ("spring-clean the hall", "spring-cleaning the hall"),
        ("wait for Sam who sells apples and feeds geese", "waiting for Sam who sells apples and feeds geese"),
    ],
)
def test_gerund_and_back(base: str, form: str) -> None:
    assert grammar.gerund(base) == form
    assert grammar.gerund(form) == form
    assert grammar.gerund_to_base(form) == base


def test_gerunds_of_unknown_verbs_find_their_base() -> None:
    forms = ["hiking", "swabbing", "glazing", "braising", "seating", "whistling", "waiting", "queueing", "juggling"]
    assert [grammar.gerund_to_base(f) for f in forms] == [
        "hike", "swab", "glaze", "braise", "seat", "whistle", "wait", "queue", "juggle",
    ]  # fmt: skip


def test_coordinated_verbs_go_to_the_base_form_nouns_stay() -> None:
    assert grammar.verbs_to_base("waters the plants and feeds the cat") == "water the plants and feed the cat"
    assert grammar.verbs_to_base("sells apples and plums") == "sell apples and plums"
    assert grammar.verbs_to_base("gets up, opens the shop and sweeps the floor") == "get up, open the shop and sweep the floor"


def test_is_gerund() -> None:
    assert [w for w in ("reading", "morning", "thing", "spring", "evening", "zorbling") if grammar.is_gerund(w)] == [
        "reading",
        "zorbling",
    ]


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        (
            "Isabella Rodriguez is giving a party at her cafe",
            "I am giving a party at my cafe",
            "You are giving a party at your cafe",
        ),
        ("Isabella wants to ask Maria to help her.", "I want to ask Maria to help me.", "You want to ask Maria to help you."),
        ("Isabella hasn't told him, and she's glad", "I haven't told him, and I'm glad", "You haven't told him, and you're glad"),
        ("Isabella Rodriguez's cafe is open", "My cafe is open", "Your cafe is open"),
        (
            "Isabella often bakes bread and sells it herself",
            "I often bake bread and sell it myself",
            "You often bake bread and sell it yourself",
        ),
        ("Isabella was at her sister's", "I was at my sister's", "You were at your sister's"),
        ("Klaus likes Isabella", "Klaus likes Isabella", "Klaus likes Isabella"),
        ("Isabella Bruni is here", "Isabella Bruni is here", "Isabella Bruni is here"),
        (
            "Isabella thinks Klaus likes tea and knows that she is late",
            "I think Klaus likes tea and know that I am late",
            "You think Klaus likes tea and know that you are late",
        ),
    ],
)
def test_persons(text: str, first: str, second: str) -> None:
    assert grammar.to_first_person(text, "Isabella Rodriguez", "she") == first
    assert grammar.to_second_person(text, "Isabella Rodriguez", "she") == second


def test_persons_of_they_and_he() -> None:
    assert grammar.to_first_person("Kim Ode says they are tired of their job", "Kim Ode", "they") == "I say I am tired of my job"
    assert grammar.to_first_person("Bo Ek lost his hat; it is his", "Bo Ek", "he") == "I lost my hat; it is mine"


def test_names() -> None:
    assert grammar.first_name("Isabella Rodriguez") == "Isabella"
    assert [grammar.join_names(n) for n in ([], ["A"], ["A", "B"], ["A", "B", "C"])] == ["", "A", "A and B", "A, B and C"]
    assert grammar.possessive("Klaus") == "Klaus's"
    assert grammar.is_about("Klaus runs", "Klaus Mueller")
    assert not grammar.is_about("Klaus and Bo run", "Klaus Mueller")


@pytest.mark.parametrize(
    ("minutes", "words"),
    [(300, "five"), (17 * 60 + 30, "half past five"), (0, "midnight"), (720, "noon"), (765, "quarter to one"),
     (1439, "midnight"), (1034, "quarter past five"), (1500, "one")],
)  # fmt: skip
def test_clock_words(minutes: int, words: str) -> None:
    assert grammar.clock_words(minutes) == words


@pytest.mark.parametrize(
    ("moment", "exact", "vague"),
    [
        (datetime(2023, 2, 13, 17), "at five this afternoon", "this afternoon"),
        (datetime(2023, 2, 13, 12), "at noon today", "this afternoon"),
        (datetime(2023, 2, 14, 17), "tomorrow at five", "tomorrow afternoon"),
        (datetime(2023, 2, 14, 9, 30), "tomorrow morning at half past nine", "tomorrow morning"),
        (datetime(2023, 2, 16, 17), "on Thursday at five", "on Thursday afternoon"),
        (datetime(2023, 2, 12, 22), "last night at ten", "last night"),
        (datetime(2023, 3, 2, 15), "on 2 March at three", "on 2 March"),
    ],
)
def test_time_words(moment: datetime, exact: str, vague: str) -> None:
    now = datetime(2023, 2, 13, 9)
    assert grammar.time_words(moment, now) == exact
    assert grammar.time_words(moment, now, exact=False) == vague


@pytest.mark.parametrize(
    ("address", "owner", "words"),
    [
        ("T : Hobbs Cafe : cafe : counter", None, "Hobbs Cafe"),
        ("T : Oak Hill College : library", None, "the library of Oak Hill College"),
        ("T : Dorm for Oak Hill College : Klaus Mueller's room", None, "Klaus Mueller's room"),
        ("T : Dorm for Oak Hill College : Klaus Mueller's room", "Klaus Mueller", "my room"),
        ("T : Isabella Rodriguez's apartment : main room : bed", "Isabella Rodriguez", "my apartment"),
        ("T : The Rose and Crown Pub : pub", None, "the Rose and Crown Pub"),
        ("T : Lin family's house : garden", "Eddy Lin", "the garden of our house"),
        ("T : Lin family's house", None, "the Lin family's house"),
        ("T : Johnson Park : park", None, "Johnson Park"),
        ("T : streets : outdoors", None, "outside"),
    ],
)
def test_place_words(address: str, owner: str | None, words: str) -> None:
    assert grammar.place_words(address, owner) == words


def test_sentence() -> None:
    assert [grammar.sentence(t) for t in ("all is well", "Is it?", " so. ", "")] == ["All is well.", "Is it?", "So.", ""]
