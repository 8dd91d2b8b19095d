"""Ranks as judges gave them: one ranking is one question to one resident, its answers under several conditions in order.

Ranking                 who was judged, on what, by whom, and the rank of each condition (1 is best, ties are equal)
ranks_of(scores)        ranks from scores, ties where scores are equal
midranks(ranks)         the same with tied ranks shared (1, 2.5, 2.5, 4), as rank tests want them
write_csv, read_csv     a file with a row for each condition of each ranking
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from kernel import DataFileError

FIELDS = ("run", "resident", "category", "question", "rater", "condition", "rank")


@dataclass(frozen=True)
class Ranking:
    """`run` names the town run (of a seed) the resident lived in: residents are nested in runs. `ranks` by condition.

    A condition may be missing (its answer was lost or not judged); with fewer than two there is nothing to rank.
    Raises ValueError for ranks below 1.
    """

    run: str
    resident: str
    category: str
    question: str
    rater: str
    ranks: Mapping[str, int]

    def __post_init__(self) -> None:
        wrong = [name for name, rank in self.ranks.items() if rank < 1]
        if wrong:
            raise ValueError(f"the rank of {wrong[0]} is {self.ranks[wrong[0]]}: ranks count from 1")

    @property
    def all_tied(self) -> bool:
        """Whether it tells nothing apart."""
        return len(set(self.ranks.values())) < 2


def ranks_of(scores: Mapping[str, float]) -> dict[str, int]:
    """Ranks (1 for the highest score); equal scores (to six digits) share the better rank: 1, 2, 2, 4."""
    rounded = {name: round(score, 6) for name, score in scores.items()}
    return {name: 1 + sum(other > score for other in rounded.values()) for name, score in rounded.items()}


def midranks(ranks: Mapping[str, int]) -> dict[str, float]:
    """Ranks whose ties share the mean of the places they take; always of the same sum."""
    values = list(ranks.values())
    return {
        name: 1 + sum(other < rank for other in values) + (sum(other == rank for other in values) - 1) / 2
        for name, rank in ranks.items()
    }


def write_csv(path: Path, rankings: Iterable[Ranking]) -> None:
    """A row for each condition of each ranking, with a heading."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(FIELDS)
        for one in rankings:
            for condition, rank in one.ranks.items():
                writer.writerow((one.run, one.resident, one.category, one.question, one.rater, condition, rank))


def read_csv(path: Path) -> list[Ranking]:
    """The rankings of a file as `write_csv` makes it, or anybody else with these columns. Raises DataFileError with the line."""
    found: dict[tuple[str, str, str, str, str], dict[str, int]] = {}
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file)
            missing = [field for field in FIELDS if field not in (reader.fieldnames or ())]
            if missing:
                raise DataFileError(
                    f"the column '{missing[0]}' is missing", file=str(path), line=1, hint=f"columns are {', '.join(FIELDS)}"
                )
            for row in reader:
                key = (row["run"], row["resident"], row["category"], row["question"], row["rater"])
                ranks = found.setdefault(key, {})
                rank = str(row["rank"])
                if not rank.isdecimal() or int(rank) < 1:
                    raise DataFileError(f"'{rank}' is no rank", file=str(path), line=reader.line_num, hint="1 is the best")
                if row["condition"] in ranks:
                    raise DataFileError(f"'{row['condition']}' is ranked twice", file=str(path), line=reader.line_num)
                ranks[str(row["condition"])] = int(rank)
    except FileNotFoundError:
        raise DataFileError("there is no such file", file=str(path)) from None
    except UnicodeDecodeError:
        raise DataFileError("the file isn't text in UTF-8", file=str(path)) from None
    return [Ranking(*key, ranks) for key, ranks in found.items()]
