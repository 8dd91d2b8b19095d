"""What residents bring with them: sentences, statements that are records, facts, tidings and happenings in order."""

from __future__ import annotations

from datetime import datetime

import pytest

from agents.arrival import known_at_start, placed_at_start, staff_of
from agents.persona import person_of, sentences, statements_of
from kernel import Clock, RecordId, UsageError
from personas import Acquaintance, Persona, Work
from scenarios import FactSpec, GatheringSpec, HappeningSpec, MemorySpec, Scenario
from simulation.compose import settings_of
from simulation.models import parse_assignments
from simulation.seeds import facts_of, happenings_of, seed_records, tidings_of
from town import Gathering, Happening
from town.tree import Arena, GameObject, Sector, TownMap

NOON = datetime(2023, 2, 13, 12)
CLOCK = Clock(datetime(2023, 2, 13), 10)


def persona(name: str, **more: object) -> Persona:
    return Persona.model_validate(
        {
            "name": name, "age": 40, "pronoun": "she", "occupation": "baker", "traits": ["calm"], "home": "House : room",
            "bed": "House : room : bed", "wakes": "6:30", "sleeps": "24:30", "speech": "She speaks slowly.",
            "about": f"{name} bakes. She met Dr. A. Bo Reed once.",
            "rhythm": ["At six she bakes.", "At noon she eats. Then she rests."],
            "aims": [f"{name} wants a new oven."], **more,
        }
    )  # fmt: skip


ANN = persona(
    "Ann Moss",
    work=Work(place="Cafe : room : counter", hours=("8:00", "12:00")),
    knows={"Bo Reed": Acquaintance(how="friend", text="Bo Reed is a friend. He mends roofs.", closeness=0.5)},
    talkative=0.9,
)
BO = persona("Bo Reed", newcomer=True)
SCENARIO = Scenario(
    name="wick", title="Wick", map="wick", people="wick", residents=("Ann Moss", "Bo Reed"), start=datetime(2023, 2, 13),
    facts={
        "fair": FactSpec(
            text="Ann Moss holds a fair.", about="Ann Moss", holders=("Ann Moss",), importance=9,
            gathering=GatheringSpec(name="fair", place="Cafe : room", start=NOON, end=NOON.replace(hour=13), host="Ann Moss"),
        ),
        "off": FactSpec(
            text="The fair of Ann Moss is off.", holders=("Bo Reed", "Ann Moss"), retracts="fair", at=NOON.replace(hour=9),
        ),
    },
    memories=(MemorySpec(resident="Ann Moss", text="Ann Moss broke a cup.", importance=2, about="Bo Reed"),),
    happenings=(
        HappeningSpec(at=NOON.replace(hour=10), kind="event", text="smoke", place="Cafe : room", minutes=5),
        HappeningSpec(at=NOON.replace(hour=8), kind="voice", text="go home", resident="Bo Reed"),
    ),
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ("One.", "Two!", "Three?")),
        ("She met Dr. Lee at 7.30 a.m. in town. He left.", ("She met Dr. Lee at 7.30 a.m. in town.", "He left.")),
        ('He said "Never." Then he left.', ('He said "Never."', "Then he left.")),
        ("  Only\n one ", ("Only one",)),
        ("J. R. Poe wrote it. Fine.", ("J. R. Poe wrote it.", "Fine.")),
        ("", ()),
    ],
)
def test_sentences(text: str, expected: tuple[str, ...]) -> None:
    assert sentences(text) == expected


def test_statements_are_the_first_records_with_the_same_ids() -> None:
    facts = facts_of(SCENARIO, "Wick", CLOCK)
    records = seed_records(ANN, SCENARIO, facts, ("Ann Moss", "Bo Reed"))
    statements = statements_of(ANN)
    assert [(s.id, s.text) for s in statements] == [(str(r.id), r.text) for r in records[: len(statements)]]
    assert [s.topic for s in statements] == ["about", "about", "rhythm", "rhythm", "rhythm", "aim", "speech"]
    assert [r.tag for r in records] == ["identity"] * 7 + ["acquaintance", "learned", ""]
    assert records[0].id == RecordId("Ann Moss", -1, 0)
    assert {r.created for r in records} == {-1}


