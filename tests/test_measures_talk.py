"""Measures of talk, reflection and calls, and the oddities of talk; each oddity fires, and stays silent when it should."""

from __future__ import annotations

from pathlib import Path

import pytest
from measures_kit import ANN, AT_HOME, BO, CAFE, CY, DAY, DI, IN_CAFE, Wick

from simulation.measures import (
    KINDS,
    Masker,
    Whereabouts,
    call_counts,
    claim_counts,
    evidence,
    oddities,
    reflection_counts,
    unsupported,
    utterance_counts,
)
from town import Gathering


@pytest.fixture
def wick(tmp_path: Path) -> Wick:
    return Wick(tmp_path)


def odd(wick: Wick, kind: str) -> list[tuple[str, int, str]]:
    reading = wick.reading()
    found = oddities(reading, Whereabouts(reading))
    assert list(found) == list(KINDS)
    return [(one.resident, one.step, one.detail) for one in found[kind]]


# -- claims ----------------------------------------------------------------------------------------------------------------


def test_claims_that_memory_supports(wick: Wick) -> None:
    wick.fact("fair")
    seed = wick.memory(ANN, -1, fact="fair")
    wick.memory(BO, 101, fact="fair", heard_from=ANN, tag="learned")
    own = wick.memory(CY, -1, "Cy Dale wants to fly.", tag="identity")
    wick.say(ANN, 100, BO, act="tell", passes_on=("fair",), rests_on=(seed,))
    wick.say(BO, 101, ANN, act="answer", passes_on=("fair",))  # told on in the step in which it was heard
    wick.say(CY, 200, ANN, act="tell", passes_on=(own,))  # a fact first stated by its speaker, from that memory
    wick.say(CY, 210, ANN, act="greet")  # claims nothing
    wick.say(CY, 211, ANN, act="answer")
    assert claim_counts(wick.reading()) == {"made": 3, "unsupported": 0}
    assert odd(wick, "unsupported_claim") == []


def test_claims_that_no_memory_supports(wick: Wick) -> None:
    wick.fact("fair", gathering=Gathering("fair", CAFE, 900, 960, ANN))
    later = wick.memory(BO, 500)
    others = wick.memory(CY, 10)
    wick.memory(BO, 100, fact="fair", tag="promise", about=BO)  # made with the very words that pass it on
    wick.say(BO, 100, ANN, act="accept", passes_on=("fair",))
    wick.say(BO, 110, ANN, act="remark", rests_on=(later,))
    wick.say(BO, 120, ANN, act="remark", rests_on=(others,))
    wick.say(BO, 130, ANN, act="answer", rests_on=("no such id",))
    wick.say(BO, 140, ANN, act="gossip")
    wick.say(DI, 150, ANN, act="tell", passes_on=("fair",))
    assert [(one.said.step, one.flaw) for one in unsupported(wick.reading())] == [
        (100, "unknown_fact"), (110, "no_record"), (120, "no_record"), (130, "no_record"), (140, "ungrounded"),
        (150, "unknown_fact"),
    ]  # fmt: skip
    assert odd(wick, "unsupported_claim")[0] == (BO, 100, "fair")
    assert claim_counts(wick.reading()) == {"made": 6, "unsupported": 6}


# -- wordings --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Hello, Ann!", "Hello, Bo!"),
        ("Ann Moss was here.", "cy dale was here."),
        ("See you at the Cafe at 5.", "See you at the House at 12:30."),
        ("At 5 pm", "At 17:00"),
        ("Tomorrow at five o'clock, then.", "Tonight at nine, then."),
        ("On 14 February 2023 from 17:00 to 19:00", "On Monday from 9 to half past ten"),
    ],
)
def test_masking_makes_one_wording(wick: Wick, one: str, two: str) -> None:
    masker = Masker(wick.reading())
    assert masker.mask(one) == masker.mask(two)


def test_masking_keeps_what_is_said_apart(wick: Wick) -> None:
    masker = Masker(wick.reading())
    assert masker.mask("Hello, Ann!") == "hello, <name>!"
    assert masker.mask("Hello, Ann!") != masker.mask("Goodbye, Ann!")
    assert masker.mask("I am 5 a.m. tired") == "i am <when> tired"
    assert masker.mask("Bored, Annoyed, roomy") == "bored, annoyed, roomy"  # names and places only as whole words


