"""Why? The reasons of an act, an utterance, a memory or a plan, read from the run file and from nothing else.

    explain(run, text)      id -> everything on file about it, as plain JSON values
    in_words(explanation)   the same as lines for people

An id is `resident/step/n`; the resident's name may be any unambiguous part of it. Acts, words, memories and plans are
numbered apart, so one id may name several things of one moment: `act:ID`, `words:ID`, `memory:ID` or `plan:ID` says
which is meant; without that, the first there is, in this order.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from kernel import RecordId, UsageError, dumps
from simulation.reading.lifelog import place_words
from simulation.storing.library import choose, names, run_clock
from simulation.storing.rows import unpacked
from simulation.storing.runfile import RunFile
from simulation.wording import phrase

Found = dict[str, Any]
KINDS = ("act", "words", "memory", "plan")
DEPTH = 4
"""How far evidence is followed: plan > reflection > reflection > observation."""


LINE = 120
"""Characters of a field of a question, where it isn't told whole."""
EMPTY: tuple[object, ...] = (None, "", [], {}, False)


def explain(run: RunFile, text: str) -> Found:
    """Everything on file about one id. Raises UsageError when there is no such thing in this run."""
    kind, _, rest = text.rpartition(":") if text.partition(":")[0] in KINDS else ("", "", text)
    try:
        given = RecordId.parse(rest)
    except ValueError:
        raise UsageError(f"'{text}' is not an id", hint="an id is NAME/STEP/N, as `town log --ids` shows them") from None
    wanted = RecordId(choose(given.resident, names(run)), given.step, given.n)
    for candidate in (kind,) if kind else KINDS:
        found = _FIND[candidate](run, wanted)
        if found is not None:
            return found
    raise UsageError(f"nothing in this run has the id {wanted}", hint="`town log --ids` shows the ids there are")


def in_words(found: Found, *, whole: bool = True) -> Iterator[str]:
    """An explanation as lines; headings are followed by indented lines.

    `whole`: questions to a model and its answers as they were sent; else field by field, the long ones cut.
    """
    head = {"act": "act", "words": "utterance", "memory": "memory", "plan": "plan"}[found["kind"]]
    yield phrase("why", head, **found["what"])
    body = list(_body(found, whole))
    yield from body or [phrase("why", "nothing")]


def _body(found: Found, whole: bool) -> Iterator[str]:
    if found.get("note"):
        yield phrase("why", "note", note=found["note"])
    if found.get("passes_on"):
        yield phrase("why", "passes_head")
        yield from ("  " + phrase("why", "fact_line", **fact) for fact in found["passes_on"])
    if found.get("heard_from"):
        yield phrase("why", "heard", **found["heard_from"])
    if found.get("source"):
        yield phrase("why", "source_head")
        yield "  " + phrase("why", "utterance", **found["source"]["what"])
    if found.get("plan"):
        yield phrase("why", "plan_head")
        yield from _plan_lines(found["plan"], "  ")
    for percept in found.get("percepts", ()):
        if percept is found["percepts"][0]:
            yield phrase("why", "percepts_head")
        yield "  " + phrase("why", f"percept_{percept['kind']}", **percept)
    if found.get("records"):
        yield phrase("why", "evidence_head" if found["kind"] == "memory" else "records_head")
        yield from _record_lines(found["records"], "  ")
    for retrieval in found.get("retrievals", ()):
        yield phrase("why", "retrieval_head", **retrieval)
        if not retrieval["chosen"]:
            yield "  " + phrase("why", "came_nothing")
        line = "score_line" if retrieval["selector"] == "weighted" else "rank_line"
        yield from ("  " + phrase("why", line, **scored) for scored in retrieval["chosen"])
        if retrieval["left_out"]:
            yield "  " + phrase("why", "left_head")
            yield from ("    " + phrase("why", line, **scored) for scored in retrieval["left_out"])
    for call in found.get("calls", ()):
        if "model" not in call:
            yield phrase("why", "call_missing", **call)
            continue
        if call["exposure"]:
            yield from _shown(call["exposure"])
        yield phrase("why", "call_head", **call)
        yield from ("  " + line for line in _told(call["question"], whole))
        yield phrase("why", "answer_head")
        yield from ("  " + line for line in _told(call["raw"] or call["answer"], whole))
        if call["fallback"]:
            yield phrase("why", "fallback", reason=call["fallback"])


