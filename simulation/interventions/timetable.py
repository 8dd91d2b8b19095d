"""Interventions set for a time: from a scenario's key or a file of their own to rows that wait for their step.

check_timetable(path)                 all problems of a file, as far as it can be judged without a run
schedule(path, file)                  -> ids; into the file of a run that has begun, beside its engine
wishes_of(run, entries, located, ...) -> wishes with their steps; raises the first problem, with its line and a hint
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kernel import Located, UsageError
from kernel.errors import DataFileError
from personas import load_newcomer
from scenarios.timetable import InterventionSpec, Timetable, read_timetable
from simulation.interventions.wishes import (
    Wish,
    ask_for_all,
    due_at,
    insert,
    visitor_name,
    wish_arrive,
    wish_depart,
    wish_event,
    wish_go,
    wish_leave,
    wish_object,
    wish_visit,
    wish_voice,
    wish_words,
)
from simulation.storing.library import names, run_clock
from simulation.storing.runfile import RunFile


def check_timetable(path: Path) -> list[DataFileError]:
    """Problems of form, and persona files that can't be read. Never raises for them."""
    timetable, located, problems = read_timetable(path)
    if timetable is None or located is None:
        return problems
    for i, entry in enumerate(timetable.interventions):
        if entry.persona is not None:
            try:
                load_newcomer(path.parent / entry.persona)
            except DataFileError as error:
                problems.append(located.problem(error.sentence(), "interventions", i, "persona", hint=error.hint))
    return problems


def load_timetable(path: Path) -> tuple[Timetable, Located]:
    """A file that is in order. Raises DataFileError, its first problem."""
    problems = check_timetable(path)
    if problems:
        raise problems[0]
    timetable, located, _ = read_timetable(path)
    assert timetable is not None
    assert located is not None
    return timetable, located


def schedule(path: Path, file: Path) -> list[int]:
    """Sets a file's interventions for their times in a run, all or none; their ids.

    Raises DataFileError for the first that can't be (its time is over, a place isn't there ...), RunFileError.
    """
    timetable, located = load_timetable(file)
    with RunFile.open(path) as run:
        wishes = wishes_of(run, timetable.interventions, located, file.parent)
    authors = [entry.author or file.name for entry in timetable.interventions]
    ids: list[int] = []
    for author in dict.fromkeys(authors):
        ids += ask_for_all(path, [wish for wish, by in zip(wishes, authors, strict=True) if by == author], author)
    return sorted(ids)


def set_up(run: RunFile, entries: Sequence[InterventionSpec], located: Located | None, folder: Path, author: str) -> None:
    """The same for a run that is just being made. Raises DataFileError (UsageError when nobody knows the file)."""
    for wish, entry in zip(wishes_of(run, entries, located, folder), entries, strict=True):
        insert(run, [wish], entry.author or author)


def wishes_of(run: RunFile, entries: Sequence[InterventionSpec], located: Located | None, folder: Path) -> list[Wish]:
    """Entries as wishes, due at their steps. A visitor may be spoken of who comes by an earlier entry."""
    clock, committed = run_clock(run), run.committed
    coming: list[str] = []
    found: list[Wish] = []
    for i, entry in enumerate(entries):
        try:
            step = clock.step_at(clock.parse(entry.at))
            if step < committed:
                raise UsageError(
                    f"{entry.at} is over: the run is at {clock.at(committed):%Y-%m-%d %H:%M}", hint="choose a later time"
                )
            wish = _wish(run, entry, folder, coming)
        except UsageError as error:
            if located is None or isinstance(error, DataFileError):
                raise
            raise located.problem(error.what, "interventions", i, hint=error.hint) from None
        if wish.kind == "visit" and wish.who is not None:
            coming.append(wish.who)
        found.append(due_at(wish, step))
    return found


def _wish(run: RunFile, entry: InterventionSpec, folder: Path, coming: Sequence[str]) -> Wish:
    place, who = entry.place or "", entry.who or ""
    if entry.kind == "event":
        return wish_event(run, entry.text, place, entry.minutes)
    if entry.kind == "object":
        return wish_object(run, place, entry.text)
    if entry.kind == "voice":
        return wish_voice(run, who, entry.text)
    if entry.kind == "visit":
        visitor_name(run, who)
        return wish_visit(run, who, entry.look, entry.place, tile=entry.tile, beside=entry.to)
    if entry.kind == "go":
        return wish_go(run, who, entry.place, tile=entry.tile, way=entry.way, coming=coming)
    if entry.kind == "words":
        return wish_words(run, who, entry.text, entry.to, coming=coming)
    if entry.kind == "leave":
        return wish_leave(run, who, coming=coming)
    if entry.kind == "depart":
        return wish_depart(run, who)
    return wish_arrive(run, load_newcomer(folder / (entry.persona or ""), names(run)), entry.place, entry.mind)