def test_acquaintance_fact_and_memory_records() -> None:
    facts = facts_of(SCENARIO, "Wick", CLOCK)
    known, fair, cup = seed_records(ANN, SCENARIO, facts, ("Ann Moss", "Bo Reed"))[-3:]
    assert (known.about, known.how, known.tone, known.importance, known.people) == ("Bo Reed", "friend", 0.5, 5, ("Bo Reed",))
    assert fair.fact == facts["fair"]
    assert (fair.importance, fair.about, fair.heard_from) == (9, None, None)
    assert (cup.text, cup.importance, cup.people) == ("Ann Moss broke a cup.", 2, ("Bo Reed",))
    assert [r.tag for r in seed_records(BO, SCENARIO, facts, ("Ann Moss", "Bo Reed"))] == ["identity"] * 7


def test_facts_have_addresses_and_steps() -> None:
    facts = facts_of(SCENARIO, "Wick", CLOCK)
    assert facts["fair"].gathering == Gathering("fair", "Wick : Cafe : room", 4320, 4680, "Ann Moss")
    assert facts["off"].retracts == "fair"
    assert tidings_of(SCENARIO, facts)["off"].fact == facts["off"]
    assert list(tidings_of(SCENARIO, facts)) == ["off"]


def test_happenings_in_order_of_time() -> None:
    assert happenings_of(SCENARIO, "Wick", CLOCK) == (
        Happening(2880, "voice", "go home", resident="Bo Reed"),
        Happening(3240, "told", "off", resident="Bo Reed"),
        Happening(3240, "told", "off", resident="Ann Moss"),
        Happening(3600, "event", "smoke", place="Wick : Cafe : room", until=3630),
    )


def test_a_person_as_models_see_it() -> None:
    person = person_of(ANN, "Wick")
    assert (person.home, person.workplace, person.work_hours) == (
        "Wick : House : room",
        "Wick : Cafe : room : counter",
        (480, 720),
    )
    assert (person.wakes, person.sleeps, person.talkative, person.formality) == (390, 1470, 0.9, 0.4)
    assert person_of(BO, "Wick").workplace is None


def small_town() -> TownMap:
    bed = GameObject("Wick : House : room : bed", "bed", ((0, 0),), ((0, 0), (1, 0)), 2, ("sleep",), "made")
    room = Arena("Wick : House : room", frozenset({(0, 0), (1, 0)}), (bed,))
    store = Arena("Wick : House : store", frozenset({(2, 0)}), (), owners=("Bo Reed",))
    house = Sector("Wick : House", "home", (room, store), owners=("Ann Moss", "Bo Reed"))
    cafe = Sector("Wick : Cafe", "cafe", (Arena("Wick : Cafe : room", frozenset({(5, 0)}), ()),), hours=(480, 720))
    other = Sector("Wick : Villa", "home", (Arena("Wick : Villa : hall", frozenset({(7, 0)}), ()),), owners=("Zed",))
    return TownMap(
        "Wick",
        9,
        1,
        (house, cafe, other),
        frozenset(),
        frozenset(),
        frozenset(),
        by_address={bed.address: bed, house.address: house},
    )


def test_where_people_start_and_what_they_know() -> None:
    town = small_town()
    assert placed_at_start((ANN, BO), town) == {"Ann Moss": (0, 0), "Bo Reed": (1, 0)}
    assert staff_of((ANN, BO), town) == {"Wick : Cafe": frozenset({"Ann Moss"})}
    home = ("Wick : House", "Wick : House : room", "Wick : House : room : bed")
    assert known_at_start(ANN, town) == (*home, "Wick : Cafe", "Wick : Cafe : room")
    assert known_at_start(BO, town) == (*home, "Wick : House : store")


def test_settings_are_the_towns_or_the_minds() -> None:
    ours, minds = settings_of({"vision_radius": 6, "retrieve": 12})
    assert (ours, minds.retrieve) == ({"vision_radius": 6}, 12)
    for impossible in ({"vision_radius": "wide"}, {"vision_radius": 0}, {"max_rounds": 2.5}, {"words_per_second": 0}):
        with pytest.raises(UsageError, match=f"the setting '{next(iter(impossible))}' should be"):
            settings_of(impossible)
    with pytest.raises(Exception, match="did you mean vision_radius"):
        settings_of({"vison_radius": 6})


def test_models_for_operations() -> None:
    known = ["say", "questions", "insights"]
    assert parse_assignments(["say,reflect=openai:a=b"], known) == {
        "say": "openai:a=b", "questions": "openai:a=b", "insights": "openai:a=b",
    }  # fmt: skip
