"""Reading scenarios: by the name of one that comes with Townfolk, or from a user's own file.

names   the scenarios that come with Townfolk
find    name or path -> path of the file
load    name or path -> Scenario, complete and checked
rename  old names -> new names in one text (`rename_places`)
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from kernel import DataFileError
from kernel.errors import nearest
from personas import PEOPLE_FOLDER, SUFFIXES, find_people, load_people
from scenarios.spec import Scenario

FOLDER = Path(__file__).parent


def names() -> tuple[str, ...]:
    """Names of the scenarios that come with Townfolk, sorted."""
    return tuple(sorted(path.stem for path in FOLDER.iterdir() if path.suffix in SUFFIXES))


def default() -> str:
    """The scenario that runs when none is named (data too: the file `DEFAULT`)."""
    return (FOLDER / "DEFAULT").read_text(encoding="utf-8").strip()


def find(name_or_path: str | Path) -> Path:
    """The file of a scenario, ours by name or any path. Raises DataFileError with the nearest name."""
    text = str(name_or_path)
    if re.fullmatch(r"[\w-]+", text):
        for suffix in SUFFIXES:
            if (FOLDER / f"{text}{suffix}").is_file():
                return FOLDER / f"{text}{suffix}"
    path = Path(name_or_path)
    if path.is_file():
        return path
    known = names()
    close = nearest(path.stem, known)
    hint = f"did you mean '{close}'?" if close else f"give the path of a YAML file, or one of: {', '.join(known)}"
    raise DataFileError("there is no such scenario", file=text, hint=hint)


def load(name_or_path: str | Path) -> Scenario:
    """A scenario, checked, with `residents` filled in (all people of the folder when none are named, in file order).

    `people` and `map` of a user's own files, given relative to the scenario file, become absolute paths; names of ours
    stay names. Raises DataFileError, the first of the problems `scenarios.check_scenario` would list.
    """
    from scenarios.check import read_scenario  # the checks find files with this module

    path = find(name_or_path)
    scenario, problems = read_scenario(path)
    if problems:
        raise problems[0]
    assert scenario is not None
    people = find_people(scenario.people, beside=path.parent)
    personas = load_people(people, scenario.residents or None)
    ours = people.parent == PEOPLE_FOLDER
    own_map = path.parent / scenario.map
    return scenario.model_copy(
        update={
            "residents": tuple(person.name for person in personas),
            "people": people.name if ours else str(people.resolve()),
            "map": str(own_map.resolve()) if own_map.is_file() else scenario.map,
        }
    )


def rename(text: str, renames: Mapping[str, str]) -> str:
    """Replace every old name in `text` by its new one, all at once and the longest first (so that names may swap)."""
    if not renames:
        return text
    longest = sorted(renames, key=lambda old: (-len(old), old))
    return re.sub("|".join(re.escape(old) for old in longest), lambda found: renames[found.group()], text)
