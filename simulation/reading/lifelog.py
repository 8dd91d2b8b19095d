"""The log of a run: a resident's day as a person would read it, and the notable things of the whole town.

    Entry                       one thing that happened, with the ids it comes from
    resident_log(run, name)     acts merged into spans, talks as dialogue, plans and their changes, reflections
    by_the_hour(entries)        the same, coarser: acts that carry out one hour's plan as one
    town_log(run)               news reaching people, invitations and answers, resolutions, events, interventions
    read_out(run, entries, ...) entries in words, line by line

All is read from the run file; nothing is guessed.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

from kernel import Clock, RecordId, dumps
from simulation.storing.library import run_clock
from simulation.storing.runfile import RunFile
from simulation.wording import has_phrase, phrase
from town.tree import leaf, parts

TELLING = ("invite", "ask_help", "accept", "decline", "ask_why", "apologise", "retract")
"""Dialogue acts that are notable for the whole town."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing of a log. `until` is a step, exclusive; `lines` are (step, speaker, words, id) of a talk; `id` as in the
    file; `going_on`: may still last longer; `part_of`: the hour's plan that an act carries out."""

    step: int
    until: int
    kind: str
    text: str
    who: str = ""
    place: str | None = None
    people: tuple[str, ...] = ()
    reason: str = ""
    id: str = ""
    lines: tuple[tuple[int, str, str, str], ...] = ()
    going_on: bool = False
    part_of: str = ""

    def as_json(self, clock: Clock) -> dict[str, Any]:
        """With calendar times, for `--json`."""
        values = asdict(self)
        values["time"] = clock.at(self.step).isoformat(sep=" ")
        values["people"] = list(self.people)
        values["lines"] = [
            {"time": clock.at(step).isoformat(sep=" "), "speaker": who, "text": text, "id": name}
            for step, who, text, name in self.lines
        ]
        return values


def resident_log(run: RunFile, name: str, since: int = 0) -> list[Entry]:
    """Everything a resident did, said, planned and concluded from step `since` on, in order."""
    entries = [*_acts(run, name), *_talks(run, name), *_plans(run, name), *_thoughts(run, name)]
    order = {"plan": 0, "change": 1, "drop": 1, "act": 2, "talk": 3}
    return sorted((e for e in entries if e.step >= since), key=lambda e: (e.step, order.get(e.kind, 4), e.id))


def town_log(run: RunFile, since: int = 0) -> list[Entry]:
    """What was notable in the whole town from step `since` on, in order."""
    entries = [*_news(run), *_telling(run), *_intentions(run), *_events(run), *_meddled(run), *_failures(run)]
    return sorted((e for e in entries if e.step >= since), key=lambda e: (e.step, e.who, e.kind, e.id))


def entries_of(run: RunFile, name: str | None, since: int = 0) -> list[Entry]:
    """The log of a resident, or of the town when no name is given."""
    return town_log(run, since) if name is None else resident_log(run, name, since)


def heading(run: RunFile, name: str | None) -> str:
    """What stands above a log."""
    if name is None:
        return phrase("town", "title", title=run.get("title"))
    occupation = run.rows("SELECT occupation FROM residents WHERE name = ?", (name,))[0][0]
    return phrase("log", "title", name=name, occupation=occupation)


def follow_log(run: RunFile, name: str | None, *, ids: bool, json: bool, wait: float = 0.5) -> Iterator[str]:
    """The log as it grows, in words or as one JSON object a line, until the run's planned end."""
    clock, day = run_clock(run), ""
    told: set[tuple[str, int, str, str]] = set()
    if not json:
        yield heading(run, name)
    while True:
        done = run.committed
        over = done >= int(run.get("planned"))
        for entry in entries_of(run, name):
            key = (entry.kind, entry.step, entry.who, entry.id)
            if key in told or max(entry.until, entry.step + 1) > done or (entry.going_on and not over):
                continue
            told.add(key)
            if json:
                yield dumps(entry.as_json(clock))
                continue
            yield from read_out(run, [entry], name is not None, ids=ids, day=day)
            day = _day(clock, entry.step)
        if over:
            return
        time.sleep(wait)


def _day(clock: Clock, step: int) -> str:
    return phrase("log", "day", weekday=f"{clock.at(step):%A}", date=f"{clock.at(step):%Y-%m-%d}")


