"""The states of objects: who put them so, and what they go back to.

    ObjectState   a state in words and the act that did it
    Objects       current and recent states; acts claim an object and release it, users override it

Claims, releases and overrides of a step are gathered and take effect together (`flush`) before anyone reads the next V,
so that cooking on after cooking doesn't turn the stove off and on.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import NamedTuple

from kernel import RecordId
from town.acts import Act
from town.history import History
from town.tree import GameObject, TownMap, parent


class ObjectState(NamedTuple):
    """`by` is the act that did it; None: it was so at the start, or a user or the scenario did it."""

    state: str
    by: RecordId | None


class Objects:
    """All objects' states. Addresses are objects' addresses; KeyError for others.

    states    per object, the recent states
    lively    arena -> its objects that aren't in their idle state now
    stilled   arena -> its objects that went back to their idle state in the present step
    claims    object -> acts that use it now and the state each gives it (None: it only `leaves` one)
    before    object -> the state it was in before the first of the acts that use it
    pending   object -> the state it will be in from the next flush on
    """

    def __init__(self, town: TownMap) -> None:
        self.things: dict[str, GameObject] = {thing.address: thing for thing in town.objects()}
        self.arena_of: dict[str, str] = {address: parent(address) for address in self.things}
        self.states = {address: History(0, ObjectState(thing.idle, None)) for address, thing in self.things.items()}
        self.lively: dict[str, dict[str, GameObject]] = {}
        self.stilled: dict[str, dict[str, GameObject]] = {}
        self.claims: dict[str, dict[RecordId, str | None]] = {}
        self.before: dict[str, str] = {}
        self.pending: dict[str, ObjectState] = {}

    def _coming(self, address: str) -> ObjectState:
        return self.pending.get(address) or self.states[address].last

    def claim(self, act: Act) -> None:
        """The doer of `act` has begun to use its target."""
        if act.state is None and act.leaves is None:
            return
        claims = self.claims.setdefault(act.target, {})
        if not claims:
            self.before[act.target] = self._coming(act.target).state
        claims[act.id] = act.state
        if act.state is not None:
            self.pending[act.target] = ObjectState(act.state, act.id)

    def release(self, act: Act) -> None:
        """The doer of `act` uses its target no more. Nothing happens if somebody has overridden the state since."""
        claims = self.claims.get(act.target)
        if claims is None or act.id not in claims:
            return
        del claims[act.id]
        showing = [(user, state) for user, state in claims.items() if state is not None]
        if showing:
            user, state = showing[-1]
            self.pending[act.target] = ObjectState(state, user)
        elif not claims:
            del self.claims[act.target]
            before = self.before.pop(act.target)
            self.pending[act.target] = ObjectState(before if act.leaves is None else act.leaves, act.id)
        elif act.leaves is not None:
            self.pending[act.target] = ObjectState(act.leaves, act.id)

    def override(self, address: str, state: str) -> None:
        """A user or the scenario puts the object in a state; acts under way won't undo it."""
        self.claims.pop(address, None)
        self.before.pop(address, None)
        self.pending[address] = ObjectState(state, None)

    def flush(self, step: int, doers: Container[str] | None = None) -> Iterator[tuple[str, ObjectState]]:
        """From `step` on the pending states hold (`doers`: only those that are their doing). Yields what is new."""
        if doers is None:
            pending, self.pending = self.pending, {}
        else:
            pending = {a: new for a, new in self.pending.items() if new.by is not None and new.by.resident in doers}
            for address in pending:
                del self.pending[address]
        for address, new in pending.items():
            history = self.states[address]
            if history.last.state == new.state:
                continue
            history.set(step, new)
            self.sort_in(address, step)
            yield address, new

    def sort_in(self, address: str, step: int) -> None:
        """Keep `lively` and `stilled` true to the object's newest state, changed at `step`."""
        thing, arena = self.things[address], self.arena_of[address]
        if self.states[address].last.state == thing.idle:
            self.lively.get(arena, {}).pop(address, None)
            self.stilled.setdefault(arena, {})[address] = thing
        else:
            self.lively.setdefault(arena, {})[address] = thing
