"""How many calls a server is given at once: additive increase, multiplicative decrease, as TCP shares a line.

    limit = AdaptiveLimit(most=32)
    slot = await limit.enter(step)             whoever is at the earliest step goes first
    limit.leave(slot, "good" | "overloaded" | "lost" | "failed")
    slow = limit.slow("say", seconds)          an answer that took far longer than this operation's usual time

Until the first overload every good answer adds one (the limit doubles with each round); afterwards a whole round of
good answers adds one. An overload (429, 503, a slow answer) takes the limit down, once for all calls that were under way
when it happened; so does a call that was lost (a timeout), unless a whole round of others was answered in the meantime: one
that hangs says nothing about the rest. A few overloads among many answers are no reason yet (`TOLERATED`), nor any where
fewer than half of the places were taken: too many at once wasn't what was wrong. The limit only decides when a question is
asked, never what a town does.
"""

from __future__ import annotations

import asyncio
import heapq
from typing import Literal, NamedTuple

Outcome = Literal["good", "overloaded", "lost", "failed"]

DECREASE = 0.5
TOLERATED = 0.25
"""Share of overloads among the last tries, below which the limit stays: a server that turns down a tenth of everything, whatever
the load, would be asked one question at a time otherwise."""
_PRESSURE = 1 / 16  # weight of the newest try in that share
SLOW = 3.0
"""An answer is slow when it takes this many times its operation's usual time ..."""
SLOW_SECONDS = 1.0
"""... and at least this long."""
_USUAL_AFTER = 8  # answers of an operation before its usual time is known
_MEMORY = 0.1  # weight of the newest answer in the usual time


class Slot(NamedTuple):
    """One call under way. `round` counts the decreases there had been when it began, `good` the good answers, `taken` the places
    with its own."""

    round: int
    good: int = 0
    taken: int = 1


class AdaptiveLimit:
    """A gate for one event loop. `most` is never exceeded.

    Those who wait enter by step, then in order of asking: when residents run ahead of each other, the others wait for the last.
    """

    def __init__(self, most: int, start: int | None = None) -> None:
        self.most = max(1, most)
        self._limit = float(min(self.most, start if start is not None else max(8, self.most // 2)))
        self._active = 0
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []  # a heap
        self._asked = 0
        self._round = 0
        self._good = 0
        self._pressure = 0.0
        self._usual: dict[str, tuple[int, float]] = {}

    @property
    def limit(self) -> int:
        """Calls allowed at once at present."""
        return max(1, int(self._limit))

    @property
    def decreases(self) -> int:
        """How often the limit was taken down."""
        return self._round

    async def enter(self, step: int = 0) -> Slot:
        """Waits for a place. Cancelled while waiting, it leaves none taken."""
        if self._active >= self.limit or self._waiting:
            turn = asyncio.get_running_loop().create_future()
            self._asked += 1
            waiting = step, self._asked, turn
            heapq.heappush(self._waiting, waiting)
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self._active -= 1  # the place was given just before the cancellation
                elif waiting in self._waiting:  # else it has been passed over already
                    self._waiting.remove(waiting)
                    heapq.heapify(self._waiting)
                self._admit()
                raise
        else:
            self._active += 1
        return Slot(self._round, self._good, self._active)

    def leave(self, slot: Slot, outcome: Outcome) -> None:
        """Gives the place back and says how it went; "failed" says nothing about the server's load."""
        full, crowded = self._active >= self.limit, 2 * max(self._active, slot.taken) >= self.limit
        self._active -= 1
        if outcome == "lost":
            outcome = "overloaded" if self._good - slot.good < self.limit else "failed"
        self._good += outcome == "good"
        self._pressure += ((outcome == "overloaded") - self._pressure) * _PRESSURE
        if outcome == "overloaded":
            if slot.round == self._round and crowded and self._pressure >= TOLERATED:
                self._round += 1
                self._limit = max(1.0, self._limit * DECREASE)
        elif outcome == "good" and full:
            self._limit = min(float(self.most), self._limit + (1.0 if self._round == 0 else 1.0 / self._limit))
        self._admit()

    def slow(self, operation: str, seconds: float) -> bool:
        """Whether an answer took far longer than is usual for its operation; notes its time."""
        seen, usual = self._usual.get(operation, (0, seconds))
        self._usual[operation] = (seen + 1, usual + (seconds - usual) * (_MEMORY if seen >= _USUAL_AFTER else 1 / (seen + 1)))
        return seen >= _USUAL_AFTER and seconds >= SLOW_SECONDS and seconds > SLOW * usual

    def _admit(self) -> None:
        while self._waiting and self._active < self.limit:
            turn = heapq.heappop(self._waiting)[-1]
            if not turn.done():
                self._active += 1
                turn.set_result(None)
