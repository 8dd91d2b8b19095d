"""The ground under every room: errors, ids, game time, counter-based randomness, canonical JSON, data files.

Imports no other room.
"""

from kernel.canonical import Filled, Json, digest, dumps, fill
from kernel.datafile import Located, check_model, load_yaml, read_model
from kernel.errors import (
    BudgetReached,
    DataFileError,
    EndpointUnreachable,
    ImpossibleAct,
    ModelError,
    ReplyInvalid,
    ReplyMissing,
    RunFileError,
    TownfolkError,
    UsageError,
    UserMistake,
    nearest,
)
from kernel.gametime import Clock, clock_face, minutes_of
from kernel.ids import RecordId
from kernel.randomness import Dice

__all__ = [
    "BudgetReached",
    "Clock",
    "DataFileError",
    "Dice",
    "EndpointUnreachable",
    "Filled",
    "ImpossibleAct",
    "Json",
    "Located",
    "ModelError",
    "RecordId",
    "ReplyInvalid",
    "ReplyMissing",
    "RunFileError",
    "TownfolkError",
    "UsageError",
    "UserMistake",
    "check_model",
    "clock_face",
    "digest",
    "dumps",
    "fill",
    "load_yaml",
    "minutes_of",
    "nearest",
    "read_model",
]
