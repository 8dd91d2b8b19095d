"""Asking without waiting at once: what a question's answer is needed for may come later than other thoughts.

    waited_for(ask)          whether answers take time, so that it pays to think of something else meanwhile
    begin(ask, operation)    a question that is on its way; to be awaited where its answer is read
    abandon(begun)           nobody is going to read it
    side_by_side(ask, ...)   two questions, both answers

An `Ask` whose answers are waited for has an attribute `waits` that is true; one without it answers at once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from language.model import Answer, Ask
from language.operations import Operation
from language.replies import ReplyModel

R = TypeVar("R", bound=ReplyModel)
S = TypeVar("S", bound=ReplyModel)


def waited_for(ask: Ask) -> bool:
    """Whether answers take time."""
    return bool(getattr(ask, "waits", False))


def begin(ask: Ask, operation: Operation[R]) -> Awaitable[Answer[R]]:
    """Puts a question whose answer is read later: on its way at once where answers are waited for, else when awaited.

    Questions of one operation have to be awaited in the order in which they were begun: their keys count them.
    """
    asked = ask(operation)
    if not waited_for(ask):
        return asked
    begun = asyncio.ensure_future(asked)
    begun.add_done_callback(_seen)
    return begun


def _seen(begun: asyncio.Future[Answer[R]]) -> None:
    """Keeps asyncio from complaining where a run has ended before the answer was read: it has said why already."""
    if not begun.cancelled():
        begun.exception()


async def side_by_side(ask: Ask, one: Operation[R], other: Operation[S]) -> tuple[Answer[R], Answer[S]]:
    """The answers to two questions that don't need each other's."""
    begun = begin(ask, one)
    try:
        second = await ask(other)
    except BaseException:
        abandon(begun)
        raise
    return await begun, second


def abandon(begun: Awaitable[object]) -> None:
    """Takes back a question whose answer nobody is going to read."""
    if isinstance(begun, asyncio.Future):
        begun.cancel()
    elif hasattr(begun, "close"):
        begun.close()
