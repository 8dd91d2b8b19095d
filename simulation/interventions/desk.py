"""How the engine takes up what was asked: each row at its step, once, whatever is killed when (design rule 5).

    Desk(engine, recruits)     `.take(run, step)` inside the transaction of a flush; `.take_again` after a resume

Life of a row: inserted with `step` NULL; at a flush the engine, standing before step F that nobody has started, writes F
in the transaction that commits all steps < F. A row with a `due` step waits for it: the run stops there, so that F is it.
The state saved says which rows it already holds: a life that resumes at or before F takes up every other row with
step >= its own first step again, at the same F. So a kill at any moment neither loses nor doubles it, and a run lived again
from an earlier state meets the same interventions.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from agents.visitor import Bid
from kernel import Json, UsageError
from personas import Persona
from simulation.interventions.wishes import LONGEST_LOOK, LONGEST_MINUTES, LONGEST_STATE, LONGEST_TEXT, MINUTES, tidy
from simulation.recruiting import Recruits
from simulation.storing.runfile import RunFile
from town import Engine
from town.happenings import Happening

_COLUMNS = "id, kind, who, place, text, minutes, addressed, tile, persona"
_NEW = f"SELECT {_COLUMNS} FROM interventions WHERE step IS NULL AND outcome IS NULL AND (due IS NULL OR due <= ?) ORDER BY id"
_LONGEST = {"object": LONGEST_STATE, "visit": LONGEST_LOOK}
_WORDLESS = frozenset({"go", "leave", "arrive", "depart"})


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of the table, as far as the engine needs it."""

    id: int
    kind: str
    who: str
    place: str | None
    text: str
    minutes: int | None
    addressed: str | None
    tile: tuple[int, int] | None
    persona: str | None

    @classmethod
    def read(cls, raw: Sequence[Any]) -> _Row:
        id, kind, who, place, text, minutes, addressed, tile, persona = raw
        at = None
        if tile is not None:
            try:
                x, y = json.loads(tile)
                at = (int(x), int(y))
            except (ValueError, TypeError):
                raise UsageError("that is no tile", hint="[x, y]") from None
        return cls(id, kind, who or "", place, text, minutes, addressed, at, persona)


