"""The catchment: a small world in which a delayed obligation hangs on which two memories a resident is shown.

A reconstruction of a deterministic apparatus; what it shows and what it doesn't is in `docs/obligations.md`.
"""

from studies.catchment.conditions import CONDITIONS, live_all
from studies.catchment.episode import Attempt, Decision, Episode, Telling, live
from studies.catchment.policies import SCHEDULES, Insensitive, Policy, Responsive, Scheduled, Situation
from studies.catchment.records import SELECTORS, Experience, Selection, SelectorName, select, stalled_collect
from studies.catchment.study import figures_of, write_study
from studies.catchment.world import ACTIONS, DECISIONS, Action, Rules, Seen, State, perceive, start, step

__all__ = [
    "ACTIONS",
    "CONDITIONS",
    "DECISIONS",
    "SCHEDULES",
    "SELECTORS",
    "Action",
    "Attempt",
    "Decision",
    "Episode",
    "Experience",
    "Insensitive",
    "Policy",
    "Responsive",
    "Rules",
    "Scheduled",
    "Seen",
    "Selection",
    "SelectorName",
    "Situation",
    "State",
    "Telling",
    "figures_of",
    "live",
    "live_all",
    "perceive",
    "select",
    "stalled_collect",
    "start",
    "step",
    "write_study",
]
