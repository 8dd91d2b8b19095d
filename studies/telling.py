"""The story of a run in about a page, for people: told from rows and measures, nothing invented.

    story(run)          the text
    tell(material)      the same from what has been read already

What is chosen: who woke first; how each tracked piece of news travelled, the longest way in full; who was invited and
how they answered; how the gathering went; who was at odds; a conclusion somebody drew; what went wrong. Wording:
`wording/story.yaml`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise

from memory import Record
from simulation.measures import Asked, Attendance, Done, Learned, Said, asked, attendance, spread
from simulation.storing.runfile import RunFile
from studies.material import Material, gather
from studies.wording import count, entries, listed, say

NAMES = 12
"""How many names a sentence lists."""
UP_BY = 14
"""The hour by which one's sleep counts as last night's."""
WRONG = 5
"""How many kinds of oddities are told."""


def story(run: RunFile) -> str:
    """A run's story in about a page; its first line says what kind of evidence it is."""
    return tell(gather(run))


def tell(m: Material) -> str:
    """As `story`."""
    paragraphs = [[m.evidence_line()], _title(m), *_days(m), *_news(m), *_gatherings(m), _odds(m), _thoughts(m), _wrong(m)]
    return "\n\n".join("\n".join(line for line in lines if line) for lines in paragraphs if any(lines)) + "\n"


def _s(key: str, /, **fields: object) -> str:
    return say("story", key, **fields)


def _n(key: str, n: int, /, **fields: object) -> str:
    return count("story", key, n, **fields)


def _sentences(told: Iterable[str]) -> str:
    return " ".join(sentence for sentence in told if sentence)


def _title(m: Material) -> list[str]:
    clock, committed = m.reading.clock, m.reading.committed
    start, end = (f"{clock.at(step):%A %d %B %Y %H:%M}" for step in (0, committed))
    lines = [_s("title", title=m.data["title"], residents=len(m.reading.names), start=start, end=end)]
    if committed < int(m.run.get("planned", "0")):
        lines.append(_s("unfinished", end=end))
    return lines


def _days(m: Material) -> Iterator[list[str]]:
    clock = m.reading.clock
    for start, end in m.reading.days():
        lines = [_s("day", weekday=f"{clock.at(start):%A}", date=f"{clock.at(start):%d %B %Y}")]
        up = [act for act in (_waking(m, name, start) for name in m.reading.names) if act is not None]
        if up:
            first, last = min(up, key=lambda act: act.start), max(up, key=lambda act: act.start)
            lines.append(
                _sentences(
                    (
                        _s("awake", who=first.doer, time=f"{clock.at(first.start):%H:%M}", text=first.text),
                        _s("awake_last", who=last.doer, time=f"{clock.at(last.start):%H:%M}"),
                    )
                )
            )
        said = [one for one in m.reading.said if start <= one.step < end]
        speakers = Counter(one.speaker for one in said)
        busiest = min(speakers, key=lambda name: (-speakers[name], name), default="")
        lines.append(_n("talks", len({one.conversation for one in said}), words=len(said), busiest=busiest))
        yield lines


def _waking(m: Material, name: str, start: int) -> Done | None:
    """The first act after the last sleep that ended before UP_BY on the day that begins at `start`."""
    by = start + m.reading.clock.steps(hours=UP_BY)
    found = None
    for before, act in pairwise(m.reading.acts[name]):
        if before.asleep and not act.asleep and start < act.start < by:
            found = act
    return found


