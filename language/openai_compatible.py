"""Any server that speaks OpenAI's chat completions: the real one, llama.cpp, vLLM, Ollama ...

    OpenAICompatible(model, base_url=..., timeout=60, retries=4, concurrency=8)

`OPENAI_BASE_URL` and `OPENAI_API_KEY` are read from the environment when not given; a server without a key works. The
key is never part of a message. Answers are asked for by JSON schema where the server takes one, else as JSON, else as
text: found out by the first refusal and remembered. Waiting is bounded: per try by `timeout`, in tries by `retries`, in
all by `patience`; `Retry-After` is honoured within that. A server that can't be reached, refuses the key or knows no
such model stops the run (EndpointUnreachable); one bad answer among good ones only fails its call (ModelError).
"""

from __future__ import annotations

import asyncio
import os
import time
from typing import TYPE_CHECKING, Any

from kernel import EndpointUnreachable, ModelError
from language.model import ModelReply, Request
from language.network import require_network
from language.prompting import Prompt, render
from language.schemas import strict_schema

if TYPE_CHECKING:
    from openai import AsyncOpenAI

DEFAULT_BASE_URL = "https://api.openai.com/v1"
MODES = ("json_schema", "json_object", "text")
"""How an answer's form is asked for, the strictest first."""
_FATAL = {401: "refuses the key", 403: "refuses access", 404: "knows no such model or path"}
_UNSUPPORTED = (400, 415, 422, 501)
_PATIENT_FAILURES = 5  # calls failing in a row, after some have worked, that mean the server is gone


class _Transient(ModelError):
    """A failure worth another try, after `wait` seconds where the server says so."""

    def __init__(self, what: str, *, place: str, wait: float | None = None, refused: bool = False) -> None:
        super().__init__(what, place=place)
        self.wait = wait
        self.refused = refused  # no connection at all


