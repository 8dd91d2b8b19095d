"""The diary: what a resident has promised, holds, or has heard of, derived from memory and from nothing else.

A gathering enters the diary with the fact that announces it; what was answered (promise, refusal), whether it was
taken back (another fact retracts it) and who said they would come are records too. So a condition that hides records
hides their appointments, and removing one memory removes what rested on it.
"""

from __future__ import annotations

from dataclasses import dataclass

from kernel import RecordId
from memory import Readable, Record
from town.speech import Fact, Gathering

PROMISE = "promise"
REFUSAL = "refusal"
ABSENCE = "absence"


@dataclass(frozen=True, slots=True)
class Appointment:
    """One gathering as this resident sees it.

    role        host or guest; firm: one holds it or has promised; record: the memory it rests on
    coming      names of those who promised this resident to come
    called_off  one knows a fact that takes it back, or takes back what it was to prepare (same host and place, over
                when that begins)
    refused     one has said no
    """

    fact: Fact
    gathering: Gathering
    role: str
    firm: bool
    called_off: bool
    refused: bool
    coming: tuple[str, ...]
    record: RecordId


def appointments(view: Readable, me: str, since: int, until: int) -> tuple[Appointment, ...]:
    """All gatherings one knows of that overlap [since, until) steps, by start, then fact id."""
    known = view.facts()
    taken_back = {fact.retracts for fact, _ in known if fact.retracts}
    off = {(g.host, g.place, g.start) for fact, _ in known if fact.id in taken_back and (g := fact.gathering) is not None}
    found = []
    for fact, record in known:
        gathering = fact.gathering
        if gathering is None or gathering.end <= since or gathering.start >= until:
            continue
        promises = answers(view, fact.id, PROMISE)
        refusals = answers(view, fact.id, REFUSAL)
        coming = tuple(sorted(name for name in promises if name != me))
        mine, no = promises.get(me), refusals.get(me)
        refused = no is not None and (mine is None or no.id > mine.id)
        hosting = gathering.host == me
        arranged_on_the_spot = "/" in fact.id
        firm = (hosting and (bool(coming) or not arranged_on_the_spot)) or (mine is not None and not refused)
        found.append(
            Appointment(
                fact=fact,
                gathering=gathering,
                role="host" if hosting else "guest",
                firm=firm,
                called_off=fact.id in taken_back or (gathering.host, gathering.place, gathering.end) in off,
                refused=refused,
                coming=coming,
                record=(mine or record).id,
            )
        )
    return tuple(sorted(found, key=lambda a: (a.gathering.start, a.fact.id)))


def answers(view: Readable, fact_id: str, tag: str) -> dict[str, Record]:
    """Who (by name, oneself included) has given this answer to a gathering: the latest record of each."""
    return {
        record.about: record
        for record in view.tagged(tag)
        if record.about is not None and record.fact is not None and record.fact.id == fact_id
    }
