"""What a user asks of the town from the window: an event, an object's state, an inner voice. Written beside the engine.

Meddling(source)    .ask(kind, target, text) -> what to say at once    .message(seconds) -> what has come of it, later

Kinds as in the table `interventions`. A wish is written by a thread, since the file may be busy; the window never waits.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

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


@dataclass(slots=True)
class _Asked:
    wish: Wish
    number: int | None = None
    trouble: str = ""
    written: threading.Event = field(default_factory=threading.Event)


class Meddling:
    """The wishes of one window."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._asked: list[_Asked] = []
        self._since = 0.0

    def ask(self, kind: str, target: str, text: str) -> str:
        """Asks for something; a sentence for the user."""
        try:
            wish = _WISHES[kind](self._source.run, target, text)
        except (UsageError, RunFileError) as error:
            return str(error.what)
        asked = _Asked(wish)
        self._asked.append(asked)
        threading.Thread(target=self._write, args=(asked,), daemon=True).start()
        return say("meddling", "asked")

    def _write(self, asked: _Asked) -> None:
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
        for asked in self._asked:
            if asked.written.is_set():
                words = asked.trouble or self._outcome(asked)
                if words:
                    self._asked.remove(asked)
                    return words
        return None

    def _outcome(self, asked: _Asked) -> str:
        try:
            found = self._source.run.rows("SELECT step, outcome FROM interventions WHERE id = ?", (asked.number,))
        except RunFileError as error:
            return error.what
        if found and found[0][0] is not None:
            return say(
                "meddling", "granted", time=clock_face(self._source.clock.minute_of_day(found[0][0])), what=asked.wish.text
            )
        if found and found[0][1]:
            return str(found[0][1])
        return say("meddling", "waits") if self._source.over else ""
