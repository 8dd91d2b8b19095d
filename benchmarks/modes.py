"""Ways to order residents' steps, on the same engine code: what `benchmarks.ahead` compares.

    replay   lives a trace by one of RACES in virtual time -> Lived
    single   one call after another              sync    lock-step: all think side by side, the step waits for the slowest
    aim      AI Metropolis's rule (MLSys 2025): together within r + v tiles at the same step, behind blocks within
             (a - b + 1) v + r tiles, straight-line distance, v = 1, clusters advance together
    ooo      ours: `town.ahead` as it is         nodep   nobody waits for anybody
    oracle   theirs with hindsight: only those who really stand within r tiles of each other advance together
    bound    longest path of latencies over true dependencies: A at a waits for B's step a - 1 only if B is in A's view at a
             or A was in B's view at a - 1

Calls of a step are a graph, as in `agents.generative`: a memory is rated while one reacts to what one saw, and what only the mind
itself will read (ratings, a talk remembered, reflection) is a future, awaited before the resident's next thought. `CALLS` are the
ways: "row" one after another; "graph" the graph, but everybody waits for a resident until all of it is done; "apart" as built.

`aim` is a baseline of time only: our view is a square within a room, and theirs takes no account of rooms, of those who come
nearer by more than a straight line says, or of who is seen at the corner of the square. Replaying a trace can't go wrong, a live
run would; `violations` counts the resident-steps that read somebody, or were read by somebody, who wasn't at that step yet.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from benchmarks.trace import Trace
from benchmarks.virtual import Request, Slots, VirtualLoop
from maps import load_map
from simulation.compose import GATHERING_HOURS
from town import Ahead, Grid, Intention, Outcome, TownMap, build_town
from town.ahead import _Race
from town.nearness import FAR, Nearness
from town.timing import NEVER


@cache
def ground(name: str) -> tuple[TownMap, Grid, npt.NDArray[np.int32]]:
    """A map, its grid, and the number of the arena of each cell (-1: none)."""
    town = build_town(load_map(name))
    grid = Grid(town)
    arenas = np.full(grid.width * grid.height, -1, dtype=np.int32)
    for n, arena in enumerate(town.arenas()):
        for x, y in arena.tiles:
            arenas[y * grid.width + x] = n
    return town, grid, arenas


@cache
def nearness(name: str, radius: int) -> Nearness:
    """Shared by all replays: rows are made once."""
    return Nearness(*ground(name)[:2], radius)


GATHERING = GATHERING_HOURS * 360
"""Steps between two gatherings."""
Chain = list[tuple[Request, str]]
CALLS = ("row", "graph", "apart")
OWN = frozenset({"rate", "recall", "questions", "insights"})
"""Operations whose answers only the mind itself reads."""
READING = frozenset({"say", "self", "questions", "insights", "plan_day"})
"""Operations before which memories are rated: they may be shown, or count."""


def keeps_to_itself(chain: Chain) -> bool:
    """Whether nobody else can tell when these calls are answered."""
    return all(kind in OWN for _, kind in chain)


def graph(chain: Chain, *, in_a_row: bool = False) -> Iterator[tuple[str, Request]]:
    """What is done with the calls of a resident-step: "ask" and wait, "begin", "join" all that were begun."""
    open_, before = False, ""
    for request, kind in chain:
        if open_ and (kind in READING or before == "plan_hours"):
            yield "join", request
            open_ = False
        if kind == "rate" and not in_a_row:
            open_ = True
            yield "begin", request
        else:
            yield "ask", request
        before = kind


class _Replayed(Ahead):
    """An engine that lives what a trace says: bodies, positions and calls, nothing else."""

    racing = True

    def __init__(self, trace: Trace, radius: int, slots: Slots, calls: str) -> None:
        self.town, self.grid, self.arenas = ground(trace.map)
        self.near = nearness(trace.map, radius)
        self.trace, self.slots, self.calls = trace, slots, calls
        self.rules = SimpleNamespace(radius=radius)  # type: ignore[assignment]
        self.chains = trace.chains()
        bodies = [
            SimpleNamespace(index=i, name=i, gone=False, talk=None, tile=tuple(trace.tiles[i, 0].tolist()))
            for i in range(trace.residents)
        ]
        self.world = SimpleNamespace(step=0, bodies=bodies)  # type: ignore[assignment]
        self.timing = SimpleNamespace(next=lambda step, front: NEVER)  # type: ignore[assignment]
        self.steps_processed, self._committed, self._alarm = 0, -1, None
        self.places = [[(int(x), int(y)) for x, y in path] for path in trace.tiles.tolist()]
        busy = np.zeros((trace.residents, trace.steps + 1), dtype=bool)
        busy[:, :-1] = (trace.tiles[:, 1:] != trace.tiles[:, :-1]).any(axis=2)
        busy[trace.calls[:, 0], trace.calls[:, 1]] = True
        busy[:, -1] = True
        steps = np.where(busy, np.arange(trace.steps + 1), trace.steps)
        self.onward = np.minimum.accumulate(steps[:, ::-1], axis=1)[:, ::-1].tolist()

    def next_for(self, front: Any, step: int) -> int:
        return min(self.onward[index][step] for index in front)

    def read(self, step: int, front: Any = None) -> Any:
        asked = [body for index, body in front.items() if (index, step) in self.chains]
        return asked, [SimpleNamespace(step=step)] * len(asked)

    def prepare(self, asked: Any, moments: Any) -> list[object]:
        thoughts: list[object] = []
        for body in asked:
            chain = self.chains[body.index, self.world.step]
            begun: list[asyncio.Future[None]] = []
            if self.calls == "apart" and keeps_to_itself(chain):
                thoughts.append(self._keep(chain))
            else:
                thoughts.append(self._ask(chain, begun, whole=self.calls != "apart"))
        return thoughts

    async def _keep(self, chain: Chain) -> Intention:
        return Intention(later=partial(self._ask, chain, [], whole=True))

    async def _ask(self, chain: Chain, begun: list[asyncio.Future[None]], *, whole: bool) -> Intention:
        for what, request in graph(chain, in_a_row=self.calls == "row"):
            if what == "join":
                await asyncio.gather(*begun)
                begun.clear()
            elif what == "begin":
                begun.append(asyncio.ensure_future(self.slots.answer(request)))
            else:
                await self.slots.answer(request)
        if begun and not whole:
            return Intention(later=partial(self._ask, [], begun, whole=True))
        await asyncio.gather(*begun)
        return Intention()

    def finish(self, body: Any, moment: Any, rest: Any, outcome: Any) -> None:
        if isinstance(rest, Exception):
            raise rest

    def resolve(self, step: int, asked: Any, moments: Any, intentions: Any, front: Any) -> list[Outcome]:
        self.world.step = step
        for index, body in front.items():
            body.tile = self.places[index][step + 1]
        return [Outcome()] * len(asked)

    def tell(self, step: int) -> None:
        self._committed = step


class _Measured(_Race):
    """The race, with what there is to measure of it."""

    def __init__(self, engine: _Replayed, *, checked: bool) -> None:
        self.towns, self.checked = engine.trace.town, checked
        self.violations = self.taken_steps = self.lead = 0
        super().__init__(engine, engine.trace.steps, None, None)

    def _measure(self, index: int) -> None:
        super()._measure(index)
        self._part(index)

    def _part(self, index: int) -> None:
        """Those on another copy of the map are far away."""
        elsewhere = self.towns != self.towns[index]
        self.away[index, elsewhere] = self.away[elsewhere, index] = FAR

    def _take(self, front: Any, step: int) -> None:
        self.taken_steps += len(front)
        if self.checked:
            for index in front:
                self._check(index, step)
        super()._take(front, step)

    def _check(self, index: int, step: int) -> None:
        engine: Any = self.engine
        trace: Trace = engine.trace
        radius: int = engine.rules.radius
        lead = step - self.steps
        behind = (lead > 0) & (self.towns == self.towns[index])
        if not behind.any():
            return
        self.lead = max(self.lead, int(lead[behind].max()))
        me = trace.tiles[index, step].astype(int)
        now = trace.tiles[:, step].astype(int)
        close = behind & (np.abs(now - me).max(axis=1) <= radius + 2 * lead)
        arena, width = engine.arenas, engine.grid.width
        for other in np.flatnonzero(close).tolist():
            since = int(self.steps[other])
            mine = trace.tiles[index, since : step + 1].astype(int)
            theirs = trace.tiles[other, since : step + 1].astype(int)
            seen = (np.abs(mine - theirs).max(axis=1) <= radius) & (
                arena[mine[:, 1] * width + mine[:, 0]] == arena[theirs[:, 1] * width + theirs[:, 0]]
            )
            if seen.any():
                self.violations += 1
                return


class _Aim(_Measured):
    """Their rule. Distances beyond r, rounded up, take the place of walking steps: dist <= (a - b + 1) v + r, v = 1."""

    def __init__(self, engine: _Replayed, *, checked: bool) -> None:
        self.places = np.array([body.tile for body in engine.world.bodies], dtype=np.int64)
        super().__init__(engine, checked=checked)

    def _measure(self, index: int) -> None:
        self.places[index] = self.world.bodies[index].tile
        off = self.places - self.places[index]
        straight = np.hypot(off[:, 0], off[:, 1]) - self.engine.rules.radius
        self.away[index] = self.away[:, index] = np.maximum(np.ceil(straight - 1e-9), 0)
        self._part(index)


class _NoDep(_Measured):
    def _measure(self, index: int) -> None:
        self.away[index] = self.away[:, index] = FAR


class _Sync(_Measured):
    """Everybody takes every step together."""

    def _measure(self, index: int) -> None:
        self.away[index] = self.away[:, index] = 0

    def _front(self, index: int, step: int) -> Any:
        return range(len(self.world.bodies)), None


RACES: dict[str, type[_Measured]] = {"sync": _Sync, "aim": _Aim, "ooo": _Measured, "nodep": _NoDep}


@dataclass(frozen=True)
class Lived:
    """`seconds` virtual; `processor` seconds of the scheduler; `busy` seconds of answering (busy / seconds: calls at once)."""

    seconds: float
    processor: float
    busy: float
    calls: int
    fronts: int
    violations: int
    checked: int
    lead: int


def race_of(trace: Trace, mode: str, slots: Slots, *, radius: int = 4, calls: str = "apart", checked: bool = False) -> _Measured:
    """A trace about to be lived by a mode: `await race.run()`."""
    return RACES[mode](_Replayed(trace, radius, slots, calls), checked=checked)


def replay(trace: Trace, mode: str, slots: Slots, *, radius: int = 4, calls: str = "apart", checked: bool = False) -> Lived:
    """Lives a trace in virtual time. `checked`: counts violations, which costs processor time."""
    loop = VirtualLoop()
    engine = _Replayed(trace, radius, slots, calls)
    races: list[_Measured] = []
    try:
        began = time.process_time()
        while engine.world.step < trace.steps:  # for the world to be saved, as in a run
            races.append(RACES[mode](engine, checked=checked))
            races[-1].until = min(trace.steps, engine.world.step + GATHERING)
            loop.run_until_complete(races[-1].run())
        took = time.process_time() - began
        seconds = loop.now
    finally:
        loop.close()
    return Lived(
        seconds, took, slots.busy, slots.calls, engine.steps_processed, sum(race.violations for race in races),
        sum(race.taken_steps for race in races), max(race.lead for race in races),
    )  # fmt: skip


class Thinking(NamedTuple):
    """[resident, step] seconds: until it is known what one does, and what is left to think after that."""

    known: npt.NDArray[np.float64]
    left: npt.NDArray[np.float64]

    @property
    def whole(self) -> npt.NDArray[np.float64]:
        """Seconds until all is thought."""
        return self.known + self.left


def think_times(trace: Trace, slots: Slots, calls: str = "apart") -> Thinking:
    """How long everybody thinks with as many answers at once as there are questions."""
    known, left = np.zeros((2, trace.residents, trace.steps))
    for at, chain in trace.chains().items():
        now, begun = 0.0, [0.0]
        for what, request in graph(chain, in_a_row=calls == "row"):
            if what == "join":
                now = max(now, *begun)
            elif what == "begin":
                begun.append(now + slots.seconds(request))
            else:
                now += slots.seconds(request)
        whole = max(now, *begun)
        known[at] = whole if calls != "apart" else 0.0 if keeps_to_itself(chain) else now
        left[at] = whole - known[at]
    return Thinking(known, left)


def _pairs(trace: Trace, step: int, radius: int) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[np.float64]]:
    """Tiles at a step; who is within the square of whom, and straight-line distances, [A, B]."""
    tiles = trace.tiles[:, step].astype(np.int32)
    off = tiles[:, None] - tiles[None]
    return tiles, np.abs(off).max(axis=2) <= radius, np.hypot(off[..., 0], off[..., 1])


def lock_step(times: Thinking) -> float:
    """Virtual seconds when everybody takes every step together, with as many answers at once as there are questions."""
    now, own = 0.0, np.zeros(len(times.known))
    for step in range(times.known.shape[1]):
        now = float(_thought(np.full(len(own), now), times, step, own, hindsight=False).max())
    return max(now, float(own.max()))


def oracle(trace: Trace, times: Thinking, radius: int) -> float:
    """Virtual seconds when clusters of those within `radius` tiles of each other at a step take it together."""
    return max(_oracle(one, Thinking(times.known[mine], times.left[mine]), radius) for one, mine in _copies(trace))


def _copies(trace: Trace) -> Iterator[tuple[Trace, npt.NDArray[np.bool_]]]:
    """Each copy of the map by itself, and who lives there: nobody there has to do with anybody elsewhere."""
    for town in np.unique(trace.town).tolist():
        mine = trace.town == town
        yield replace(trace, tiles=trace.tiles[mine], calls=trace.calls[:0], town=trace.town[mine]), mine


def _thought(
    began: npt.NDArray[np.float64], times: Thinking, step: int, own: npt.NDArray[np.float64], *, hindsight: bool = True
) -> npt.NDArray[np.float64]:
    """When it is known what each does at a step, if it may begin at `began` and when all of its earlier thoughts (`own`, kept up
    to date) are done. By `hindsight` one knows beforehand which thoughts one will keep to oneself, and lives on; else only when
    it begins, after the earlier ones."""
    thinks = times.whole[:, step] > 0
    waits = thinks & (times.known[:, step] > 0) if hindsight else thinks
    done = np.where(waits, np.maximum(began, own), began) + times.known[:, step]
    own[thinks] = (np.maximum(done, own) + times.left[:, step])[thinks]
    return done


def _oracle(trace: Trace, times: Thinking, radius: int) -> float:
    done, own = np.zeros((2, trace.residents))
    labels, moved = None, True
    for step in range(trace.steps):
        moved = labels is None or bool((trace.tiles[:, step] != trace.tiles[:, step - 1]).any())
        if moved:
            near = _pairs(trace, step, radius)[2] <= radius
            count, labels = connected_components(csr_array(near), directed=False)
        began, ended = np.zeros(count), np.zeros(count)
        np.maximum.at(began, labels, done)
        np.maximum.at(ended, labels, _thought(began[labels], times, step, own))
        done = ended[labels]
    return float(max(done.max(), own.max()))


def bound(trace: Trace, times: Thinking, radius: int) -> float:
    """Virtual seconds of the longest path over who really was in whose view."""
    return max(_bound(one, Thinking(times.known[mine], times.left[mine]), radius) for one, mine in _copies(trace))


def _bound(trace: Trace, times: Thinking, radius: int) -> float:
    arenas, width = ground(trace.map)[2], ground(trace.map)[1].width
    done, own = np.zeros((2, trace.residents))
    before = view = None
    for step in range(trace.steps):
        if view is None or (trace.tiles[:, step] != trace.tiles[:, step - 1]).any():
            tiles, square, _ = _pairs(trace, step, radius)
            arena = arenas[tiles[:, 1] * width + tiles[:, 0]]
            now = square & (arena[:, None] == arena[None])  # seeing is mutual
            needs = now if before is None else now | before
        else:
            now = before
            needs = now
        view = before = now
        done = _thought(np.where(needs, done[None], 0).max(axis=1), times, step, own)
    return float(max(done.max(), own.max()))
