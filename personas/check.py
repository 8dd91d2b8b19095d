"""What is wrong with persona files beyond their form: names, times and sentences that don't fit together.

check_people         every problem of a folder or file
check_people_places  addresses that the map doesn't have
sentence_problem     why a text is not a full sentence, or None
minutes              "7:30" -> 450
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

from kernel import DataFileError, Located
from kernel.errors import nearest
from personas.load import SUFFIXES, PersonFile, find_people, read_people, slug
from personas.spec import Persona

LATEST = 36 * 60  # "36:00": noon of the day after, later than anybody goes to bed


def minutes(text: str) -> int:
    """Minutes since midnight of "7:30"; may exceed 1440 ("26:00" is two at night). Raises ValueError."""
    hours, _, rest = text.partition(":")
    total = int(hours) * 60 + int(rest)
    if int(rest) > 59 or total > LATEST:
        raise ValueError(f"'{text}' is not a time of day")
    return total


def sentence_problem(text: str) -> str | None:
    """Why `text` is not a full sentence, in words that follow on "the text", or None if it looks like one."""
    if not text.strip():
        return "is empty"
    if not re.search(r"[.!?][\"'”’)]*$", text.strip()):
        return "does not end as a sentence"
    return None


def check_people(where: str | Path, names: Sequence[str] | None = None, *, beside: Path | None = None) -> list[DataFileError]:
    """All problems of the persona files in a folder or file: form, names, times, sentences. Never raises for them."""
    try:
        path = find_people(where, beside=beside)
    except DataFileError as error:
        return [error]
    files, problems = read_people(path, names)
    return [*problems, *problems_of(path, files)]


def problems_of(path: Path, files: Sequence[PersonFile], others: Sequence[str] = ()) -> tuple[DataFileError, ...]:
    """Problems beyond form, in the order of files. Names in `knows` may be of anybody in the folder, or of `others`."""
    known = {file.name: file for file in reversed(files) if file.name is not None}
    slugs = {slug(name) for name in known}
    folder = path if path.is_dir() else path.parent
    slugs |= {p.stem for p in folder.iterdir() if p.suffix in SUFFIXES} | {slug(name) for name in others}
    problems: list[DataFileError] = []
    for file in files:
        if file.persona is None or file.located is None:
            continue
        problems.extend(_identity(path, file.path, file.persona, file.located, known))
        problems.extend(_acquaintances(file.persona, file.located, slugs, known))
        problems.extend(_times(file.persona, file.located))
        problems.extend(_sentences(file.persona, file.located))
    return tuple(problems)


def _identity(
    where: Path, path: Path, person: Persona, located: Located, known: dict[str, PersonFile]
) -> Iterator[DataFileError]:
    if where.is_dir() and slug(person.name) != path.stem:
        hint = f"call the file {slug(person.name)}{path.suffix}"
        yield located.problem(f"the file is not named after '{person.name}'", "name", hint=hint)
    first = known[person.name]
    if first.path != path:
        yield located.problem(f"there are two people called '{person.name}'", "name", hint=f"the other is in {first.path}")
    if not person.bed.startswith(f"{person.home} : "):
        yield located.problem(f"the bed '{person.bed}' is not in the home", "bed", hint=f"write '{person.home} : bed'")


def _acquaintances(person: Persona, located: Located, slugs: set[str], known: dict[str, PersonFile]) -> Iterator[DataFileError]:
    for name, other in person.knows.items():
        if name == person.name:
            yield located.problem(f"{name} is said to know themself", "knows", name, hint="leave it out")
        elif slug(name) not in slugs:
            close = nearest(name, known) or nearest(slug(name), slugs)
            hint = f"did you mean '{close}'?" if close else f"nobody is called that here; add {slug(name)}.yaml or leave it out"
            yield located.problem(f"{person.name} knows an unknown '{name}'", "knows", name, hint=hint)
        if problem := sentence_problem(other.text):
            hint = "write a full sentence, ending with a full stop"
            yield located.problem(f"the text about {name} {problem}", "knows", name, "text", hint=hint)


def _times(person: Persona, located: Located) -> Iterator[DataFileError]:
    given: dict[tuple[str | int, ...], str] = {("wakes",): person.wakes, ("sleeps",): person.sleeps}
    if person.work is not None:
        given |= {("work", "hours", 0): person.work.hours[0], ("work", "hours", 1): person.work.hours[1]}
    at: dict[tuple[str | int, ...], int] = {}
    for where, text in given.items():
        try:
            at[where] = minutes(text)
        except ValueError as error:
            yield located.problem(str(error), *where, hint="write hours and minutes, as in '7:30'")
    if len(at) < len(given):
        return
    if not at[("wakes",)] < at[("sleeps",)]:
        hint = "after midnight write '25:00' for one o'clock"
        yield located.problem(f"{person.name} goes to sleep before waking", "sleeps", hint=hint)
    if person.work is not None and not at[("work", "hours", 0)] < at[("work", "hours", 1)]:
        yield located.problem(f"the work of {person.name} ends before it begins", "work", "hours", hint="first the earlier time")


def _sentences(person: Persona, located: Located) -> Iterator[DataFileError]:
    texts: list[tuple[str, tuple[str | int, ...]]] = [(person.about, ("about",)), (person.speech, ("speech",))]
    texts += [(text, ("rhythm", i)) for i, text in enumerate(person.rhythm)]
    texts += [(text, ("aims", i)) for i, text in enumerate(person.aims)]
    for text, where in texts:
        if problem := sentence_problem(text):
            yield located.problem(f"the text {problem}", *where, hint="write a full sentence, ending with a full stop")


def check_people_places(
    where: str | Path,
    known_addresses: Collection[str],
    names: Sequence[str] | None = None,
    *,
    beside: Path | None = None,
    sleepers: Mapping[str, int] | None = None,
) -> list[DataFileError]:
    """Homes, beds, work places and known sectors that are not among `known_addresses` (addresses without the town).

    `sleepers`: how many an object takes; with it, beds that more people call theirs are problems of those who come last.
    """
    files, _ = read_people(find_people(where, beside=beside), names)
    problems = []
    taken: dict[str, list[str]] = {}
    for file in files:
        if file.persona is None or file.located is None:
            continue
        person = file.persona
        asked: list[tuple[str, tuple[str | int, ...]]] = [(person.home, ("home",)), (person.bed, ("bed",))]
        if person.work is not None:
            asked.append((person.work.place, ("work", "place")))
        asked += [(sector, ("places", i)) for i, sector in enumerate(person.places)]
        for address, key in asked:
            if address not in known_addresses:
                problems.append(unknown_place(file.located, address, known_addresses, *key))
        others = taken.setdefault(person.bed, [])
        if len(others) >= (sleepers or {}).get(person.bed, len(others) + 1):
            hint = f"taken by {' and '.join(others)}; name another bed, or give this one more room in the map"
            problems.append(file.located.problem(f"the bed '{person.bed}' is full", "bed", hint=hint))
        others.append(person.name)
    return problems


def unknown_place(located: Located, address: str, known: Collection[str], *path: str | int) -> DataFileError:
    """The problem that a map has no such address, with the nearest one that it has."""
    close = nearest(address, sorted(known))
    hint = f"did you mean '{close}'?" if close else "use an address of the map, without the town's name"
    return located.problem(f"the map has no '{address}'", *path, hint=hint)
