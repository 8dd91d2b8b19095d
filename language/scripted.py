"""The scripted model: a provider like any other whose answers the caller writes. For tests and for trying minds.

    ScriptedModel([reply, reply, ...])      in order; when they run out, ReplyMissing
    ScriptedModel(generator)                the same, made as they are needed
    ScriptedModel(function)                 function(request) -> reply
    nonsense(seed)                          hostile garbage for every operation, the same for the same seed

A reply is a typed reply, a text, a dict or list (sent as JSON text), a ModelReply, an exception (raised) or HANG.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

from kernel import Dice, Json, ReplyMissing
from language.model import ModelReply, Request
from language.replies import ReplyModel


class _Hang:
    """The type of HANG."""

    def __repr__(self) -> str:
        return "HANG"


HANG: Final = _Hang()
"""A reply that never comes: the provider waits until it is cancelled."""

Reply: TypeAlias = "ReplyModel | ModelReply | BaseException | type[BaseException] | _Hang | Json"


class ScriptedModel:
    """A `LanguageModel` driven by replies, a generator or a function. `requests` are those it was asked, in order."""

    def __init__(self, script: Iterable[Reply] | Callable[[Request], Reply], *, name: str = "scripted") -> None:
        self._name = name
        self._function = script if callable(script) else None
        self._replies: Iterator[Reply] = iter(()) if callable(script) else iter(script)
        self.requests: list[Request] = []
        self.closed = False

    @property
    def name(self) -> str:
        """ "scripted" unless named otherwise."""
        return self._name

    async def ask(self, request: Request) -> ModelReply:
        """The next reply. Raises what the script says, or ReplyMissing at its end."""
        self.requests.append(request)
        if self._function is not None:
            reply = self._function(request)
        else:
            try:
                reply = next(self._replies)
            except StopIteration:
                raise ReplyMissing(f"the script has no reply left for {request.key}") from None
        if isinstance(reply, _Hang):
            await asyncio.Event().wait()
        return _model_reply(reply)

    async def close(self) -> None:
        """Remembers that it was closed."""
        self.closed = True


def _model_reply(reply: Reply) -> ModelReply:
    if isinstance(reply, BaseException) or (isinstance(reply, type) and issubclass(reply, BaseException)):
        raise reply
    if isinstance(reply, ModelReply):
        return reply
    if isinstance(reply, ReplyModel):
        return ModelReply(value=reply)
    return ModelReply(text=reply if isinstance(reply, str) else json.dumps(reply, ensure_ascii=False))


def nonsense(seed: int = 0) -> ScriptedModel:
    """A model whose every answer is garbage of some kind: empty, HTML, half JSON, wrong types, huge, error messages,
    odd Unicode, a reply of another operation, an exception. Deterministic: keyed by (seed, call, attempt)."""

    def answer(request: Request) -> Reply:
        key = request.key
        dice = Dice(seed, key.resident, key.step, f"nonsense/{key.operation}/{key.n}/{request.attempt}")
        return dice.choice(GARBAGE)

    return ScriptedModel(answer, name="nonsense")


_ERRORS = (
    "Internal Server Error",
    'Traceback (most recent call last):\n  File "x.py", line 1, in <module>\nValueError: boom',
    "I'm sorry, but as an AI language model I can't help with that request.",
    "Error code: 429 - Rate limit exceeded. Invalid API key sk-0123456789.",
    "Respond only with valid JSON. Your response must be a JSON object.",
)


def _everywhere(text: str) -> str:
    """An error message in the shape of every reply at once."""
    return json.dumps(
        {
            "text": text, "summary": text, "thought": text, "activity": text, "decision": "act", "address": text,
            "questions": [text], "insights": [{"text": text, "rests_on": ["nobody/1/1"]}], "importance": [11, -3],
            "tasks": [{"activity": text, "minutes": 15}], "act": "tell", "passes_on": [text], "rests_on": [text],
            "parts": [{"activity": text, "start": f"{h}:00", "end": f"{h + 3}:00"} for h in range(6, 22, 3)],
            "blocks": [{"activity": text, "start": f"{h}:00", "minutes": 60} for h in range(24)],
        }
    )  # fmt: skip


GARBAGE: Final[tuple[Reply, ...]] = (
    "",
    " \n\t ",
    "null",
    "42",
    "[]",
    "{}",
    '{"error": {"message": "model overloaded", "code": 503}}',
    "<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1></body></html>",
    '{"text": "hello',
    '{"parts": [{"activity": "work", "start": "25:99", "en',
    '{"decision": ["continue"], "text": {"a": 1}, "importance": "ten", "address": 7, "tasks": {}, "insights": "none"}',
    '{"text": "", "summary": "", "questions": [""], "address": "", "decision": ""}',
    '{"text": "\u202e\u200b\u0000\u2066", "summary": "\ufeff\u200d", "address": "\ud83d"}',
    "[" * 3000,
    "{" * 3000 + "}" * 3000,
    "lorem ipsum dolor sit amet " * 4000,
    "🙃" * 500 + "\x00\x1b[31m" + "ß" * 500,
    "Sure! Here is the JSON you asked for:\n```json\n```",
    *_ERRORS,
    *(_everywhere(text) for text in _ERRORS),
    *(json.dumps({"text": text}) for text in _ERRORS),
    ConnectionResetError,
    KeyError,
)
"""What `nonsense` chooses from."""
