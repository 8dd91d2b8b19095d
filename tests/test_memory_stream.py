"""The stream: append-only, indexed by what people look for, saved and restored with its vectors and last accesses."""

from __future__ import annotations

import pytest
from memory_kit import CLOCK, HOUR, ME, recall, record, rid, stream

from kernel import RunFileError
from language.embedding import HashEmbedder
from memory import Record, Stream
from town.speech import Fact

PARTY = Fact("party", "Isabella Rodriguez gives a party at Hobbs Cafe", about="Isabella Rodriguez")
SHOW = Fact("show", "Rajiv Patel has his first show", about="Rajiv Patel")


def test_records_come_in_stream_order() -> None:
    memories = stream(record(0), record(1, kind="plan"), record(2), record(3, kind="reflection"))
    assert len(memories) == 4
    assert [r.created for r in memories.since()] == [0, 1, 2, 3]
    assert [r.created for r in memories.since(2)] == [2, 3]
    assert [r.created for r in memories.latest(2)] == [2, 3]
    assert [r.created for r in memories.latest(2, kinds=("observation", "plan"))] == [1, 2]
    assert [r.created for r in memories.latest(99)] == [0, 1, 2, 3]
    assert memories.latest(0) == []
    assert [r.created for r in memories.of_kind("observation")] == [0, 2]


def test_get_and_has() -> None:
    memories = stream(record(0))
    assert memories.get(rid(0)).text == "the kettle is on its 0th boil"
    assert memories.has(rid(0))
    assert not memories.has(rid(1))
    with pytest.raises(KeyError):
        memories.get(rid(1))


def test_an_id_is_used_once() -> None:
    memories = stream(record(0))
    with pytest.raises(ValueError, match="Klaus Mueller/0/0"):
        memories.append(record(0, "another text"))
    assert len(memories) == 1


def test_appending_touches_nothing_else() -> None:
    memories = stream(record(0))
    memories.touch([rid(0)], 50)
    memories.append(record(60))
    assert memories.accessed_steps() == [50, 60]
    assert memories.accessed_since() == [[0, 50]]
    memories.touch([rid(0)], 40)  # never backwards
    assert memories.accessed(rid(0)) == 50


@pytest.mark.parametrize(
    "name", ["Maria Lopez", "maria lopez", "MARIA LOPEZ", "Maria", "maria", "what does MARIA think?", "Maria's game"]
)
def test_names_match_in_any_case(name: str) -> None:
    maria = record(1, "Maria Lopez plays a game", people=("Maria Lopez",))
    about = record(2, "she is at home", about="maria lopez")
    memories = stream(record(0, "it rains"), maria, about, record(3, "Tom Moreno waits", people=("Tom Moreno",)))
    assert [r.created for r in memories.mentioning(name)] == [1, 2]


def test_names_in_a_text() -> None:
    memories = stream(
        record(1, people=("Maria Lopez",)), record(2, people=("Maria Smith",)), record(3, people=("Tom Moreno", "Maria Lopez"))
    )
    assert [r.created for r in memories.mentioning("Is Maria Lopez here?")] == [1, 3]  # the full name, not every Maria
    assert [r.created for r in memories.mentioning("Is Maria here?")] == [1, 2, 3]
    assert [r.created for r in memories.mentioning("Maria Smith and Tom")] == [2, 3]
    assert memories.mentioning("Who is Maria Stone?") == []  # somebody else
    assert memories.mentioning("Tomorrow it rains") == []
    assert [r.created for r in memories.mentioning("IS MARIA THERE")] == [1, 2, 3]
    assert memories.mentioning("") == []
    assert memories.concerning("Maria") == []
    assert [r.created for r in memories.concerning("TOM moreno")] == [3]


def test_a_place_is_nobody() -> None:
    memories = stream(record(1, about="The Ville : Hobbs Cafe : cafe : piano"))
    assert memories.mentioning("the piano of the Ville") == []


def test_tags_and_facts() -> None:
    memories = stream(
        record(0, tag="seen"),
        record(1, fact=SHOW, tag="learned"),
        record(2, fact=PARTY, tag="learned"),
        record(3, fact=SHOW, tag="learned"),
    )
    assert [r.created for r in memories.tagged("learned")] == [1, 2, 3]
    assert [(fact.id, r.created) for fact, r in memories.facts()] == [("show", 1), ("party", 2)]
    assert [r.created for r in memories.carrying("show")] == [1, 3]
    assert memories.carrying("nothing") == []
    assert memories.tagged("nothing") == []


