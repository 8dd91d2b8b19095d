"""Virtual time: an event loop whose clock jumps, answers that take their time, slots for them.

    VirtualLoop      asyncio's loop, but nobody waits: when nothing is ready the clock jumps to the next timer
    in_virtual_time  runs a coroutine in one; (its result, virtual seconds, processor seconds)
    Request          one call to a model: whose, at which step, the n-th there, tokens read and written
    LATENCIES        name -> seconds of a request, keyed by the request so that whoever asks it in whatever order waits as long
    Slots            K answers at once, by (step, resident) or first come first served

The real scheduler runs; only waiting costs nothing. `batching` is the one latency that depends on the others: each token takes
longer the more answers are under way (a server that batches). All figures made with this are virtual seconds: compare ratios.
"""

from __future__ import annotations

import asyncio
import heapq
import time
from collections.abc import Callable, Coroutine
from math import exp, log
from typing import Any, NamedTuple, TypeVar

from kernel import Dice

T = TypeVar("T")
HALF_SPEED = 32
"""Answers under way at which a batching server writes each token half as fast."""


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop with a clock of its own, in seconds since it was made."""

    now = 0.0

    def time(self) -> float:
        """The virtual time."""
        return self.now

    def _run_once(self) -> None:
        if not self._ready and self._scheduled:  # type: ignore[attr-defined]
            self.now = max(self.now, self._scheduled[0]._when)  # type: ignore[attr-defined]
        super()._run_once()  # type: ignore[misc]


def in_virtual_time(main: Coroutine[Any, Any, T]) -> tuple[T, float, float]:
    """Runs `main`; its result, the virtual and the processor seconds it took."""
    loop = VirtualLoop()
    began = time.process_time()
    try:
        result = loop.run_until_complete(main)
        return result, loop.now, time.process_time() - began
    finally:
        loop.close()


class Request(NamedTuple):
    """A call: the n-th of a resident at a step."""

    resident: int
    step: int
    n: int
    tokens_in: int
    tokens_out: int


def _affine(request: Request) -> float:
    return 0.08 + 0.0002 * request.tokens_in + 0.033 * request.tokens_out


def _lognormal(seed: int) -> Callable[[Request], float]:
    def seconds(request: Request) -> float:
        dice = Dice(seed, str(request.resident), request.step, f"latency/{request.n}")
        # Box and Muller's normal of two uniform numbers would need a cosine; twelve uniform ones are close enough to one.
        normal = sum(dice.random() for _ in range(12)) - 6
        return _affine(request) * exp(0.5 * normal)

    return seconds


LATENCIES: dict[str, Callable[[int], Callable[[Request], float]]] = {
    "zero": lambda seed: lambda request: 0.0,
    "const": lambda seed: lambda request: 0.5,
    "affine": lambda seed: _affine,
    "lognormal": _lognormal,
}
"""name -> (seed -> seconds of a request). `lognormal`: sigma 0.5 around `affine`."""


class Slots:
    """`count` answers at once (None: any number). `priority`: whoever is at the earliest step first, else whoever came first.

    `seconds` is the latency; `batching` stretches it by 1 + (answers under way) / HALF_SPEED as it begins. `busy` adds up the
    seconds answered in, `calls` counts them; busy / time is the mean number of calls under way.
    """

    def __init__(
        self,
        seconds: Callable[[Request], float],
        count: int | None = None,
        *,
        priority: bool = True,
        batching: bool = False,
    ) -> None:
        self.seconds, self.count, self.priority, self.batching = seconds, count, priority, batching
        self.under_way = self.calls = self._came = 0
        self.busy = 0.0
        self._waiting: list[tuple[int, int, int, asyncio.Future[None]]] = []

    async def answer(self, request: Request) -> None:
        """Comes back when the request has been answered."""
        if self.count is not None and self.under_way >= self.count:
            turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._came += 1
            rank = (request.step, request.resident) if self.priority else (0, 0)
            heapq.heappush(self._waiting, (*rank, self._came, turn))
            await turn  # whoever leaves hands the slot over: `under_way` stays as it is
        else:
            self.under_way += 1
        takes = self.seconds(request)
        if self.batching:
            takes *= 1 + self.under_way / HALF_SPEED
        self.busy += takes
        self.calls += 1
        try:
            if takes:
                await asyncio.sleep(takes)
        finally:
            if self._waiting:
                heapq.heappop(self._waiting)[-1].set_result(None)
            else:
                self.under_way -= 1


def geometric_mean(values: list[float]) -> float:
    """Of positive numbers."""
    return exp(sum(map(log, values)) / len(values))


def interval(values: list[float], resamples: int = 10_000) -> tuple[float, float]:
    """95 % bootstrap interval (percentiles) of the geometric mean; one value has no spread."""
    import numpy as np

    drawn = np.random.Generator(np.random.PCG64(1)).choice(np.log(values), (resamples, len(values))).mean(axis=1)
    low, high = np.exp(np.percentile(drawn, [2.5, 97.5]))
    return float(low), float(high)
