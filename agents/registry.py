"""Minds by name: found through the entry-point group `townfolk.minds`, so that a plug-in needs no change here."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.metadata import entry_points

from agents.mind import Mind, MindInit
from kernel import UsageError, nearest

GROUP = "townfolk.minds"


@cache
def _found() -> dict[str, Callable[[MindInit], Mind]]:
    return {point.name: point.load() for point in sorted(entry_points(group=GROUP), key=lambda p: p.name)}


def mind_kinds() -> tuple[str, ...]:
    """Names of all installed minds, sorted."""
    return tuple(_found())


def make_mind(kind: str, init: MindInit) -> Mind:
    """A fresh mind of an installed kind. Raises UsageError for an unknown kind, naming the nearest."""
    factory = _found().get(kind)
    if factory is None:
        close = nearest(kind, _found())
        hint = f"did you mean '{close}'?" if close else f"installed: {', '.join(_found())}"
        raise UsageError(f"there is no mind '{kind}'", hint=hint)
    return factory(init)