def _shown(exposure: Found) -> Iterator[str]:
    """What the question was allowed to show of the past, and what it had to leave out."""
    yield phrase("why", "shown_head", count=len(exposure["shown"]), **{k: v for k, v in exposure.items() if k != "shown"})
    yield from ("  " + phrase("why", "fact_line", **one) for one in exposure["shown"])
    if exposure["omitted"]:
        yield "  " + phrase("why", "omitted_head")
        yield from ("    " + phrase("why", "omitted_line", **one) for one in exposure["omitted"])


def _told(text: str, whole: bool) -> Iterator[str]:
    """A question or an answer, line by line; unless `whole`, its fields that aren't empty, each on one line of LINE."""
    try:
        fields = None if whole else json.loads(text)
    except ValueError:
        fields = None
    if isinstance(fields, dict):
        values = {key: value if isinstance(value, str) else dumps(value) for key, value in fields.items() if value not in EMPTY}
        lines = [f"{key}: {value}" for key, value in values.items()]
    else:
        lines = text.splitlines()
    yield from lines if whole else (line if len(line) <= LINE else line[: LINE - 1] + "…" for line in lines)


def _plan_lines(plan: Found, indent: str) -> Iterator[str]:
    reason = phrase("log", "reason", reason=plan["reason"]) if plan["reason"] else ""
    yield indent + phrase("why", "plan_line", **{**plan["what"], "reason": reason, "id": plan["id"]})
    yield from _record_lines(plan["records"], indent + "  ")


def _record_lines(records: list[Found], indent: str) -> Iterator[str]:
    for record in records:
        yield indent + phrase("why", "record_line", **{**record["what"], "id": record["id"]})
        yield from _record_lines(record["records"], indent + "  ")


# ---------------------------------------------------------------------- reading the file


def _act(run: RunFile, wanted: RecordId) -> Found | None:
    row = _one(run, "SELECT text, target, plan, records, retrievals, percepts, calls, note FROM acts", wanted)
    if row is None:
        return None
    text, target, *because = row
    what = {"who": wanted.resident, "time": _time(run, wanted.step), "text": text, "place": place_words(target)}
    return {"kind": "act", "id": str(wanted), "what": what, **_because(run, because)}


def _words(run: RunFile, wanted: RecordId) -> Found | None:
    row = _one(
        run,
        "SELECT addressed, text, passes_on, rests_on, citation, call, plan, records, retrievals, percepts, calls, note"
        " FROM utterances",
        wanted,
    )
    if row is None:
        return None
    addressed, text, passes_on, rests_on, citation, call, *because = row
    what = {"who": wanted.resident, "people": ", ".join(json.loads(addressed)), "time": _time(run, wanted.step), "text": text}
    facts = [fact for fact in (_fact(run, name) for name in json.loads(passes_on)) if fact]
    because[1] = json.dumps([*dict.fromkeys([*json.loads(rests_on), *json.loads(because[1])])])
    because[4] = json.dumps([*dict.fromkeys([*([call] if call else []), *json.loads(because[4])])])
    return {
        "kind": "words", "id": str(wanted), "what": what, "passes_on": facts, "citation": citation, **_because(run, because),
    }  # fmt: skip


def _memory(run: RunFile, wanted: RecordId, depth: int = DEPTH) -> Found | None:
    row = _one(run, "SELECT kind, text, importance, evidence, heard_from, source FROM memories", wanted)
    if row is None:
        return None
    kind, text, importance, evidence, heard_from, source = row
    what = {"who": wanted.resident, "kind": kind, "importance": importance, "time": _time(run, wanted.step), "text": text}
    found: Found = {"kind": "memory", "id": str(wanted), "what": what, "records": _records(run, json.loads(evidence), depth - 1)}
    if heard_from:
        found["heard_from"] = {"who": heard_from, "id": source or ""}
    if source and depth == DEPTH:
        found["source"] = _words(run, RecordId.parse(source))
    return found


