"""The instruments of the engine's benchmark: virtual time, slots, traces, and what each way to order steps must come to."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from town_kit import Notebook, world_rows

from benchmarks.ahead import BUSY, HALL, HOUR, QUIET, WORKLOADS, day, measure, ratios
from benchmarks.engine import Routine, settled
from benchmarks.modes import CALLS, bound, graph, ground, keeps_to_itself, lock_step, nearness, oracle, replay, think_times
from benchmarks.trace import TRACES, Trace, crowd, load, overlaid, record, tiled, unmerged, window
from benchmarks.virtual import LATENCIES, Request, Slots, in_virtual_time, interval
from simulation.compose import read_blueprint
from simulation.run import start
from town import Ahead, Engine, Intention, Moment, Outcome
from town.nearness import Nearness


def slots(name: str = "lognormal", seed: int = 0, count: int | None = None) -> Slots:
    return Slots(LATENCIES[name](seed), count)


@pytest.fixture(scope="module")
def hour() -> Trace:
    return day(0, QUIET, HOUR)


def test_the_clock_jumps_and_slots_are_given_to_whoever_is_at_the_earliest_step() -> None:
    order = []

    async def main(priority: bool) -> None:
        pool = Slots(lambda request: 100.0, 1, priority=priority)

        async def ask(resident: int, step: int) -> None:
            await pool.answer(Request(resident, step, 0, 0, 0))
            order.append((step, resident))

        await asyncio.gather(ask(0, 9), ask(1, 8), ask(2, 7), ask(3, 7))
        assert pool.calls == 4
        assert pool.under_way == 0

    for priority, expected in ((True, [(9, 0), (7, 2), (7, 3), (8, 1)]), (False, [(9, 0), (8, 1), (7, 2), (7, 3)])):
        order.clear()
        _, virtual, processor = in_virtual_time(main(priority))
        assert order == expected
        assert virtual == 400
        assert processor < 10


def test_a_call_takes_as_long_whoever_asks_when() -> None:
    request = Request(3, 77, 1, 1000, 50)
    assert LATENCIES["affine"](0)(request) == pytest.approx(0.08 + 0.2 + 1.65)
    drawn = [LATENCIES["lognormal"](seed)(request) for seed in range(200)]
    assert drawn[5] == LATENCIES["lognormal"](5)(request)
    assert float(np.median(drawn)) == pytest.approx(1.93, rel=0.15)
    assert float(np.std(np.log(drawn))) == pytest.approx(0.5, rel=0.15)


def test_a_trace_is_what_was_lived(tmp_path: Path) -> None:
    path = tmp_path / "run.town"
    lived = start(read_blueprint("hamlet", seed=2, days=0.4), path)
    trace = record(path)
    assert (trace.residents, trace.steps, len(trace.calls)) == (5, lived.steps, lived.calls)
    walked = np.abs(np.diff(trace.tiles.astype(int), axis=1)).sum(axis=2)
    assert walked.max() == 1
    assert walked.sum() > 50
    _, grid, arenas = ground("hamlet")
    assert (arenas[trace.tiles[..., 1].astype(int) * grid.width + trace.tiles[..., 0]] >= 0).all()
    assert all(grid.walkable(tuple(tile)) for tile in trace.tiles[:, 3000].tolist())


def test_the_shipped_traces_are_whole() -> None:
    assert len(TRACES) == 4
    for name in TRACES:
        trace = load(name)
        assert (trace.residents, trace.steps) == (25, 17280)
        assert np.abs(np.diff(trace.tiles.astype(int), axis=1)).sum(axis=2).max() == 1


def test_nine_calls_for_one_take_longer_and_are_numbered(hour: Trace) -> None:
    nine = unmerged(hour)
    settled = int((hour.calls[:, 5] == hour.operations.index("settle")).sum())
    assert len(nine.calls) == len(hour.calls) + 8 * settled > len(hour.calls)
    for chain in nine.chains().values():
        assert [request.n for request, _ in chain] == list(range(len(chain)))
    affine = slots("affine")
    assert think_times(nine, affine).whole.sum() > think_times(hour, affine).whole.sum()


def test_each_way_takes_as_long_as_it_must(hour: Trace) -> None:
    for calls in CALLS:
        times = think_times(hour, slots(), calls)
        took = {mode: replay(hour, mode, slots(), calls=calls).seconds for mode in ("sync", "aim", "ooo", "nodep")}
        assert took["nodep"] == pytest.approx(times.whole.sum(axis=1).max())
        assert took["nodep"] <= bound(hour, times, 4)
        assert took["nodep"] <= oracle(hour, times, 4)  # their clusters are rounder than our views: neither bounds the other
        together = times.whole.max(axis=0).sum()
        assert bound(hour, times, 4) <= took["ooo"] <= took["aim"] <= took["sync"] <= together * (1 + 1e-9)
        assert took["sync"] == pytest.approx(lock_step(times))
        assert took["sync"] == pytest.approx(together) or calls == "apart"
    row = think_times(hour, slots(), "row").whole
    assert replay(hour, "sync", slots(count=1), calls="row").seconds == pytest.approx(row.sum())


def test_what_only_oneself_reads_keeps_nobody_waiting() -> None:
    noon = day(1, BUSY, HOUR // 2)
    own, whole, row = (think_times(noon, slots(), calls) for calls in ("apart", "graph", "row"))
    assert own.whole == pytest.approx(whole.whole)
    assert (own.left > 0).any()
    assert not whole.left.any()
    assert whole.whole.sum() < row.whole.sum()
    done, waits = (replay(noon, "ooo", slots(), calls=calls).seconds for calls in ("apart", "graph"))
    assert done < waits
    a, b, c = Request(0, 0, 0, 1, 1), Request(0, 0, 1, 1, 1), Request(0, 0, 2, 1, 1)
    assert [what for what, _ in graph([(a, "rate"), (b, "react"), (c, "say")])] == ["begin", "ask", "join", "ask"]
    assert keeps_to_itself([(a, "recall"), (b, "rate")])
    assert not keeps_to_itself([(a, "rate"), (b, "react")])


@pytest.mark.parametrize("radius", [4, 8])
def test_ours_never_reads_what_is_not_there_yet_and_is_the_same_twice(radius: int) -> None:
    trace = day(1, BUSY, HOUR // 2)
    lived = [replay(trace, "ooo", slots(seed=1), radius=radius, checked=True) for _ in range(2)]
    assert lived[0].violations == 0
    assert lived[0].checked > 1000
    assert (lived[0].seconds, lived[0].fronts) == (lived[1].seconds, lived[1].fronts)


class Thinking:
    """A routine that takes its time over whatever it proposes; keeps what it was told."""

    def __init__(self, inner: Routine, index: int, pool: Slots) -> None:
        self.name, self.inner, self.index, self.pool = inner.name, inner, index, pool
        self.told: list[str] = []

    def prepare(self, moment: Moment) -> Any:
        intention = self.inner.prepare(moment)
        if not intention.proposals:
            return intention

        async def think() -> Intention:
            for n in range(2):
                await self.pool.answer(Request(self.index, moment.step, n, 1000, 40))
            return intention

        return think()

    def commit(self, moment: Moment, intention: Intention, outcome: Outcome) -> None:
        self.told.append(f"{moment} {outcome}")


def lived(kind: type[Engine], pool: Slots, until: int, radius: int) -> tuple[Any, float]:
    town, grid, clock, people, placed = settled("the_ville")
    minds = [Thinking(one, index, pool) for index, one in enumerate(people)]
    book = Notebook()
    made = kind(town, grid, clock, minds, book, placed=placed, staff={}, vision_radius=radius)
    if isinstance(made, Ahead):
        made.near = nearness("the_ville", radius)
    _, virtual, _ = in_virtual_time(made.run(until))
    return (sorted(map(repr, world_rows(book))), [mind.told for mind in minds], made.state()), virtual


@pytest.mark.slow
@pytest.mark.parametrize("radius", [4, 8])
def test_the_whole_town_lives_the_same_life_whatever_the_latency_and_the_slots(radius: int) -> None:
    until = 6 * HOUR + HOUR // 2
    plain, lock_step = lived(Engine, slots("const"), until, radius)
    for name, seed, count, batching in (
        ("const", 0, None, False), ("affine", 0, 3, False), ("lognormal", 1, None, False), ("affine", 0, None, True),
    ):  # fmt: skip
        pool = Slots(LATENCIES[name](seed), count, batching=batching)
        same, virtual = lived(Ahead, pool, until, radius)
        assert same == plain, (name, seed, count)
        if (name, count) == ("const", None):
            assert virtual < lock_step


def test_a_rule_that_is_too_weak_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    search = Nearness._search
    monkeypatch.setattr(Nearness, "_search", lambda self, goals: search(self, goals) + np.int16(12))
    nearness.cache_clear()
    try:
        assert replay(day(1, BUSY, HOUR), "ooo", slots(seed=1), checked=True).violations > 0
    finally:
        nearness.cache_clear()


def test_nobody_gains_in_a_crowd_and_nobody_waits_for_another_town(hour: Trace) -> None:
    packed = crowd(window(hour, 0, 120), HALL)
    times = think_times(packed, slots())
    assert replay(packed, "ooo", slots(), calls="graph").seconds == pytest.approx(times.whole.max(axis=0).sum())
    assert replay(packed, "ooo", slots()).seconds == pytest.approx(replay(packed, "sync", slots()).seconds)
    one = window(hour, 0, 120)
    alone = replay(one, "ooo", Slots(LATENCIES["const"](0))).seconds
    assert replay(tiled([one], 50), "ooo", Slots(LATENCIES["const"](0))).seconds == pytest.approx(alone)
    assert replay(overlaid([one], 50), "ooo", Slots(LATENCIES["const"](0))).seconds >= alone


def test_the_table_holds_what_was_measured() -> None:
    found = measure(WORKLOADS["quiet"], 4, 2)
    assert [len(values) for values in found.values()] == [2] * len(found)
    mean, low, high, least = ratios(found)["sync/ooo"]
    assert 1 < least <= mean
    assert low <= mean <= high
    assert interval([2.0, 2.0]) == pytest.approx((2, 2))
