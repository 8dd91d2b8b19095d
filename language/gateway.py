"""The gateway: every question to a language model passes here, and a usable answer always comes back.

    Gateway(model, by_operation={}, ledger=..., seed=..., retries=2)
    .asker(resident, step) -> Ask            bound to one resident and step; counts n per operation
    .statistics                              per operation: count, tokens, seconds, fallbacks ... for the progress line

Life of a call (design rule 7): a reply stored for the key and content is used again; else the provider is asked, its
answer parsed, repaired, validated, checked against the operation; a bad one is asked again with the complaint, and
after `retries` of those the fallback answers, with the reason on file. With the offline model nothing here suspends.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from pydantic import ValidationError

from kernel import BudgetReached, EndpointUnreachable, ModelError, ReplyInvalid, ReplyMissing
from language.checks import check, disclaims
from language.encoding import request_hash, request_text
from language.fallbacks import fallback_of
from language.model import Answer, Ask, Call, CallKey, LanguageModel, Ledger, ModelReply, Request, Trace
from language.operations import Operation
from language.parsing import LONGEST, clean, complain, is_clean, parse
from language.recorded import RecordedFallback
from language.replies import ReplyModel

R = TypeVar("R", bound=ReplyModel)

PATIENCE = 600.0
"""Seconds after which a provider that hasn't answered counts as failed; providers have tighter bounds of their own."""

_log = logging.getLogger("townfolk.language")


@dataclass(slots=True)
class OperationStatistics:
    """What one operation has cost so far. `reused` replies came from the ledger and aren't in `count`.

    `retried` counts further attempts, `repaired` answers whose JSON was mended, `dropped` citations that don't exist.
    """

    count: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    fallbacks: int = 0
    repaired: int = 0
    retried: int = 0
    dropped: int = 0
    reused: int = 0
    cost: float = 0.0


class Gateway:
    """Asks models on behalf of minds. `by_operation` gives single operations (by name) to other models."""

    def __init__(
        self,
        model: LanguageModel,
        *,
        by_operation: Mapping[str, LanguageModel] | None = None,
        ledger: Ledger,
        seed: int,
        retries: int = 2,
        patience: float = PATIENCE,
    ) -> None:
        self._model = model
        self._by_operation = dict(by_operation or {})
        self._ledger = ledger
        self._seed = seed
        self._retries = retries
        self._patience = patience
        self.waits = not all(getattr(one, "immediate", False) for one in (model, *self._by_operation.values()))
        """Whether some answers take time."""
        self.statistics: dict[str, OperationStatistics] = {}
        self.pending: dict[CallKey, None] = {}
        """Calls whose answer is waited for, the oldest first."""

    @property
    def models(self) -> dict[str, str]:
        """Name of the model in use: "" the general one, then by operation."""
        return {"": self._model.name, **{name: model.name for name, model in sorted(self._by_operation.items())}}

    def asker(self, resident: str, step: int) -> Ask:
        """What a mind thinks with at this step. Raises nothing; asking may raise EndpointUnreachable, BudgetReached."""
        return _Asker(self, resident, step)

    async def close(self) -> None:
        """Closes every model once."""
        models = [self._model, *self._by_operation.values()]
        for model in {id(model): model for model in models}.values():
            await model.close()

    def statistics_of(self, operation: str) -> OperationStatistics:
        """The figures of one operation, made when first needed."""
        found = self.statistics.get(operation)
        if found is None:
            found = self.statistics[operation] = OperationStatistics()
        return found

    async def ask(self, key: CallKey, operation: Operation[R]) -> Answer[R]:
        """One call. Raises EndpointUnreachable and BudgetReached, and of a strict recording ReplyMissing, which stop a
        run cleanly; nothing else."""
        text = request_text(operation)
        content = request_hash(operation, text)
        stats = self.statistics_of(key.operation)
        kept = self._ledger.stored(key, content)
        if kept is not None:
            try:
                reply = operation.reply_type.model_validate_json(kept)
            except ValidationError:
                _log.warning("%s: the stored reply doesn't fit any more and is asked for again", key)
            else:
                stats.reused += 1
                return Answer(cast(R, reply), str(key))
        model = self._by_operation.get(key.operation, self._model)
        trial = _Trial(text)
        self.pending[key] = None
        try:
            await self._try(model, Request(key, cast(Operation[ReplyModel], operation), self._seed, trace=trial.trace), trial)
        finally:
            self.pending.pop(key, None)
        accepted = trial.reply if trial.reply is not None else fallback_of(operation)
        call = Call(
            key=key,
            model=model.name,
            request_hash=content,
            request_text=trial.question,
            reply_json=trial.reply_json if trial.reply is not None else accepted.model_dump_json(),
            raw=trial.raw,
            attempts=trial.attempts,
            tokens_in=trial.tokens_in,
            tokens_out=trial.tokens_out,
            seconds=trial.seconds,
            fallback=trial.reason if trial.reply is None else None,
            repaired=trial.repaired,
            sent=trial.trace.sent,
            troubles=dict(sorted(trial.trace.troubles.items())),
            cost=trial.trace.cost,
        )
        self._ledger.called(call)
        self._count(stats, call, trial.dropped)
        return Answer(cast(R, accepted), str(key), call.fallback)

    async def _try(self, model: LanguageModel, first: Request, trial: _Trial) -> None:
        """Asks until an answer is accepted or the attempts are used up; `trial` holds what came of it."""
        request = first
        for attempt in range(self._retries + 1):
            trial.attempts = attempt + 1
            try:
                got = await self._answer(model, request)
                trial.take(got)
                self._accept(first.operation, got, trial)
                return
            except (EndpointUnreachable, BudgetReached):
                raise
            except ReplyMissing as error:
                if getattr(model, "strict", False) and not isinstance(error, RecordedFallback):
                    raise
                trial.reason = f"{type(error).__name__}: {error.sentence()}"
                return  # a recording won't hold it the next time either
            except ModelError as error:
                trial.reason = f"{type(error).__name__}: {error.what}"
                complaint = ""
                if isinstance(error, ReplyInvalid):
                    complaint = error.what
                    trial.trace.trouble("invalid")
            except Exception as error:  # noqa: BLE001  a provider's own mistake mustn't stop the town; it is on file
                _log.warning("%s: %s failed", first.key, model.name, exc_info=True)
                trial.reason = f"{type(error).__name__} in the model '{model.name}'"
                complaint = ""
            request = Request(first.key, first.operation, first.seed, attempt + 1, complaint, trial.trace)

    async def _answer(self, model: LanguageModel, request: Request) -> ModelReply:
        if getattr(model, "immediate", False):
            return await model.ask(request)
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return await model.ask(request)  # driven without a loop: nothing to wait for, no clock to wait by
        try:
            async with asyncio.timeout(self._patience):
                return await model.ask(request)
        except TimeoutError:
            raise ModelError(f"no answer within {self._patience:g} seconds") from None

    def _accept(self, operation: Operation[Any], got: ModelReply, trial: _Trial) -> None:
        """Makes a reply of an answer, into `trial`. Raises ReplyInvalid."""
        kind = operation.reply_type
        if not isinstance(got, ModelReply):
            raise ReplyInvalid("the provider gave no ModelReply")
        reply, repaired = got.value, False
        if reply is None:
            reply, repaired = parse(got.text, kind)
        elif not isinstance(reply, kind):
            raise ReplyInvalid(f"a {kind.__name__} was asked for, not a {type(reply).__name__}")
        reply_json = reply.model_dump_json()
        if got.value is None:
            sign = disclaims(reply_json, trial.request_text)
            if sign is not None:
                raise ReplyInvalid("the answer holds an error message, an apology or a piece of the prompt")
        elif not is_clean(reply_json):
            reply = _cleaned(reply, kind)
            reply_json = reply.model_dump_json()
        checked, dropped = check(operation, reply)
        if checked is not reply:
            reply_json = checked.model_dump_json()
        trial.reply, trial.reply_json, trial.repaired, trial.dropped = checked, reply_json, repaired, dropped

    def _count(self, stats: OperationStatistics, call: Call, dropped: int) -> None:
        stats.count += 1
        stats.tokens_in += call.tokens_in
        stats.tokens_out += call.tokens_out
        stats.seconds += call.seconds
        stats.fallbacks += call.fallback is not None
        stats.repaired += call.repaired
        stats.retried += call.attempts - 1
        stats.dropped += dropped
        stats.cost += call.cost or 0.0


