"""From a resolved map to the town's tree: addresses, indices, and other names for other people.

build_town    (MapSpec, rename) -> TownMap
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kernel import DataFileError
from maps import ArenaSpec, MapSpec, ObjectSpec, SectorSpec
from town.percepts import Tile
from town.tree import Arena, GameObject, Sector, TownMap, join


def build_town(spec: MapSpec, rename: Mapping[str, str] | None = None) -> TownMap:
    """Build the tree of a map.

    `rename` replaces parts of names and owners ({"Lin family": "Novak family", "Eddy Lin": "Jan Novak"}), so that other
    people can live on the same map; longer parts are replaced first, and what has been replaced isn't touched again.
    Raises DataFileError when two nodes come to have one address.
    """
    named = _renamer(rename or {})
    town = named(spec.world)
    sectors = tuple(_sector(town, sector, named) for sector in spec.sectors)
    nodes: dict[str, Sector | Arena | GameObject] = {}
    arena_of_tile: dict[Tile, Arena] = {}
    for sector in sectors:
        _add(nodes, sector, town)
        for arena in sector.arenas:
            _add(nodes, arena, town)
            arena_of_tile.update(dict.fromkeys(sorted(arena.tiles), arena))
            for thing in arena.objects:
                _add(nodes, thing, town)
    return TownMap(
        name=town,
        width=spec.width,
        height=spec.height,
        sectors=sectors,
        walls=frozenset(spec.walls),
        solid=frozenset(spec.solid),
        doors=frozenset(spec.doors),
        seats=frozenset(spec.seats),
        ground=spec.ground,
        by_address=nodes,
        arena_of_tile=arena_of_tile,
    )


def _add(nodes: dict[str, Sector | Arena | GameObject], node: Sector | Arena | GameObject, town: str) -> None:
    if nodes.setdefault(node.address, node) is not node:
        raise DataFileError(f"two places are called '{node.address}'", file=f"the map of {town}", hint="rename one of them")


def _renamer(rename: Mapping[str, str]) -> Callable[[str], str]:
    """Replaces all parts of a text at once: at each position the longest known part."""
    parts = sorted((part for part in rename if part), key=lambda part: (-len(part), part))

    def named(text: str) -> str:
        out, at = [], 0
        while at < len(text):
            part = next((p for p in parts if text.startswith(p, at)), None)
            out.append(rename[part] if part is not None else text[at])
            at += len(part) if part is not None else 1
        return "".join(out)

    return named if parts else lambda text: text


def _sector(town: str, spec: SectorSpec, named: Callable[[str], str]) -> Sector:
    address = join(town, named(spec.name))
    return Sector(
        address=address,
        kind=spec.kind,
        arenas=tuple(_arena(address, arena, named) for arena in spec.arenas),
        hours=spec.hours,
        owners=tuple(named(owner) for owner in spec.owners),
        door=spec.door,
    )


def _arena(sector: str, spec: ArenaSpec, named: Callable[[str], str]) -> Arena:
    address = join(sector, named(spec.name))
    return Arena(
        address=address,
        tiles=frozenset(spec.tiles),
        objects=tuple(_object(address, thing, named) for thing in spec.objects),
        capacity=spec.capacity,
        owners=tuple(named(owner) for owner in spec.owners),
        outdoors=spec.outdoors,
        affords=spec.affords,
    )


def _object(arena: str, spec: ObjectSpec, named: Callable[[str], str]) -> GameObject:
    return GameObject(
        address=join(arena, named(spec.name)),
        kind=spec.kind,
        tiles=spec.tiles,
        spots=spec.spots,
        capacity=spec.capacity,
        affords=spec.affords,
        idle=spec.idle,
        owners=tuple(named(owner) for owner in spec.owners),
    )
