"""Commitments and intentions: how what was promised and what was resolved change a day.

Parts: `commitment_items` (host, helper, guest; heard-of events by inclination), `carve` (makes room),
`intended` (what recollections of intentions and the inner voice say to do), `place_intentions`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from kernel import Dice
from language.offline.day_items import Item
from language.offline.families import families
from language.offline.grammar import first_name, gerund, gerund_to_base, is_gerund, place_words
from language.offline.reading import Reading, read_sentence
from language.offline.routine import minutes_for
from language.offline.similarity import likeness
from language.offline.temper import sociability
from language.operations import PlanDay
from language.values import Commitment, Event, Recollection
from language.wording.loader import templates

PREPARING = 90
"""Minutes a host spends at the place before the event; the last half hour is being there early."""


def event_words(event: Event) -> str:
    """The event as a noun phrase: "the harvest supper"."""
    article: dict[str, Any] = templates("planning")["article"]
    name = event.name.strip()
    head, _, rest = name.partition(" ")
    if head.lower() in article["strip"] and rest:
        return (
            name
            if head.lower() not in templates("planning")["objects"]["indefinite"]
            else str(article["bare"]).format(event=rest)
        )
    if gerund(name) == name and head.endswith("ing"):
        return name
    return str(article["bare"]).format(event=name)


def commitment_items(op: PlanDay, midnight: datetime, dice: Dice) -> list[Item]:
    """Items of today's diary. Called off: none; not firm: by interest."""
    words: dict[str, Any] = templates("planning")["commitments"]
    items: list[Item] = []
    for commitment in sorted(op.commitments, key=lambda c: (not c.firm, c.event.start, c.id)):
        event = commitment.event
        start = int((event.start - midnight).total_seconds() // 60)
        end = int((event.end - midnight).total_seconds() // 60)
        if commitment.called_off or end <= start or not 0 <= start < 1800:
            continue
        if not commitment.firm and not dice.chance(inclination(op, commitment)):
            continue
        slots = {"event": event_words(event), "host": first_name(event.host)}
        place = place_words(event.place, op.person.name)
        rests = (commitment.id,)
        if commitment.role == "host":
            ready = dice.choice(words["host_prepare"]).format(**slots)
            lead = PREPARING if end - start > 45 else 25
            items.append(Item(start - lead, ready, place, rests, "prepare", lead, lead, hard=True))
            text = dice.choice(words["host"]).format(**slots)
            items.append(Item(start, text, place, rests, "commitment", end - start, end - start, hard=True))
            continue
        if commitment.role == "helper":
            text = dice.choice(words["helper"]).format(**slots)
        elif commitment.firm:
            text = dice.choice(words["guest"]).format(**slots)
        else:
            text = dice.choice(words["maybe"]).format(**slots)
        stay = end - start
        if commitment.role == "guest" and stay >= 90 and dice.chance(0.3):
            stay -= 15 * (1 + dice.below(2))
        items.append(Item(start - 5, text, place, rests, "commitment", stay + 5, stay + 5, hard=True))
    kept: list[Item] = []
    for item in items:  # firm ones come first: what overlaps them isn't kept
        if all(item.start + item.usual <= other.start or item.start >= other.start + other.usual for other in kept):
            kept.append(item)
    return kept


def inclination(op: PlanDay, commitment: Commitment) -> float:
    """How probable it is to go to something one has only heard of (0..1): company, interest, whose it is."""
    event = commitment.event
    chance = 0.1 + 0.4 * sociability(op.person)
    host = event.host
    for statement in op.person.statements:
        if host in statement.text or first_name(host) in statement.text.split():
            chance += 0.12
            break
    if max((likeness(event.name, s.text) for s in op.person.statements if s.topic in ("aim", "about")), default=0.0) > 0.35:
        chance += 0.12
    start = event.start.hour * 60 + event.start.minute
    if op.person.work_hours is not None and op.person.work_hours[0] < start < op.person.work_hours[1]:
        chance -= 0.3
    return min(0.85, max(0.02, chance))


def carve(items: list[Item], diary: list[Item]) -> list[Item]:
    """`items` with room for the diary's: what lies within gives way, meals move before or after."""
    latest = {meal: span[1] + 15 for meal, span in templates("planning")["meal_times"].items()}
    out: list[Item] = []
    for item in items:
        hit = next((d for d in diary if d.start - 10 <= item.start < d.start + d.usual), None)
        if hit is None:
            out.append(item)
            continue
        if (item.meal is None and item.kind not in ("bed", "work", "waking")) or (item.meal and item.meal == served_at(hit)):
            continue
        after = hit.start + hit.usual
        while (more := next((d for d in diary if d.start - 10 <= after < d.start + d.usual), None)) is not None:
            after = more.start + more.usual
        before = min(d.start for d in diary if d.start - 10 <= item.start or d is hit) - 45
        if (
            item.meal is not None
            and after > max(latest[item.meal], item.start + 45)
            and not any(d.start <= before < d.start + d.usual for d in diary)
        ):
            item.start = before
        else:
            item.start = after
        item.loose, item.hard = False, item.meal is not None
        out.append(item)
    for d in diary:  # what would run into a commitment ends there by itself; a meal just before needs its minutes
        for item in out:
            if item.meal and d.start - 20 < item.start < d.start:
                item.start = d.start - 35
    return sorted([*out, *diary], key=lambda i: i.start)


def served_at(item: Item) -> str | None:
    """The meal that something in the diary is itself ("the harvest supper")."""
    meals: dict[str, str] = templates("lexicon_times")["meals"]
    return next((meal for meal, pattern in meals.items() if re.search(pattern, item.activity, re.IGNORECASE)), None)


# --- intentions ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Intended:
    """Something a person means to do today, or not to do. `id` of the recollection it rests on."""

    id: str
    reading: Reading
    avoid: bool
    urgent: bool


def intended(op: PlanDay) -> list[Intended]:
    """What the recollections given say one means to do, the inner voice first, then the newest; at most three."""
    found: list[tuple[tuple[int, float, str], Intended]] = []
    for memory in op.recent:
        if memory.tag not in ("intention", "voice") and memory.kind != "reflection":
            continue
        voice = memory.tag == "voice"
        reading = _reading(memory, op.person.name, voice=voice)
        if reading is None or (
            memory.kind == "reflection" and memory.tag not in ("intention", "voice") and not reading[0].cue.timed
        ):
            continue
        rank = (0 if voice else 1, memory.hours_ago, memory.id)
        found.append((rank, Intended(memory.id, reading[0], reading[1], voice)))
    found.sort(key=lambda f: f[0])
    out: list[Intended] = []
    for _, one in found:
        if all(one.reading.base != other.reading.base for other in out):
            out.append(one)
    return out[:3]


def _reading(memory: Recollection, name: str, *, voice: bool) -> tuple[Reading, bool] | None:
    return read_intention(memory.text, name, voice)


@lru_cache(maxsize=2048)
def read_intention(text: str, name: str, voice: bool = False) -> tuple[Reading, bool] | None:
    """(what is intended, whether it is to be avoided), None when the text tells of no doable intention of `name`."""
    data: dict[str, Any] = templates("planning")
    text = text.strip().rstrip(".!")
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


def place_intentions(items: list[Item], found: list[Intended], op: PlanDay, now: int, dice: Dice) -> list[Item]:
    """The day with intentions worked in: joined to what is done anyway, in place of something less wanted, or added."""
    attending = templates("planning")["attending"]
    for one in found:
        content = _content(one.reading.base)
        alike = [item for item in items if len(content & _content(item.activity)) >= min(2, len(content)) and content]
        if one.avoid:
            items = [item for item in items if item not in alike or item.hard or item.meal or item.kind == "work"]
            continue
        if alike:
            alike[0].rests = (*alike[0].rests, one.id)
            continue
        if one.reading.base.split(" ", 1)[0] in attending and content & families()["guest_event"].words:
            continue
        items = _insert(items, one, op, now, dice)
    return items


def _insert(items: list[Item], one: Intended, op: PlanDay, now: int, dice: Dice) -> list[Item]:
    reading, person = one.reading, op.person
    activity, whole = _approach(reading)
    usual = min(minutes_for(reading.activity)[0], 75)
    new = Item(0, activity, reading.place, (one.id,), "intention", usual, max(usual, 90), whole=whole)
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
    """Speaking with somebody begins with looking for them."""
    data: dict[str, Any] = templates("planning")["with_person"]
    verb = reading.base.split(" ", 1)[0]
    if not reading.people or verb not in (*data["words"], *data["company"]):
        return reading.activity, reading.whole
    person = reading.people[0]
    if verb in data["company"]:
        text = str(data["be"]).format(person=person)
    else:
        name = data["name"].format(person=re.escape(person))
        text = str(data["say"]).format(person=person, do=re.sub(name, "", reading.base, count=1).strip())
    return text, text


def _content(text: str) -> frozenset[str]:
    skip = templates("planning")["content_stop"]
    return frozenset(w for w in re.findall(r"[a-z][a-z'-]+", text.lower()) if w not in skip and len(w) > 3)
