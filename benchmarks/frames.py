"""What a frame costs: medians on the dummy driver, with and without panels, at several zooms and hours; a crowd; jumps.

python -m benchmarks.frames RUN [--frames N] [--residents N]

Frames are counted in processor time of the drawing thread: what else the machine does isn't their cost. `--residents 500`
fills the town with doubles of its people, each a few minutes behind the one before, with looks and names of their own.
Jumps are timed from asking for a step to having its picture, far apart from one another, each never seen before.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pygame

    from viewer import Window

SIZE = (1280, 720)
APART = 40
"""Steps between a resident and the next double."""
JUMPS = 60


def main() -> None:
    """Prints tables of milliseconds."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    import pygame

    path, frames = sys.argv[1], _option("--frames", 120)
    pygame.display.init()
    pygame.font.init()
    screen = pygame.display.set_mode(SIZE)
    _opening(path)
    window = _window(path, screen)
    _scenes(Meter(window, screen, frames))
    _jumps(window, screen)
    window.close()
    crowd = _option("--residents", 500)
    if crowd > len(window.source.names):
        _crowd(path, screen, frames, crowd)


def _option(name: str, default: int) -> int:
    return int(sys.argv[sys.argv.index(name) + 1]) if name in sys.argv else default


class Meter:
    """Times a window's frames."""

    def __init__(self, window: Window, screen: pygame.Surface, frames: int) -> None:
        self.window, self.screen, self.frames = window, screen, frames

    def __call__(self, name: str) -> None:
        """Draws frames and prints their median."""
        for _ in range(20):
            self._frame()
        times = sorted(_spent(self._frame) for _ in range(self.frames))
        print(f"{name:52} {statistics.median(times):8.2f} ms  (95 %: {times[len(times) * 95 // 100]:.2f})", flush=True)

    def go(self, time_of_day: str) -> None:
        """To an hour of the first day, playing."""
        clock = self.window.source.clock
        self.window.playback.seek(clock.step_at(clock.parse(time_of_day)))
        self.window.playback.playing = True

    def _frame(self) -> None:
        self.window.advance(1 / 60)
        self.window.draw(self.screen, 1 / 60)


def _spent(work: Callable[[], object]) -> float:
    start = time.thread_time()
    work()
    return (time.thread_time() - start) * 1000


def _opening(path: str) -> None:
    from viewer import Source

    def once() -> None:
        source = Source(path)
        source.at(source.committed / 2 + 0.5)
        source.close()

    once()
    print(f"{'a run file opened, to the first step of it':52} {statistics.median(_spent(once) for _ in range(5)):8.2f} ms")


def _window(path: str, screen: pygame.Surface) -> Window:
    from viewer import Window

    began = time.thread_time()
    window = Window(path, SIZE)
    window.draw(screen)
    print(f"{'window open, all of its town painted':52} {(time.thread_time() - began) * 1000:8.0f} ms")
    return window


def _scenes(measure: Meter) -> None:
    window = measure.window
    x, y = window.source.town.width / 2, window.source.town.height / 2
    measure.go("12:15")
    window.camera.fit(at_once=True)
    measure("whole town, noon, playing 60x")
    window.camera.look(x, y, 1.0, at_once=True)
    measure("zoom 1, noon, playing 60x")
    busiest = max(window.source.talks.values(), key=lambda talk: len(talk.lines), default=None)
    if busiest is not None:
        tile = window.source.tile(busiest.everybody[0], busiest.started) or (x, y)
        for zoom in (1.0, 2.0, 3.0):
            window.playback.seek(float(busiest.started + 2))
            window.camera.look(tile[0], tile[1], zoom, at_once=True)
            measure(f"zoom {zoom:g} on a conversation, playing 60x")
    measure.go("22:15")
    window.camera.look(x, y, 2.0, at_once=True)
    measure("zoom 2, night, playing 60x")
    measure.go("12:15")
    window.select(window.source.names[0])
    window.follow()
    measure("following at noon with the inspector")
    window.residents()
    measure("and with the list of residents")
    window.panels.open_resident(window.source.names[0], "memory")
    measure("and with memories")


def _jumps(window: Window, screen: pygame.Surface) -> None:
    """In a window as it is after `_scenes`, inspector and list open, and then without them."""
    while window.panels.close():
        pass
    window.camera.fit(at_once=True)
    _jump(window, screen, "a jump to any step, whole town", 7919)
    window.camera.look(window.source.town.width / 2, window.source.town.height / 2, 2.0, at_once=True)
    _jump(window, screen, "a jump to any step, zoom 2", 6007)
    window.select(window.source.names[0])
    _jump(window, screen, "a jump to any step, with the inspector", 4001)


def _jump(window: Window, screen: pygame.Surface, name: str, stride: int) -> None:
    def jump(step: int) -> None:
        window.playback.seek(float(step))
        window.advance(0.0)
        window.draw(screen, 0.0)

    steps = [number * stride % max(1, window.source.committed) for number in range(1, JUMPS + 1)]
    times = sorted(_spent(lambda step=step: jump(step)) for step in steps)  # type: ignore[misc]
    print(f"{name:52} {statistics.median(times):8.2f} ms  (the longest: {times[-1]:.2f})", flush=True)


def _crowd(path: str, screen: pygame.Surface, frames: int, count: int) -> None:
    import viewer.window
    from viewer.snapshot import Deed
    from viewer.source import Source
    from viewer.tracks import Since, Walk

    class Crowded(Source):
        """A run with doubles of its people, who are read as everybody is."""

        def __init__(self, path: Path | str) -> None:
            super().__init__(path)
            doubles = [(name, n) for n in range(1, -(-count // len(self.names))) for name in self.names]
            for name, n in doubles[: count - len(self.names)]:
                self._double(name, f"{name} {n}", n * APART)
            self.names = (*self.names, *(f"{name} {n}" for name, n in doubles[: count - len(self.names)]))
            self._moments.clear()

        def _double(self, name: str, double: str, behind: int) -> None:
            walk, deeds = Walk(), Since[Deed]()
            segments = self._walks[name]._segments
            for number, (step, (x, y, way)) in enumerate(zip(segments.steps, segments.values, strict=True)):
                if number == 0:
                    walk.add(step, x, y, "")
                walk.add(step + behind, x, y, way)
            for number, (step, deed) in enumerate(zip(self._deeds[name].steps, self._deeds[name].values, strict=True)):
                found = replace(deed, id=f"{double}/{number}", step=step + behind, until=deed.until + behind)
                deeds.add(step if number == 0 else step + behind, found)
                if deed.id in self._ends:
                    self._ends[found.id] = self._ends[deed.id] + behind
            self._walks[double], self._deeds[double] = walk, deeds

    vars(viewer.window)["Source"] = Crowded
    window = viewer.window.Window(path, SIZE, at=0.0)
    vars(viewer.window)["Source"] = Source
    print(f"\n{len(window.source.at(0.0).bodies)} residents")
    measure = Meter(window, screen, frames)
    x, y = window.source.town.width / 2, window.source.town.height / 2
    for hour in ("12:15", "22:15"):
        for zoom in (0.0, 1.0, 2.0):
            measure.go(hour)
            if zoom:
                window.camera.look(x, y, zoom, at_once=True)
            else:
                window.camera.fit(at_once=True)
            measure(f"{f'zoom {zoom:g}' if zoom else 'whole town'}, {hour}, playing 60x")


if __name__ == "__main__":
    main()
