"""Walking through a town in a terminal: a visitor's session, command by command (`town visit`).

    Visit(path, name, look, at)    `.begin()`, `.obey(line)` and `.end()` give the lines to be shown
    Lives                          how the town goes on meanwhile: here, a little per command, or where it is being lived

A run that stands still is lived by the session itself, a little after each command. One that is being lived elsewhere is held
by a leased pace (see `simulation.pace`), so that nobody's patience runs out while one types; let go, it goes on by itself.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from agents.perception import place_name
from agents.visitor import WAYS
from kernel import TownfolkError, UsageError
from simulation.interventions.wishes import Wish, ask_for, tidy, wish_go, wish_leave, wish_visit, wish_words
from simulation.pace import LEASE, Pace, ask_pace, release, told
from simulation.reading.whereabouts import tile_at
from simulation.run import resume
from simulation.storing.library import choose, names, run_clock
from simulation.storing.runfile import RunFile
from simulation.wording import phrase

SLICE = 3
"""Steps lived at a time, before looking whether enough has happened."""
ANSWER, WALK, LOOK = 20, 60, 1
"""Steps lived at most after words, on the way somewhere, and for a look round."""
COMING = 1.5
"""Seconds to wait for an engine to say that it obeys."""
PATIENCE = 120.0
"""Seconds to wait for an engine that thinks."""
LONGEST_WAIT = 24 * 60
SEEN = 12
"""Most people or things told in one look."""


class Lives:
    """How a run goes on. `here`: nobody else lives it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.here = not self._obeyed()

    def on(self, steps: int, enough: Callable[[], bool]) -> None:
        """Lives `steps` further, or less when `enough()` after some of them."""
        with RunFile.open(self.path) as run:
            goal = run.committed + steps
        while True:
            with RunFile.open(self.path) as run:
                at = run.committed
            if at >= goal or enough():
                return
            self._to(min(goal, at + SLICE))

    @contextmanager
    def held(self) -> Iterator[None]:
        """Meanwhile a run that is lived elsewhere stands still."""
        if self.here:
            yield
            return
        over = threading.Event()

        def renew() -> None:
            while not over.wait(LEASE / 3):
                ask_pace(self.path, Pace(0.0))

        ask_pace(self.path, Pace(0.0))
        thread = threading.Thread(target=renew, daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def let_go(self) -> None:
        """The session is over: a run lived elsewhere goes on flat out."""
        if not self.here:
            release(self.path)

    def _obeyed(self) -> bool:
        ask_pace(self.path, Pace(0.0))
        bound = time.monotonic() + COMING
        while time.monotonic() < bound:
            with RunFile.open(self.path) as run:
                if told(run) is not None:
                    return True
            time.sleep(0.05)
        release(self.path)
        return False

    def _to(self, step: int) -> None:
        if self.here:
            with RunFile.open(self.path) as run:
                at = run_clock(run).at(step)
            result = resume(self.path, until=f"{at:%Y-%m-%d %H:%M:%S}")
            if result.notice:
                raise UsageError(result.notice)
            return
        bound = time.monotonic() + PATIENCE
        while time.monotonic() < bound:
            ask_pace(self.path, Pace(0.0, step))
            with RunFile.open(self.path) as run:
                if run.committed >= step:
                    return
                if told(run) is None:
                    self.here = True  # whoever lived it has gone: go on here
                    return
            time.sleep(0.05)
        raise UsageError("the run doesn't go on", hint="is the process that lives it waiting for a model?")


class Visit:
    """One visitor's session. Lines come out as they are to be shown; a mistake is a line, too, and ends nothing."""

    def __init__(self, path: Path, name: str, look: str = "", at: str | None = None) -> None:
        self.path = path
        with RunFile.open(path) as run:
            self._wish = wish_visit(run, name, look, at)
            self._told = run.committed
        assert self._wish.who is not None
        self.name = self._wish.who
        self._lives = Lives(path)
        self._commands: dict[str, Callable[[str], Iterator[str]]] = {
            "look": self._look, "go": self._go, "say": self._say, "to": self._to, "wait": self._wait, "help": self._help,
        }  # fmt: skip

    def begin(self) -> Iterator[str]:
        """The visitor comes into town."""
        yield phrase("visit", "here" if self._lives.here else "elsewhere")
        with self._lives.held():
            self._ask(self._wish)
            self._lives.on(2, self._taken)
            yield from self._outcome()
        yield from self._look("")
        yield phrase("visit", "prompt")

    def obey(self, line: str) -> Iterator[str]:
        """One command; `leave` and `quit` are the caller's."""
        word, _, rest = tidy(line, 400).partition(" ")
        if not word:
            return
        try:
            with self._lives.held():
                if word in WAYS:
                    yield from self._go(word)
                elif word in self._commands:
                    yield from self._commands[word](rest.strip())
                else:
                    yield phrase("visit", "unknown", word=word[:40])
        except UsageError as error:
            yield error.sentence()

    def end(self) -> Iterator[str]:
        """The visitor goes away."""
        try:
            with RunFile.open(self.path) as run:
                wish = wish_leave(run, self.name)
            with self._lives.held():
                self._ask(wish)
                self._lives.on(2, self._taken)
            yield phrase("visit", "left", name=self.name)
        except TownfolkError as error:
            yield error.sentence()
        finally:
            self._lives.let_go()

    # ---- commands

    def _look(self, _: str) -> Iterator[str]:
        self._lives.on(LOOK, lambda: False)
        yield from self._news()
        with RunFile.open(self.path) as run:
            yield from surroundings(run, self.name)

    def _go(self, where: str) -> Iterator[str]:
        with RunFile.open(self.path) as run:
            if where in WAYS:
                wish = wish_go(run, self.name, way=where)
            elif not where:
                wish = wish_go(run, self.name)
            else:
                wish = (
                    wish_go(run, self.name, _tile_or(where)) if "," not in where else wish_go(run, self.name, tile=_tile(where))
                )
        self._ask(wish)
        self._lives.on(WALK, self._stands)
        yield from self._outcome()
        yield from self._news()
        with RunFile.open(self.path) as run:
            yield from surroundings(run, self.name)

    def _say(self, text: str, to: str | None = None) -> Iterator[str]:
        with RunFile.open(self.path) as run:
            wish = wish_words(run, self.name, text, to)
            since = run.committed
        self._ask(wish)
        self._lives.on(ANSWER, lambda: self._answered(since))
        yield from self._outcome()
        yield from self._news()

    def _to(self, rest: str) -> Iterator[str]:
        with RunFile.open(self.path) as run:
            everybody = names(run)
        words = rest.split()
        for count in (2, 1):  # "to Ada Brook good morning", "to ada good morning"
            part, text = " ".join(words[:count]).rstrip(":,"), " ".join(words[count:])
            try:
                who = choose(part, everybody)
            except UsageError:
                continue
            yield from self._say(text, who)
            return
        raise UsageError("to whom?", hint="to NAME TEXT; there are " + ", ".join(everybody))

    def _wait(self, minutes: str) -> Iterator[str]:
        try:
            length = float(minutes or 1)
        except ValueError:
            length = 0.0
        if not 0 < length <= LONGEST_WAIT:
            raise UsageError(f"{minutes[:20]!r} is no number of minutes", hint="wait 10")
        with RunFile.open(self.path) as run:
            steps = run_clock(run).steps(minutes=length)
        self._lives.on(steps, lambda: False)
        yield from self._news()

    def _help(self, _: str) -> Iterator[str]:
        yield phrase("visit", "prompt")

    # ---- what has come of it

    def _ask(self, wish: Wish) -> None:
        self._number = ask_for(self.path, wish)

    def _taken(self) -> bool:
        with RunFile.open(self.path) as run:
            row = run.rows("SELECT step, outcome FROM interventions WHERE id = ?", (self._number,))[0]
            return bool(row[1]) or (row[0] is not None and row[0] < run.committed)

    def _outcome(self) -> Iterator[str]:
        with RunFile.open(self.path) as run:
            outcome = run.rows("SELECT outcome FROM interventions WHERE id = ?", (self._number,))[0][0]
        if outcome:
            raise UsageError(outcome)
        yield from ()

    def _stands(self) -> bool:
        with RunFile.open(self.path) as run:
            rows = run.rows("SELECT text FROM acts WHERE resident = ? ORDER BY step DESC, n DESC LIMIT 1", (self.name,))
        from language import phrase as words

        return self._taken() and bool(rows) and rows[0][0] == words("visitor.standing")

    def _answered(self, since: int) -> bool:
        sql = "SELECT 1 FROM memories WHERE resident = ? AND step > ? AND tag IN ('heard', 'unsaid') LIMIT 1"
        with RunFile.open(self.path) as run:
            return bool(run.rows(sql, (self.name, since)))

    def _news(self) -> Iterator[str]:
        """What the visitor has noticed since it was told last."""
        sql = "SELECT step, text FROM memories WHERE resident = ? AND step >= ? AND step < ? AND tag != 'said' ORDER BY step, n"
        with RunFile.open(self.path) as run:
            clock, now = run_clock(run), run.committed
            rows = run.rows(sql, (self.name, self._told, now))
        self._told = now
        for step, text in rows:
            yield phrase("visit", "noticed", time=f"{clock.at(step):%H:%M:%S}", text=text)


def surroundings(run: RunFile, name: str) -> Iterator[str]:
    """Where somebody stands, who is in the room and what they do, what isn't as usual, and where one can go."""
    step, clock = run.committed, run_clock(run)
    tile = tile_at(run, name, step)
    rooms = dict(run.rows("SELECT address, tiles FROM places WHERE level = 'arena' ORDER BY position"))
    room = next((address for address, tiles in rooms.items() if tile is not None and f"[{tile[0]},{tile[1]}]" in tiles), None)
    yield phrase("visit", "place", time=f"{clock.at(max(0, step)):%a %H:%M}", place=room or run.get("town"))
    shown = 0
    for (other,) in run.rows("SELECT name FROM residents UNION SELECT DISTINCT name FROM comings ORDER BY 1"):
        at = tile_at(run, other, step)
        if other == name or at is None or room is None or run.rows(_LAST_COMING, (other, step)) == [("went",)]:
            continue
        if f"[{at[0]},{at[1]}]" in rooms[room] and shown < SEEN:
            shown += 1
            act = run.rows(_LAST_ACT, (other, step))
            yield phrase("visit", "person", name=other, act=act[0][0] if act else "")
    states = run.rows(
        "SELECT p.address, s.state FROM places p JOIN object_states s ON s.address = p.address WHERE p.parent = ? AND s.step < ?"
        " AND s.step = (SELECT MAX(step) FROM object_states WHERE address = p.address AND step < ?)"
        " AND s.state != COALESCE(p.idle, '') GROUP BY p.address ORDER BY p.position",
        (room, step, step),
    )
    for address, state in states[:SEEN]:
        yield phrase("visit", "thing", thing=address.split(" : ")[-1], state=state)
    sectors = run.rows("SELECT address FROM places WHERE level = 'sector' ORDER BY position")
    yield phrase("visit", "ways", places=", ".join(place_name(address) for (address,) in sectors[: 2 * SEEN]))


_LAST_COMING = "SELECT change FROM comings WHERE name = ? AND step < ? ORDER BY step DESC, change LIMIT 1"
_LAST_ACT = "SELECT text FROM acts WHERE resident = ? AND step < ? ORDER BY step DESC, n DESC LIMIT 1"


def _tile_or(where: str) -> str:
    return where.removeprefix("to ").strip() or where


def _tile(where: str) -> tuple[int, int]:
    try:
        x, y = (int(part) for part in where.removeprefix("to ").split(","))
    except ValueError:
        raise UsageError(f"{where[:40]!r} is no tile", hint="go 12,7") from None
    return x, y
