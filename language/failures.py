"""What goes wrong between here and a model's server, as errors of ours with a cause to count.

    Transient          worth another try: connection, timeout, 408, 409, 429, 5xx, an answer that breaks off
    Refused            turned down as it was put (400, 422 ...): another dialect may help
    failure_of(error, ...)     any exception of the libraries below -> Transient, Refused, EndpointUnreachable, ModelError
    without_key(text, key)     what a server says, without the key, however it is written

Causes, as `calls.troubles` and the report count them: "429", "500" and other statuses, "timeout", "no connection", "cut
off" (half a body, a connection dropped), "garbage" (no readable completion), "refused", and the gateway's "invalid" (a
reply that can't be used). No message ever holds the key.
"""

from __future__ import annotations

import logging
import re
import time
from typing import Any

from kernel import EndpointUnreachable, ModelError
from language.parsing import invisible_dropped

_FATAL = {401: "refuses the key", 403: "refuses access", 404: "knows no such model or path"}
_AGAIN = (408, 409, 425, 429)
_LONGEST = 200
_LAYERS = 3
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")
_CUT_OFF = {"ClientPayloadError", "ServerDisconnectedError", "RemoteProtocolError", "IncompleteReadError"}
_MISUNDERSTOOD = ("response_format", "json_schema")
_NOT_CONNECTED = {"ConnectTimeout", "ConnectionTimeoutError"}  # names of the client's and of its transport's errors


class Transient(ModelError):
    """A failure worth another try, after `wait` seconds where the server says so.

    `cause` names it in counts; `refused`: no connection at all; `unbilled`: the server turned it away before any work.
    """

    def __init__(
        self, what: str, *, cause: str, place: str, wait: float | None = None, refused: bool = False, unbilled: bool = False
    ) -> None:
        super().__init__(what, place=place)
        self.cause, self.wait, self.refused, self.unbilled = cause, wait, refused, unbilled


class Refused(ModelError):
    """A request the server doesn't take as it is put. `said` are its words, without the key."""

    def __init__(self, what: str, *, status: int, said: str, place: str, hint: str | None = None) -> None:
        super().__init__(what, place=place, hint=hint)
        self.status, self.said = status, said


def without_key(text: str, key: str) -> str:
    """What a server says with `***` for the key. Where it spells the key so that a reader of JSON would see it (escapes, slashes,
    characters that don't show), nothing of it is kept: ""."""
    if not key:
        return text
    text = text.replace(key, "***")
    plain = text
    for _ in range(_LAYERS if "\\" in text else 1):  # JSON within JSON
        plain = invisible_dropped(_ESCAPED.sub(lambda found: chr(int(found[1], 16)), plain).replace("\\/", "/"))
        if key in plain or key in plain.replace("\\", ""):
            return ""
    return text


def quiet_libraries() -> None:
    """The retrying library tells standard error of each try; ours are counted in `calls.troubles` instead. Those of HTTP tell
    their logs addresses and what servers say in headers, and either may hold what is secret."""
    for name in ("openai", "httpx", "httpx2"):
        logging.getLogger(name).setLevel(logging.WARNING)
    from stamina.instrumentation import set_on_retry_hooks

    set_on_retry_hooks(())


def failure_of(error: Exception, endpoint: str, model: str, key: str, timeout: float) -> ModelError:
    """What an exception of the libraries means."""
    import openai

    if isinstance(error, openai.APIStatusError):
        return _status(error, endpoint, model, key)
    # the client's aiohttp transport reports a refused connection as a timeout: the first cause knows better
    first = _chain(error)[-1]
    if isinstance(first, OSError) and not isinstance(first, TimeoutError):
        if isinstance(first, ConnectionResetError | BrokenPipeError):
            return Transient("the connection was dropped", cause="cut off", place=endpoint)
        what = f"no connection ({type(first).__name__})"
        return Transient(what, cause="no connection", place=endpoint, refused=True, unbilled=True)
    names = {type(link).__name__ for link in _chain(error)}
    if names & _CUT_OFF:
        return Transient("the answer breaks off", cause="cut off", place=endpoint)
    if type(first).__name__ in _NOT_CONNECTED:
        return Transient("no connection in time", cause="no connection", place=endpoint, refused=True, unbilled=True)
    if isinstance(error, openai.APITimeoutError):
        return Transient(f"no answer within {timeout:g} seconds", cause="timeout", place=endpoint)
    return Transient(f"no readable answer ({type(first).__name__})", cause="garbage", place=endpoint)


def _status(error: Any, endpoint: str, model: str, key: str) -> ModelError:
    status = int(error.status_code)
    said = without_key(str(error.message), key)[:_LONGEST]
    if status in _FATAL:
        return EndpointUnreachable(
            f"the server {_FATAL[status]} ({status}, model '{model}')",
            place=endpoint,
            hint="check OPENAI_API_KEY, OPENAI_BASE_URL and the model's name",
        )
    if status >= 500 and any(sign in str(error.message) for sign in _MISUNDERSTOOD):
        status = 422  # llama-cpp-python's server says 500 to a form of answer it doesn't know
    if status in _AGAIN or (status >= 500 and status != 501):
        wait = _retry_after(error.response.headers)
        return Transient(f"the server answered {status}", cause=str(status), place=endpoint, wait=wait, unbilled=True)
    hint = "try a smaller --context" if "context" in said.casefold() else None
    return Refused(f"the server answered {status}: {said}", status=status, said=said, place=endpoint, hint=hint)


def _chain(error: BaseException) -> list[BaseException]:
    """The exception and what it came from, the origin last."""
    chain = [error]
    while (cause := chain[-1].__cause__ or chain[-1].__context__) is not None:
        chain.append(cause)
    return chain


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
