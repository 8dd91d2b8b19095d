"""Where in the run one is, and how fast it goes by.

Playback    a fractional step; playing at a pace, paused, or following the live edge
"""

from __future__ import annotations

import math

from viewer.source import Source
from viewer.wording import say

PACES = (1.0, 10.0, 60.0, 360.0)
"""Game seconds per real second."""
WALKING = 30.0
"""The pace at which one walks about as a visitor: at ten-second steps three tiles a second."""
LEAD = 1.0
"""Following the live edge, the picture is this many steps behind it, so that people walk smoothly."""


class Playback:
    """Time in the window."""

    def __init__(self, source: Source, *, step: float | None = None, live: bool = False) -> None:
        self._source = source
        self.step = float(source.committed if step is None else step)
        self.pace = 60.0
        self.playing = True
        self.live = live
        self.flat_out = live
        """Whether a town that is being lived goes as fast as it can."""

    @property
    def rate(self) -> float:
        """Game seconds per real second at the moment, 0 when it stands still."""
        return self.pace if self.playing and not self.at_end else 0.0

    @property
    def at_end(self) -> bool:
        """Whether there is nothing further yet."""
        return self.step >= self._source.committed

    def advance(self, seconds: float, slow: float = 1.0) -> None:
        """Real time passes; `slow` (0..1] eases the pace. Following the live edge, the picture keeps up with it."""
        if not self.playing and not self.live:
            return
        way = self.pace * slow * seconds / self._source.clock.step_seconds
        edge = self._source.committed - (LEAD if self.playing else 0.0)
        if self.live and edge - self.step > way:
            # Far behind: jump; a little behind: catch up smoothly within about a third of a second.
            gap = edge - self.step
            way = gap if gap > 120 else max(way, gap * min(1.0, seconds * 3))
        self.step = min(self.step + way, float(self._source.committed))

    @property
    def chosen(self) -> float:
        """The pace chosen, in game seconds per second; infinity: flat out."""
        return math.inf if self.flat_out and not self._source.over else self.pace

    def choose(self, rate: float) -> None:
        """Another pace; infinity (flat out) is for a town that is being lived only, and goes to its edge."""
        if not math.isinf(rate):
            self.pace, self.flat_out = rate, False
        elif not self._source.over:
            self.flat_out = True
            self.go_live()

    def words(self) -> str:
        """How fast time goes by, in words."""
        if not self.playing:
            return say("status", "paused")
        return say("status", "flat_out") if math.isinf(self.chosen) else say("status", "rate", pace=f"{self.chosen:g}")

    def seek(self, step: float) -> None:
        """Goes to a step, and no longer follows the live edge."""
        self.live = False
        self.step = min(max(step, 0.0), float(self._source.committed))

    def nudge(self, steps: int) -> None:
        """Pauses, and goes on or back by whole steps."""
        self.playing = False
        self.seek(float(int(self.step) + steps))

    def faster(self, notches: int) -> None:
        """The next pace up or down."""
        at = min(range(len(PACES)), key=lambda number: abs(PACES[number] - self.pace))
        self.pace = PACES[min(max(at + notches, 0), len(PACES) - 1)]

    def follow(self) -> None:
        """From the end of a run that is lived on, with its live edge, as fast as it is lived."""
        self.live = self.flat_out = True

    def go_live(self) -> None:
        """To the live edge, and with it."""
        self.live = self.playing = True
        self.step = float(max(0, self._source.committed - LEAD))
