"""An interview with follow-up questions: each question sees those before it, all as of one moment, memory untouched.

    Dialogue(interviewer, name, step, condition)
      .ask(question)            -> Interview, or None for a line without words
      .opening(), .prompt()     words for a terminal
    ask_arguments(...)          what `town ask [RUN] NAME [QUESTION]` means

The dialogue isn't remembered by anybody but itself: the resident's memory is that of the step, and what was said before
in the interview is given to the mind beside the question (`agents.mind.Mind.answer`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from kernel import UsageError
from memory import FULL, Condition
from simulation.interventions import tidy
from simulation.interview import Interviewer
from simulation.interviewed import Interview, Turn, hidden_words
from simulation.storing.library import RUNS, SUFFIX, choose
from simulation.wording import phrase

TURNS = 12
"""How many of the latest turns a question sees."""


class Dialogue:
    """Questions to one resident (any part of a name) as of one step. Raises UsageError for a name that isn't there."""

    def __init__(self, asking: Interviewer, name: str, step: int, condition: Condition = FULL) -> None:
        self.who = choose(tidy(name, 60), asking.names)
        self.step = step
        self.condition = condition
        self.turns: list[Turn] = []
        self._asking = asking

    def ask(self, question: str) -> Interview | None:
        """The answer to the next question; None when nothing is left of it (control characters alone). Raises ModelError."""
        if not tidy(question):
            return None
        told = self._asking.ask(self.who, question, at=self.step, condition=self.condition, dialogue=self.turns[-TURNS:])
        self.turns.append(Turn(told.question, told.answer))
        return told

    def opening(self) -> Iterator[str]:
        """What a terminal shows before the first question."""
        hidden = hidden_words(self.condition)
        yield phrase("ask", "title", name=self.who, time=self._asking.time_of(self.step), hidden=hidden)
        yield phrase("ask", "dialogue")

    def prompt(self) -> str:
        """What stands before the line in which a question is typed."""
        return phrase("ask", "prompt")


def ask_arguments(
    first: str | None, second: str | None, third: str | None, folder: Path = RUNS
) -> tuple[str | None, str, str | None]:
    """`[RUN] NAME [QUESTION]` -> (run, name, question); without a question it is to be a dialogue. Raises UsageError."""
    given = [word for word in (first, second, third) if word is not None]
    run = given.pop(0) if len(given) == 3 or (given and _is_run(given[0], folder)) else None
    if not given:
        raise UsageError("missing: whom to ask", hint="town ask [RUN] NAME [QUESTION]")
    return run, given[0], given[1] if len(given) > 1 else None


def _is_run(word: str, folder: Path) -> bool:
    path = Path(word)
    return path.suffix == SUFFIX or path.is_file() or (folder / f"{word}{SUFFIX}").is_file()
