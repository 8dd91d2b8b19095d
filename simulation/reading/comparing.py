"""Two lives compared: where they part, why as far as the files say, and what became of it.

    compare(first, second)  -> Comparison, with `.lines()` and `.as_json()`

What is compared is what the digest reads, up to the end of the shorter run. The cause is only ever something on file: an
intervention that takes effect at the first differing step in one of them, or a difference in how they were made.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, zip_longest
from typing import Any

from kernel import dumps
from simulation.storing.digest import rows_in_order
from simulation.storing.library import run_clock
from simulation.storing.runfile import RunFile
from simulation.wording import phrase

MADE = (
    "seed",
    "scenario",
    "mind",
    "minds",
    "model",
    "models",
    "embedder",
    "hash.scenario",
    "hash.people",
    "hash.map",
    "hash.wording",
)
"""Keys of the manifest that make a difference."""
SHOWN = 200
"""Characters of a differing row that are shown."""


@dataclass(frozen=True)
class Comparison:
    """`step` None: no difference before step `until`, at calendar time `end`.

    rows    of the first difference in each: [table, step, resident, n, ...], None: it has none there
    cause   {"is": "intervention", run, kind, text, where} or {"is": "manifest", key, first, second}; None: none on file
    knew    fact -> first, second, both: who came to know it (tracked facts on which they differ)
    met     first, second: pairs who talked in that run only
    """

    runs: tuple[str, str]
    until: int
    end: str
    step: int | None
    time: str
    rows: tuple[list[Any] | None, list[Any] | None]
    cause: dict[str, Any] | None
    knew: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    met: dict[str, list[str]] = field(default_factory=dict)

    def as_json(self) -> str:
        """{runs, until, end, step, time, rows, cause, knew, met}."""
        plain = {name: getattr(self, name) for name in ("until", "end", "step", "time", "cause", "knew", "met")}
        return dumps({**plain, "runs": list(self.runs), "rows": list(self.rows)})

    def lines(self) -> Iterator[str]:
        """The difference, its cause, and what became of it."""
        if self.step is None:
            yield phrase("diff", "same", time=self.end, step=self.until)
            return
        row = next(row for row in self.rows if row is not None)
        who = f", {row[2]}" if row[2] else ""
        yield phrase("diff", "first", time=self.time, step=self.step, table=row[0], who=who)
        for run, found in zip(self.runs, self.rows, strict=True):
            if found is not None:
                yield phrase("diff", "only", run=run, row=json.dumps(found[4:], ensure_ascii=False)[:SHOWN])
        yield self._cause()
        if self.knew:
            yield phrase("diff", "knew_head", time=self.end)
            for fact, names in self.knew.items():
                listed = {key: ", ".join(value) or phrase("diff", "nobody") for key, value in names.items()}
                yield phrase("diff", "knew", fact=fact, **listed)
        if any(self.met.values()):
            yield phrase("diff", "met_head", time=self.end)
            for key, which in (("first", "one"), ("second", "other")):
                yield phrase(
                    "diff", "met", which=phrase("diff", which), pairs="; ".join(self.met[key]) or phrase("diff", "nobody")
                )

    def _cause(self) -> str:
        if self.cause is None:
            return phrase("diff", "cause_unknown")
        return phrase("diff", f"cause_{self.cause['is']}", **self.cause)


def compare(first: RunFile, second: RunFile) -> Comparison:
    """Compares two runs up to the end of the shorter one. Raises RunFileError when one can't be read."""
    runs = (first, second)
    until = min(run.committed for run in runs)
    clock = run_clock(first)
    step, rows = _parting(first, second, until)
    paths = (str(first.path), str(second.path))
    end = f"{clock.at(until):%Y-%m-%d %H:%M:%S}"
    if step is None:
        return Comparison(paths, until, end, None, "", rows, None)
    time = f"{clock.at(max(0, step)):%Y-%m-%d %H:%M:%S}"
    return Comparison(paths, until, end, step, time, rows, _why(first, second, step), _knew(runs, until), _met(runs, until))


def _parting(first: RunFile, second: RunFile, until: int) -> tuple[int | None, tuple[list[Any] | None, list[Any] | None]]:
    for one, other in zip(rows_in_order(first, until), rows_in_order(second, until), strict=True):
        if one == other:
            continue
        for mine, theirs in zip_longest(one, other):
            if mine != theirs:
                return _earlier(mine, theirs)
    return None, (None, None)


def _earlier(mine: list[Any] | None, theirs: list[Any] | None) -> tuple[int, tuple[list[Any] | None, list[Any] | None]]:
    """The step of the first differing rows; where they aren't of one place in the order, only the earlier counts."""
    places = [None if row is None else (row[1], row[2], row[0], row[3]) for row in (mine, theirs)]
    here, there = places
    if here is not None and (there is None or here < there):
        return here[0], (mine, None)
    if there is not None and (here is None or there < here):
        return there[0], (None, theirs)
    assert here is not None
    return here[0], (mine, theirs)


def _why(first: RunFile, second: RunFile, step: int) -> dict[str, Any] | None:
    columns = "kind, text, COALESCE(place, who, '')"
    asked = [run.rows(f"SELECT {columns} FROM interventions WHERE step = ? ORDER BY id", (step,)) for run in (first, second)]
    for run, mine, others in ((first, asked[0], asked[1]), (second, asked[1], asked[0])):
        for kind, text, where in mine:
            if (kind, text, where) not in others:
                return {"is": "intervention", "run": str(run.path), "kind": kind, "text": text, "where": where}
    for key in MADE:
        one, other = first.get(key), second.get(key)
        if one != other:
            return {"is": "manifest", "key": key, "first": one[:SHOWN], "second": other[:SHOWN]}
    return None


def _knew(runs: Sequence[RunFile], until: int) -> dict[str, dict[str, list[str]]]:
    known: list[dict[str, set[str]]] = []
    for run in runs:
        holders: dict[str, set[str]] = {}
        sql = (
            "SELECT COALESCE(f.name, f.id), m.resident FROM facts f LEFT JOIN memories m ON m.fact = f.id AND m.step < ?"
            " WHERE f.tracked = 1"
        )
        for fact, resident in run.rows(sql, (until,)):
            holders.setdefault(fact, set()).update([resident] if resident is not None else [])
        known.append(holders)
    one, other = known
    return {
        fact: {
            "first": sorted(one.get(fact, set()) - other.get(fact, set())),
            "second": sorted(other.get(fact, set()) - one.get(fact, set())),
            "both": sorted(one.get(fact, set()) & other.get(fact, set())),
        }
        for fact in sorted(one.keys() | other.keys())
        if one.get(fact) != other.get(fact)
    }


def _met(runs: Sequence[RunFile], until: int) -> dict[str, list[str]]:
    pairs: list[set[str]] = []
    for run in runs:
        talks = run.rows("SELECT DISTINCT everybody FROM conversations WHERE step < ?", (until,))
        pairs.append(
            {phrase("diff", "pair", one=a, other=b) for (names,) in talks for a, b in combinations(sorted(json.loads(names)), 2)}
        )
    return {"first": sorted(pairs[0] - pairs[1]), "second": sorted(pairs[1] - pairs[0])}
