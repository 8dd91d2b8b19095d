"""Out of order: whatever thoughts take how long, however many at once, what happens is what happens in lock-step."""

from __future__ import annotations

import asyncio
import gc
import warnings
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from inspect import isawaitable
from typing import Any

import numpy as np
import pytest
from town_kit import STOVE, Notebook, Puppet, Thought, fickle, make_engine, world_rows

from kernel import Clock, Dice, RunFileError
from maps import load_map
from town import Ahead, Engine, Grid, Happening, Intention, Outcome, build_town
from town.ahead import _Race
from town.nearness import Nearness

NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve")
TILES = ((1, 1), (3, 2), (7, 5), (9, 6), (8, 2))
HAPPENINGS = (
    Happening(30, "event", "a dog barks", place="Town : streets : outdoors", until=90),
    Happening(60, "object", "on fire", place=STOVE),
    Happening(90, "voice", "speak up", resident="Dee"),
    Happening(120, "arrive", "in a red coat", place="Town : cafe", resident="Guest"),
)
LATENCIES = {"none": 0, "even": 2, "wild": 10}
"""Most turns of the event loop that a thought takes."""


def slow(think: Thought, name: str, seed: int, latency: str, slots: asyncio.Semaphore) -> Thought:
    """The same mind; its thoughts take turns of the event loop, by dice, and `slots` of them go on at once."""

    def prepare(moment: Any) -> Any:
        dice = Dice(seed, name, moment.step, "latency")
        turns = LATENCIES[latency] if latency != "wild" else dice.below(LATENCIES["wild"]) ** 2
        if turns == 0 or dice.chance(0.3):
            return think(moment)

        async def thought() -> Any:
            async with slots:
                for _ in range(turns):
                    await asyncio.sleep(0)
            return think(moment)

        return thought()

    return prepare


class Musing(Puppet):
    """Some of its thoughts leave something to think, which takes its time and sometimes goes wrong.

    `mused` is what was committed of that; a thought that takes time must not begin before.
    """

    def __init__(self, name: str, think: Thought, seed: int = 0, turns: int = 0) -> None:
        super().__init__(name, think)
        self.mused: list[tuple[int, object, str]] = []
        self.seed, self.turns, self.unfinished = seed, turns, set[int]()

    def prepare(self, moment: Any) -> Any:
        if Dice(7, self.name, moment.step, "musing").chance(0.6):
            return super().prepare(moment)

        async def thought() -> Any:
            assert not self.unfinished, (self.name, moment.step)
            prepared = super(Musing, self).prepare(moment)
            return self._musing(moment, await prepared if isawaitable(prepared) else prepared)

        return thought()

    def _musing(self, moment: Any, intention: Intention) -> Intention:
        dice = Dice(7, self.name, moment.step, "trouble")
        wait = Dice(self.seed, self.name, moment.step, "turns").below(self.turns + 1)

        async def rest() -> Intention:
            for _ in range(wait):
                await asyncio.sleep(0)
            if dice.chance(0.1):
                raise RuntimeError("lost the thread")
            return replace(intention, writes="mused", later=None)

        return replace(intention, later=rest)

    def commit(self, moment: Any, intention: Intention, outcome: Any) -> None:
        if moment.step in self.unfinished:
            self.unfinished.remove(moment.step)
            self.mused.append((moment.step, intention.writes, repr(outcome)))
            return
        if intention.later is not None:
            self.unfinished.add(moment.step)
        super().commit(moment, intention, outcome)


def told(engine: Engine, book: Notebook, puppets: dict[str, Puppet]) -> tuple[Any, ...]:
    """Everything that happened and everything that anybody was asked, in an order that doesn't depend on the engine."""
    asked = {name: [repr(moment) for moment in puppet.moments] for name, puppet in puppets.items()}
    asked |= {f"{name} mused": sorted(map(repr, puppet.mused)) for name, puppet in puppets.items() if isinstance(puppet, Musing)}
    return sorted(map(repr, world_rows(book))), asked, engine.state()


def tiny(engine: type[Engine], seed: int = 0, latency: str = "none", slots: int = 99) -> tuple[Any, ...]:
    pool = asyncio.Semaphore(slots)
    minds = {n: (tile, slow(fickle(n, NAMES), n, seed, latency, pool)) for n, tile in zip(NAMES, TILES, strict=True)}
    made, book, puppets = make_engine(minds, start="19:30", happenings=HAPPENINGS, engine=engine, checked=engine is Engine)
    guest = Puppet("Guest", fickle("Guest", (*NAMES, "Guest")))
    made.expect(guest)
    asyncio.run(made.run(300))
    return told(made, book, {**puppets, "Guest": guest})


