"""Any server that speaks OpenAI's chat completions: the real one, llama.cpp, vLLM, Ollama ...

    OpenAICompatible(model, server=find_server(), budget=Budget(), context=4096)

Answers are asked for by JSON schema where the server takes one, else as JSON, else as text: found out by the first
question, which goes alone, and remembered; so are the name of the limit on an answer's length, and whether a system
message and a temperature are taken (`Dialect`). Waiting is bounded: per try by `timeout`, in tries by `retries`, in all
by `patience`; `Retry-After` is honoured within that; how many questions go at once adapts (`language.adapting`). The
worst case is reserved before sending (`language.budget`). A server that can't be reached, refuses the key or knows no
such model stops the run (EndpointUnreachable); one bad answer among good ones only fails its call (ModelError).
"""

from __future__ import annotations

import asyncio
import json
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pydantic import SecretStr

from kernel import EndpointUnreachable, ModelError, UsageError
from language.adapting import AdaptiveLimit, Outcome
from language.budget import Budget, Reservation
from language.dialect import Dialect
from language.failures import Refused, Transient, failure_of, quiet_libraries, without_key
from language.fitting import fit
from language.model import ModelReply, Request
from language.network import require_network
from language.prices import cost, find_rates
from language.prompting import Prompt
from language.servers import Server, find_server
from language.tokens import MESSAGE_TOKENS, count_tokens, most_tokens

if TYPE_CHECKING:
    from openai import AsyncOpenAI

    from language.http import PlainClient, Repeating

_FAILURES = 5  # calls failing in a row, after some have worked, that mean the server is gone ...
_GONE_SECONDS = 30.0  # ... when none has worked for so long: where many are asked at once, five may fail by accident
_FAILURES_AT_FIRST = 3
_SILENT_AT_FIRST = 2  # tries that nothing came back from, before anything ever did; loading a model may take one
_REFUSED_SECONDS = 6.0  # how long a server that takes no connection is tried
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)
_NO_COUNT = 10**9  # tokens that no answer has
_OUTCOMES: dict[str, Outcome] = {"429": "overloaded", "503": "overloaded", "timeout": "lost"}