def _cleaned(reply: ReplyModel, kind: type[ReplyModel]) -> ReplyModel:
    try:
        return kind.model_validate(clean(reply.model_dump(mode="json")))
    except ValidationError as error:
        raise ReplyInvalid(complain(error)) from None


@dataclass(slots=True)
class _Trial:
    """What the attempts at one call have come to. Costs add up over attempts; `question` and `raw` are the last ones."""

    request_text: str
    question: str = field(init=False)
    reply: ReplyModel | None = None
    reply_json: str = ""
    raw: str = ""
    reason: str = ""
    attempts: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    seconds: float = 0.0
    repaired: bool = False
    dropped: int = 0
    trace: Trace = field(default_factory=Trace)

    def __post_init__(self) -> None:
        self.question = self.request_text

    def take(self, got: object) -> None:
        """Adds the costs of one answer."""
        if isinstance(got, ModelReply):
            self.question = got.question or self.question
            self.raw = got.text[:LONGEST].encode("utf-8", "replace").decode() if got.value is None else ""
            self.tokens_in += got.tokens_in
            self.tokens_out += got.tokens_out
            self.seconds += got.seconds


class _Asker:
    """An `Ask`. A new one for the same (resident, step) counts from 0 again, so that thinking twice asks the same."""

    __slots__ = ("_counts", "_gateway", "_resident", "_step")

    def __init__(self, gateway: Gateway, resident: str, step: int) -> None:
        self._gateway = gateway
        self._resident = resident
        self._step = step
        self._counts: dict[str, int] = {}

    @property
    def waits(self) -> bool:
        """Whether answers take time."""
        return self._gateway.waits

    async def __call__(self, operation: Operation[R]) -> Answer[R]:
        name = operation.name
        n = self._counts.get(name, 0)
        self._counts[name] = n + 1
        return await self._gateway.ask(CallKey(self._resident, self._step, name, n), operation)
