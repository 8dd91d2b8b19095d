"""The one error tree.

    TownfolkError                 anything Townfolk can explain; the command line exits with `exit_code`
    +-- UserMistake               exit 2: something the user gave is wrong
    |   +-- DataFileError         a map, persona, scenario or wording file: file, line, place, hint
    |   +-- UsageError            an argument or a name on the command line
    |   +-- RunFileError          a run file that is missing, damaged, newer, or does not fit
    +-- ModelError                exit 3: a language model could not be used at all
    |   +-- ReplyInvalid          one answer that does not fit its operation (repaired, retried, then fallen back)
    |   +-- ReplyMissing          a recording holds no reply for an operation
    |   +-- EndpointUnreachable   no connection within the bound; names the endpoint
    +-- BudgetReached             exit 4: a limit stopped the run; it is saved and can be resumed
    +-- ImpossibleAct             a mind proposed something the world forbids; counted, the resident idles

Every error says in one sentence what is wrong, where, and the way out.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class TownfolkError(Exception):
    """Base of all errors Townfolk raises on purpose.

    `what` is one clear sentence; `place` says where (file:line, address, resident); `hint` is the way out.
    """

    exit_code = 1

    def __init__(self, what: str, *, place: str | None = None, hint: str | None = None) -> None:
        self.what = what
        self.place = place
        self.hint = hint
        super().__init__(self.sentence())

    def sentence(self) -> str:
        """The error as one line: `place: what (hint)`."""
        line = f"{self.place}: {self.what}" if self.place else self.what
        return f"{line} ({self.hint})" if self.hint else line


class UserMistake(TownfolkError):
    """Something the user gave is wrong."""

    exit_code = 2


class DataFileError(UserMistake):
    """A data file is wrong. `file` and `line` (1-based, None if unknown) are kept for tools."""

    def __init__(self, what: str, *, file: str, line: int | None = None, hint: str | None = None) -> None:
        self.file = file
        self.line = line
        super().__init__(what, place=f"{file}:{line}" if line is not None else file, hint=hint)


class UsageError(UserMistake):
    """An argument or a name on the command line is wrong."""


class RunFileError(UserMistake):
    """A run file is missing, damaged, newer than this program, or does not fit what was asked."""


class ModelError(TownfolkError):
    """A language model could not be used."""

    exit_code = 3


class ReplyInvalid(ModelError):
    """One answer that does not fit its operation's reply type."""


class ReplyMissing(ModelError):
    """A recording holds no reply for an operation."""


class EndpointUnreachable(ModelError):
    """No usable answer from a model's endpoint within its bound."""


class BudgetReached(TownfolkError):
    """A limit stopped the run cleanly; it is saved and resumable."""

    exit_code = 4


class ImpossibleAct(TownfolkError):
    """A mind proposed something the world forbids."""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word most like `word`, or None when nothing is close (for hints)."""
    found = difflib.get_close_matches(word.casefold(), {k.casefold(): k for k in known}, n=1, cutoff=0.5)
    if not found:
        return None
    return {k.casefold(): k for k in known}[found[0]]