def _news(m: Material) -> Iterator[list[str]]:
    for number, fact in enumerate(m.reading.tracked.values()):
        learned = spread(m.reading, fact.id)
        holders = [one for one in learned if one.hand == "holder"]
        heard = [one for one in learned if one.hand != "holder"]
        if not holders:
            continue
        names = listed([one.resident for one in holders])
        seeded = any(one.step < 0 for one in holders)
        lines = [_s("news_head")] if number == 0 else []
        second = sum(one.hand == "second" for one in learned)
        lines.append(
            _sentences(
                (
                    _s("news" if seeded else "news_later", text=fact.text, holders=names),
                    _n("news_spread", len(heard), known=len(learned), of=len(m.reading.names)),
                    _n("news_second", second),
                )
            )
        )
        words = {str(said.id): said for said in m.reading.said}
        if heard and heard[0].words in words:
            first = words[str(heard[0].words)]
            lines.append(
                _s("news_first", who=heard[0].resident, when=m.when(first.step), place=m.place(first.place), words=first.text)
            )
        way = _longest_way(learned)
        if len(way) > 1:
            steps = [
                _s("way_step", source=one.source, who=one.resident, when=m.when(one.step), place=m.place(one.place))
                for one in way
            ]
            lines.append(_s("news_way", way=str(entries("story", "way_link")).join(steps)))
        yield lines


def _longest_way(learned: list[Learned]) -> list[Learned]:
    """From holder to hearer the way with most tellings; the earliest of equals."""
    by_name = {one.resident: one for one in learned}
    best: list[Learned] = []
    for one in learned:
        way: list[Learned] = []
        step: Learned | None = one
        while step is not None and step.source is not None and step not in way:
            way.insert(0, step)
            step = by_name.get(step.source)
        if len(way) > len(best):
            best = way
    return best


def _gatherings(m: Material) -> Iterator[list[str]]:
    everything = asked(m.reading)
    for fact in m.reading.tracked.values():
        if fact.gathering is not None:
            yield list(_gathering(m, attendance(m.reading, m.where, fact), everything))
    arranged = [one for one in everything if one.accepted and one.gathering is not None and _on_the_way(m, one)]
    meetings = {one.gathering: one for one in reversed(arranged)}
    if meetings:
        first = arranged[0]
        assert first.gathering is not None
        example = _s(
            "example", host=first.said.speaker, guests=first.who, name=first.gathering.name,
            when=m.when(first.gathering.start), place=m.place(first.gathering.place),
        )  # fmt: skip
        yield [_n("arranged", len(meetings), example=example)]


def _on_the_way(m: Material, one: Asked) -> bool:
    return all(fact.gathering != one.gathering for fact in m.reading.tracked.values())


def _gathering(m: Material, found: Attendance, everything: list[Asked]) -> Iterator[str]:
    what = found.gathering
    yield _s("gathering_head", name=what.name)
    names = listed(found.invited, NAMES)
    yield _n(
        "invited", len(found.invited), host=what.host, name=what.name, when=m.when(what.start), place=m.place(what.place),
        names=names, promised=len(found.promised), declined=len(found.declined),
    )  # fmt: skip
    ours = [one for one in everything if one.gathering == what and one.act == "invite" and one.said.speaker == what.host]
    yes = next((one for one in ours if one.accepted and one.who in found.promised), None)
    no = next((one for one in ours if one.with_reason and one.who in found.declined), None)
    opening = yes or no or (ours[0] if ours else None)
    if opening is not None:
        yield _quote("invitation", m, opening.said, host=what.host, who=opening.who)
    for key, one in (("accepted", yes), ("declined", no)):
        if one is not None and one.answer is not None:
            yield _quote(key, m, one.answer, who=one.who)
    if not found.begun:
        yield _s("ahead", name=what.name)
        return
    by_id = {str(act.id): act for act in m.reading.acts.get(what.host, ())}
    if found.preparing:
        act = by_id[found.preparing[0]]
        yield _s("prepared", host=what.host, text=act.text, when=m.when(act.start))
    if found.helpers:
        yield _s("helped", names=listed(found.helpers))
    yield _n("came", len(found.came), names=listed(found.came, NAMES))
    if not found.host_came:
        yield _s("host_away", host=what.host)
    if found.over:
        absent = [name for name in found.promised if name not in found.came]
        yield _n("absent", len(absent), names=listed(absent, NAMES))


