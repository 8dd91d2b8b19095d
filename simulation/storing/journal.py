"""The journal: takes what becomes true, step by step, and puts it into the run file (design rule 4).

    RunJournal        implements town.protocols.Journal, language.model.Ledger and what minds report at commit
    .committed(step)  all rows of a step have been reported
    .hold(now)        steps don't come in order: rows of a step wait until it is committed
    .step_done()      the engine stands between two steps: here, and only here, rows may reach the file
    .flush()          writes all rows of committed steps, `meta.committed` and the world's state in one transaction
    .called(call)     calls are stored on arrival and survive the drop of uncommitted rows

Rows wait in memory for `interval` seconds of wall time (or longer, when writing is slow). Every game hour a checkpoint
is kept: the world, and when each resident last accessed each memory; in between only the newest world is (it is small).
Interventions are taken up at flushes, in the same transaction.
"""

from __future__ import annotations

import secrets
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager

import numpy as np

from kernel import Json, RecordId, RunFileError, dumps
from language.model import Call, CallKey
from memory import Exposed, Record, Retrieval
from memory.protocols import Vector
from personas import Persona
from planning.schedule import PlanEntry
from simulation.storing.rows import (
    Row,
    act_row,
    conversation_row,
    exposure_row,
    fact_row,
    packed,
    path_text,
    plan_row,
    record_row,
    resident_row,
    retrieval_row,
    text,
    utterance_row,
)
from simulation.storing.runfile import RunFile
from simulation.storing.schema import TABLES
from town.acts import Act, Because
from town.percepts import Tile
from town.speech import Conversation, Fact, Utterance

FLUSH_SECONDS = 0.05
EVERYBODY = -1
"""The key of what is reported while everybody is at the same step."""
_ASKED = "SELECT COUNT(*) FROM interventions WHERE step IS NULL AND outcome IS NULL AND due IS NULL"
FLUSH_SHARE = 0.03
"""Rows wait longer when writing is slow, so that writing takes at most about this share of the time."""


