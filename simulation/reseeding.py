"""Other dice from a step on: the same past, and from there a future as good as any other.

    turns_of(meta)                     [(step, seed)]: from which step on which seed is thrown, in order; the first at 0
    turned(turns, step, seed, ...)     those of a fork at a step, with other dice from there when a seed is given
    seed_at(turns, step)               the seed with which a step is lived
    next_turn(turns, step)             the first later step at which the dice change
    settle(composition, run)           writes the state at such a step down, so that nobody needs the earlier dice again

A fork that differs from its parent in nothing but the dice shows how much of a future is chance: with the same dice it would
be the same future (design rule 1), so repeats of an experiment must differ in them. Kept in `meta.seeds`, absent from a run
that has one seed all its life.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from kernel import dumps
from simulation.storing.runfile import RunFile

if TYPE_CHECKING:
    from simulation.compose import Composition

KEY = "seeds"
Turns = Sequence[tuple[int, int]]


def turns_of(meta: Mapping[str, str]) -> list[tuple[int, int]]:
    """From a manifest."""
    found = json.loads(meta.get(KEY, "[]"))
    return [(step, seed) for step, seed in found] or [(0, int(meta["seed"]))]


def turned(turns: Turns, step: int, seed: int | None, *, whole: bool = False) -> list[tuple[int, int]]:
    """What a fork at `step` throws: what its parent did until then (all there is to come, if `whole`), then `seed`."""
    kept = [turn for turn in turns if whole or turn[0] <= step]
    if seed is None:
        return kept
    return [*(turn for turn in kept if turn[0] < step), (step, seed)]


def manifest_of(turns: Turns) -> dict[str, str]:
    """The `meta` rows that say so."""
    return {"seed": str(turns[-1][1])} | ({KEY: dumps([list(turn) for turn in turns])} if len(turns) > 1 else {})


def seed_at(turns: Turns, step: int) -> int:
    """The seed with which `step` is lived."""
    return [seed for since, seed in turns if since <= max(step, 0)][-1]


def next_turn(turns: Turns, step: int) -> int | None:
    """The first step after `step` at which other dice are taken."""
    return next((since for since, _ in turns if since > step), None)


def settle(composition: Composition, run: RunFile) -> None:
    """Brings a composition with the earlier dice to the committed step and keeps its state there for good."""
    from simulation.storing.restore import catch_up

    async def go() -> None:
        try:
            await catch_up(composition, run)
            composition.journal.flush(hourly=True)
        finally:
            await composition.gateway.close()

    asyncio.run(go())
