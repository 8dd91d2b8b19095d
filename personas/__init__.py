"""The people: what a persona file says, reading it, and what can be wrong with it."""

from personas.check import check_people, check_people_places, minutes, sentence_problem, unknown_place
from personas.load import (
    PEOPLE_FOLDER,
    SUFFIXES,
    PersonFile,
    find_people,
    load_newcomer,
    load_people,
    people_folders,
    read_people,
    slug,
)
from personas.spec import Acquaintance, Look, Persona, Work

__all__ = [
    "PEOPLE_FOLDER",
    "SUFFIXES",
    "Acquaintance",
    "Look",
    "PersonFile",
    "Persona",
    "Work",
    "check_people",
    "check_people_places",
    "find_people",
    "load_newcomer",
    "load_people",
    "minutes",
    "people_folders",
    "read_people",
    "sentence_problem",
    "slug",
    "unknown_place",
]
