"""Search over the whole town: exact, deterministic, through what each view shows only."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from memory_kit import CLOCK

from kernel import RecordId
from language.embedding import HashEmbedder, norms
from memory import NO_REFLECTION, Hit, Kind, MindView, Record, Stream, TownSearch


def town(texts: dict[str, list[str]], kind: Kind = "observation") -> dict[str, Stream]:
    made = {}
    for name, lines in texts.items():
        made[name] = Stream(name, HashEmbedder(), CLOCK)
        made[name].extend(Record(RecordId(name, t, 0), kind, line, t, 3) for t, line in enumerate(lines))
    return made


def test_the_most_alike_first_across_residents() -> None:
    search = TownSearch(town({"B B": ["the party at the cafe", "a walk"], "A A": ["a party", "rain", "..."]}))
    assert len(search) == 5
    found = search.search("party", 3)
    assert [(hit.resident, hit.record.text) for hit in found[:2]] == [("A A", "a party"), ("B B", "the party at the cafe")]
    assert found[0].score > found[1].score > found[2].score - 1e-12
    assert isinstance(found[0], Hit)


def test_ties_go_by_id_even_at_the_cut() -> None:
    search = TownSearch(town({name: ["same words"] * 7 for name in ("C C", "A A", "B B")}))
    found = search.search("same words", 9)
    assert [hit.record.id for hit in found] == [RecordId("A A", t, 0) for t in range(7)] + [
        RecordId("B B", t, 0) for t in range(2)
    ]
    assert {hit.score for hit in found} == {1.0}


def test_it_agrees_with_looking_at_everything() -> None:
    words = ["party", "cafe", "rain", "walk", "book", "piano", "game", "class", "dinner", "garden"]
    views = town(
        {f"P{p} P": [" ".join(words[(t * (i + p)) % 10] for i in range(1 + t % 6)) for t in range(150)] for p in range(4)}
    )
    search = TownSearch(views)
    query = HashEmbedder().embed(["party in the garden cafe"])[0]
    scored = []
    for view in views.values():
        columns = view.candidates()
        cosines = np.round((columns.vectors @ query).astype(np.float64) / (columns.norms * norms(query[None])[0]), 9)
        scored.extend(zip((-cosines).tolist(), (record.id for record in columns.records), strict=True))
    for k in (1, 10, 599, 600, 1000):
        found = search.search("party in the garden cafe", k)
        assert [(-hit.score, hit.record.id) for hit in found] == sorted(scored)[:k]


def test_nothing_to_find() -> None:
    assert TownSearch({}).search("party") == []
    assert TownSearch(town({"A A": []})).search("party") == []
    search = TownSearch(town({"A A": ["party"]}))
    assert search.search("?!") == []
    assert search.search("party", 0) == []
    assert search.search("unrelated", 5)[0].score <= 0.5


def test_hidden_records_are_not_in_the_index() -> None:
    memories = town({"A A": ["a secret party"]}, "reflection")["A A"]
    assert len(TownSearch({"A A": MindView(memories, 10, NO_REFLECTION)})) == 0
    assert len(TownSearch({"A A": MindView(memories, 10)})) == 1


def test_embedders_do_not_mix() -> None:
    other = Stream("B B", HashEmbedder(64), CLOCK)
    with pytest.raises(ValueError, match="hash-64 and hash-256"):
        TownSearch({**town({"A A": ["x"]}), "B B": other})


def test_faiss_is_imported_only_when_searching() -> None:
    code = "import sys, memory; sys.exit('faiss' in sys.modules or 'networkx' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
