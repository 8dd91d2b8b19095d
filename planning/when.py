"""Times of the town in words, as they stand in memories and plans."""

from __future__ import annotations

from datetime import datetime

from kernel import Clock
from language import phrase
from language.wording import SHARED


def day_words(moment: datetime) -> str:
    """ "Tuesday, 14 February"."""
    weekday = SHARED.variants("calendar.weekdays")[moment.weekday()]
    month = SHARED.variants("calendar.months")[moment.month - 1]
    return phrase("calendar.day", weekday=weekday, day=moment.day, month=month)


def face(moment: datetime) -> str:
    """ "17:00"."""
    return f"{moment.hour:02d}:{moment.minute:02d}"


def span_fields(clock: Clock, start: int, end: int) -> dict[str, str]:
    """Fields `day`, `start`, `end` for a phrase about the steps [start, end)."""
    first, last = clock.at(start), clock.at(end)
    return {"day": day_words(first), "start": face(first), "end": face(last)}
