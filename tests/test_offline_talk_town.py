"""What talk does in a small town, lived for real: news, noes, calling off, asking after, meeting on the spot."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import yaml

from simulation.compose import read_blueprint
from simulation.measures.claims import unsupported
from simulation.measures.positions import Whereabouts
from simulation.measures.reading import Reading, Said, sector_of
from simulation.run import start
from simulation.storing.runfile import RunFile

GATHERING = {
    "name": "kite workshop", "place": "The Green : green", "start": "2023-06-03 17:00", "end": "2023-06-03 18:00",
    "host": "Edda Finch",
}  # fmt: skip
SCENARIO = {
    "name": "kites",
    "title": "A small town talks",
    "map": "hamlet",
    "people": "hamlet",
    "start": "2023-06-02 00:00",
    "days": 2,
    "facts": {
        "kites": {
            "text": "Edda Finch is holding a kite workshop on the green on 3 June 2023 from 17:00 to 18:00.",
            "about": "Edda Finch", "holders": ["Edda Finch"], "importance": 9, "gathering": GATHERING,
        },
        "off": {
            "text": "Edda Finch has called off the kite workshop on the green.",
            "about": "Edda Finch", "holders": ["Edda Finch"], "importance": 9, "retracts": "kites", "at": "2023-06-03 09:00",
        },
        "badger": {
            "text": "A zorbling badger has moved into the cellar under the old mill.",
            "holders": ["Dov Eller"], "importance": 8,
        },
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reading]:
    folder = tmp_path_factory.mktemp("town")
    path = folder / "kites.yaml"
    path.write_text(yaml.safe_dump(SCENARIO), encoding="utf-8")
    out = folder / "kites.town"
    start(read_blueprint(str(path), seed=1), out)
    with RunFile.open(out) as run:
        yield Reading(run)


def passing(reading: Reading, fact: str) -> list[Said]:
    return [said for said in reading.said if fact in said.passes_on]


def test_everything_said_is_borne_out(reading: Reading) -> None:
    assert len(reading.said) > 60
    assert unsupported(reading) == []


def test_news_in_odd_words_passes_on_as_it_is(reading: Reading) -> None:
    told = [said for said in passing(reading, "badger") if said.act in ("tell", "gossip")]
    assert told
    assert all("zorbling badger has moved into the cellar under the old mill" in said.text for said in told)
    hearers = {record.text for records in reading.memories.values() for record in records if _carries(record, "badger")}
    assert all("A zorbling badger has moved into the cellar under the old mill." in text for text in hearers)
    second = [r for records in reading.memories.values() for r in records if _carries(r, "badger") and r.heard_from]
    assert {r.id.resident for r in second} - {"Dov Eller"}


def test_the_host_invites_and_calls_off_to_those_she_told(reading: Reading) -> None:
    told = {who for said in passing(reading, "kites") if said.speaker == "Edda Finch" for who in said.to}
    assert len(told) >= 2
    retracted = {who for said in passing(reading, "off") if said.speaker == "Edda Finch" for who in said.to}
    met_later = {
        who for said in reading.said
        if said.speaker == "Edda Finch" and reading.time(said.step) > "2023-06-03 09:30" for who in said.to
    }  # fmt: skip
    assert retracted
    assert told & met_later <= {r.id.resident for rs in reading.memories.values() for r in rs if _carries(r, "off")}


def test_what_was_told_is_asked_after_and_cited(reading: Reading) -> None:
    asked = [
        said for said in reading.said if said.act == "ask"
        for cited in said.rests_on
        if (record := reading.record_of.get(cited)) is not None
        and record.heard_from in said.to
        and record.fact is not None
        and record.created < said.step
    ]  # fmt: skip
    assert asked


def test_nobody_is_told_the_same_of_oneself_twice(reading: Reading) -> None:
    seen: set[tuple[str, str, str]] = set()
    for said in reading.said:
        if said.act != "tell":
            continue
        for fact in said.passes_on:
            for who in said.to:
                assert (said.speaker, who, fact) not in seen, said.text
                seen.add((said.speaker, who, fact))


def _carries(record: object, fact: str) -> bool:
    carried = getattr(record, "fact", None)
    return carried is not None and carried.id == fact


@pytest.fixture(scope="module")
def longer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunFile]:
    out = tmp_path_factory.mktemp("longer") / "longer.town"
    start(read_blueprint("hamlet", seed=0, days=3), out)
    with RunFile.open(out) as run:
        yield run


def test_a_meeting_nobody_seeded_is_arranged_and_kept(longer: RunFile) -> None:
    reading = Reading(longer)
    where = Whereabouts(reading)
    kept = 0
    for said in reading.said:
        meeting = said.gathering
        if said.act != "accept" or meeting is None or meeting.host != said.to[0] or meeting.end > reading.committed:
            continue
        announced = next(fact for fact in reading.facts.values() if fact.gathering == meeting)
        if "/" not in announced.id:
            continue  # seeded
        for name in (said.speaker, meeting.host):
            assert any(_carries(record, announced.id) for record in reading.memories[name])
        there = [
            where.minutes(name, sector_of(meeting.place), meeting.start, meeting.end) for name in (said.speaker, meeting.host)
        ]
        kept += min(there) >= 5
    assert kept >= 1
