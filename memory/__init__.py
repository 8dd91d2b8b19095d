"""What residents remember: stream, retrieval, filtered views, drafts, relationships, the map they know, town-wide search."""

from memory.draft import Draft
from memory.exposure import SELECTORS, Exposed, Exposure, Recalled, Selector, expose, failed_act
from memory.known_map import KnownMap
from memory.protocols import Candidates, Readable
from memory.record import Kind, Record
from memory.relationships import Relationship, Relationships, density, graph, relationship
from memory.retrieval import Retrieval, Scored, Weights, retrieve, token_estimate
from memory.search import Hit, TownSearch
from memory.stream import Stream
from memory.view import FULL, NO_REFLECTION, NO_REFLECTION_NO_PLAN, NONE, Condition, MindView

__all__ = [
    "FULL",
    "NONE",
    "NO_REFLECTION",
    "NO_REFLECTION_NO_PLAN",
    "SELECTORS",
    "Candidates",
    "Condition",
    "Draft",
    "Exposed",
    "Exposure",
    "Hit",
    "Kind",
    "KnownMap",
    "MindView",
    "Readable",
    "Recalled",
    "Record",
    "Relationship",
    "Relationships",
    "Retrieval",
    "Scored",
    "Selector",
    "Stream",
    "TownSearch",
    "Weights",
    "density",
    "expose",
    "failed_act",
    "graph",
    "relationship",
    "retrieve",
    "token_estimate",
]
