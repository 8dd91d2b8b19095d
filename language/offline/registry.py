"""Who answers which operation offline.

    @responder(Settle)                        # registers, and returns the function unchanged
    def settle(op: Settle, dice: Dice) -> Settling: ...

    responder_for(Settle)(op, dice)

A responder is a pure function of the operation's own fields and of dice made for this one call. Plug-in minds bring
operations of their own and register responders for them in the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

from kernel import Dice, ModelError
from language.operations import Operation
from language.replies import ReplyModel

O = TypeVar("O", bound=Operation[Any])  # noqa: E741  (O for operation, as R is for reply)
R = TypeVar("R", bound=ReplyModel)

Responder: TypeAlias = Callable[[Any, Dice], ReplyModel]

_RESPONDERS: dict[type[Operation[Any]], Responder] = {}


def responder(operation: type[O]) -> Callable[[Callable[[O, Dice], R]], Callable[[O, Dice], R]]:
    """Decorator: the function answers operations of this type.

    Raises ValueError when another function answers it already: two answers to one question would make a run depend on
    the order of imports.
    """

    def register(answer: Callable[[O, Dice], R]) -> Callable[[O, Dice], R]:
        present = _RESPONDERS.get(operation)
        if present is not None and _where(present) != _where(answer):
            raise ValueError(f"{operation.__name__} is answered by {_where(present)} already, not by {_where(answer)}")
        _RESPONDERS[operation] = answer
        return answer

    return register


def responder_for(operation: type[Operation[Any]]) -> Responder:
    """The function that answers operations of this type. Raises ModelError when there is none."""
    found = _RESPONDERS.get(operation)
    if found is None:
        raise ModelError(
            f"the offline model has no responder for the operation '{operation.name}' ({operation.__name__})",
            hint="register one with language.responder",
        )
    return found


def _where(answer: Callable[..., object]) -> str:
    return f"{answer.__module__}.{getattr(answer, '__qualname__', answer)}"