def _plan(run: RunFile, wanted: RecordId) -> Found | None:
    row = run.rows(
        "SELECT level, start, until, text, status, reason, rests_on FROM plans WHERE resident = ? AND step = ? AND n = ?"
        " ORDER BY written",
        wanted,
    )
    if not row:
        return _planned(run, wanted)
    level, start, until, text, status, reason, rests_on = row[0]
    what = {
        "who": wanted.resident, "level": level, "start": _time(run, start), "end": _time(run, until), "text": text,
        "status": status,
    }  # fmt: skip
    rests = json.loads(rests_on) or _evidence(run, wanted)
    return {"kind": "plan", "id": str(wanted), "what": what, "reason": reason, "records": _records(run, rests, DEPTH)}


def _planned(run: RunFile, wanted: RecordId) -> Found | None:
    """A plan that is only in the memory stream (a task)."""
    row = _one(run, "SELECT tag, start, until, text, evidence FROM memories", wanted)
    if row is None or row[1] is None:
        return None
    tag, start, until, text, evidence = row
    what = {"who": wanted.resident, "level": tag, "start": _time(run, start), "end": _time(run, until), "text": text}
    records = _records(run, json.loads(evidence), DEPTH)
    return {"kind": "plan", "id": str(wanted), "what": what, "reason": "", "records": records}


_FIND: dict[str, Callable[[RunFile, RecordId], Found | None]] = {"act": _act, "words": _words, "memory": _memory, "plan": _plan}


def _because(run: RunFile, columns: list[Any]) -> Found:
    plan, records, retrievals, percepts, calls, note = columns
    planned = _plan(run, RecordId.parse(plan)) if plan else None
    told = _ids_in(planned["records"]) if planned else set()
    return {
        "note": note,
        "plan": planned,
        "percepts": [_percept(run, version) for version in json.loads(percepts)],
        "records": _records(run, [name for name in dict.fromkeys(json.loads(records)) if name not in told], DEPTH),
        "retrievals": [r for r in (_retrieval(run, RecordId.parse(name)) for name in json.loads(retrievals)) if r],
        "calls": [_call(run, name) for name in json.loads(calls)],
    }


def _ids_in(records: list[Found]) -> set[str]:
    return {record["id"] for record in records}.union(*(_ids_in(record["records"]) for record in records))


def _records(run: RunFile, wanted: list[str], depth: int) -> list[Found]:
    if depth <= 0:
        return []
    return [found for found in (_memory(run, RecordId.parse(name), depth) for name in wanted) if found]


def _evidence(run: RunFile, wanted: RecordId) -> list[str]:
    row = _one(run, "SELECT evidence FROM memories", wanted)
    return list(json.loads(row[0])) if row else []


def _percept(run: RunFile, version: str) -> Found:
    address, at, step = version.rpartition("@")
    if at and step.lstrip("-").isdigit():
        row = run.rows(
            "SELECT state FROM object_states WHERE address = ? AND step <= ? ORDER BY step DESC, n DESC LIMIT 1", (address, step)
        )
        if row:
            text = _asked(run, row[0][0], "object", address, int(step))
            return {"kind": "state", "id": version, "time": _time(run, int(step)), "who": address, "text": text}
    try:
        name = RecordId.parse(version)
    except ValueError:
        name = None
    for kind, table in (("act", "acts"), ("words", "utterances")) if name else ():
        row = run.rows(f"SELECT text FROM {table} WHERE resident = ? AND step = ? AND n = ?", name or ())
        if row and name:
            return {"kind": kind, "id": version, "time": _time(run, name.step), "who": name.resident, "text": row[0][0]}
    row = run.rows("SELECT step, text, place FROM events WHERE id = ?", (version,))
    if row:
        text = _asked(run, row[0][1], "event", row[0][2], row[0][0])
        return {"kind": "event", "id": version, "time": _time(run, row[0][0]), "text": text}
    return {"kind": "other", "id": version}