class OpenAICompatible:
    """A `LanguageModel`. Makes its client at the first question; use it within one event loop.

    timeout      seconds for one try, connection and answer
    retries      further tries of a call after a transient failure (connection, timeout, 408, 409, 429, 5xx)
    patience     seconds for all tries of one call together
    concurrency  calls under way at once
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        timeout: float = 60.0,
        retries: int = 4,
        patience: float = 180.0,
        concurrency: int = 8,
        temperature: float | None = None,
        first_wait: float = 0.5,
    ) -> None:
        self._model = model
        self.endpoint = (base_url or os.environ.get("OPENAI_BASE_URL") or DEFAULT_BASE_URL).rstrip("/")
        self._key = api_key if api_key is not None else os.environ.get("OPENAI_API_KEY", "")
        self._timeout = timeout
        self._tries = retries + 1
        self._patience = patience
        self._concurrency = concurrency
        self._temperature = temperature
        self._first_wait = first_wait
        self._client: AsyncOpenAI | None = None
        self._gate: asyncio.Semaphore | None = None
        self._mode = 0
        self._worked = False
        self._failures = 0

    def __repr__(self) -> str:
        return f"OpenAICompatible({self._model!r}, base_url={self.endpoint!r})"

    @property
    def name(self) -> str:
        """ "openai:NAME"."""
        return f"openai:{self._model}"

    @property
    def mode(self) -> str:
        """How the form of answers is asked for at present: one of MODES."""
        return MODES[self._mode]

    async def ask(self, request: Request) -> ModelReply:
        """One answer as text, with usage. Raises EndpointUnreachable or ModelError, within the bounds."""
        require_network(self.endpoint)
        prompt = render(request.operation, request.complaint)
        client, gate = self._connected()
        async with gate:
            began = time.monotonic()
            try:
                text, tokens_in, tokens_out = await self._persistently(client, prompt, request)
            except _Transient as error:
                self._failures += 1
                if error.refused or not self._worked or self._failures >= _PATIENT_FAILURES:
                    raise EndpointUnreachable(error.what, place=self.endpoint, hint="is the server running?") from None
                raise ModelError(error.what, place=self.endpoint) from None
        self._worked, self._failures = True, 0
        seconds = time.monotonic() - began
        return ModelReply(text=text, tokens_in=tokens_in, tokens_out=tokens_out, seconds=seconds, question=prompt.text)

    async def close(self) -> None:
        """Closes the connections."""
        if self._client is not None:
            client, self._client = self._client, None
            await client.close()

    def _connected(self) -> tuple[AsyncOpenAI, asyncio.Semaphore]:
        if self._client is None or self._gate is None:
            from openai import AsyncOpenAI, DefaultAioHttpClient

            # a server that wants no key ignores this one; the library wants some
            key = self._key or "none"
            self._client = AsyncOpenAI(
                api_key=key, base_url=self.endpoint, timeout=self._timeout, max_retries=0, http_client=DefaultAioHttpClient()
            )
            self._gate = asyncio.Semaphore(self._concurrency)
        return self._client, self._gate

    async def _persistently(self, client: AsyncOpenAI, prompt: Prompt, request: Request) -> tuple[str, int, int]:
        import stamina

        def worth(error: Exception) -> bool | float:
            if not isinstance(error, _Transient):
                return False
            if error.wait is None:
                return True
            return error.wait if error.wait <= self._patience else False

        async for attempt in stamina.retry_context(
            on=worth, attempts=self._tries, timeout=self._patience, wait_initial=self._first_wait, wait_jitter=self._first_wait
        ):
            with attempt:
                return await self._once(client, prompt, request)
        raise AssertionError("unreachable: the last attempt raises")  # pragma: no cover

    async def _once(self, client: AsyncOpenAI, prompt: Prompt, request: Request) -> tuple[str, int, int]:
        """One try, stepping down to a looser mode as often as the server wants. Raises _Transient and ModelError."""
        while True:
            mode = self._mode
            try:
                async with asyncio.timeout(self._timeout):
                    return self._read(await self._post(client, prompt, request, MODES[mode]))
            except ModelError:
                raise
            except TimeoutError:
                raise _Transient(f"no answer within {self._timeout:g} seconds", place=self.endpoint) from None
            except Exception as error:  # noqa: BLE001  the libraries below raise a zoo; each becomes one of ours
                failure = self._failure(error, mode)
            if failure is not None:
                raise failure from None  # the original holds headers, and they hold the key

    async def _post(self, client: AsyncOpenAI, prompt: Prompt, request: Request, mode: str) -> Any:
        extra: dict[str, Any] = {}
        if mode == "json_schema":
            schema = {"name": request.key.operation, "strict": True, "schema": strict_schema(request.operation.reply_type)}
            extra["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif mode == "json_object":
            extra["response_format"] = {"type": "json_object"}
        if self._temperature is not None:
            extra["temperature"] = self._temperature
        messages: list[Any] = [{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}]
        return await client.chat.completions.create(model=self._model, messages=messages, **extra)

    def _read(self, completion: Any) -> tuple[str, int, int]:
        """Text and usage of an answer, whatever is missing from it."""
        choices = getattr(completion, "choices", None)
        message = getattr(choices[0], "message", None) if isinstance(choices, list) and choices else None
        content = getattr(message, "content", None)
        if not isinstance(content, str):
            raise ModelError("the answer holds no text", place=self.endpoint)
        usage = getattr(completion, "usage", None)
        counts = [getattr(usage, field, 0) for field in ("prompt_tokens", "completion_tokens")]
        tokens_in, tokens_out = (count if isinstance(count, int) else 0 for count in counts)
        return content, tokens_in, tokens_out

    def _failure(self, error: Exception, mode: int) -> ModelError | None:
        """What an exception of the libraries means; None: try again at once in the next looser mode."""
        import openai

        if isinstance(error, openai.APIStatusError):
            return self._refusal(error, mode)
        # the client's aiohttp transport reports a refused connection as a timeout: the first cause knows better
        first = _first_cause(error)
        if isinstance(first, OSError) and not isinstance(first, TimeoutError):
            refused = not isinstance(first, ConnectionResetError | BrokenPipeError)
            return _Transient(f"no connection ({type(first).__name__})", place=self.endpoint, refused=refused)
        if isinstance(error, openai.APITimeoutError):
            return _Transient(f"no answer within {self._timeout:g} seconds", place=self.endpoint)
        return _Transient(f"no readable answer ({type(first).__name__})", place=self.endpoint)

    def _refusal(self, error: Any, mode: int) -> ModelError | None:
        status = int(error.status_code)
        said = self._scrubbed(str(error.message))
        if status in _UNSUPPORTED and mode + 1 < len(MODES):
            self._mode = max(self._mode, mode + 1)
            return None
        if status in _FATAL:
            return EndpointUnreachable(
                f"the server {_FATAL[status]} ({status}, model '{self._model}')",
                place=self.endpoint,
                hint="check OPENAI_API_KEY, OPENAI_BASE_URL and the model's name",
            )
        if status in (408, 409, 429) or status >= 500:
            return _Transient(f"the server answered {status}", place=self.endpoint, wait=_retry_after(error.response.headers))
        return ModelError(f"the server answered {status}: {said}", place=self.endpoint)

    def _scrubbed(self, text: str) -> str:
        """At most 200 characters of what a server said, without the key."""
        return (text.replace(self._key, "***") if self._key else text)[:200]


def _first_cause(error: BaseException) -> BaseException:
    """The exception that started it."""
    while (cause := error.__cause__ or error.__context__) is not None:
        error = cause
    return error


def _retry_after(headers: Any) -> float | None:
    """Seconds a server asks to wait: "retry-after-ms", or "retry-after" in seconds or as an HTTP date."""
    from email.utils import parsedate_to_datetime

    millis, said = headers.get("retry-after-ms"), headers.get("retry-after")
    try:
        if millis is not None:
            return max(0.0, float(millis) / 1000)
        return None if said is None else max(0.0, float(said))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(said).timestamp() - time.time())
    except (TypeError, ValueError):
        return None
