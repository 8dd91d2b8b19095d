"""Intentions and the inner voice: how what one has resolved changes a day.

Parts: `intended` (what recollections say to do, or not to do), `read_intention` (one text), `place_intentions`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

from kernel import Dice
from language.offline.day_items import Item
from language.offline.families import families
from language.offline.grammar import first_name, gerund_to_base, is_gerund
from language.offline.reading import Reading, read_sentence
from language.offline.routine import minutes_for
from language.operations import PlanDay
from language.values import Recollection
from language.wording.loader import templates

LONG_WORDS = 7
"""Words from which what one means to say isn't spelled out in a plan."""
URGENT_HOURS = 6.0
"""How long an inner voice is obeyed at once; later it is an intention like others."""


@dataclass(frozen=True, slots=True)
class Intended:
    """Something a person means to do today, or not to do. `id` of the recollection it rests on."""

    id: str
    reading: Reading
    avoid: bool
    urgent: bool
    hours_ago: float = 0.0


def intended(op: PlanDay) -> list[Intended]:
    """What the recollections given say one means to do, the inner voice first, then the newest; at most three."""
    found: list[tuple[tuple[int, float, str], Intended]] = []
    for memory in op.recent:
        if memory.tag not in ("intention", "voice") and memory.kind != "reflection":
            continue
        voice = memory.tag == "voice"
        if not _meant_for(memory, op.scene.now):
            continue
        reading = _reading(memory, op.person.name, voice=voice)
        if (
            reading is None
            or op.person.name in reading[0].base
            or (memory.kind == "reflection" and memory.tag not in ("intention", "voice") and not reading[0].cue.timed)
        ):
            continue
        rank = (0 if voice else 1, memory.hours_ago, memory.id)
        found.append(
            (rank, Intended(memory.id, reading[0], reading[1], voice and memory.hours_ago < URGENT_HOURS, memory.hours_ago))
        )
    found.sort(key=lambda f: f[0])
    out: list[Intended] = []
    for _, one in found:
        if all(one.reading.base != other.reading.base for other in out):
            out.append(one)
    return out[:3]


def _meant_for(memory: Recollection, now: datetime) -> bool:
    """Whether an intention may be for today: "tomorrow" said today isn't, nor is "tonight" said yesterday."""
    days: dict[str, str] = templates("planning")["days"]
    made = (now - timedelta(hours=memory.hours_ago)).date()
    if re.search(days["next"], memory.text, re.IGNORECASE):
        return made < now.date()
    return made == now.date() or not re.search(days["this"], memory.text, re.IGNORECASE)


def _reading(memory: Recollection, name: str, *, voice: bool) -> tuple[Reading, bool] | None:
    return read_intention(memory.text, name, voice)


@lru_cache(maxsize=2048)
def read_intention(text: str, name: str, voice: bool = False) -> tuple[Reading, bool] | None:
    """(what is intended, whether it is to be avoided), None when the text tells of no doable intention of `name`."""
    data: dict[str, Any] = templates("planning")
    text = text.strip().rstrip(".!")
    if voice:
        text = re.sub(data["directive_lead"], "", text, count=1)
        against = read_sentence(f"{name} go to {aversion}", name) if (aversion := against_what(text)) else None
        if against is not None:
            return against, True
        text = _rewritten(text)
    match = re.search(data["intention"], text, re.IGNORECASE)
    if match is None and not voice:
        return None
    if match is not None:
        subject = text[: match.start()].strip()
        if (
            subject
            and not voice
            and first_name(name) not in subject
            and subject.split()[-1].lower() not in templates("lexicon_times")["subjects"]
        ):
            return None
        do = match["do"] or match["do2"] or match["do3"]
        avoid = bool(match["not"] or match["not2"])
    else:
        do, avoid = re.sub(data["directive"], "", text, count=1, flags=re.IGNORECASE), False
    timed = read_sentence(f"{name} {do[:1].lower() + do[1:]}", name)
    for pattern in data["intention_cut"]:
        do = re.sub(pattern, "", do, flags=re.IGNORECASE)
    do = re.sub(r"\s+", " ", do).strip(" ,;")
    if not do:
        return None
    do = re.sub(data["intention_lead"], "", do, count=1, flags=re.IGNORECASE)
    words = gerund_to_base(do).split(" ") if is_gerund(do.split(" ", 1)[0]) else do.split(" ")
    do = " ".join(words)
    if words[0].lower() in data["intention_avoid"] and len(words) > 1:
        do, avoid = " ".join(words[1:]), True
    reading = read_sentence(f"{name} {do[:1].lower() + do[1:]}", name)
    if reading is None or (reading.base.split(" ")[0] in data["intention_weak"] and reading.meal is None):
        return None
    if timed is not None and timed.cue.timed and not reading.cue.timed:
        reading = Reading(
            reading.activity,
            reading.base,
            reading.whole,
            timed.cue,
            reading.place,
            reading.people,
            reading.meal,
            reading.negative,
        )
    return reading, avoid or reading.negative