def _quote(key: str, m: Material, said: Said, **fields: object) -> str:
    return _s(key, when=m.when(said.step), words=said.text, **fields)


def _odds(m: Material) -> list[str]:
    """A talk between two who are at odds from the start, if there was one; and somebody who was asked why."""
    foes = {
        (name, record.about)
        for name, records in m.reading.memories.items()
        for record in records
        if record.tag == "acquaintance" and record.tone < 0 and record.about is not None
    }
    lines: list[str] = []
    for talk in m.reading.conversations.values():
        reply = next((said for said in talk if said.speaker != talk[0].speaker), None)
        if reply is not None and {(talk[0].speaker, reply.speaker), (reply.speaker, talk[0].speaker)} & foes:
            first = talk[0]
            lines.append(_quote("odds", m, first, who=first.speaker, other=reply.speaker, place=m.place(first.place)))
            lines.append(_quote("odds_reply", m, reply, other=reply.speaker))
            break
    for talk in m.reading.conversations.values():
        at = next((i for i, said in enumerate(talk) if said.act == "ask_why"), None)
        if at is not None:
            lines.append(_quote("asked_why", m, talk[at], who=talk[at].speaker, other=listed(talk[at].to)))
            answer = next((said for said in talk[at + 1 :] if said.speaker in talk[at].to), None)
            if answer is not None:
                lines.append(_quote("explained", m, answer, other=answer.speaker))
            break
    return [_s("odds_head"), *lines] if lines else []


def _thoughts(m: Material) -> list[str]:
    """The weightiest conclusion of each day, those that rest on earlier conclusions first; and who knows whom."""
    lines: list[str] = []
    told: set[str] = set()
    for start, end in m.reading.days():
        drawn = [
            record
            for records in m.reading.memories.values()
            for record in records
            if record.kind == "reflection" and start <= record.created < end and record.id.resident not in told
        ]
        if not drawn:
            continue
        best = min(
            drawn, key=lambda record: (_repeats(m, record), -_upon(m, record), -record.importance, record.created, record.id)
        )
        told.add(best.id.resident)
        lines.append(_s("thought", who=best.id.resident, when=m.when(best.created), text=best.text))
        known = [m.reading.record_of[str(id)] for id in best.evidence if str(id) in m.reading.record_of]
        ground = max(known, key=lambda record: (record.kind == "reflection", record.importance), default=None)
        if ground is not None:
            lines.append("  " + _s("thought_upon" if ground.kind == "reflection" else "thought_from", text=ground.text))
    pairs = len(m.reading.names) * (len(m.reading.names) - 1) // 2
    start_share, end_share = m.data["density"]["start"], m.data["density"]["end"]
    lines.append(_s("acquaintance", start=round(start_share * pairs), end=round(end_share * pairs), pairs=pairs))
    return [_s("thoughts_head"), *lines] if len(lines) > 1 else lines


def _repeats(m: Material, record: Record) -> bool:
    """Whether a conclusion says no more than what it rests on, in other words."""
    found = (m.reading.record_of.get(str(id)) for id in record.evidence)
    return any(one is not None and one.text.casefold() in record.text.casefold() for one in found)


def _upon(m: Material, record: Record) -> int:
    found = (m.reading.record_of.get(str(id)) for id in record.evidence)
    return int(any(one is not None and one.kind == "reflection" for one in found))


def _wrong(m: Material) -> list[str]:
    lines = []
    for ones in [ones for ones in m.odd.values() if ones][:WRONG]:
        told = m.odd_sentence(ones[0])
        lines.append(f"{told} {_n('more_of_kind', len(ones) - 1)}" if len(ones) > 1 else told)
    if not lines:
        lines.append(_s("nothing_wrong"))
    lines.append(_n("fallbacks", sum(calls["fallbacks"] for calls in m.data["calls"].values())))
    lines.append(_n("failures", m.data["failures"]))
    return [_s("wrong_head"), *lines]
