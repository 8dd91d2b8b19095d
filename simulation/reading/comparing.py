"""Two lives compared: where they part, why as far as the files say, and what became of it.

    compare(first, second)  -> Comparison, with `.lines()` and `.as_json()`

What is compared is what the digest reads, up to the end of the shorter run (`parting`). The cause is only ever something on
file (`causes`); what became of it is who knew what, who talked with whom and who was where (`outcomes`). The picture is
drawn in `studies.comparison`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from kernel import Clock, dumps
from simulation.reading.causes import SHOWN, Cause, causes
from simulation.reading.outcomes import Outcome, Pair, outcome, time_apart
from simulation.reading.parting import Row, parting
from simulation.storing.library import run_clock
from simulation.storing.runfile import RunFile
from simulation.wording import has_phrase, phrase
from town.tree import leaf

MINUTE = 1.0
"""Differences in the time spent at a place that are smaller, in minutes, aren't listed."""
LISTED = 12
"""Lines of a table that are printed; JSON has them all."""


@dataclass(frozen=True)
class Comparison:
    """`step` None: no difference before step `until`, at calendar time `end`; then everything below is empty.

    rows    of the first difference in each: [table, step, resident, n, ...], None: it has none there
    cause   the likeliest of `causes`, None: nothing on file explains it (see `simulation.reading.causes`)
    knew    fact -> first, second, both: who came to know it (tracked facts on which they differ)
    learned fact -> resident -> first, second: calendar time of learning, "" from the start, None never; where it differs
    met     first, second: pairs who talked in that run only
    talks   pair -> first, second: conversations both took part in; where it differs
    went    resident -> sector address -> first, second: game minutes there; where it differs by a minute or more
    did     resident -> first, second: acts (in words) begun in that life only, in order of the words
    apart   the share of all residents' time, after the first difference, spent in another room than in the other life
    """

    evidence: str
    runs: tuple[str, str]
    until: int
    end: str
    step: int | None
    time: str
    rows: tuple[Row | None, Row | None]
    cause: Cause | None
    causes: list[Cause] = field(default_factory=list)
    knew: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    learned: dict[str, dict[str, dict[str, str | None]]] = field(default_factory=dict)
    met: dict[str, list[str]] = field(default_factory=dict)
    talks: dict[str, dict[str, int]] = field(default_factory=dict)
    went: dict[str, dict[str, dict[str, float]]] = field(default_factory=dict)
    did: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    apart: float = 0.0
    lives: tuple[Outcome, Outcome] | None = None
    """What was read of each, for a picture; not part of the JSON."""

    def as_json(self) -> str:
        """{evidence, runs, until, end, step, time, rows, cause, causes, knew, learned, met, talks, went, did, apart}."""
        return dumps({name: getattr(self, name) for name in self.__dataclass_fields__ if name != "lives"})

    def lines(self) -> Iterator[str]:
        """The difference, its cause, and what became of it."""
        yield phrase("diff", f"evidence_{self.evidence}")
        yield ""
        if self.step is None:
            yield phrase("diff", "same", time=self.end, step=self.until)
            return
        row = next(row for row in self.rows if row is not None)
        who = f", {row[2]}" if row[2] else ""
        yield phrase("diff", "first", time=self.time, step=self.step, table=_table(row[0]), who=who)
        for run, found in zip(self.runs, self.rows, strict=True):
            if found is not None:
                yield phrase("diff", "only", run=run, row=json.dumps(found[4:], ensure_ascii=False)[:SHOWN])
        yield phrase("diff", "cause", cause=in_words(self.cause)) if self.cause else phrase("diff", "cause_unknown")
        for cause in self.causes[1:]:
            yield phrase("diff", "also", cause=in_words(cause))
        yield from self._news()
        yield from self._meetings()
        yield from self._deeds()
        yield from self._places()

    def _news(self) -> Iterator[str]:
        if self.knew:
            yield ""
            yield phrase("diff", "knew_head", time=self.end)
            for fact, names in self.knew.items():
                listed = {key: ", ".join(value) or phrase("diff", "nobody") for key, value in names.items()}
                yield phrase("diff", "knew", fact=fact, **listed)
        rows = [
            phrase("diff", "learned", fact=fact, who=name, first=_since(times["first"]), second=_since(times["second"]))
            for fact, names in self.learned.items()
            for name, times in names.items()
            if None not in times.values()
        ]
        yield from _table_of(phrase("diff", "learned_head"), rows)

    def _meetings(self) -> Iterator[str]:
        if any(self.met.values()):
            yield ""
            yield phrase("diff", "met_head", time=self.end)
            for key, which in (("first", "one"), ("second", "other")):
                pairs = "; ".join(self.met[key]) or phrase("diff", "nobody")
                yield phrase("diff", "met", which=phrase("diff", which), pairs=pairs)
        often = sorted(self.talks.items(), key=lambda item: (-abs(item[1]["first"] - item[1]["second"]), item[0]))
        rows = [phrase("diff", "talks", pair=pair, **counts) for pair, counts in often if all(counts.values())]
        yield from _table_of(phrase("diff", "talks_head"), rows)

    def _deeds(self) -> Iterator[str]:
        deeds = [
            (place, name, which, text)
            for name, mine in self.did.items()
            for key, which in (("first", "one"), ("second", "other"))
            for place, text in enumerate(mine[key])
        ]
        deeds.sort(key=lambda deed: deed[:3])  # everybody's first, then everybody's second ...
        rows = [phrase("diff", "did", who=name, which=phrase("diff", which), text=text) for _, name, which, text in deeds]
        yield from _table_of(phrase("diff", "did_head"), rows)

    def _places(self) -> Iterator[str]:
        stays = [
            (name, place, times["first"], times["second"]) for name, mine in self.went.items() for place, times in mine.items()
        ]
        stays.sort(key=lambda stay: (-abs(stay[3] - stay[2]), stay[0], stay[1]))
        rows = [
            phrase("diff", "went", who=name, place=leaf(place), first=first, second=second, more=second - first)
            for name, place, first, second in stays
        ]
        yield from _table_of(phrase("diff", "went_head", share=self.apart), rows)