def test_utterances_are_counted_as_texts_and_as_wordings(wick: Wick) -> None:
    talk = wick.say(ANN, 1, BO, "Hello, Bo!")
    wick.say(BO, 2, ANN, "Hello, Ann!", talk=talk)
    wick.say(BO, 3, ANN, "Hello, Ann!", talk=talk)
    wick.say(CY, 4, DI, "Rain again.", "remark")
    counts = utterance_counts(wick.reading())
    assert (counts["total"], counts["distinct"], counts["distinct_masked"], counts["most_common_share"]) == (4, 3, 2, 0.75)
    assert (counts["talks"], counts["acts"]) == (2, {"greet": 3, "remark": 1})
    assert counts["common"][0] == {"wording": "hello, <name>!", "count": 3}


def test_no_talk_at_all(wick: Wick) -> None:
    counts = utterance_counts(wick.reading())
    assert (counts["total"], counts["most_common_share"], counts["common"]) == (0, 0.0, [])


# -- reflections, calls ----------------------------------------------------------------------------------------------------


def test_reflections_per_resident_and_day(tmp_path: Path) -> None:
    wick = Wick(tmp_path, (ANN, BO), days=2.25)
    seen = wick.memory(ANN, 5)
    first = wick.memory(ANN, 600, kind="reflection", evidence=(seen,))
    wick.memory(ANN, 600, kind="reflection", evidence=(seen,))  # the same occasion
    wick.memory(ANN, 1200, kind="reflection", evidence=(first, seen))
    wick.memory(ANN, DAY + 600, kind="reflection", evidence=(seen,))
    wick.memory(BO, DAY + 700, kind="reflection", evidence=())
    wick.memory(BO, 2 * DAY + 10, kind="reflection")  # of a day only begun
    for step, dropped in ((600, 1), (1200, 3)):
        wick.run.write(
            "INSERT INTO mind_states VALUES (?, 'reflections', ?, ?)", [(ANN, step, f'{{"made": 2, "dropped": {dropped}}}')]
        )
    assert reflection_counts(wick.reading()) == {
        "per_resident_day": 1.0, "least": 0, "most": 2, "occasions": 5, "insights": 6, "upon_reflections": 1, "dropped": 3,
    }  # fmt: skip


def test_calls_by_operation_and_the_evidence(wick: Wick, tmp_path: Path) -> None:
    wick.call("say", 1)
    wick.call("say", 2, fallback="nonsense")
    wick.call("rate", 2)
    wick.call("say", 2 * DAY)  # not committed
    reading = wick.reading()
    plain = {"repaired": 0, "retried": 0, "troubles": {}, "cost": None}
    assert call_counts(reading) == {
        "rate": {
            "count": 1,
            "tokens_in": 10,
            "tokens_out": 3,
            "seconds": 0.25,
            "fallbacks": 0,
            "repaired": 0,
            **plain,
            "sent": 1,
        },
        "say": {**plain, "count": 2, "tokens_in": 20, "tokens_out": 6, "seconds": 0.5, "fallbacks": 1, "sent": 2},
    }
    assert evidence(reading) == "offline"
    wick.call("reflect", 3, model="openai:x")
    assert evidence(wick.reading()) == "model"
    (tmp_path / "other").mkdir()
    assert evidence(Wick(tmp_path / "other", model="openai:x").reading()) == "model"


# -- tone ------------------------------------------------------------------------------------------------------------------


def test_a_stranger_addressed_as_a_friend(wick: Wick) -> None:
    wick.knows(CY, DI)
    wick.say(ANN, 100, BO, "How have you been, my dear?")  # fond words to a stranger
    wick.memory(ANN, 101, kind="conversation", tag="talk", people=(BO,))
    wick.say(ANN, 200, BO, "How have you been?")  # they have talked by now
    wick.say(BO, 300, CY, "Guess what Ann did.", "gossip", passes_on=())  # opens with what one tells friends
    talk = wick.say(CY, 400, BO, "I'm Cy. I love it here.", "introduce")  # "love" as a verb
    wick.say(BO, 401, CY, "Nice place, mate.", "remark", talk=talk)
    wick.say(CY, 500, DI, "Hello again, love.")  # a friend
    assert odd(wick, "stranger_as_friend") == [(ANN, 100, "how have you been"), (BO, 300, "gossip"), (BO, 401, "mate")]


