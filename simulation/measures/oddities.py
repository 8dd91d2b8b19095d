"""Oddities: the failure modes Park et al. report (section 7.2 and after), found in a run and listed so that one can check.

Oddity              one instance: who, when, the words or the act, and the ids of the rows it comes from
KINDS               every kind, with the function that finds it
oddities(reading)   all instances by kind; a kind without any is there too
"""

from __future__ import annotations

from collections.abc import Callable

from simulation.measures import odd_bodies, odd_talk
from simulation.measures.oddity import Oddity
from simulation.measures.positions import Whereabouts
from simulation.measures.reading import Reading

KINDS: dict[str, Callable[[Reading, Whereabouts], list[Oddity]]] = {
    "second_lunch": odd_bodies.second_lunch,
    "closed_place": odd_bodies.closed_place,
    "over_full": odd_bodies.over_full,
    "away_at_night": odd_bodies.away_at_night,
    "missed_appointment": odd_bodies.missed_appointment,
    "stranger_as_friend": odd_talk.stranger_as_friend,
    "formal_spouses": odd_talk.formal_spouses,
    "host_accepts_everything": odd_talk.host_accepts_everything,
    "unsupported_claim": odd_talk.unsupported_claim,
    "false_reproach": odd_talk.false_reproach,
    "silent_run": odd_talk.silent_run,
}


def oddities(reading: Reading, where: Whereabouts) -> dict[str, list[Oddity]]:
    """All instances by kind, in order of time."""
    return {kind: sorted(find(reading, where), key=lambda one: (one.step, one.resident)) for kind, find in KINDS.items()}