@lru_cache(maxsize=2048)
def against_what(text: str) -> str:
    """What a voice sets somebody against ("you are against the fair" -> "the fair"), "" when it doesn't."""
    data: dict[str, Any] = templates("planning")
    text = re.sub(data["directive_lead"], "", text.strip().rstrip(".!"), count=1)
    found = re.match(data["directive_against"], text, re.IGNORECASE)
    return found["what"].strip() if found else ""


def against(memories: Iterable[Recollection], name: str) -> Recollection | None:
    """The inner voice among some memories that sets its bearer against something called so, None: none does."""
    meant = _content(name)
    voices = (memory for memory in memories if memory.tag == "voice")
    return next((voice for voice in voices if meant and meant <= _content(against_what(voice.text))), None)


def shunned(op: PlanDay) -> frozenset[str]:
    """Ids of what stands in the diary and the inner voice is against."""
    return frozenset(c.id for c in op.commitments if against(op.recent, c.event.name) is not None)


def _rewritten(text: str) -> str:
    """A directive in words that can be read as something to do."""
    data: dict[str, Any] = templates("planning")
    plain = re.sub(data["directive_should"], "", text, count=1, flags=re.IGNORECASE)
    for pattern, better in data["directive_rewrites"]:
        found = re.match(pattern, plain, re.IGNORECASE)
        if found is not None:
            return _rewritten(str(better).format(**found.groupdict()))
    return text


def place_intentions(items: list[Item], found: list[Intended], op: PlanDay, now: int, dice: Dice) -> list[Item]:
    """The day with intentions worked in: joined to what is done anyway, in place of something less wanted, or added."""
    attending: list[str] = templates("planning")["attending"]
    for one in found:
        content = _content(one.reading.base)
        alike = [item for item in items if len(content & _content(item.activity)) >= min(2, len(content)) and content]
        if one.avoid:
            kept = (item.meal or item.kind == "work" or (item.hard and not one.urgent) for item in items)
            items = [item for item, keep in zip(items, kept, strict=True) if item not in alike or keep]
            continue
        if alike:
            alike[0].rests = (*alike[0].rests, one.id)
            continue
        verb = one.reading.base.split(" ", 1)[0]
        known = any(c.event.name in one.reading.base for c in op.commitments)
        if verb in attending and (known or any(content & family.words for family in families().values() if family.event)):
            continue
        items = _insert(items, one, op, now, dice)
    return items


def _insert(items: list[Item], one: Intended, op: PlanDay, now: int, dice: Dice) -> list[Item]:
    reading, person = one.reading, op.person
    activity, whole = _approach(reading)
    usual = min(minutes_for(reading.activity)[0], 40 if activity != reading.activity else 75)
    new = Item(0, activity, reading.place, (one.id,), "intention", usual, usual + 15, whole=whole)
    cue = reading.cue
    if cue.at is not None:
        at = cue.at if cue.sure or cue.at >= person.wakes + 60 else cue.at + 720
        new.start, new.hard = max(at, now), True
        gone = [i for i in items if not i.hard and i.kind in ("habit", "free") and new.start - 10 <= i.start < new.start + usual]
        return sorted([*(i for i in items if i not in gone), new], key=lambda i: i.start)
    if one.urgent:
        new.start = now
        return sorted([new, *items], key=lambda i: i.start)
    low, high = cue.window if cue.window is not None and 0 <= cue.window[0] < 1440 else (person.wakes + 90, person.sleeps - 120)
    low = max(low, now)
    options = [
        i for i in items if i.kind in ("habit", "free") and not i.meal and not i.hard and low - 30 <= i.start <= high
        and not any(other.kind == "intention" and other.start == i.start for other in items)
    ]  # fmt: skip
    loose = [i for i in options if i.loose] or [i for i in options if i.start >= 780] or options
    if loose:
        gives_way = dice.choice(loose)
        new.start = gives_way.start
        items = [i for i in items if i is not gives_way]
    else:
        new.start = max(low, min(high, 960))
    return sorted([*items, new], key=lambda i: i.start)


def _approach(reading: Reading) -> tuple[str, str]:
    """Speaking with somebody begins with looking for them; what can't just be done begins with planning it."""
    if not reading.people and reading.base.split(" ", 1)[0] in templates("planning")["achievements"]:
        aims: list[str] = templates("planning")["aims"]
        text = aims[len(reading.base) % len(aims)].format(aim=reading.base)
        return text, text
    data: dict[str, Any] = templates("planning")["with_person"]
    verb = reading.base.split(" ", 1)[0]
    if not reading.people or verb not in (*data["words"], *data["company"]):
        return reading.activity, reading.whole
    person = reading.people[0]
    if verb in data["company"]:
        text = str(data["be"]).format(person=person)
    else:
        name = data["name"].format(person=re.escape(person))
        do = re.sub(name, "", reading.base, count=1).strip()
        text = str(data["say" if do.count(" ") < LONG_WORDS else "long"]).format(person=person, do=do)
    return text, text


def _content(text: str) -> frozenset[str]:
    skip = templates("planning")["content_stop"]
    return frozenset(w for w in re.findall(r"[a-z][a-z'-]+", text.lower()) if w not in skip and len(w) > 3)
