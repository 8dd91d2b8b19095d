"""Interventions: what a user asks of a town, as rows of the run file, and how the engine takes them up (design rule 5).

    wish_event, wish_object, wish_voice   checked wishes, from parts of addresses and names
    ask_for(path, wish)                   inserts the row: the one thing anybody but the engine writes
    Desk(engine)                          the engine's side: `.take(run, step)` inside the transaction of a flush
    first_perceivers(run, id)             who noticed it first, as far as the file says

Life of a row: inserted with `step` NULL; at a flush the engine, standing before step F that nobody has started, writes F
in the transaction that commits all steps < F. The state saved there doesn't hold it yet: a life that resumes at or before
F takes up every row with step >= its own first step again, at the same F. So a kill at any moment neither loses nor
doubles it, and a run lived again from an earlier state meets the same interventions.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from kernel import UsageError
from simulation.reading.addresses import find_address
from simulation.storing.library import choose, names
from simulation.storing.runfile import RunFile
from town import Engine
from town.happenings import Happening

LONGEST_TEXT = 300
"""Characters of an event or of what a voice says; what is longer is cut."""
LONGEST_STATE = 80
MINUTES = 10
"""How long an event is to be seen when nobody says."""
LONGEST_MINUTES = 7 * 24 * 60

_JOINERS = "\u200c\u200d"  # hold letters of some scripts, and emoji, together
_COLUMNS = "id, kind, who, place, text, minutes"


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for. `kind` as in the table: event, object or voice; addresses and names are whole."""

    kind: str
    text: str
    place: str | None = None
    who: str | None = None
    minutes: int | None = None


def tidy(text: str, longest: int = LONGEST_TEXT) -> str:
    """A text on one line: no control, format or unassigned characters, no run of spaces, at most `longest` characters."""
    kept = "".join(c if c in _JOINERS or unicodedata.category(c)[0] not in "CZ" else _space(c) for c in text[: 40 * longest])
    line = " ".join(kept.split()).strip(_JOINERS)
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


def _space(character: str) -> str:
    return " " if character.isspace() or unicodedata.category(character)[0] == "Z" else ""


def wish_event(run: RunFile, text: str, at: str, minutes: int | None = None) -> Wish:
    """An event at a place. Raises UsageError."""
    if minutes is not None and not 1 <= minutes <= LONGEST_MINUTES:
        raise UsageError(f"an event can't last {minutes} minutes", hint=f"1 to {LONGEST_MINUTES}")
    return Wish("event", _said(text, LONGEST_TEXT), place=find_address(run, at), minutes=minutes or MINUTES)


def wish_object(run: RunFile, address: str, state: str) -> Wish:
    """An object in another state. Raises UsageError."""
    return Wish("object", _said(state, LONGEST_STATE), place=find_address(run, address, ("object",)))


def wish_voice(run: RunFile, name: str, text: str) -> Wish:
    """The inner voice of a resident. Raises UsageError."""
    return Wish("voice", _said(text, LONGEST_TEXT), who=choose(tidy(name, 60), names(run)))


def _said(text: str, longest: int) -> str:
    line = tidy(text, longest)
    if not line:
        raise UsageError("there are no words in it", hint="write what is to be seen or heard")
    return line


def ask_for(path: Path, wish: Wish) -> int:
    """Inserts the wish; its id. Safe beside a running engine and other askers. Raises RunFileError."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    with RunFile.open(path, readonly=False, guest=True) as run:
        sql = "INSERT INTO interventions (kind, who, place, text, minutes, asked) VALUES (?, ?, ?, ?, ?, ?)"
        return run.insert(sql, (wish.kind, wish.who, wish.place, wish.text, wish.minutes, now))


class Desk:
    """Where wishes are handed to the engine. Call only between steps."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def take(self, run: RunFile, step: int) -> None:
        """Lets all new wishes take effect at `step`, which nobody has started; call inside the transaction that saves it.

        A wish the town can't grant is answered in `outcome` and never takes effect.
        """
        for row in run.rows(f"SELECT {_COLUMNS} FROM interventions WHERE step IS NULL AND outcome IS NULL ORDER BY id"):
            try:
                self._happen(row, step)
            except UsageError as error:
                run.write("UPDATE interventions SET outcome = ? WHERE id = ?", [(error.sentence(), row[0])])
            else:
                run.write("UPDATE interventions SET step = ?, outcome = '' WHERE id = ?", [(step, row[0])])

    def take_again(self, run: RunFile, since: int) -> None:
        """Lets those of an earlier life take effect at the steps they were given, from step `since` on."""
        for *row, step in run.rows(f"SELECT {_COLUMNS}, step FROM interventions WHERE step >= ? ORDER BY step, id", (since,)):
            self._happen(row, step)

    def _happen(self, row: Sequence[Any], step: int) -> None:
        _, kind, who, place, text, minutes = row
        line = tidy(text, LONGEST_STATE if kind == "object" else LONGEST_TEXT)
        if not line:
            raise UsageError("there are no words in it")
        if kind == "event":
            shown = min(max(1, minutes or MINUTES), LONGEST_MINUTES)
            self._engine.inject(Happening(step, "event", line, place=place, until=step + self._engine.clock.steps(minutes=shown)))
        elif kind == "object":
            self._engine.set_object(place or "", line, at=step)
        elif kind == "voice":
            self._engine.voice(who or "", line, at=step)
        else:
            raise UsageError(f"there is no intervention of the kind '{kind}'", hint="event, object or voice")


_NOTICED = """
    SELECT m.resident, MIN(m.step) FROM memories m, interventions i WHERE i.id = ? AND m.step >= i.step AND (
        (i.kind = 'voice' AND m.tag = 'voice' AND m.resident = i.who AND m.step = i.step)
        OR (i.kind = 'event' AND m.tag = 'event' AND m.address = i.place AND instr(m.text, i.text))
        OR (i.kind = 'object' AND m.tag = 'state' AND m.about = i.place AND instr(m.text, i.text)))
    GROUP BY m.resident ORDER BY 2, 1"""


def first_perceivers(run: RunFile, intervention: int) -> list[tuple[str, int]]:
    """(resident, step) of everybody who noticed an intervention with their own senses, the first first."""
    return [(name, step) for name, step in run.rows(_NOTICED, (intervention,)) if step < run.committed]
