"""The openai package's aiohttp client, with what is the same in every question worked out once.

    PlainClient()        give it to AsyncOpenAI as `http_client`
    response_type()      `cast_to` for an answer as it came

Every question goes to one address with the same headers; only the body differs. The library's client parses the address, merges
headers, cookies and query, and looks for ways to sign in anew each time, which takes longer than aiohttp takes for the request.
Here a request like the one before is made from that one and handed to the aiohttp transport. Whatever else turns up (a stream, a
redirect, a user's name in the address) goes the library's way.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from openai import DefaultAioHttpClient

_LIBRARY = next(kind for kind in DefaultAioHttpClient.__mro__ if kind.__name__ == "AsyncClient").__module__.partition(".")[0]
_ASCII = "ascii"
_ALIKE = "townfolk.alike"
_THE_TRANSPORTS = ("host", "content-length")
"""Headers that aiohttp adds itself."""


class PlainClient(DefaultAioHttpClient):
    """An HTTP client for many POSTs to one address; for one event loop."""

    _told: tuple[Any, ...] = ()
    _first: Any = None
    _way: Any = None

    def build_request(
        self, method: str, url: Any, *, content: Any = None, headers: Any = None, timeout: Any = None, **more: Any
    ) -> Any:
        """As the library's; where only the body is another than before, without working the rest out again."""
        if not isinstance(content, bytes) or any(more.values()):
            return super().build_request(method, url, content=content, headers=headers, timeout=timeout, **more)
        told = method, url, headers, timeout
        if told != self._told:
            first = super().build_request(method, url, content=content, headers=headers, timeout=timeout)
            if first.url.userinfo:
                return first
            for name in _THE_TRANSPORTS:
                first.headers.pop(name, None)
            first.extensions[_ALIKE] = True
            self._told, self._first, self._way = told, first, self._transport_for_url(first.url)
        first = self._first
        request = type(first)(
            method, first.url, headers=first.headers, stream=type(first.stream)(content), extensions=first.extensions
        )
        request.headers.encoding = _ASCII  # what they are by their standard; untold, the library tries it on each of them
        request.read()
        return request

    async def send(self, request: Any, *, stream: bool = False, **more: Any) -> Any:
        """As the library's; straight to the transport where there is nothing to do on the way."""
        if stream or more or _ALIKE not in request.extensions:
            return await super().send(request, stream=stream, **more)
        response = await self._way.handle_async_request(request)
        try:
            await response.aread()
        except BaseException:
            await response.aclose()
            raise
        return response if not response.has_redirect_location else await super().send(request)


def response_type() -> type[Any]:
    """What the client's answers are, whichever library of HTTP this version of openai stands on."""
    return import_module(_LIBRARY).Response  # type: ignore[no-any-return]
