"""The ground under every room: errors, ids, game time, counter-based randomness, canonical JSON. Imports nothing."""

from kernel.canonical import Json, digest, dumps
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
    "ImpossibleAct",
    "Json",
    "ModelError",
    "RecordId",
    "ReplyInvalid",
    "ReplyMissing",
    "RunFileError",
    "TownfolkError",
    "UsageError",
    "UserMistake",
    "clock_face",
    "digest",
    "dumps",
    "minutes_of",
    "nearest",
]
