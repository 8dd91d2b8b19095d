"""A map, resolved: every tile, spot and door in plain, frozen values (tiles are (x, y) of the whole town).

    MapSpec > SectorSpec > ArenaSpec > ObjectSpec

`MapSpec.model_dump(mode="json")` is the map as a run file keeps it; `MapSpec.model_validate` is the inverse.
"""

from __future__ import annotations

from maps.kinds import Frozen

Tile = tuple[int, int]


class ObjectSpec(Frozen):
    """A thing; fields as in `town.tree.GameObject`, `name` instead of the address."""

    name: str
    kind: str
    tiles: tuple[Tile, ...]
    spots: tuple[Tile, ...]
    capacity: int
    affords: tuple[str, ...]
    idle: str
    owners: tuple[str, ...] = ()


class ArenaSpec(Frozen):
    """A room or open place. `tiles`: its floor, its objects' tiles, its doors, ponds and trees; no walls."""

    name: str
    tiles: tuple[Tile, ...]
    objects: tuple[ObjectSpec, ...]
    capacity: int | None = None
    owners: tuple[str, ...] = ()
    outdoors: bool = False
    affords: tuple[str, ...] = ()


class SectorSpec(Frozen):
    """A building, park or garden; `door` is the tile outside its front door. `hours` in minutes since midnight."""

    name: str
    kind: str
    arenas: tuple[ArenaSpec, ...]
    hours: tuple[int, int] | None = None
    owners: tuple[str, ...] = ()
    door: Tile


class MapSpec(Frozen):
    """A town. `walls` (with windows) block sight and walking, `solid` walking only; `seats` are entered only to be used
    (a chair, a bed: nobody cuts across them). `ground`: one letter per tile (`ground.yaml`), one string per row.
    The sector of the streets comes last."""

    world: str
    width: int
    height: int
    ground: tuple[str, ...]
    sectors: tuple[SectorSpec, ...]
    walls: tuple[Tile, ...]
    solid: tuple[Tile, ...]
    seats: tuple[Tile, ...]
    doors: tuple[Tile, ...]
