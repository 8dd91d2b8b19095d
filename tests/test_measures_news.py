"""Measures of news, acquaintance, gatherings, invitations: hand-written rows in, literal figures out."""

from __future__ import annotations

from pathlib import Path

import pytest
from measures_kit import ANN, AT_HOME, BO, CAFE, CY, DAY, DI, ED, HOUR, IN_CAFE, Wick

from simulation.measures import (
    acquaintance,
    attendance,
    density,
    invitation_counts,
    known_since,
    spread,
)
from town import Gathering

FAIR = Gathering("fair", CAFE, DAY + 17 * HOUR, DAY + 19 * HOUR, ANN)


@pytest.fixture
def wick(tmp_path: Path) -> Wick:
    return Wick(tmp_path)


def test_a_fact_is_followed_from_mouth_to_mouth(wick: Wick) -> None:
    wick.fact("fair", gathering=FAIR)
    wick.memory(ANN, -1, fact="fair", tag="learned")
    told = wick.say(ANN, 600, BO, act="tell", passes_on=("fair",))
    wick.memory(BO, 601, fact="fair", heard_from=ANN, tag="learned", source=told, address=CAFE)
    wick.memory(BO, 700, fact="fair", heard_from=CY, tag="learned")  # again: the first telling counts
    wick.memory(CY, 660, fact="fair", heard_from=BO, tag="learned")
    assert [(one.resident, one.source, one.hand, one.step, one.place, one.words) for one in spread(wick.reading(), "fair")] == [
        (ANN, None, "holder", -1, None, None),
        (BO, ANN, "first", 601, CAFE, told),
        (CY, BO, "second", 660, None, None),
    ]


def test_an_answer_noted_in_the_same_step_does_not_make_a_holder(wick: Wick) -> None:
    wick.fact("fair", gathering=FAIR)
    wick.memory(ANN, -1, fact="fair")
    wick.memory(BO, 601, fact="fair", tag="promise", about=BO)
    wick.memory(BO, 601, fact="fair", heard_from=ANN, tag="learned")
    assert [(one.resident, one.hand) for one in spread(wick.reading(), "fair")] == [(ANN, "holder"), (BO, "first")]


def test_what_was_not_committed_does_not_count(tmp_path: Path) -> None:
    wick = Wick(tmp_path, days=0.5)
    wick.fact("off", retracts="fair")
    wick.memory(ANN, 100, fact="off", tag="learned")  # told by the scenario on the way: a holder, too
    wick.memory(BO, 720, fact="off", heard_from=ANN)
    assert [(one.resident, one.hand) for one in spread(wick.reading(), "off")] == [(ANN, "holder")]


def test_density_counts_pairs_who_know_of_each_other(wick: Wick) -> None:
    wick.knows(ANN, BO)
    wick.knows(BO, ANN)
    wick.knows(CY, ANN)  # one-sided: no edge
    wick.memory(CY, 500, kind="conversation", tag="talk", people=(DI,), about=DI)
    wick.memory(DI, 500, kind="conversation", tag="talk", people=(CY,), about=CY)
    wick.memory(ANN, 600, tag="seen", people=(DI,), about=DI)  # having seen somebody isn't knowing them
    wick.memory(ANN, 700, "Bo Reed told of Cy.", kind="conversation", tag="learned", about=CY, heard_from=BO)
    reading = wick.reading()
    assert round(density(acquaintance(reading, 0)), 4) == round(1 / 6, 4)
    assert density(acquaintance(reading, 501)) == pytest.approx(2 / 6)
    assert density(acquaintance(reading, 2 * DAY)) == pytest.approx(3 / 6)
    assert known_since(reading) == {
        (ANN, BO): -1, (BO, ANN): -1, (CY, ANN): -1, (CY, DI): 500, (DI, CY): 500, (ANN, CY): 700,
    }  # fmt: skip