TOWN = build_town(load_map("hamlet"))
GRID = Grid(TOWN)
ARENAS = tuple(TOWN.arenas())
PLACES = [thing.address for thing in TOWN.objects() if thing.spots] + [arena.address for arena in ARENAS]
NEAR, SEARCH = Nearness(TOWN, GRID, 4), Nearness._search
PEOPLE = tuple(f"P{n}" for n in range(7))


def wide(engine: type[Engine], life: int, seed: int = 0, latency: str = "none", slots: int = 99, until: int = 240) -> Any:
    """Seven fickle people in the hamlet, whose houses are far enough apart for some to run ahead."""
    pool = asyncio.Semaphore(slots)
    turns = 60 if latency == "wild" else 0
    puppets = {n: Musing(n, slow(fickle(n, PEOPLE, PLACES, life), n, seed, latency, pool), seed, turns) for n in PEOPLE}
    book = Notebook()
    start = {n: GRID.standing(ARENAS[3 * i % len(ARENAS)])[0] for i, n in enumerate(PEOPLE)}
    made = engine(
        TOWN, GRID, Clock(datetime(2023, 6, 2, 11), 10), tuple(puppets.values()), book, placed=start, staff={},
        happenings=(Happening(150, "event", "thunder", place=TOWN.name, until=170),),
    )  # fmt: skip
    if isinstance(made, Ahead) and Nearness._search is SEARCH:
        made.near = NEAR
    asyncio.run(made.run(until))
    return told(made, book, puppets), made


@pytest.mark.parametrize("latency", LATENCIES)
@pytest.mark.parametrize("slots", [1, 3])
def test_the_same_life_where_everybody_is_near(latency: str, slots: int) -> None:
    assert tiny(Ahead, 1, latency, slots) == tiny(Engine)


def combinations(lives: int, seeds: int) -> Iterator[tuple[int, int, str, int]]:
    for life in range(lives):
        for seed in range(seeds):
            for latency in ("even", "wild"):
                for slots in (1, 2, 99):
                    yield life, seed, latency, slots


def test_the_same_life_where_people_are_far_apart() -> None:
    plain = {life: wide(Engine, life)[0] for life in range(2)}
    for life, seed, latency, slots in combinations(2, 1):
        assert wide(Ahead, life, seed, latency, slots)[0] == plain[life], (life, seed, latency, slots)


@pytest.mark.slow
def test_the_same_life_in_two_hundred_combinations() -> None:
    plain = {life: wide(Engine, life, until=100)[0] for life in range(9)}
    tried = list(combinations(9, 4))
    assert len(tried) > 200
    for life, seed, latency, slots in tried:
        assert wide(Ahead, life, seed, latency, slots, until=100)[0] == plain[life], (life, seed, latency, slots)


def test_people_do_run_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    spread = 0
    take = Ahead.read

    def read(self: Ahead, step: int, front: Any = None) -> Any:
        nonlocal spread
        spread += front is not None and len(front) < len(PEOPLE)
        return take(self, step, front)

    monkeypatch.setattr(Ahead, "read", read)
    wide(Ahead, 0, 0, "wild")
    assert spread > 200


@pytest.mark.parametrize("lead", [None, 30])
def test_nobody_waits_for_what_only_oneself_can_tell_but_telling_does(monkeypatch: pytest.MonkeyPatch, lead: int | None) -> None:
    monkeypatch.setattr(Ahead, "lead", lead)
    reached: list[int] = []
    book = Notebook()

    async def long() -> Intention:
        for _ in range(3000):
            await asyncio.sleep(0)
        reached.append(max(seen))
        assert [step for kind, step in (row[:2] for row in book.rows) if kind == "committed"][
            -1
        ] < 10  # nothing of step 10 is told yet
        return Intention()

    seen = [0]

    def musing(moment: Any) -> Any:
        async def thought() -> Intention:
            return Intention(wake=1000, later=long) if moment.step == 10 else Intention(wake=10)

        return thought()

    def busy(moment: Any) -> Any:
        async def thought() -> Intention:
            seen.append(moment.step)
            return Intention(wake=moment.step + 5)

        return thought()

    puppets = [Musing("Ann", musing), Musing("Bob", busy)]
    for puppet in puppets:
        monkeypatch.setattr(puppet, "_musing", lambda moment, intention: intention)
    start = {n: GRID.standing(ARENAS[i])[0] for i, n in ((0, "Ann"), (len(ARENAS) - 1, "Bob"))}
    made = Ahead(TOWN, GRID, Clock(datetime(2023, 6, 2, 11), 10), puppets, book, placed=start, staff={})
    asyncio.run(made.run(200))
    assert len(reached) == 1
    if lead is None:
        assert reached[0] > 150
    else:
        assert 30 <= reached[0] <= 40
    assert [step for kind, step in (row[:2] for row in book.rows) if kind == "committed"][-1] == 199
    assert puppets[0].mused == [(10, None, repr(Outcome()))]


