"""Obligations: conditions on the world, scored only at their deadline, from the run file and nothing else.

    Scored                  what became of one obligation, with what was found for each of its conditions
    score(rows, meta)       every obligation of a run

The scorer reads what was written down (`moves`, `object_states`, `acts`, `act_ends`, `memories`, `places`, `residents`,
`comings`) and knows no mind, no engine and no other measure. "At the deadline" is the world as all steps before it left
it. *Met*: all conditions hold then; earlier or later doesn't count. *Missed*: the run lived to the deadline and one
doesn't. *Invalid*: the run didn't live to it, or its file can't answer; never counted as missed.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple

from kernel import Clock

Rows = Callable[..., Sequence[tuple[Any, ...]]]
"""`rows(sql, parameters)`: a `RunFile`'s, or any other connection to the same tables."""
Verdict = Literal["met", "missed", "invalid"]
SEPARATOR = " : "
_DELTAS = {"E": (1, 0), "W": (-1, 0), "S": (0, 1), "N": (0, -1), ".": (0, 0)}
Tile = tuple[int, int]


class Need(NamedTuple):
    """One condition: what was found (people, the state, minutes), and whether that is enough."""

    kind: str
    held: bool
    found: str


@dataclass(frozen=True, slots=True)
class Scored:
    """One obligation. `by` is the deadline in calendar time; `needs` is empty when it is invalid, `why` then says why:
    "ended" (the run ended before), "unreadable"."""

    name: str
    text: str
    by: str
    verdict: Verdict
    needs: tuple[Need, ...] = ()
    why: str = ""

    def as_json(self) -> dict[str, Any]:
        """{text, by, verdict, why, needs: [{kind, held, found}]}."""
        return {
            "text": self.text, "by": self.by, "verdict": self.verdict, "why": self.why,
            "needs": [need._asdict() for need in self.needs],
        }  # fmt: skip


def score(rows: Rows, meta: Mapping[str, str]) -> list[Scored]:
    """All obligations that the run's own scenario declares, in its order; [] for a run made before there were any."""
    scenario = json.loads(meta.get("spec.scenario", "{}"))
    clock = Clock(datetime.fromisoformat(meta["start"]), int(meta["step_seconds"]))
    world = _World(rows, clock, meta["town"])
    found = []
    for name, spec in scenario.get("obligations", {}).items():
        by = datetime.fromisoformat(spec["by"])
        deadline, told = clock.step_at(by), (name, spec["text"], f"{by:%Y-%m-%d %H:%M}")
        if int(meta["committed"]) < deadline:
            found.append(Scored(*told, "invalid", why="ended"))
            continue
        try:
            needs = tuple(world.check(need, deadline) for need in spec["needs"])
        except (ValueError, LookupError, TypeError):
            found.append(Scored(*told, "invalid", why="unreadable"))
            continue
        found.append(Scored(*told, "met" if all(need.held for need in needs) else "missed", needs))
    return found