def _party(wick: Wick) -> None:
    wick.fact("fair", gathering=FAIR)
    seed = wick.memory(ANN, -1, fact="fair", tag="learned")
    for who in wick.people:
        wick.at(who, 0, AT_HOME)
    # Bo says yes and comes for four minutes only; Cy says no, then yes, and comes; Di is told, says nothing, comes.
    talk = wick.say(ANN, 600, BO, "Come!", "invite", gathering=FAIR, passes_on=("fair",))
    wick.say(BO, 601, ANN, "Yes.", "accept", talk=talk, gathering=FAIR)
    talk = wick.say(ANN, 610, CY, "Come!", "invite", gathering=FAIR)
    wick.say(CY, 611, ANN, "I mend roofs.", "decline", talk=talk, gathering=FAIR)
    talk = wick.say(ANN, 700, CY, "Do come!", "invite", gathering=FAIR)
    wick.say(CY, 701, ANN, "All right.", "accept", talk=talk, gathering=FAIR)
    wick.say(ANN, 800, DI, "There is a fair.", "tell", passes_on=("fair",))
    wick.at(BO, FAIR.start, IN_CAFE)
    wick.at(BO, FAIR.start + 4, AT_HOME)
    wick.at(CY, FAIR.start + 30, IN_CAFE)
    wick.at(DI, FAIR.end - 5, IN_CAFE)
    wick.at(ANN, FAIR.start - 90, IN_CAFE)
    plan = wick.memory(ANN, 400, "Ann plans.", kind="plan", evidence=(seed,))
    wick.act(ANN, FAIR.start - 90, FAIR.start - 60, "hanging up lamps", CAFE, plan=plan)
    wick.act(ANN, FAIR.start - 60, FAIR.start - 30, "wiping tables", CAFE)
    wick.act(ANN, FAIR.start - 30, FAIR.start, "baking for the fair", CAFE)


def test_attendance(wick: Wick) -> None:
    _party(wick)
    reading = wick.reading()
    found = attendance(reading, wick.where(), reading.tracked["fair"])
    assert (found.invited, found.promised, found.declined, found.came) == ((BO, CY, DI), (BO, CY), (), (CY, DI))
    assert (found.host_came, found.host_minutes_before, found.begun, found.over) == (True, 90.0, True, True)
    assert found.preparing == (f"{ANN}/{FAIR.start - 90}/0", f"{ANN}/{FAIR.start - 30}/0")
    assert found.minutes[BO] == 4.0
    assert found.helpers == ()


def test_helpers_promised_help_and_were_there(tmp_path: Path) -> None:
    wick = Wick(tmp_path, (ANN, BO, CY, DI, ED))
    _party(wick)
    setting_up = Gathering("setting up", CAFE, FAIR.start - 90, FAIR.start, ANN)
    for who, answer, tile in ((BO, "accept", IN_CAFE), (CY, "accept", AT_HOME), (DI, "decline", IN_CAFE)):
        talk = wick.say(ANN, 900, who, "Help me?", "ask_help", gathering=setting_up)
        wick.say(who, 901, ANN, "Well.", answer, talk=talk, gathering=setting_up)
        wick.at(who, FAIR.start - 60, tile)
        wick.at(who, FAIR.start - 10, AT_HOME)
    reading = wick.reading()
    assert attendance(reading, wick.where(), reading.tracked["fair"]).helpers == (BO,)
    counts = invitation_counts(reading)
    assert (counts["help_asked"], counts["help_accepted"], counts["help_declined"]) == (3, 2, 1)


def test_a_gathering_to_come_has_no_guests(tmp_path: Path) -> None:
    wick = Wick(tmp_path, days=1)
    _party(wick)
    reading = wick.reading()
    found = attendance(reading, wick.where(), reading.tracked["fair"])
    assert (found.begun, found.over, found.came, found.invited) == (False, False, (), (BO, CY, DI))


def test_invitations_and_their_answers(wick: Wick) -> None:
    tea = Gathering("tea", CAFE, 900, 960, BO)
    talk = wick.say(BO, 100, (CY, DI), "Tea?", "invite", gathering=tea)
    wick.say(CY, 101, BO, "Yes.", "accept", talk=talk, gathering=tea)
    wick.say(DI, 102, BO, "No.", "decline", talk=talk)  # without a reason: rests on nothing, about nothing
    wick.say(BO, 200, CY, "Tea, don't forget.", "invite", gathering=tea)  # the same invitation again
    talk = wick.say(CY, 300, ANN, "Bo has tea.", "invite", gathering=tea)
    wick.say(ANN, 301, CY, "I must bake.", "decline", talk=talk, gathering=tea)
    wick.say(ANN, 400, DI, "Fair?", "invite", gathering=FAIR)
    wick.say(DI, 500, BO, "I said yes to Bo, not Ann.", "accept", gathering=FAIR)  # not to whom had asked
    assert invitation_counts(wick.reading()) == {
        "made": 4, "accepted": 1, "declined": 2, "declined_with_reason": 1, "unanswered": 1,
        "help_asked": 0, "help_accepted": 0, "help_declined": 0,
    }  # fmt: skip
