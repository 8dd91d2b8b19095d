"""A record of the memory stream."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from kernel import RecordId
from town.speech import Fact

Kind = Literal["observation", "conversation", "reflection", "plan"]


@dataclass(frozen=True, slots=True)
class Record:
    """One memory. Immutable; its last-accessed step is kept beside it in the stream, since retrieval moves that.

    text        one sentence, third person ("Klaus Mueller is reading about gentrification")
    created     step of storing (-1: known from the start)
    importance  1..10
    people      full names of residents it concerns (the keyword index; matched whatever their case)
    about       the one person (or object address) it is mainly about, None: oneself or nobody
    address     where it happened or is planned
    evidence    records it rests on (reflections, plans)
    fact        the fact it carries, if any; `heard_from` who passed it on, None: first hand; `source` the utterance
    span        (start, end) steps, for plans
    tag         a finer word within the kind: "identity", "acquaintance", "seen", "state", "event", "overheard",
                "talk", "memo", "learned", "told-of", "promise", "refusal", "insight", "intention", "thought", "day",
                "hour", "task", "done", "attended", "absence", "voice", "to-tell"
    tone        -1 (hurtful) .. 1 (warm): how it went between oneself and `people` or `about` (tags "talk", "memo",
                "absence", "told-of"); of an "acquaintance": the closeness at the start (see `memory.relationships`)
    how         of an "acquaintance": what the other is to oneself in a word or two ("wife", "rival")
    """

    id: RecordId
    kind: Kind
    text: str
    created: int
    importance: int
    people: tuple[str, ...] = ()
    about: str | None = None
    address: str | None = None
    evidence: tuple[RecordId, ...] = ()
    fact: Fact | None = None
    heard_from: str | None = None
    source: RecordId | None = None
    span: tuple[int, int] | None = None
    tag: str = ""
    tone: float = 0.0
    how: str = ""
