"""What a frame costs: medians on the dummy driver, with and without panels, at several zooms and hours.

python -m benchmarks.frames RUN [--frames N]
"""

from __future__ import annotations

import os
import statistics
import sys
import time


def main() -> None:
    """Prints a table of milliseconds."""
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    import pygame

    from viewer import Window

    path = sys.argv[1]
    frames = int(sys.argv[sys.argv.index("--frames") + 1]) if "--frames" in sys.argv else 120
    pygame.display.init()
    pygame.font.init()
    screen = pygame.display.set_mode((1280, 720))
    began = time.perf_counter()
    window = Window(path, (1280, 720))
    window.draw(screen)
    print(f"{'window open':44} {(time.perf_counter() - began) * 1000:8.0f} ms")
    opened = time.perf_counter()
    window.source.at(window.source.committed / 2)
    print(f"{'a step never seen before':44} {(time.perf_counter() - opened) * 1000:8.2f} ms")

    def measure(name: str) -> None:
        for _ in range(20):
            window.advance(1 / 60)
            window.draw(screen, 1 / 60)
        times = []
        for _ in range(frames):
            start = time.thread_time()  # of this thread alone: what else the machine does isn't a frame's cost
            window.advance(1 / 60)
            window.draw(screen, 1 / 60)
            times.append((time.thread_time() - start) * 1000)
        times.sort()
        print(f"{name:44} {statistics.median(times):8.2f} ms  (95 %: {times[len(times) * 95 // 100]:.2f})")

    def go(time_of_day: str) -> None:
        window.playback.seek(window.source.clock.step_at(window.source.clock.parse(time_of_day)))
        window.playback.playing = True

    go("12:15")
    window.camera.fit(at_once=True)
    measure("whole town, noon, playing 60x")
    busiest = max(window.source.talks.values(), key=lambda talk: len(talk.lines), default=None)
    x, y = window.source.town.width / 2, window.source.town.height / 2
    window.camera.look(x, y, 1.0, at_once=True)
    measure("zoom 1, noon, playing 60x")
    if busiest is not None:
        window.playback.seek(float(busiest.started + 2))
        tile = window.source.tile(busiest.everybody[0], busiest.started) or (x, y)
        for zoom in (1.0, 2.0, 3.0):
            window.playback.seek(float(busiest.started + 2))
            window.camera.look(*tile, zoom, at_once=True)
            measure(f"zoom {zoom:g} on a conversation, playing 60x")
    go("22:15")
    window.camera.look(x, y, 2.0, at_once=True)
    measure("zoom 2, night, playing 60x")
    go("12:15")
    window.select(window.source.names[0])
    window.follow()
    measure("following at noon with the inspector")
    window.residents()
    measure("and with the list of residents")
    window.panels.open_resident(window.source.names[0], "memory")
    measure("and with memories")


if __name__ == "__main__":
    main()
