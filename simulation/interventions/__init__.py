"""Interventions: what a user asks of a town, as rows of the run file, and how the engine takes them up (design rule 5).

wishes       checked wishes and the one way to put them into the file
desk         the engine's side: each row takes effect at its step, once
perceived    who noticed it first; the rows as a user reads them
timetable    wishes set for a time, in a file or a scenario
"""

from simulation.interventions.desk import Desk
from simulation.interventions.perceived import Intervention, first_perceivers, listing
from simulation.interventions.timetable import check_timetable, schedule
from simulation.interventions.wishes import (
    LONGEST_MINUTES,
    LONGEST_STATE,
    LONGEST_TEXT,
    MINUTES,
    Wish,
    ask_for,
    ask_for_all,
    known_visitor,
    tidy,
    visitors_in,
    wish_arrive,
    wish_depart,
    wish_event,
    wish_go,
    wish_leave,
    wish_object,
    wish_said_by,
    wish_visit,
    wish_voice,
    wish_words,
)

__all__ = [
    "LONGEST_MINUTES",
    "LONGEST_STATE",
    "LONGEST_TEXT",
    "MINUTES",
    "Desk",
    "Intervention",
    "Wish",
    "ask_for",
    "ask_for_all",
    "check_timetable",
    "first_perceivers",
    "known_visitor",
    "listing",
    "schedule",
    "tidy",
    "visitors_in",
    "wish_arrive",
    "wish_depart",
    "wish_event",
    "wish_go",
    "wish_leave",
    "wish_object",
    "wish_said_by",
    "wish_visit",
    "wish_voice",
    "wish_words",
]
