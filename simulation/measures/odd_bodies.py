"""Oddities of what people do: eating twice, being where one shouldn't, not being where one promised to be.

second_lunch        two lunches in a day, more than LUNCH_GAP minutes apart
closed_place        more than CLOSED_MINUTES on end in a closed place where one neither lives nor works
over_full           more people at rest in a room, or using an object, than it holds
away_at_night       at NIGHT not asleep at home, and nothing on file that says why
missed_appointment  promised (and the promise remembered), not called off as far as one knew, and didn't come
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from memory import Record
from simulation.measures.gatherings import COME_MINUTES
from simulation.measures.oddity import Oddity
from simulation.measures.positions import Whereabouts
from simulation.measures.reading import Done, Reading, sector_of
from simulation.measures.words import matcher, words
from town.speech import Gathering

LUNCH_GAP = 30
CLOSED_MINUTES = 10
REST_SECONDS = 60
NIGHT = 3 * 60
"""Minutes since midnight at which everybody ought to be asleep."""
_DAY = 24 * 60


def second_lunch(reading: Reading, where: Whereabouts) -> list[Oddity]:
    """Eating lunch again after something else. Preparing, serving or clearing one away isn't eating it."""
    gap = reading.clock.steps(minutes=LUNCH_GAP)
    found = []
    for name in reading.names:
        before: Done | None = None
        for act in reading.acts[name]:
            if not is_lunch(reading, act):
                continue
            if before is not None and _another(reading, before, act, gap):
                found.append(
                    Oddity("second_lunch", name, act.start, act.text, (str(before.id), str(act.id)), act.target, before.text)
                )
            before = act
    return found


def _another(reading: Reading, before: Done, act: Done, gap: int) -> bool:
    """Whether a lunch is another than the one before: on the same day, later, and not of the same block of the plan."""
    same_day = reading.clock.day(before.start) == reading.clock.day(act.start)
    return same_day and act.start - before.end > gap and not set(before.records) & set(act.records)


def is_lunch(reading: Reading, act: Done) -> bool:
    """Whether an act is eating lunch: by its own words, or, shown as eating, by those of the plan it carries out."""
    lunch, eats = matcher("meals", "lunch"), act.icon in words("meals", "eat_icons")
    if matcher("meals", "not_eating").search(act.text):
        return False
    if lunch.search(act.text):
        return eats or bool(matcher("meals", "eating").search(act.text))
    if not eats:
        return False
    plans = (reading.record_of.get(id) for id in (act.plan, *act.records) if id is not None)
    return any(record is not None and record.kind == "plan" and bool(lunch.search(record.text)) for record in plans)


def closed_place(reading: Reading, where: Whereabouts) -> list[Oddity]:
    """Stays in a sector outside its hours, of people who have no business there then."""
    least = reading.clock.steps(minutes=CLOSED_MINUTES)
    found = []
    for name in reading.names:
        dweller = reading.dwellers[name]
        for start, end, sector in _merged((s, e, sector_of(room)) for s, e, room in where.rooms[name]):
            place = reading.places.get(sector)
            works = dweller.workplace is not None and sector_of(dweller.workplace) == sector
            if place is None or place.hours is None or works or name in place.owners or sector_of(dweller.home) == sector:
                continue
            for since, until in _closed(reading, place.hours, start, end):
                if until - since > least:
                    act = reading.act_at(name, since)
                    ids = (str(act.id),) if act is not None else ()
                    minutes = str(round(reading.clock.hours(until - since) * 60))
                    found.append(Oddity("closed_place", name, since, act.text if act is not None else "", ids, sector, minutes))
    return found


