"""The engine: walking, acts and their ends, objects, capacities, opening hours, happenings, quiet nights."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest
from town_kit import (
    BATH,
    BED,
    CAFE,
    HOME,
    SOFA,
    STOVE,
    STREET,
    TABLE,
    act,
    at_start,
    idle,
    make_engine,
    run,
    script,
    waits,
)

from kernel import BudgetReached, UsageError
from town import Happening, Intention, Moment


def test_crossing_walkers_see_each_other_at_the_crossing():
    engine, book, puppets = make_engine(
        {
            "Ann": ((0, 6), script({0: [act(STREET, 500, "walking east")]})),
            "Bob": ((17, 6), script({0: [act(STREET, 500, "walking west")]})),
        }
    )
    # Send them to each other's ends: their paths are the whole street.
    ann, bob = engine.world.bodies
    run(engine, 1)
    engine.resolver.head_for(ann, (17, 6))
    engine.resolver.head_for(bob, (0, 6))
    engine._under_way = True
    run(engine, 40)
    met = [m for m in puppets["Ann"].moments if any(p.subject == "Bob" and p.walking for p in m.percepts)]
    assert met, "they never noticed each other"
    assert met[0].percepts[0].distance <= 4
    assert met[0].fresh
    assert abs(met[0].tile[0] - 8) <= 3  # in the middle of the street, not at its ends
    assert book.where("Ann", 40) == (17, 6)


def test_one_tile_per_step_along_the_whole_path():
    engine, book, puppets = make_engine({"Ann": ((1, 1), at_start(act(TABLE, 100)))})
    seen = []
    for step in range(1, 30):
        run(engine, step)
        seen.append(engine.world.by_name["Ann"].tile)
    for here, there in pairwise(seen):
        assert abs(here[0] - there[0]) + abs(here[1] - there[1]) <= 1
    (first, walk) = book.of("moved")
    assert first == ("Ann", 0, ((1, 1),))
    assert walk[1] == 0
    assert walk[2][0] == (1, 1)
    assert walk[2][-1] in ((10, 1), (10, 3))
    assert [book.where("Ann", s) for s in range(1, 30)] == seen
    arrival = len(walk[2]) - 1
    assert (arrival, "arrived", "") in puppets["Ann"].signals()


@pytest.mark.parametrize("step_seconds", [1, 10, 60])
def test_acts_end_by_time_whatever_the_step_length(step_seconds):
    until = 600 // step_seconds  # ten minutes
    engine, book, puppets = make_engine({"Ann": ((10, 1), at_start(act(TABLE, until, state="laid")))}, step_seconds=step_seconds)
    run(engine, 2 * until)
    assert book.of("act_over") == [("Ann", book.of("acted")[0][0].id, until, "done")]
    assert (until, "act_ended", "") in puppets["Ann"].signals()
    assert engine.clock.at(until) == engine.clock.start.replace(minute=10)


def test_an_act_that_ends_on_the_way_stops_the_walk():
    engine, book, puppets = make_engine({"Ann": ((1, 1), at_start(act(TABLE, 4, state="laid")))})
    run(engine, 30)
    assert book.of("moved")[-1] == ("Ann", 4, (book.where("Ann", 4),))
    assert book.where("Ann", 29) == book.where("Ann", 4)
    assert book.of("object_changed") == []
    assert not any(kind == "arrived" for _, kind, _ in puppets["Ann"].signals())


def test_an_object_is_in_the_acts_state_from_arrival_until_the_end():
    engine, book, _ = make_engine({"Ann": ((6, 3), at_start(act(STOVE, 20, state="boiling")))})
    run(engine, 60)
    doer = book.of("acted")[0][0].id
    assert book.of("object_changed") == [(STOVE, 1, "boiling", doer), (STOVE, 20, "off", doer)]


def test_what_an_act_leaves_and_what_a_second_user_keeps():
    engine, book, _ = make_engine(
        {
            "Ann": ((6, 2), at_start(act(STOVE, 20, state="boiling"))),
            "Bob": ((7, 1), script({5: [act(STOVE, 40, state="frying", leaves="greasy")]})),
        }
    )
    run(engine, 60)
    assert [row[1:3] for row in book.of("object_changed")] == [(1, "boiling"), (6, "frying"), (40, "greasy")]


def test_going_on_with_the_same_object_does_not_switch_it_off_and_on():
    engine, book, _ = make_engine(
        {"Ann": ((6, 2), script({0: [act(STOVE, 20, "boiling eggs", state="on")], 10: [act(STOVE, 30, "frying", state="on")]}))}
    )
    run(engine, 60)
    assert [row[1:3] for row in book.of("object_changed")] == [(1, "on"), (30, "off")]


def test_an_act_does_not_undo_what_a_user_did_meanwhile():
    engine, book, _ = make_engine({"Ann": ((6, 2), at_start(act(STOVE, 20, state="on")))})
    engine.set_object(STOVE, "burning", at=10)
    run(engine, 60)
    assert [row[1:] for row in book.of("object_changed")][1:] == [(10, "burning", None)]
    assert engine.world.at(engine.step).object(STOVE).state == "burning"


def test_seats_are_exclusive_and_the_third_is_told_full():
    minds = {name: (tile, at_start(act(TABLE, 500))) for name, tile in zip("ABC", [(7, 2), (8, 2), (11, 2)], strict=True)}
    engine, book, puppets = make_engine(minds)
    run(engine, 60)
    seats = {name: engine.world.by_name[name] for name in "ABC"}
    resting = [b.tile for b in seats.values() if b.there]
    assert sorted(resting) == [(10, 1), (10, 3)]
    blocked = [name for name in "ABC" if any(kind == "blocked" for _, kind, _ in puppets[name].signals())]
    assert len(blocked) == 1
    assert [d for _, kind, d in puppets[blocked[0]].signals() if kind == "blocked"] == ["full"]
    assert seats[blocked[0]].tile not in resting
    assert [row[3] for row in book.of("act_over")] == ["blocked: full"]


def test_a_bathroom_is_for_one():
    engine, book, puppets = make_engine({"Ann": ((13, 5), at_start(act(BATH, 200))), "Bob": ((9, 5), at_start(act(BATH, 200)))})
    run(engine, 60)
    assert engine.world.by_name["Ann"].arena == BATH
    assert engine.world.by_name["Bob"].tile == (13, 4)  # at the door
    assert [d for _, kind, d in puppets["Bob"].signals() if kind == "blocked"] == ["full"]
    assert book.where("Bob", 59) == (13, 4)


def test_a_closed_place_lets_nobody_in_but_its_staff():
    minds = {"Ann": ((6, 5), at_start(act(STOVE, 900))), "Sue": ((8, 5), at_start(act(STOVE, 900)))}
    engine, _, puppets = make_engine(minds, start="06:00", staff={"Town : cafe": frozenset({"Sue"})})
    run(engine, 30)
    assert engine.world.by_name["Sue"].arena == CAFE
    assert engine.world.by_name["Ann"].tile == (7, 4)
    assert [d for _, kind, d in puppets["Ann"].signals() if kind == "blocked"] == ["closed"]


def test_at_closing_time_guests_are_told_and_no_new_act_begins_there():
    until = 6 * 60 + 100
    minds = {
        "Ann": ((8, 2), script({0: [act(TABLE, until)], 370: [act(STOVE, until)]})),
        "Sue": ((6, 2), at_start(act(STOVE, until))),
        "Tim": ((8, 6), at_start(act(STREET, until))),
    }
    engine, _, puppets = make_engine(minds, start="19:00", staff={"Town : cafe": frozenset({"Sue"})})
    run(engine, 400)
    assert (360, "closing", "Town : cafe") in puppets["Ann"].signals()
    assert not any(kind == "closing" for name in ("Sue", "Tim") for _, kind, _ in puppets[name].signals())
    assert (371, "blocked", "closed") in puppets["Ann"].signals()


def test_unreachable_and_impossible_targets():
    engine, book, puppets = make_engine(
        {
            "Ann": ((1, 1), at_start(act("Town : moon : crater", 9))),
            "Bob": ((3, 3), at_start(act(BED, 0))),
            "Cid": ((5, 0), at_start(act(BED, 9))),  # inside a wall: no way anywhere
        }
    )
    run(engine, 5)
    assert [row[:2] for row in book.of("failed")] == [("Ann", 0), ("Bob", 0)]
    assert puppets["Ann"].outcomes[0].refused == "impossible"
    assert (1, "blocked", "unreachable") in puppets["Cid"].signals()


def test_a_raising_mind_idles_and_the_others_go_on():
    def broken(moment: Moment) -> Intention:
        raise RuntimeError("no idea")

    def nonsense(moment: Moment) -> Intention:
        return "sleep"  # type: ignore[return-value]

    engine, book, puppets = make_engine(
        {"Ann": ((1, 1), broken), "Eve": ((3, 3), nonsense), "Bob": ((6, 6), at_start(act(TABLE, 200)))}
    )
    run(engine, 130)
    assert [row[:2] for row in book.of("failed") if row[0] == "Ann"] == [("Ann", 0), ("Ann", 60), ("Ann", 120)]
    assert {row[0] for row in book.of("failed")} == {"Ann", "Eve"}
    assert engine.world.by_name["Bob"].there
    assert puppets["Ann"].moments == []


def test_a_reached_budget_stops_the_run_instead_of_being_counted():
    def spent(moment: Moment) -> Intention:
        raise BudgetReached("that was the last token")

    engine, book, _ = make_engine({"Ann": ((1, 1), waits(spent)), "Bob": ((6, 6), waits(idle))})
    with pytest.raises(BudgetReached):
        run(engine, 10)
    assert book.of("failed") == []
    assert book.of("committed") == []


def test_nights_cost_few_steps_and_sleepers_perceive_nothing():
    night = 8 * 360
    minds = {
        "Ann": ((3, 2), at_start(act(BED, night, "sleeping", asleep=True))),
        "Bob": ((4, 1), at_start(act(SOFA, night, "sleeping", asleep=True))),
    }
    engine, book, puppets = make_engine(minds, start="22:00")
    run(engine, night)
    assert engine.steps_processed < 10
    assert engine.step == night
    assert book.of("committed")[-1] == (night - 1,)
    assert all(m.percepts == () for m in puppets["Bob"].moments if m.step > 1)
    run(engine, night + 1)
    assert puppets["Ann"].signals()[-1] == (night, "act_ended", "")
    assert puppets["Ann"].moments[-1].percepts[0].subject == "Bob"


def test_an_idle_object_is_no_event_and_a_returning_one_wakes_nobody():
    engine, _, puppets = make_engine(
        {"Ann": ((6, 2), at_start(act(STOVE, 20, state="on"))), "Bob": ((8, 2), at_start(act(CAFE, 500)))}
    )
    run(engine, 100)
    seen = [(m.step, p.text, p.idle) for m in puppets["Bob"].moments for p in m.percepts if p.kind == "object"]
    assert seen[0] == (1, "on", False)
    assert all(not idle for step, _, idle in seen if step < 20)
    assert 20 not in [m.step for m in puppets["Bob"].moments]


def test_only_what_is_new_in_view_is_a_reason_to_be_asked():
    engine, _, puppets = make_engine(
        {
            "Ann": ((8, 2), idle),
            "Bob": ((8, 6), script({10: [act(CAFE, 800)]})),
            "Far": ((1, 1), idle),
        }
    )
    run(engine, 300)
    asked = [m.step for m in puppets["Ann"].moments]
    assert asked[0] == 0
    assert len(asked) == 2  # the start, and Bob coming in
    entering = puppets["Ann"].moments[1]
    assert [p.subject for p in entering.percepts] == ["Bob"]
    assert entering.fresh == {entering.percepts[0].version}
    assert len(puppets["Far"].moments) == 1


def test_walls_between_rooms_hide_what_is_near():
    engine, _, puppets = make_engine({"Ann": ((4, 2), at_start(act(SOFA, 50))), "Bob": ((6, 2), at_start(act(STOVE, 50)))})
    run(engine, 20)
    assert all(m.percepts == () for m in puppets["Ann"].moments)


def test_events_voices_and_told_memories():
    happenings = (
        Happening(5, "event", "a fire alarm rings", place=CAFE, until=15),
        Happening(5, "voice", "go home", resident="Far"),
        Happening(6, "told", "party", resident="Far"),
        Happening(7, "object", "on fire", place=STOVE),
    )
    engine, book, puppets = make_engine({"Ann": ((8, 2), idle), "Far": ((1, 1), idle)}, happenings=happenings)
    run(engine, 40)
    assert book.of("happened") == [("event/5/0", 5, 15, CAFE, "a fire alarm rings")]
    assert [(m.step, [(p.kind, p.text) for p in m.percepts]) for m in puppets["Ann"].moments[1:]] == [
        (5, [("event", "a fire alarm rings")]),
        (7, [("event", "a fire alarm rings"), ("object", "on fire")]),
    ]
    assert puppets["Far"].signals()[1:] == [(5, "voice", "go home"), (6, "told", "party")]


def test_interventions_are_refused_when_past_or_nowhere():
    engine, _, _ = make_engine({"Ann": ((8, 2), at_start())})
    run(engine, 10)
    with pytest.raises(UsageError, match="is over"):
        engine.set_object(STOVE, "on", at=9)
    with pytest.raises(UsageError, match="no object"):
        engine.set_object(CAFE, "on", at=10)
    with pytest.raises(UsageError, match="no place"):
        engine.inject(Happening(10, "event", "snow", place="Town : caffe"))
    with pytest.raises(UsageError, match=r"no resident 'An' .*'Ann'"):
        engine.voice("An", "hello", at=10)


def test_run_stops_between_steps_and_reports_each():
    engine, book, _ = make_engine({"Ann": ((1, 1), at_start(act(TABLE, 200)))})
    steps: list[int] = []

    async def later() -> None:
        await asyncio.sleep(0)

    def on_step(step: int) -> object:
        steps.append(step)
        return later() if step == 2 else None

    asyncio.run(engine.run(100, stop=lambda: len(steps) >= 5, on_step=on_step))  # type: ignore[arg-type]
    assert steps == [0, 1, 2, 3, 4]
    assert engine.step == 5
    assert book.of("committed") == [(0,), (1,), (2,), (3,), (4,)]


def test_standing_places_in_an_arena_are_spread_and_off_the_furniture():
    minds = {name: ((8, 6), at_start(act(CAFE, 500))) for name in "ABCDEF"}
    engine, _, _ = make_engine(minds)
    run(engine, 60)
    tiles = [body.tile for body in engine.world.bodies]
    assert len(set(tiles)) == 6
    assert all(body.arena == CAFE and body.there for body in engine.world.bodies)
    assert not set(tiles) & {(6, 2), (7, 1), (10, 1), (10, 3), (7, 4)}


def test_home_is_not_closed_and_persons_tell_where_their_act_is_done():
    engine, _, puppets = make_engine(
        {"Ann": ((2, 5), at_start(act(SOFA, 100, "reading"))), "Bob": ((3, 2), at_start(act(HOME, 100)))}
    )
    run(engine, 50)
    seen = [p for m in puppets["Bob"].moments for p in m.percepts if p.subject == "Ann"]
    assert seen[0].place == HOME
    assert seen[0].walking
    assert seen[0].text == "reading"
