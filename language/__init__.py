"""The language room: typed questions to language models, who answers them, and the wording all share.

Parts: values and operations (what is asked), replies (what comes back), the model contract and the gateway every call
passes, the providers (offline, OpenAI-compatible, recorded, scripted), embeddings, phrases.
"""

from typing import TYPE_CHECKING

from language.asking import abandon, begin, side_by_side, waited_for
from language.budget import Budget, Limits, Spend, parse_budget
from language.encoding import request_hash, request_text
from language.fallbacks import fallback_of, falls_back
from language.gateway import Gateway, OperationStatistics
from language.ledger import MemoryLedger, NoLedger
from language.model import Answer, Ask, Call, CallKey, Embedder, LanguageModel, Ledger, ModelReply, Request, Trace
from language.network import network_forbidden
from language.offline import OfflineModel, responder, responder_for
from language.offline.grammar import named
from language.openai_compatible import OpenAICompatible
from language.operations import (
    OPERATIONS,
    AnswerQuestion,
    AskQuestions,
    Decompose,
    DrawInsights,
    Operation,
    PlanDay,
    PlanHours,
    RateImportance,
    React,
    RecallTalk,
    Settle,
    Speak,
    SummariseSelf,
)
from language.prompting import Prompt, register_prompt, render
from language.recorded import RecordedModel, Recorder, Recording
from language.replies import (
    DayOutline,
    HourBlock,
    HourPlan,
    Insight,
    Insights,
    Meeting,
    Part,
    Questions,
    Ratings,
    Reaction,
    Recall,
    ReplyModel,
    SelfSummary,
    Settling,
    SpokenAnswer,
    Task,
    TaskList,
    Turn,
)
from language.scripted import HANG, ScriptedModel, nonsense
from language.tokens import count_tokens, estimate_tokens
from language.values import (
    Commitment,
    Event,
    Line,
    News,
    Person,
    PlaceOption,
    Recollection,
    Relation,
    Scene,
    Statement,
)
from language.wording import Wording, phrase, templates

if TYPE_CHECKING:
    from language.embedding import HashEmbedder, WordllamaEmbedder

__all__ = [
    "HANG",
    "OPERATIONS",
    "Answer",
    "AnswerQuestion",
    "Ask",
    "AskQuestions",
    "Budget",
    "Call",
    "CallKey",
    "Commitment",
    "DayOutline",
    "Decompose",
    "DrawInsights",
    "Embedder",
    "Event",
    "Gateway",
    "HashEmbedder",
    "HourBlock",
    "HourPlan",
    "Insight",
    "Insights",
    "LanguageModel",
    "Ledger",
    "Limits",
    "Line",
    "Meeting",
    "MemoryLedger",
    "ModelReply",
    "News",
    "NoLedger",
    "OfflineModel",
    "OpenAICompatible",
    "Operation",
    "OperationStatistics",
    "Part",
    "Person",
    "PlaceOption",
    "PlanDay",
    "PlanHours",
    "Prompt",
    "Questions",
    "RateImportance",
    "Ratings",
    "React",
    "Reaction",
    "Recall",
    "RecallTalk",
    "Recollection",
    "RecordedModel",
    "Recorder",
    "Recording",
    "Relation",
    "ReplyModel",
    "Request",
    "Scene",
    "ScriptedModel",
    "SelfSummary",
    "Settle",
    "Settling",
    "Speak",
    "Spend",
    "SpokenAnswer",
    "Statement",
    "SummariseSelf",
    "Task",
    "TaskList",
    "Trace",
    "Turn",
    "Wording",
    "WordllamaEmbedder",
    "abandon",
    "begin",
    "count_tokens",
    "estimate_tokens",
    "fallback_of",
    "falls_back",
    "named",
    "network_forbidden",
    "nonsense",
    "parse_budget",
    "phrase",
    "register_prompt",
    "render",
    "request_hash",
    "request_text",
    "responder",
    "responder_for",
    "side_by_side",
    "templates",
    "waited_for",
]


def __getattr__(name: str) -> object:
    """Embedders are imported when first asked for: they bring numpy, and reading a wording file needs none."""
    if name in ("HashEmbedder", "WordllamaEmbedder"):
        from language import embedding

        return getattr(embedding, name)
    raise AttributeError(f"module 'language' has no attribute '{name}'")
