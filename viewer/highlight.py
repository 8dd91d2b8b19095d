"""The most watchable moments of a run as a short film that is small enough to send.

best_scene(source, steps)          where and when the most is said and done that is worth seeing
save_highlight(source, out)        a GIF below `limit` bytes of it; gives the scene
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from kernel import UsageError
from viewer.film import Report, Subject, save_film
from viewer.source import WEIGHTS, Source

SECONDS = 20
PACE = 60.0
LIMIT = 3_000_000
"""Bytes a film may have."""
LINE = 0.1
"""What each line spoken is worth, beside what happens by it."""
ZOOM = 2.0
TRIES = (((640, 360), 10, 128), ((640, 360), 8, 48), ((480, 270), 6, 32))
"""Size, frames a second and colours, until the film is small enough; the last is taken as it comes."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Steps [start, end], and the tile to look at; `place` the building's address."""

    start: int
    end: int
    place: str
    centre: tuple[float, float]


def best_scene(source: Source, steps: int) -> Scene:
    """The building and span in which the most happens; the earliest of equals. Raises UsageError when nobody ever talks."""
    last = source.committed
    worth: dict[str, list[float]] = defaultdict(lambda: [0.0] * (last + 1))
    for step, address, value in _worth(source):
        if 0 <= step < last:
            worth[source.town.sector(address).address][step] += value
    length = min(steps, last)
    best = (0.0, 0, "")
    for place in sorted(worth):
        total = [0.0, *accumulate(worth[place])]
        for start in range(last - length + 1):
            found = round(total[start + length] - total[start], 6)
            if found > best[0]:
                best = (found, start, place)
    if not best[2]:
        raise UsageError("there is nothing to film: nobody has talked yet", hint="let the town live on: town resume")
    _, start, place = best
    return Scene(start, start + length, place, _centre(source, start, start + length, place))


def _worth(source: Source) -> Iterator[tuple[int, str, float]]:
    """(step, address, worth) of everything that has a place."""
    for happening in source.happenings:
        if happening.place in source.town.by_address:
            yield happening.step, str(happening.place), WEIGHTS.get(happening.kind, 0.0)
    for line in source.said:
        if line.talk in source.talks:
            yield line.step, source.talks[line.talk].place, LINE


def _centre(source: Source, start: int, end: int, place: str) -> tuple[float, float]:
    """The middle of those who speak there; of the building when nobody does."""
    tiles = [
        tile
        for line in source.said
        if start <= line.step < end and line.talk in source.talks
        if source.town.sector(source.talks[line.talk].place).address == place
        if (tile := source.tile(line.speaker, line.step)) is not None
    ]
    tiles = tiles or [tile for arena in source.town.sector(place).arenas for tile in arena.tiles]
    return sum(x for x, _ in tiles) / len(tiles), sum(y for _, y in tiles) / len(tiles)


def save_highlight(source: Source, out: Path, *, limit: int = LIMIT, report: Report | None = None) -> Scene:
    """Writes SECONDS of the best scene at one game minute a second, with a camera that stands still: such films are small."""
    scene = best_scene(source, round(SECONDS * PACE / source.clock.step_seconds))
    subject = Subject(centre=scene.centre, zoom=ZOOM)
    for size, frames, colours in TRIES:
        save_film(
            source,
            scene.start,
            scene.end,
            out,
            size=size,
            subject=subject,
            pace=PACE,
            frames=frames,
            colours=colours,
            report=report,
        )
        if out.stat().st_size <= limit:
            break
    return scene
