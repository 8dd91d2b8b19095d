"""Questions from the window to a resident at the shown step; they leave no trace in the run.

    Interviewing(source)    .ask(name, text, step) -> a sentence, if it can't be asked
                            .compare(on)           the same questions under all ablation conditions, or not
                            .of(name)              what was asked of somebody, newest first
                            .version()             changes when there is something new to show

Asked in a thread (`simulation.interview_desk`): a frame never waits. Questions to one resident at one step are one
dialogue, so that a second one can follow up on the first; at another step it is another interview.
"""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import dataclass

from kernel import TownfolkError
from simulation.interview import Comparison, Interview, Turn
from simulation.interview_desk import Desk
from viewer.source import Source
from viewer.wording import say

KEPT = 12
"""Questions kept for each resident."""


@dataclass
class Asked:
    """A question, and the answer when it is there; `side_by_side` once it was asked under all conditions."""

    name: str
    step: int
    text: str
    dialogue: tuple[Turn, ...]
    answer: Future[Interview]
    side_by_side: Future[Comparison] | None = None

    def trouble(self) -> str:
        """Why there is no answer, in a sentence; empty while there may be one."""
        for future in (self.answer, self.side_by_side):
            if future is not None and future.done():
                error = None if future.cancelled() else future.exception()
                if error is not None:
                    return error.sentence() if isinstance(error, TownfolkError) else say("interview", "failed", what=error)
        return ""


class Interviewing:
    """The interviews of one window."""

    def __init__(self, source: Source) -> None:
        self._desk = Desk(source.path)
        self._asked: dict[str, list[Asked]] = {}
        self.comparing = False

    def ask(self, name: str, text: str, step: int) -> str:
        """Asks; an empty sentence when all is well."""
        if not text.strip():
            return say("interview", "empty")
        earlier = self._asked.setdefault(name, [])
        turns = tuple(
            Turn(asked.text, asked.answer.result().answer)
            for asked in reversed(earlier)
            if asked.step == step and asked.answer.done() and not asked.trouble()
        )
        asked = Asked(name, step, text.strip(), turns, self._desk.ask(name, text, step, dialogue=turns))
        earlier.insert(0, asked)
        del earlier[KEPT:]
        if self.comparing:
            self._compare(asked)
        return ""

    def compare(self, name: str, on: bool) -> None:
        """Shows answers side by side, or not; what hasn't been asked under all conditions yet is asked now."""
        self.comparing = on
        for asked in self._asked.get(name, ()) if on else ():
            self._compare(asked)

    def _compare(self, asked: Asked) -> None:
        if asked.side_by_side is None:
            asked.side_by_side = self._desk.compare(asked.name, asked.text, asked.step, dialogue=asked.dialogue)

    def of(self, name: str) -> list[Asked]:
        """What was asked of somebody."""
        return self._asked.get(name, [])

    def version(self, name: str) -> tuple[object, ...]:
        """Equal as long as there is nothing new to show."""
        return (
            self.comparing,
            tuple((asked.answer.done(), asked.side_by_side is not None and asked.side_by_side.done()) for asked in self.of(name)),
        )

    def close(self) -> None:
        """Waits for nothing."""
        self._desk.close()
