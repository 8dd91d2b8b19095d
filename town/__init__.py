"""The living world: map tree, grid and paths, bodies, objects, events, conversations, and the engine. Knows no language."""

from town.acts import Act, Because
from town.ahead import Ahead
from town.build import build_town
from town.engine import Engine
from town.grid import Grid
from town.happenings import Event, Happening
from town.percepts import Percept, Signal, Tile
from town.protocols import (
    Intention,
    Journal,
    Moment,
    Outcome,
    Proposal,
    ProposeAct,
    ProposeLeave,
    ProposeWords,
    Resident,
)
from town.saving import (
    act_from,
    because_from,
    conversation_from,
    encode,
    fact_from,
    gathering_from,
    signal_from,
    utterance_from,
)
from town.speech import Citation, Conversation, Fact, Gathering, SpeechAct, Utterance
from town.tree import Arena, GameObject, Sector, TownMap, join, leaf, parent, parts

__all__ = [
    "Act",
    "Ahead",
    "Arena",
    "Because",
    "Citation",
    "Conversation",
    "Engine",
    "Event",
    "Fact",
    "GameObject",
    "Gathering",
    "Grid",
    "Happening",
    "Intention",
    "Journal",
    "Moment",
    "Outcome",
    "Percept",
    "Proposal",
    "ProposeAct",
    "ProposeLeave",
    "ProposeWords",
    "Resident",
    "Sector",
    "Signal",
    "SpeechAct",
    "Tile",
    "TownMap",
    "Utterance",
    "act_from",
    "because_from",
    "build_town",
    "conversation_from",
    "encode",
    "fact_from",
    "gathering_from",
    "join",
    "leaf",
    "parent",
    "parts",
    "signal_from",
    "utterance_from",
]
