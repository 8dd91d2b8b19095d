"""A run: composing a town from a scenario, living it into one file, taking it up again, and reading it out.

Names are imported when they are first used, so that reading a run file doesn't load minds and models.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simulation.addresses import find_address
    from simulation.checking import check_files, check_shipped
    from simulation.compose import Blueprint, Composition, assemble, read_blueprint, stored_blueprint
    from simulation.digest import run_digest
    from simulation.exporting import export
    from simulation.forking import Fork, fork
    from simulation.interventions import ask_for, first_perceivers
    from simulation.interview import Interview, Interviewer
    from simulation.journal import RunJournal
    from simulation.library import choose, find_run, names, newest_run, next_path, run_clock, runs_in, split_arguments
    from simulation.lifelog import Entry, read_out, resident_log, town_log
    from simulation.packing import pack
    from simulation.records import read_facts, read_records, read_stream
    from simulation.restore import drop_unfinished, take_up
    from simulation.run import Progress, Result, resume, start
    from simulation.runfile import RunFile
    from simulation.why import explain, in_words

_HOMES = {
    "Blueprint": "compose",
    "Composition": "compose",
    "Entry": "lifelog",
    "Fork": "forking",
    "Interview": "interview",
    "Interviewer": "interview",
    "Progress": "run",
    "Result": "run",
    "RunFile": "runfile",
    "RunJournal": "journal",
    "ask_for": "interventions",
    "assemble": "compose",
    "check_files": "checking",
    "check_shipped": "checking",
    "choose": "library",
    "drop_unfinished": "restore",
    "explain": "why",
    "export": "exporting",
    "find_address": "addresses",
    "find_run": "library",
    "first_perceivers": "interventions",
    "fork": "forking",
    "in_words": "why",
    "names": "library",
    "newest_run": "library",
    "next_path": "library",
    "pack": "packing",
    "read_blueprint": "compose",
    "read_facts": "records",
    "read_out": "lifelog",
    "read_records": "records",
    "read_stream": "records",
    "resident_log": "lifelog",
    "resume": "run",
    "run_clock": "library",
    "run_digest": "digest",
    "runs_in": "library",
    "split_arguments": "library",
    "start": "run",
    "stored_blueprint": "compose",
    "take_up": "restore",
    "town_log": "lifelog",
}

__all__ = [
    "Blueprint",
    "Composition",
    "Entry",
    "Fork",
    "Interview",
    "Interviewer",
    "Progress",
    "Result",
    "RunFile",
    "RunJournal",
    "ask_for",
    "assemble",
    "check_files",
    "check_shipped",
    "choose",
    "drop_unfinished",
    "explain",
    "export",
    "find_address",
    "find_run",
    "first_perceivers",
    "fork",
    "in_words",
    "names",
    "newest_run",
    "next_path",
    "pack",
    "read_blueprint",
    "read_facts",
    "read_out",
    "read_records",
    "read_stream",
    "resident_log",
    "resume",
    "run_clock",
    "run_digest",
    "runs_in",
    "split_arguments",
    "start",
    "stored_blueprint",
    "take_up",
    "town_log",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(f"simulation.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'simulation' has no attribute '{name}'")