class Desk:
    """Where wishes are handed to the engine. Call only between steps."""

    def __init__(self, engine: Engine, recruits: Recruits) -> None:
        self._engine = engine
        self._recruits = recruits
        self._again: list[tuple[int, _Row]] = []  # of an earlier life, (step, row) in order
        self._due: int | None = None
        self._held: tuple[int, list[int]] = (-1, [])  # step, ids of the rows the engine has been given at it
        self._kinds: dict[str, Callable[[_Row, str, int], None]] = {
            "event": self._event, "object": self._object, "voice": self._voice, "visit": self._visit, "go": self._go,
            "words": self._words, "leave": self._leave, "arrive": self._arrive, "depart": self._depart,
        }  # fmt: skip

    # ---- the engine's side

    def take(self, run: RunFile, step: int) -> None:
        """Lets all wishes that are due take effect at `step`, which nobody has started; call inside the transaction of a flush.

        A wish the town can't grant is answered in `outcome` and never takes effect.
        """
        self.apply(step)
        for raw in run.rows(_NEW, (step,)):
            try:
                self._happen(_Row.read(raw), step)
            except UsageError as error:
                run.write("UPDATE interventions SET outcome = ? WHERE id = ?", [(error.sentence(), raw[0])])
            else:
                run.write("UPDATE interventions SET step = ?, outcome = '' WHERE id = ?", [(step, raw[0])])
        ahead = run.rows("SELECT MIN(due) FROM interventions WHERE step IS NULL AND outcome IS NULL AND due > ?", (step,))
        self._due = ahead[0][0]

    def take_again(self, run: RunFile, since: int, held: Sequence[int] = ()) -> None:
        """Remembers those of an earlier life, to take effect at the steps they were given, from step `since` on.

        `held` are the ids that the state taken up holds already.
        """
        rows = run.rows(f"SELECT step, {_COLUMNS} FROM interventions WHERE step >= ? ORDER BY step, id", (since,))
        self._again = [(step, _Row.read(raw)) for step, *raw in rows if raw[0] not in held]
        self._held = (since, list(held))

    def apply(self, step: int) -> None:
        """Lets those of an earlier life take effect whose step has come."""
        while self._again and self._again[0][0] <= step:
            self._happen(self._again.pop(0)[1], step)

    def next(self, step: int) -> int | None:
        """The first step after `step` at which the run has to stop, because something takes effect there."""
        ahead = [at for at in (self._again[0][0] if self._again else None, self._due) if at is not None and at > step]
        return min(ahead, default=None)

    def is_due(self, step: int) -> bool:
        """Whether something set for a time takes effect at `step`, once the run is flushed."""
        return self._due is not None and self._due <= step

    def held(self) -> Json:
        """Ids of the rows that the engine's present state holds and the file's next life must not give it again."""
        step, ids = self._held
        return [*ids] if step == self._engine.step else []

    # ---- kinds

    def _happen(self, row: _Row, step: int) -> None:
        line = tidy(row.text, _LONGEST.get(row.kind, LONGEST_TEXT))
        if not line and row.kind not in _WORDLESS:
            raise UsageError("there are no words in it")
        if row.kind not in self._kinds:
            raise UsageError(f"there is no intervention of the kind '{tidy(row.kind, 40)}'", hint=", ".join(self._kinds))
        self._kinds[row.kind](row, line, step)
        self._held = (step, [*(self._held[1] if self._held[0] == step else []), row.id])

    def _event(self, row: _Row, line: str, step: int) -> None:
        shown = min(max(1, row.minutes or MINUTES), LONGEST_MINUTES)
        until = step + self._engine.clock.steps(minutes=shown)
        self._engine.inject(Happening(step, "event", line, place=row.place, until=until))

    def _object(self, row: _Row, line: str, step: int) -> None:
        self._engine.set_object(row.place or "", line, at=step)

    def _voice(self, row: _Row, line: str, step: int) -> None:
        self._engine.voice(row.who, line, at=step)

    def _visit(self, row: _Row, line: str, step: int) -> None:
        if row.who in self._recruits.people or not row.who:
            raise UsageError(f"a visitor can't be called '{tidy(row.who, 40)}'", hint="choose another name")
        tile = row.tile
        if tile is None and row.addressed is not None:
            tile = self._engine.beside(row.addressed)
            if tile is None:
                raise UsageError(f"there is no room beside {row.addressed}", hint="let the visitor come to a place")
        self._engine.inject(Happening(step, "arrive", line, place=row.place, resident=row.who, tile=tile))
        self._engine.expect(self._recruits.visitor(row.who))

    def _go(self, row: _Row, line: str, step: int) -> None:
        if row.place is not None and row.place not in self._engine.town.by_address and row.place != self._engine.town.name:
            raise UsageError(f"there is no place '{tidy(row.place, 80)}' in this town")
        self._bid(row, Bid("go", place=row.place, tile=row.tile, way=line), step)

    def _words(self, row: _Row, line: str, step: int) -> None:
        near = None
        if row.addressed is not None:
            if not self._engine.present(row.addressed):
                raise UsageError(f"{tidy(row.addressed, 60)} isn't in town")
            if self._engine.present(row.who) and not self._engine.within_earshot(row.who, row.addressed):
                near = self._engine.beside(row.addressed)
        self._bid(row, Bid("words", text=line, to=row.addressed, near=near), step)

    def _bid(self, row: _Row, bid: Bid, step: int) -> None:
        self._visitor(row)
        self._engine.inject(Happening(step, "bid", bid.put(), resident=row.who))

    def _leave(self, row: _Row, line: str, step: int) -> None:
        self._visitor(row)
        self._engine.inject(Happening(step, "depart", "", resident=row.who))

    def _visitor(self, row: _Row) -> None:
        if row.who not in self._recruits.visitors:
            raise UsageError(f"there is no visitor '{tidy(row.who, 40)}' in town", hint="let them come first: `town visit`")

    def _arrive(self, row: _Row, line: str, step: int) -> None:
        if row.who in self._recruits.visitors or row.who in self._recruits.people:
            raise UsageError(f"{tidy(row.who, 40)} is known in this town already", hint="choose another name")
        persona, mind = newcomer(row.persona)
        self._engine.inject(Happening(step, "arrive", "", place=row.place, resident=row.who))
        self._engine.expect(self._recruits.newcomer(persona, mind, step))

    def _depart(self, row: _Row, line: str, step: int) -> None:
        if row.who not in self._recruits.people:
            raise UsageError(f"there is no resident '{tidy(row.who, 40)}' in this town")
        self._engine.inject(Happening(step, "depart", "", resident=row.who))


def newcomer(text: str | None) -> tuple[Persona, str]:
    """A persona and the kind of its mind, from the column `persona`. Raises UsageError."""
    try:
        raw = json.loads(text or "")
        mind = str(raw.pop("mind"))
        return Persona.model_validate(raw), mind
    except (ValueError, KeyError, AttributeError, TypeError):
        raise UsageError("that is no persona", hint="`town arrive` makes one from a persona file") from None
