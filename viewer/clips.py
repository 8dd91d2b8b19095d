"""F9: the last half minute as a film, made from the run file in another process, so that the window goes on.

Clips(source)     .advance(step, seconds)  .save(camera, follow, pace) -> what to tell  .message() -> what became of it
"""

from __future__ import annotations

import subprocess
import sys
from collections import deque
from importlib.util import find_spec
from pathlib import Path

from viewer.camera import Camera
from viewer.source import Source
from viewer.wording import say

SECONDS = 30.0


class Clips:
    """Remembers what was shown lately."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._shown: deque[tuple[float, float]] = deque()  # (real time, step)
        self._time = 0.0
        self._making: tuple[subprocess.Popen[bytes], Path] | None = None

    def advance(self, step: float, seconds: float) -> None:
        """A frame was shown."""
        self._time += seconds
        if self._shown and step < self._shown[-1][1]:
            self._shown.clear()  # one went back: what was seen before is another story
        self._shown.append((self._time, step))
        while self._shown[0][0] < self._time - SECONDS:
            self._shown.popleft()

    def save(self, camera: Camera, follow: str | None, pace: float) -> str:
        """Begins to make the film; the words to show."""
        first, last = self._shown[0], self._shown[-1]
        start, end = int(first[1]), int(last[1]) + 1
        kind = ".mp4" if find_spec("imageio_ffmpeg") is not None else ".gif"
        count = 1
        while (out := self._source.path.with_name(f"{self._source.path.stem}-clip{count}{kind}")).exists():
            count += 1
        clock = self._source.clock
        arguments = [
            sys.executable, "-m", "cli.main", "film", str(self._source.path), "--from", f"{clock.at(start):%Y-%m-%d %H:%M:%S}",
            "--to", f"{clock.at(end):%Y-%m-%d %H:%M:%S}", "--out", str(out), "--pace",
            f"{max(1.0, (end - start) * clock.step_seconds / max(1.0, last[0] - first[0])):.2f}",
        ]  # fmt: skip
        if follow is not None:
            arguments += ["--follow", follow, "--zoom", f"{camera.goal_zoom:g}"]
        else:
            arguments += ["--centre", f"{camera.x / 16:.1f},{camera.y / 16:.1f}", "--zoom", f"{camera.goal_zoom:g}"]
        self._making = (subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL), out)
        return say("window", "clipping", seconds=round(last[0] - first[0]))

    def message(self) -> str:
        """Once, when a film is ready: where it is."""
        if self._making is None or self._making[0].poll() is None:
            return ""
        (done, out), self._making = self._making, None
        return say("window", "clip", path=out) if done.returncode == 0 else say("window", "no_clip")
