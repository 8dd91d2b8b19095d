"""The scenarios: what a scenario file says, reading it, and what can be wrong with it."""

from scenarios.check import check_scenario, check_scenario_places
from scenarios.load import default, find, load, names, rename
from scenarios.spec import FactSpec, GatheringSpec, HappeningSpec, MemorySpec, NeedSpec, ObligationSpec, Scenario
from scenarios.timetable import InterventionSpec, Timetable, entry_problems, read_timetable

__all__ = [
    "FactSpec",
    "GatheringSpec",
    "HappeningSpec",
    "InterventionSpec",
    "MemorySpec",
    "NeedSpec",
    "ObligationSpec",
    "Scenario",
    "Timetable",
    "check_scenario",
    "check_scenario_places",
    "default",
    "entry_problems",
    "find",
    "load",
    "names",
    "read_timetable",
    "rename",
]
