"""The scenarios: what a scenario file says, reading it, and what can be wrong with it."""

from scenarios.check import check_scenario, check_scenario_places
from scenarios.load import default, find, load, names, rename
from scenarios.spec import FactSpec, GatheringSpec, HappeningSpec, MemorySpec, Scenario

__all__ = [
    "FactSpec",
    "GatheringSpec",
    "HappeningSpec",
    "MemorySpec",
    "Scenario",
    "check_scenario",
    "check_scenario_places",
    "default",
    "find",
    "load",
    "names",
    "rename",
]
