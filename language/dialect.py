"""What a server takes, found out by asking and remembered: the form of answers, and the names of settings.

    Dialect()                        as OpenAI's own servers speak, the strictest form of answer first
    .body(prompt, most)              messages and settings of one request
    .form_of(operation)              how its answer's form is asked for
    .instead(status, said)           another dialect to try after a refusal, None: nothing else helps
    .learned(dialect)                what is remembered after an answer in it

A refusal in a form that has worked before is an accident of one question: it is put more loosely that once, and the form
stays.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from kernel import dumps
from language.operations import Operation
from language.prompting import Prompt
from language.replies import ReplyModel
from language.schemas import bounded_schema, strict_schema

MODES = ("json_schema", "json_object_schema", "json_object", "text")
"""How an answer's form is asked for, the strictest first."""
LENGTHS = ("max_tokens", "max_completion_tokens", "")
"""How the limit on an answer's length is called; the last: not at all."""
_UNSUPPORTED = (400, 415, 422, 501)
_ABOUT_THE_PROMPT = (
    "context length",
    "context_length",
    "context size",
    "too long",
    "exceeds the available context",
    "content_filter",
)


@dataclass(frozen=True, slots=True)
class Dialect:
    """`mode` indexes MODES, `length` LENGTHS. `known`: something has been answered in it."""

    form: int = 0
    length: int = 0
    system: bool = True
    temperature: bool = True
    known: bool = False

    @property
    def mode(self) -> str:
        """One of MODES."""
        return MODES[self.form]

    def body(self, prompt: Prompt, most: int) -> dict[str, Any]:
        """Messages and settings of a request whose answer has at most `most` tokens; without its `form_of`."""
        out: dict[str, Any] = {}
        if self.system:
            out["messages"] = [{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}]
        else:
            out["messages"] = [{"role": "user", "content": prompt.text}]
        if LENGTHS[self.length]:
            out[LENGTHS[self.length]] = most
        return out

    def form_of(self, operation: Operation[Any]) -> str:
        """The `response_format` of an operation's answer as JSON text; "" where none is asked for."""
        if self.mode == "json_object_schema":  # as llama-cpp-python's server and others on a grammar have it
            return dumps({"type": "json_object", "schema": bounded_schema(operation)})
        return _form(self.mode, operation.name, operation.reply_type)

    def instead(self, status: int, said: str) -> Dialect | None:
        """What to try after a refusal with this status and these words."""
        words = said.casefold()
        if status not in _UNSUPPORTED or any(sign in words for sign in _ABOUT_THE_PROMPT):
            return None
        if "max_tokens" in words or "max_completion_tokens" in words:
            return replace(self, length=self.length + 1) if self.length + 1 < len(LENGTHS) else None
        if "temperature" in words and self.temperature:
            return replace(self, temperature=False)
        if "system" in words and ("role" in words or "message" in words) and self.system:
            return replace(self, system=False)
        return replace(self, form=self.form + 1) if self.form + 1 < len(MODES) else None

    def learned(self, spoken: Dialect) -> Dialect:
        """This one after an answer in `spoken`."""
        form = self.form if self.known else spoken.form
        return replace(spoken, form=form, known=True)


@cache
def _form(mode: str, name: str, reply_type: type[ReplyModel]) -> str:
    """The forms that are the same for every question of an operation."""
    if mode == "json_schema":
        return dumps({"type": mode, "json_schema": {"name": name, "strict": True, "schema": strict_schema(reply_type)}})
    return dumps({"type": mode}) if mode == "json_object" else ""
