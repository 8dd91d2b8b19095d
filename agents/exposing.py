"""Bounding what any mind is shown: every question it asks passes here on its way to a model.

    Exposing(ask, exposure)     an `Ask` that lets through the recollections the exposure allows, and keeps account

It knows no mind and no operation: all recollections in a question's fields count, whatever the field, each once. What
isn't a recollection (the persona, the diary of appointments, the dialogue, what is seen) isn't memory shown and stays.
"""

from __future__ import annotations

from dataclasses import asdict, fields, replace
from datetime import datetime
from typing import Any, TypeVar

from kernel import Json, RecordId
from language import Answer, Ask, Operation, Recollection, waited_for
from language.replies import ReplyModel
from memory import Exposed, Exposure, Recalled, expose, failed_act, token_estimate

R = TypeVar("R", bound=ReplyModel)


class Exposing:
    """An `Ask` under an exposure. `log` has an entry per question that carried recollections."""

    def __init__(self, ask: Ask, exposure: Exposure) -> None:
        self._ask = ask
        self._exposure = exposure
        self.log: list[Exposed] = []

    @property
    def waits(self) -> bool:
        """Whether answers take time."""
        return waited_for(self._ask)

    async def __call__(self, operation: Operation[R]) -> Answer[R]:
        """As the `Ask` within, with fewer recollections in the question."""
        carried = _recollections(operation)
        if not carried:
            return await self._ask(operation)
        found = expose(self._exposure, _recalled(carried), token_estimate)
        shown = {str(id) for id in found.shown}
        kept: dict[str, Any] = {name: tuple(one for one in value if one.id in shown) for name, value in carried.items()}
        answer = await self._ask(replace(operation, **kept))
        self.log.append(replace(found, call=answer.call))
        return answer


def _recollections(operation: Operation[Any]) -> dict[str, tuple[Recollection, ...]]:
    """The fields of a question that are recollections."""
    found = {}
    for field in fields(operation):
        value = getattr(operation, field.name)
        if isinstance(value, tuple) and value and all(isinstance(one, Recollection) for one in value):
            found[field.name] = value
    return found


def _recalled(carried: dict[str, tuple[Recollection, ...]]) -> list[Recalled]:
    """Each record once, at the best place it has in any field; a field told oldest first counts from its end."""
    places: dict[str, tuple[int, Recollection]] = {}
    for value in carried.values():
        ages = [one.hours_ago for one in value]
        ordered = value[::-1] if len(value) > 2 and ages == sorted(ages, reverse=True) else value
        for place, one in enumerate(ordered):
            if one.id not in places or place < places[one.id][0]:
                places[one.id] = (place, one)
    return [
        Recalled(RecordId.parse(id), place, failed_act(one), one.text, _content(asdict(one)))
        for id, (place, one) in places.items()
    ]


def _content(value: Any) -> Json:
    """A recollection as JSON; without what is empty, so that it counts what says something."""
    if isinstance(value, dict):
        return {key: _content(item) for key, item in value.items() if item not in (None, "", ())}
    if isinstance(value, tuple | list):
        return [_content(item) for item in value]
    return value.isoformat(" ") if isinstance(value, datetime) else value
