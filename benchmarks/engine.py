"""The engine alone: 25 residents with a fixed routine, no minds, no run file.

    python benchmarks/engine.py [MAP] [DAYS]

Each resident sleeps at night and does a 5-15 minute act after another by day, now and then greeting somebody in view; its
mind takes no time to speak of. Prints resident-steps per second, and microseconds per processed step: of all, and of those
in which nobody is asked and somebody walks.
"""

from __future__ import annotations

import asyncio
import sys
import time
from datetime import datetime
from statistics import median
from typing import Any

from kernel import Clock, Dice
from maps import load_map
from town import Engine, Grid, Intention, Moment, Outcome, ProposeAct, ProposeWords, TownMap, build_town

RESIDENTS = 25


class Routine:
    """Sleeps from 22 to 6 and is busy somewhere else every few minutes."""

    def __init__(self, name: str, bed: str, targets: list[str], clock: Clock) -> None:
        self.name, self._bed, self._targets, self._clock = name, bed, targets, clock

    def prepare(self, moment: Moment) -> Intention:
        """Next act at its end, a greeting for one in five encounters, an answer when it is one's turn."""
        dice = Dice(0, self.name, moment.step, "routine")
        kinds = [signal.kind for signal in moment.signals]
        talk = moment.conversation
        if talk is not None:
            if "your_turn" in kinds:
                ends = len(talk.utterances) >= 4
                words = ProposeWords(talk.participants[:1], "so it goes in this town", "remark", talk.id, ends=ends)
                return Intention((words,))
            return Intention()
        if not {"started", "act_ended", "blocked", "due"} & set(kinds):
            person = next((p for p in moment.percepts if p.kind == "person" and not p.busy and p.version in moment.fresh), None)
            if person is not None and dice.chance(0.2):
                return Intention((ProposeWords((person.subject,), "good day to you", "greet"),))
            return Intention()
        if "blocked" in kinds:
            return Intention(wake=moment.step + self._clock.steps(minutes=1))
        minute = self._clock.minute_of_day(moment.step)
        if minute >= 22 * 60 or minute < 6 * 60:
            hours = (30 * 60 - minute) % 1440
            until = moment.step + self._clock.steps(minutes=hours) + dice.below(360)
            return Intention((ProposeAct("sleeping", "bed", self._bed, until, asleep=True),))
        until = moment.step + self._clock.steps(minutes=5 + dice.below(11))
        return Intention((ProposeAct("busy", "dot", dice.choice(self._targets), until, state="in use"),))

    def commit(self, moment: Moment, intention: Intention, outcome: Outcome) -> None:
        """Nothing to keep."""


class Counting:
    """A journal that counts rows."""

    def __init__(self) -> None:
        self.rows = 0

    def __getattr__(self, name: str) -> Any:
        def row(*_: object) -> None:
            self.rows += 1

        return row

    def committed(self, step: int) -> None:
        """A step is done."""


def settled(map_name: str, count: int = RESIDENTS) -> tuple[TownMap, Grid, Clock, list[Routine], dict[str, tuple[int, int]]]:
    """A town, and people of fixed routines in their beds."""
    town = build_town(load_map(map_name))
    grid = Grid(town)
    clock = Clock(datetime(2023, 2, 13), 10)
    beds = [thing for thing in town.objects() if thing.kind == "bed" for _ in range(min(thing.capacity, len(thing.spots)))]
    public = [
        thing.address
        for sector in town.sectors
        if not sector.owners
        for arena in sector.arenas
        for thing in arena.objects
        if thing.spots
    ]
    residents = []
    placed = {}
    for n in range(count):
        bed = beds[n % len(beds)]
        name = f"Resident {n:02d}"
        home = [a for a in town.by_address if a.startswith(bed.address.rpartition(" : ")[0] + " : ")]
        residents.append(Routine(name, bed.address, home * 3 + public[n % 5 :: 5], clock))
        placed[name] = bed.spots[0]
    return town, grid, clock, residents, placed


def main(map_name: str = "the_ville", days: float = 2) -> float:
    """Run and print; resident-steps per second of processor time."""
    town, grid, clock, residents, placed = settled(map_name)
    journal = Counting()
    engine = Engine(town, grid, clock, residents, journal, placed=placed, staff={})
    quiet: list[float] = []
    busy: list[float] = []
    asked: list[int] = []
    mark = 0.0

    def on_step(step: int) -> None:
        nonlocal mark
        took = time.process_time() - mark
        walkers = sum(bool(body.path) for body in engine.world.bodies)
        if asked[-1]:
            busy.append(took)
        elif 1 <= walkers <= 2:
            quiet.append(took)
        mark = time.process_time()

    find = engine._asked

    def counted(*front: Any) -> Any:
        found = find(*front)
        asked.append(len(found))
        return found

    engine._asked = counted  # type: ignore[method-assign]
    steps = clock.steps(days=days)
    start = mark = time.process_time()
    asyncio.run(engine.run(steps, on_step=on_step))
    took = time.process_time() - start
    print(f"{map_name}: {RESIDENTS} residents, {steps:,} steps, {took:.2f} s of processor time, {journal.rows:,} rows")
    print(f"resident-steps per second   {RESIDENTS * steps / took:>12,.0f}")
    print(f"steps processed             {engine.steps_processed:>12,}")
    print(f"us per processed step       {1e6 * took / engine.steps_processed:>12.1f}")
    print(f"us per step, 1-2 walk only  {1e6 * median(quiet or [0]):>12.1f}   (median of {len(quiet):,})")
    print(f"us per step, somebody asked {1e6 * median(busy or [0]):>12.1f}   (median of {len(busy):,})")
    print(f"minds asked                 {sum(asked):>12,}")
    return RESIDENTS * steps / took


if __name__ == "__main__":
    main(*(kind(value) for kind, value in zip((str, float), sys.argv[1:], strict=False)))  # type: ignore[operator]
