"""Hundreds of bad replies through every operation: parsed, repaired or counted; never a crash, never an impossible act."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from language_fields import NEWS, OPERATION_OF_EACH_KIND, PERSON, POND
from make_replies import FOLDER, lines

from kernel import minutes_of
from language import DayOutline, Gateway, MemoryLedger, Ratings, Reaction, ScriptedModel, Settling, Turn

RECORDS = {s.id for s in PERSON.statements} | {"Ada Tor/7/0", "Ada Tor/8/0", "Ada Tor/9/1"}
ODD = re.compile("[\x00-\x1f\x7f\u202a-\u202e\u2066-\u2069\u200b\ufeff]")
KINDS = {"malformed", "partial", "wrong language", "over-long", "refused", "fenced", "truncated", "hostile"}


def corpus() -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / "corpus.jsonl").read_text(encoding="utf-8").splitlines()]


def captured() -> list[dict[str, Any]]:
    found = []
    for file in sorted(FOLDER.glob("captured-*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            found.append({"kind": file.stem, "operation": entry["operation"], "text": entry["raw"], "repeat": 1})
    return found


def now(coroutine: Any) -> Any:
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value
    raise AssertionError("it suspended")


def possible(op: Any, reply: Any) -> None:
    """What no reply may ever say, whatever a model answers."""
    assert isinstance(reply, op.reply_type)
    dumped = json.loads(reply.model_dump_json())
    assert not ODD.search(reply.model_dump_json(ensure_ascii=False))
    for found in re.findall(r'"rests_on":\[([^\]]*)\]', json.dumps(dumped, separators=(",", ":"))):
        assert set(json.loads(f"[{found}]")) <= RECORDS
    if isinstance(reply, Ratings):
        assert len(reply.importance) == len(op.texts)
    if isinstance(reply, Settling):
        assert reply.address in {option.address for option in op.options}
    if isinstance(reply, Reaction):
        assert reply.decision != "act" or reply.activity
        assert reply.address is None or reply.address.startswith("Mill")
    if isinstance(reply, DayOutline):
        spans = [(minutes_of(part.start), minutes_of(part.end)) for part in reply.parts]
        assert all(a < b for a, b in spans)
        assert all(a[1] <= b[0] for a, b in pairwise(spans))
    if isinstance(reply, Turn):
        assert set(reply.passes_on) <= {NEWS.id, *RECORDS}
        assert reply.event in (None, NEWS.id, *RECORDS)
        assert reply.meeting is None or reply.meeting.place in (POND, PERSON.home, PERSON.workplace)


def test_the_corpus_is_what_its_maker_makes_and_holds_every_kind() -> None:
    found = corpus()
    assert found == [json.loads(json.dumps(line)) for line in lines()], "python tests/make_replies.py"
    assert len(found) >= 200
    assert {line["kind"] for line in found} == KINDS


@pytest.mark.parametrize("op", OPERATION_OF_EACH_KIND, ids=lambda op: op.name)
def test_every_bad_reply_through_every_operation(op: Any) -> None:
    outcomes: Counter[str] = Counter()
    mended: Counter[str] = Counter()
    for line in (*corpus(), *captured()):
        text = line["text"] * line["repeat"]
        ledger = MemoryLedger()
        gateway = Gateway(ScriptedModel([text]), ledger=ledger, seed=1, retries=0)
        answer = now(gateway.asker("Ada Tor", 5)(op))
        possible(op, answer.reply)
        [call] = ledger.calls
        assert call.fallback == answer.fallback
        assert bool(call.troubles.get("invalid")) == (call.fallback is not None), text[:80]
        outcome = "counted" if call.fallback else "repaired" if call.repaired else "parsed"
        outcomes[outcome] += 1
        if line["operation"] == op.name:
            mended[f"{line['kind']} {outcome}"] += 1
        if line["kind"] in ("refused", "over-long"):
            assert outcome == "counted", text[:80]
    assert sum(outcomes.values()) >= 200
    assert mended["fenced counted"] == 0, "what is only wrapped is read"
    assert mended["malformed parsed"] + mended["malformed repaired"] >= 4
    assert outcomes["counted"] > 50
