"""One instance of an oddity."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from simulation.measures.reading import Reading


@dataclass(frozen=True, slots=True)
class Oddity:
    """`text` is what was done or said, as the run file has it; `ids` are the rows to look at (`town why ID`).

    `place` is an address or ""; `detail` a figure, a name or the kind of flaw that a sentence about it needs.
    """

    kind: str
    resident: str
    step: int
    text: str
    ids: tuple[str, ...] = ()
    place: str = ""
    detail: str = ""

    def as_json(self, reading: Reading) -> dict[str, Any]:
        """With a calendar time."""
        return {
            "resident": self.resident, "time": reading.time(self.step), "text": self.text, "ids": list(self.ids),
            "place": self.place, "detail": self.detail,
        }  # fmt: skip