def test_spouses_formal_with_each_other(wick: Wick) -> None:
    wick.knows(ANN, BO, "wife")
    wick.knows(BO, ANN, "husband")
    wick.knows(CY, ANN, "wife of a friend")
    wick.say(DI, 50, CY, "Good day, Cy. Fine weather.")  # between strangers
    wick.say(ANN, 100, BO, "Morning, love.")
    wick.say(BO, 200, ANN, "Good day, Ann. Fine weather.")  # the strangers' wording
    wick.say(ANN, 300, BO, "Pleased to meet you.")
    wick.say(BO, 400, ANN, "I am Bo.", "introduce")
    wick.say(CY, 500, ANN, "Good day, Ann. Fine weather.")  # not a couple
    assert odd(wick, "formal_spouses") == [
        (BO, 200, "good <when>, <name>. fine weather."), (ANN, 300, "pleased to meet you"), (BO, 400, "i am <name>."),
    ]  # fmt: skip


def _requests(wick: Wick, who: str, answers: list[str], *, same: bool = False) -> None:
    for number, answer in enumerate(answers):
        what = Gathering("tea" if same else f"tea {number}", CAFE, 900, 960, BO)
        talk = wick.say(BO, 100 * number + 10, who, "Come?", "invite" if number % 2 else "ask_help", gathering=what)
        wick.say(who, 100 * number + 11, BO, "Well.", answer, talk=talk, gathering=what)


def test_somebody_who_accepts_everything(wick: Wick) -> None:
    _requests(wick, ANN, ["accept"] * 5)
    assert odd(wick, "host_accepts_everything") == [(ANN, 411, "5")]


@pytest.mark.parametrize("answers", [["accept"] * 4, ["accept"] * 5 + ["decline"]])
def test_few_requests_or_one_refusal_are_fine(wick: Wick, answers: list[str]) -> None:
    _requests(wick, ANN, answers)
    assert odd(wick, "host_accepts_everything") == []


def test_being_asked_to_one_thing_five_times_is_one_request(wick: Wick) -> None:
    _requests(wick, ANN, ["accept"] * 5, same=True)
    assert odd(wick, "host_accepts_everything") == []


def test_reproaching_somebody_who_was_there(wick: Wick) -> None:
    tea = Gathering("tea", CAFE, 600, 660, ANN)
    for who in (ANN, BO, CY):
        wick.at(who, 0, AT_HOME)
    wick.at(BO, 610, IN_CAFE)
    wick.at(BO, 615, AT_HOME)
    wick.say(ANN, 700, BO, "Where were you?", "ask_why", gathering=tea)
    wick.say(ANN, 710, CY, "Where were you?", "ask_why", gathering=tea)  # Cy was at home
    wick.say(BO, 720, ANN, "Where were you?", "ask_why", gathering=tea)  # the host wasn't there, either
    wick.say(CY, 730, BO, "Where were you?", "ask_why")
    assert odd(wick, "false_reproach") == [(ANN, 700, BO)]


def test_a_day_on_which_people_met_and_nobody_talked(wick: Wick) -> None:
    wick.memory(ANN, 300, "Bo Reed is walking.", tag="seen", about=BO)
    wick.memory(BO, 400, tag="seen", about=ANN)
    wick.memory(ANN, DAY + 300, tag="seen", about=BO)
    wick.say(ANN, DAY + 301, BO)
    assert odd(wick, "silent_run") == [(ANN, 300, "2")]


def test_silence_without_company_is_no_oddity(wick: Wick) -> None:
    wick.memory(ANN, 300, tag="seen", about="a cat")
    wick.memory(ANN, 300, tag="state", about=CAFE)
    assert odd(wick, "silent_run") == []