class _World:
    """What is on file, asked as of a step."""

    def __init__(self, rows: Rows, clock: Clock, town: str) -> None:
        self._rows = rows
        self._clock = clock
        self._town = town
        self._paths: dict[str, list[tuple[int, Tile, str]]] = {}

    def check(self, need: Mapping[str, Any], deadline: int) -> Need:
        """One condition at a step. Raises LookupError for what isn't in the file."""
        kind = str(need["kind"])
        if kind == "present":
            return self._present(need, deadline)
        if kind == "state":
            return self._state(need, deadline)
        if kind == "done":
            return self._done(need, deadline)
        return self._known(need, deadline)

    def _present(self, need: Mapping[str, Any], deadline: int) -> Need:
        tiles = self._tiles(need["place"])
        wanted = need.get("resident")
        there = [name for name in self._people(deadline) if self._tile(name, deadline) in tiles]
        held = wanted in there if wanted else len(there) >= need["at_least"]
        return Need("present", held, ", ".join(there))

    def _state(self, need: Mapping[str, Any], deadline: int) -> Need:
        address = self._address(need["place"])
        found = self._rows(
            "SELECT state FROM object_states WHERE address = ? AND step <= ? ORDER BY step DESC, n DESC LIMIT 1",
            (address, deadline),
        ) or self._rows("SELECT COALESCE(idle, '') FROM places WHERE address = ?", (address,))
        state = str(found[0][0])
        return Need("state", _says(state, need["words"]), state)

    def _done(self, need: Mapping[str, Any], deadline: int) -> Need:
        """Acts there with these words, as far as they were lived there before the deadline."""
        address, tiles = self._address(need["place"]), self._tiles(need["place"])
        since = self._clock.step_at(datetime.fromisoformat(need["since"])) if need.get("since") else 0
        ends: dict[str, int] = dict(self._rows("SELECT act, MIN(step) FROM act_ends GROUP BY act"))
        acts = self._rows(
            "SELECT resident, step, n, text, until FROM acts WHERE step >= ? AND step < ?"
            " AND (target = ? OR target LIKE ? ESCAPE '\\') ORDER BY step, resident, n",
            (since, deadline, address, _within(address)),
        )
        steps, people = 0, dict[str, None]()
        for resident, step, n, text, until in acts:
            if need.get("resident") not in (None, resident) or not _says(text, need["words"]):
                continue
            over = min(ends.get(f"{resident}/{step}/{n}", int(until)), deadline)
            lived = sum(self._tile(resident, at) in tiles for at in range(step, over))
            if lived:
                steps += lived
                people[resident] = None
        minutes = self._clock.hours(steps) * 60
        return Need("done", steps > 0 and minutes >= need["minutes"], f"{minutes:.0f} min: {', '.join(people)}")

    def _known(self, need: Mapping[str, Any], deadline: int) -> Need:
        """Who has a memory that carries the fact."""
        if not self._rows("SELECT 1 FROM facts WHERE id = ?", (need["fact"],)):
            raise LookupError(need["fact"])
        found = self._rows("SELECT DISTINCT resident FROM memories WHERE fact = ? AND step < ?", (need["fact"], deadline))
        knowing = {row[0] for row in found}
        names = [name for name in self._people(deadline) if name in knowing]
        wanted = need.get("resident")
        return Need("known", wanted in names if wanted else len(names) >= need["at_least"], ", ".join(names))

    def _people(self, step: int) -> list[str]:
        """Residents in town as the step begins, in resident order."""
        gone: dict[str, str] = dict(
            self._rows("SELECT name, change FROM comings WHERE step <= ? ORDER BY step, change DESC", (step,))
        )
        found = self._rows("SELECT name FROM residents WHERE since < ? ORDER BY position", (step,))
        return [name for (name,) in found if gone.get(name) != "went"]

    def _address(self, place: str) -> str:
        return SEPARATOR.join((self._town, place))

    def _tiles(self, place: str) -> frozenset[Tile]:
        """The tiles of a place: of an object those of the room it is in."""
        address = self._address(place)
        level = self._rows("SELECT level, parent FROM places WHERE address = ?", (address,))[0]
        room = str(level[1]) if level[0] == "object" else address
        found = self._rows(
            "SELECT tiles FROM places WHERE level = 'arena' AND (address = ? OR address LIKE ? ESCAPE '\\')",
            (room, _within(room)),
        )
        return frozenset((x, y) for (tiles,) in found for x, y in json.loads(tiles))

    def _tile(self, name: str, step: int) -> Tile | None:
        """Where somebody stands as a step begins, from the path on file; None before their first."""
        if name not in self._paths:
            moves = self._rows("SELECT step, x, y, path FROM moves WHERE resident = ? ORDER BY step, n", (name,))
            self._paths[name] = [(start, (x, y), path) for start, x, y, path in moves]
        latest = None
        low, high = 0, len(self._paths[name])
        while low < high:
            middle = (low + high) // 2
            if self._paths[name][middle][0] <= step:
                latest, low = self._paths[name][middle], middle + 1
            else:
                high = middle
        if latest is None:
            return None
        start, (x, y), path = latest
        for letter in path[: step - start]:
            dx, dy = _DELTAS[letter]
            x, y = x + dx, y + dy
        return x, y


def _within(address: str) -> str:
    """A LIKE pattern for what lies in a place."""
    plain = address.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"{plain}{SEPARATOR}%"


def _says(text: str, words: Sequence[str]) -> bool:
    return any(word.casefold() in text.casefold() for word in words)
