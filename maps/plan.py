"""Reading one sector's floor plan: marks -> walls, doors, rooms and things.

    Drawn > DrawnArena > DrawnObject    what a plan shows, in tiles of the town
    read_plan                           entry -> Drawn, all problems collected

A room is what a flood fill reaches from its mark: walls, windows, doors, hedges and the plan's edge bound it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from kernel import DataFileError, Located
from maps.kinds import GroundKind, ObjectKind, affordances, catalogue, did_you_mean, grounds
from maps.mapfile import LegendEntry, SectorEntry
from maps.spec import Tile

FLOOR, OUTSIDE = ".", "_"
SIDES = ((0, -1), (1, 0), (0, 1), (-1, 0))


def beside(tile: Tile) -> tuple[Tile, ...]:
    """The four neighbours of a tile: north, east, south, west."""
    return tuple((tile[0] + dx, tile[1] + dy) for dx, dy in SIDES)


def row_order(tile: Tile) -> tuple[int, int]:
    """Sort key: row by row, from the west."""
    return (tile[1], tile[0])


@dataclass
class DrawnObject:
    """An object and where it stands."""

    mark: str
    entry: LegendEntry
    kind: ObjectKind
    tiles: list[Tile] = field(default_factory=list)


@dataclass
class DrawnArena:
    """A room, its tiles (things included, doors not) and its objects by mark."""

    mark: str
    entry: LegendEntry
    tiles: set[Tile] = field(default_factory=set)
    objects: dict[str, DrawnObject] = field(default_factory=dict)


@dataclass
class Drawn:
    """A sector's plan in tiles of the town: `cells` all its tiles with their marks, `under` the ground of each."""

    name: str
    entry: SectorEntry
    cells: dict[Tile, str]
    under: dict[Tile, GroundKind] = field(default_factory=dict)
    doors: list[Tile] = field(default_factory=list)
    walls: set[Tile] = field(default_factory=set)
    arenas: dict[str, DrawnArena] = field(default_factory=dict)

    def row(self, tile: Tile) -> int:
        """The plan's row (from 0) that shows a tile."""
        return tile[1] - self.entry.at[1]

    def where(self, tile: Tile) -> str:
        """A tile's place in the plan, for people."""
        return f"row {self.row(tile) + 1}, column {tile[0] - self.entry.at[0] + 1}"


Report = Callable[[DataFileError], None]


def read_plan(name: str, entry: SectorEntry, size: tuple[int, int], located: Located, report: Report) -> Drawn | None:
    """Read a sector's plan; None when its shape or legend forbids going on."""
    sound = _check_legend(name, entry, located, report)
    rows = entry.plan.rstrip("\n").split("\n")
    marks = {kind.mark: kind for kind in grounds().values() if kind.mark}
    cells: dict[Tile, str] = {}
    for j, row in enumerate(rows):
        if len(row) != len(rows[0]):
            what = f"{name}: row {j + 1} of the plan has {len(row)} columns, the first row {len(rows[0])}"
            report(located.problem(what, "sectors", name, "plan", row=j, hint="make all rows equally long"))
            sound = False
        for i, mark in enumerate(row):
            if mark in marks or mark in (FLOOR, OUTSIDE) or mark in entry.legend:
                if mark != OUTSIDE:
                    cells[entry.at[0] + i, entry.at[1] + j] = mark
                continue
            what = f"{name}: '{mark}' in row {j + 1}, column {i + 1} of the plan isn't in the legend"
            report(located.problem(what, "sectors", name, "plan", row=j, hint=f"add '{mark}: ...' to the legend"))
            sound = False
    x, y = entry.at
    if x < 0 or y < 0 or x + max(map(len, rows)) > size[0] or y + len(rows) > size[1]:
        what = f"{name}: the plan at ({x}, {y}), {max(map(len, rows))} x {len(rows)} tiles, leaves the town"
        report(located.problem(what, "sectors", name, "at", hint=f"the town is {size[0]} x {size[1]} tiles"))
        sound = False
    for mark in entry.legend:
        if mark not in entry.plan:
            what = f"{name}: the legend's '{mark}' isn't in the plan"
            report(located.problem(what, "sectors", name, "legend", mark, hint="draw it, or take it out of the legend"))
    if not sound:
        return None
    drawn = Drawn(name, entry, cells)
    _find_rooms(drawn, marks, located, report)
    return drawn


