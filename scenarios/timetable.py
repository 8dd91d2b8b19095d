"""Interventions set for a time: entries of a scenario's key `interventions`, or of a file of their own.

InterventionSpec       one entry: when, what kind, and what that kind needs
Timetable              a file: `interventions: [...]`
read_timetable(path)   -> (Timetable or None, Located or None, problems), each problem with its line and a hint
entry_problems(...)    what is wrong with entries beyond their form: missing parts, times
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from kernel import Clock, DataFileError, Located, UsageError, check_model
from personas.spec import Spec

Kind = Literal["event", "object", "voice", "visit", "go", "words", "leave", "arrive", "depart"]
NEEDED: dict[str, tuple[str, ...]] = {
    "event": ("place", "text"), "object": ("place", "text"), "voice": ("who", "text"), "visit": ("who",), "go": ("who",),
    "words": ("who", "text"), "leave": ("who",), "arrive": ("persona",), "depart": ("who",),
}  # fmt: skip
"""What each kind of intervention can't do without."""
ALLOWED: dict[str, tuple[str, ...]] = {
    **NEEDED,
    "event": ("place", "text", "minutes"),
    "visit": ("who", "look", "place", "tile", "to"),
    "go": ("who", "place", "tile", "way"),
    "words": ("who", "text", "to"),
    "arrive": ("persona", "place", "mind"),
}


class InterventionSpec(Spec):
    """One entry. `at`: "2023-02-13 14:00", or "14:00" on the first day.

    kind     event (place, text, minutes), object (place, text: its state), voice (who, text); visit (who, look, and place, tile
             or to: beside whom), go (who, and place, tile or way), words (who, text, to), leave (who); arrive (persona: a
             file, place, mind), depart (who)
    place    any unambiguous part of an address; who, to: a visitor's name, or any unambiguous part of a resident's
    author   who asked for it; else the name of the file
    """

    at: str
    kind: Kind
    text: str = ""
    place: str | None = None
    who: str | None = None
    to: str | None = None
    tile: tuple[int, int] | None = None
    way: Literal["north", "east", "south", "west"] | None = None
    look: str = ""
    minutes: Annotated[int, Field(ge=1)] | None = None
    persona: str | None = None
    mind: str | None = None
    author: str = ""


class Timetable(Spec):
    """A file of interventions set for a time."""

    interventions: tuple[InterventionSpec, ...]


def read_timetable(path: Path) -> tuple[Timetable | None, Located | None, list[DataFileError]]:
    """A file of entries, and every problem of form."""
    timetable, located, problems = check_model(path, Timetable)
    if timetable is not None and located is not None:
        problems = [*problems, *entry_problems(timetable.interventions, located)]
    return timetable, located, problems


def entry_problems(entries: Sequence[InterventionSpec], located: Located, clock: Clock | None = None) -> Iterator[DataFileError]:
    """Missing and superfluous parts, and times that can't be read (or, with a `clock`, lie before the beginning)."""
    for i, entry in enumerate(entries):
        for part in NEEDED[entry.kind]:
            if not getattr(entry, part):
                yield located.problem(f"'{entry.kind}' needs '{part}'", "interventions", i, hint=f"add '{part}: ...'")
        given = [part for part in InterventionSpec.model_fields if part not in ("at", "kind", "author") and getattr(entry, part)]
        for part in given:
            if part not in ALLOWED[entry.kind]:
                hint = f"it takes {', '.join(ALLOWED[entry.kind])}"
                yield located.problem(f"'{entry.kind}' has no '{part}'", "interventions", i, part, hint=hint)
        if entry.kind == "go" and not (entry.place or entry.tile or entry.way):
            yield located.problem("'go' needs somewhere to go", "interventions", i, hint="add place, tile or way")
        yield from _time(entry, i, located, clock)


def _time(entry: InterventionSpec, i: int, located: Located, clock: Clock | None) -> Iterator[DataFileError]:
    from datetime import datetime

    try:
        at = (clock or Clock(datetime(2000, 1, 1), 10)).parse(entry.at)
    except UsageError as error:
        yield located.problem(error.what, "interventions", i, "at", hint=error.hint)
        return
    if clock is not None and at < clock.start:
        hint = f"it starts at {clock.start:%Y-%m-%d %H:%M}"
        yield located.problem(f"{entry.at} is before the run's beginning", "interventions", i, "at", hint=hint)
