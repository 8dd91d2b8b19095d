"""The network switch: off, a model that would leave this machine is an error before a byte is sent.

    with network_forbidden(): ...        for tests
    TOWNFOLK_NO_NETWORK=1                for a whole process

Loopback addresses are always allowed. Providers call `require_network(endpoint)` before they connect.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from urllib.parse import urlsplit

from kernel import EndpointUnreachable

VARIABLE = "TOWNFOLK_NO_NETWORK"

_forbidden: ContextVar[bool] = ContextVar("townfolk_network_forbidden", default=False)


@contextmanager
def network_forbidden() -> Iterator[None]:
    """Within it, `require_network` refuses everything but loopback."""
    token = _forbidden.set(True)
    try:
        yield
    finally:
        _forbidden.reset(token)


def require_network(endpoint: str) -> None:
    """Raises EndpointUnreachable when the network is switched off and `endpoint` (a URL) isn't on this machine."""
    off = _forbidden.get() or os.environ.get(VARIABLE, "") not in ("", "0")
    if off and not _is_loopback(urlsplit(endpoint).hostname or ""):
        raise EndpointUnreachable(
            "the network is switched off, so this endpoint isn't contacted", place=endpoint, hint=f"unset {VARIABLE}"
        )


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
