"""Pace: how fast a run is lived while somebody watches (design rule 5).

    Pace                    paused, N game seconds per second, flat out; `until` a step to stand still at
    ask_pace(path, pace)    the watcher's side: a leased row of `control`, to be renewed; never waits long
    release(path)           the watcher leaves
    told(run)               what the engine said last: what it does, and at which step
    awaited(run)            the call of a model that it waits for
    Pacer                   the engine's side: obeys between two steps; without a lease the run is undisturbed

Held back, the engine never goes further than the pace allows, so that a watcher sees the newest step and a user's wishes take
effect at once. Hours in which nearly everybody sleeps are passed quickly, except when paused. Pace never changes what happens.
"""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kernel import Clock, RunFileError, dumps
from language.model import CallKey
from simulation.interventions.desk import Desk
from simulation.storing.journal import RunJournal
from simulation.storing.runfile import RunFile
from town import Engine

LEASE = 3.0
"""Seconds a pace holds unless renewed."""
LEAD = 30
"""Steps by which nobody is further ahead of the slowest while somebody watches (design rule 5)."""
LOOK = 0.1
"""Seconds between two looks at the control row."""
SLICE = 0.02
"""Seconds slept at a time."""
BEHIND = 0.5
"""Seconds a slow engine may fall behind before it stops trying to make up for it."""
THINKING = 0.6
"""Seconds between two steps after which the engine is said to be thinking."""
OWLS = 8
"""It is night while no more than one in so many is awake."""
PATIENCE = 20
"""Milliseconds a watcher waits for its turn to write."""

FLAT_OUT = math.inf

_WRITE = "INSERT OR REPLACE INTO control VALUES (?, ?, ?)"


@dataclass(frozen=True, slots=True)
class Pace:
    """`rate` in game seconds per second: 0 paused, infinity flat out. `until`: as fast as can be to V_until, then paused."""

    rate: float
    until: int | None = None

    def text(self) -> str:
        """As it stands in the control row: "paused", "until 360", "60" or "flat out"."""
        if self.until is not None:
            return f"until {self.until}"
        return "paused" if self.rate <= 0 else "flat out" if math.isinf(self.rate) else f"{self.rate:g}"

    @classmethod
    def read(cls, text: str) -> Pace | None:
        """The pace meant by a text, None for one that means nothing."""
        if text in ("paused", "flat out"):
            return cls(0.0 if text == "paused" else FLAT_OUT)
        word, _, number = text.rpartition(" ")
        try:
            return cls(0.0, int(number)) if word == "until" else cls(max(0.0, float(number))) if not word else None
        except ValueError:
            return None


@dataclass(frozen=True, slots=True)
class Told:
    """What the engine does: `doing` is paused, living, night or thinking; `pace` the one it obeys; before which step it is."""

    doing: str
    pace: Pace
    step: int


def ask_pace(path: Path, pace: Pace, lease: float = LEASE) -> bool:
    """Asks for a pace for `lease` seconds; False when the file is busy or can't be written: ask again later."""
    return _write(path, "INSERT OR REPLACE INTO control VALUES ('pace', ?, ?)", (pace.text(), time.time() + lease))


def release(path: Path) -> bool:
    """Nobody watches any more: the run goes on flat out."""
    return _write(path, "DELETE FROM control WHERE key = 'pace'", ())


def _write(path: Path, sql: str, row: tuple[object, ...]) -> bool:
    try:
        with RunFile.open(path, readonly=False, guest=True) as run:
            run.connection.execute(f"PRAGMA busy_timeout = {PATIENCE}")
            run.write(sql, [row])
    except RunFileError:
        return False
    return True


def told(run: RunFile) -> Told | None:
    """What the engine said last; None when no engine obeys: nobody lives this run, or nobody has asked it for a pace."""
    found = run.rows("SELECT value, expires FROM control WHERE key = 'doing'")
    if not found or found[0][1] <= time.time():
        return None
    doing, pace, step = str(found[0][0]).split(", ")
    return Told(doing, Pace.read(pace) or Pace(FLAT_OUT), int(step))


@dataclass(frozen=True, slots=True)
class Awaited:
    """A call that the engine waits for: whose, which operation, and for how many seconds by now."""

    resident: str
    operation: str
    seconds: float


def awaited(run: RunFile) -> Awaited | None:
    """The call that the engine has been waiting for the longest, None when it doesn't wait."""
    found = run.rows("SELECT value, expires FROM control WHERE key = 'waiting'")
    if not found or found[0][1] <= time.time():
        return None
    said = json.loads(found[0][0])
    return Awaited(said["resident"], said["operation"], max(0.0, time.time() - said["since"]))