class OpenAICompatible:
    """A `LanguageModel`. Makes its client at the first question; use it within one event loop.

    `server` says where, with which key and within which bounds (default: `find_server()`); single settings of it may
    be given by name (`base_url`, `api_key`, `timeout`, `retries` ...). `context` limits question and answer together.
    """

    def __init__(
        self,
        model: str,
        *,
        server: Server | None = None,
        budget: Budget | None = None,
        context: int | None = None,
        first_wait: float = 0.5,
        spec: str | None = None,
        **settings: Any,
    ) -> None:
        found = server or (Server() if "base_url" in settings else find_server())
        if settings.get("api_key") is not None:
            settings["api_key"] = SecretStr(settings["api_key"])
        self._server = found.model_copy(update=settings)
        if urlsplit(self._server.base_url).username is not None:
            what = "the address of the server holds a user's name, which can't go along with a key"
            raise UsageError(what, place=self._server.endpoint, hint="write it without, and the key beside it")
        self._model = model
        self._spec = spec or f"openai:{model}"
        self._key = self._server.key
        self._context = min((c for c in (context, self._server.context) if c is not None), default=None)
        self._budget = budget or Budget()
        self._first_wait = first_wait
        self._client: AsyncOpenAI | None = None
        self._first: asyncio.Lock | None = None
        self._http: PlainClient | None = None
        self._again: Repeating | None = None
        self.limit = AdaptiveLimit(self._server.concurrency)
        self.dialect = Dialect()
        self.rates = self._server.price or find_rates(model, self._server.base_url)
        self._worked: float | None = None  # when it last gave a usable answer
        self._failures = 0
        self._heard: float | None = None  # when it last said anything at all
        self._silent = 0  # tries since then that nothing came back from

    def __repr__(self) -> str:
        return f"OpenAICompatible({self._model!r}, base_url={self.endpoint!r})"

    @property
    def name(self) -> str:
        """ "openai:NAME", or "openai:NAME@SERVER"."""
        return self._spec

    @property
    def endpoint(self) -> str:
        """The server's address, fit to be shown."""
        return self._server.endpoint

    @property
    def mode(self) -> str:
        """How the form of answers is asked for at present: one of `dialect.MODES`."""
        return self.dialect.mode

    async def ask(self, request: Request) -> ModelReply:
        """One answer as text, with usage. Raises EndpointUnreachable, BudgetReached or ModelError, within the bounds."""
        require_network(self.endpoint)
        thinking = self._server.thinking
        prompt = fit(request.operation, request.complaint, context=self._context, thinking=thinking)
        client = self._connected()
        began = time.monotonic()
        try:
            text, tokens_in, tokens_out = await self._persistently(client, prompt, request)
        except Transient as error:
            self._failures += 1
            silent = error.cause == "timeout" and (self._heard is None or self._heard < began)  # to anybody, all the while
            if error.refused or silent or self._gone():
                raise EndpointUnreachable(error.what, place=self.endpoint, hint="is the server running?") from None
            raise ModelError(error.what, place=self.endpoint) from None
        self._worked, self._failures = time.monotonic(), 0
        seconds = self._worked - began
        return ModelReply(text=text, tokens_in=tokens_in, tokens_out=tokens_out, seconds=seconds, question=prompt.text)

    def _gone(self) -> bool:
        if self._worked is None:
            return self._failures >= _FAILURES_AT_FIRST
        return self._failures >= _FAILURES and time.monotonic() - self._worked >= _GONE_SECONDS

    async def close(self) -> None:
        """Closes the connections."""
        if self._client is not None:
            client, self._client = self._client, None
            await client.close()

    def _connected(self) -> AsyncOpenAI:
        if self._client is None:
            from language.http import PlainClient

            self._http, self._again = PlainClient(), None
            self._client = make_client(self._server, self._key, self._http)
            self._first = asyncio.Lock()
        return self._client

    async def _persistently(self, client: AsyncOpenAI, prompt: Prompt, request: Request) -> tuple[str, int, int]:
        """Text and usage, after as many tries as are worth it."""
        began, patience = time.monotonic(), self._server.patience

        def worth(error: Exception) -> bool | float:
            if not isinstance(error, Transient):
                return False
            if error.refused:  # a dead port: tried for some seconds, in case the server is just starting
                return min(1.0, self._first_wait) if time.monotonic() - began < _REFUSED_SECONDS else False
            if self._heard is None and self._silent >= _SILENT_AT_FIRST:
                return False
            if error.wait is None:
                return True
            return error.wait if error.wait <= patience else False

        failed: Transient | None
        try:
            return await self._admitted(client, prompt, request)
        except Transient as error:  # only now is the machinery of retrying worth its time
            failed = error
        import stamina

        async for attempt in stamina.retry_context(
            on=worth,
            attempts=self._server.retries + 1,
            timeout=max(0.001, patience - (time.monotonic() - began)),
            wait_initial=self._first_wait,
            wait_jitter=self._first_wait,
        ):
            with attempt:
                if failed is not None:
                    first, failed = failed, None
                    raise first
                return await self._admitted(client, prompt, request)
        raise AssertionError("unreachable: the last attempt raises")  # pragma: no cover

    async def _admitted(self, client: AsyncOpenAI, prompt: Prompt, request: Request) -> tuple[str, int, int]:
        """One try, when the limit lets it; alone, while nothing has been answered yet."""
        if not self.dialect.known and self._first is not None:
            async with self._first:
                if not self.dialect.known:
                    return await self._try(client, prompt, request)
        return await self._try(client, prompt, request)

    async def _try(self, client: AsyncOpenAI, prompt: Prompt, request: Request) -> tuple[str, int, int]:
        outcome: Outcome = "failed"
        slot = await self.limit.enter(request.key.step)
        try:
            began = time.monotonic()
            found = await self._understood(client, prompt, request)
            slow = self.limit.slow(request.key.operation, time.monotonic() - began)
            outcome = "overloaded" if slow else "good"
            return found
        except Transient as error:
            request.trace.trouble(error.cause)
            outcome = _OUTCOMES.get(error.cause, "failed")
            raise
        except ModelError as error:
            request.trace.trouble(getattr(error, "cause", "refused"))
            raise
        finally:
            self.limit.leave(slot, outcome)

    async def _understood(self, client: AsyncOpenAI, prompt: Prompt, request: Request) -> tuple[str, int, int]:
        """One try, put in another way as often as the server doesn't take the way it is put."""
        dialect = self.dialect
        while True:
            body, worst = self._body(prompt, request, dialect)
            try:
                found = await self._once(client, prompt, request, body, worst)
            except Refused as error:
                other = dialect.instead(error.status, error.said)
                if other is None:
                    raise ModelError(error.what, place=self.endpoint, hint=error.hint) from None
                dialect = other
                continue
            self.dialect = self.dialect.learned(dialect)
            return found

    def _body(self, prompt: Prompt, request: Request, dialect: Dialect) -> tuple[bytes, int]:
        """What is sent, and the most tokens its question can have: servers may show the form of the answer to the model."""
        most = prompt.reply + self._server.thinking
        body = {"model": self._model, **dialect.body(prompt, most)}
        if self._server.temperature is not None and dialect.temperature:
            body["temperature"] = self._server.temperature
        form = dialect.form_of(request.operation)
        worst = sum(most_tokens(m["content"]) + MESSAGE_TOKENS for m in body["messages"]) + most_tokens(form)
        # the form is long and the same in every question of its kind: it is put into words once
        text = _ENCODER.encode(body)
        return (f'{text[:-1]},"response_format":{form}}}' if form else text).encode("utf-8", "replace"), worst

    async def _once(
        self, client: AsyncOpenAI, prompt: Prompt, request: Request, body: bytes, worst_in: int
    ) -> tuple[str, int, int]:
        """One request. Raises Transient, Refused and ModelError; what it cost is settled whatever happens."""
        worst_out = prompt.reply + self._server.thinking
        held = await self._budget.reserve(worst_in + worst_out, self._usd(worst_in, worst_out))
        trace = request.trace
        failure: ModelError | None = None
        try:
            trace.sent += 1
            async with asyncio.timeout(self._server.timeout):
                answer = await self._sent(client, body)
                self._hears()
            return self._read(json.loads(answer), prompt, held, request)
        except ModelError as error:
            failure = error
        except TimeoutError:
            failure = Transient(f"no answer within {self._server.timeout:g} seconds", cause="timeout", place=self.endpoint)
        except Exception as error:  # noqa: BLE001  the libraries below raise a zoo; each becomes one of ours
            failure = failure_of(error, self.endpoint, self._model, self._key, self._server.timeout)
        finally:
            self._give_back(held, failure, request)
        if getattr(failure, "cause", "") == "timeout":
            self._silent += 1
        elif not getattr(failure, "refused", False):
            self._hears()
        assert failure is not None
        raise failure from None  # the original holds headers, and they hold the key

    async def _sent(self, client: AsyncOpenAI, body: bytes) -> bytes:
        """The answer to a body: the first through the whole of the library, the others as that one was."""
        if self._again is not None:
            return await self._again.post(body)
        from language.http import RESPONSE, Repeating

        # the library's general call, its answer as it came: its typed one walks through every schema again
        came = await client.post("/chat/completions", cast_to=RESPONSE, content=body)
        if self._http is not None and not came.history:  # where it was sent elsewhere, the library sees to that each time
            try:
                self._again = Repeating(self._http, came)
            except AttributeError:  # another version of the library beneath: each question goes through the whole of it
                self._http = None
        return bytes(came.content)

    def _give_back(self, held: Reservation, failure: ModelError | None, request: Request) -> None:
        """What a try without usage cost: nothing where the server turned it away, else the worst case."""
        if not held.open:
            return
        if isinstance(failure, Refused | EndpointUnreachable) or (isinstance(failure, Transient) and failure.unbilled):
            held.refused()
        else:
            held.lost()
            request.trace.paid(held.usd)

    def _read(self, completion: Any, prompt: Prompt, held: Reservation, request: Request) -> tuple[str, int, int]:
        """Text and usage of an answer, whatever is missing from it. Raises Transient and ModelError."""
        whole = completion if isinstance(completion, dict) else {}
        choices = whole.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        message = choice.get("message") if isinstance(choice, dict) else None
        message = message if isinstance(message, dict) else {}
        content = message.get("content")
        if isinstance(content, list):
            content = "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
        usage = whole.get("usage")
        counts = [usage.get(name) if isinstance(usage, dict) else None for name in ("prompt_tokens", "completion_tokens")]
        told: list[int] = [count for count in counts if isinstance(count, int) and 0 <= count < _NO_COUNT]
        if len(told) == 2 and any(told):
            tokens_in, tokens_out = told
            usd = self._usd(tokens_in, tokens_out)
            held.settle(tokens_in + tokens_out, usd)
            request.trace.paid(usd)
        elif isinstance(content, str):  # no usage: reckoned by the worst case, reported by our own count
            tokens_in, tokens_out = count_tokens(prompt.text) + 2 * MESSAGE_TOKENS, count_tokens(content)
        if message.get("refusal") and not content:
            raise ModelError("the model refuses to answer", place=self.endpoint)
        if not isinstance(content, str):
            raise Transient("the answer holds no text", cause="garbage", place=self.endpoint)
        told_text = without_key(content, self._key)
        if content and not told_text:
            raise ModelError("the answer spells out the key and isn't kept", place=self.endpoint)
        return told_text, tokens_in, tokens_out

    def _hears(self) -> None:
        self._heard, self._silent = time.monotonic(), 0

    def _usd(self, tokens_in: int, tokens_out: int) -> float | None:
        return cost(self.rates, tokens_in, tokens_out) if self.rates is not None else None


def make_client(server: Server, key: str, http: PlainClient) -> AsyncOpenAI:
    """The openai package's client on aiohttp, without retries of its own."""
    from openai import AsyncOpenAI, Timeout

    quiet_libraries()
    return AsyncOpenAI(
        api_key=key or "none",  # a server that wants no key ignores this one; the library wants some
        base_url=server.base_url,
        timeout=Timeout(server.timeout, connect=min(server.connect, server.timeout)),
        max_retries=0,
        http_client=http,
    )
