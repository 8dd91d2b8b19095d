"""Requests like one that was answered, with another body: what is the same in every question is worked out once.

    client = AsyncOpenAI(..., http_client=PlainClient())
    came = await client.post(...)                the first question, made by the openai package from the ground up
    again = Repeating(came)                      the same address, headers and key, through the same aiohttp connections
    came = await again.post(body)                raises what the package raises

Every question goes to one address with the same headers; only its body differs. The package puts each together anew (options as
models, headers, the address parsed twice), which takes as long as aiohttp takes for the request itself.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from openai import APIConnectionError, APIStatusError, APITimeoutError, DefaultAioHttpClient

_LIBRARY = import_module(
    next(kind for kind in DefaultAioHttpClient.__mro__ if kind.__name__ == "AsyncClient").__module__.partition(".")[0]
)
"""The library of HTTP that this version of openai stands on."""
RESPONSE: type[Any] = _LIBRARY.Response
"""`cast_to` for an answer as it came."""
_ASCII = "ascii"
_THE_TRANSPORTS = ("host", "content-length")
"""Headers that aiohttp adds itself."""


class PlainClient(DefaultAioHttpClient):
    """The package's aiohttp client; what was built by it can be sent past its ways to sign in, redirect and keep cookies."""

    async def send_plainly(self, request: Any) -> Any:
        """The answer to a request, read; a redirect is followed by the library."""
        response = await self._transport_for_url(request.url).handle_async_request(request)
        try:
            await response.aread()
        except BaseException:
            await response.aclose()
            raise
        return response if not response.has_redirect_location else await self.send(request)


class Repeating:
    """Asks as a question was asked that `came` answers."""

    def __init__(self, http: PlainClient, came: Any) -> None:
        self._http, self._first = http, came.request
        self._headers = type(came.request.headers)(came.request.headers)
        for name in _THE_TRANSPORTS:
            self._headers.pop(name, None)

    async def post(self, body: bytes) -> Any:
        """The answer. Raises APITimeoutError, APIConnectionError and APIStatusError, as the package does."""
        first = self._first
        request = type(first)(
            first.method, first.url, headers=self._headers, stream=type(first.stream)(body), extensions=first.extensions
        )
        request.headers.encoding = _ASCII  # what they are by their standard; untold, the library tries it on each of them
        request.read()
        try:
            response = await self._http.send_plainly(request)
        except _LIBRARY.TimeoutException as error:
            raise APITimeoutError(request=request) from error
        except _LIBRARY.RequestError as error:
            raise APIConnectionError(request=request) from error
        if response.is_success:
            return response
        response.request = request
        raise APIStatusError(_said(response), response=response, body=None)


def _said(response: Any) -> str:
    """What the package says of a refusal."""
    try:
        error = response.json()["error"]
        said = str(error["message"])
    except (ValueError, LookupError, TypeError):
        said = ""
    return f"Error code: {response.status_code} - {said}" if said else f"Error code: {response.status_code}"