def _asked(run: RunFile, text: str, kind: str, place: str, step: int) -> str:
    """A state or an event with the name of who asked for it, when somebody did and gave one."""
    sql = "SELECT author FROM interventions WHERE kind = ? AND place = ? AND step = ? AND text = ? AND author != ''"
    row = run.rows(sql, (kind, place, step, text))
    return phrase("why", "by_author", text=text, author=row[0][0]) if row else text


def _retrieval(run: RunFile, wanted: RecordId) -> Found | None:
    row = _one(run, "SELECT purpose, query, chosen, left_out FROM retrievals", wanted)
    if row is None:
        return None
    purpose, query, chosen, left_out = row
    return {
        "id": str(wanted), "purpose": purpose, "query": query,
        "selector": json.loads(run.get("spec.scenario", "{}")).get("settings", {}).get("exposure", "weighted"),
        "chosen": [_scored(run, wanted.resident, scores) for scores in json.loads(chosen)],
        "left_out": [_scored(run, wanted.resident, scores) for scores in json.loads(left_out)],
    }  # fmt: skip


def _scored(run: RunFile, resident: str, scores: list[int]) -> Found:
    step, n, *terms = scores
    name = RecordId(resident, step, n)
    row = _one(run, "SELECT text FROM memories", name)
    values = dict(zip(("recency", "importance", "relevance", "total"), (term / 1000 for term in terms), strict=True))
    return {"id": str(name), "text": row[0] if row else "", **values}


def _call(run: RunFile, name: str) -> Found:
    resident, step, operation, n = name.rsplit("/", 3)
    row = run.rows(
        "SELECT model, request, reply, raw, fallback FROM calls WHERE resident = ? AND step = ? AND operation = ? AND n = ?",
        (resident, step, operation, n),
    )
    if not row:
        return {"id": name}
    model, request, reply, raw, fallback = row[0]
    return {
        "id": name, "model": model, "operation": operation, "question": unpacked(request, run.path).decode(),
        "answer": reply, "raw": raw,
        "fallback": fallback, "exposure": _exposure(run, name),
    }  # fmt: skip


def _exposure(run: RunFile, call: str) -> Found | None:
    """What was shown for a question and what wasn't, where the run bounds it."""
    resident, step, _, _ = call.rsplit("/", 3)
    row = run.rows(
        "SELECT selector, considered, shown, omitted, bytes, tokens FROM exposures WHERE resident = ? AND step = ? AND call = ?",
        (resident, step, call),
    )
    if not row:
        return None
    selector, considered, shown, omitted, size, tokens = row[0]
    return {
        "selector": selector, "considered": considered, "bytes": size, "tokens": tokens,
        "shown": [_remembered(run, id) for id in json.loads(shown)],
        "omitted": [{**_remembered(run, id), "reason": why} for id, why in json.loads(omitted)],
    }  # fmt: skip


def _remembered(run: RunFile, id: str) -> Found:
    row = _one(run, "SELECT text FROM memories", RecordId.parse(id))
    return {"id": id, "text": row[0] if row else ""}


def _fact(run: RunFile, name: str) -> Found | None:
    row = run.rows("SELECT id, text FROM facts WHERE id = ?", (name,))
    return {"id": row[0][0], "text": row[0][1]} if row else None


def _one(run: RunFile, select: str, wanted: RecordId) -> Any:
    found = run.rows(f"{select} WHERE resident = ? AND step = ? AND n = ?", wanted)
    return found[0] if found else None


def _time(run: RunFile, step: int) -> str:
    return phrase("memory", "known") if step < 0 else f"{run_clock(run).at(step):%Y-%m-%d %H:%M}"
