"""Requests like one that was answered, with another body: what is the same in every question is worked out once.

    client = AsyncOpenAI(..., http_client=http := PlainClient())
    came = await client.post(...)                the first question, made by the openai package from the ground up
    again = Repeating(http, came)                the same address, headers and key, through the same aiohttp connections
    answer = await again.post(body)              bytes; raises what the package raises

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
_OF_ONE_REQUEST = ("host", "content-length", "idempotency-key")
"""Headers that aiohttp adds itself; and what would make a server answer every question as it did the first."""


class PlainClient(DefaultAioHttpClient):
    """The package's aiohttp client, which lets its transport be used past its ways to sign in, redirect and keep cookies."""

    def way_to(self, url: Any) -> Any:
        """The transport for an address: straight, or by the proxy that the environment tells."""
        return self._transport_for_url(url)


class Repeating:
    """Asks as a question was asked that `came` answers."""

    def __init__(self, http: PlainClient, came: Any) -> None:
        self._http, self._first, self._way = http, came.request, http.way_to(came.request.url)
        self._headers = type(came.request.headers)(came.request.headers)
        for name in _OF_ONE_REQUEST:
            self._headers.pop(name, None)

    async def post(self, body: bytes) -> bytes:
        """The body of the answer. Raises APITimeoutError, APIConnectionError and APIStatusError, as the package does."""
        first = self._first
        request = type(first)(
            first.method, first.url, headers=self._headers, stream=type(first.stream)(body), extensions=first.extensions
        )
        request.headers.encoding = _ASCII  # what they are by their standard; untold, the library tries it on each of them
        request.read()
        try:
            return await self._answer(request)
        except _LIBRARY.TimeoutException as error:
            raise APITimeoutError(request=request) from error
        except _LIBRARY.RequestError as error:
            raise APIConnectionError(request=request) from error

    async def _answer(self, request: Any) -> bytes:
        response = await self._way.handle_async_request(request)
        try:
            if response.is_success and "content-encoding" not in response.headers:
                return b"".join([part async for part in response.stream])
            await response.aread()
        finally:
            await response.stream.aclose()
        if response.has_redirect_location:
            request.headers["content-length"] = str(len(request.content))  # else it goes on in pieces, which not all servers take
            response = await self._http.send(request)
        response.request = request
        if response.is_success:
            return bytes(response.content)
        raise APIStatusError(_said(response), response=response, body=None)


def _said(response: Any) -> str:
    """What the package says of a refusal."""
    try:
        error = response.json()["error"]
        said = str(error["message"])
    except (ValueError, LookupError, TypeError):
        said = ""
    return f"Error code: {response.status_code} - {said}" if said else f"Error code: {response.status_code}"
