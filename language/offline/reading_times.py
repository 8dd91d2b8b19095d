"""Time cues in free text: "at half past six in the evening", "after lunch", "on Sundays", "sometimes".

`find_cues(text)` -> (Cue, the text without the words of the cue). The vocabulary is `wording/lexicon_times.yaml`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, NamedTuple

from language.wording.loader import templates

WAKING = -1
BEDTIME = 9999


@dataclass(frozen=True, slots=True)
class Cue:
    """When something is done, as far as a sentence says.

    at         minutes since midnight, None: no hour given; `sure` False: morning or evening of that hour is open
    until      the hour it ends, as `at`
    window     (from, to) minutes; WAKING and BEDTIME stand for those hours of the person
    relative   ("before" | "after" | "during", anchor): breakfast, lunch, dinner, work, class, bed ...
    minutes    how long, None: not said
    often      probability on a day
    days       days of the week it is done on (0 Monday), None: any
    """

    at: int | None = None
    sure: bool = False
    until: int | None = None
    window: tuple[int, int] | None = None
    relative: tuple[str, str] | None = None
    minutes: int | None = None
    often: float = 1.0
    days: tuple[int, ...] | None = None

    @property
    def timed(self) -> bool:
        """Whether anything says what time of day it is done."""
        return self.at is not None or self.window is not None or self.relative is not None


class _Patterns(NamedTuple):
    hours: dict[str, int]
    minutes: dict[str, int]
    exact: re.Pattern[str]
    span: re.Pattern[str]
    until: frozenset[str]
    moments: tuple[tuple[re.Pattern[str], int], ...]
    windows: tuple[tuple[re.Pattern[str], int, int], ...]
    relative: tuple[tuple[str, re.Pattern[str], str], ...]
    frequency: tuple[tuple[re.Pattern[str], float], ...]
    days: tuple[tuple[re.Pattern[str], tuple[int, ...]], ...]
    durations: tuple[tuple[re.Pattern[str], int], ...]
    fillers: tuple[re.Pattern[str], ...]


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


@lru_cache(maxsize=1)
def _patterns() -> _Patterns:
    data: dict[str, Any] = templates("lexicon_times")
    hours: dict[str, int] = data["hours"]
    words = sorted(hours, key=len, reverse=True)
    h = r"(?:(?:" + "|".join(words) + r")\b|\d{1,2})"
    m = "(?:" + "|".join(sorted(data["minutes"], key=len, reverse=True)) + ")"
    relative = data["relative"]
    return _Patterns(
        hours=hours,
        minutes=data["minutes"],
        exact=_compiled(data["clock"]["exact"].replace("{h}", h).replace("{m}", m)),
        span=_compiled(data["clock"]["span"].replace("{h}", h)),
        until=frozenset(data["clock"]["until"]),
        moments=tuple((_compiled(p), minute) for p, minute in data["moments"]),
        windows=tuple((_compiled(p), a, b) for p, a, b in data["windows"]),
        relative=tuple(
            (side, _compiled(relative[side] + thing + r"\b"), anchor)
            for side in ("before", "after", "during")
            for thing, anchor in relative["things"]
            if side != "during" or anchor in ("breakfast", "lunch", "dinner", "work")
        ),
        frequency=tuple((_compiled(p), often) for p, often in data["frequency"]),
        days=tuple((_compiled(p), tuple(days)) for p, days in data["days"]),
        durations=tuple((_compiled(p), minutes) for p, minutes in data["durations"]),
        fillers=tuple(_compiled(p) for p in data["fillers"]),
    )


def find_cues(text: str) -> tuple[Cue, str]:
    """The time cues of one sentence, and the sentence without them."""
    found = _patterns()
    cue = Cue()
    for pattern, days in found.days:
        if match := pattern.search(text):
            cue = replace(cue, days=tuple(sorted({*(cue.days or ()), *days})))
            text = _cut(text, match)
    for pattern, often in found.frequency:
        if match := pattern.search(text):
            cue = replace(cue, often=often)
            text = _cut(text, match)
            break
    for pattern, minutes in found.durations:
        if pattern.search(text):
            cue = replace(cue, minutes=minutes)
            break
    cue, text = _clock(cue, text, found)
    for pattern, start, end in found.windows:
        if match := pattern.search(text):
            cue = _in_window(cue, start, end)
            text = _cut(text, match)
            break
    for side, pattern, anchor in found.relative:
        match = pattern.search(text)
        if match is None or (side == "during" and cue.timed) or (side == "during" and match.start() > 0):
            continue
        cue = replace(cue, relative=(side, anchor))
        text = _cut(text, match)
        break
    for pattern in found.fillers:
        text = pattern.sub("", text)
    return cue, text


def _clock(cue: Cue, text: str, found: _Patterns) -> tuple[Cue, str]:
    if match := found.span.search(text):
        start, sure = _minute(match["hour"], match["digits"], match["half"], None, None, found)
        end, _ = _minute(match["hour2"], match["digits2"], match["half2"], None, None, found)
        if start is not None and end is not None:
            while end <= start:
                end += 720
            return replace(cue, at=start, sure=sure or start >= 780, until=end), _cut(text, match)
    for pattern, minute in found.moments:
        if match := pattern.search(text):
            return replace(cue, at=minute, sure=True), _cut(text, match)
    for match in found.exact.finditer(text):
        minute_found, sure = _minute(match["hour"], match["digits"], match["half"], match["minutes"], match["side"], found)
        if minute_found is None:
            continue
        if match["lead"].lower() in found.until:
            cue = replace(cue, until=minute_found)
        else:
            cue = replace(cue, at=minute_found, sure=sure)
        text = _cut(text, match)
        break
    if cue.at is not None and (more := found.exact.search(text)):  # "... and eats breakfast with her at six"
        text = _cut(text, more)
    return cue, text


def _minute(
    hour: str, digits: str | None, half: str | None, minutes: str | None, side: str | None, found: _Patterns
) -> tuple[int | None, bool]:
    """(minutes since midnight, sure)."""
    h = found.hours.get(hour.lower()) if not hour.isdigit() else int(hour)
    if h is None or h > 24:
        return None, False
    minute = h * 60 + int(digits or 0)
    if minutes and side:
        offset = found.minutes[minutes.lower()]
        minute += offset if side.lower() == "past" else -offset
    if half:
        return (minute % 720) + (720 if half.lower().startswith("p") else 0), True
    return minute, h > 12 or (digits is not None and hour.startswith("0"))


def _in_window(cue: Cue, start: int, end: int) -> Cue:
    """A part of the day beside an hour says which half of the day is meant; alone it is the window."""
    if cue.at is None:
        return replace(cue, window=(start, end))
    if cue.sure:
        return cue
    at = cue.at % 720
    if start >= 720 and not (start >= 1260 and at < 300):
        at += 720
    elif start >= 1260:
        at += 1440  # "at one at night"
    return replace(cue, at=at, sure=True)


def _cut(text: str, match: re.Match[str]) -> str:
    head, tail = text[: match.start()].rstrip(), text[match.end() :].lstrip()
    if not head:
        return tail.lstrip(" ,")
    return f"{head} {tail}" if tail else head
