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

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Request:
    """One question on its way to a provider. `seed` is the run's; `attempt` counts from 0; `complaint` says what was
    wrong with the previous attempt's answer ("" at first)."""

    key: CallKey
    operation: Operation[ReplyModel]
    seed: int
    attempt: int = 0
    complaint: str = ""


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
    `reply_json` the typed reply that was used; `raw` the provider's own words (empty when it answered typed).
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
