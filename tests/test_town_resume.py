"""Saving, restoring and determinism: the same future from every step, whether minds wait or not."""

from __future__ import annotations

import asyncio
import json

import pytest
from town_kit import STOVE, fickle, make_engine, waits, world_rows

from kernel import digest, dumps
from town import Happening
from town.history import KEPT, History

NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve")
TILES = ((1, 1), (3, 2), (7, 5), (9, 6), (8, 2))
HAPPENINGS = (
    Happening(30, "event", "a dog barks", place="Town : streets : outdoors", until=90),
    Happening(60, "object", "on fire", place=STOVE),
    Happening(90, "voice", "speak up", resident="Dee"),
)


def town(**more):
    wrap = more.pop("wrap", lambda think: think)
    minds = {name: (tile, wrap(fickle(name, NAMES))) for name, tile in zip(NAMES, TILES, strict=True)}
    return make_engine(minds, start="19:30", happenings=HAPPENINGS, **more)


def asked(puppets):
    return {name: puppet.moments for name, puppet in puppets.items()}


def test_restored_at_every_step_it_goes_on_exactly():
    end, further = 260, 12
    straight, book, _ = town()
    states: dict[int, str] = {}
    rows: dict[int, int] = {}
    for step in range(end + 1):
        asyncio.run(straight.run(step))
        states[step], rows[step] = dumps(straight.state()), len(world_rows(book))
    whole = world_rows(book)
    for step in range(end + 1):
        engine, again, _ = town(checked=False)
        engine.restore(json.loads(states[step]))
        assert engine.step == step
        assert dumps(engine.state()) == states[step]
        until = end if step % 60 == 0 else min(end, step + further)
        asyncio.run(engine.run(until))
        assert dumps(engine.state()) == states[until], f"cut at {step}"
        assert world_rows(again) == whole[rows[step] : rows[until]], f"cut at {step}"


def test_the_state_is_whole_when_the_journal_hears_of_a_commit():
    engine, book, _ = town()
    wrong: list[int] = []
    book.committed = lambda step: wrong.append(step) if engine.state()["step"] != step + 1 else None  # type: ignore[method-assign]
    asyncio.run(engine.run(100))
    assert wrong == []


def test_a_run_in_pieces_equals_a_run_at_once():
    whole, book, puppets = town()
    asyncio.run(whole.run(300))
    pieces, parts, others = town()
    for until in range(7, 301, 7):
        asyncio.run(pieces.run(until))
    asyncio.run(pieces.run(300))
    assert world_rows(parts) == world_rows(book)
    assert asked(others) == asked(puppets)
    assert pieces.state() == whole.state()


def test_waiting_minds_change_nothing():
    plain, book, _ = town()
    asyncio.run(plain.run(400))
    slow, other, _ = town(wrap=waits)
    asyncio.run(slow.run(400))
    assert digest([str(row) for row in other.rows]) == digest([str(row) for row in book.rows])


def test_asking_and_dropping_changes_nothing():
    once, book, _ = town(checked=False)
    asyncio.run(once.run(300))
    twice, other, _ = town(checked=True)  # every prepare is called twice
    asyncio.run(twice.run(300))
    assert other.rows == book.rows


def test_journaled_rows_come_with_their_step_before_it_is_committed():
    _engine, book, _ = town()
    asyncio.run(_engine.run(300))
    step = 0
    places = {"moved": 2, "act_over": 3, "object_changed": 2, "happened": 2, "conversation": 2, "failed": 2}
    for row in book.rows:
        if row[0] == "committed":
            step = row[1] + 1
        elif row[0] in places:
            assert row[places[row[0]]] >= step
        elif row[0] == "acted":
            assert row[1].start >= step
        elif row[0] == "uttered":
            assert row[1].id.step >= step


def test_the_journal_says_where_everybody_is_at_any_time():
    engine, book, _ = town()
    truth: dict[tuple[str, int], object] = {}

    def on_step(step: int) -> None:
        for body in engine.world.bodies:
            truth[body.name, step + 1] = body.tile

    asyncio.run(engine.run(400, on_step=on_step))
    assert all(book.where(name, step) == tile for (name, step), tile in truth.items())


def test_the_world_can_be_read_as_of_earlier_steps():
    engine, book, _ = town()
    truth: dict[int, list[object]] = {}

    def on_step(step: int) -> None:
        truth[step + 1] = [body.tile for body in engine.world.bodies]

    asyncio.run(engine.run(300, on_step=on_step))
    for step in range(240, 301):
        if step in truth:
            then = engine.world.at(step)
            assert [then.pose(name).tile for name in NAMES] == truth[step]
            for name in NAMES:
                assert name in [who for who, _ in then.people(then.pose(name).arena)]
    changes = [row for row in book.of("object_changed") if row[0] == STOVE]
    assert engine.world.at(changes[-1][1]).object(STOVE).state == changes[-1][2]
    assert engine.world.at(changes[-1][1] - 1).object(STOVE).state == changes[-2][2]


def test_a_history_keeps_a_bounded_past():
    history = History(0, "a")
    assert history.at(99) == "a"
    history.set(5, "b")
    history.set(5, "c")
    assert (history.at(4), history.at(5), history.last, history.changed) == ("a", "c", "c", 5)
    with pytest.raises(ValueError, match="step 4"):
        history.set(4, "x")
    for step in range(6, 1000):
        history.set(step, str(step))
    assert history.at(999 - KEPT + 2) == str(999 - KEPT + 2)
    with pytest.raises(LookupError):
        history.at(5)
