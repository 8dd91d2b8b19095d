"""The story of a run in a page, told from the run file: what went around, who came, and some of what was said.

    tell(path)    the lines

Nothing is invented: every line is a count or a quotation. What is chosen to be quoted: the talks in which news is
passed on at second hand first, then those with the most kinds of dialogue acts; the reflections that rest on most.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from simulation.library import run_clock
from simulation.lifelog import read_out, town_log
from simulation.runfile import RunFile
from simulation.whereabouts import present
from simulation.wording import phrase
from town.tree import leaf, parts

TALKS_A_DAY = 2
LINES_A_TALK = 8
NOTES_A_DAY = 10
PRESENT_MINUTES = 10
"""How long somebody must be at a gathering to have come."""
NOTABLE = ("event", "decline", "ask_why", "apologise", "retract", "ask_help", "intention", "news", "invite", "accept")
"""Kinds of the town's log, the rarer and more telling first."""


def tell(path: Path) -> list[str]:
    """The story of a run, line by line."""
    with RunFile.open(path) as run:
        return [*_opening(run), "", *_facts(run), *_gatherings(run), *_days(run)]


def _opening(run: RunFile) -> Iterator[str]:
    clock, committed = run_clock(run), run.committed
    residents = run.rows("SELECT COUNT(*) FROM residents")[0][0]
    offline = {run.get("model"), *json.loads(run.get("models", "{}")).values()} == {"offline"}
    yield phrase("story", "offline" if offline else "model")
    start, end = (f"{clock.at(step):%Y-%m-%d %H:%M}" for step in (0, committed))
    yield phrase("story", "title", title=run.get("title"), residents=residents, start=start, end=end)
    if committed < int(run.get("planned")):
        yield phrase("story", "unfinished", end=end)
    talks, utterances = run.rows("SELECT COUNT(DISTINCT conversation), COUNT(*) FROM utterances")[0]
    reflections = run.rows("SELECT COUNT(*) FROM memories WHERE kind = 'reflection'")[0][0]
    changes = run.rows("SELECT COUNT(DISTINCT resident || '/' || written) FROM plans WHERE status <> 'made'")[0][0]
    if not utterances:
        yield phrase("story", "nobody_talked")
    yield phrase("story", "talks", talks=talks, utterances=utterances, reflections=reflections, changes=changes)


def _facts(run: RunFile) -> Iterator[str]:
    residents = run.rows("SELECT COUNT(*) FROM residents")[0][0]
    for fact, text in run.rows("SELECT id, text FROM facts WHERE tracked = 1 ORDER BY id"):
        rows = run.rows("SELECT resident, heard_from FROM memories WHERE fact = ? ORDER BY step, n, resident", (fact,))
        source: dict[str, str | None] = {}
        for who, heard_from in rows:
            source.setdefault(who, heard_from)
        first = [who for who, heard_from in source.items() if heard_from is None]
        ways = {who: _way(who, source) for who in source}
        second = [who for who, way in ways.items() if len(way) > 2]
        holders = ", ".join(first) or phrase("story", "nobody")
        yield phrase("story", "fact_head", text=text)
        key = "fact" if len(source) > len(first) else "fact_still"
        yield phrase("story", key, holders=holders, known=len(source), residents=residents, second=len(second))
        longest = max(ways.values(), key=len, default=[])
        if len(longest) > 1:
            yield phrase("story", "chain", chain=phrase("story", "chain_link").join(longest))


def _way(who: str, source: dict[str, str | None]) -> list[str]:
    """From whom to whom a fact went until it reached somebody."""
    way = [who]
    while (before := source.get(way[0])) is not None and before not in way:
        way.insert(0, before)
    return way


