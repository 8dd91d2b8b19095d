"""The scenarios: what a scenario file says, reading it, and what can be wrong with it."""

from scenarios.check import check_scenario, check_scenario_places
from scenarios.load import find, load, names, rename
from scenarios.spec import FactSpec, GatheringSpec, HappeningSpec, MemorySpec, Scenario

__all__ = [
    "FactSpec",
    "GatheringSpec",
    "HappeningSpec",
    "MemorySpec",
    "Scenario",
    "check_scenario",
    "check_scenario_places",
    "find",
    "load",
    "names",
    "rename",
]
