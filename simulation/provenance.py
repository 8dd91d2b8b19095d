"""What a run was made with: the wording data and the versions of what could change its course.

wording_hash()   one SHA-256 over all wording and prompt files of the language, planning and agents rooms
versions()       Python and the libraries that take part
"""

from __future__ import annotations

import hashlib
import platform
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ROOMS = ("language", "memory", "planning", "agents")
LIBRARIES = ("numpy", "wordllama", "pydantic", "townfolk")


@cache
def wording_hash() -> str:
    """Hash of names and contents of the data files that decide what is said and thought."""
    root = Path(__file__).parents[1]
    hasher = hashlib.sha256()
    for room in ROOMS:
        folder = root / room
        found = (path for path in folder.rglob("*") if path.suffix in (".yaml", ".txt"))
        for path in sorted(found, key=lambda path: path.relative_to(root).as_posix()):
            hasher.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return hasher.hexdigest()


def versions() -> dict[str, str]:
    """Python and library versions."""
    found = {"python": platform.python_version()}
    for library in LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            found[library] = ""
    return found
