"""Reading people from YAML: one file per person, named after them.

slug            "Isabella Rodriguez" -> "isabella-rodriguez"
people_folders  names of the folders that come with Townfolk
find_people     folder name or path -> path
read_people     path -> what could be read, and every problem of form
load_newcomer   one file -> persona, of somebody who joins others; raises the first problem
load_people     folder name or path -> personas, in order; raises the first problem
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from kernel import DataFileError, Located, check_model
from kernel.errors import nearest
from personas.spec import Persona

PEOPLE_FOLDER = Path(__file__).parent
SUFFIXES = (".yaml", ".yml")


@dataclass(frozen=True)
class PersonFile:
    """One file: the persona it holds (None if it has problems) and where everything stands in it."""

    path: Path
    persona: Persona | None
    located: Located | None
    problems: tuple[DataFileError, ...]

    @property
    def name(self) -> str | None:
        """The person's name, also of a file that has problems elsewhere."""
        if self.persona is not None:
            return self.persona.name
        data = self.located.data if self.located is not None else None
        name = data.get("name") if isinstance(data, dict) else None
        return name if isinstance(name, str) else None


def slug(name: str) -> str:
    """A person's name as a file name: lower case, letters and digits joined by hyphens, accents dropped."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.casefold().replace("'", "")).strip("-")


def people_folders() -> tuple[str, ...]:
    """Names of the folders of people that come with Townfolk, sorted."""
    return tuple(sorted(p.name for p in PEOPLE_FOLDER.iterdir() if p.is_dir() and any(f.suffix in SUFFIXES for f in p.iterdir())))


def find_people(where: str | Path, *, beside: Path | None = None) -> Path:
    """The folder or file meant by `where`: a path (relative to `beside`, if given), or the name of a folder of ours.

    Raises DataFileError when there is neither.
    """
    path = (beside / where) if beside is not None else Path(where)
    if path.exists():
        return path
    ours = PEOPLE_FOLDER / str(where)
    if re.fullmatch(r"[\w-]+", str(where)) and ours.is_dir():
        return ours
    known = people_folders()
    close = nearest(str(where), known)
    hint = f"did you mean '{close}'?" if close else f"give a folder of persona files, or one of: {', '.join(known)}"
    raise DataFileError("there are no such people", file=str(path), hint=hint)


def read_people(path: Path, names: Sequence[str] | None = None) -> tuple[tuple[PersonFile, ...], tuple[DataFileError, ...]]:
    """Read the files of a folder (or one file), all or those of `names` in that order, and collect every problem.

    A name may be written as in the file or as the file is called. The problems are those of form (missing and unknown
    keys, wrong values) and of `names`; what the files mean together is `personas.check_people`'s.
    """
    if path.is_dir():
        by_slug = {p.stem: p for p in sorted(path.iterdir()) if p.suffix in SUFFIXES and p.is_file()}
    else:
        by_slug = {path.stem: path}
    if not by_slug:
        return (), (DataFileError("there are no persona files here", file=str(path), hint="a person is a file NAME.yaml"),)
    problems: list[DataFileError] = []
    if names is None:
        paths = list(by_slug.values())
    else:
        paths = []
        for name in names:
            if slug(name) in by_slug:
                paths.append(by_slug[slug(name)])
                continue
            close = nearest(slug(name), by_slug)
            hint = f"did you mean '{close}'?" if close else f"add {slug(name)}.yaml"
            problems.append(DataFileError(f"there is no '{name}' among these people", file=str(path), hint=hint))
    files = []
    for one in paths:
        file = _read_again(one)
        files.append(file)
        problems.extend(file.problems)
    return tuple(files), tuple(problems)


def _read(path: Path) -> PersonFile:
    persona, located, found = check_model(path, Persona)
    return PersonFile(path, persona, located, tuple(found))


@lru_cache(maxsize=1024)
def _sound(path: Path, text: bytes) -> PersonFile | None:
    """A file without problems, remembered as long as its text is the same; else None."""
    file = _read(path)
    return None if file.problems else file


def _read_again(path: Path) -> PersonFile:
    """One file; a scenario's people are read for several purposes, one after another."""
    try:
        text = path.read_bytes()
    except OSError:
        return _read(path)  # says what is the matter
    return _sound(path, text) or _read(path)


def load_newcomer(path: Path, others: Sequence[str] | None = None) -> Persona:
    """The persona in one file, of somebody who comes to live among `others` and may know them (None: whoever they are).

    Raises DataFileError, the first problem of the file.
    """
    from personas.check import problems_of  # the checks read files with this module

    if not path.is_file():
        raise DataFileError("there is no such persona file", file=str(path), hint="a person is a file NAME.yaml")
    files, problems = read_people(path)
    persona = files[0].persona
    known = others if others is not None else tuple(persona.knows) if persona is not None else ()
    problems = (*problems, *problems_of(path, files, known))
    if problems or persona is None:
        raise problems[0]
    return persona


def load_people(where: str | Path, names: Sequence[str] | None = None, *, beside: Path | None = None) -> tuple[Persona, ...]:
    """The personas in a folder (ours by name, or a path) or a single file, in the order of `names` or of file names.

    Raises DataFileError, the first of all problems that `personas.check_people` would list.
    """
    from personas.check import problems_of  # the checks read files with this module

    path = find_people(where, beside=beside)
    files, problems = read_people(path, names)
    problems = (*problems, *problems_of(path, files))
    if problems:
        raise problems[0]
    return tuple(file.persona for file in files if file.persona is not None)
