"""The engine out of order: residents run ahead of each other, and nothing that happens is changed by that.

    Ahead        an `Engine` whose residents each stand at a step of their own

The rule: somebody at step a takes it when everybody at an earlier step b is further than (a - b) + 1 steps of walking from
their surroundings, and they from the other's (`nearness`), and in no talk with them: then nobody who is behind can have been, or
have written, where one reads, and nobody is read by who is behind. Those at the same step who are near each other take it
together, in resident order, as in lock-step. Whoever has nothing to do passes over the steps in which nobody can come near.
What concerns the whole town (an event, a user's wish, somebody's arrival) is taken by everybody together.

What is left to think of a moment (`Intention.later`: memories to be rated, a talk to be remembered, reflection) is a future: its
resident and everybody else live on, until it is asked for another thought. Only telling waits for it.

The first of the slowest is never held up by anybody, so there is no deadlock. Steps are told to the journal in order, once
everybody has passed them. `docs/engine.md` says why this is sound; the idea is AI Metropolis's (MLSys 2025), the rule ours.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Awaitable, Callable
from inspect import iscoroutine
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from town.bodies import Body
from town.engine import Engine, attempt, rest_of
from town.nearness import Nearness
from town.protocols import Intention, Moment, Outcome
from town.timing import NEVER

GONE = NEVER // 2
"""Where somebody stands who isn't in town: far enough to be reached by nobody, and to count on from."""
MARGIN = 1
"""Steps by which one must be further away than the other could have walked: both may take one within the step."""


