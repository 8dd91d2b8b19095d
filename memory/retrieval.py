"""Retrieval: which memories come to mind (Park et al. section 4.1).

Parts: `Weights`, `Scored`, `Retrieval`, `retrieve`, `token_estimate`.

    total = a_r * recency + a_i * importance + a_v * relevance        each min-max normalised over the candidates
    recency     decay ** (game hours since last access)
    importance  1..10 as rated when stored
    relevance   cosine of record and query

    selector    with `recency` or `priority` the total is the rank by age alone, or by age among one's own failed acts and
                then among the rest (`memory.exposure`); the three terms are kept for the reader

The same on every processor: dot products are exact whole numbers, powers are tabled (`memory.decay`), the rest are
single elementwise operations that IEEE 754 defines; totals are rounded to 9 decimals and ties go by id. A term in which
all candidates tie is 0.5 for each. Retrieving changes nothing: who owns the stream applies `Stream.touch` at commit.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kernel import RecordId
from memory.decay import powers, steps_per_hour
from memory.exposure import Selector, failed_act
from memory.protocols import KIND_CODES, Candidates, Readable
from memory.record import Kind

DECIMALS = 9
LEFT_OUT = 5
"""How many of the next best are kept beside the chosen, to show what was nearly remembered."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of the three terms, and the decay per game hour; `selector` another order altogether.

    compat   "" follows the paper. "original-code" takes recency as the published code does: decay ** rank with the
             records ordered by last access, so that the *oldest* scores highest.
    """

    recency: float = 1.0
    importance: float = 1.0
    relevance: float = 1.0
    decay: float = 0.995
    compat: Literal["", "original-code"] = ""
    selector: Selector = "weighted"

    @classmethod
    def original_code(cls) -> Weights:
        """As in the published code: recency by rank, weights 0.5, 2 and 3."""
        return cls(recency=0.5, importance=2.0, relevance=3.0, compat="original-code")


PAPER = Weights()


class Scored(NamedTuple):
    """A candidate with its three normalised terms (each 0..1, unweighted) and its weighted total, 9 decimals."""

    id: RecordId
    recency: float
    importance: float
    relevance: float
    total: float


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What came to mind at a moment, best first; `left_out` the next best; `considered` the number of candidates."""

    id: RecordId
    step: int
    purpose: str
    query: str
    chosen: tuple[Scored, ...]
    left_out: tuple[Scored, ...]
    considered: int

    @property
    def ids(self) -> tuple[RecordId, ...]:
        """Ids of the chosen records, best first."""
        return tuple(scored.id for scored in self.chosen)


def token_estimate(text: str) -> int:
    """Tokens a text takes in a prompt, roughly: one for each four characters begun, and one for the line's end."""
    return (len(text) + 3) // 4 + 1


def retrieve(
    view: Readable,
    query: str | NDArray[Any],
    *,
    id: RecordId,
    step: int,
    purpose: str,
    k: int = 30,
    token_budget: int | None = None,
    weights: Weights | None = None,
    kinds: Collection[Kind] | None = None,
    people: Collection[str] = (),
    about: str | None = None,
    exclude: Collection[RecordId] = (),
) -> Retrieval:
    """The `k` best records of a view for a query (text, or a level vector (d,)).

    kinds, people, about, exclude   narrow the candidates: of these kinds; mentioning any of these people
                                    (`Readable.mentioning`); `Record.about` is this; without these ids
    token_budget                    the chosen are cut, in order of rank, before the first that no longer fits
    """
    weights = weights or PAPER
    candidates = view.candidates()
    rows = _rows(view, candidates, kinds, people, about, exclude)
    considered = len(candidates.records) if rows is None else len(rows)
    text = query if isinstance(query, str) else ""
    if considered == 0 or k <= 0:
        return Retrieval(id, step, purpose, text, (), (), considered)
    vector = np.asarray(view.embedder.embed([query]) if isinstance(query, str) else query, dtype=np.float32).reshape(-1)

    accessed = candidates.accessed if rows is None else candidates.accessed[rows]
    importance = candidates.importance if rows is None else candidates.importance[rows]
    recency = _normalised(_recency(accessed, step, weights, view.clock.step_seconds))
    importance = _normalised(importance)
    relevance = _normalised(_cosines(candidates, rows, vector))
    total = weights.recency * recency
    total += weights.importance * importance
    total += weights.relevance * relevance
    if weights.selector != "weighted":
        total = _ranked(candidates, rows, weights.selector)
    np.round(total, DECIMALS, out=total)

    best = _best(total, min(k + LEFT_OUT, considered), candidates, rows)
    order = (best if rows is None else rows[best]).tolist()
    terms = np.round((recency[best], importance[best], relevance[best], total[best]), DECIMALS).tolist()
    records = candidates.records
    scored = [Scored(records[row].id, *of_row) for row, *of_row in zip(order, *terms, strict=True)]
    cut = min(k, len(scored))
    if token_budget is not None:
        cut = _fitting(candidates, order[:cut], token_budget)
    return Retrieval(id, step, purpose, text, tuple(scored[:cut]), tuple(scored[cut : cut + LEFT_OUT]), considered)


