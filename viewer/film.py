"""Pictures and films of a run, without a display.

save_shot(source, ...)    writes one picture
save_film(source, ...)    writes a GIF (Pillow) or an MP4 (imageio-ffmpeg), following somebody or the director
Subject                   what to look at: a resident, a place, what is worth seeing, or the whole town
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pygame

from kernel import UsageError
from simulation.storing.library import choose
from town.tree import leaf
from viewer.art import load_atlas
from viewer.camera import Camera
from viewer.caption import Caption
from viewer.director import Director, place_name
from viewer.fonts import Fonts
from viewer.scene import Scene
from viewer.snapshot import Snapshot
from viewer.source import Source
from viewer.wording import say

FRAMES = {".gif": 12, ".mp4": 24}
"""Frames a second of a film, where nothing else is asked for: a GIF holds every changed pixel of each."""
COLOURS = 128
"""Of a GIF: twenty seconds at 640 x 360 with a moving camera come to about four megabytes."""
PALETTE = 4
HEIGHT = 720
"""Height of a window for which text sizes are given."""
Report = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Subject:
    """What to look at; with nothing given, the whole town. `zoom` None: what suits it."""

    follow: str | None = None
    place: str | None = None
    direct: bool = False
    zoom: float | None = None
    centre: tuple[float, float] | None = None


def headless() -> None:
    """Drawing without a display: no window opens, no sound device is needed."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    if not pygame.display.get_init():
        os.environ["SDL_VIDEODRIVER"] = "dummy"
        os.environ["SDL_AUDIODRIVER"] = "dummy"
        pygame.display.init()
    if pygame.display.get_surface() is None:
        pygame.display.set_mode((1, 1))


def text_scale(size: tuple[int, int]) -> float:
    """How much larger than at 1280 x 720 words are."""
    return max(1.0, min(2.5, size[1] / HEIGHT * 0.9 + 0.1))


class Studio:
    """A scene and a camera that looks at a subject."""

    def __init__(self, source: Source, size: tuple[int, int], subject: Subject) -> None:
        headless()
        self.source, self.size = source, size
        self.surface = pygame.Surface(size)
        self.scene = Scene(source, load_atlas(), Fonts(text_scale(size)))
        self.camera = Camera(source.town.width, source.town.height, size)
        self.subject = self._resolved(subject)
        self._director = Director(source) if subject.direct else None
        self._caption = Caption(source, self.scene.fonts)
        self._fresh = True

    def frame(
        self, step: float, *, seconds: float = 0.0, pace: float = 0.0, passed: float = 0.0, clock: bool = False
    ) -> pygame.Surface:
        """The picture at a step. `passed` is real time since the last frame; the surface is reused by the next frame."""
        snapshot = self.source.at(step)
        self._aim(step, passed)
        view = self.camera.view()
        follow = self.subject.follow
        self.scene.draw(self.surface, snapshot, view, seconds=seconds, pace=pace, important=(follow,) if follow else ())
        if clock:
            self._caption.draw(self.surface, step, self._words(snapshot))
        self._fresh = False
        return self.surface

    def _words(self, snapshot: Snapshot) -> str:
        """What is seen: as the director says, who is followed and what they do, or the place."""
        subject = self.subject
        if self._director is not None:
            return self._director.caption
        if subject.follow is not None:
            body = snapshot.bodies.get(subject.follow)
            act = body.deed.text if body is not None and body.deed is not None else ""
            return say("film", "follow" if act else "alone", who=subject.follow, act=act)
        if subject.place is not None:
            return leaf(subject.place)
        if subject.centre is not None:
            arena = self.source.town.arena_of_tile.get((round(subject.centre[0]), round(subject.centre[1])))
            return place_name(arena.address) if arena is not None else ""
        return ""

    def _aim(self, step: float, passed: float) -> None:
        subject, camera = self.subject, self.camera
        if subject.follow is not None:
            body = self.source.at(step).bodies.get(subject.follow)
            if body is not None:
                camera.look(body.x, body.y - 0.5, subject.zoom or camera.suited(3.0), at_once=self._fresh)
            elif self._fresh:  # somebody who is yet to come
                camera.fit(at_once=True)
        elif self._director is not None:
            self._director.direct(camera, step, passed, at_once=self._fresh, zoom=subject.zoom)
        elif self._fresh and subject.centre is not None:
            camera.look(subject.centre[0] - 0.5, subject.centre[1] - 0.5, subject.zoom or 2.0, at_once=True)
        elif self._fresh and subject.place is not None:
            self._look_at_place(subject.place, subject.zoom)
        elif self._fresh:
            camera.fit(at_once=True)
            if subject.zoom is not None:
                camera.look(self.source.town.width / 2, self.source.town.height / 2, subject.zoom, at_once=True)
        camera.advance(passed)

    def _look_at_place(self, address: str, zoom: float | None) -> None:
        left, top, right, bottom = bounds(self.source, address)
        if zoom is None:
            room = min(self.size[0] / ((right - left + 3) * 16), self.size[1] / ((bottom - top + 4) * 16))
            zoom = next((stop for stop in (4.0, 3.0, 2.0, 1.0, 0.7, 0.5, 0.35) if stop <= room), 0.25)
        self.camera.look((left + right - 1) / 2, (top + bottom - 2) / 2, zoom, at_once=True)

    def _resolved(self, subject: Subject) -> Subject:
        """With whole names and addresses. Raises UsageError for unknown ones."""
        follow = choose(subject.follow, self.source.everybody) if subject.follow is not None else None
        place = None
        if subject.place is not None:
            place = self._place(subject.place)
        return Subject(follow, place, subject.direct, subject.zoom, subject.centre)

    def _place(self, part: str) -> str:
        """The address meant by any part of one: of a building if that will do, else of a room or a thing."""
        known = self.source.town.by_address
        buildings = {leaf(sector.address): sector.address for sector in self.source.town.sectors}
        if part in known:
            return part
        try:
            return buildings[choose(part, buildings, "place")]
        except UsageError:
            if any(part.casefold() in name.casefold() for name in buildings):
                raise
        inside = {address.partition(" : ")[2]: address for address in known}
        return inside[choose(part, inside, "place")]


