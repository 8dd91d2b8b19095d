"""A small run file written row by row, for tests of what is measured: the town of Wick, one step a minute from midnight."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from kernel import RecordId, dumps
from simulation.measures import Reading, Whereabouts
from simulation.storing.runfile import RunFile
from town import Gathering

ANN, BO, CY, DI, ED, FLO = "Ann Moss", "Bo Reed", "Cy Dale", "Di Ford", "Ed Hart", "Flo Gale"
CAFE, HOUSE, BATH, ROAD = "Wick : Cafe : room", "Wick : House : room", "Wick : House : bath", "Wick : streets : outdoors"
TABLE = f"{CAFE} : table"
HOUR, DAY = 60, 24 * 60
IN_CAFE, AT_TABLE, AT_HOME, IN_BATH = (0, 0), (2, 0), (10, 0), (20, 0)


class Wick:
    """Ann owns the cafe (8 to 20 h); everybody lives in the house, whose bath holds one. `days` are lived."""

    def __init__(
        self, folder: Path, people: tuple[str, ...] = (ANN, BO, CY, DI), *, days: float = 2, model: str = "offline"
    ) -> None:
        meta = {
            "committed": str(round(days * DAY)), "planned": str(2 * DAY), "start": "2023-02-13 00:00:00", "step_seconds": "60",
            "title": "Wick", "scenario": "wick", "seed": "3", "mind": "stub", "model": model, "models": "{}", "town": "Wick",
        }  # fmt: skip
        self.run = RunFile.create(folder / "wick.town", meta)
        self.people = people
        self._n: Counter[tuple[str, str, int]] = Counter()
        self._places()
        for position, name in enumerate(people):
            work = CAFE if name == ANN else None
            self._add("residents", name, position, "stub", 30, "they", "baker", HOUSE, work, "{}", -1)

    def _places(self) -> None:
        rows = [
            ("Wick", None, "town", "town", [], [], None, [], None),
            ("Wick : Cafe", "Wick", "sector", "cafe", [], [], None, [], (8 * 60, 20 * 60)),
            (CAFE, "Wick : Cafe", "arena", "arena", [[x, 0] for x in range(5)], [], None, [], None),
            (TABLE, CAFE, "object", "table", [[2, 0]], [[2, 0], [3, 0]], 1, [], None),
            ("Wick : House", "Wick", "sector", "home", [], [], None, list(self.people), None),
            (HOUSE, "Wick : House", "arena", "arena", [[x, 0] for x in range(10, 16)], [], None, [], None),
            (BATH, "Wick : House", "arena", "arena", [[20, 0], [21, 0], [22, 0]], [], 1, [], None),
            ("Wick : streets", "Wick", "sector", "street", [], [], None, [], None),
            (ROAD, "Wick : streets", "arena", "arena", [[x, 1] for x in range(25)], [], None, [], None),
        ]  # fmt: skip
        for position, (address, parent, level, kind, tiles, spots, capacity, owners, hours) in enumerate(rows):
            opens, closes = hours or (None, None)
            self._add(
                "places", address, parent, level, kind, position, dumps(tiles), dumps(spots), capacity, "[]", None, dumps(owners),
                opens, closes, 0,
            )  # fmt: skip

    def _add(self, table: str, *row: object) -> None:
        self.run.write(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", [row])

    def _id(self, table: str, who: str, step: int) -> RecordId:
        n = self._n[table, who, step]
        self._n[table, who, step] += 1
        return RecordId(who, step, n)

    def at(self, who: str, step: int, tile: tuple[int, int], path: str = "") -> None:
        """Stands on a tile from a step on, or walks from there."""
        self._add("moves", *self._id("moves", who, step), *tile, path)

    def act(
        self, who: str, start: int, end: int, text: str, target: str = HOUSE, *, icon: str = "dot", asleep: bool = False,
        plan: str | None = None, records: tuple[str, ...] = (), percepts: tuple[str, ...] = (),
    ) -> str:  # fmt: skip
        """Does something, and stops at `end`."""
        name = self._id("acts", who, start)
        self._add(
            "acts", *name, text, icon, target, end, None, None, int(asleep), 0, plan, dumps(list(records)), "[]",
            dumps(list(percepts)), "[]", "",
        )  # fmt: skip
        return str(name)

    def fact(
        self, name: str, text: str = "Something is so.", *, gathering: Gathering | None = None, retracts: str | None = None,
        tracked: bool = True, about: str | None = None,
    ) -> None:  # fmt: skip
        """A fact, tracked under its id."""
        announced = dumps(vars_of(gathering)) if gathering else None
        self._add("facts", name, name if tracked else None, -1, text, about, 0, announced, retracts, int(tracked))

    def memory(
        self, who: str, step: int, text: str = "Something.", *, kind: str = "observation", tag: str = "", fact: str | None = None,
        heard_from: str | None = None, about: str | None = None, evidence: tuple[str, ...] = (), how: str = "", tone: float = 0.0,
        address: str | None = None, people: tuple[str, ...] = (), source: str | None = None, importance: int = 5,
    ) -> str:  # fmt: skip
        """Remembers something."""
        name = self._id("memories", who, step)
        self._add(
            "memories", *name, kind, tag, text, step, importance, dumps(list(people)), about, address, dumps(list(evidence)),
            fact, heard_from, source, how, tone, None, None, None,
        )  # fmt: skip
        return str(name)

    def knows(self, who: str, whom: str, how: str = "friend", tone: float = 0.3) -> None:
        """Acquainted from the start, one way."""
        self.memory(who, -1, f"{who} knows {whom}.", tag="acquaintance", about=whom, how=how, tone=tone)

    def say(
        self, who: str, step: int, to: str | tuple[str, ...], text: str = "Hello.", act: str = "greet", *,
        talk: str | None = None, passes_on: tuple[str, ...] = (), rests_on: tuple[str, ...] = (),
        gathering: Gathering | None = None, place: str = CAFE,
    ) -> str:  # fmt: skip
        """Says something; without `talk` (id of a conversation) it opens one. Gives the utterance's id."""
        name = str(self._id("utterances", who, step))
        resident, _, n = name.rsplit("/", 2)
        everybody = [to] if isinstance(to, str) else list(to)
        about = dumps(vars_of(gathering)) if gathering else None
        self._add(
            "utterances", resident, step, int(n), talk or name, dumps(everybody), text, act, dumps(list(passes_on)),
            dumps(list(rests_on)), about, 0, "uncited", None, None, "[]", "[]", "[]", "[]", "",
        )  # fmt: skip
        if talk is None:
            people = dumps([who, *everybody])
            self._add("conversations", name, step, 0, "opened", step, place, people, people, 1, None)
        return name

    def call(self, operation: str, step: int = 0, *, model: str = "offline", fallback: str | None = None) -> None:
        """Asks a model."""
        name = self._id(f"calls {operation}", self.people[0], step)
        self._add(
            "calls", name.resident, step, operation, name.n, model, "", b"", "{}", "", 1, 10, 3, 0.25, fallback, 0,
            1, "{}", None,
        )  # fmt: skip

    def reading(self) -> Reading:
        """What measures read."""
        return Reading(self.run)

    def where(self) -> Whereabouts:
        """Where everybody was."""
        return Whereabouts(self.reading())


def vars_of(gathering: Gathering) -> dict[str, object]:
    """A gathering's fields."""
    return {name: getattr(gathering, name) for name in ("name", "place", "start", "end", "host")}
