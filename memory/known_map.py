"""A resident's own, partial copy of the town's tree, and what they last saw things to be like (section 5.1).

It grows by being there and by being told. As state of a mind it is one key per arena (or sector known only by name):

    "map/The Ville : Hobbs Cafe : cafe"  ->  {"piano": "", "counter": "being wiped"}     "": never seen in any state

Everything listed comes sorted by address, so that equal states list equally, however they came about.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from kernel import Json
from memory.place_names import PlaceNames
from town.tree import SEPARATOR, leaf, parent, parts

STATE_PREFIX = "map/"


class KnownMap:
    """The addresses one knows: sectors, arenas and objects; whoever knows a part knows what it lies in.

    `state` maps addresses (with or without STATE_PREFIX) of arenas to {object's own name: last seen state}; other keys
    of a mind's state (with a "/" before the first separator) aren't taken.
    """

    def __init__(self, state: Mapping[str, Json] | None = None) -> None:
        self._arenas: dict[str, dict[str, str]] = {}
        self._known: set[str] = set()
        self._names: PlaceNames | None = None
        self._take(state or {})

    @classmethod
    def of_state(cls, state: Mapping[str, Json]) -> KnownMap:
        """From the whole state of a mind: takes the keys with STATE_PREFIX."""
        return cls({key: value for key, value in state.items() if key.startswith(STATE_PREFIX)})

    def state_keys(self) -> dict[str, Json]:
        """The whole map as keys of a mind's state (with STATE_PREFIX)."""
        return {STATE_PREFIX + key: dict(sorted(self._arenas[key].items())) for key in sorted(self._arenas)}

    def learn(self, addresses: Iterable[str], states: Mapping[str, str] | None = None) -> dict[str, Json]:
        """Adds places, and the states in which objects were just seen.

        addresses   of sectors, arenas or objects
        states      object address -> state; its objects become known
        -> the keys of the mind's state that have changed, with their new values
        """
        changed: dict[str, None] = {}
        for address in addresses:
            if address not in self._known:
                changed[self._learned(address, "")] = None
        for address, seen in (states or {}).items():
            if self.state(address) != seen:
                changed[self._learned(address, seen)] = None
        return {STATE_PREFIX + key: dict(sorted(self._arenas[key].items())) for key in changed}

    def updated(self, changed: Mapping[str, Json]) -> KnownMap:
        """A copy with those keys of a mind's state that `learn` gave as changed; other keys aren't taken."""
        other = self.copy()
        other._take({key: value for key, value in changed.items() if key.startswith(STATE_PREFIX)})
        return other

    def copy(self) -> KnownMap:
        """An independent copy, to try things on."""
        other = KnownMap()
        other._arenas = {key: dict(things) for key, things in self._arenas.items()}
        other._known = set(self._known)
        return other

    def knows(self, address: str) -> bool:
        """Is this address (of a town, sector, arena or object) known?"""
        return address in self._known

    def state(self, address: str) -> str | None:
        """The state in which an object was last seen, None: never, or unknown."""
        return self._arenas.get(parent(address), {}).get(leaf(address)) or None

    def options(self, within: str | None = None) -> tuple[str, ...]:
        """Known children of an address; of None: all sectors."""
        if within is None:
            return self.sectors()
        depth = len(parts(within)) + 1
        head = within + SEPARATOR
        return tuple(sorted(a for a in self._known if a.startswith(head) and len(parts(a)) == depth))

    def sectors(self) -> tuple[str, ...]:
        """All known sectors."""
        return self._level(2)

    def arenas(self) -> tuple[str, ...]:
        """All known arenas."""
        return self._level(3)

    def objects(self) -> tuple[str, ...]:
        """All known objects."""
        return self._level(4)

    def resolve(self, text: str, near: str | None = None) -> str | None:
        """The known address that any string for a place most likely means, None when nothing is close.

        See `PlaceNames.resolve`. `near` is where one is: among equally good matches the closest in the tree wins.
        """
        if text in self._known:
            return text
        if self._names is None:
            self._names = PlaceNames(self._known)
        return self._names.resolve(text, near)

    def __len__(self) -> int:
        return len(self._known)

    # -- inside -----------------------------------------------------------------------------------------------------

    def _take(self, state: Mapping[str, Json]) -> None:
        for key, things in state.items():
            address = key.removeprefix(STATE_PREFIX)
            states = things if isinstance(things, dict) else {}
            self._enter(address)
            for name, seen in states.items():
                self._enter_object(address, name, seen if isinstance(seen, str) else "")

    def _level(self, depth: int) -> tuple[str, ...]:
        return tuple(sorted(address for address in self._known if len(parts(address)) == depth))

    def _learned(self, address: str, seen: str) -> str:
        """Enters an address; -> the arena (or sector) whose key changes."""
        if len(parts(address)) < 4:
            self._enter(address)
            return address
        self._enter(parent(address))
        self._enter_object(parent(address), leaf(address), seen)
        return parent(address)

    def _enter(self, address: str) -> None:
        if len(parts(address)) > 1:
            self._arenas.setdefault(address, {})
        while address not in self._known:
            self._known.add(address)
            address = parent(address)
        self._names = None

    def _enter_object(self, arena: str, name: str, seen: str) -> None:
        self._arenas[arena][name] = seen
        self._known.add(arena + SEPARATOR + name)
        self._names = None
