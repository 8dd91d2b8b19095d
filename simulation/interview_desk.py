"""Interviews beside a window: one thread of its own asks, so that nobody waits for a model but who asked.

    Desk(path, model)                  opens the run, read-only, when the first question comes
      .compare(name, question, at)     -> Future[Comparison]: under all ablations, side by side
      .ask(name, question, at, ...)    -> Future[Interview]
      .close()                         calls off what waits; never blocks

A future's `result()` raises what the question raised (UsageError, RunFileError, ModelError); poll `done()` once a frame.
Questions are answered in the order of asking, from a snapshot as of their step: the run, and a viewer's own reading of
it, go on untouched. Nothing is kept in the run file: that is `simulation.storing.interviews.keep`, if the user wants it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TypeVar

from language import LanguageModel
from memory import FULL, Condition
from simulation.interview import Interviewer
from simulation.interviewed import ABLATIONS, Comparison, Interview, Turn
from simulation.storing.runfile import RunFile

T = TypeVar("T")
_Job = tuple["Future[Any]", Callable[[Interviewer], Any]]


class Desk:
    """Asks in a thread. The thread is a daemon: a slow model doesn't keep a closed window's process alive."""

    def __init__(self, path: Path, model: str | LanguageModel | None = None) -> None:
        self.path = path
        self._model = model
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._closed = threading.Event()
        self._thread: threading.Thread | None = None

    def compare(
        self,
        name: str,
        question: str,
        at: str | int | None = None,
        *,
        conditions: Mapping[str, Condition] = ABLATIONS,
        dialogue: Sequence[Turn] = (),
    ) -> Future[Comparison]:
        """As `Interviewer.compare`."""
        return self._hand_in(
            lambda asking: asking.compare(name, question, at=at, conditions=conditions, dialogue=tuple(dialogue))
        )

    def ask(
        self,
        name: str,
        question: str,
        at: str | int | None = None,
        *,
        condition: Condition = FULL,
        dialogue: Sequence[Turn] = (),
    ) -> Future[Interview]:
        """As `Interviewer.ask`."""
        return self._hand_in(lambda asking: asking.ask(name, question, at=at, condition=condition, dialogue=tuple(dialogue)))

    def close(self) -> None:
        """Takes no more questions; those that wait are cancelled."""
        self._closed.set()
        self._jobs.put(None)

    def _hand_in(self, work: Callable[[Interviewer], T]) -> Future[T]:
        future: Future[T] = Future()
        if self._closed.is_set():
            future.cancel()
            return future
        self._jobs.put((future, work))
        if self._thread is None:
            self._thread = threading.Thread(target=self._answer, name="interviews", daemon=True)
            self._thread.start()
        return future

    def _answer(self) -> None:
        run: RunFile | None = None
        asking: Interviewer | None = None
        while (job := self._jobs.get()) is not None:
            future, work = job
            if self._closed.is_set() or not future.set_running_or_notify_cancel():
                future.cancel()
                continue
            try:
                if asking is None:  # here, since a connection belongs to its thread
                    run = RunFile.open(self.path)
                    asking = Interviewer(run, self._model)
                future.set_result(work(asking))
            except BaseException as error:  # noqa: BLE001  (raised again by whoever reads the future)
                future.set_exception(error)
        if run is not None:
            run.close()