def test_a_rule_that_is_too_weak_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    search = Nearness._search
    monkeypatch.setattr(Nearness, "_search", lambda self, goals: search(self, goals) + np.int16(6))
    assert any(wide(Ahead, life, seed, "wild")[0] != wide(Engine, life)[0] for life in range(2) for seed in range(4))


def test_stopped_anywhere_everybody_stands_at_one_step_and_goes_on_to_the_same_future() -> None:
    whole = wide(Engine, 1)[0]
    for after in (3, 40, 200):
        pool = asyncio.Semaphore(99)
        puppets = {n: Musing(n, slow(fickle(n, PEOPLE, PLACES, 1), n, 5, "wild", pool), 5, 60) for n in PEOPLE}
        book = Notebook()
        start = {n: GRID.standing(ARENAS[3 * i % len(ARENAS)])[0] for i, n in enumerate(PEOPLE)}
        made = Ahead(
            TOWN, GRID, Clock(datetime(2023, 6, 2, 11), 10), tuple(puppets.values()), book, placed=start, staff={},
            happenings=(Happening(150, "event", "thunder", place=TOWN.name, until=170),),
        )  # fmt: skip
        seen = 0

        def stop() -> bool:
            nonlocal seen
            seen += 1
            return seen % after == 0  # noqa: B023

        while made.step < 240:
            asyncio.run(made.run(240, stop=stop))
            assert made.reporting() is None
        assert told(made, book, puppets) == whole


def test_nobody_leads_by_more_than_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    leads: dict[int | None, list[int]] = {None: [], 30: []}
    take = _Race._take

    def noted(self: _Race, front: Any, step: int) -> None:
        leads[self.engine.lead].append(step - int(self.steps.min()))
        take(self, front, step)

    monkeypatch.setattr(_Race, "_take", noted)
    free = wide(Ahead, 0, 1, "wild")[0]
    monkeypatch.setattr(Ahead, "lead", 30)
    assert wide(Ahead, 0, 1, "wild")[0] == free
    assert max(leads[30]) <= 30 < max(leads[None])


@pytest.mark.parametrize("at", [20, 60, 100])
def test_what_is_broken_off_leaves_nothing_that_goes_on_or_was_never_awaited(at: int) -> None:
    pool = asyncio.Semaphore(99)
    puppets = [Musing(n, slow(fickle(n, PEOPLE, PLACES, 1), n, 5, "wild", pool), 5, 60) for n in PEOPLE]
    start = {n: GRID.standing(ARENAS[3 * i % len(ARENAS)])[0] for i, n in enumerate(PEOPLE)}
    made = Ahead(TOWN, GRID, Clock(datetime(2023, 6, 2, 11), 10), puppets, Notebook(), placed=start, staff={})
    made.near = NEAR

    def on_step(step: int) -> None:
        if step >= at:  # told as soon as thoughts are put, before any of them has begun
            raise RunFileError("taken over", place="here")

    async def live() -> None:
        try:
            await made.run(240, on_step=on_step)
        finally:
            assert asyncio.all_tasks() == {asyncio.current_task()}

    with warnings.catch_warnings(record=True) as complaints:
        warnings.simplefilter("always")
        with pytest.raises(RunFileError):
            asyncio.run(live())
        gc.collect()
    assert [str(one.message) for one in complaints] == []


@pytest.mark.parametrize("engine", [Engine, Ahead])
def test_a_mind_that_fails_at_beginning_what_is_left_is_told_and_the_others_go_on(engine: type[Engine]) -> None:
    def later() -> Any:
        raise RuntimeError("no way to begin")

    def musing(moment: Any) -> Any:
        async def thought() -> Intention:
            return Intention(wake=moment.step + 10, later=later if moment.step in (0, 30) else None)

        return thought()

    book = Notebook()
    start = {n: GRID.standing(ARENAS[i])[0] for i, n in ((0, "Ann"), (len(ARENAS) - 1, "Bob"))}
    puppets = [Puppet(name, musing) for name in start]
    made = engine(TOWN, GRID, Clock(datetime(2023, 6, 2, 11), 10), puppets, book, placed=start, staff={})
    asyncio.run(made.run(60))
    failed = sorted(row[1:] for row in book.rows if row[0] == "failed")
    assert failed == sorted((name, step, "no way to begin") for name in start for step in (0, 30))
    assert all(max(moment.step for moment in puppet.moments) >= 50 for puppet in puppets)
