"""The offline model's planning responders: reading habits, days, hours, tasks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise

import pytest

from kernel import Dice, minutes_of
from language.offline import responder_for
from language.offline.affordances import affordance_of
from language.offline.day_wishes import read_intention
from language.offline.reading import Reading, read
from language.offline.routine import routine_of
from language.operations import Decompose, PlanDay, PlanHours
from language.replies import DayOutline, HourPlan, TaskList
from language.values import Commitment, Event, Person, Recollection, Scene, Statement

MONDAY = datetime(2023, 2, 13)


def person(
    rhythm: Sequence[str],
    *,
    name: str = "Orla Quinn",
    pronoun: str = "she",
    aims: Sequence[str] = (),
    work: tuple[int, int] | None = None,
    workplace: str | None = None,
    wakes: str = "6:00",
    sleeps: str = "22:00",
    traits: tuple[str, ...] = ("gruff", "practical"),
    occupation: str = "blacksmith",
    talkative: float = 0.5,
) -> Person:
    texts = [(r, "rhythm") for r in rhythm] + [(a, "aim") for a in aims]
    statements = tuple(Statement(f"{name}/-1/{i}", text, topic) for i, (text, topic) in enumerate(texts))
    return Person(
        name, 40, pronoun, occupation, traits, statements, f"Dale : {name}'s house : main room", workplace, work,
        minutes_of(wakes), minutes_of(sleeps), 0.4, talkative,
    )  # fmt: skip


SMITH = person(
    [
        "She lights the forge at six.",
        "From seven to four she hammers horseshoes at the smithy.",
        "At noon she eats bread and cheese on the jetty.",
        "After work she swims in the pond.",
        "Most evenings she can be found at the tavern, playing dominoes with Ida Holm.",
        "She never eats meat.",
    ],
    work=(420, 960),
    workplace="Dale : smithy : workshop",
    wakes="5:30",
    aims=["Orla Quinn wants to forge a gate for the churchyard."],
)
LATE = person(
    ["In the afternoon he writes songs at his desk.", "At night he plays the drums in the cellar."],
    name="Zed Ode", pronoun="he", wakes="11:00", sleeps="27:00", occupation="drummer",
)  # fmt: skip
BARE = person(["She likes to look at the sea."], name="Una Voss", wakes="7:00", sleeps="21:00", occupation="retired")


def plan(who: Person, seed: int = 1, now: int | None = None, **fields: object) -> DayOutline:
    scene = Scene(MONDAY + timedelta(minutes=who.wakes if now is None else now), who.home, "waking")
    operation = PlanDay(person=who, summary="", scene=scene, **fields)  # type: ignore[arg-type]
    reply = responder_for(PlanDay)(operation, Dice(seed, who.name, 7, "plan_day/0"))
    assert isinstance(reply, DayOutline)
    return DayOutline.model_validate(reply.model_dump())


def spans(outline: DayOutline) -> list[tuple[int, int, str]]:
    return [(minutes_of(p.start), minutes_of(p.end), p.activity) for p in outline.parts]


def one(text: str, name: str = "Klaus Mueller") -> Reading:
    found = read(text, name)
    assert len(found) == 1, found
    return found[0]


# --- reading -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "activity", "place", "people"),
    [
        ("Every afternoon Klaus swims in the pond.", "swimming", "the pond", ()),
        (
            "After work he plays chess with Sam on the bench in the park.",
            "playing chess with Sam",
            "the bench in the park",
            ("Sam",),
        ),
        ("At 7:30 pm Klaus goes to the tavern to sing.", "going to the tavern to sing", "the tavern", ()),
        ("On Sundays he sometimes visits his mother in the old mill.", "visiting his mother", "the old mill", ()),
        (
            "Most evenings he can be found at the tavern, playing dominoes with Ida Holm.",
            "playing dominoes with Ida Holm",
            "the tavern",
            ("Ida Holm",),
        ),
        ("First thing in the morning, he feeds the goats.", "feeding the goats", None, ()),
        (
            "He buys bread and apples at the Willows Market and Pharmacy at ten.",
            "buying bread and apples",
            "the Willows Market and Pharmacy",
            (),
        ),
        ("In the morning he saws and zorbles boards in the workshop.", "sawing and zorbling boards", "the workshop", ()),
        (
            "Before bed he looks at the stars and makes a list of them.",
            "looking at the stars and making a list of them",
            None,
            (),
        ),
        ("From eight to one he goes to school.", "going to school", "school", ()),
        ("He likes to swim before breakfast.", "swimming", None, ()),
        (
            "At nine he paints backgrounds on his tablet at the desk in his room.",
            "painting backgrounds on his tablet",
            "the desk in his room",
            (),
        ),
    ],
)
def test_reading_what_where_with_whom(text: str, activity: str, place: str | None, people: tuple[str, ...]) -> None:
    reading = one(text)
    assert (reading.activity, reading.place, reading.people) == (activity, place, people)


def test_reading_when() -> None:
    assert (one("Klaus naps at noon.").cue.at, one("Klaus naps at 7:30 pm.").cue.at) == (720, 1170)
    assert one("At half past six in the evening Klaus cooks.").cue.at == 1110
    assert one("Klaus walks at a quarter to nine in the morning.").cue.at == 525
    assert one("From nine to five Klaus works.").cue.until == 1020
    assert one("Every afternoon Klaus naps.").cue.window == (810, 1020)
    assert one("After lunch Klaus naps.").cue.relative == ("after", "lunch")
    assert one("On weekends Klaus sometimes hikes.").cue.days == (5, 6)
    assert one("On weekends Klaus sometimes hikes.").cue.often == 0.45


def test_reading_negations_meals_and_sentences_about_nothing() -> None:
    assert one("He never eats meat.").negative
    assert one("He has soup for lunch at one.").meal == "lunch"
    assert one("After lunch he sleeps.").meal is None
    assert one("He eats a second breakfast at nine.").meal is None
    assert read("The house is old.", "Klaus Mueller") == ()


@pytest.mark.parametrize(
    ("activity", "affordance"),
    [
        ("brushing her teeth", "wash"),
        ("taking a shower", "shower"),
        ("watering the tomatoes", "garden"),
        ("sketching pigeons", "paint"),
        ("having soup for lunch", "eat"),
        ("writing code", "compute"),
        ("pulling a pint", "serve"),
        ("restocking the shelves", "stock"),
        ("taking a long walk", "stroll"),
        ("practising the harp", "make_music"),
        ("attending a lecture", "attend_class"),
        ("grading papers", "study"),
        ("buying a cake", "shop"),
        ("taking a nap", "sleep"),
        ("mending a net", "repair"),
        ("strumming a mandolin", "make_music"),
        ("playing checkers", "play"),
    ],
)
def test_affordances_of_activities(activity: str, affordance: str) -> None:
    assert affordance_of(activity)[0][0] == affordance


def test_an_hour_without_morning_or_evening_is_the_next_one_in_the_day() -> None:
    who = person(["She wakes the cat at seven.", "Around three she knits.", "At six she rings the bell.", "At ten she reads."])
    assert [h.start for h in routine_of(who).habits] == [420, 900, 1080, 1320]


# --- days ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", [SMITH, LATE, BARE], ids=lambda p: p.name)
@pytest.mark.parametrize("seed", range(12))
def test_a_day_is_whole(who: Person, seed: int) -> None:
    found = spans(plan(who, seed))
    assert 5 <= len(found) <= 8
    assert found[0][0] == who.wakes
    assert who.sleeps - 5 <= found[-1][1] <= who.sleeps + 30
    assert all(a[1] == b[0] for a, b in pairwise(found))
    assert all(end > start for start, end, _ in found)


@pytest.mark.parametrize("seed", range(12))
def test_one_of_each_meal_and_none_twice(seed: int) -> None:
    text = " | ".join(activity for _, _, activity in spans(plan(BARE, seed)))
    assert [text.count(meal) for meal in ("breakfast", "lunch", "dinner")] == [1, 1, 1]
    late = " | ".join(activity for _, _, activity in spans(plan(LATE, seed)))
    assert [late.count(meal) for meal in ("breakfast", "lunch", "dinner")] == [1, 0, 1]


def test_sentences_and_working_hours_shape_the_day_and_are_cited() -> None:
    outline = plan(SMITH)
    working = [p for p in outline.parts if p.activity == "hammering horseshoes"]
    assert sum(minutes_of(p.end) - minutes_of(p.start) for p in working) >= 420
    assert {p.place for p in working} == {"the smithy"}
    assert all(p.rests_on == ["Orla Quinn/-1/1"] for p in working)
    assert any("dominoes" in p.activity and "Orla Quinn/-1/4" in p.rests_on for p in outline.parts)
    assert not any("meat" in p.activity for p in outline.parts)


def test_one_edited_sentence_changes_the_day() -> None:
    edited = person(["Every evening she flies kites on the hill."], name="Una Voss", wakes="7:00", sleeps="21:00")
    part = next(p for p in plan(edited).parts if "flying kites" in p.activity)
    assert part.rests_on[0] == "Una Voss/-1/0"
    assert not any("kites" in p.activity for p in plan(BARE).parts)


def test_days_differ_and_the_same_dice_give_the_same_day() -> None:
    assert plan(BARE, 3) == plan(BARE, 3)
    assert len({str(plan(BARE, seed)) for seed in range(8)}) >= 6


def test_weekday_sentences_keep_to_their_days() -> None:
    who = person(["On Sundays she polishes the bells.", "On Mondays she bakes pies at two."], name="Una Voss")
    text = str(plan(who))
    assert "baking pies" in text
    assert "bells" not in text


# --- the diary -----------------------------------------------------------------------------------------------------

FAIR = Event("harvest supper", "Dale : barn : hall", MONDAY + timedelta(hours=18), MONDAY + timedelta(hours=20), "Una Voss")


def diary(role: str, *, firm: bool = True, off: bool = False, event: Event = FAIR) -> tuple[Commitment, ...]:
    return (Commitment("c/1/0", event, role, firm, off),)


def test_a_host_gets_ready_is_early_and_stays_to_the_end() -> None:
    found = [p for p in plan(BARE, commitments=diary("host")).parts if "c/1/0" in p.rests_on]
    assert [(p.start, p.end) for p in found] == [("16:15", "18:00"), ("18:00", "20:00")]
    assert found[0].activity.startswith(("getting everything ready for the", "setting everything up for the"))
    assert {p.place for p in found} == {"the barn"}


def test_a_guest_goes_and_eats_before_or_after() -> None:
    outline = plan(SMITH, commitments=diary("guest"))
    part = next(p for p in outline.parts if p.rests_on == ["c/1/0"])
    assert minutes_of(part.start) == 1075
    assert "harvest supper" in part.activity
    assert "dinner" not in " | ".join(p.activity for p in outline.parts)  # the event is the supper
    fair = plan(SMITH, commitments=diary("guest", event=Event("kite fair", FAIR.place, FAIR.start, FAIR.end, FAIR.host)))
    assert " | ".join(p.activity for p in fair.parts).count("dinner") == 1


def test_what_is_called_off_is_not_gone_to() -> None:
    outline = plan(BARE, commitments=diary("guest", off=True))
    assert not any("supper" in p.activity for p in outline.parts)
    assert "isn't taking place" in outline.thought


def test_only_heard_of_some_go_and_some_do_not() -> None:
    went = [any("supper" in p.activity for p in plan(BARE, s, commitments=diary("guest", firm=False)).parts) for s in range(40)]
    assert 4 <= sum(went) <= 34


def test_planning_again_leaves_the_past_alone() -> None:
    outline = plan(SMITH, now=13 * 60 + 7, replanning="promised to come", commitments=diary("guest"))
    found = spans(outline)
    assert found[0][0] == 787
    assert not any("lighting the forge" in a or "breakfast" in a or "bread and cheese" in a for _, _, a in found)
    assert any("supper" in a for _, _, a in found)


# --- intentions ----------------------------------------------------------------------------------------------------


def memory(text: str, tag: str = "intention", kind: str = "reflection") -> Recollection:
    return Recollection("m/9/0", text, kind, 10.0, 6, tag=tag)


@pytest.mark.parametrize(
    ("text", "activity"),
    [
        ("Una Voss means to paint the boat shed.", "painting the boat shed"),
        ("Una Voss means to set aside time to learn Danish", "learning Danish"),
        ("Una Voss means to spend more time painting boats", "painting boats"),
        ("Una Voss means to ask Bo Ek about the lost goat", "looking for Bo Ek to ask about the lost goat"),
        ("Una Voss means to talk with Bo Ek again", "looking for Bo Ek to talk"),
        ("Una Voss means to see more of Bo Ek", "spending some time with Bo Ek"),
    ],
)
@pytest.mark.parametrize("seed", [1, 2])
def test_an_intention_changes_the_day_and_is_cited(text: str, activity: str, seed: int) -> None:
    part = next((p for p in plan(BARE, seed, recent=(memory(text),)).parts if activity in p.activity), None)
    assert part is not None
    assert "m/9/0" in part.rests_on
    assert not any(activity in p.activity for p in plan(BARE, seed).parts)


def test_the_inner_voice_is_obeyed_at_once() -> None:
    voice = memory("Una Voss thought: you should fly a kite on the hill", "voice", "observation")
    outline = plan(BARE, now=600, replanning="an inner voice", recent=(replace(voice, hours_ago=0.0),))
    assert outline.parts[0].activity.startswith("flying a kite")
    assert outline.parts[0].rests_on[0] == "m/9/0"


def test_what_is_no_doable_intention_is_left_alone() -> None:
    assert read_intention("Una Voss means to be happy", "Una Voss") is None
    assert read_intention("Bo Ek wants to sail home", "Una Voss") is None
    assert read_intention("Una Voss often cooks", "Una Voss") is None
    found = read_intention("Una Voss has decided not to smoke", "Una Voss")
    assert found is not None
    assert found[1]


# --- hours and tasks -----------------------------------------------------------------------------------------------


def hours(who: Person, parts: tuple[tuple[int, int, str, str | None], ...], seed: int = 1) -> HourPlan:
    reply = responder_for(PlanHours)(
        PlanHours(person=who, scene=Scene(MONDAY, who.home, ""), parts=parts), Dice(seed, who.name, 1, "h")
    )
    assert isinstance(reply, HourPlan)
    return HourPlan.model_validate(reply.model_dump())


@pytest.mark.parametrize("who", [SMITH, LATE, BARE], ids=lambda p: p.name)
@pytest.mark.parametrize("seed", range(6))
def test_hours_cover_the_parts(who: Person, seed: int) -> None:
    parts = tuple((minutes_of(p.start), minutes_of(p.end), p.activity, p.place) for p in plan(who, seed).parts)
    blocks = hours(who, parts, seed).blocks
    for index, (start, end, _, _) in enumerate(parts):
        mine = [b for b in blocks if b.part == index]
        assert minutes_of(mine[0].start) == start
        assert sum(b.minutes for b in mine) == end - start
        assert all(minutes_of(a.start) + a.minutes == minutes_of(b.start) for a, b in pairwise(mine))
        assert all(5 <= b.minutes <= 95 for b in mine)


def test_things_joined_in_a_part_come_apart_with_their_places() -> None:
    blocks = hours(BARE, ((420, 500, "feeding the hens, then having breakfast in the kitchen", None),)).blocks
    assert [(b.activity, b.place) for b in blocks] == [("feeding the hens", None), ("having breakfast", "the kitchen")]


def test_hours_of_work_fit_the_time_of_day() -> None:
    keeper = person(
        ["At eight she opens the cafe and serves guests."],
        work=(480, 1200),
        workplace="Dale : Blue Cafe : room",
        occupation="cafe owner",
    )
    for seed in range(8):
        for block in hours(keeper, ((480, 1200, "serving guests", "the counter of the Blue Cafe"),), seed).blocks:
            start = minutes_of(block.start)
            assert not ("evening" in block.activity and start < 1020), block
            assert not ("morning" in block.activity and start > 720), block
            assert not ("closing" in block.activity and start < 1100), block


def tasks(who: Person, activity: str, minutes: int, *, recent: tuple[str, ...] = (), seed: int = 1, start: int = 600) -> TaskList:
    operation = Decompose(
        person=who, scene=Scene(MONDAY, who.home, ""), activity=activity, start=start, minutes=minutes, place=None, recent=recent
    )
    reply = responder_for(Decompose)(operation, Dice(seed, who.name, start, "d"))
    assert isinstance(reply, TaskList)
    return TaskList.model_validate(reply.model_dump())


@pytest.mark.parametrize(
    "activity", ["baking bread", "revising a poem aloud", "zorbling the frobs", "hosting the harvest supper", "working"]
)
@pytest.mark.parametrize("minutes", [3, 12, 35, 60, 90])
def test_tasks_fill_their_block_and_hold_the_activity(activity: str, minutes: int) -> None:
    for seed in range(6):
        found = tasks(BARE, activity, minutes, seed=seed).tasks
        assert sum(t.minutes for t in found) == minutes
        assert all(t.minutes <= 15 for t in found)
        assert minutes < 5 or all(t.minutes >= 5 for t in found)
        assert activity in [t.activity for t in found]
        assert not any("{" in t.activity for t in found)


def test_tasks_are_not_repeated_soon() -> None:
    first = [t.activity for t in tasks(BARE, "baking bread", 60).tasks]
    second = [t.activity for t in tasks(BARE, "baking bread", 60, recent=tuple(first), seed=2).tasks]
    assert set(first) & set(second) <= {"baking bread"}


def test_work_opens_and_closes_only_when_it_does() -> None:
    keeper = person(["She serves."], work=(480, 1200), workplace="Dale : Blue Cafe : room", occupation="barista")
    texts = {t.activity for s in range(30) for t in tasks(keeper, "serving guests in the cafe", 60, seed=s, start=840).tasks}
    assert not texts & {"switching on the coffee machine", "cashing up"}


# --- planning again ------------------------------------------------------------------------------------------------

LEFT = (
    (540, 720, "sorting seeds", "the barn"),
    (720, 765, "eating lunch", "home"),
    (765, 1050, "mending nets", "the shed"),
    (1050, 1110, "eating dinner", "home"),
    (1110, 1320, "reading a little", "home"),
)


def again(now: int = 600, **fields: object) -> list[tuple[int, int, str]]:
    return spans(plan(BARE, now=now, replanning="something came up", current=LEFT, **fields))


def test_planning_again_keeps_what_need_not_change() -> None:
    assert again() == [(600, 720, "sorting seeds"), *((a, b, text) for a, b, text, _ in LEFT[1:])]


def test_planning_again_puts_a_new_appointment_in_and_nothing_else_moves() -> None:
    fair = Event("kite fair", "Dale : hill", MONDAY + timedelta(hours=15), MONDAY + timedelta(hours=16), "Bo Ek")
    found = again(commitments=diary("guest", event=fair))
    assert [(a, b) for a, b, _ in found] == [
        (600, 720),
        (720, 765),
        (765, 895),
        (895, 960),
        (960, 1050),
        (1050, 1110),
        (1110, 1320),
    ]
    assert found[3][2].endswith("the kite fair")
    kept = again(commitments=diary("guest", event=fair), now=900)
    assert kept[0][2].endswith("the kite fair")


def test_planning_again_drops_what_is_called_off_and_is_not_shy_of_a_voice() -> None:
    supper = (*LEFT[:3], (1050, 1200, "joining the harvest supper", "the barn"), (1200, 1320, "reading a little", "home"))
    outline = plan(BARE, now=600, replanning="called off", current=supper, commitments=diary("guest", off=True))
    assert "supper" not in " ".join(part.activity for part in outline.parts)
    voice = replace(memory("Una Voss thought: you should fly a kite on the hill", "voice", "observation"), hours_ago=0.0)
    found = again(recent=(voice,))
    assert found[0][2].startswith("flying a kite")
    assert [text for _, _, text in found[-3:]] == ["mending nets", "eating dinner", "reading a little"]


def test_what_is_meant_for_tomorrow_waits() -> None:
    voice = replace(memory("Una Voss thought: tomorrow you should fly a kite", "voice", "observation"), hours_ago=0.0)
    assert not any("kite" in text for _, _, text in again(recent=(voice,)))


def test_two_things_in_one_block_follow_one_another() -> None:
    found = tasks(BARE, "feeding the sparrows and shaving", 30, start=420)
    assert [task.activity for task in found.tasks][:2] == ["feeding the sparrows", "shaving"]


def test_a_meal_begins_and_ends_once() -> None:
    for seed in range(6):
        texts = [task.activity for task in tasks(BARE, "eating lunch", 45, seed=seed).tasks]
        assert not any(text.startswith("finishing") for text in texts[:-1]), texts
        assert not any(text.startswith(("getting lunch", "sitting down")) for text in texts[1:]), texts


def test_tasks_of_a_meal_stay_at_the_table() -> None:
    found = tasks(BARE, "eating lunch", 45).tasks
    assert [task.stays for task in found] == [False] + [True] * (len(found) - 1)


def test_an_event_is_filled_by_its_own_words() -> None:
    glue = {
        text
        for seed in range(5)
        for text in (t.activity for t in tasks(BARE, "joining the mending evening", 60, seed=seed).tasks)
    }
    dance = {
        text for seed in range(5) for text in (t.activity for t in tasks(BARE, "joining the harvest dance", 60, seed=seed).tasks)
    }
    assert "tightening a loose screw" in glue
    assert "dancing a little" in dance
    assert "dancing a little" not in glue
