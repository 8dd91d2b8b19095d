"""A front: the bodies that take a step together.

    Front     index -> body, in resident order; None is everybody
    bodies    its bodies
    take      what is kept for a front's bodies, taken out

In lock-step there is one front, everybody. When residents run ahead of each other (`ahead`), a front is those near enough
to have to do with each other, and what the world keeps for the next step is kept body by body.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from town.bodies import Body
    from town.world import World

Front = Mapping[int, "Body"] | None
Kept = TypeVar("Kept")


def bodies(world: World, front: Front) -> Iterable[Body]:
    """The bodies of a front, in resident order."""
    return world.bodies if front is None else front.values()


def take(kept: dict[int, Kept], front: Front) -> dict[int, Kept]:
    """Takes what is kept for a front's bodies out of `kept`, in its order."""
    if front is None:
        taken = dict(kept)
        kept.clear()
        return taken
    return {index: kept.pop(index) for index in [index for index in kept if index in front]}
