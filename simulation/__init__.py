"""A run: composing a town from a scenario, living it into one file, taking it up again, and reading it out.

Names are imported when they are first used, so that reading a run file doesn't load minds and models.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simulation.checking import check_files, check_shipped
    from simulation.compose import Blueprint, Composition, assemble, read_blueprint, stored_blueprint
    from simulation.dialogue import Dialogue
    from simulation.forking import Fork, fork
    from simulation.interventions import ask_for, first_perceivers
    from simulation.interview import Interviewer
    from simulation.interview_desk import Desk
    from simulation.interviewed import ABLATIONS, Comparison, Interview, Side, Turn
    from simulation.reading.addresses import find_address
    from simulation.reading.comparing import compare
    from simulation.reading.exporting import export
    from simulation.reading.lifelog import Entry, read_out, resident_log, town_log
    from simulation.reading.records import read_facts, read_records, read_stream
    from simulation.reading.why import explain, in_words
    from simulation.run import Progress, Result, resume, start
    from simulation.storing.digest import run_digest
    from simulation.storing.journal import RunJournal
    from simulation.storing.library import choose, find_run, names, newest_run, next_path, run_clock, runs_in, split_arguments
    from simulation.storing.packing import pack
    from simulation.storing.restore import drop_unfinished, take_up
    from simulation.storing.runfile import RunFile

_HOMES = {
    "ABLATIONS": "interviewed",
    "Blueprint": "compose",
    "Comparison": "interviewed",
    "Composition": "compose",
    "Desk": "interview_desk",
    "Dialogue": "dialogue",
    "Entry": "reading.lifelog",
    "Fork": "forking",
    "Interview": "interviewed",
    "Interviewer": "interview",
    "Progress": "run",
    "Result": "run",
    "RunFile": "storing.runfile",
    "RunJournal": "storing.journal",
    "ask_for": "interventions",
    "Side": "interviewed",
    "Turn": "interviewed",
    "assemble": "compose",
    "check_files": "checking",
    "check_shipped": "checking",
    "choose": "storing.library",
    "compare": "reading.comparing",
    "drop_unfinished": "storing.restore",
    "explain": "reading.why",
    "export": "reading.exporting",
    "find_address": "reading.addresses",
    "find_run": "storing.library",
    "first_perceivers": "interventions",
    "fork": "forking",
    "in_words": "reading.why",
    "names": "storing.library",
    "newest_run": "storing.library",
    "next_path": "storing.library",
    "pack": "storing.packing",
    "read_blueprint": "compose",
    "read_facts": "reading.records",
    "read_out": "reading.lifelog",
    "read_records": "reading.records",
    "read_stream": "reading.records",
    "resident_log": "reading.lifelog",
    "resume": "run",
    "run_clock": "storing.library",
    "run_digest": "storing.digest",
    "runs_in": "storing.library",
    "split_arguments": "storing.library",
    "start": "run",
    "stored_blueprint": "compose",
    "take_up": "storing.restore",
    "town_log": "reading.lifelog",
}

__all__ = [
    "ABLATIONS",
    "Blueprint",
    "Comparison",
    "Composition",
    "Desk",
    "Dialogue",
    "Entry",
    "Fork",
    "Interview",
    "Interviewer",
    "Progress",
    "Result",
    "RunFile",
    "RunJournal",
    "Side",
    "Turn",
    "ask_for",
    "assemble",
    "check_files",
    "check_shipped",
    "choose",
    "compare",
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