def read_out(run: RunFile, entries: Iterable[Entry], of_one: bool, *, ids: bool = False, day: str = "") -> Iterator[str]:
    """The entries in words, of one resident (by the hour, unless ids are wanted) or of the town.

    `day` is the heading printed last, to go on after it.
    """
    clock, section = run_clock(run), "log" if of_one else "town"
    if of_one and not ids:
        entries = by_the_hour(entries)
    for entry in entries:
        moment = clock.at(entry.step)
        today = _day(clock, entry.step)
        if today != day:
            day = today
            yield from ("", today)
        key = entry.kind if has_phrase(section, entry.kind) else "note"
        line = phrase(
            section,
            key,
            start=f"{moment:%H:%M}",
            end=f"{clock.at(entry.until):%H:%M}",
            text=entry.text,
            who=entry.who,
            people=", ".join(entry.people),
            place=place_words(entry.place) if section == "log" else leaf(entry.place or ""),
            reason=phrase("log", "reason", reason=entry.reason) if entry.reason else "",
            by=entry.reason or phrase("town", "somebody"),
        )
        yield line + (phrase("log", "id", id=entry.id) if ids and entry.id else "")
        for step, speaker, text, name in entry.lines:
            said = phrase("log", "words", time=f"{clock.at(step):%H:%M}", speaker=speaker, text=text)
            yield "        " + said + (phrase("log", "id", id=name) if ids else "")


def place_words(address: str | None) -> str:
    """An address as people say it, in brackets; "" for none."""
    if not address:
        return ""
    names = parts(address)
    return phrase("log", "place", object=names[-1], sector=f", {names[1]}" if len(names) > 2 else "")


def _acts(run: RunFile, name: str) -> list[Entry]:
    rows = run.rows(
        "SELECT a.step, a.n, a.text, a.target, a.note, a.until, MIN(e.step), a.records FROM acts a LEFT JOIN act_ends e"
        " ON e.resident = a.resident AND e.act = a.resident || '/' || a.step || '/' || a.n"
        " WHERE a.resident = ? GROUP BY a.step, a.n ORDER BY a.step, a.n",
        (name,),
    )
    spans: list[Entry] = []
    committed = run.committed
    hours = {
        str(RecordId(name, step, n)): text
        for step, n, text in run.rows("SELECT step, n, text FROM plans WHERE resident = ? AND level = 'hour'", (name,))
    }
    for step, n, text, target, note, until, end, records in rows:
        end = min(until, committed) if end is None else end
        last = spans[-1] if spans else None
        if last is not None and last.text == text and last.place == target and step - last.until <= 1:
            spans[-1] = replace(last, until=end)
        elif end > step:
            part_of = next((hours[record] for record in json.loads(records) if record in hours), "")
            spans.append(Entry(step, end, "act", text, name, target, (), note, str(RecordId(name, step, n)), part_of=part_of))
    if spans:
        spans[-1] = replace(spans[-1], going_on=True)  # an equal act may follow
    return spans


def by_the_hour(entries: Iterable[Entry]) -> list[Entry]:
    """The same log with the acts that carry out one hour's plan told as one: the plan, then what was done of it.

    Talks and thoughts keep their place; an act of another kind, or a gap, ends the group.
    """
    groups: list[list[Entry]] = []
    rest: list[Entry] = []
    for entry in entries:
        last = groups[-1][-1] if groups else None
        if entry.kind != "act":
            rest.append(entry)
        elif last is not None and entry.part_of and entry.part_of == last.part_of and entry.step - last.until <= 1:
            groups[-1].append(entry)
        else:
            groups.append([entry])
    order = {"plan": 0, "change": 1, "drop": 1, "act": 2}
    return sorted((*map(_joined, groups), *rest), key=lambda e: (e.step, order.get(e.kind, 3)))


def _joined(group: list[Entry]) -> Entry:
    first, last = group[0], group[-1]
    done = list(dict.fromkeys(entry.text for entry in group))
    if len(done) == 1 or not first.part_of:
        return replace(first, until=last.until)
    places = [parts(entry.place) for entry in group if entry.place]
    common = next((n for n in (4, 3, 2) if len({place[:n] for place in places}) == 1 and len(places[0]) >= n), 0)
    text = phrase("log", "hour", plan=first.part_of, done=", ".join(text for text in done if text != first.part_of))
    return replace(first, until=last.until, text=text, place=" : ".join(places[0][:common]) if common else None)


def _talks(run: RunFile, name: str) -> list[Entry]:
    rows = run.rows(
        "SELECT c.id, MAX(c.step), c.started, c.place, c.everybody, MAX(c.ended) FROM conversations c, json_each(c.everybody) p"
        " WHERE p.value = ? GROUP BY c.id ORDER BY c.started, c.id",
        (name,),
    )
    entries = []
    for conversation, last, started, place, everybody, ended in rows:
        lines = run.rows(
            "SELECT step, resident, text, resident || '/' || step || '/' || n FROM utterances WHERE conversation = ?"
            " ORDER BY step, resident",
            (conversation,),
        )
        others = tuple(person for person in json.loads(everybody) if person != name)
        end = ended if ended is not None else last + 1
        said = tuple(tuple(line) for line in lines)
        entries.append(Entry(started, end, "talk", "", name, place, others, "", conversation, said, going_on=ended is None))
    return entries


