"""The town as a tree: town > sector > arena > object. Static: what changes lives in the world.

An address is text, parts joined with " : " ("The Ville : Hobbs Cafe : cafe : piano"); every node is found by its full
address. Streets and lawns outside all sectors form the arena `The Ville : streets : outdoors`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from town.percepts import Tile

SEPARATOR = " : "


def join(*parts: str) -> str:
    """Address of the given parts."""
    return SEPARATOR.join(parts)


def parts(address: str) -> tuple[str, ...]:
    """The parts of an address, 1 (town) to 4 (object)."""
    return tuple(address.split(SEPARATOR))


def parent(address: str) -> str:
    """The address one level up; of a town itself: itself."""
    head, sep, _ = address.rpartition(SEPARATOR)
    return head if sep else address


def leaf(address: str) -> str:
    """The last part: the node's own name."""
    return address.rpartition(SEPARATOR)[2]


@dataclass(frozen=True, slots=True)
class GameObject:
    """A thing in an arena.

    kind      key of the object catalogue (`maps/objects.yaml`): "bed", "stove", "counter" ...
    tiles     where it stands; `spots` the walkable tiles it is used from (a chair's own tile; the tile before a stove)
    capacity  how many can use it at once (= number of spots unless the map says less)
    affords   what can be done with it (keys of `maps/affordances.yaml`)
    idle      its initial state in words ("off", "made", "empty"); in this state it isn't an event
    owners    residents it belongs to (a bed), empty: anyone allowed in the arena
    """

    address: str
    kind: str
    tiles: tuple[Tile, ...]
    spots: tuple[Tile, ...]
    capacity: int
    affords: tuple[str, ...]
    idle: str
    owners: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Arena:
    """A room or an open place. `capacity` None: as many as like (a bathroom has 1); `owners` as for sectors, narrower."""

    address: str
    tiles: frozenset[Tile]
    objects: tuple[GameObject, ...]
    capacity: int | None = None
    owners: tuple[str, ...] = ()
    outdoors: bool = False
    affords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sector:
    """A building, park or garden.

    kind    "home", "cafe", "pub", "shop", "college", "park", "street" ... (words, for people and for the drawing)
    hours   (open, close) minutes since midnight, close may pass 1440; None: always open
    owners  residents who live here (a home is private: entered by others only when invited or let in)
    door    a walkable tile to name the place by: where a visitor would ring
    """

    address: str
    kind: str
    arenas: tuple[Arena, ...]
    hours: tuple[int, int] | None = None
    owners: tuple[str, ...] = ()
    door: Tile = (0, 0)

    @property
    def private(self) -> bool:
        """Somebody's home."""
        return bool(self.owners)


@dataclass(frozen=True)
class TownMap:
    """The whole tree, with indices. `width` x `height` tiles; `walls` block sight and walking, `solid` walking only.

    `seats` (beds, chairs) are entered only to be used: nobody cuts across them. `ground` holds one letter per tile,
    row by row, for the drawing (see `maps/ground.yaml`).
    """

    name: str
    width: int
    height: int
    sectors: tuple[Sector, ...]
    walls: frozenset[Tile]
    solid: frozenset[Tile]
    doors: frozenset[Tile]
    seats: frozenset[Tile] = frozenset()
    ground: tuple[str, ...] = ()
    by_address: dict[str, Sector | Arena | GameObject] = field(default_factory=dict, repr=False)
    arena_of_tile: dict[Tile, Arena] = field(default_factory=dict, repr=False)

    def sector(self, address: str) -> Sector:
        """The sector an address lies in (KeyError if the address is of no sector here)."""
        node = self.by_address[join(*parts(address)[:2])]
        assert isinstance(node, Sector)
        return node

    def arena(self, address: str) -> Arena:
        """The arena an address lies in (KeyError if it is of none)."""
        node = self.by_address[join(*parts(address)[:3])]
        assert isinstance(node, Arena)
        return node

    def arenas(self) -> Iterator[Arena]:
        """All arenas in map order."""
        for sector in self.sectors:
            yield from sector.arenas

    def objects(self) -> Iterator[GameObject]:
        """All objects in map order."""
        for arena in self.arenas():
            yield from arena.objects
