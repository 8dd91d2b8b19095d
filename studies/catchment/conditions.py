"""The seven conditions of the catchment: which policy is shown its past by which selector.

CONDITIONS     name -> (policy, selector), in the order of the table
live_all()     every condition, one deterministic episode each
"""

from __future__ import annotations

from collections.abc import Mapping

from studies.catchment.episode import Episode, live
from studies.catchment.policies import Insensitive, Policy, Responsive, Scheduled
from studies.catchment.records import SelectorName
from studies.catchment.world import Rules

CONDITIONS: Mapping[str, tuple[Policy, SelectorName]] = {
    "responsive-priority": (Responsive(), "priority"),
    "responsive-recency": (Responsive(), "recency"),
    "insensitive-priority": (Insensitive(), "priority"),
    "insensitive-recency": (Insensitive(), "recency"),
    "literal-success-priority": (Scheduled("success"), "priority"),
    "literal-no-clear-priority": (Scheduled("no-clear"), "priority"),
    "literal-all-rest-priority": (Scheduled("all-rest"), "priority"),
}


def live_all(rules: Rules | None = None) -> dict[str, Episode]:
    """An episode of every condition."""
    return {name: live(name, policy, selector, rules) for name, (policy, selector) in CONDITIONS.items()}