def bounds(source: Source, address: str) -> tuple[int, int, int, int]:
    """(left, top, right, bottom) of a place in tiles, right and bottom exclusive."""
    node = source.town.by_address[address]
    arenas = getattr(node, "arenas", None)
    tiles = [tile for arena in arenas for tile in arena.tiles] if arenas is not None else list(node.tiles)  # type: ignore[union-attr]
    return min(x for x, _ in tiles), min(y for _, y in tiles), max(x for x, _ in tiles) + 1, max(y for _, y in tiles) + 1


def save_shot(
    source: Source, step: float, out: Path, size: tuple[int, int] = (1280, 720), subject: Subject | None = None
) -> None:
    """Writes one picture. Raises UsageError."""
    if out.suffix.lower() != ".png":
        raise UsageError(f"pictures are written as .png, not as '{out.suffix}'", hint="name the file so with --out")
    studio = Studio(source, size, subject or Subject())
    if studio.subject.follow is not None:
        source.require(studio.subject.follow, step, step)
    picture = studio.frame(step)
    out.parent.mkdir(parents=True, exist_ok=True)
    try:
        pygame.image.save(picture, str(out))
    except pygame.error as error:
        raise UsageError(f"the picture can't be written: {error}", hint="choose another --out") from None


def save_film(
    source: Source, start: int, end: int, out: Path, *, size: tuple[int, int] = (640, 360), subject: Subject | None = None,
    pace: float = 60.0, frames: int | None = None, colours: int = COLOURS, report: Report | None = None,
) -> float:  # fmt: skip
    """Writes a film of steps [start, end] at `pace` game seconds a second; how many seconds it lasts. `colours`: of a GIF.

    Raises UsageError.
    """
    if end <= start:
        raise UsageError("the film would have no length", hint="--to must be after --from")
    write = _WRITERS.get(out.suffix.lower())
    if write is None:
        raise UsageError(f"films are written as .gif or .mp4, not as '{out.suffix}'", hint="name the file so with --out")
    frames = frames or FRAMES[out.suffix.lower()]
    studio = Studio(source, size, subject or Subject(direct=True))
    if studio.subject.follow is not None:
        source.require(studio.subject.follow, start, end)
    count = max(1, round((end - start) * source.clock.step_seconds / pace * frames))
    out.parent.mkdir(parents=True, exist_ok=True)

    def pictures() -> Iterator[pygame.Surface]:
        for number in range(count):
            step = start + (end - start) * number / count
            yield studio.frame(step, seconds=number / frames, pace=pace, passed=1 / frames, clock=True)
            if report is not None:
                report(number + 1, count)

    write(out, pictures(), size, frames, colours)
    return count / frames


def write_gif(out: Path, pictures: Iterator[pygame.Surface], size: tuple[int, int], frames: int, colours: int = COLOURS) -> None:
    """A GIF. A palette is kept for PALETTE seconds, so that nothing flickers and equal parts cost nothing, and then made anew:
    the light changes with the hour."""
    from PIL import Image

    images: list[Any] = []
    palette: Any = None
    for number, picture in enumerate(pictures):
        image = Image.frombytes("RGB", size, pygame.image.tobytes(picture, "RGB"))
        if number % (PALETTE * frames) == 0:
            palette = image.quantize(colours, method=Image.Quantize.MEDIANCUT)
        images.append(image.quantize(palette=palette, dither=Image.Dither.NONE))
    images[0].save(out, save_all=True, append_images=images[1:], duration=round(1000 / frames), loop=0, optimize=False)


def write_mp4(out: Path, pictures: Iterator[pygame.Surface], size: tuple[int, int], frames: int, colours: int = COLOURS) -> None:
    """An MP4 (H.264) of all colours. Raises UsageError when imageio-ffmpeg isn't installed."""
    try:
        import imageio_ffmpeg  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError:
        raise UsageError(
            "MP4 files need imageio-ffmpeg, which isn't installed", hint='pip install "townfolk[film]", or write a .gif'
        ) from None
    writer = imageio_ffmpeg.write_frames(str(out), size, fps=frames, quality=7, macro_block_size=2)
    writer.send(None)
    for picture in pictures:
        writer.send(pygame.image.tobytes(picture, "RGB"))
    writer.close()


_WRITERS = {".gif": write_gif, ".mp4": write_mp4}
