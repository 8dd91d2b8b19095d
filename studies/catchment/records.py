"""What the resident of the catchment remembers, and what of it is shown.

    Experience             one decision as it was lived: seen before, done, seen after, of which episode
    stalled_collect(one)   a collect that was followed by no visible increase of the reserve
    Selection              what a selector showed and what it left out
    select(name, archive)  `recency` or `priority`, under a cap of records and of bytes

A selection is capped by what the resident sees: the canonical UTF-8 bytes of the whole array. The archive stays whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from kernel import dumps, fill
from studies.catchment.world import Action, Seen

SelectorName = Literal["recency", "priority"]
SELECTORS: tuple[SelectorName, ...] = get_args(SelectorName)
MAX_RECORDS = 2
MAX_BYTES = 8192


@dataclass(frozen=True, slots=True)
class Experience:
    """A record. `episode` names the one it was lived in; `note` is free text that belongs to it ("" here, a model's
    words in the study with a language model)."""

    episode: str
    decision: int
    before: Seen
    action: Action
    after: Seen
    note: str = ""

    def as_json(self) -> dict[str, Any]:
        """As the resident is shown it and as packages keep it."""
        found: dict[str, Any] = {
            "episode": self.episode, "decision": self.decision, "before": self.before.as_json(), "action": self.action,
            "after": self.after.as_json(),
        }  # fmt: skip
        return {**found, "note": self.note} if self.note else found


def stalled_collect(one: Experience) -> bool:
    """Whether a collect brought no visible increase, a decrease included: a predicate on what was seen, not a cause."""
    return one.action == "collect" and one.after.reserve <= one.before.reserve


@dataclass(frozen=True, slots=True)
class Selection:
    """`shown` in chronological order; `ranked` the whole archive in the selector's order; `omitted` the decisions that
    aren't shown, each with why: "oversized" (too large for the bytes that were left) or "full" (no record left)."""

    selector: SelectorName
    shown: tuple[Experience, ...]
    ranked: tuple[int, ...]
    omitted: tuple[tuple[int, str], ...]
    bytes: int

    @property
    def decisions(self) -> list[int]:
        """The decisions shown."""
        return [one.decision for one in self.shown]


_RANKS: dict[SelectorName, Callable[[Experience], Any]] = {
    "recency": lambda one: -one.decision,
    "priority": lambda one: (not stalled_collect(one), -one.decision),
}


def select(
    selector: SelectorName, archive: Sequence[Experience], *, max_records: int = MAX_RECORDS, max_bytes: int = MAX_BYTES
) -> Selection:
    """What is shown of an archive of complete prior records."""
    ranked = sorted(archive, key=_RANKS[selector])
    found = fill([one.as_json() for one in ranked], max_records=max_records, max_bytes=max_bytes)
    shown = tuple(sorted((ranked[i] for i in found.chosen), key=lambda one: one.decision))
    return Selection(
        selector=selector,
        shown=shown,
        ranked=tuple(one.decision for one in ranked),
        omitted=tuple((ranked[i].decision, why) for i, why in found.omitted),
        bytes=len(dumps([one.as_json() for one in shown]).encode()),
    )
