"""Planned gatherings: who was invited, who promised, who came, and how the host prepared (section 7.1.3: coordination).

    Attendance                  what became of one gathering
    attendance(reading, ...)    of the gathering that a fact announces

*Invited*: addressed by an invitation to it, or told of it by the host. *Promised*: whose last answer to it was yes.
*Came*: others than the host whose body was in the place's sector for at least COME_MINUTES of its time.
*Prepared*: acts of the host at the place in the hours before that rest on the news of it, or say its name.
*Helpers*: who said yes to the host's request for help (for it, or for a meeting before it at the same place), and was there.
"""

from __future__ import annotations

from dataclasses import dataclass

from simulation.measures.invitations import ANSWERS, about, asked
from simulation.measures.positions import Whereabouts
from simulation.measures.reading import Reading, sector_of
from town.speech import Fact, Gathering

COME_MINUTES = 5
PREPARE_HOURS = 3


@dataclass(frozen=True, slots=True)
class Attendance:
    """Names in resident order; `begun` and `over` tell whether the run lived to see it; `minutes` in the place per name.

    `preparing` are ids of the host's preparing acts; `host_minutes_before` how long the host was there in the hours before.
    """

    gathering: Gathering
    invited: tuple[str, ...]
    promised: tuple[str, ...]
    declined: tuple[str, ...]
    came: tuple[str, ...]
    helpers: tuple[str, ...]
    host_came: bool
    host_minutes_before: float
    preparing: tuple[str, ...]
    begun: bool
    over: bool
    minutes: dict[str, float]


def attendance(reading: Reading, where: Whereabouts, fact: Fact) -> Attendance:
    """What became of the gathering that a fact announces. Raises ValueError for a fact that announces none."""
    gathering = fact.gathering
    if gathering is None:
        raise ValueError(f"the fact {fact.id} announces no gathering")
    sector = sector_of(gathering.place)
    minutes = {name: where.minutes(name, sector, gathering.start, gathering.end) for name in reading.names}
    there = {name for name, spent in minutes.items() if spent >= COME_MINUTES}
    answers: dict[str, str] = {}
    invited: set[str] = set()
    for said in reading.said:
        if said.act in ANSWERS and about(reading, said) == gathering:
            answers[said.speaker] = said.act
        elif (said.act == "invite" and about(reading, said) == gathering) or (
            said.speaker == gathering.host and fact.id in said.passes_on
        ):
            invited.update(said.to)
    before = gathering.start - reading.clock.steps(hours=PREPARE_HOURS)
    answers.pop(gathering.host, None)
    return Attendance(
        gathering=gathering,
        invited=_ordered(reading, invited - {gathering.host}),
        promised=_ordered(reading, {name for name, act in answers.items() if act == "accept"}),
        declined=_ordered(reading, {name for name, act in answers.items() if act == "decline"}),
        came=_ordered(reading, there - {gathering.host}),
        helpers=_helpers(reading, where, gathering),
        host_came=gathering.host in there,
        host_minutes_before=where.minutes(gathering.host, sector, before, gathering.start) if gathering.host in minutes else 0.0,
        preparing=_preparing(reading, fact, gathering, sector, before),
        begun=gathering.start < reading.committed,
        over=gathering.end <= reading.committed,
        minutes=minutes,
    )


def _preparing(reading: Reading, fact: Fact, gathering: Gathering, sector: str, before: int) -> tuple[str, ...]:
    named = gathering.name.casefold()
    found = []
    for act in reading.acts.get(gathering.host, ()):
        if act.end <= before or act.start >= gathering.start or sector_of(act.target) != sector or act.asleep:
            continue
        grounds = reading.grounds((act.plan, *act.records))
        if named in act.text.casefold() or any(record.fact is not None and record.fact.id == fact.id for record in grounds):
            found.append(str(act.id))
    return tuple(found)


def _helpers(reading: Reading, where: Whereabouts, gathering: Gathering) -> tuple[str, ...]:
    day = reading.clock.steps(days=1)
    found = set()
    for one in asked(reading, ("ask_help",)):
        what = one.gathering
        if one.said.speaker != gathering.host or not one.accepted or what is None:
            continue
        same = what == gathering
        ahead = (
            what.host == gathering.host
            and sector_of(what.place) == sector_of(gathering.place)
            and gathering.start - day <= what.start < gathering.start
        )
        start = gathering.start - reading.clock.steps(hours=PREPARE_HOURS) if same else what.start
        if (same or ahead) and where.minutes(one.who, sector_of(gathering.place), start, what.end) >= COME_MINUTES:
            found.add(one.who)
    return _ordered(reading, found)


def _ordered(reading: Reading, chosen: set[str]) -> tuple[str, ...]:
    return tuple(name for name in reading.names if name in chosen)
