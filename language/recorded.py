"""Recordings: calls written down as JSON lines, and a provider that answers from them.

    Recorder(ledger, path)         a ledger that also writes every call to a file
    RecordedModel(path)            answers by (key, content hash); also from a mapping {(key text, hash): reply JSON}

A reply is found only when the same question is asked in the same place: the same resident, step, operation, n, fields
and persona. A call that fell back when recorded falls back again, for the reason recorded.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import IO, NamedTuple

from kernel import DataFileError, ReplyMissing, dumps
from language.encoding import request_hash
from language.model import Call, CallKey, Ledger, ModelReply, Request


class Recording(NamedTuple):
    """One recorded reply; `fallback` the reason when it was the fallback's."""

    reply_json: str
    fallback: str | None = None


class RecordedFallback(ReplyMissing):
    """What is recorded is that no model gave a usable answer, and why."""


class RecordedModel:
    """A `LanguageModel` that replays. `source` is a file of JSON lines, or {(key text, hash): reply JSON}.

    `strict`: a question that isn't recorded stops the run instead of falling back, so that a replay is one or none.

    Raises DataFileError when the file is missing or damaged (naming the line).
    """

    immediate = True

    def __init__(
        self,
        source: str | Path | Mapping[tuple[str, str], str | Recording],
        *,
        name: str | None = None,
        strict: bool = False,
    ) -> None:
        self.strict = strict
        if isinstance(source, Mapping):
            pairs = source.items()
            self._replies = {pair: r if isinstance(r, Recording) else Recording(r) for pair, r in pairs}
            self._name = name or "replay"
        else:
            self._replies = _read(Path(source))
            self._name = name or f"replay:{source}"

    @property
    def name(self) -> str:
        """ "replay:FILE"."""
        return self._name

    def __len__(self) -> int:
        return len(self._replies)

    async def ask(self, request: Request) -> ModelReply:
        """The recorded reply, as text to be validated like any other. Raises ReplyMissing naming the operation."""
        found = self._replies.get((str(request.key), request_hash(request.operation)))
        if found is None:
            asked_otherwise = any(key == str(request.key) for key, _ in self._replies)
            raise ReplyMissing(
                f"no reply is recorded for the operation '{request.key.operation}' of {request.key.resident}",
                place=str(request.key),
                hint="the question differs from the one recorded" if asked_otherwise else None,
            )
        if found.fallback is not None:
            raise RecordedFallback(found.fallback, place=str(request.key))
        return ModelReply(text=found.reply_json)

    async def close(self) -> None:
        """Nothing to free."""


class Recorder:
    """A `Ledger` around another that also appends every call to a file of JSON lines; `close` it at the end."""

    def __init__(self, ledger: Ledger, path: str | Path) -> None:
        self._ledger, self._path = ledger, Path(path)
        self._path.open("a", encoding="utf-8").close()  # what can't be written is said before a run, and nothing is left open
        self._file: IO[str] | None = None

    def called(self, call: Call) -> None:
        """Passes the call on and writes it down, flushed, so that a killed run leaves whole lines."""
        self._ledger.called(call)
        line = {
            "key": list(call.key),
            "hash": call.request_hash,
            "model": call.model,
            "question": call.request_text,
            "reply": call.reply_json,
            "raw": call.raw,
            "attempts": call.attempts,
            "tokens_in": call.tokens_in,
            "tokens_out": call.tokens_out,
            "fallback": call.fallback,
        }
        if self._file is None:
            self._file = self._path.open("a", encoding="utf-8", newline="\n")
        self._file.write(dumps(line).encode("utf-8", "replace").decode() + "\n")
        self._file.flush()

    def stored(self, key: CallKey, request_hash: str) -> str | None:
        """As the ledger inside."""
        return self._ledger.stored(key, request_hash)

    def close(self) -> None:
        """Closes the file."""
        if self._file is not None:
            self._file.close()


def _read(path: Path) -> dict[tuple[str, str], Recording]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise DataFileError("there is no recording to read", file=str(path), hint="see language.Recorder") from None
    replies: dict[tuple[str, str], Recording] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            resident, step, operation, n = entry["key"]
            key = str(CallKey(str(resident), int(step), str(operation), int(n)))
            replies[key, str(entry["hash"])] = Recording(str(entry["reply"]), entry.get("fallback"))
        except (ValueError, KeyError, TypeError):
            if number == len(lines):
                break  # a recorder killed while writing leaves a broken last line
            raise DataFileError("not a recorded call", file=str(path), line=number) from None
    return replies
