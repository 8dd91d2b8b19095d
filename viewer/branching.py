"""Another future, from the window: the past up to the shown step in a new run file, with what was asked for done there.

    Branching(source)    .begin(step, deed) -> what to say    .ready() -> Opening, once the file is there    .trouble

The file is made by a thread; the window that waits for it goes on. Nothing of the run it comes from is changed.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from pathlib import Path

from kernel import TownfolkError
from simulation.forking import fork
from simulation.interventions import ask_for
from simulation.storing.runfile import RunFile
from viewer.meddling import Deed, wish_of
from viewer.source import Source
from viewer.wording import say


@dataclass(frozen=True, slots=True)
class Opening:
    """A run to be shown next. `step` None: where it is; `living`: it is to be lived on."""

    path: Path
    step: int | None = None
    living: bool = False


class Branching:
    """The forks of one window."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._made: Opening | None = None
        self._busy = False
        self.trouble = ""

    def begin(self, step: int, deed: Deed | None, *, living: bool) -> str:
        """Forks at a step, and asks there for a deed; the words to show."""
        if self._busy:
            return say("fork", "busy")
        out = self._free_name()
        self._busy = True
        threading.Thread(target=self._make, args=(step, deed, out, living), daemon=True).start()
        return say("fork", "making", path=out.name)

    def _free_name(self) -> Path:
        path, count = self._source.path, 1
        while (out := path.with_name(f"{path.stem}-fork{count}.town")).exists():
            count += 1
        return out

    def _make(self, step: int, deed: Deed | None, out: Path, living: bool) -> None:
        try:
            made = fork(self._source.path, step, out)
            if deed is not None:
                with RunFile.open(out) as run:
                    wish = wish_of(run, deed)
                ask_for(out, wish)
            self._made = Opening(out, made.step, living)
        except TownfolkError as error:
            self.trouble = error.sentence()
        except OSError as error:
            self.trouble = say("fork", "failed", what=error)
        finally:
            self._busy = False

    def ready(self) -> Opening | None:
        """The fork, once."""
        made, self._made = self._made, None
        return made

    def message(self) -> str:
        """What went wrong, once."""
        trouble, self.trouble = self.trouble, ""
        return trouble
