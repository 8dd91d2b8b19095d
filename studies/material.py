"""What reports and stories are made of: a run read once, its measures, and times, places and people in words.

Material         all of it
gather(run)      reads and measures a run
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from simulation.measures import Oddity, Reading, Whereabouts, measured, oddities, sector_of
from simulation.storing.runfile import RunFile
from studies.wording import entries, say
from town.tree import leaf


@dataclass(frozen=True)
class Material:
    """A run as its readers need it; `data` as `simulation.measures.report_data` gives it."""

    reading: Reading
    where: Whereabouts
    odd: dict[str, list[Oddity]]
    data: dict[str, Any]

    @property
    def run(self) -> RunFile:
        """The run file."""
        return self.reading.run

    def evidence_line(self) -> str:
        """The line every report and story opens with (design rule 10)."""
        return say("common", self.data["evidence"])

    def when(self, step: int) -> str:
        """A step as people say it: "Monday 10:20"."""
        moment = self.reading.clock.at(max(step, 0))
        return say("common", "moment", weekday=f"{moment:%A}", time=f"{moment:%H:%M}")

    def place(self, address: str | None) -> str:
        """A place as people say it: its sector's name."""
        if not address:
            return ""
        sector = sector_of(address)
        known = self.reading.places.get(sector)
        return str(entries("common", "streets")) if known is not None and known.kind == "street" else leaf(sector)

    def odd_sentence(self, one: Oddity) -> str:
        """One oddity in a sentence."""
        key = f"odd.{one.kind}"
        if one.kind == "missed_appointment" and not one.detail:
            key += "_bare"
        return say(
            "common", key, who=one.resident, when=self.when(one.step), place=self.place_in_full(one.place), text=one.text,
            detail=one.detail,
        )  # fmt: skip

    def place_in_full(self, address: str) -> str:
        """Room or object and sector, shortest first: "bathroom, Moore family's house"."""
        sector = sector_of(address)
        return self.place(address) if sector == address or not address else f"{leaf(address)}, {self.place(address)}"


def gather(run: RunFile) -> Material:
    """Reads a run and takes all its measures."""
    reading = Reading(run)
    where = Whereabouts(reading)
    odd = oddities(reading, where)
    return Material(reading, where, odd, measured(reading, where, odd))
