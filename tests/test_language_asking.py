"""Questions whose answers are read later: when they are put, and no complaint where nobody reads them."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import pytest

from kernel import EndpointUnreachable
from language import abandon, begin, side_by_side, waited_for

FIRST: Any = "first"
DEAD: Any = "dead"


class Asking:
    """An `Ask` whose answers take turns of the event loop; "dead" ones fail."""

    def __init__(self, waits: bool = True) -> None:
        self.waits, self.order = waits, list[str]()

    async def __call__(self, operation: Any) -> Any:
        self.order.append(operation)
        await asyncio.sleep(0)
        if operation == "dead":
            raise EndpointUnreachable("gone", place="http://nowhere")
        return f"{operation}!"


def complaints(live: Any) -> list[str]:
    """What the event loop complains of while something is lived and afterwards."""
    heard: list[str] = []

    async def listening() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: heard.append(context["message"]))
        await live()

    asyncio.run(listening())
    gc.collect()
    return heard


def test_a_question_is_on_its_way_at_once_where_answers_are_waited_for_and_else_when_it_is_awaited() -> None:
    async def live(ask: Any) -> list[str]:
        begun: Any = begin(ask, FIRST)
        await asyncio.sleep(0)
        before = list(ask.order)
        assert await begun == "first!"
        return before

    assert waited_for(Asking())
    assert not waited_for(Asking(waits=False))
    assert asyncio.run(live(Asking())) == ["first"]
    assert asyncio.run(live(Asking(waits=False))) == []


@pytest.mark.parametrize("waits", [True, False])
def test_what_failed_and_is_never_read_is_not_complained_of(waits: bool) -> None:
    async def live() -> None:
        begun: Any = begin(Asking(waits), DEAD)
        for _ in range(3):
            await asyncio.sleep(0)
        if not waits:
            abandon(begun)

    assert complaints(live) == []


@pytest.mark.parametrize("waits", [True, False])
@pytest.mark.parametrize("pair", [("dead", "fine"), ("fine", "dead"), ("dead", "dead")])
def test_of_two_questions_side_by_side_the_failure_of_either_is_theirs(pair: tuple[Any, Any], waits: bool) -> None:
    async def live() -> None:
        with pytest.raises(EndpointUnreachable):
            await side_by_side(Asking(waits), *pair)

    assert complaints(live) == []
