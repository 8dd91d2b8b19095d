"""Ledgers that keep calls in memory: for tests, for interviews that leave no trace, and to start from."""

from __future__ import annotations

from language.model import Call, CallKey


class MemoryLedger:
    """A `Ledger` in a dictionary. `calls` in order of arrival."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self._replies: dict[tuple[CallKey, str], str] = {}

    def called(self, call: Call) -> None:
        """Keeps the call."""
        self.calls.append(call)
        self._replies[call.key, call.request_hash] = call.reply_json

    def stored(self, key: CallKey, request_hash: str) -> str | None:
        """The reply kept for this key and content."""
        return self._replies.get((key, request_hash))


class NoLedger:
    """A `Ledger` that keeps nothing: an interview leaves no trace."""

    def called(self, call: Call) -> None:
        """Forgets the call."""

    def stored(self, key: CallKey, request_hash: str) -> str | None:
        """None."""
        return None
