"""The contract of a language model, and of the `ask` that minds are given.

A provider is one class with one coroutine. Life of a call:

    mind: answer = await ask(operation)                 # Ask: bound to (resident, step); counts n per operation
      gateway: stored reply for the key? -> use it      # resume and replay: design rule 4, 7
               model.ask(Request) -> ModelReply          # offline, openai, recorded, scripted
               text -> reply type: validate, repair, retry, then fallback (counted, with the reason)
               ledger.called(Call)                      # stored on arrival
    mind: uses answer.reply, keeps answer.call as the reason of what it does
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Generic, NamedTuple, Protocol, TypeVar

from language.operations import Operation
from language.replies import ReplyModel

R = TypeVar("R", bound=ReplyModel)


class CallKey(NamedTuple):
    """Names one call: the n-th use of an operation by a resident at a step. Text form `resident/step/operation/n`."""

    resident: str
    step: int
    operation: str
    n: int

    def __str__(self) -> str:
        return f"{self.resident}/{self.step}/{self.operation}/{self.n}"


@dataclass(slots=True)
class Trace:
    """What a provider notes about a question while it is asked, so that errors and cancellation lose nothing.

    `sent` requests that went out; `troubles` what went wrong with tries, by cause ("429", "timeout", ...) -> how often;
    `cost` US dollars so far, None when nobody knows the price or nothing costs anything.
    """

    sent: int = 0
    troubles: dict[str, int] = field(default_factory=dict)
    cost: float | None = None

    def trouble(self, cause: str) -> None:
        """One more try that failed for this cause."""
        self.troubles[cause] = self.troubles.get(cause, 0) + 1

    def paid(self, usd: float | None) -> None:
        """Adds a cost, when it is known."""
        if usd is not None:
            self.cost = (self.cost or 0.0) + usd


@dataclass(frozen=True, slots=True)
class Request:
    """One question on its way to a provider. `seed` is the run's; `attempt` counts from 0; `complaint` says what was
    wrong with the previous attempt's answer ("" at first); `trace` is the provider's to write on."""

    key: CallKey
    operation: Operation[ReplyModel]
    seed: int
    attempt: int = 0
    complaint: str = ""
    trace: Trace = field(default_factory=Trace, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ModelReply:
    """A provider's answer: `value` when it is typed already (offline), else `text` to be parsed and validated.

    Tokens as the provider counts them (0: not counted); `seconds` of wall time. `question` is the exact prompt, for
    `Call.request_text` ("": the operation's fields as canonical JSON).
    """

    text: str = ""
    value: ReplyModel | None = None
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    question: str = ""


class LanguageModel(Protocol):
    """A provider. Must be safe to use from many tasks of one event loop at once."""

    @property
    def name(self) -> str:
        """As in `--model`: "offline", "openai:NAME", "replay:FILE", "scripted"."""

    async def ask(self, request: Request) -> ModelReply:
        """Answers, or raises `kernel.ModelError` (ReplyMissing, EndpointUnreachable, ...)."""

    async def close(self) -> None:
        """Frees connections; the model isn't used afterwards."""


@dataclass(frozen=True, slots=True)
class Call:
    """A finished call, as the run file keeps it. `fallback` is the reason when the reply is the fallback's, else None.

    `request_text` is the exact question (prompt, or the operation's fields as canonical JSON for the offline model);
    `request_hash` names its content whichever the provider: the operation's fields and the whole persona;
    `reply_json` the typed reply that was used; `raw` the provider's own words (empty when it answered typed). `sent`,
    `troubles` and `cost` are the trace's; among the troubles is "invalid" for answers that could not be used.
    """

    key: CallKey
    model: str
    request_hash: str
    request_text: str
    reply_json: str
    raw: str
    attempts: int
    tokens_in: int
    tokens_out: int
    seconds: float
    fallback: str | None = None
    repaired: bool = False
    sent: int = 0
    troubles: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    cost: float | None = None


class Ledger(Protocol):
    """Where calls are kept, and looked up again on resume."""

    def called(self, call: Call) -> None:
        """Stored on arrival (design rule 7)."""

    def stored(self, key: CallKey, request_hash: str) -> str | None:
        """The `reply_json` stored for this key and hash, or None."""


@dataclass(frozen=True, slots=True)
class Answer(Generic[R]):
    """What `ask` returns. `call` is the text form of the CallKey; `fallback` the reason, None when a model answered."""

    reply: R
    call: str
    fallback: str | None = None


class Ask(Protocol):
    """What a mind is given to think with; bound to one resident and step."""

    async def __call__(self, operation: Operation[R]) -> Answer[R]:
        """Never raises for a bad answer: the fallback is used, counted and marked. May raise BudgetReached."""


class Embedder(Protocol):
    """Text -> vectors of int8 levels (-127..127) held in float32, so that dot products are exact (design rule 1)."""

    @property
    def name(self) -> str:
        """Identifies model and dimension ("wordllama-256"); a run refuses another."""

    @property
    def dimensions(self) -> int:
        """Length of a vector, at most 1,024."""

    def embed(self, texts: list[str]) -> object:
        """-> numpy float32 array (len(texts), dimensions) of whole numbers in -127..127; a zero row for no words."""
