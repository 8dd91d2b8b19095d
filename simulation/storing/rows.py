"""Between values and rows: how records, facts, acts and reasons are written to a run file, and read back.

*_row(...)       value -> tuple in the column order of `schema.TABLES`
read_record(...) memories row (+ facts) -> Record
read_act, read_because, read_fact, read_gathering, path_tiles
packed(text)     what is long, compressed
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from kernel import RecordId, RunFileError, dumps
from memory.exposure import Exposed
from memory.record import Record
from memory.retrieval import Retrieval, Scored
from personas import Persona
from planning.schedule import PlanEntry
from town.acts import Act, Because
from town.percepts import Tile
from town.speech import Conversation, Fact, Gathering, Utterance
from town.tree import join

Row = tuple[Any, ...]
NONE = "[]"

_STEPS: dict[tuple[int, int], str] = {(1, 0): "E", (-1, 0): "W", (0, 1): "S", (0, -1): "N", (0, 0): "."}
_DELTAS = {letter: delta for delta, letter in _STEPS.items()}


def packed(text: str) -> bytes:
    """A question's text as the run file keeps it, zlib-compressed.

    For texts of a few thousand characters setting up zlib's usual tables takes longer than compressing: with a window of
    8 kB and smaller tables it comes out as short in a third of the time.
    """
    compressor = zlib.compressobj(level=1, wbits=13, memLevel=6)
    return compressor.compress(text.encode()) + compressor.flush()


def unpacked(value: bytes, file: Path) -> bytes:
    """Inverse of `packed`, and of what zlib itself compressed. Raises RunFileError where bytes of `file` have changed."""
    try:
        return zlib.decompress(value)
    except (zlib.error, TypeError):
        raise RunFileError("the file is damaged: a text in it can't be unpacked", place=str(file), hint="use a copy") from None


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


def exposure_row(resident: str, step: int, n: int, exposed: Exposed) -> Row:
    """Row of `exposures`."""
    omitted = dumps([[str(id), why] for id, why in exposed.omitted]) if exposed.omitted else NONE
    return (
        resident, step, n, exposed.call, exposed.selector, exposed.considered, ids(exposed.shown), omitted, exposed.bytes,
        exposed.tokens,
    )  # fmt: skip


def resident_row(persona: Persona, mind: str, position: int, town: str, since: int) -> Row:
    """Row of `residents`."""
    return (
        persona.name, position, mind, persona.age, persona.pronoun, persona.occupation, join(town, persona.home),
        join(town, persona.work.place) if persona.work else None, persona.model_dump_json(), since,
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
        record.how, record.tone, start, until, embedding,
    )  # fmt: skip


RECORD_COLUMNS = (
    "resident, step, n, kind, tag, text, created, importance, people, about, address, evidence, fact, heard_from, source,"
    " how, tone, start, until"
)


def read_record(row: Sequence[Any], facts: Mapping[str, Fact]) -> Record:
    """A record from its RECORD_COLUMNS and the run's facts by id."""
    fact, start = row[12], row[17]
    return Record(
        id=RecordId(*row[:3]),
        kind=row[3],
        tag=row[4],
        text=row[5],
        created=row[6],
        importance=row[7],
        people=() if row[8] == NONE else tuple(json.loads(row[8])),
        about=row[9],
        address=row[10],
        evidence=() if row[11] == NONE else read_ids(row[11]),
        fact=facts[fact] if fact is not None else None,
        heard_from=row[13],
        source=RecordId.parse(row[14]) if row[14] else None,
        how=row[15],
        tone=row[16],
        span=(start, row[18]) if start is not None else None,
    )


def retrieval_row(retrieval: Retrieval) -> Row:
    """Row of `retrievals`; scores in whole thousandths."""
    return (
        *retrieval.id, retrieval.purpose, retrieval.query, _scores(retrieval.chosen), _scores(retrieval.left_out),
        retrieval.considered,
    )  # fmt: skip


def _scores(scored: Iterable[Scored]) -> str:
    return dumps(
        [
            [
                s.id.step,
                s.id.n,
                round(s.recency * 1000),
                round(s.importance * 1000),
                round(s.relevance * 1000),
                round(s.total * 1000),
            ]
            for s in scored
        ]
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
    return "".join(_STEPS[(b[0] - a[0], b[1] - a[1])] for a, b in pairwise(tiles))


def path_tiles(x: int, y: int, path: str) -> list[Tile]:
    """Inverse of `path_text`: the tiles of consecutive steps, the first included."""
    tiles = [(x, y)]
    for letter in path:
        dx, dy = _DELTAS[letter]
        x, y = x + dx, y + dy
        tiles.append((x, y))
    return tiles