def _plans(run: RunFile, name: str) -> list[Entry]:
    clock = run_clock(run)
    rows = run.rows(
        "SELECT written, step, n, level, start, text, status, reason FROM plans WHERE resident = ?"
        " ORDER BY written, start, step, n",
        (name,),
    )
    entries: list[Entry] = []
    days: dict[int, list[Any]] = {}
    changes: dict[tuple[int, str, str], list[Any]] = {}
    for row in rows:
        written, _, _, level, _, _, status, reason = row
        if level == "day" and status == "made":
            days.setdefault(written, []).append(row)
        elif status != "made":
            changes.setdefault((written, status, reason), []).append(row)
    for written, made in days.items():
        told = "; ".join(phrase("log", "plan_part", start=f"{clock.at(row[4]):%H:%M}", text=row[5]) for row in made)
        entries.append(Entry(written, written, "plan", told, name, reason=made[0][7], id=str(RecordId(name, *made[0][1:3]))))
    for (written, status, reason), changed in changes.items():
        kind = "drop" if status == "dropped" else "change"
        text = "; ".join(dict.fromkeys(row[5] for row in changed))
        entries.append(Entry(written, written, kind, text, name, reason=reason, id=str(RecordId(name, *changed[0][1:3]))))
    return entries


def _thoughts(run: RunFile, name: str) -> list[Entry]:
    rows = run.rows(
        "SELECT step, n, kind, text FROM memories WHERE resident = ? AND step >= 0 AND (kind = 'reflection' OR tag = 'thought')"
        " ORDER BY step, n",
        (name,),
    )
    return [
        Entry(step, step, "reflection" if kind == "reflection" else "thought", text, name, id=str(RecordId(name, step, n)))
        for step, n, kind, text in rows
    ]


def _news(run: RunFile) -> list[Entry]:
    rows = run.rows(
        "SELECT m.resident, MIN(m.step), m.n, m.heard_from, f.text FROM memories m JOIN facts f ON f.id = m.fact"
        " WHERE m.step >= 0 AND m.heard_from IS NOT NULL AND f.tracked = 1 GROUP BY m.resident, m.fact"
    )
    return [
        Entry(step, step, "news", text, who, people=(source,), id=str(RecordId(who, step, n)))
        for who, step, n, source, text in rows
    ]


def _telling(run: RunFile) -> list[Entry]:
    rows = run.rows(
        f"SELECT resident, step, n, act, text, addressed FROM utterances WHERE act IN ({', '.join('?' * len(TELLING))})", TELLING
    )
    return [
        Entry(step, step, act, text, who, people=tuple(json.loads(to)), id=str(RecordId(who, step, n)))
        for who, step, n, act, text, to in rows
    ]


def _intentions(run: RunFile) -> list[Entry]:
    rows = run.rows("SELECT resident, step, n, text FROM memories WHERE step >= 0 AND tag = 'intention'")
    return [Entry(step, step, "intention", text, who, id=str(RecordId(who, step, n))) for who, step, n, text in rows]


def _events(run: RunFile) -> list[Entry]:
    rows = run.rows("SELECT id, step, until, place, text FROM events")
    return [Entry(step, until, "event", text, place=place, id=name) for name, step, until, place, text in rows]


def _meddled(run: RunFile) -> list[Entry]:
    """What users did to objects and minds, and who came or went because of them, with who asked for it; events they let
    happen are among the events."""
    rows = run.rows(
        "SELECT step, kind, text, COALESCE(who, ''), place, author FROM interventions WHERE step < ?"
        " AND kind IN ('object', 'voice', 'visit', 'leave', 'arrive', 'depart')",
        (run.committed,),
    )
    return [Entry(step, step, kind, text, who, place, reason=author) for step, kind, text, who, place, author in rows]


def _failures(run: RunFile) -> list[Entry]:
    rows = run.rows("SELECT resident, step, error, message FROM failures")
    return [Entry(step, step, "failure", f"{error}: {message}", who) for who, step, error, message in rows]


def as_json(run: RunFile, entries: Iterable[Entry]) -> str:
    """The entries as one JSON list (keys as in `Entry`, with calendar times)."""
    clock = run_clock(run)
    return dumps([entry.as_json(clock) for entry in entries])
