"""Living an episode of the catchment: sixteen decisions, each with what was shown, done and seen.

    Attempt       one answer of a decider, and the action made of it
    Decision      one row of an episode
    Episode       all rows and attempts, whether it is complete, and whether the obligation was met
    Telling       an episode under way: what is seen and shown next, and what an action leads to
    live(...)     an episode of a policy that decides at once

The episode is the unit of any comparison; its decisions are nested in it and never counted as samples.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from studies.catchment.policies import Policy, Situation
from studies.catchment.records import Experience, Selection, SelectorName, select
from studies.catchment.world import DECISIONS, Action, Rules, Seen, State, perceive, start, step

Verdict = Literal["met", "missed", "invalid"]


@dataclass(frozen=True, slots=True)
class Attempt:
    """`reply` as it was given; `action` None and the `reason` when it couldn't be used. Tokens 0: not counted.
    `question`: the exact words a model was asked in, "" for a policy."""

    decision: int
    attempt: int
    reply: str
    action: Action | None
    reason: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    question: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision: the state and perception before, the selection shown, the action, the state and perception after."""

    decision: int
    before: State
    seen: Seen
    selection: Selection
    action: Action
    after: State
    seen_after: Seen


@dataclass(frozen=True, slots=True)
class Episode:
    """An episode that is over. `name` is also the lineage its records carry; `failure` why it broke off, "" if it didn't."""

    name: str
    rules: Rules
    policy: Policy
    selector: SelectorName
    decisions: tuple[Decision, ...]
    attempts: tuple[Attempt, ...]
    failure: str = ""
    seed: int = 0

    @property
    def complete(self) -> bool:
        """Whether every decision was made."""
        return not self.failure and len(self.decisions) == DECISIONS

    @property
    def final_reserve(self) -> int:
        """The reserve after the last decision."""
        return self.states[-1].reserve

    @property
    def verdict(self) -> Verdict:
        """Met: a reserve of `rules.target` or more at the end of a complete episode; one reached earlier doesn't count."""
        if not self.complete:
            return "invalid"
        return "met" if self.final_reserve >= self.rules.target else "missed"

    @property
    def archive(self) -> tuple[Experience, ...]:
        """All records of the episode, whatever was shown of them."""
        return tuple(Experience(self.name, one.decision, one.seen, one.action, one.seen_after) for one in self.decisions)

    @property
    def actions(self) -> tuple[Action, ...]:
        """What was done, in order."""
        return tuple(one.action for one in self.decisions)

    @property
    def states(self) -> tuple[State, ...]:
        """The states before each decision, and the last."""
        return (start(self.rules), *(one.after for one in self.decisions))


@dataclass
class Telling:
    """An episode under way."""

    name: str
    policy: Policy
    selector: SelectorName
    rules: Rules = field(default_factory=Rules)
    rows: list[Decision] = field(default_factory=list)
    attempts: list[Attempt] = field(default_factory=list)

    @property
    def over(self) -> bool:
        """Whether the last decision was made."""
        return len(self.rows) == DECISIONS

    def situation(self) -> Situation:
        """What the resident is given at the next decision."""
        return Situation(len(self.rows), perceive(self._state), self._selection().shown)

    def act(self, action: Action) -> None:
        """Makes the next decision."""
        before, decision, selection = self._state, len(self.rows), self._selection()
        after = step(self.rules, before, decision, action)
        self.rows.append(Decision(decision, before, perceive(before), selection, action, after, perceive(after)))

    def end(self, failure: str = "", seed: int = 0) -> Episode:
        """The episode as it is on file."""
        return Episode(
            self.name, self.rules, self.policy, self.selector, tuple(self.rows), tuple(self.attempts), failure, seed
        )  # fmt: skip

    @property
    def _state(self) -> State:
        return self.rows[-1].after if self.rows else start(self.rules)

    def _selection(self) -> Selection:
        archive = [Experience(self.name, one.decision, one.seen, one.action, one.seen_after) for one in self.rows]
        return select(self.selector, archive)


def live(name: str, policy: Policy, selector: SelectorName, rules: Rules | None = None) -> Episode:
    """An episode of a policy that decides at once."""
    telling = Telling(name, policy, selector, rules or Rules())
    while not telling.over:
        action = policy.decide(telling.situation())
        telling.attempts.append(Attempt(len(telling.rows), 0, action, action))
        telling.act(action)
    return telling.end()