class Pacer:
    """The engine's side. `drive` lives a run to `until`, at the pace that is asked for meanwhile.

    `pending`: the calls that wait for a model, the oldest first (see `language.gateway`).
    """

    def __init__(
        self, run: RunFile, engine: Engine, journal: RunJournal, clock: Clock, desk: Desk,
        pending: Collection[CallKey] = (),
    ) -> None:  # fmt: skip
        self._run, self._engine, self._journal, self._clock, self._desk = run, engine, journal, clock, desk
        self._pending = pending
        self._awaits: CallKey | None = None
        self._since = self._renewed = 0.0
        self._stop: int | None = None
        self.pace: Pace | None = None
        self._obeyed: Pace | None = None
        self._looked = self._rested = 0.0
        self._anchor = (0.0, 0)
        self._night = False
        self._stepped = time.monotonic()
        self._said: tuple[str, float] = ("", 0.0)

    async def drive(self, until: int, stop: Callable[[], bool], on_step: Callable[[int], Any]) -> None:
        """Until V_until is current or `stop()`. `on_step` as in `Engine.run`."""
        engine = self._engine

        def stepped(step: int) -> None:
            self._stepped = time.monotonic()
            on_step(step)

        watching = asyncio.create_task(self._watch())
        try:
            while engine.step < until and not stop():
                self._look()
                if self._desk.is_due(engine.step):
                    self._journal.flush()  # what is set for this very step takes effect
                self._desk.apply(engine.step)
                self._stop = self._desk.next(engine.step)
                end = until if self._stop is None else min(until, self._stop)
                pace = self._obeyed = self.pace
                if pace is None or math.isinf(pace.rate):
                    await engine.run(end, stop=lambda: stop() or self._hindered(), on_step=stepped)
                    continue
                bound = min(end, self._bound(pace))
                if bound > engine.step:
                    await engine.run(bound, stop=lambda: stop() or self._hindered() or self._woken(), on_step=stepped)
                    self._journal.step_done()
                    if self._night:
                        self._anchor = (time.monotonic(), engine.step)
                else:
                    await self._rest()
        finally:
            watching.cancel()
            with suppress(asyncio.CancelledError, RunFileError):
                await watching

    # ------------------------------------------------------------------ what the pace allows

    def _bound(self, pace: Pace) -> int:
        """How far one may go now."""
        step, now = self._engine.step, time.monotonic()
        self._night = False
        if pace.until is not None or pace.rate <= 0:
            return pace.until or 0
        self._night = self._asleep()
        if self._night:
            return step + self._clock.steps(days=1)
        per_step = self._clock.step_seconds / pace.rate
        since, first = self._anchor
        due = first + int((now - since) / per_step)
        if due - step > max(1, BEHIND / per_step):
            self._anchor = (now, step)
            return step + 1
        return due

    def _asleep(self) -> bool:
        bodies = [body for body in self._engine.world.bodies if not body.gone]
        return sum(not body.asleep for body in bodies) * OWLS <= len(bodies)

    def _woken(self) -> bool:
        """Whether a night that is passed quickly is over."""
        return self._night and not self._asleep()

    def _hindered(self) -> bool:
        """Looks now and then; whether another pace is asked for than at setting out, or something is set for a time."""
        self._look()
        return self.pace != self._obeyed or self._desk.next(self._engine.step) != self._stop

    async def _rest(self) -> None:
        """Sleeps a little. What has been lived is written, and what is asked meanwhile taken up, even while nothing moves."""
        journal, run, now = self._journal, self._run, time.monotonic()
        if now - self._rested >= LOOK and (run.committed < journal.step or run.rows(_WISHES) != [(0,)]):
            journal.flush()
            self._rested = now
        self._stepped = time.monotonic()
        await asyncio.sleep(SLICE)

    # ------------------------------------------------------------------ the control row

    async def _watch(self) -> None:
        """Says that the engine is thinking while it waits for answers within a step."""
        while True:
            await asyncio.sleep(LOOK)
            self._look()
            self._wait_for(next(iter(self._pending), None), time.time())

    def _wait_for(self, call: CallKey | None, now: float) -> None:
        """Says for which call the engine waits, once that takes long; whether or not a pace is asked for."""
        if call != self._awaits:
            if self._renewed:
                self._run.write("DELETE FROM control WHERE key = 'waiting'", [()])
            self._awaits, self._since, self._renewed = call, now, 0.0
        if call is not None and now - self._since > THINKING and now - self._renewed > LEASE / 3:
            self._renewed = now
            said = dumps({"resident": call.resident, "operation": call.operation, "since": round(self._since, 3)})
            self._run.write(_WRITE, [("waiting", said, now + LEASE)])

    def _look(self) -> None:
        """Reads the control row, not more often than every LOOK seconds, and says what is done."""
        now = time.monotonic()
        if now - self._looked < LOOK:
            return
        self._looked = now
        found = self._run.rows("SELECT value, expires FROM control WHERE key = 'pace'")
        pace = Pace.read(str(found[0][0])) if found and (found[0][1] or 0.0) > time.time() else None
        if pace != self.pace:
            self.pace, self._anchor = pace, (now, self._engine.step)
            self._engine.lead = LEAD if pace is not None else None
        if pace is not None:
            self._say(pace, now)

    def _say(self, pace: Pace, now: float) -> None:
        step = self._engine.step
        if now - self._stepped > THINKING:
            doing = "thinking"
        elif pace.rate <= 0 and (pace.until is None or step >= pace.until):
            doing = "paused"
        else:
            doing = "night" if self._asleep() else "living"
        words = f"{doing}, {pace.text()}"
        if words != self._said[0] or now - self._said[1] > LEASE / 3:
            self._said = (words, now)
            self._run.write(_WRITE, [("doing", f"{words}, {step}", time.time() + LEASE)])


_WISHES = "SELECT EXISTS (SELECT 1 FROM interventions WHERE step IS NULL AND outcome IS NULL)"