def _merged(stretches: Iterable[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
    last: tuple[int, int, str] | None = None
    for start, end, what in stretches:
        if last is not None and last[2] == what and last[1] == start:
            last = (last[0], end, what)
            continue
        if last is not None:
            yield last
        last = (start, end, what)
    if last is not None:
        yield last


def _closed(reading: Reading, hours: tuple[int, int], start: int, end: int) -> Iterator[tuple[int, int]]:
    """The parts of [start, end) in which a place with these hours is closed."""
    opens, closes = hours
    clock = reading.clock
    if closes - opens >= _DAY:
        return
    length = clock.steps(days=1)
    midnight = clock.step_on(clock.day(start), 0) - length
    while midnight < end:
        since = midnight + clock.steps(minutes=closes)
        until = midnight + length + clock.steps(minutes=opens)
        if max(since, start) < min(until, end):
            yield max(since, start), min(until, end)
        midnight += length


def over_full(reading: Reading, where: Whereabouts) -> list[Oddity]:
    """Rooms and objects with more people at rest than they hold, once for each stretch of time."""
    rest = max(1, round(REST_SECONDS / reading.clock.step_seconds))
    using: dict[str, list[tuple[int, int, str, str]]] = {}
    for name in reading.names:
        rooms = iter(where.rooms[name])
        room = next(rooms, None)
        for start, end, tile in where.stays[name]:
            while room is not None and room[1] <= start:
                room = next(rooms, None)
            if end - start < rest:
                continue
            if room is not None and (place := reading.places.get(room[2])) is not None and place.capacity is not None:
                using.setdefault(room[2], []).append((start, end, name, ""))
            for act in _acts_between(reading.acts[name], start, end):
                thing = reading.places.get(act.target)
                if thing is not None and thing.level == "object" and thing.capacity is not None and tile in thing.spots:
                    using.setdefault(act.target, []).append((max(start, act.start), min(end, act.end), name, str(act.id)))
    found: list[Oddity] = []
    for address, stretches in sorted(using.items()):
        capacity = reading.places[address].capacity
        assert capacity is not None
        found.extend(_crowds(address, capacity, stretches, rest))
    return found


def _acts_between(acts: list[Done], start: int, end: int) -> Iterator[Done]:
    return (act for act in acts if act.start < end and act.end > start)


def _crowds(address: str, capacity: int, stretches: list[tuple[int, int, str, str]], rest: int) -> Iterator[Oddity]:
    """Stretches of at least `rest` steps with more than `capacity` people; told of the one who came last."""
    changes = sorted({step for start, end, _, _ in stretches for step in (start, end)})
    crowd: tuple[int, list[tuple[int, str, str]]] | None = None
    for step in [*changes, (changes[-1] if changes else 0) + 1]:
        here = {name: (start, name, id) for start, end, name, id in stretches if start <= step < end}
        if len(here) > capacity:
            if crowd is None:
                crowd = (step, sorted(here.values()))
            continue
        if crowd is not None and step - crowd[0] >= rest:
            since, people = crowd
            ids = tuple(id for _, _, id in people if id)
            yield Oddity("over_full", people[-1][1], since, ", ".join(name for _, name, _ in people), ids, address, str(capacity))
        crowd = None


def away_at_night(reading: Reading, where: Whereabouts) -> list[Oddity]:
    """Being awake, or out, at three at night, when the act rests on no memory beside plans, and on nothing noticed."""
    found = []
    for start, end in reading.days():
        step = reading.clock.step_on(reading.clock.day(start), NIGHT)
        if not start <= step < end:
            continue
        for name in reading.names:
            act = reading.act_at(name, step)
            home = sector_of(reading.dwellers[name].home)
            asleep = act is not None and act.asleep and sector_of(where.room_at(name, step)) == home
            if asleep or (act is not None and _reason(reading, act)):
                continue
            ids = (str(act.id),) if act is not None else ()
            found.append(Oddity("away_at_night", name, step, act.text if act is not None else "", ids, where.room_at(name, step)))
    return found


def _reason(reading: Reading, act: Done) -> bool:
    """Whether an act rests on something noticed or remembered, at whatever remove; the persona's own habits don't count."""
    grounds = reading.grounds((act.plan, *act.records))
    return bool(act.percepts) or any(record.kind != "plan" and record.tag != "identity" for record in grounds)


def missed_appointment(reading: Reading, where: Whereabouts) -> list[Oddity]:
    """Gatherings one held or had promised to come to, and stayed away from though one remembered."""
    found = []
    for name in reading.names:
        records = [record for record in reading.memories[name] if record.fact is not None]
        for fact_id, record in _promises(name, records).items():
            gathering = reading.facts[fact_id].gathering
            if gathering is None or gathering.end > reading.committed or _called_off(records, fact_id, gathering):
                continue
            if where.minutes(name, sector_of(gathering.place), gathering.start, gathering.end) < COME_MINUTES:
                act = reading.act_at(name, (gathering.start + gathering.end) // 2)
                ids = (str(record.id),) if act is None else (str(record.id), str(act.id))
                doing = act.text if act is not None else ""
                found.append(Oddity("missed_appointment", name, gathering.start, gathering.name, ids, gathering.place, doing))
    return found


def _promises(name: str, records: list[Record]) -> dict[str, Record]:
    """Fact id -> the record by which this resident is bound: one's own promise not taken back, or hosting what others come to."""
    bound: dict[str, Record] = {}
    for record in records:
        assert record.fact is not None
        fact, gathering = record.fact.id, record.fact.gathering
        if gathering is None or record.created >= gathering.start:
            continue
        if gathering.host == name and (record.tag == "promise" or record.created < 0):
            bound.setdefault(fact, record)
        elif record.about == name and record.tag == "promise":
            bound[fact] = record
        elif record.about == name and record.tag == "refusal":
            bound.pop(fact, None)
    return bound


def _called_off(records: list[Record], fact_id: str, gathering: Gathering) -> bool:
    return any(
        record.fact is not None and record.fact.retracts == fact_id and record.created < gathering.end for record in records
    )
