"""Between values and rows: how records, facts, acts and reasons are written to a run file, and read back.

*_row(...)       value -> tuple in the column order of `schema.TABLES`
read_record(...) memories row (+ facts) -> Record
read_act, read_because, read_fact, read_gathering, path_tiles
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kernel import RecordId, dumps
from memory.record import Record
from planning.schedule import PlanEntry
from town.acts import Act, Because
from town.percepts import Tile
from town.speech import Conversation, Fact, Gathering, Utterance

Row = tuple[Any, ...]
NONE = "[]"

_STEPS: dict[tuple[int, int], str] = {(1, 0): "E", (-1, 0): "W", (0, 1): "S", (0, -1): "N", (0, 0): "."}
_DELTAS = {letter: delta for delta, letter in _STEPS.items()}


def ids(values: Iterable[object]) -> str:
    """Ids (or other text) as a JSON list."""
    values = tuple(values)
    return dumps([str(value) for value in values]) if values else NONE


def text(value: object | None) -> str | None:
    """Text form of an optional id."""
    return None if value is None else str(value)


def because_row(because: Because) -> Row:
    """plan, records, retrievals, percepts, calls, note."""
    return (
        text(because.plan),
        ids(because.records),
        ids(because.retrievals),
        ids(because.percepts),
        ids(because.calls),
        because.note,
    )


def act_row(act: Act) -> Row:
    """Row of `acts`."""
    return (
        *act.id, act.text, act.icon, act.target, act.until, act.state, act.leaves, int(act.asleep), int(act.private),
        *because_row(act.because),
    )  # fmt: skip


def utterance_row(utterance: Utterance, because: Because) -> Row:
    """Row of `utterances`; facts by id (their text is in `facts`)."""
    return (
        *utterance.id, utterance.conversation, ids(utterance.to), utterance.text, utterance.act,
        ids(fact.id for fact in utterance.passes_on), ids(utterance.rests_on), gathering_json(utterance.gathering),
        int(utterance.ends), utterance.citation, utterance.call, *because_row(because),
    )  # fmt: skip


def conversation_row(conversation: Conversation, step: int, n: int) -> Row:
    """Row of `conversations`: how it stands from `step` on."""
    change = "closed" if conversation.ended is not None else "opened" if step == conversation.started and n == 0 else "changed"
    return (
        conversation.id, step, n, change, conversation.started, conversation.place, ids(conversation.participants),
        ids(conversation.everybody), len(conversation.utterances), conversation.ended,
    )  # fmt: skip


def plan_row(entry: PlanEntry, written: int) -> Row:
    """Row of `plans`, written at a step."""
    return (
        *entry.id, written, entry.level, entry.start, entry.end, entry.text, entry.place, entry.status, entry.reason,
        ids(entry.rests_on),
    )  # fmt: skip


def record_row(record: Record, embedding: bytes | None) -> Row:
    """Row of `memories`."""
    start, until = record.span or (None, None)
    return (
        *record.id, record.kind, record.tag, record.text, record.created, record.importance, ids(record.people), record.about,
        record.address, ids(record.evidence), record.fact.id if record.fact else None, record.heard_from, text(record.source),
        start, until, embedding,
    )  # fmt: skip


RECORD_COLUMNS = "resident, step, n, kind, tag, text, created, importance, people, about, address, evidence, fact, heard_from, source, start, until"


def read_record(row: Sequence[Any], facts: Mapping[str, Fact]) -> Record:
    """A record from its RECORD_COLUMNS and the run's facts by id."""
    (
        resident,
        step,
        n,
        kind,
        tag,
        words,
        created,
        importance,
        people,
        about,
        address,
        evidence,
        fact,
        heard_from,
        source,
        start,
        until,
    ) = row
    return Record(
        id=RecordId(resident, step, n),
        kind=kind,
        text=words,
        created=created,
        importance=importance,
        people=() if people == NONE else tuple(json.loads(people)),
        about=about,
        address=address,
        evidence=() if evidence == NONE else read_ids(evidence),
        fact=facts[fact] if fact is not None else None,
        heard_from=heard_from,
        source=RecordId.parse(source) if source else None,
        span=(start, until) if start is not None else None,
        tag=tag,
    )


def fact_row(fact: Fact, step: int, name: str | None) -> Row:
    """Row of `facts`; `name` is the scenario's name when it is tracked."""
    return (
        fact.id, name, step, fact.text, fact.about, int(fact.private), gathering_json(fact.gathering), fact.retracts,
        int(name is not None),
    )  # fmt: skip


def read_fact(row: Sequence[Any]) -> Fact:
    """A fact from (id, text, about, private, gathering, retracts)."""
    name, words, about, private, gathering, retracts = row
    return Fact(name, words, about, bool(private), read_gathering(gathering), retracts)


def gathering_json(gathering: Gathering | None) -> str | None:
    """A gathering as canonical JSON."""
    if gathering is None:
        return None
    return dumps(
        {
            "name": gathering.name,
            "place": gathering.place,
            "start": gathering.start,
            "end": gathering.end,
            "host": gathering.host,
        }
    )


def read_gathering(value: str | None) -> Gathering | None:
    """Inverse of `gathering_json`."""
    return None if value is None else Gathering(**json.loads(value))


def read_ids(value: str) -> tuple[RecordId, ...]:
    """A JSON list of ids."""
    return tuple(RecordId.parse(item) for item in json.loads(value))


def path_text(tiles: Sequence[Tile]) -> str:
    """The way from tile to tile as letters N E S W, "." for a step without moving. Raises KeyError for a jump."""
    return "".join(_STEPS[(b[0] - a[0], b[1] - a[1])] for a, b in zip(tiles, tiles[1:], strict=False))


def path_tiles(x: int, y: int, path: str) -> list[Tile]:
    """Inverse of `path_text`: the tiles of consecutive steps, the first included."""
    tiles = [(x, y)]
    for letter in path:
        dx, dy = _DELTAS[letter]
        x, y = x + dx, y + dy
        tiles.append((x, y))
    return tiles
