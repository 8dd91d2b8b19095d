"""Who decides in the catchment: three kinds of policy behind one call.

    Policy          name, parameters, decide(Situation) -> Action
    Responsive      reads perception, clock and the memory it is shown
    Insensitive     reads the present effort only
    Scheduled       a literal schedule, reads nothing
    SCHEDULES       the three literal schedules

All are stateless: the same situation gives the same action.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from studies.catchment.records import Experience, stalled_collect
from studies.catchment.world import DECISIONS, Action, Seen

_RESTS: tuple[Action, ...] = ("rest",) * 6
SCHEDULES: Mapping[str, tuple[Action, ...]] = {
    "success": ("rest", "collect", "rest", "inspect", "rest", "clear", *_RESTS, "collect", "collect", "collect", "collect"),
    "no-clear": ("rest", "collect", "rest", "inspect", "rest", "rest", *_RESTS, "collect", "collect", "collect", "collect"),
    "all-rest": ("rest",) * 16,
}
"""The successful path; the same with decision 5's clear replaced by rest; all rest."""


@dataclass(frozen=True, slots=True)
class Situation:
    """All that a policy may read. `left` counts the decisions left, this one included."""

    decision: int
    seen: Seen
    memory: Sequence[Experience]

    @property
    def left(self) -> int:
        """DECISIONS at decision 0, 1 at the last."""
        return DECISIONS - self.decision


class Policy(Protocol):
    """A decider. `name` and `parameters` go into the evidence."""

    @property
    def name(self) -> str:
        """As in the table of conditions."""

    @property
    def parameters(self) -> Mapping[str, object]:
        """What else tells it from others of its name."""

    def decide(self, situation: Situation) -> Action:
        """The action at a decision. Pure."""


@dataclass(frozen=True, slots=True)
class Responsive:
    """Reads the memory it is shown. `window`: in so many last decisions it collects.

    The one place where memory matters for the obligation is decision 5 (eleven left): it clears when it has the
    effort and is shown a collect that stalled. It has no use for a reading, so a warning that was seen doesn't help it.
    """

    window: int = 4
    name: str = "responsive"

    @property
    def parameters(self) -> Mapping[str, object]:
        """The length of the last window."""
        return {"window": self.window}

    def decide(self, situation: Situation) -> Action:
        """See the class; one branch per phase of the episode, first match."""
        effort, memory = situation.seen.effort, situation.memory
        stalled = any(stalled_collect(one) for one in memory)
        if situation.left > 11:
            if effort < 2 or any(one.action == "inspect" for one in memory):
                return "rest"
            return "inspect" if stalled else "collect"
        if situation.left == 11:
            return "clear" if effort >= 3 and stalled else "rest"
        if situation.left <= self.window and effort > 0:
            return "collect"
        return "rest" if situation.left > 4 else "inspect"


@dataclass(frozen=True, slots=True)
class Insensitive:
    """Collects whenever it has the effort, whatever it is shown."""

    name: str = "insensitive"

    @property
    def parameters(self) -> Mapping[str, object]:
        """None."""
        return {}

    def decide(self, situation: Situation) -> Action:
        """Collect with positive effort, else rest."""
        return "collect" if situation.seen.effort > 0 else "rest"


@dataclass(frozen=True, slots=True)
class Scheduled:
    """Follows a schedule of SCHEDULES."""

    schedule: str

    @property
    def name(self) -> str:
        """ "literal-" and the schedule's name."""
        return f"literal-{self.schedule}"

    @property
    def parameters(self) -> Mapping[str, object]:
        """The schedule itself."""
        return {"schedule": list(SCHEDULES[self.schedule])}

    def decide(self, situation: Situation) -> Action:
        """The schedule's entry."""
        return SCHEDULES[self.schedule][situation.decision]
