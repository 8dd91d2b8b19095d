"""Finding runs and people: what a user may leave out or abbreviate.

newest_run(folder)         the run file written last
next_path(folder, ...)     where the next run goes, never over another
choose(part, names)        the one name a part of a name can mean
lived_step(run, at)        the step a time means, if it was lived
run_clock(run), names(run) the calendar and the residents of a run
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path

from kernel import Clock, RunFileError, UsageError, nearest
from simulation.storing.runfile import RunFile

RUNS = Path("runs")
SUFFIX = ".town"


def runs_in(folder: Path = RUNS) -> list[Path]:
    """The run files of a folder, the one written last first."""
    found = [path for path in folder.glob(f"*{SUFFIX}") if path.is_file()] if folder.is_dir() else []
    return sorted(found, key=lambda path: (-_written(path), path.name))


def newest_run(folder: Path = RUNS) -> Path:
    """The run written last. Raises RunFileError when there is none."""
    found = runs_in(folder)
    if not found:
        raise RunFileError("there is no run yet", place=f"{folder}/", hint="make one with `town run hamlet`")
    return found[0]


def find_run(given: str | Path | None, folder: Path = RUNS) -> Path:
    """The run meant: a path, a name in `folder` (with or without ending), or the newest when nothing is given."""
    if given is None:
        return newest_run(folder)
    path = Path(given)
    if path.exists() or path.parent != Path("."):
        return path
    for candidate in (folder / path.name, folder / f"{path.name}{SUFFIX}"):
        if candidate.exists():
            return candidate
    close = nearest(path.name.removesuffix(SUFFIX), [run.stem for run in runs_in(folder)])
    hint = f"did you mean {folder / close}{SUFFIX}?" if close else "`town run` makes one; they are kept in runs/"
    raise RunFileError("there is no such run file", place=str(given), hint=hint)


def lived_step(run: RunFile, at: str | None) -> int:
    """The step a time means (the latest state when None). Raises UsageError for a time outside what was lived."""
    committed, clock = run.committed, run_clock(run)
    if at is None:
        return committed
    step = clock.step_at(clock.parse(at))
    if step < 0:
        raise UsageError(f"'{at}' is before the run's beginning", hint=f"it starts at {clock.at(0):%Y-%m-%d %H:%M}")
    if step > committed:
        raise UsageError(f"'{at}' is later than the run has come", hint=f"it has come to {clock.at(committed):%Y-%m-%d %H:%M}")
    return step


def next_path(scenario: str, seed: int, folder: Path = RUNS) -> Path:
    """`folder/SCENARIO-seedN-COUNT.town` with the first free count from 1."""
    count = 1
    while (path := folder / f"{scenario}-seed{seed}-{count}{SUFFIX}").exists():
        count += 1
    return path


def choose(part: str, known: Iterable[str], what: str = "resident") -> str:
    """The one name of `known` that `part` can mean, whatever its case: the whole name, one of its words, the
    beginning of one, or any part.

    Raises UsageError with the candidates when there are several or none.
    """
    everybody = list(known)
    wanted = part.casefold().strip()
    tests: tuple[Callable[[str], bool], ...] = (
        lambda name: name == wanted,
        lambda name: wanted in name.split(),
        lambda name: any(name[start:].startswith(wanted) for start in _word_starts(name)),
        lambda name: wanted in name,
    )
    for fits in tests:
        found = [name for name in everybody if wanted and fits(name.casefold())]
        if len(found) == 1:
            return found[0]
        if found:
            raise UsageError(f"'{part}' may mean {_either(found)}", hint="write more of the name")
    close = nearest(part, everybody) or _by_word(part, everybody)
    raise UsageError(
        f"there is no {what} '{part}'", hint=f"did you mean {close}?" if close else f"there are {', '.join(everybody)}"
    )


def split_arguments(first: str | None, second: str | None, folder: Path = RUNS) -> tuple[str | None, str | None]:
    """`[RUN] WHAT`, of which RUN may be left out -> (run, what)."""
    if second is not None or first is None:
        return first, second
    path = Path(first)
    is_run = path.suffix == SUFFIX or path.is_file() or (folder / f"{first}{SUFFIX}").is_file()
    return (first, None) if is_run else (None, first)


def _word_starts(name: str) -> list[int]:
    return [0, *(place + 1 for place, letter in enumerate(name) if letter == " ")]


def _by_word(part: str, everybody: list[str]) -> str | None:
    word = nearest(part, [word for name in everybody for word in name.split()])
    return next((name for name in everybody if word is not None and word in name.split()), None)


def names(run: RunFile) -> list[str]:
    """The residents of a run in resident order."""
    return [row[0] for row in run.rows("SELECT name FROM residents ORDER BY position")]


def run_clock(run: RunFile) -> Clock:
    """The calendar of a run."""
    return Clock(datetime.fromisoformat(run.get("start")), int(run.get("step_seconds")))


def _written(path: Path) -> float:
    """Wall time of the last write: of the file or of its write-ahead log."""
    beside = path.with_name(path.name + "-wal")
    return max(path.stat().st_mtime, beside.stat().st_mtime if beside.exists() else 0.0)


def _either(found: list[str]) -> str:
    return f"{', '.join(found[:-1])} or {found[-1]}"
