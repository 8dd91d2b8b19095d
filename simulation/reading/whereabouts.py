"""Where people were, from the `moves` of a run file: exact to the step, walks included.

tile_at(run, resident, step)      the tile a resident stood on
stays(run, resident, start, end)  the stretches somebody spent on each tile between two steps
"""

from __future__ import annotations

from collections.abc import Iterator

from simulation.storing.rows import path_tiles
from simulation.storing.runfile import RunFile
from town.percepts import Tile


def tile_at(run: RunFile, resident: str, step: int) -> Tile | None:
    """The tile a resident stands on as `step` begins, None before the run."""
    rows = run.rows(
        "SELECT step, x, y, path FROM moves WHERE resident = ? AND step <= ? ORDER BY step DESC, n DESC LIMIT 1", (resident, step)
    )
    if not rows:
        return None
    start, x, y, path = rows[0]
    tiles: list[Tile] = path_tiles(x, y, path)
    return tiles[min(int(step) - int(start), len(tiles) - 1)]


def stays(run: RunFile, resident: str, start: int, end: int) -> Iterator[tuple[Tile, int, int]]:
    """(tile, from, to) stretches of a resident between two steps, in order; `to` is exclusive."""
    rows = run.rows("SELECT step, x, y, path FROM moves WHERE resident = ? AND step < ? ORDER BY step, n", (resident, end))
    for number, (step, x, y, path) in enumerate(rows):
        until = rows[number + 1][0] if number + 1 < len(rows) else end
        if until <= start:
            continue
        tiles = path_tiles(x, y, path)
        for offset, tile in enumerate(tiles):
            begin = step + offset
            stop = min(begin + 1, until) if offset + 1 < len(tiles) else until
            if begin < stop and stop > start:
                yield tile, max(begin, start), min(stop, end)
