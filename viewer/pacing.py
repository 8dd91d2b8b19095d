"""How fast the town is to live while it is watched: what the window asks of the engine, and what the engine says.

Pacing(source)    .ask(pace)  .keep(seconds) every frame  .words()  .close()

The row is written by a connection of its own that never waits: a file that is busy is tried again at the next frame. When
the window dies, nobody renews the row, and the town goes on flat out.
"""

from __future__ import annotations

import math

from kernel import RunFileError
from simulation.pace import LEASE, Awaited, Pace, Told, ask_pace, awaited, release, told
from viewer.source import Source
from viewer.wording import say

RENEW = 1.0
"""Seconds after which a pace is asked for again."""
LISTEN = 0.2
"""Seconds between two looks at what the engine says."""


class Pacing:
    """The pace of one run. `wanted` None: nobody has chosen one, and the run is left alone."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.wanted: Pace | None = None
        self.told: Told | None = None
        self.expecting = False
        self.awaited: Awaited | None = None
        self._due = math.inf
        self._heard = self._moved = self._listened = 0.0
        self._seconds = 0.0
        self._committed = source.committed

    def ask(self, pace: Pace, *, expecting: bool = False) -> None:
        """From now on this pace; written at the next `keep`. `expecting`: a life that is about to begin."""
        if expecting or not self._source.over:
            self.expecting = self.expecting or expecting
            self.wanted, self._due = pace, 0.0
            self._moved = self._seconds

    def keep(self, seconds: float) -> None:
        """Real time passes: renews what is asked for, and listens."""
        self._seconds += seconds
        if self._source.committed != self._committed:
            self._committed, self._moved = self._source.committed, self._seconds
        if not self._source.over and self._seconds - self._listened >= LISTEN:
            self._listened = self._seconds
            try:
                self.awaited = awaited(self._source.run)
            except RunFileError:
                self.awaited = None
        if self.wanted is None:
            return
        self.expecting = self.expecting and self._source.over
        if self._source.over and not self.expecting:
            self.close()
            return
        if self._seconds >= self._due:
            self._due = self._seconds + RENEW if ask_pace(self._source.path, self.wanted) else self._seconds
        if self._seconds - self._heard >= LISTEN:
            self._heard = self._seconds
            try:
                self.told = told(self._source.run)
            except RunFileError:
                self.told = None

    def words(self) -> str:
        """What the engine is doing, in words; empty when nothing was asked of it."""
        if self.wanted is None:
            return ""
        if self.told is None:
            return say("engine", "nobody") if self._seconds - self._moved > 1.5 * LEASE else ""
        if self.awaited is not None:
            return say("engine", "waiting", what=self.waiting())
        doing = self.told.doing
        if doing == "living" and (math.isinf(self.told.pace.rate) or self.told.pace.until is not None):
            doing = "flat_out"
        return say("engine", doing, pace=self.told.pace.text())

    def waiting(self) -> str:
        """The call of the model that the engine waits for, in words; empty: none."""
        if self.awaited is None:
            return ""
        seconds = int(self.awaited.seconds)
        return say("engine", "waits_for", operation=self.awaited.operation, resident=self.awaited.resident, seconds=seconds)

    def close(self) -> None:
        """The town is left alone."""
        if self.wanted is not None:
            self.wanted = self.told = None
            release(self._source.path)
