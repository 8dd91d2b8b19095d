"""The offline model: the default provider, which needs no weights, no key and no network.

It looks up the responder of the operation's type and hands it dice keyed by the call, so that an answer depends on
nothing but (seed, key, the operation's fields).
"""

from __future__ import annotations

from kernel import Dice
from language.model import ModelReply, Request
from language.offline.registry import responder_for


class OfflineModel:
    """A `LanguageModel`. `ask` never suspends: a coroutine that asks it finishes without a turn of an event loop."""

    immediate = True
    """The gateway needs no clock to wait for it."""

    @property
    def name(self) -> str:
        """ "offline"."""
        return "offline"

    async def ask(self, request: Request) -> ModelReply:
        """Answers typed. Raises ModelError when no responder is registered for the operation."""
        key = request.key
        purpose = f"{key.operation}/{key.n}" if request.attempt == 0 else f"{key.operation}/{key.n}/{request.attempt}"
        dice = Dice(request.seed, key.resident, key.step, purpose)
        return ModelReply(value=responder_for(type(request.operation))(request.operation, dice))

    async def close(self) -> None:
        """Nothing to free."""
