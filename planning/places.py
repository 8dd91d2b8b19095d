"""Places one may choose from: what a resident knows of the tree, with what each place affords now.

Static geometry comes from the town; what is *known* comes from the resident's own map. Other people's homes aren't
offered unless a hint names them (an invitation does), nor beds and rooms that belong to others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kernel import Clock
from language.values import PlaceOption
from memory import KnownMap
from town.grid import Grid
from town.percepts import Tile
from town.tree import SEPARATOR, GameObject, Sector, TownMap, leaf, parts

STAFF_ONLY = frozenset({"serve", "sell", "stock", "cook", "clean_dishes", "fetch_food", "teach"})
"""What things of a public place afford to those who work there only: nobody cooks in a pub's kitchen uninvited."""
HOME = "home"


class Places:
    """The town's places as planning needs them; one for all residents, static but for a cache of distances."""

    def __init__(self, town: TownMap, grid: Grid, clock: Clock, staff: Mapping[str, frozenset[str]]) -> None:
        self.town = town
        self.grid = grid
        self.clock = clock
        self._staff = staff
        self._for_guests = {thing.address: tuple(a for a in thing.affords if a not in STAFF_ONLY) for thing in town.objects()}
        self._words: dict[str, tuple[str, ...]] = {sector.address: _name_words(leaf(sector.address)) for sector in town.sectors}

    def works_at(self, person: str, sector: str) -> bool:
        """Whether a resident is staff of a sector."""
        return person in self._staff.get(sector, frozenset())

    def is_open(self, sector: Sector, step: int, person: str) -> bool:
        """Whether a resident may be in a sector at a step (staff and owners always)."""
        if sector.hours is None or person in sector.owners or self.works_at(person, sector.address):
            return True
        minute = self.clock.minute_of_day(step)
        opens, closes = sector.hours
        return opens <= minute < closes or opens <= minute + 1440 < closes

    def minutes_to(self, tile: Tile, sector: Sector) -> int:
        """Game minutes on foot from a tile to a sector's door (one tile a step), 999 if there is no way."""
        steps = self.grid.distance(tile, sector.door)
        return 999 if steps is None else round(steps * self.clock.step_seconds / 60)

    def options(
        self, person: str, known: KnownMap, tile: Tile, here: str, step: int, until: int, hint: str, barred: Iterable[str] = ()
    ) -> tuple[PlaceOption, ...]:
        """Objects (and open-air arenas) one may choose for an activity in [step, until).

        `here` is the present arena's address, `hint` words that may name places: then only these and the present one
        are offered, if they can be used at all. `barred` addresses were found full or closed just now. Map order, so
        that equal states give equal options.
        """
        wanted = hint.casefold()
        not_now = frozenset(barred)
        at = self.sector_of(here)
        named: list[PlaceOption] = []
        others: list[PlaceOption] = []
        for sector in self.town.sectors:
            address = sector.address
            mine = person in sector.owners or self.works_at(person, address)
            meant = any(word in wanted for word in self._words[address]) or (sector.private and mine and HOME in wanted)
            if (sector.private and not mine and not meant) or address in not_now:
                continue
            if not known.knows(address) and not meant:
                continue
            open_now = self.is_open(sector, step, person) and self.is_open(sector, until - 1, person)
            if known.knows(address):
                found = self._within(sector, person, known, tile, here, not_now, mine=mine, open_now=open_now)
            else:
                found = self._told_of(sector, tile, not_now, open_now=open_now)
            if meant and open_now:
                named.extend(found)
            elif address == at:
                named.extend(found) if named else others.extend(found)
            else:
                others.extend(found)
        if named:
            return tuple(dict.fromkeys((*named, *(o for o in others if o.address.startswith(at + SEPARATOR)))))
        return tuple(others)

    def _within(
        self, sector: Sector, person: str, known: KnownMap, tile: Tile, here: str, not_now: frozenset[str], *,
        mine: bool, open_now: bool,
    ) -> list[PlaceOption]:  # fmt: skip
        """The options of one sector."""
        found: list[PlaceOption] = []
        minutes = self.minutes_to(tile, sector)
        guest = not sector.private and not self.works_at(person, sector.address)
        for arena in sector.arenas:
            if arena.address in not_now or not known.knows(arena.address) or (arena.owners and person not in arena.owners):
                continue
            near = 0 if arena.address == here else minutes
            if arena.outdoors and arena.affords:
                found.append(PlaceOption(arena.address, arena.affords, mine, open_now, near))
            for thing in arena.objects:
                affords = self._for_guests[thing.address] if guest else thing.affords
                if not affords or (thing.owners and person not in thing.owners):
                    continue
                if thing.address in not_now or not known.knows(thing.address):
                    continue
                state = known.state(thing.address) or thing.idle
                found.append(PlaceOption(thing.address, affords, mine, open_now, near, state))
        return found

    def _told_of(self, sector: Sector, tile: Tile, not_now: frozenset[str], *, open_now: bool) -> list[PlaceOption]:
        """The rooms of a place one has only been told of: one finds the way, and sees there what is in them."""
        minutes = self.minutes_to(tile, sector)
        return [
            PlaceOption(
                arena.address, tuple(sorted(_affords(arena.affords, arena.objects) - STAFF_ONLY)), False, open_now, minutes
            )
            for arena in sector.arenas
            if not arena.owners and arena.address not in not_now
        ]

    def meeting_places(self, known: KnownMap) -> tuple[str, ...]:
        """Arenas of public places one knows, fit for meeting somebody."""
        return tuple(
            arena.address
            for sector in self.town.sectors
            if not sector.private
            for arena in sector.arenas
            if known.knows(arena.address) and len(arena.tiles) > 30 and "gather" in _affords(arena.affords, arena.objects)
        )

    def sector_of(self, address: str) -> str:
        """The sector part of an address (the address itself when it names no more)."""
        return " : ".join(parts(address)[:2])


def _affords(own: tuple[str, ...], objects: tuple[GameObject, ...]) -> frozenset[str]:
    return frozenset(own).union(*(thing.affords for thing in objects)) if objects else frozenset(own)


def _name_words(name: str) -> tuple[str, ...]:
    """Words by which a hint may mean this sector: its whole name, and the name without a leading article."""
    whole = name.casefold()
    return (whole, whole.removeprefix("the ")) if whole.startswith("the ") else (whole,)