def _rows(
    view: Readable,
    candidates: Candidates,
    kinds: Collection[Kind] | None,
    people: Collection[str],
    about: str | None,
    exclude: Collection[RecordId],
) -> NDArray[np.int64] | None:
    """Rows of the candidates left by the filters, ascending; None for all."""
    if kinds is None and not people and about is None and not exclude:
        return None
    keep = np.ones(len(candidates.records), dtype=bool)
    if kinds is not None:
        keep &= np.isin(candidates.kinds, [KIND_CODES[kind] for kind in kinds])
    if people:
        named = np.zeros_like(keep)
        for name in people:
            for record in view.mentioning(name):
                if (row := candidates.locate(record.id)) is not None:
                    named[row] = True
        keep &= named
    if about is not None:
        wanted = about.casefold()
        for row in np.flatnonzero(keep).tolist():
            other = candidates.records[row].about
            if other is None or other.casefold() != wanted:
                keep[row] = False
    for id in exclude:
        if (row := candidates.locate(id)) is not None:
            keep[row] = False
    return np.flatnonzero(keep).astype(np.int64)


def _ranked(candidates: Candidates, rows: NDArray[np.int64] | None, selector: Selector) -> NDArray[np.float64]:
    """(n,) places in a ranking by age, 1.0 the first shown and 0.0 exclusive the last; no two are equal."""
    records = candidates.records if rows is None else [candidates.records[row] for row in rows.tolist()]
    first = selector == "priority"
    order = sorted(range(len(records)), key=lambda at: (first and failed_act(records[at]), records[at].created, records[at].id))
    out = np.empty(len(records))
    out[order] = np.arange(1, len(records) + 1) / len(records)
    return out


def _recency(accessed: NDArray[np.int64], step: int, weights: Weights, step_seconds: int) -> NDArray[np.float64]:
    if weights.compat == "original-code":
        ranks = np.empty(len(accessed), dtype=np.int64)
        ranks[np.argsort(accessed, kind="stable")] = np.arange(1, len(accessed) + 1)
        return powers(weights.decay, ranks)
    return powers(weights.decay, step - accessed, steps_per_hour(step_seconds))


def _cosines(candidates: Candidates, rows: NDArray[np.int64] | None, vector: NDArray[np.float32]) -> NDArray[np.float64]:
    """Cosines times the query's length, which is one factor for all and falls out when they are normalised."""
    if rows is None:
        dots, lengths = candidates.vectors @ vector, candidates.norms
    elif len(rows) * 4 < len(candidates.records):  # gathering a few rows is cheaper than multiplying all
        dots, lengths = candidates.vectors[rows] @ vector, candidates.norms[rows]
    else:
        dots, lengths = (candidates.vectors @ vector)[rows], candidates.norms[rows]
    out: NDArray[np.float64] = np.divide(dots, lengths, dtype=np.float64)
    return out


def _normalised(values: NDArray[np.float64]) -> NDArray[np.float64]:
    low, high = values.min(), values.max()
    if low == high:
        return np.full(len(values), 0.5)
    out: NDArray[np.float64] = (values - low) / (high - low)
    return out


def _best(total: NDArray[np.float64], count: int, candidates: Candidates, rows: NDArray[np.int64] | None) -> NDArray[np.int64]:
    """Positions of the `count` highest totals, best first, ties by id: everything at the threshold competes."""
    if count < len(total):
        threshold = np.partition(total, len(total) - count)[len(total) - count]
        places = np.flatnonzero(total >= threshold)
    else:
        places = np.arange(len(total))
    if candidates.ordered:
        return places[np.argsort(-total[places], kind="stable")[:count]].astype(np.int64)
    records = candidates.records
    row_of = places if rows is None else rows[places]
    id_of = {place: records[row].id for place, row in zip(places.tolist(), row_of.tolist(), strict=True)}
    ranked = sorted(id_of, key=lambda place: (-total[place], id_of[place]))
    return np.array(ranked[:count], dtype=np.int64)


def _fitting(candidates: Candidates, rows: list[int], budget: int) -> int:
    """How many of the rows, from the first on, fit into a budget of tokens."""
    spent = 0
    for count, row in enumerate(rows):
        spent += token_estimate(candidates.records[row].text)
        if spent > budget:
            return count
    return len(rows)