def in_words(cause: Cause) -> str:
    """A cause as a sentence."""
    key = f"cause_{cause['is']}_{cause.get('key', '')}"
    return phrase("diff", key if has_phrase("diff", key) else f"cause_{cause['is']}", **cause)


def compare(first: RunFile, second: RunFile) -> Comparison:
    """Compares two runs up to the end of the shorter one. Raises RunFileError when one can't be read."""
    runs = (first, second)
    until = min(run.committed for run in runs)
    clock = run_clock(first)
    found = parting(first, second, until)
    base: dict[str, Any] = {
        "evidence": worth(first, second),
        "runs": (str(first.path), str(second.path)),
        "until": until,
        "end": f"{clock.at(until):%Y-%m-%d %H:%M:%S}",
        "step": found.step,
        "rows": found.rows,
    }
    if found.step is None:
        return Comparison(**base, time="", cause=None)
    why = causes(first, second, found.step)
    since = max(0, found.step)
    lives = (outcome(first, since, until), outcome(second, since, until))
    return Comparison(
        **base,
        time=f"{clock.at(since):%Y-%m-%d %H:%M:%S}",
        cause=why[0] if why else None,
        causes=why,
        knew=_knew(*lives),
        learned=_learned(*lives, clock),
        met=_met(*lives),
        talks=_talks(*lives),
        went=_went(*lives),
        did=_did(*lives),
        apart=round(time_apart(*lives), 4),
        lives=lives,
    )


def worth(*runs: RunFile) -> str:
    """What the words of some runs are worth together (design rule 10): "model" as soon as one asked a model."""
    from simulation.measures import Reading, evidence

    kinds = [evidence(Reading(run)) for run in runs]
    return "model" if "model" in kinds else kinds[0]


def _knew(one: Outcome, other: Outcome) -> dict[str, dict[str, list[str]]]:
    found = {}
    for fact in sorted(one.knew.keys() | other.knew.keys()):
        here, there = one.knew.get(fact, {}).keys(), other.knew.get(fact, {}).keys()
        if here != there:
            found[fact] = {"first": sorted(here - there), "second": sorted(there - here), "both": sorted(here & there)}
    return found


def _learned(one: Outcome, other: Outcome, clock: Clock) -> dict[str, dict[str, dict[str, str | None]]]:
    found: dict[str, dict[str, dict[str, str | None]]] = {}
    for fact in sorted(one.knew.keys() | other.knew.keys()):
        here, there = one.knew.get(fact, {}), other.knew.get(fact, {})
        for name in sorted(here.keys() | there.keys()):
            if here.get(name) != there.get(name):
                times = {"first": _time(clock, here.get(name)), "second": _time(clock, there.get(name))}
                found.setdefault(fact, {})[name] = times
    return found


def _time(clock: Clock, step: int | None) -> str | None:
    return None if step is None else "" if step < 0 else f"{clock.at(step):%Y-%m-%d %H:%M}"


def _since(time: str | None) -> str:
    return time or phrase("diff", "start")


def _met(one: Outcome, other: Outcome) -> dict[str, list[str]]:
    return {
        "first": [_pair(pair) for pair in sorted(one.talks.keys() - other.talks.keys())],
        "second": [_pair(pair) for pair in sorted(other.talks.keys() - one.talks.keys())],
    }


def _talks(one: Outcome, other: Outcome) -> dict[str, dict[str, int]]:
    return {
        _pair(pair): {"first": one.talks[pair], "second": other.talks[pair]}
        for pair in sorted(one.talks.keys() | other.talks.keys())
        if one.talks[pair] != other.talks[pair]
    }


def _pair(pair: Pair) -> str:
    return phrase("diff", "pair", one=pair[0], other=pair[1])


def _went(one: Outcome, other: Outcome) -> dict[str, dict[str, dict[str, float]]]:
    found: dict[str, dict[str, dict[str, float]]] = {}
    for name in sorted(one.minutes.keys() | other.minutes.keys()):
        here, there = one.minutes.get(name, {}), other.minutes.get(name, {})
        for place in sorted(here.keys() | there.keys()):
            times = {"first": round(here.get(place, 0.0), 1), "second": round(there.get(place, 0.0), 1)}
            if abs(times["first"] - times["second"]) >= MINUTE:
                found.setdefault(name, {})[place] = times
    return found


def _did(one: Outcome, other: Outcome) -> dict[str, dict[str, list[str]]]:
    found = {}
    for name in sorted(one.acts.keys() | other.acts.keys()):
        here, there = one.acts.get(name, Counter()), other.acts.get(name, Counter())
        if here.keys() != there.keys():
            found[name] = {"first": sorted(here.keys() - there.keys()), "second": sorted(there.keys() - here.keys())}
    return found


def _table(name: str) -> str:
    """A table's name for people."""
    return name.replace("_", " ")


def _table_of(head: str, rows: list[str]) -> Iterator[str]:
    """A heading and its lines, nothing without lines; of many, the first and how many more."""
    if not rows:
        return
    yield ""
    yield head
    yield from rows[:LISTED]
    if len(rows) > LISTED:
        yield phrase("diff", "more", n=len(rows) - LISTED)
