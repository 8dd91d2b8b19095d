"""What was claimed, and whether the speaker's memory supports it.

    Unsupported                 one claim without support, and what is wrong with it
    unsupported(reading)        all of them
    claim_counts(reading)       made, unsupported

A *claim* is an utterance that passes on a fact, rests on memories, or asserts by its act (ASSERTIVE). It is unsupported
when it passes on a fact of which the speaker had no record ("unknown_fact"), rests on a record that doesn't exist in the
speaker's memory by then ("no_record"), or asserts while neither resting on nor passing on anything ("ungrounded").
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from simulation.measures.reading import Reading, Said

ASSERTIVE = frozenset({"tell", "gossip", "invite", "ask_help", "retract"})

Flaw = Literal["unknown_fact", "no_record", "ungrounded"]


@dataclass(frozen=True, slots=True)
class Unsupported:
    """`what` is the fact or the record that is missing, "" when nothing was given."""

    said: Said
    flaw: Flaw
    what: str


def is_claim(said: Said) -> bool:
    """Whether words claim something."""
    return bool(said.passes_on or said.rests_on) or said.act in ASSERTIVE


def unsupported(reading: Reading) -> list[Unsupported]:
    """Every claim without support, once each, in order."""
    knows = _knowledge(reading)
    found = []
    for said in reading.said:
        if not is_claim(said):
            continue
        flaw = _flaw(reading, knows, said)
        if flaw is not None:
            found.append(Unsupported(said, *flaw))
    return found


def claim_counts(reading: Reading) -> dict[str, int]:
    """`made` and `unsupported`."""
    return {"made": sum(is_claim(said) for said in reading.said), "unsupported": len(unsupported(reading))}


def _flaw(reading: Reading, knows: dict[tuple[str, str], int], said: Said) -> tuple[Flaw, str] | None:
    for fact in said.passes_on:
        since = knows.get((said.speaker, fact), said.step + 1)
        if since > said.step and not _remembers(reading, said, fact):
            return "unknown_fact", fact
    for id in said.rests_on:
        if not _remembers(reading, said, id):
            return "no_record", id
    if said.act in ASSERTIVE and not said.rests_on and not said.passes_on:
        return "ungrounded", ""
    return None


def _remembers(reading: Reading, said: Said, id: str) -> bool:
    """Whether the speaker had the record of this id by then. The id of a fact first stated by somebody is that of the
    record they stated it from."""
    record = reading.record_of.get(id)
    return record is not None and record.id.resident == said.speaker and record.created <= said.step


def _knowledge(reading: Reading) -> dict[tuple[str, str], int]:
    """(resident, fact) -> the step from which words may pass it on.

    A reply is given in the step in which the news was heard, and a meeting is passed on in the step that proposes it. But
    what one's own words noted down in passing (a promise made with them) doesn't support these same words.
    """
    found: dict[tuple[str, str], int] = {}
    for name, records in reading.memories.items():
        for record in records:
            if record.fact is not None:
                own_words = (
                    record.heard_from is None and record.tag in ("promise", "refusal") and str(record.id) != record.fact.id
                )
                found.setdefault((name, record.fact.id), record.created + own_words)
    return found
