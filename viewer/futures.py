"""How a run goes on, at the user's wish: what is typed in the present, forks of the past, and living on what nobody lives.

meddle(window, deed)     in the present asked of the engine; in the past in a fork, if the user wants one
fork_here(window)        another future from the shown step
live_on(window)          starts an engine, unless one is at work; `await_life` once a frame; `lived_on` when another has begun
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from simulation.pace import Pace
from viewer.meddling import Deed
from viewer.question import Question
from viewer.wording import say

if TYPE_CHECKING:
    from viewer.window import Window

DAYS = (1.0, 0.25)
"""Game days by which a run at its end can be lived on."""
ANSWERS = 2.0
"""Seconds within which an engine that lives the run says so, once it is asked for a pace."""


def meddle(window: Window, deed: Deed) -> None:
    """Does what was typed: in the present at once; in the past in another future, if the user wants one."""
    if window.panels.edge:
        window.tell(window.meddling.ask(deed))
    elif trouble := window.meddling.trouble(deed):
        window.tell(trouble)
    else:
        fork_here(window, deed)


def fork_here(window: Window, deed: Deed | None = None) -> None:
    """Asks whether another future is to begin at the shown step."""
    step = int(window.playback.step)
    time = f"{window.source.clock.at(step):%A %H:%M}"

    def begin(living: bool) -> Callable[[], None]:
        return lambda: window.tell(window.branching.begin(step, deed, living=living))

    detail = say("fork", "with", what=deed.text) if deed is not None else say("fork", "without")
    answers = [(say("fork", "live"), begin(True)), (say("fork", "still"), begin(False)), (say("question", "no"), _nothing)]
    window.question = Question(say("fork", "here", time=time), detail, answers)


def pace(window: Window, until: int | None = None) -> None:
    """Asks the engine for the pace chosen, if the live edge is followed."""
    if window.playback.live:
        rate = window.playback.chosen if window.playback.playing and until is None else 0.0
        window.pacing.ask(Pace(rate, until))


def live_on(window: Window) -> None:
    """The run is lived on by an engine of its own, if nobody lives it; one that is at its end after a question."""
    source = window.source
    if window.reviving.running or (window.pacing.told is not None and not source.over):
        window.tell(say("life", "lived"))
    elif source.over:
        answers = [(say("life", "days", days=days), _reviver(window, days)) for days in DAYS]
        window.question = Question(say("life", "over"), say("life", "how"), [*answers, (say("question", "no"), _nothing)])
    else:
        window.waiting = window.seconds
        window.playback.go_live()
        window.pacing.ask(Pace(window.playback.chosen))
        window.tell(say("life", "looking"))


def lived_on(window: Window, at_end: bool) -> None:
    """A run that was at its end has got further days: whoever was looking at its end (`at_end`) sees them come."""
    if window.reviving.running:  # from here: that has been told
        return
    if at_end and window.playback.playing:
        window.playback.follow()
        window.tell(say("life", "resumed"))
    else:
        window.tell(say("life", "resumed_past"))


def await_life(window: Window) -> None:
    """Starts the engine that was asked for, unless one has answered meanwhile."""
    if window.waiting is None:
        return
    if window.pacing.told is not None:
        window.waiting = None
        window.tell(say("life", "lived"))
    elif window.seconds - window.waiting > ANSWERS:
        window.waiting = None
        revive(window)


def revive(window: Window, days: float | None = None) -> None:
    """Starts an engine; the town goes at the pace of the window from its first step."""
    window.playback.go_live()
    window.pacing.ask(Pace(window.playback.chosen), expecting=True)
    window.pacing.keep(0.0)
    window.reviving.begin(days)
    window.tell(say("life", "begun"))


def _reviver(window: Window, days: float) -> Callable[[], None]:
    return lambda: revive(window, days)


def _nothing() -> None:
    """An answer that asks for nothing."""
