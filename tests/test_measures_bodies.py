"""Where people were, and the oddities of what they do; each fires, and stays silent when it should."""

from __future__ import annotations

from pathlib import Path

import pytest
from measures_kit import ANN, AT_HOME, AT_TABLE, BATH, BO, CAFE, CY, DAY, DI, HOUR, HOUSE, IN_BATH, IN_CAFE, ROAD, TABLE, Wick

from simulation.measures import oddities
from town import Gathering

FAIR = Gathering("fair", CAFE, 10 * HOUR, 12 * HOUR, ANN)


@pytest.fixture
def wick(tmp_path: Path) -> Wick:
    return Wick(tmp_path)


def odd(wick: Wick, kind: str) -> list[tuple[str, int, str]]:
    return [(one.resident, one.step, one.detail) for one in oddities(wick.reading(), wick.where())[kind]]


# -- positions -------------------------------------------------------------------------------------------------------------


def test_positions_follow_the_moves(wick: Wick) -> None:
    wick.at(BO, 0, (1, 1), "NEE.E")
    wick.at(BO, 100, (4, 0))
    where = wick.where()
    assert where.stays[BO] == [
        (0, 1, (1, 1)), (1, 2, (1, 0)), (2, 3, (2, 0)), (3, 5, (3, 0)), (5, 2 * DAY, (4, 0)),
    ]  # fmt: skip
    assert where.rooms[BO] == [(0, 1, ROAD), (1, 2 * DAY, CAFE)]
    assert (where.tile_at(BO, 3), where.room_at(BO, 0), where.tile_at(ANN, 5), where.room_at(ANN, 5)) == ((3, 0), ROAD, None, "")
    assert where.minutes(BO, "Wick : Cafe", 0, 10) == pytest.approx(9)


# -- lunch -----------------------------------------------------------------------------------------------------------------


def test_a_second_lunch(wick: Wick) -> None:
    wick.act(BO, 720, 740, "eating a sandwich for lunch", icon="eat")
    wick.act(BO, 780, 800, "having lunch with Cy", CAFE)
    wick.act(BO, DAY + 720, DAY + 740, "eating lunch", icon="eat")  # the next day's
    assert odd(wick, "second_lunch") == [(BO, 780, "eating a sandwich for lunch")]


def test_a_lunch_in_several_acts_is_one(wick: Wick) -> None:
    block = wick.memory(BO, 600, "From 12:00 to 13:30, Bo Reed plans on eating lunch", kind="plan")
    wick.act(BO, 700, 710, "making lunch", icon="cook")
    wick.act(BO, 720, 730, "eating lunch", icon="eat", records=(block,))
    wick.act(BO, 730, 790, "talking", records=(block,))
    wick.act(BO, 790, 800, "finishing the last bite", icon="eat", records=(block,))
    wick.act(BO, 900, 910, "clearing away after lunch", icon="eat")
    wick.act(BO, 910, 990, "getting through the lunch rush", icon="serve")
    wick.act(BO, 1100, 1130, "eating dinner", icon="eat")
    assert odd(wick, "second_lunch") == []


def test_eating_what_was_planned_as_lunch_is_lunch(wick: Wick) -> None:
    one = wick.memory(BO, 600, "Bo Reed plans on eating lunch", kind="plan")
    two = wick.memory(BO, 700, "Bo Reed plans on having lunch in the park", kind="plan")
    wick.act(BO, 720, 730, "taking another bite", icon="eat", records=(one,))
    wick.act(BO, 800, 810, "chewing", icon="eat", records=(two,))
    assert odd(wick, "second_lunch") == [(BO, 800, "taking another bite")]


# -- places ----------------------------------------------------------------------------------------------------------------


def test_in_a_closed_place(wick: Wick) -> None:
    wick.at(BO, 0, AT_HOME)
    wick.at(BO, 19 * HOUR, IN_CAFE)  # it closes at 20:00
    wick.at(BO, 20 * HOUR + 11, AT_HOME)
    wick.at(CY, 0, IN_CAFE)
    wick.at(CY, 9 * HOUR, AT_HOME)  # in there since before it opened
    assert odd(wick, "closed_place") == [(CY, 0, "480"), (BO, 20 * HOUR, "11")]


def test_leaving_in_time_or_working_there_is_fine(wick: Wick) -> None:
    wick.at(BO, 0, AT_HOME)
    wick.at(BO, 19 * HOUR, IN_CAFE)
    wick.at(BO, 20 * HOUR + 10, AT_HOME)
    wick.at(ANN, 0, IN_CAFE)  # Ann works there
    assert odd(wick, "closed_place") == []


def test_an_over_full_room(wick: Wick) -> None:
    wick.at(BO, 0, IN_BATH)
    wick.at(CY, 100, (21, 0))
    wick.at(CY, 130, AT_HOME)
    assert odd(wick, "over_full") == [(CY, 100, "1")]


def test_walking_through_fills_no_room(tmp_path: Path) -> None:
    wick = Wick(tmp_path)
    wick.run.set_meta({"step_seconds": "10"})
    wick.at(BO, 0, IN_BATH)
    wick.at(CY, 100, (22, 0), "WE")  # in and out again
    wick.at(CY, 103, AT_HOME)
    assert odd(wick, "over_full") == []


