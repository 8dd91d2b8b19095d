"""Whole-trajectory ablations: a life lived without a part of the mind (after Park et al. 2023, section 6, but lived).

    living_without(blueprint, kinds)   "reflection", "plan" or both, joined by commas -> Blueprint

Interviews hide kinds of memory of a life that was lived with a whole mind; here nothing is hidden, but it was never made: a town
whose residents don't reflect has other plans, talks and memories from the first evening on. Another experiment, and the run is
its unit.
"""

from __future__ import annotations

from kernel import UsageError, nearest
from simulation.compose import Blueprint, with_settings

SWITCHES = {"reflection": "reflect", "plan": "plan"}
"""Kinds of memory a mind can live without making, and the setting that switches each off."""


def living_without(blueprint: Blueprint, kinds: str) -> Blueprint:
    """The same run without them ("": as it is). Raises UsageError for a kind nobody can live without."""
    wanted = [word.strip().casefold().removesuffix("s") for word in kinds.split(",") if word.strip()]
    for kind in wanted:
        if kind not in SWITCHES:
            close = nearest(kind, SWITCHES)
            hint = f"did you mean {close}?" if close else f"one can live without {' or '.join(SWITCHES)}"
            raise UsageError(f"nobody can live without '{kind}'", hint=hint)
    return with_settings(blueprint, **{SWITCHES[kind]: False for kind in wanted})
