"""All sectors of a map on one ground: overlaps, doors, what can be reached, from where things are used.

WholeTown    drawn sectors -> MapSpec, problems reported on the way
"""

from __future__ import annotations

from kernel import Located
from maps.ground import paint
from maps.kinds import grounds
from maps.mapfile import MapFile
from maps.plan import Drawn, DrawnArena, DrawnObject, Report, beside, row_order
from maps.spec import ArenaSpec, MapSpec, ObjectSpec, SectorSpec, Tile


class WholeTown:
    """All plans on one ground."""

    def __init__(self, model: MapFile, located: Located, drawn: list[Drawn], report: Report) -> None:
        self.model, self.located, self.drawn, self.report = model, located, drawn, report
        self.width, self.height = model.size
        self.ground = paint(model.size, model.fill, model.ground)
        self.inside: dict[Tile, Drawn] = {}
        self.walls: set[Tile] = set()
        self.doors: set[Tile] = set()
        self.solid: set[Tile] = set()
        self.seats: set[Tile] = set()
        self.reserved: set[Tile] = set()
        self.reached: set[Tile] = set()

    def resolve(self) -> MapSpec:
        """The finished map; problems are reported on the way."""
        for sector in self.drawn:
            self._place(sector)
        solid_letters = {kind.letter for kind in grounds().values() if kind.solid}
        for y, row in enumerate(self.ground):
            self.solid |= {(x, y) for x, letter in enumerate(row) if letter in solid_letters and (x, y) not in self.walls}
        self._reach()
        sectors = [self._sector(sector) for sector in self.drawn]
        outside = self.model.outside
        free = tuple(sorted((t for t in self.reached if t not in self.inside), key=row_order))
        streets = ArenaSpec(name=outside.arena, tiles=free, objects=(), outdoors=True, affords=outside.affords)
        door = free[len(free) // 2] if free else (0, 0)
        sectors.append(SectorSpec(name=outside.sector, kind=outside.kind, arenas=(streets,), door=door))
        return MapSpec(
            world=self.model.world,
            width=self.width,
            height=self.height,
            ground=tuple("".join(row) for row in self.ground),
            sectors=tuple(sectors),
            walls=tuple(sorted(self.walls, key=row_order)),
            solid=tuple(sorted(self.solid, key=row_order)),
            seats=tuple(sorted(self.seats, key=row_order)),
            doors=tuple(sorted(self.doors, key=row_order)),
        )

    def wrong(self, sector: Drawn, tile: Tile, what: str, hint: str) -> None:
        """Report a problem at a tile of a sector's plan."""
        what = f"{sector.name}: {what} ({sector.where(tile)})"
        self.report(self.located.problem(what, "sectors", sector.name, "plan", row=sector.row(tile), hint=hint))

    def _place(self, sector: Drawn) -> None:
        """Put a sector on the ground. Two sectors may share walls, nothing else."""
        rivals: set[str] = set()
        for tile, under in sector.under.items():
            other = self.inside.setdefault(tile, sector)
            if other is not sector and not (tile in other.walls and tile in sector.walls) and other.name not in rivals:
                rivals.add(other.name)
                self.wrong(sector, tile, f"it overlaps '{other.name}'", "move one of them; only walls may be shared")
            self.ground[tile[1]][tile[0]] = under.letter
        self.walls |= sector.walls
        self.doors |= set(sector.doors)
        for arena in sector.arenas.values():
            for thing in arena.objects.values():
                if thing.kind.reserved:
                    self.reserved |= set(thing.tiles)
                if thing.kind.solid:
                    (self.solid if thing.kind.use == "beside" else self.seats).update(thing.tiles)

    def _open(self, tile: Tile) -> bool:
        """Free to walk across."""
        x, y = tile
        inside = 0 <= x < self.width and 0 <= y < self.height
        return inside and tile not in self.walls and tile not in self.solid and tile not in self.seats

    def _reach(self) -> None:
        """`reached`: the largest connected part of the town, seats aside."""
        seen: set[Tile] = set()
        for y in range(self.height):
            for x in range(self.width):
                if (x, y) in seen or not self._open((x, y)):
                    continue
                part, frontier = {(x, y)}, [(x, y)]
                while frontier:
                    for tile in beside(frontier.pop()):
                        if tile not in part and self._open(tile):
                            part.add(tile)
                            frontier.append(tile)
                seen |= part
                if len(part) > len(self.reached):
                    self.reached = part

    def _sector(self, sector: Drawn) -> SectorSpec:
        entry = sector.entry
        doors = self._share_doors(sector)
        arenas = tuple(self._arena(sector, arena, doors.get(mark, [])) for mark, arena in sector.arenas.items())
        return SectorSpec(
            name=sector.name,
            kind=entry.kind,
            arenas=arenas,
            hours=entry.hours,
            owners=entry.owners,
            door=self._front(sector),
        )

    def _share_doors(self, sector: Drawn) -> dict[str, list[Tile]]:
        """Each door's tile belongs to one of its rooms: the one with the laxer capacity, then the larger one."""
        out: dict[str, list[Tile]] = {}
        for door in sector.doors:
            north, east, south, west = (self._open(t) for t in beside(door))
            rooms = [a for a in sector.arenas.values() if any(t in a.tiles for t in beside(door))]
            if not rooms or not ((north and south) or (east and west)):
                self.wrong(sector, door, "a door leads nowhere", "leave the tiles on both sides of it free")
                continue
            best = min(rooms, key=lambda a: (a.entry.capacity is not None, -len(a.tiles)))
            out.setdefault(best.mark, []).append(door)
        return out

    def _front(self, sector: Drawn) -> Tile:
        """The tile outside the front door: of a door in a wall before a gate in a hedge, before an open side."""
        ways = [
            (not any(t in sector.walls for t in beside(door)), i, tile)
            for i, door in enumerate(sector.doors)
            for tile in beside(door)
            if tile not in sector.cells and tile in self.reached
        ]
        if ways:
            return min(ways)[2]
        edge = [t for t in sector.cells if t in self.reached and any(n not in sector.cells for n in beside(t))]
        return min(edge or list(sector.cells), key=row_order)

    def _arena(self, sector: Drawn, arena: DrawnArena, doors: list[Tile]) -> ArenaSpec:
        entry = arena.entry
        floor = sorted((t for t in arena.tiles if self._open(t)), key=row_order)
        lost = [t for t in floor if t not in self.reached]
        if lost:
            whole = "" if len(lost) == len(floor) else "part of "
            self.wrong(
                sector, lost[0], f"{whole}the arena '{entry.arena}' can't be reached", "draw a door, or move what blocks it"
            )
        elif not floor:
            where = min(arena.tiles, key=row_order)
            self.wrong(sector, where, f"the arena '{entry.arena}' has no free floor", "make it larger")
        objects = tuple(self._object(sector, arena, thing) for thing in arena.objects.values())
        return ArenaSpec(
            name=entry.arena or "",
            tiles=tuple(sorted([*arena.tiles, *doors], key=row_order)),
            objects=objects,
            capacity=entry.capacity,
            owners=entry.owners,
            outdoors=entry.outdoors,
            affords=entry.affords,
        )

    def _object(self, sector: Drawn, arena: DrawnArena, thing: DrawnObject) -> ObjectSpec:
        entry, kind = thing.entry, thing.kind
        name = entry.name or ""
        if kind.use == "on":
            spots = [t for t in thing.tiles if t in self.reached or any(n in self.reached for n in beside(t))]
            # of a bed only the pillows count: its first tiles that can be got into
            spots = spots[: kind.capacity] if kind.capacity and kind.solid else spots
            needed = min(kind.capacity or len(thing.tiles), len(thing.tiles))
        else:
            around = (n for t in thing.tiles for n in beside(t))
            free = {n for n in around if n in self.reached and n in arena.tiles and n not in self.reserved}
            spots, needed = sorted(free, key=row_order), 1
        if len(spots) < needed:
            lost = next((t for t in thing.tiles if t not in spots), thing.tiles[0])
            part = "" if not spots else "part of "
            self.wrong(
                sector,
                lost,
                f"{part}the object '{name}' in '{arena.entry.arena}' can't be reached",
                "leave a free tile beside it",
            )
        elif entry.capacity and entry.capacity > len(spots):
            what = f"{sector.name}: '{name}' has room for {len(spots)}, not {entry.capacity}"
            hint = "draw more of it, or lower its capacity"
            self.report(self.located.problem(what, "sectors", sector.name, "legend", thing.mark, hint=hint))
        return ObjectSpec(
            name=name,
            kind=entry.kind or name,
            tiles=tuple(thing.tiles),
            spots=tuple(spots),
            capacity=min(entry.capacity or kind.capacity or len(spots), max(1, len(spots))),
            affords=kind.affords,
            idle=kind.idle,
            owners=entry.owners or ((arena.entry.owners or sector.entry.owners) if kind.owned else ()),
        )
