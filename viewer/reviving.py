"""Living a run on from the window: an engine of its own, as `town resume` starts it, that outlives the window.

Reviving(path)    .begin(days)  .running  .message() -> what went wrong, once
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from viewer.wording import say


class Reviving:
    """At most one engine."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._process: subprocess.Popen[bytes] | None = None
        self._said: IO[bytes] | None = None

    def begin(self, days: float | None = None) -> None:
        """Starts it: to the planned end, or for further days."""
        command = [sys.executable, "-P", "-m", "cli.main", "resume", str(self._path.resolve()), "--quiet"]
        command += ["--days", f"{days:g}"] if days is not None else []
        windows = sys.platform == "win32"
        self._said = TemporaryFile()  # noqa: SIM115  (open as long as the engine is)
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self._said,
            start_new_session=not windows,
            creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0) if windows else 0,
        )  # fmt: skip

    @property
    def running(self) -> bool:
        """Whether the engine started here is at work."""
        return self._process is not None and self._process.poll() is None

    def message(self) -> str:
        """Once, when the engine has ended otherwise than it should: its last words."""
        if self._process is None or self._process.poll() is None:
            return ""
        code, said = self._process.returncode, self._said
        self._process = self._said = None
        assert said is not None
        said.seek(0)
        words = said.read().decode("utf-8", "replace").strip().splitlines()
        said.close()
        return say("engine", "ended", what=words[-1] if words else code) if code else ""
