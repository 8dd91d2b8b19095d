"""Reading a map file into a `MapSpec`: sectors together, reachability, spots; every problem is collected.

load_map    name or path -> MapSpec       (raises the first problem)
check_map   path -> all problems          (for `town check`)
map_path    name -> path of the file
map_names   the maps that come with Townfolk
"""

from __future__ import annotations

from pathlib import Path

from kernel import DataFileError, Located, UsageError, check_model, nearest
from maps.ground import paint
from maps.kinds import FOLDER, affordances, did_you_mean, grounds
from maps.mapfile import MapFile
from maps.plan import Drawn, DrawnArena, DrawnObject, Report, beside, read_plan, row_order
from maps.spec import ArenaSpec, MapSpec, ObjectSpec, SectorSpec, Tile

NOT_MAPS = ("affordances", "ground", "icons", "objects")


def map_names() -> tuple[str, ...]:
    """Names of the maps in this folder."""
    return tuple(sorted(p.stem for p in FOLDER.glob("*.yaml") if p.stem not in NOT_MAPS))


def map_path(name_or_path: str | Path) -> Path:
    """The file of a map given by name ("hamlet") or by path. Raises UsageError for an unknown name."""
    text = str(name_or_path)
    if text in map_names():
        return FOLDER / f"{text}.yaml"
    if Path(text).suffix or "/" in text or Path(text).exists():
        return Path(text)
    close = nearest(text, map_names())
    hint = f"did you mean '{close}'?" if close else f"there are: {', '.join(map_names())}"
    raise UsageError(f"there is no map '{text}'", hint=hint)


def load_map(name_or_path: str | Path) -> MapSpec:
    """Read a map. Raises DataFileError with the first problem in the file, UsageError for an unknown name."""
    spec, problems = _read(map_path(name_or_path))
    if problems:
        raise problems[0]
    assert spec is not None
    return spec


def check_map(path: str | Path) -> list[DataFileError]:
    """All problems of a map file in the file's order; empty when it is sound."""
    return _read(Path(path))[1]


def _read(path: Path) -> tuple[MapSpec | None, list[DataFileError]]:
    model, located, problems = check_model(path, MapFile)
    if model is None or located is None:
        return None, problems
    if not _known_words(model, located, problems.append):
        return None, sorted(problems, key=lambda p: p.line or 0)
    drawn = [read_plan(name, entry, model.size, located, problems.append) for name, entry in model.sectors.items()]
    town = _Town(model, located, [d for d in drawn if d is not None], problems.append)
    # a sector that can't be drawn would make its neighbours look unreachable: only its own problems are told then
    spec = town.resolve() if not any(d is None for d in drawn) else None
    return (None if problems else spec), sorted(problems, key=lambda p: p.line or 0)


def _known_words(model: MapFile, located: Located, report: Report) -> bool:
    """Whether the names of ground and affordances outside the plans are known, and sector names differ."""
    sound = True

    def wrong(what: str, *path: str | int, hint: str) -> None:
        nonlocal sound
        sound = False
        report(located.problem(what, *path, hint=hint))

    if model.fill not in grounds():
        wrong(f"unknown ground '{model.fill}'", "fill", hint=did_you_mean(model.fill, grounds()))
    for i, shape in enumerate(model.ground):
        for word, key in ((shape.of, "of"), *((word, "on") for word in shape.on)):
            if word not in grounds():
                wrong(f"unknown ground '{word}'", "ground", i, key, hint=did_you_mean(word, grounds()))
        if sum(part is not None for part in (shape.rect, shape.ellipse, shape.line, shape.tiles)) != 1:
            wrong("a shape has exactly one of rect, ellipse, line, tiles", "ground", i, hint="split it into several shapes")
    for key in model.outside.affords:
        if key not in affordances():
            wrong(f"unknown affordance '{key}'", "outside", "affords", hint=did_you_mean(key, affordances()))
    names = {model.outside.sector.casefold(): model.outside.sector}
    for name in model.sectors:
        if names.setdefault(name.casefold(), name) != name or name == model.outside.sector:
            wrong(f"the sector '{name}' has the name of another", "sectors", name, hint="names differ by more than their case")
    return sound


class _Town:
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
