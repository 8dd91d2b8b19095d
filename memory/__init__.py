"""What residents remember: stream, retrieval, filtered views, drafts, relationships, the map they know, town-wide search."""

from memory.draft import Draft
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
    "Candidates",
    "Condition",
    "Draft",
    "Hit",
    "Kind",
    "KnownMap",
    "MindView",
    "Readable",
    "Record",
    "Relationship",
    "Relationships",
    "Retrieval",
    "Scored",
    "Stream",
    "TownSearch",
    "Weights",
    "density",
    "graph",
    "relationship",
    "retrieve",
    "token_estimate",
]