def _check_legend(name: str, entry: SectorEntry, located: Located, report: Report) -> bool:
    """Whether everything a legend names exists."""
    problems: list[DataFileError] = []

    def wrong(what: str, *path: str, hint: str) -> None:
        problems.append(located.problem(f"{name}: {what}", "sectors", name, *path, hint=hint))

    def known_ground(kind: str | None, *path: str) -> None:
        if kind is not None and kind not in grounds():
            wrong(f"unknown ground '{kind}'", *path, hint=did_you_mean(kind, grounds()))

    reserved = {kind.mark for kind in grounds().values()} | {FLOOR, OUTSIDE}
    known_ground(entry.floor, "floor")
    rooms: dict[str, str] = {}
    for mark, item in entry.legend.items():
        path = ("legend", mark)
        if len(mark) != 1 or mark in reserved:
            wrong(f"'{mark}' can't be a mark of one's own", *path, hint="use one letter or digit")
        if item.name is not None and (item.kind or item.name) not in catalogue():
            wrong(f"unknown kind '{item.kind or item.name}'", *path, hint=did_you_mean(item.kind or item.name, catalogue()))
        known_ground(item.floor, *path, "floor")
        known_ground(item.ground, *path, "ground")
        for key in item.affords:
            if key not in affordances():
                wrong(f"unknown affordance '{key}'", *path, "affords", hint=did_you_mean(key, affordances()))
        for owner in item.owners:
            if entry.owners and owner not in entry.owners:
                hint = did_you_mean(owner, dict.fromkeys(entry.owners))
                wrong(f"'{owner}' owns '{item.arena or item.name}' but not the sector", *path, "owners", hint=hint)
        if item.arena is not None and rooms.setdefault(item.arena.casefold(), mark) != mark:
            wrong(f"two marks name an arena '{item.arena}'", *path, hint=f"use '{rooms[item.arena.casefold()]}' for both")
    if len(set(entry.owners)) != len(entry.owners):
        wrong("an owner is named twice", "owners", hint="name each once")
    for problem in problems:
        report(problem)
    return not problems


def _find_rooms(drawn: Drawn, marks: dict[str, GroundKind], located: Located, report: Report) -> None:
    """Fill `arenas`, `doors`, `walls` and `under` of a drawn sector."""
    entry, cells = drawn.entry, drawn.cells
    kind_of = {mark: grounds()[item.ground] for mark, item in entry.legend.items() if item.ground and not item.name} | marks
    closed: set[Tile] = set()
    for tile, mark in cells.items():
        kind = kind_of.get(mark)
        if kind is grounds()["door"]:
            drawn.doors.append(tile)
        elif kind is grounds()["wall"] or kind is grounds()["window"]:
            drawn.walls.add(tile)
        elif kind is None or not kind.barrier:
            continue
        closed.add(tile)
        drawn.under[tile] = kind or grounds()["door"]
    seen = set(closed)
    for start in cells:
        if start in seen:
            continue
        region = _flood(start, cells, closed)
        seen |= region
        named = sorted({cells[t] for t in region if cells[t] in entry.legend and entry.legend[cells[t]].arena})
        if not named:
            what = f"{drawn.name}: no mark names the room at {drawn.where(start)}"
            hint = "put an arena's mark into it, or '_' where the sector ends"
            report(located.problem(what, "sectors", drawn.name, "plan", row=drawn.row(start), hint=hint))
            continue
        if len(named) > 1:
            here = next(t for t in sorted(region, key=row_order) if cells[t] == named[1])
            names = " and ".join(f"'{entry.legend[mark].arena}'" for mark in named)
            what = f"{drawn.name}: the arenas {names} overlap (at {drawn.where(here)})"
            hint = "draw a wall or a door between them"
            report(located.problem(what, "sectors", drawn.name, "plan", row=drawn.row(here), hint=hint))
        _furnish(drawn, named[0], region, kind_of, located, report)


def _flood(start: Tile, cells: dict[Tile, str], closed: set[Tile]) -> set[Tile]:
    """Everything connected to `start` without crossing what is closed."""
    region, frontier = {start}, [start]
    while frontier:
        for tile in beside(frontier.pop()):
            if tile in cells and tile not in closed and tile not in region:
                region.add(tile)
                frontier.append(tile)
    return region


def _furnish(
    drawn: Drawn, mark: str, region: set[Tile], kind_of: dict[str, GroundKind], located: Located, report: Report
) -> None:
    """Add a region to its arena, with its objects and ground."""
    legend = drawn.entry.legend
    arena = drawn.arenas.setdefault(mark, DrawnArena(mark, legend[mark]))
    floor = grounds()[legend[mark].floor or ("grass" if legend[mark].outdoors else drawn.entry.floor)]
    names = {thing.entry.name: thing.mark for thing in arena.objects.values()}
    arena.tiles |= region
    for tile in sorted(region, key=row_order):
        letter = drawn.cells[tile]
        item = legend.get(letter)
        drawn.under[tile] = kind_of.get(letter, floor)
        if item is None or item.name is None:
            continue
        if item.ground:
            drawn.under[tile] = grounds()[item.ground]
        if names.setdefault(item.name, letter) != letter:
            what = f"{drawn.name}: '{names[item.name]}' and '{letter}' are both '{item.name}' in '{legend[mark].arena}'"
            hint = "give one another name"
            report(located.problem(what, "sectors", drawn.name, "legend", letter, hint=hint))
            names[item.name] = letter
        kind = catalogue()[item.kind or item.name]
        arena.objects.setdefault(letter, DrawnObject(letter, item, kind)).tiles.append(tile)