class Ahead(Engine):
    """An engine whose residents run ahead.

    lead      by how many steps at most anybody is ahead of the slowest; None: as far as the rule allows
    every     everybody comes together at multiples of so many steps, None: never for that
    gathered  called when everybody has come together
    near      how near tiles are to each other; engines of one map and radius may share it, if one runs after the other (rows that
              another one reads may be forgotten)
    """

    every: int | None = None
    gathered: Callable[[], None] | None = None
    near: Nearness | None = None
    summoned = False
    racing = False

    def summon(self) -> None:
        """Has everybody come together as soon as can be: at the step after the last one begun."""
        self.summoned = True

    def reporting(self) -> int | None:
        """The step that somebody is taking who may be ahead of others; None while everybody is at the same step."""
        return self.world.step if self.racing else None

    async def thought_of(self, thought: Awaitable[Intention]) -> Intention | Exception:
        """As in lock-step; but who may be ahead of others doesn't wait for what is left to think."""
        return await attempt(thought) if self.racing else await super().thought_of(thought)

    async def run(
        self,
        until: int,
        *,
        stop: Callable[[], bool] | None = None,
        on_step: Callable[[int], Awaitable[None] | None] | None = None,
    ) -> None:
        """As `Engine.run`; stops at a step that everybody has reached."""
        if self._fresh and until > self.world.step:
            await super().run(self.world.step + 1, on_step=on_step)
        while self.world.step < until:
            if stop is not None and stop():
                return
            step = self._next()
            if step >= min(until, self._together(step)):  # nothing before, or something for everybody
                await super().run(min(until, step + 1), on_step=on_step)
                continue
            self.world.step = step
            goal = min(until, self._together(step))
            if self.every is not None:
                goal = min(goal, (step // self.every + 1) * self.every)
            self.racing = True
            try:
                await _Race(self, goal, stop, on_step).run()
            finally:
                self.racing = False
            self.summoned = False
            if self.gathered is not None:
                self.gathered()

    def _together(self, step: int) -> int:
        """The first step from `step` on that everybody takes together."""
        to_come = self.timing.to_come[0].at if self.timing.to_come else NEVER
        return max(step, min([to_come, *(event.until for event in self.world.events.values())]))


class _Thinking(NamedTuple):
    """Those who take a step together, and what those of them who were asked began to think."""

    front: dict[int, Body]
    step: int
    asked: list[Body]
    moments: list[Moment]
    thoughts: tuple[object, ...]


class _Private(NamedTuple):
    """What is left to think of a moment."""

    step: int
    task: asyncio.Task[None]


class _Race:
    """From a step at which everybody stands to another."""

    def __init__(
        self,
        engine: Ahead,
        until: int,
        stop: Callable[[], bool] | None,
        on_step: Callable[[int], Awaitable[None] | None] | None,
    ) -> None:
        self.engine, self.until, self.stop, self.on_step = engine, until, stop, on_step
        self.stopped = False
        world = self.world = engine.world
        if engine.near is None:
            engine.near = Nearness(engine.town, engine.grid, engine.rules.radius)
        self.near = engine.near
        count = len(world.bodies)
        self.steps: npt.NDArray[np.int64] = np.full(count, world.step, dtype=np.int64)
        self.cells: npt.NDArray[np.int64] = np.zeros(count, dtype=np.int64)
        self.rows: npt.NDArray[np.int64] = np.zeros(count, dtype=np.int64)
        self.excess: npt.NDArray[np.int64] = np.zeros(count, dtype=np.int64)  # by how much rows may be too long
        self.away: npt.NDArray[np.int64] = np.zeros((count, count), dtype=np.int64)
        self.idle: npt.NDArray[np.bool_] = np.ones(count, dtype=np.bool_)  # not waiting for thoughts
        for body in world.bodies:
            if body.gone:
                self.steps[body.index] = GONE
            self.cells[body.index] = self.near.cell(body.tile)
            self.rows[body.index], self.excess[body.index] = self.near.at_least(body.tile, self.rows)
        for body in world.bodies:
            self._measure(body.index)
        self.since = self.steps.copy()  # the step after the last one taken: where one may stand that passes over some
        self.held: dict[int, list[int]] = {}  # whom somebody holds up
        self.waits_for = [-1] * count  # by whom each is held up
        self.ready = [(world.step, body.index) for body in world.bodies if not body.gone]
        self.thinking: dict[asyncio.Task[list[Intention | Exception]], _Thinking] = {}
        self.private: dict[int, _Private] = {}  # by index: what is still being thought of an earlier moment
        self.taken: list[int] = []  # steps that somebody has taken and that aren't told yet

    async def run(self) -> None:
        """Until everybody stands at the same step: `until`, or the furthest that was begun when it was to stop."""
        try:
            while True:
                self._go_on()
                self._tell()
                if not self.thinking and not self.private:
                    break
                private = [one.task for one in self.private.values()]
                done, _ = await asyncio.wait([*self.thinking, *private], return_when=asyncio.FIRST_COMPLETED)
                self._finished()
                thought = [task for task in self.thinking if task in done]
                for task in sorted(thought, key=lambda task: self.thinking[task].step):
                    intentions = task.result()
                    one = self.thinking.pop(task)
                    self._resolved(one.front, one.step, one.asked, one.moments, intentions)
        except BaseException:
            await self._break_off()
            raise
        self.world.step = self.until
        self._last()

    async def _break_off(self) -> None:
        """Takes back all that is being thought; when this returns nothing of it is left, begun or not."""
        tasks: list[asyncio.Task[Any]] = [*self.thinking, *(one.task for one in self.private.values())]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for one in self.thinking.values():
            for thought in one.thoughts:
                if iscoroutine(thought):
                    thought.close()  # one that never began would complain that nobody awaited it

    # ------------------------------------------------------------------ taking steps

    def _go_on(self) -> None:
        """Lets everybody go as far as they can, the slowest first."""
        while self.ready:
            step, index = heapq.heappop(self.ready)
            if self.steps[index] != step or not self.idle[index] or step >= self.until or self.waits_for[index] >= 0:
                continue
            if not self.stopped and (self.engine.summoned or (self.stop is not None and self.stop())):
                self._come_together()
                continue
            if self.engine.lead is not None:
                slowest, behind = self._last_told()
                if step > behind + self.engine.lead:
                    self._hold([index], slowest)
                    continue
            front, blocker = self._front(index, step)
            if blocker is None:
                self._take({i: self.world.bodies[i] for i in sorted(front)}, step)
            else:
                self._hold(front, blocker)

    def _hold(self, front: list[int], blocker: int) -> None:
        """These wait until somebody has come further; whoever waits already goes on waiting for whom they do."""
        watching = self.held.setdefault(blocker, [])
        for index in front:
            if self.waits_for[index] < 0:
                self.waits_for[index] = blocker
                watching.append(index)

    def _come_together(self) -> None:
        """From now on nobody goes beyond the furthest step that anybody has begun."""
        self.stopped = True
        there = self.steps < GONE
        begun = np.where(self.idle, self.since, self.steps + 1)
        self.until = min(self.until, int(begun[there].max()))
        self.steps[there] = np.minimum(self.steps[there], self.until)
        self.waits_for = [-1] * len(self.steps)
        self.ready = [(int(self.steps[index]), index) for index in np.flatnonzero(there & self.idle).tolist()]
        heapq.heapify(self.ready)
        self.held.clear()

    def _front(self, index: int, step: int) -> tuple[list[int], int | None]:
        """Those who take a step together with somebody, as far as looked for; and the slowest of those one of them waits for.

        All that is near counts: who is at the same step comes along, who is behind is waited for. Those who wait for somebody
        can't get away from those who are near them, so that these wait for the same one.
        """
        lag = step - self.steps
        reach = np.where(lag >= 0, lag + MARGIN, -1)  # nobody who is ahead
        found = [index]
        for one in found:
            near = (self.away[one] <= reach).nonzero()[0].tolist()
            talk = self.world.bodies[one].talk
            if talk is not None:  # who joined somebody's talk may be far from the others in it
                others = (self.world.by_name[name].index for name in talk.participants)
                near += [other for other in others if other not in near and lag[other] >= 0]
            if len(near) == 1:  # oneself
                continue
            behind = [other for other in near if lag[other] > 0]
            if behind:
                return found, max(behind, key=lag.__getitem__)
            for other in near:
                if self.idle[other] and other not in found:
                    if self.waits_for[other] >= 0:
                        return found, self.waits_for[other]
                    found.append(other)
        return found, None

    def _measure(self, index: int) -> None:
        """Steps between somebody's surroundings and everybody, or between theirs and oneself: the fewer."""
        table = self.near.table
        mine = table[self.rows[index], self.cells]
        theirs = table[self.rows, self.cells[index]]
        if not self.near.exact:
            mine, theirs = np.maximum(mine - self.excess[index], 0), np.maximum(theirs - self.excess, 0)
        self.away[index] = self.away[:, index] = np.minimum(mine, theirs)

    def _take(self, front: dict[int, Body], step: int) -> None:
        engine = self.engine
        self.world.step = step
        if step >= engine.timing.next(step, front):
            engine.timing.due(step, front)
        asked, moments = engine.read(step, front)
        thoughts = engine.prepare(asked, moments)
        begun = tuple(thoughts)
        if self.private:
            for place, (body, thought) in enumerate(zip(asked, thoughts, strict=True)):
                if body.index in self.private and isinstance(thought, Awaitable):
                    thoughts[place] = self._after(self.private[body.index].task, thought)
        if any(isinstance(thought, Awaitable) for thought in thoughts):
            for index in front:
                self.idle[index] = False
            task = asyncio.ensure_future(engine.await_all(thoughts))
            self.thinking[task] = _Thinking(front, step, asked, moments, begun)
        else:
            self._resolved(front, step, asked, moments, engine.checked_thoughts(thoughts))

    def _resolved(
        self, front: dict[int, Body], step: int, asked: list[Body], moments: list[Moment], thoughts: list[Intention | Exception]
    ) -> None:
        engine = self.engine
        engine.steps_processed += 1
        outcomes = engine.resolve(step, asked, moments, thoughts, front)
        for body, moment, intention, outcome in zip(asked, moments, thoughts, outcomes, strict=True):
            if isinstance(intention, Intention) and intention.later is not None:
                self.private[body.index] = _Private(step, asyncio.ensure_future(self._rest(body, moment, intention, outcome)))
        heapq.heappush(self.taken, step)
        for body in front.values():
            self._placed(body)
        onward = self._onward(front, step + 1)
        for index in front:
            self.idle[index] = True
            self.steps[index], self.since[index] = onward, step + 1
            heapq.heappush(self.ready, (onward, index))
            self._release(index)

    # ------------------------------------------------------------------ what nobody else has to wait for

    async def _rest(self, body: Body, moment: Moment, intention: Intention, outcome: Outcome) -> None:
        """Thinks what is left, and lets the mind write it at once, at the step it belongs to."""
        rest = await attempt(rest_of(intention))
        now, self.world.step = self.world.step, moment.step
        self.engine.finish(body, moment, rest, outcome)
        self.world.step = now

    @staticmethod
    async def _after(private: asyncio.Task[None], thought: Awaitable[Intention]) -> Intention:
        """A thought that begins when what was left of an earlier one has been thought."""
        await private
        return await thought

    def _finished(self) -> None:
        """Whoever waited only to be told may go on."""
        for index in [index for index, one in self.private.items() if one.task.done()]:
            self.private.pop(index).task.result()
            self._release(index)

    def _release(self, index: int) -> None:
        for other in self.held.pop(index, ()):
            self.waits_for[other] = -1
            heapq.heappush(self.ready, (int(self.steps[other]), other))

    def _placed(self, body: Body) -> None:
        cell = self.near.cell(body.tile)
        if cell != self.cells[body.index]:
            self.cells[body.index] = cell
            self.rows[body.index], self.excess[body.index] = self.near.at_least(body.tile, self.rows)
            self._measure(body.index)

    def _onward(self, front: dict[int, Body], step: int) -> int:
        """The next step at which these have something to do or somebody can come near, at most `until`."""
        self.world.step = step
        soonest = min(self.engine.next_for(front, step), self.until)
        if soonest <= step:
            return step
        members = list(front)
        for index in members:
            comes = self.steps + self.away[index]
            comes[members] = GONE
            soonest = min(soonest, max(step, int(comes.min()) - MARGIN))
        return soonest

    # ------------------------------------------------------------------ telling

    def _last_told(self) -> tuple[int, int]:
        """By whom telling is held up, and the step up to which everything can be told."""
        slowest = int(self.steps.argmin())
        step = int(self.steps[slowest])
        for index, one in self.private.items():
            if one.step < step:
                slowest, step = index, one.step
        return slowest, step

    def _tell(self) -> None:
        """Tells the journal of the steps that everybody has passed."""
        slowest = min(self._last_told()[1], self.until)
        last = None
        while self.taken and self.taken[0] < slowest:
            step = heapq.heappop(self.taken)
            if step == last:
                continue
            last = step
            self.world.step = step + 1
            self.engine.tell(step)
            if self.on_step is not None:
                answer = self.on_step(step)
                assert answer is None or not isinstance(answer, Awaitable)
        self.world.step = slowest

    def _last(self) -> None:
        self.engine.rouse()
        if self.engine._committed < self.until - 1:
            self.engine.tell(self.until - 1)
