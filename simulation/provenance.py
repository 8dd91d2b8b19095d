"""What a run was made with: the wording data and the versions of what could change its course.

wording_files()  the wording and prompt files of the language, memory, planning and agents rooms
keep_wording()   puts those that are new or have changed into a run file
changed_files()  those in which two runs' wording differed as of a step
wording_hash()   one SHA-256 over all wording and prompt files of the language, planning and agents rooms
versions()       Python and the libraries that take part
"""

from __future__ import annotations

import hashlib
import platform
import zlib
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from simulation.storing.rows import unpacked

if TYPE_CHECKING:
    from simulation.storing.runfile import RunFile

ROOMS = ("language", "memory", "planning", "agents")
LIBRARIES = ("numpy", "wordllama", "pydantic", "townfolk")


@cache
def wording_files() -> Mapping[str, bytes]:
    """Path within the program -> contents of the data files that decide what is said and thought."""
    root = Path(__file__).parents[1]
    found: dict[str, bytes] = {}
    for room in ROOMS:
        paths = (path for path in (root / room).rglob("*") if path.suffix in (".yaml", ".txt"))
        for path in sorted(paths, key=lambda path: path.relative_to(root).as_posix()):
            found[path.relative_to(root).as_posix()] = path.read_bytes()
    return found


@cache
def wording_hash() -> str:
    """Hash of their names and contents."""
    hasher = hashlib.sha256()
    for name, contents in wording_files().items():
        hasher.update(name.encode() + b"\0" + contents + b"\0")
    return hasher.hexdigest()


def kept_wording(run: RunFile, step: int) -> dict[str, bytes]:
    """The wording a run had at a step, by file (empty for runs that didn't keep it)."""
    rows = run.rows("SELECT file, text FROM wording WHERE since <= ? ORDER BY since", (step,))
    latest: dict[str, bytes | None] = dict(rows)
    return {file: unpacked(text, run.path) for file, text in latest.items() if text is not None}


def keep_wording(run: RunFile, since: int) -> None:
    """Keeps what differs from the wording the run has, as held from step `since` on."""
    before, now = kept_wording(run, since), wording_files()
    new = [(since, file, zlib.compress(text, 9)) for file, text in now.items() if before.get(file) != text]
    gone = [(since, file, None) for file in before if file not in now]
    if new or gone:
        run.write("INSERT OR REPLACE INTO wording VALUES (?, ?, ?)", [*new, *gone])


def changed_files(first: RunFile, second: RunFile, step: int) -> list[str]:
    """Files of wording that differed between two runs at a step, as far as both kept theirs."""
    one, other = kept_wording(first, step), kept_wording(second, step)
    return sorted(f for f in one.keys() | other.keys() if one.get(f) != other.get(f)) if one and other else []


def versions() -> dict[str, str]:
    """Python and library versions."""
    found = {"python": platform.python_version()}
    for library in LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            found[library] = ""
    return found
