"""What a user asks of the town from the window: an event, an object's state, an inner voice. Written beside the engine.

    Deed(kind, target, text)    what was typed where; kinds as in the table `interventions`
    wish_of(run, deed)          the same, checked
    Meddling(source)            .ask(deed) -> what to say at once    .message(seconds) -> what has come of it, later

Wishes are written by one thread, in the order of asking, since the file may be busy; the window never waits.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from queue import SimpleQueue

from kernel import RunFileError, UsageError, clock_face
from simulation.interventions import Wish, ask_for, wish_event, wish_object, wish_voice
from simulation.storing.runfile import RunFile
from viewer.source import Source
from viewer.wording import say

LISTEN = 0.3
"""Seconds between two looks at what has come of a wish."""
_WISHES: dict[str, Callable[[RunFile, str, str], Wish]] = {
    "event": lambda run, target, text: wish_event(run, text, target),
    "object": wish_object,
    "voice": wish_voice,
}
DEEDS = tuple(_WISHES)


@dataclass(frozen=True, slots=True)
class Deed:
    """Something to be done to `target`, an address or a name."""

    kind: str
    target: str
    text: str


def wish_of(run: RunFile, deed: Deed) -> Wish:
    """The wish a deed is. Raises UsageError, RunFileError."""
    return _WISHES[deed.kind](run, deed.target, deed.text)


@dataclass(slots=True)
class _Asked:
    wish: Wish
    quiet: bool
    number: int | None = None
    step: int | None = None
    trouble: str = ""
    written: threading.Event = field(default_factory=threading.Event)


class Meddling:
    """The wishes of one window."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._asked: list[_Asked] = []
        self._letters: SimpleQueue[_Asked] = SimpleQueue()
        self._writer: threading.Thread | None = None
        self._since = 0.0

    def trouble(self, deed: Deed) -> str:
        """Why a deed can't be asked for, in a sentence; empty when it can."""
        try:
            wish_of(self._source.run, deed)
        except (UsageError, RunFileError) as error:
            return str(error.what)
        return ""

    def ask(self, deed: Deed) -> str:
        """Asks for something; a sentence for the user."""
        try:
            wish = wish_of(self._source.run, deed)
        except (UsageError, RunFileError) as error:
            return str(error.what)
        self.write(wish)
        return say("meddling", "asked")

    def write(self, wish: Wish, *, quiet: bool = False) -> None:
        """Asks for what is checked already. `quiet`: only what can't be granted is told."""
        asked = _Asked(wish, quiet)
        self._asked.append(asked)
        self._letters.put(asked)
        if self._writer is None:
            self._writer = threading.Thread(target=self._write, daemon=True)
            self._writer.start()

    def _write(self) -> None:
        while True:
            asked = self._letters.get()
            try:
                asked.number = ask_for(self._source.path, asked.wish)
            except RunFileError as error:
                asked.trouble = error.what
            asked.written.set()

    def message(self, seconds: float) -> str | None:
        """What has come of a wish, once; call every frame with the real time that passed."""
        self._since += seconds
        if not self._asked or self._since < LISTEN:
            return None
        self._since = 0.0
        for asked in list(self._asked):
            words = (asked.trouble or self._outcome(asked)) if asked.written.is_set() else ""
            if words:
                self._asked.remove(asked)
                if not asked.quiet or words != self._granted(asked):
                    return words
        return None

    def _outcome(self, asked: _Asked) -> str:
        try:
            found = self._source.run.rows("SELECT step, outcome FROM interventions WHERE id = ?", (asked.number,))
        except RunFileError as error:
            return error.what
        if found and found[0][0] is not None:
            asked.step = found[0][0]
            return self._granted(asked)
        if found and found[0][1]:
            return str(found[0][1])
        return say("meddling", "waits") if self._source.over else ""

    def _granted(self, asked: _Asked) -> str:
        if asked.step is None:
            return ""
        time = clock_face(self._source.clock.minute_of_day(asked.step))
        return say("meddling", "granted", time=time, what=asked.wish.text)
