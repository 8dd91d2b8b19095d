"""Two checks of a policy: literal expectations written by hand, and strict replay.

    EXPECTATIONS                        the twelve of `expectations.yaml`
    unmet(policy)                       those a policy fails, with what it does instead
    replays(episode, policy)            the decisions at which a policy, given what is on file, would act otherwise

Replay shares the policy's code, so it agrees with whatever that code gets wrong; the expectations share nothing with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kernel import load_yaml
from studies.catchment.episode import Episode
from studies.catchment.policies import Policy, Situation
from studies.catchment.records import Experience
from studies.catchment.world import Action, Seen


@dataclass(frozen=True, slots=True)
class Expectation:
    """At this decision, with this effort and this memory ("empty" or "stalled"), the policy must do `action`."""

    decision: int
    effort: int
    memory: str
    action: Action

    def situation(self) -> Situation:
        """What the policy is given."""
        stalled = Experience("expectation", 1, Seen(4, 2), "collect", Seen(4, 1))
        return Situation(self.decision, Seen(2, self.effort), (stalled,) if self.memory == "stalled" else ())


EXPECTATIONS: tuple[Expectation, ...] = tuple(
    Expectation(**row) for row in load_yaml(Path(__file__).with_name("expectations.yaml")).data
)


def unmet(policy: Policy) -> list[tuple[Expectation, Action]]:
    """The expectations a policy fails, each with what it does instead; [] for a policy that is as it should be."""
    found = [(one, policy.decide(one.situation())) for one in EXPECTATIONS]
    return [(one, action) for one, action in found if action != one.action]


def replays(episode: Episode, policy: Policy) -> list[int]:
    """Strict replay: the decisions at which the policy's answer to the request on file isn't the action on file."""
    return [
        row.decision
        for row in episode.decisions
        if policy.decide(Situation(row.decision, row.seen, row.selection.shown)) != row.action
    ]
