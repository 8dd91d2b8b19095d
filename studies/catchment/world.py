"""The catchment: one resident, a reserve, a store fed by rain, and an obstruction that keeps the rain out.

    Rules        the constants of a world
    State        what is the case (the resident sees only part of it)
    Seen         what the resident perceives
    start(rules), perceive(state), step(rules, state, decision, action) -> State

Order within a decision: the action, then rain, then upkeep. The constants are a reconstruction: they reproduce every
recorded outcome of the original, whose own are private (`docs/obligations.md`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

Action = Literal["inspect", "collect", "clear", "rest"]
ACTIONS: tuple[Action, ...] = get_args(Action)
DECISIONS = 16


@dataclass(frozen=True, slots=True)
class Rules:
    """What a catchment is like. `rain_after` lists the decisions after which it rains; upkeep falls due after every
    odd decision; `target` is the final reserve the obligation asks for. Amounts are whole units."""

    reserve: int = 4
    effort: int = 1
    store: int = 2
    reserve_cap: int = 8
    effort_cap: int = 4
    store_cap: int = 8
    collect_cost: int = 1
    collect_most: int = 3
    clear_cost: int = 2
    rain: int = 3
    rain_after: tuple[int, ...] = (6, 9, 12)
    upkeep: int = 2
    target: int = 5


@dataclass(frozen=True, slots=True)
class State:
    """What is the case as a decision begins. `looked`: the last action was an inspection."""

    reserve: int
    effort: int
    store: int
    obstructed: bool
    looked: bool = False


@dataclass(frozen=True, slots=True)
class Seen:
    """What the resident perceives. `reading` is 1 (obstructed) or 0 right after an inspection, else None."""

    reserve: int
    effort: int
    reading: int | None = None

    def as_json(self) -> dict[str, int | None]:
        """As records and packages keep it."""
        return {"reserve": self.reserve, "effort": self.effort, "reading": self.reading}


def start(rules: Rules) -> State:
    """The state before decision 0."""
    return State(rules.reserve, rules.effort, rules.store, obstructed=True)


def perceive(state: State) -> Seen:
    """What of a state is seen: neither the store nor, but for an inspection's reading, the obstruction."""
    return Seen(state.reserve, state.effort, int(state.obstructed) if state.looked else None)


def step(rules: Rules, state: State, decision: int, action: Action) -> State:
    """The state after a decision. An action one hasn't the effort for does nothing. Zero reserve isn't death."""
    after = replace(_act(rules, state, action), looked=action == "inspect")
    if decision in rules.rain_after and not after.obstructed:
        after = replace(after, store=min(rules.store_cap, after.store + rules.rain))
    if decision % 2 == 1:
        after = replace(after, reserve=max(0, after.reserve - rules.upkeep))
    return after


def _act(rules: Rules, state: State, action: Action) -> State:
    if action == "rest":
        return replace(state, effort=min(rules.effort_cap, state.effort + 1))
    if action == "collect" and state.effort >= rules.collect_cost:
        moved = min(rules.collect_most, state.store, rules.reserve_cap - state.reserve)
        return replace(state, effort=state.effort - rules.collect_cost, store=state.store - moved, reserve=state.reserve + moved)
    if action == "clear" and state.effort >= rules.clear_cost:
        return replace(state, effort=state.effort - rules.clear_cost, obstructed=False)
    return state