def test_an_over_full_object(wick: Wick) -> None:
    for who, tile in ((BO, AT_TABLE), (CY, (3, 0)), (DI, (3, 0))):
        wick.at(who, 0, tile)
    one = wick.act(BO, 600, 660, "drawing", TABLE)
    two = wick.act(CY, 630, 640, "drawing, too", TABLE)
    wick.act(DI, 600, 660, "standing about", CAFE)  # stands at the table, and uses it not
    found = oddities(wick.reading(), wick.where())["over_full"]
    assert [(one.resident, one.step, one.text, one.ids, one.place) for one in found] == [
        (CY, 630, f"{BO}, {CY}", (one, two), TABLE)
    ]


def test_taking_turns_at_an_object_is_fine(wick: Wick) -> None:
    wick.at(BO, 0, AT_TABLE)
    wick.at(CY, 0, (3, 0))
    wick.act(BO, 600, 660, "drawing", TABLE)
    wick.act(CY, 660, 690, "drawing, too", TABLE)
    assert odd(wick, "over_full") == []


# -- night -----------------------------------------------------------------------------------------------------------------


def _asleep(wick: Wick, *people: str) -> None:
    for who in people:
        wick.at(who, 0, AT_HOME)
        wick.act(who, 0, 2 * DAY, "sleeping", asleep=True)


def test_everybody_asleep_at_home(wick: Wick) -> None:
    _asleep(wick, ANN, BO, CY, DI)
    assert odd(wick, "away_at_night") == []


def test_up_at_night(wick: Wick) -> None:
    habit = wick.memory(DI, -1, tag="identity")
    plan = wick.memory(DI, 0, kind="plan", evidence=(habit,))
    _asleep(wick, ANN)
    wick.at(BO, 0, IN_CAFE)
    wick.act(BO, 0, 2 * DAY, "sleeping", CAFE, asleep=True)  # asleep, and not at home
    for who in (CY, DI):
        wick.at(who, 0, AT_HOME)
    wick.act(CY, 0, 2 * DAY, "reading")
    wick.act(DI, 0, 200, "baking", plan=plan)  # a habit is no reason
    wick.act(DI, 200, 2 * DAY, "sleeping", asleep=True)
    assert odd(wick, "away_at_night") == [(BO, 180, ""), (CY, 180, ""), (DI, 180, ""), (BO, DAY + 180, ""), (CY, DAY + 180, "")]


def test_a_reason_on_file_excuses(wick: Wick) -> None:
    _asleep(wick, ANN, BO)
    news = wick.memory(CY, 100, "The oven burns.")
    plan = wick.memory(CY, 100, kind="plan", evidence=(news,))
    for who in (CY, DI):
        wick.at(who, 0, AT_HOME)
    wick.act(CY, 100, 2 * DAY, "putting out the fire", plan=plan)
    wick.act(DI, 100, 2 * DAY, "looking for the noise", percepts=("oven@100",))
    assert odd(wick, "away_at_night") == []


# -- appointments ----------------------------------------------------------------------------------------------------------


def test_a_missed_appointment(wick: Wick) -> None:
    wick.fact("fair", gathering=FAIR, tracked=False)
    promise = wick.memory(BO, 100, fact="fair", tag="promise", about=BO)
    wick.at(BO, 0, AT_HOME)
    act = wick.act(BO, 600, 900, "mending a roof")
    found = oddities(wick.reading(), wick.where())["missed_appointment"]
    assert [(one.resident, one.step, one.text, one.detail, one.ids) for one in found] == [
        (BO, FAIR.start, "fair", "mending a roof", (promise, act))
    ]


def test_a_host_who_is_not_there(wick: Wick) -> None:
    wick.fact("fair", gathering=FAIR)
    wick.memory(ANN, -1, fact="fair", tag="learned")
    wick.at(ANN, 0, AT_HOME)
    assert odd(wick, "missed_appointment") == [(ANN, FAIR.start, "")]


def test_appointments_kept_refused_called_off_or_never_promised(wick: Wick) -> None:
    wick.fact("fair", gathering=FAIR)
    wick.fact("rain", retracts="fair")
    wick.at(ANN, 0, AT_HOME)
    wick.at(ANN, FAIR.start, IN_CAFE)  # kept
    wick.memory(ANN, 90, fact="fair", tag="promise", about=BO)  # Bo's promise to Ann
    wick.memory(ANN, -1, fact="fair", tag="learned")
    for who in (BO, CY, DI):
        wick.at(who, 0, AT_HOME)
    wick.memory(BO, 100, fact="fair", tag="promise", about=BO)
    wick.memory(BO, 200, fact="fair", tag="refusal", about=BO)  # taken back
    wick.memory(CY, 100, fact="fair", tag="promise", about=CY)
    wick.memory(CY, 300, fact="rain", heard_from=ANN)  # called off, and told
    wick.memory(DI, 100, fact="fair", heard_from=ANN)  # only heard of it
    assert odd(wick, "missed_appointment") == []


def test_a_retraction_that_was_not_heard_does_not_excuse(wick: Wick) -> None:
    wick.fact("fair", gathering=FAIR)
    wick.fact("rain", retracts="fair")
    wick.at(CY, 0, AT_HOME)
    wick.memory(CY, 100, fact="fair", tag="promise", about=CY)
    wick.memory(BO, 300, fact="rain", heard_from=ANN)
    assert odd(wick, "missed_appointment") == [(CY, FAIR.start, "")]


def test_what_is_still_to_come_was_not_missed(tmp_path: Path) -> None:
    wick = Wick(tmp_path, days=0.4)
    wick.fact("fair", gathering=FAIR)
    wick.memory(BO, 100, fact="fair", tag="promise", about=BO)
    assert odd(wick, "missed_appointment") == []


def test_the_kit_knows_its_rooms(wick: Wick) -> None:
    assert {HOUSE, BATH, CAFE, ROAD, TABLE} <= set(wick.reading().places)
