"""Where people start: their tile, their workplaces as the town's staff, and which part of the town they know.

staff_of(people, town)           sector -> who works there
placed_at_start(people, town)    resident -> tile beside (or in) the own bed
known_at_start(persona, town)    addresses known from the start
known_inside(...)                the same for who comes to live in a house the map gives to others
"""

from __future__ import annotations

from collections.abc import Sequence

from kernel import DataFileError
from personas import Persona
from town import TownMap
from town.percepts import Tile
from town.tree import GameObject, Sector, join, parts


def staff_of(people: Sequence[Persona], town: TownMap) -> dict[str, frozenset[str]]:
    """Sector address -> residents who work there, in map order."""
    workers: dict[str, list[str]] = {}
    for person in people:
        if person.work is not None:
            sector = join(town.name, parts(person.work.place)[0])
            workers.setdefault(sector, []).append(person.name)
    return {sector.address: frozenset(workers[sector.address]) for sector in town.sectors if sector.address in workers}


def placed_at_start(people: Sequence[Persona], town: TownMap) -> dict[str, Tile]:
    """The tile each resident starts on: a spot of the own bed, another one for each who shares it.

    Raises DataFileError for a bed the map doesn't have.
    """
    taken: dict[str, int] = {}
    placed: dict[str, Tile] = {}
    for person in people:
        address = join(town.name, person.bed)
        bed = town.by_address.get(address)
        if not isinstance(bed, GameObject) or not bed.spots:
            raise DataFileError(
                f"{person.name}'s bed '{person.bed}' is no object of the map", file=town.name, hint="see `town check`"
            )
        nth = taken.get(address, 0)
        taken[address] = nth + 1
        placed[person.name] = bed.spots[nth % len(bed.spots)]
    return placed


def known_at_start(persona: Persona, town: TownMap) -> tuple[str, ...]:
    """Addresses known from the start, in map order: home, work and named places; all public ones for who isn't new.

    Of other people's homes and of others' own rooms nothing inside is known.
    """
    named = {parts(persona.home)[0], *(parts(place)[0] for place in persona.places)}
    if persona.work is not None:
        named.add(parts(persona.work.place)[0])
    known: list[str] = []
    for sector in town.sectors:
        name = parts(sector.address)[1]
        if name in named or not (persona.newcomer or sector.private) or sector.kind == "street":
            known.append(sector.address)
            known.extend(_inside(sector, persona.name))
    return tuple(known)


def _inside(sector: Sector, name: str) -> list[str]:
    if sector.private and name not in sector.owners:
        return []
    found: list[str] = []
    for arena in sector.arenas:
        if not arena.owners or name in arena.owners:
            found.append(arena.address)
            found.extend(thing.address for thing in arena.objects)
    return found


def known_inside(persona: Persona, town: TownMap, known: tuple[str, ...]) -> tuple[str, ...]:
    """What a newcomer knows: what they would have known at the start, and the house they are going to live in."""
    home = join(town.name, parts(persona.home)[0])
    more = [address for address in town.by_address if address == home or address.startswith(f"{home} : ")]
    return (*known, *(address for address in more if address not in known))
