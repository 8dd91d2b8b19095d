"""Identities: everything a run writes is named by (resident, step, n)."""

from __future__ import annotations

from typing import NamedTuple


class RecordId(NamedTuple):
    """One thing a resident made: `n` counts what this resident made at this step (per table).

    Seeded things have step -1. Order is (resident, step, n); text form is `resident/step/n`.
    """

    resident: str
    step: int
    n: int

    def __str__(self) -> str:
        return f"{self.resident}/{self.step}/{self.n}"

    @classmethod
    def parse(cls, text: str) -> RecordId:
        """Inverse of `str`. Raises ValueError when `text` is not an id."""
        resident, step, n = text.rsplit("/", 2)
        found = cls(resident, int(step), int(n))
        if max(abs(found.step), abs(found.n)) >= 1 << 63:
            raise ValueError(f"no record can have such a number: {text}")
        return found
