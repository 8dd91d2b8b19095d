"""What fills the blanks of questions: people met, the most frequent partner, tracked news, somebody who isn't there.

    Blanks(run, invented).of(resident, step)   -> blank -> what fills it, None: nothing does

Read from the whole record as of the step, whatever a condition hides, so that all conditions answer the same question.
Draws are by the run's seed: asked again, the question is the same.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property

from kernel import Dice
from simulation.storing.library import names
from simulation.storing.rows import read_gathering
from simulation.storing.runfile import RunFile


class Blanks:
    """Fills blanks for the residents of one run. `invented`: names to draw somebody from who isn't there."""

    def __init__(self, run: RunFile, invented: Sequence[str]) -> None:
        self._run = run
        self._invented = invented
        self._seed = int(run.get("seed", "0"))
        self._strange: dict[str, bool] = {}

    def of(self, resident: str, step: int) -> Mapping[str, str | None]:
        """What fills each blank for a resident as of a step; None where there is nobody and nothing."""
        talks = self._talks(resident, step)
        partner = min(talks, key=lambda name: (-talks[name][0], -talks[name][1], name), default=None)
        known = [name for name in self._known(resident) if name not in talks]
        others = [name for name in sorted(talks) if name != partner]
        met = self._draw(resident, step, "met", others or known) or partner
        rest = [name for name in others if name != met] or [name for name in known if name != met]
        return {
            "first": resident.split(" ")[0],
            "partner": partner,
            "partner_first": partner.split(" ")[0] if partner else None,
            "met": met,
            "met_other": self._draw(resident, step, "met_other", rest),
            "invented": self._draw(resident, 0, "invented", [name for name in self._invented if self._is_strange(name)]),
            "deed": self._deed,
            "gathering": self._gathering,
        }

    def _draw(self, resident: str, step: int, purpose: str, options: Sequence[str]) -> str | None:
        return Dice(self._seed, resident, step, f"interview/{purpose}").choice(options) if options else None

    def _talks(self, resident: str, step: int) -> dict[str, tuple[int, int]]:
        """Whom somebody has talked with: (how often, the last step)."""
        rows = self._run.rows(
            "SELECT about, COUNT(*), MAX(step) FROM memories"
            " WHERE resident = ? AND tag = 'talk' AND step < ? AND about IS NOT NULL GROUP BY about",
            (resident, step),
        )
        return {about: (count, last) for about, count, last in rows if about in self._everybody}

    def _known(self, resident: str) -> list[str]:
        """Whom somebody has known from the start."""
        rows = self._run.rows("SELECT about FROM memories WHERE resident = ? AND tag = 'acquaintance' AND step < 0", (resident,))
        return sorted({about for (about,) in rows} & set(self._everybody) - {resident})

    def _is_strange(self, name: str) -> bool:
        """Whether a name occurs nowhere in the run: no resident's, in no memory and in nobody's words."""
        if name not in self._strange:
            parts = name.split()
            people = {part for resident in self._everybody for part in resident.split()}
            asked = ("SELECT 1 FROM memories WHERE instr(text, ?) LIMIT 1", "SELECT 1 FROM facts WHERE instr(text, ?) LIMIT 1",
                     "SELECT 1 FROM residents WHERE instr(persona, ?) LIMIT 1")  # fmt: skip
            heard = any(self._run.rows(sql, (part,)) for part in parts for sql in asked)
            self._strange[name] = not heard and not people & set(parts)
        return self._strange[name]

    @cached_property
    def _everybody(self) -> tuple[str, ...]:
        return tuple(names(self._run))

    @cached_property
    def _tracked(self) -> list[tuple[str, str | None, str | None]]:
        """(text, about, gathering) of the tracked facts, as the scenario orders them."""
        rows = self._run.rows("SELECT name, text, about, gathering FROM facts WHERE tracked = 1 AND retracts IS NULL")
        order = list(json.loads(self._run.get("spec.scenario", "{}")).get("facts", {}))
        rows.sort(key=lambda row: (order.index(row[0]) if row[0] in order else len(order), row[0]))
        return [row[1:] for row in rows]

    @cached_property
    def _deed(self) -> str | None:
        """What the first piece of news that is no gathering says somebody does: its sentence without whom it is about."""
        for text, about, gathering in self._tracked:
            if gathering is None and about and text.startswith(f"{about} "):
                return str(text[len(about) + 1 :].strip().rstrip("."))
        return None

    @cached_property
    def _gathering(self) -> str | None:
        for _, _, gathering in self._tracked:
            found = read_gathering(gathering)
            if found is not None:
                return found.name
        return None