def test_the_importance_of_an_equal_text_is_known() -> None:
    memories = stream(record(0, "rain", importance=2), record(1, "rain", importance=4))
    assert memories.importance_of("rain") == 4
    assert memories.importance_of("Rain") is None


def test_applying_what_a_mind_wrote() -> None:
    memories = stream(*(record(t) for t in range(20)))
    found = recall(memories, step=HOUR, k=3)
    memories.apply([record(HOUR, "a thought")], [found])
    assert len(memories) == 21
    assert [memories.accessed(id) for id in found.ids] == [HOUR] * 3
    assert sum(step == HOUR for step in memories.accessed_steps()) == 4


def test_saved_and_restored_it_retrieves_alike() -> None:
    memories = stream(*(record(t * 90, f"kettle {t}") for t in range(30)))
    memories.touch([rid(0), rid(90)], 5 * HOUR)
    other = Stream(ME, HashEmbedder(), CLOCK)
    other.restore(memories.since(), memories.vectors(), memories.accessed_steps())
    assert other.accessed(rid(90)) == 5 * HOUR
    assert recall(other) == recall(memories)
    assert other.vectors(28) == memories.vectors()[28:]
    assert all(len(row) == 256 for row in memories.vectors())
    fresh = Stream(ME, HashEmbedder(), CLOCK)
    fresh.restore(memories.since(), accessed=memories.accessed_steps())
    assert fresh.vectors() == memories.vectors()
    third = Stream(ME, HashEmbedder(), CLOCK)
    third.restore(memories.since(), touches=[(5 * HOUR, [rid(0), rid(90)])])
    assert third.accessed_steps() == memories.accessed_steps()


def test_another_embedders_vectors_are_refused_in_one_sentence() -> None:
    memories = stream(record(0))
    other = Stream(ME, HashEmbedder(64), CLOCK)
    with pytest.raises(RunFileError, match="256 dimensions, hash-64 has 64") as caught:
        other.restore(memories.since(), memories.vectors())
    assert "embed its memories afresh" in caught.value.sentence()
    with pytest.raises(ValueError, match="empty"):
        memories.restore([], [])


def test_texts_are_embedded_in_batches_and_once() -> None:
    calls: list[int] = []

    class Counting(HashEmbedder):
        def embed(self, texts: list[str]):  # type: ignore[no-untyped-def]
            calls.append(len(texts))
            return super().embed(texts)

    memories = Stream(ME, Counting(), CLOCK)
    memories.extend(record(t) for t in range(100))
    assert calls == []
    memories.vectors()
    memories.append(record(100))
    memories.vectors()
    memories.vectors()
    assert calls == [100, 1]


def test_restarted_in_another_process_nothing_is_rated_twice(tmp_path) -> None:  # type: ignore[no-untyped-def]
    """Peers' duplicate check broke with Python's salted hashes; see also test_memory_exactness."""
    memories = stream(record(0, "the stove is burning", importance=8))
    rows = [(list(r.id), r.kind, r.text, r.created, r.importance) for r in memories.since()]
    script = (
        "import json,sys;from memory_kit import *;from kernel import RecordId;from memory import Record;"
        "s=stream(*(Record(RecordId(*i),k,t,c,m) for i,k,t,c,m in json.loads(sys.argv[1])));"
        "print(s.importance_of('the stove is burning'), s.has(RecordId('Klaus Mueller',0,0)))"
    )
    import json
    import os
    import subprocess
    import sys
    from pathlib import Path

    for seed in ("1", "77"):
        done = subprocess.run(
            [sys.executable, "-c", script, json.dumps(rows)],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(__file__).parent)},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert done.stdout.split() == ["8", "True"]


def test_what_a_record_is() -> None:
    made = record(0)
    with pytest.raises(AttributeError):
        made.text = "changed"  # type: ignore[misc]
    assert (made.tone, made.how) == (0.0, "")
    assert isinstance(made, Record)
