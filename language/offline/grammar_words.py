"""Words for hours, days and places.

Parts: `sentence`; `clock_words` (minutes of a day), `day_part`, `day_words` and `time_words` (a moment seen from
another); `place_words` (an address as people say it, to its owner or to others).
"""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from typing import Any

from language.wording.loader import templates

DAY = 24 * 60


def sentence(text: str) -> str:
    """Capitalised, and ended with a full stop unless it ends a sentence already; blanks trimmed."""
    text = text.strip()
    if not text:
        return text
    closed = text.endswith((".", "!", "?", "…", '."', '!"', '?"', ".”", "!”", "?”"))
    return text[0].upper() + text[1:] + ("" if closed else ".")


def clock_words(minutes: int) -> str:
    """Minutes since midnight -> "five", "half past six", "noon"; rounded to five minutes."""
    data = templates("lexicon_grammar")
    clock: dict[str, Any] = data["clock"]
    rounded = (round(minutes / 5) * 5) % DAY
    if rounded == 0:
        return str(clock["midnight"])
    if rounded == DAY // 2:
        return str(clock["noon"])
    hour, minute = divmod(rounded, 60)
    numbers: list[str] = data["numbers"]
    if minute == 0:
        return str(clock["hour"]).format(hour=numbers[hour % 12])
    if minute <= 30:
        return str(clock["past"][minute]).format(hour=numbers[hour % 12])
    return str(clock["to"][minute]).format(hour=numbers[(hour + 1) % 12])


def day_part(minutes: int) -> str:
    """ "morning", "afternoon", "evening" or "night" for minutes since midnight."""
    hour = minutes % DAY // 60
    name = ""
    for start, part in templates("lexicon_grammar")["day_parts"]:
        if hour >= start:
            name = part
    return name


def day_words(moment: datetime) -> str:
    """The name of the weekday."""
    name: str = templates("lexicon_grammar")["days"][moment.weekday()]
    return name


def time_words(moment: datetime, now: datetime, *, exact: bool = True) -> str:
    """When `moment` is, seen from `now`: "tomorrow at five", "at five this afternoon", "on Tuesday at five".

    With `exact` False without the hour: "this afternoon", "tomorrow", "on Tuesday evening".
    """
    data = templates("lexicon_grammar")
    moments: dict[str, Any] = data["moments"]
    minutes = moment.hour * 60 + moment.minute
    part = day_part(minutes)
    days = (moment.date() - now.date()).days
    values = {
        "clock": clock_words(minutes),
        "day": data["days"][moment.weekday()],
        "date": moment.day,
        "month": data["months"][moment.month - 1],
    }
    if days == 0:
        key = "today"
    elif days == 1:
        key = "tomorrow"
    elif days == -1:
        key = "yesterday"
    elif 1 < days < 7:
        key = "weekday"
    elif -7 < days < 0:
        key = "last_weekday"
    else:
        form: str = moments["date_at" if exact else "date"]
        return form.format(**values)
    if key == "today" and exact and values["clock"] in (data["clock"]["noon"], data["clock"]["midnight"]):
        noon: str = moments["today_noon"]
        return noon.format(**values)
    wording: str = moments[f"{key}_at" if exact else key][part]
    return wording.format(**values)


@lru_cache(maxsize=8192)
def place_words(address: str, owner: str | None = None) -> str:
    """A place as people say it; to its `owner` (full name) "my room".

    "The Town : Blue Cafe : cafe : counter" -> "Blue Cafe"; "The Town : Hill College : library" ->
    "the library of Hill College"; "... : Bo Ek's room" -> "Bo Ek's room".
    """
    words: dict[str, Any] = templates("lexicon_grammar")["places"]
    found = address.split(" : ")
    if len(found) == 1:
        return _named(found[0], owner, words)
    sector = found[1]
    arena = found[2] if len(found) > 2 else ""
    if sector.lower() in words["streets"]:
        return str(words["outdoors"])
    if "'s " in arena and arena.lower() not in words["plain"]:
        return _named(arena, owner, words)
    if not arena or arena.lower() in words["plain"] or _inside(arena, sector):
        return _named(sector, owner, words)
    home = _named(sector, owner, words)
    return str(words["inside"]).format(arena=arena, sector=home)


def _inside(arena: str, sector: str) -> bool:
    """Whether the arena's name says no more than the sector's ("cafe" in "Blue Cafe")."""
    low = sector.lower().split()
    return all(word in low for word in arena.lower().split())


def _named(name: str, owner: str | None, words: dict[str, Any]) -> str:
    whose, genitive, thing = name.partition("'s ")
    if genitive and owner is not None:
        first, _, last = owner.partition(" ")
        people = whose.split(" and ")
        if any(who in (owner, first) or (last and who.endswith(" " + last) and who.startswith(first)) for who in people):
            return str(words["our" if len(people) > 1 else "my"]).format(thing=thing)
        if last and whose in (f"{last} family", f"the {last} family", f"{last}s"):
            return str(words["our"]).format(thing=thing)
    if name.startswith("The "):
        return "the " + name[4:]
    first_word = whose.split(" ")[0] if genitive else name.split(" ")[0]
    if genitive and whose.endswith(" family"):
        return str(words["the"]).format(thing=name)
    if name[:1].islower() or first_word.lower() in words["article_before"]:
        return str(words["the"]).format(thing=name)
    return name
