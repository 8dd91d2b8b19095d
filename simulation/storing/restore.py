"""Taking up a run where it stopped: dropping what was never finished, and filling minds and world from the file.

    drop_unfinished(run)       rows at or past the committed step go; calls stay, to be used again
    state_step(run)            the last step not after the committed one whose state is known
    take_up(composition, run)  streams, minds and engine as all steps before that left them, interventions to come
    catch_up(composition, run) lives again from there to the committed step, where the two differ (a fork)

Streams are read from `memories`; last-accessed steps from the latest hourly checkpoint and the retrievals since, so
that the time this takes doesn't grow with the steps lived, only with what is remembered.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from kernel import RecordId, RunFileError
from simulation.compose import Composition, restored_state
from simulation.reading.records import read_facts, read_records
from simulation.storing.rows import unpacked
from simulation.storing.runfile import RunFile
from simulation.storing.schema import STEPPED


def drop_unfinished(run: RunFile) -> None:
    """Deletes rows at or past the committed step."""
    committed = run.committed
    with run.transaction():
        for table, step in STEPPED.items():
            run.write(f"DELETE FROM {table} WHERE {step} >= ?", [(committed,)])


def state_step(run: RunFile) -> int:
    """The last step <= committed from which a run can be taken up: that of a checkpoint, or 0."""
    committed = run.committed
    sql = "SELECT MAX(step) FROM checkpoints WHERE step = ? OR (step < ? AND hourly = 1)"
    return run.rows(sql, (committed, committed))[0][0] or 0


def take_up(composition: Composition, run: RunFile) -> None:
    """Fills a composition assembled at `state_step(run)`."""
    committed = composition.journal.step
    found = run.rows("SELECT world FROM checkpoints WHERE step = ?", (committed,))
    if not found and committed:
        raise RunFileError("the run file holds no state to go on from", place=str(run.path), hint="start again with `town run`")
    facts = read_facts(run)
    since, kept = _accessed(run, committed)
    states = restored_state(
        run.rows(
            "SELECT m.resident, m.key, m.value FROM mind_states m JOIN (SELECT resident, key, MAX(step) AS step FROM mind_states"
            " WHERE step < ? GROUP BY resident, key) l ON l.resident = m.resident AND l.key = m.key AND l.step = m.step",
            (committed,),
        )
    )
    touched = _touched(run.rows("SELECT resident, step, chosen FROM retrievals WHERE step >= ? AND step < ?", (since, committed)))
    for resident in composition.residents:
        name = resident.name
        records, vectors = read_records(run, name, facts, committed)
        accessed = [record.created for record in records]
        for row, step in kept.get(name, ()):
            accessed[row] = step
        recent = touched.get(name, {})
        if recent:
            accessed = [max(step, recent.get(record.id, step)) for record, step in zip(records, accessed, strict=True)]
        whole = [vector for vector in vectors if vector is not None]
        resident.stream.restore(records, whole if len(whole) == len(records) else None, accessed)
        resident.mind.restore(states.get(name, {}))
    state = _unpacked(found[0][0], run) if found else {}
    if found:  # else nothing has happened yet
        composition.engine.restore(state)
    composition.desk.take_again(run, committed, state.get("held", ()))


async def catch_up(composition: Composition, run: RunFile) -> None:
    """Lives the steps between the state taken up and the committed step again, with the replies on file, writing nothing.

    Raises RunFileError when that past doesn't come out as it is written.
    """
    journal, engine, since, committed = composition.journal, composition.engine, composition.journal.step, run.committed
    if since >= committed:
        return
    desk = composition.desk
    with journal.rehearsing() as rows:
        while engine.step < committed:
            desk.apply(engine.step)
            await engine.run(min(committed, desk.next(engine.step) or committed))
        for table, columns in _LIVED.items():
            written = run.rows(f"SELECT * FROM {table} WHERE step >= ? AND step < ?", (since, committed))
            if sorted(row[:columns] for row in written) != sorted(row[:columns] for row in rows[table]):
                raise RunFileError(
                    f"its past since {composition.clock.at(since):%Y-%m-%d %H:%M} can't be lived again: {table} differ",
                    place=str(run.path),
                    hint="go on with the version of Townfolk that made it",
                )


_LIVED = {"moves": 6, "acts": 7, "memories": 8, "utterances": 8}
"""Tables compared after living again, and how many of their columns (those that can't be NULL)."""


def _accessed(run: RunFile, committed: int) -> tuple[int, dict[str, list[list[int]]]]:
    """The latest hourly checkpoint's last-accessed steps, and the step from which later retrievals count."""
    found = run.rows(
        "SELECT step, accessed FROM checkpoints WHERE step <= ? AND accessed IS NOT NULL ORDER BY step DESC LIMIT 1", (committed,)
    )
    return (found[0][0], _unpacked(found[0][1], run)) if found else (-1, {})


def _touched(rows: Iterable[Any]) -> dict[str, dict[RecordId, int]]:
    touched: dict[str, dict[RecordId, int]] = {}
    for resident, step, chosen in rows:
        mine = touched.setdefault(resident, {})
        for scored in json.loads(chosen):
            name = RecordId(resident, scored[0], scored[1])
            mine[name] = max(step, mine.get(name, step))
    return touched


def _unpacked(value: bytes, run: RunFile) -> Any:
    return json.loads(unpacked(value, run.path))
