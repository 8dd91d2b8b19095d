"""The tables of a study, as rows of text: for the report (Markdown), for files (CSV) and for the terminal.

Table            name, heading, rows; every row carries the evidence label
tables_of(data)  all tables of `results.json`, in the order of the report
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from studies.wording import entries, say

Data = Mapping[str, Any]


@dataclass(frozen=True)
class Table:
    """`note` says what it measures, "" where that is plain."""

    name: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    evidence: str
    note: str = ""

    def markdown(self) -> Iterator[str]:
        """Lines of Markdown, the label in the last column."""
        columns = [*self.columns, say("study", "evidence_column")]
        yield f"| {' | '.join(columns)} |"
        yield f"|{'|'.join('---' for _ in columns)}|"
        for row in self.rows:
            yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in (*row, self.evidence))} |"
        if self.note:
            yield from ("", f"*{self.note}*")
        yield ""

    def write(self, folder: Path) -> Path:
        """As `NAME.csv`."""
        path = folder / f"{self.name}.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow([*self.columns, say("study", "evidence_column"), *(["note"] if self.note else [])])
            writer.writerows([*row, self.evidence, *([self.note] if self.note else [])] for row in self.rows)
        return path


def condition_words(name: str) -> str:
    """A condition as readers see it."""
    known: Mapping[str, str] = entries("study", "conditions")
    return known.get(name.removeprefix("lived "), name.replace("_", " "))


def tables_of(data: Data) -> dict[str, Table]:
    """By name."""
    made = [
        _ratings(data),
        _pairs(data),
        _categories(data),
        _residents(data),
        *_verdicts(data),
        *_lives(data),
        *_ends(data),
        _runs(data),
    ]
    return {table.name: table for table in made if table.rows}


def _table(data: Data, name: str, key: str, rows: Sequence[Sequence[object]], columns: Sequence[str] | None = None) -> Table:
    note = (
        say("study", "table_note")
        if (data["judge"] == "grounding" or name == "verdicts") and not name.startswith(("runs", "figures", "coord"))
        else ""
    )
    heads: Sequence[str] = columns if columns is not None else entries("study", f"{key}.columns")
    return Table(name, heads, [[str(cell) for cell in row] for row in rows], data["evidence"], note)


def ratings_rows(figures: Data) -> list[list[str]]:
    """A row per condition, best first."""
    rows = []
    for name in figures["order"]:
        one = figures["conditions"][name]
        cells = (
            [number(one["mu"]), number(one["sigma"]), f"[{one['low']:.2f}, {one['high']:.2f}]"]
            if one["n"]
            else [say("study", "none")] * 3
        )
        rows.append([condition_words(name), *cells, number(one["mean_rank"]), str(one["n"]), str(one["missing"])])
    return rows


def short_rows(figures: Data) -> list[list[str]]:
    """The same for the terminal: condition, mu, interval, mean rank, n."""
    return [[row[0], row[1], row[3], row[4], row[5]] for row in ratings_rows(figures)]


def _ratings(data: Data) -> Table:
    return _table(data, "ratings", "ratings", ratings_rows(data))


def _pairs(data: Data) -> Table:
    return _table(data, "pairs", "pairs", pair_rows(data["tests"]["pairs"]))


def pair_rows(pairs: Data) -> list[list[str]]:
    """A row per pair of conditions."""
    rows = []
    for key, pair in pairs.items():
        first, second = key.split(" > ")
        interval = say("study", "none") if pair["low"] is None else f"[{pair['low']:.3f}, {pair['high']:.3f}]"
        rows.append(
            [condition_words(first), condition_words(second), number(pair["win_rate"], 3), interval, number(pair["cohens_d"]),
             probability(pair["dunn_p"]), probability(pair["holm_p"]), str(pair["n"])]
        )  # fmt: skip
    return rows


def _categories(data: Data) -> Table:
    names = list(data["conditions"])
    rows = []
    for category, figures in data["categories"].items():
        cells = []
        for name in names:
            one = figures["conditions"].get(name)
            cells.append(say("study", "categories.cell", **one) if one and one["n"] else say("study", "none"))
        rows.append([category, *cells])
    columns = [entries("study", "categories.columns")[0], *map(condition_words, names)]
    return _table(data, "categories", "categories", rows, columns)


def _residents(data: Data) -> Table:
    names = list(data["conditions"])
    rows = [[who, *(number(each.get(name)) for name in names)] for who, each in data["residents"].items()]
    return _table(data, "residents", "residents", rows, ["resident", *map(condition_words, names)])


def _verdicts(data: Data) -> Iterator[Table]:
    rows = [
        [name, one["judgements"], one["bad_replies"], number(one["first_best"]), number(one["test_retest_w"]), one["retested"]]
        for name, one in data["judging"].items()
    ]
    yield _table(data, "judges", "model_judge", rows)
    rows = [
        [condition_words(name), one["answers"], number(one["mean_score"], 3), *(one[key] for key in list(one)[2:])]
        for name, one in data["verdicts"].items()
    ]
    yield _table(data, "verdicts", "verdicts", rows)


def _lives(data: Data) -> Iterator[Table]:
    if data["lives"] is not None:
        yield _table(data, "lives", "ratings", ratings_rows(data["lives"]))
        yield _table(data, "lives-pairs", "pairs", pair_rows(data["lives"]["pairs"]))


def _ends(data: Data) -> Iterator[Table]:
    told, figures, coordination = [], [], []
    for run, one in data["ends"].items():
        for name, news in one["diffusion"].items():
            told.append(
                [run, name, news["told"], news["says_so"], news["otherwise"], news["unverified"], news["asked"], news["of"]]
            )
        wrong = one["hallucination"]
        figures.append([run, one["density"]["start"], one["density"]["end"], wrong["claims"], wrong["unsupported"],
                        wrong["answer_claims"], wrong["answer_ungrounded"]])  # fmt: skip
        for name, met in one["coordination"].items():
            coordination.append([run, name, met["invited"], met["promised"], met["came"]])
    yield _table(data, "diffusion", "ends", told)
    yield _table(data, "figures", "ends", figures, entries("study", "ends.figures"))
    yield _table(data, "coordination", "ends", coordination, entries("study", "ends.coordination"))


def _runs(data: Data) -> Table:
    rows = [
        [run, say("study", f"runs.became.{one['became']}", detail=one["detail"])] for run, one in data["runs"]["each"].items()
    ]
    return _table(data, "runs", "runs", rows)


def number(value: float | None, digits: int = 2) -> str:
    """A figure, or a dash."""
    return say("study", "none") if value is None else f"{value:.{digits}f}"


def probability(value: float | None) -> str:
    """A p value as papers give it."""
    if value is None:
        return say("study", "none")
    return str(entries("study", "small")) if value < 0.001 else f"{value:.3f}"
