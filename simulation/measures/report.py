"""All measures of a run as one plain value with stable keys: what `town report --json` prints (design section 7).

report_data(run)                 measures a run file
measured(reading, where, odd)    the same from what has been read already
"""

from __future__ import annotations

from typing import Any

from simulation.measures.calls import call_counts, evidence, spending
from simulation.measures.claims import claim_counts
from simulation.measures.exposures import exposure_counts
from simulation.measures.facts import spread
from simulation.measures.gatherings import attendance
from simulation.measures.invitations import invitation_counts
from simulation.measures.network import acquaintance, density
from simulation.measures.obligations import score
from simulation.measures.oddities import oddities
from simulation.measures.oddity import Oddity
from simulation.measures.positions import Whereabouts
from simulation.measures.reading import Reading
from simulation.measures.reflections import reflection_counts
from simulation.measures.utterances import utterance_counts
from simulation.storing.digest import run_digest
from simulation.storing.runfile import RunFile


def report_data(run: RunFile) -> dict[str, Any]:
    """Every measure of a run; read-only. Keys are stable: some may be added, none changes."""
    reading = Reading(run)
    where = Whereabouts(reading)
    return measured(reading, where, oddities(reading, where))


def measured(reading: Reading, where: Whereabouts, odd: dict[str, list[Oddity]]) -> dict[str, Any]:
    """Every measure of what was read."""
    run = reading.run
    return {
        "run": str(run.path),
        "scenario": run.get("scenario"),
        "title": run.get("title"),
        "seed": int(run.get("seed", "0")),
        "mind": run.get("mind"),
        "model": run.get("model"),
        "residents": len(reading.names),
        "steps": reading.committed,
        "game_days": round(reading.clock.hours(reading.committed) / 24, 4),
        "evidence": evidence(reading),
        "digest": run_digest(run),
        "facts": {name: _fact(reading, id.id) for name, id in reading.tracked.items()},
        "density": {
            "start": round(density(acquaintance(reading, 0)), 4),
            "end": round(density(acquaintance(reading, reading.committed)), 4),
        },
        "gatherings": {
            name: _gathering(reading, where, name) for name, fact in reading.tracked.items() if fact.gathering is not None
        },
        "obligations": {one.name: one.as_json() for one in score(run.rows, run.meta())},
        "exposure": exposure_counts(run),
        "invitations": invitation_counts(reading),
        "claims": claim_counts(reading),
        "utterances": utterance_counts(reading),
        "reflections": reflection_counts(reading),
        "oddities": {kind: len(found) for kind, found in odd.items()},
        "oddity_instances": {kind: [one.as_json(reading) for one in found] for kind, found in odd.items()},
        "calls": call_counts(reading),
        "spending": spending(reading),
        "failures": run.rows("SELECT COUNT(*) FROM failures WHERE step < ?", (reading.committed,))[0][0],
    }


def _fact(reading: Reading, fact_id: str) -> dict[str, Any]:
    learned = spread(reading, fact_id)
    fact = reading.facts[fact_id]
    return {
        "text": fact.text,
        "retracts": fact.retracts,
        "known_by": len(learned),
        "of": len(reading.names),
        "holders": [one.resident for one in learned if one.hand == "holder"],
        "first_hand": sum(one.hand == "first" for one in learned),
        "second_hand": sum(one.hand == "second" for one in learned),
        "chain": [
            {
                "resident": one.resident, "from": one.source, "time": reading.time(one.step) if one.step >= 0 else None,
                "place": one.place, "hand": one.hand, "record": one.record, "utterance": one.words,
            }
            for one in learned
        ],
    }  # fmt: skip


def _gathering(reading: Reading, where: Whereabouts, name: str) -> dict[str, Any]:
    found = attendance(reading, where, reading.tracked[name])
    gathering = found.gathering
    return {
        "name": gathering.name,
        "place": gathering.place,
        "host": gathering.host,
        "start": reading.time(gathering.start),
        "end": reading.time(gathering.end),
        "begun": found.begun,
        "over": found.over,
        "invited": len(found.invited),
        "promised": len(found.promised),
        "declined": len(found.declined),
        "came": len(found.came),
        "host_came": found.host_came,
        "prepared": bool(found.preparing),
        "preparing_acts": list(found.preparing),
        "host_minutes_before": round(found.host_minutes_before, 1),
        "helpers": list(found.helpers),
        "invited_names": list(found.invited),
        "promised_names": list(found.promised),
        "declined_names": list(found.declined),
        "came_names": list(found.came),
    }