class RunJournal:
    """Writes one run. `tracked` maps the ids of tracked facts to the scenario's names for them.

    `world` and `accessed` are asked at flushes for the engine's state and the last-accessed steps of all streams;
    set them with `attach` once engine and residents exist.
    """

    def __init__(
        self,
        run: RunFile,
        *,
        tracked: Mapping[str, str],
        steps_per_hour: int,
        interval: float = FLUSH_SECONDS,
        calls_at_once: bool = True,
        since: int | None = None,
    ) -> None:
        self.run = run
        self.step = run.committed if since is None else since
        self.calls = self.tokens = self.fallbacks = 0
        self.cost = 0.0
        self._tracked = tracked
        self._steps_per_hour = steps_per_hour
        self._interval = self._wait = interval
        self._calls_at_once = calls_at_once
        self._rehearsing = False
        self._taking: Callable[[RunFile, int], None] | None = None
        self._world: Callable[[], Json] | None = None
        self._accessed: Callable[[], bytes] | None = None
        self._rows: dict[str, list[Row]] = {table: [] for table in TABLES}
        self._now: Callable[[], int | None] | None = None
        self._waiting: dict[int, list[tuple[str, Row]]] = {}
        self._planned: dict[int, list[PlanEntry]] = {}
        self._counts: dict[int, dict[tuple[str, str], int]] = {}
        self._gather: Callable[[], None] | None = None
        self._hour = self.step // steps_per_hour
        self._facts = {row[0] for row in run.rows("SELECT id FROM facts")}
        self._replies = {
            CallKey(*row[:4]): (row[4], row[5])
            for row in run.rows(
                "SELECT resident, step, operation, n, request_hash, reply FROM calls WHERE step >= ?", (self.step,)
            )
        }
        self._flushed = time.monotonic()
        self._token = secrets.token_hex(8)
        run.write("INSERT OR REPLACE INTO control VALUES ('engine', ?, NULL)", [(self._token,)])

    def attach(
        self, world: Callable[[], Json], accessed: Callable[[], bytes], taking: Callable[[RunFile, int], None] | None = None
    ) -> None:
        """Says where the engine's state and the last-accessed steps come from, and who takes up interventions."""
        self._world, self._accessed, self._taking = world, accessed, taking

    def hold(self, now: Callable[[], int | None], gather: Callable[[], None]) -> None:
        """Rows may come from residents at different steps: `now()` says at which the present one is, None: all are at one.

        They wait until their step is committed. The engine's state is asked for, and interventions are taken up, only when
        everybody is at the same step again, which `gather()` asks for.
        """
        self._now, self._gather = now, gather

    def gathered(self) -> None:
        """Everybody is at the same step again."""
        if not self._rehearsing:
            self.flush(hourly=self.step % self._steps_per_hour == 0)

    @contextmanager
    def rehearsing(self) -> Iterator[Mapping[str, list[Row]]]:
        """While steps are lived again whose rows are in the file: nothing is written. Gives the rows as they come."""
        self._rehearsing = True
        try:
            yield self._rows
        finally:
            self._rehearsing = False
            for rows in self._rows.values():
                rows.clear()
            self._hour = self.step // self._steps_per_hour

    # ------------------------------------------------------------------ town.protocols.Journal

    def moved(self, resident: str, start: int, tiles: tuple[Tile, ...]) -> None:
        """A path segment."""
        x, y = tiles[0]
        self._add("moves", (resident, start, self._n("moves", resident), x, y, path_text(tiles)))

    def acted(self, act: Act) -> None:
        """An act was committed."""
        self._add("acts", act_row(act))

    def act_over(self, resident: str, act: RecordId, step: int, why: str) -> None:
        """An act ended."""
        self._add("act_ends", (resident, step, self._n("act_ends", resident), str(act), why))

    def object_changed(self, address: str, step: int, state: str, by: RecordId | None) -> None:
        """An object is in another state from `step` on."""
        self._add("object_states", (address, step, self._n("object_states", address), state, text(by)))

    def happened(self, event: str, step: int, until: int, place: str, text: str) -> None:
        """An event that is nobody's act."""
        self._add("events", (event, step, until, place, text))

    def conversation(self, conversation: Conversation, step: int) -> None:
        """A conversation opened, changed or closed."""
        self._add("conversations", conversation_row(conversation, step, self._n("conversations", conversation.id)))

    def uttered(self, utterance: Utterance, because: Because) -> None:
        """Words were spoken; the facts they pass on are kept with their text."""
        for fact in utterance.passes_on:
            self._fact(fact, utterance.id.step)
        self._add("utterances", utterance_row(utterance, because))

    def came(self, name: str, step: int, tile: Tile, look: str, visitor: bool) -> None:
        """A body came into town."""
        self._add("comings", (name, step, "came", int(visitor), look, *tile))

    def went(self, name: str, step: int, tile: Tile, look: str, visitor: bool) -> None:
        """A body left town."""
        self._add("comings", (name, step, "went", int(visitor), look, *tile))

    def moved_in(self, persona: Persona, mind: str, position: int, town: str, step: int) -> None:
        """A resident was added."""
        self._add("residents", resident_row(persona, mind, position, town, step))

    def failed(self, resident: str, step: int, error: BaseException) -> None:
        """A mind raised."""
        self._add("failures", (resident, step, self._n("failures", resident), type(error).__name__, str(error)))

    def committed(self, step: int) -> None:
        """All rows of the step are there; those that don't know their step get it now."""
        for table, row in self._waiting.pop(step, ()):
            self._settled(table, row)
        for at in (step, EVERYBODY):
            for entry in self._planned.pop(at, ()):
                self._settled("plans", plan_row(entry, step))
            self._counts.pop(at, None)
        self.step = step + 1

    def step_done(self) -> None:
        """The engine stands between two steps: writes when it is time."""
        if self._rehearsing:
            return
        hour = self.step // self._steps_per_hour
        if hour > self._hour and self._at() == EVERYBODY:
            self._hour = hour
            self.flush(hourly=True)
        elif time.monotonic() - self._flushed >= self._wait:
            self.flush()

    # ------------------------------------------------------------------ what minds report at commit

    def remembered(self, record: Record, vector: Vector | bytes | None) -> None:
        """A new memory with its embedding: levels (-127..127), or their int8 bytes."""
        if record.fact is not None:
            self._fact(record.fact, record.id.step)
        embedding = vector if vector is None or isinstance(vector, bytes) else vector.astype(np.int8).tobytes()
        self._add("memories", record_row(record, embedding))

    def retrieved(self, retrieval: Retrieval) -> None:
        """Records were chosen for a moment."""
        self._add("retrievals", retrieval_row(retrieval))

    def exposed(self, resident: str, step: int, exposed: Exposed) -> None:
        """Records were shown for a decision, and others left out."""
        self._add("exposures", exposure_row(resident, step, self._n("exposures", resident), exposed))

    def planned(self, resident: str, entry: PlanEntry) -> None:
        """A plan entry was made or changed in the present step."""
        self._planned.setdefault(self._at(), []).append(entry)

    def state_changed(self, resident: str, key: str, step: int, value: Json) -> None:
        """A key of a mind's state has a new value; None deletes it."""
        self._add("mind_states", (resident, key, step, dumps(value)))

    # ------------------------------------------------------------------ language.model.Ledger

    def called(self, call: Call) -> None:
        """Stored on arrival, whatever becomes of the step."""
        if self._rehearsing:
            return
        self.calls += 1
        self.tokens += call.tokens_in + call.tokens_out
        self.fallbacks += call.fallback is not None
        self.cost += call.cost or 0.0
        row = (
            *call.key, call.model, call.request_hash, packed(call.request_text), call.reply_json, call.raw,
            call.attempts, call.tokens_in, call.tokens_out, call.seconds, call.fallback, int(call.repaired),
            call.sent, dumps(dict(call.troubles)), call.cost,
        )  # fmt: skip
        if self._calls_at_once:
            self.run.write(_INSERT["calls"], [row])
        else:
            self._rows["calls"].append(row)

    def stored(self, key: CallKey, request_hash: str) -> str | None:
        """The reply stored by an earlier life of this run for a step it did not finish."""
        found = self._replies.get(key)
        return found[1] if found and found[0] == request_hash else None

    # ------------------------------------------------------------------ writing

    def flush(self, *, hourly: bool = False) -> None:
        """Writes everything up to the last committed step. Call only between steps.

        Raises RunFileError when another process has taken over this run.
        """
        run, began = self.run, time.monotonic()
        level = self._at() == EVERYBODY
        with run.transaction():
            if run.rows("SELECT value FROM control WHERE key = 'engine'") != [(self._token,)]:
                raise RunFileError("another process has taken over this run", place=str(run.path), hint="it goes on there")
            for table, rows in self._rows.items():
                if rows:
                    run.write(_INSERT[table], rows)
            run.set_meta({"committed": str(self.step)})
            if level and self._world is not None and self._accessed is not None:
                world = zlib.compress(dumps(self._world()).encode(), 1)
                run.write("DELETE FROM checkpoints WHERE hourly = 0", [()])
                accessed = zlib.compress(self._accessed(), 1) if hourly else None
                instead = "REPLACE" if hourly else "IGNORE"  # an hourly one of this step is kept for good
                state = (self.step, int(hourly), world, accessed)
                run.write(f"INSERT OR {instead} INTO checkpoints VALUES (?, ?, ?, ?)", [state])
            elif self._gather is not None and run.rows(_ASKED) != [(0,)]:
                self._gather()
            if level and self._taking is not None:
                self._taking(run, self.step)  # after the state was saved: see `simulation.interventions`
        for rows in self._rows.values():
            rows.clear()
        self._flushed = time.monotonic()
        self._wait = max(self._interval, (self._flushed - began) / FLUSH_SHARE)

    def know(self, facts: Iterable[str]) -> None:
        """These facts (by id) are in the file already."""
        self._facts.update(facts)

    def _at(self) -> int:
        """The step that is being reported by somebody who may be ahead; EVERYBODY in lock-step."""
        now = self._now() if self._now is not None else None
        return EVERYBODY if now is None else now

    def _add(self, table: str, row: Row) -> None:
        at = self._at()
        if at == EVERYBODY:
            self._settled(table, row)
        else:
            self._waiting.setdefault(at, []).append((table, row))

    def _settled(self, table: str, row: Row) -> None:
        """A row of a step that is committed. A fact is kept once: from the first step on at which it is known."""
        if table == "facts":
            if row[0] in self._facts:
                return
            self._facts.add(row[0])
        self._rows[table].append(row)

    def _n(self, table: str, whose: str) -> int:
        """Counts rows of one table and owner within the present step."""
        counts = self._counts.setdefault(self._at(), {})
        n = counts.get((table, whose), 0)
        counts[table, whose] = n + 1
        return n

    def _fact(self, fact: Fact, step: int) -> None:
        if fact.id not in self._facts:
            self._add("facts", fact_row(fact, step, self._tracked.get(fact.id)))


_REPLACED = {"calls", "plans", "mind_states"}  # asked, changed or set again within a step: the last one counts


def _insert(table: str, columns: int) -> str:
    return f"INSERT {'OR REPLACE ' if table in _REPLACED else ''}INTO {table} VALUES ({', '.join('?' * columns)})"


_COLUMNS: dict[str, int] = {
    "object_states": 5, "events": 5, "moves": 6, "acts": 17, "act_ends": 5, "plans": 12, "memories": 20, "retrievals": 8,
    "comings": 7, "residents": 10, "conversations": 10, "utterances": 19, "calls": 18, "facts": 9, "mind_states": 4,
    "failures": 5, "exposures": 10,
}  # fmt: skip
_INSERT: dict[str, str] = {table: _insert(table, columns) for table, columns in _COLUMNS.items()}
