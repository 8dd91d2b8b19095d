"""Small makers shared by the memory room's tests."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from kernel import Clock, RecordId
from language.embedding import HashEmbedder
from memory import Kind, Record, Retrieval, Stream

ME = "Klaus Mueller"
CLOCK = Clock(datetime(2023, 2, 13), 10)
HOUR = 360  # steps


def rid(step: int, n: int = 0) -> RecordId:
    return RecordId(ME, step, n)


def record(step: int, text: str = "", n: int = 0, kind: Kind = "observation", importance: int = 3, **fields: object) -> Record:
    return Record(rid(step, n), kind, text or f"the kettle is on its {step}th boil", step, importance, **fields)  # type: ignore[arg-type]


def stream(*records: Record) -> Stream:
    made = Stream(ME, HashEmbedder(), CLOCK)
    made.extend(records)
    return made


def recall(of: object, query: str = "kettle", step: int = 10 * HOUR, **options: object) -> Retrieval:
    ask: Callable[..., Retrieval] = of.retrieve  # type: ignore[attr-defined]
    return ask(query, id=rid(step), step=step, purpose="test", **options)