def _gatherings(run: RunFile) -> Iterator[str]:
    clock, committed = run_clock(run), run.committed
    for (raw,) in run.rows("SELECT gathering FROM facts WHERE tracked = 1 AND gathering IS NOT NULL ORDER BY id"):
        plan: dict[str, Any] = json.loads(raw)
        least = clock.steps(minutes=PRESENT_MINUTES)
        there = [who for who, steps in present(run, plan["place"], plan["start"], plan["end"]).items() if steps >= least]
        guests = [who for who in there if who != plan["host"]]
        if plan["start"] >= committed:
            came = phrase("story", "to_come")
        else:
            came = (
                phrase("story", "came", guests=len(guests), names=", ".join(guests)) if guests else phrase("story", "came_none")
            )
            came += phrase("story", "host_there" if plan["host"] in there else "host_away")
        start, end = clock.at(plan["start"]), clock.at(plan["end"])
        yield phrase(
            "story", "gathering", name=plan["name"], start=f"{start:%Y-%m-%d %H:%M}", end=f"{end:%H:%M}",
            place=parts(plan["place"])[1], host=plan["host"], came=came,
        )  # fmt: skip


def _days(run: RunFile) -> Iterator[str]:
    clock, committed = run_clock(run), run.committed
    notable = town_log(run)
    day = 0
    while (begin := clock.steps(days=day)) < committed:
        end = min(clock.steps(days=day + 1), committed)
        moment = clock.at(begin)
        heading = phrase("story", "day", weekday=f"{moment:%A}", date=f"{moment:%Y-%m-%d}")
        yield from ("", heading)
        todays = [entry for entry in notable if begin <= entry.step < end]
        ranked = sorted(todays, key=lambda e: NOTABLE.index(e.kind) if e.kind in NOTABLE else len(NOTABLE))
        chosen = sorted(_spread(ranked), key=lambda e: e.step)
        yield from ("  " + line for line in read_out(run, chosen, False, day=heading))
        yield from _talks(run, begin, end)
        yield from _reflection(run, begin, end)
        day += 1


def _spread(ranked: list[Any]) -> list[Any]:
    """The first of the ranked, not more than a third of one kind."""
    kept: list[Any] = []
    counts: dict[str, int] = {}
    for entry in ranked:
        if len(kept) < NOTES_A_DAY and counts.get(entry.kind, 0) < NOTES_A_DAY // 3:
            kept.append(entry)
            counts[entry.kind] = counts.get(entry.kind, 0) + 1
    return kept


def _talks(run: RunFile, begin: int, end: int) -> Iterator[str]:
    clock = run_clock(run)
    rows = run.rows(
        "SELECT u.conversation, MIN(u.step), COUNT(DISTINCT u.act) + 2 * COUNT(NULLIF(u.passes_on, '[]')) AS worth"
        " FROM utterances u WHERE u.step >= ? AND u.step < ? GROUP BY u.conversation ORDER BY worth DESC, u.conversation LIMIT ?",
        (begin, end, TALKS_A_DAY),
    )
    for conversation, step, _ in sorted(rows, key=lambda row: row[1]):
        place, everybody = run.rows(
            "SELECT place, everybody FROM conversations WHERE id = ? ORDER BY step DESC, n DESC LIMIT 1", (conversation,)
        )[0]
        people, where = ", ".join(json.loads(everybody)), " : ".join(parts(place)[1:2]) or leaf(place)
        yield phrase("story", "talk_head", time=f"{clock.at(step):%H:%M}", place=where, people=people)
        lines = run.rows("SELECT resident, text FROM utterances WHERE conversation = ? ORDER BY step, resident", (conversation,))
        for speaker, text in lines[:LINES_A_TALK]:
            yield phrase("story", "talk_line", speaker=speaker.split()[0], text=text)
        if len(lines) > LINES_A_TALK:
            yield phrase("story", "more", count=len(lines) - LINES_A_TALK)


def _reflection(run: RunFile, begin: int, end: int) -> Iterator[str]:
    clock = run_clock(run)
    rows = run.rows(
        "SELECT resident, step, text, evidence FROM memories WHERE kind = 'reflection' AND step >= ? AND step < ?"
        " ORDER BY json_array_length(evidence) DESC, importance DESC, step, resident, n LIMIT 1",
        (begin, end),
    )
    for who, step, text, evidence in rows:
        yield phrase("story", "reflection", time=f"{clock.at(step):%H:%M}", who=who, text=text)
        for name in json.loads(evidence)[:3]:
            owner, at, n = name.rsplit("/", 2)
            for (told,) in run.rows("SELECT text FROM memories WHERE resident = ? AND step = ? AND n = ?", (owner, at, n)):
                yield phrase("story", "rests", text=told)
