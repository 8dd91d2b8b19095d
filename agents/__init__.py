"""Who lives in the town: the mind contract, minds, and what they share (perception, talk, reflection, reactions)."""

from agents.mind import Deliberation, InterviewAnswer, Mind, MindInit, Tiding, Writes
from agents.registry import make_mind, mind_kinds
from agents.resident import Dweller, MindJournal
from agents.settings import MindSettings

__all__ = [
    "Deliberation",
    "Dweller",
    "InterviewAnswer",
    "Mind",
    "MindInit",
    "MindJournal",
    "MindSettings",
    "Tiding",
    "Writes",
    "make_mind",
    "mind_kinds",
]
