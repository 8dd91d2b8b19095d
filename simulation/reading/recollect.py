"""What residents remember, for `town memory`: a list, what comes to mind for some words, or a search over everybody.

    recollect(run, name, ...)   -> Listed, Retrieved or Searched, each with `.lines()` and `.as_json()`

Streams are filled from the run file as of a step; nothing is written, and no last-accessed step moves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from kernel import Clock, RecordId, UsageError, dumps
from memory import MindView, Record, Scored
from memory.search import Hit, TownSearch
from simulation.models import make_embedder
from simulation.reading.records import read_facts, read_records, read_stream
from simulation.storing.library import choose, lived_step, names, run_clock
from simulation.storing.runfile import RunFile
from simulation.wording import phrase


class Found(Protocol):
    """Something to show."""

    def lines(self) -> Iterator[str]:
        """In words."""

    def as_json(self) -> str:
        """As one JSON value."""


@dataclass(frozen=True)
class Listed:
    """The latest memories of one resident, oldest first; `total` how many there are."""

    name: str
    records: list[Record]
    total: int
    clock: Clock

    def lines(self) -> Iterator[str]:
        """A heading, then one line each."""
        yield phrase("memory", "title", name=self.name, count=self.total)
        for record in self.records:
            yield phrase(
                "memory", "line", time=_time(self.clock, record.created), kind=record.tag or record.kind,
                importance=record.importance, text=record.text,
            )  # fmt: skip

    def as_json(self) -> str:
        """{resident, total, memories}."""
        memories = [_as_json(record, self.clock) for record in self.records]
        return dumps({"resident": self.name, "total": self.total, "memories": memories})


@dataclass(frozen=True)
class Retrieved:
    """What comes to mind for some words, and the best of what was left out."""

    name: str
    query: str
    chosen: list[tuple[Scored, Record]]
    left_out: list[tuple[Scored, Record]]
    clock: Clock

    def lines(self) -> Iterator[str]:
        """A heading, the chosen with their scores, then what was left out."""
        yield phrase("memory", "query", name=self.name, query=self.query)
        for scored, record in self.chosen:
            yield "  " + phrase("memory", "score_line", text=record.text, **_terms(scored))
        if self.left_out:
            yield phrase("memory", "left_head")
        for scored, record in self.left_out:
            yield "  " + phrase("memory", "score_line", text=record.text, **_terms(scored))

    def as_json(self) -> str:
        """{resident, query, chosen, left_out}."""
        chosen, left_out = (
            [{**_as_json(record, self.clock), **_terms(scored)} for scored, record in pairs]
            for pairs in (self.chosen, self.left_out)
        )
        return dumps({"resident": self.name, "query": self.query, "chosen": chosen, "left_out": left_out})


@dataclass(frozen=True)
class Searched:
    """The memories of the whole town most like some words."""

    query: str
    hits: list[Hit]
    clock: Clock

    def lines(self) -> Iterator[str]:
        """A heading, then one line each."""
        yield phrase("memory", "town_query", query=self.query)
        for hit in self.hits:
            yield "  " + phrase("memory", "town_line", score=hit.score, name=hit.resident, text=hit.record.text)

    def as_json(self) -> str:
        """{query, hits}."""
        hits = [{"resident": hit.resident, "score": hit.score, **_as_json(hit.record, self.clock)} for hit in self.hits]
        return dumps({"query": self.query, "hits": hits})


def recollect(run: RunFile, name: str | None, *, query: str | None = None, at: str | None = None, count: int = 30) -> Found:
    """What a resident (or, with a query and no name, the town) remembers as of a time. Raises UsageError."""
    clock, everybody = run_clock(run), names(run)
    before = lived_step(run, at)
    facts = read_facts(run)
    if name is None:
        if query is None:
            raise UsageError("a name is missing", hint=f"one of {', '.join(everybody)}, or --query TEXT for the whole town")
        embedder = make_embedder(run.get("embedder"))
        streams = {who: read_stream(run, who, embedder, facts, before) for who in everybody}
        return Searched(query, TownSearch(streams).search(query, count), clock)
    who = choose(name, everybody)
    if query is None:
        records, _ = read_records(run, who, facts, before)
        return Listed(who, records[-count:], len(records), clock)
    view = MindView(read_stream(run, who, make_embedder(run.get("embedder")), facts, before), before)
    retrieval = view.retrieve(query, id=RecordId(who, before, 0), step=before, purpose="look", k=count)
    chosen, left_out = ([(s, _known(view, s.id)) for s in scored] for scored in (retrieval.chosen, retrieval.left_out))
    return Retrieved(who, query, chosen, left_out, clock)


def _known(view: MindView, name: RecordId) -> Record:
    record = view.get(name)
    assert record is not None  # it was retrieved from this view
    return record


def _terms(scored: Scored) -> dict[str, float]:
    return {
        "recency": scored.recency, "importance": scored.importance, "relevance": scored.relevance, "total": scored.total,
    }  # fmt: skip


def _as_json(record: Record, clock: Clock) -> dict[str, Any]:
    return {
        "id": str(record.id), "time": clock.at(max(0, record.created)).isoformat(sep=" "), "kind": record.kind, "tag": record.tag,
        "text": record.text, "rated": record.importance, "people": list(record.people), "about": record.about,
        "evidence": [str(name) for name in record.evidence], "fact": record.fact.id if record.fact else None,
        "heard_from": record.heard_from,
    }  # fmt: skip


def _time(clock: Clock, step: int) -> str:
    return f"{clock.at(step):%Y-%m-%d %H:%M}" if step >= 0 else phrase("memory", "known")
