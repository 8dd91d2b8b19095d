"""Makes the pictures of the README and the documentation: real moments of real runs, found by looking, nothing by hand.

    python docs/make_pictures.py RUN [NAME ...]        (`make pictures` calls it; with names, only those pictures)

RUN is a run of the default scenario. What has to be done to a town (a fire, a visitor) is done to forks of it, which live on
for a while; RUN itself is only read.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from viewer import Source, Subject, Window, save_shot

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
SIZE = (1280, 720)
CAFE, STOVE = "Hobbs Cafe", "The Ville : Hobbs Cafe : cafe : cooking area"
HOST = "Isabella Rodriguez"
VISITOR, LOOK = "Robin Vale", "a stranger with a straw hat and a green jacket"
FIRST = "2023-02-13"


def town(*words: str) -> str:
    """What `town WORDS` prints."""
    env = {**os.environ, "COLUMNS": "110", "NO_COLOR": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "cli.main", *words], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise SystemExit(f"town {' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def step_of(source: Source, time: str) -> int:
    """A time of the first day as a step."""
    return source.clock.step_at(source.clock.parse(f"{FIRST} {time}"))


def shot(source: Source, step: float, name: str, **subject: object) -> None:
    """One picture of the town."""
    save_shot(source, step, PICTURES / f"{name}.png", SIZE, Subject(**subject))  # type: ignore[arg-type]


def busiest(source: Source, place: str, spans: list[range]) -> float:
    """The step at which most people are at a place and most is said there, in view of a still picture."""
    rooms = {arena.address for arena in source.town.arenas() if place in arena.address}

    def worth(step: int) -> int:
        whole = source.at(step)
        there = {
            name
            for name, body in whole.bodies.items()
            if getattr(source.town.arena_of_tile.get(body.tile), "address", "") in rooms
        }
        talking = [talk for talk in whole.talks if talk.said(step) and talk.said(step)[-1].speaker in there]
        return len(there) + 3 * len(talking)

    return float(max((step for span in spans for step in span), key=worth))


# ---------------------------------------------------------------------- the pictures


def noon(run: str) -> None:
    """The whole town at noon."""
    source = Source(run)
    shot(source, step_of(source, "12:20"), "noon")


def cafe(run: str) -> None:
    """The cafe close up, while its guests talk."""
    source = Source(run)
    span = range(step_of(source, "09:00"), min(step_of(source, "20:00"), source.committed), 2)
    shot(source, busiest(source, CAFE, [span]), "cafe", place=CAFE, zoom=3.0)


def gathering(run: str) -> None:
    """The gathering of the second day."""
    source = Source(run)
    spans = [range(start, min(end, source.committed), 3) for start, end in source.gatherings() if start < source.committed]
    shot(source, busiest(source, CAFE, spans), "gathering", place=CAFE, zoom=3.0)


def night(run: str) -> None:
    """The night."""
    source = Source(run)
    shot(source, step_of(source, "22:10"), "night")


def classroom(run: str) -> None:
    """A lecture."""
    source = Source(run)
    lessons = range(step_of(source, "09:00"), step_of(source, "17:00"), 30)
    deeds = {step: [body.deed.icon for body in source.at(step).bodies.values() if body.deed] for step in lessons}
    step = max(lessons, key=lambda step: deeds[step].count("class"))
    shot(source, float(step), "college", place="Oak Hill College", zoom=2.0)


def _window(run: str, step: float) -> Window:
    pygame.display.init()
    pygame.font.init()
    if pygame.display.get_surface() is None:
        pygame.display.set_mode(SIZE)
    window = Window(run, SIZE, at=step)
    window.playback.playing = False
    window.mapping = False
    return window


def _save(window: Window, name: str) -> None:
    surface = pygame.Surface(SIZE)
    for _ in range(90):  # the camera arrives, panels settle
        window.advance(1 / 30)
        window.draw(surface, 1 / 30)
    pygame.image.save(surface, str(PICTURES / f"{name}.png"))
    window.close()


def inspector(run: str) -> None:
    """The inspector, and why somebody said what they are saying."""
    source = Source(run)
    told = [line for line in source.said if line.facts and CAFE in source.talks[line.talk].place]
    line = max(told, key=lambda line: len(source.talks[line.talk].lines))
    window = _window(run, float(line.step + 1))
    window.select(line.speaker)
    window.follow()
    _save(window, "inspector")
    window = _window(run, float(line.step + 1))
    window.select(line.speaker)
    window.follow()
    window.panels.open_why(f"words:{line.id}")
    _save(window, "why")


def news(run: str) -> None:
    """Who knows what, and from whom."""
    source = Source(run)
    window = _window(
        run, float(source.committed - 1) if source.committed < step_of(source, "20:00") else step_of(source, "20:00")
    )
    fact = max(source.news.facts, key=lambda fact: len(source.news.chain(fact, source.committed)))
    window.panels.open_news(fact)
    _save(window, "news-panel")


def burning(run: str) -> None:
    """The stove of the cafe on fire."""
    with tempfile.TemporaryDirectory() as folder:
        fork = str(Path(folder) / "fire.town")
        source = Source(run)
        begun = step_of(source, "12:20")
        town("fork", run, "--at", f"{FIRST} 12:20", "--out", fork)
        town("set", fork, STOVE, "burning")
        town("resume", fork, "--until", f"{FIRST} 12:32", "--quiet")
        after = Source(fork)
        steps = range(begun + 2, after.committed)
        step = max(steps, key=lambda step: len(after.at(step).talks))
        shot(after, float(step), "burning", place=CAFE, zoom=3.0)


def visitor(run: str) -> None:
    """Somebody comes in, speaks to a resident, and is answered."""
    with tempfile.TemporaryDirectory() as folder:
        fork = str(Path(folder) / "visit.town")
        town("fork", run, "--at", f"{FIRST} 12:20", "--out", fork)
        town("say", fork, HOST, "Hello! I am new in town. What is there to see here?", "--as", VISITOR, "--look", LOOK)
        town("resume", fork, "--until", f"{FIRST} 12:30", "--quiet")
        after = Source(fork)
        lines = [line for line in after.said if VISITOR in (line.speaker, *line.to)]
        answer = next((line for line in lines if line.speaker != VISITOR), lines[0])
        shot(after, float(answer.step + 1), "visitor", follow=HOST, zoom=3.0)


ALL: dict[str, Callable[[str], None]] = {
    "noon": noon,
    "cafe": cafe,
    "gathering": gathering,
    "night": night,
    "college": classroom,
    "inspector": inspector,
    "news": news,
    "burning": burning,
    "visitor": visitor,
}


def main() -> None:
    """The pictures named, or all."""
    PICTURES.mkdir(exist_ok=True)
    for name in sys.argv[2:] or ALL:
        ALL[name](sys.argv[1])
        sys.stdout.write(f"{name}\n")


if __name__ == "__main__":
    main()
