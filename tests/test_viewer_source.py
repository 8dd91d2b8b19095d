"""What the window sees of a run is what is in the file, at any step, and at its growing end."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from viewer_kit import copy_of_hamlet, hamlet

from kernel import RunFileError
from simulation.measures.facts import spread
from simulation.measures.reading import Reading
from simulation.reading.whereabouts import tile_at
from viewer import Source
from viewer.fonts import Fonts
from viewer.speech import READ, Speech
from viewer.tracks import Since, Walk


@pytest.fixture(scope="module")
def source() -> Iterator[Source]:
    opened = Source(hamlet())
    yield opened
    opened.close()


def test_a_walk_is_smooth_between_its_tiles() -> None:
    walk = Walk()
    walk.add(10, 3, 3, "EES")
    walk.add(20, 5, 4, "")
    assert walk.at(9.5) is None
    assert walk.at(10.0) == (3, 3, "E", 0.0)
    assert walk.at(11.25) == (4.25, 3, "E", 1.25)
    assert walk.at(12.5) == (5, 3.5, "S", 2.5)
    assert walk.at(13.0) == (5, 4, None, 0.0)
    assert walk.at(25.0) == (5, 4, None, 0.0)
    assert [walk.stand(step) for step in (9, 10, 11, 13)] == [
        None,
        ((3, 3), True, None),
        ((4, 3), True, "E"),
        ((5, 4), False, "S"),
    ]


def test_a_later_segment_cuts_an_earlier_one_short() -> None:
    walk = Walk()
    walk.add(0, 0, 0, "EEEE")
    walk.add(2, 2, 0, "N")
    assert walk.tile(2) == (2, 0)
    assert walk.tile(3) == (2, -1)
    assert [walk.stand(step) for step in (1, 2, 3)] == [((1, 0), True, "E"), ((2, 0), True, None), ((2, -1), False, "N")]
    assert walk.at(1.5) == (1.5, 0, "E", 1.5)


def test_of_several_values_at_one_step_the_last_counts() -> None:
    course: Since[str] = Since()
    for step, value in ((3, "a"), (3, "b"), (9, "c")):
        course.add(step, value)
    assert [course.at(step) for step in (2, 3, 8, 9)] == [None, "b", "b", "c"]


def test_everybody_stands_where_the_file_says(source: Source) -> None:
    for step in (0, 2000, 2777, 3600, 4321, source.committed - 1):
        snapshot = source.at(step)
        for name in source.names:
            assert source.tile(name, step) == tile_at(source.run, name, step)
            assert snapshot.bodies[name].tile == tile_at(source.run, name, step)


def test_acts_are_those_of_the_file(source: Source) -> None:
    reading = Reading(source.run)
    for step in (1500, 2800, 4000, 5000):
        for name in source.names:
            done = reading.act_at(name, step)
            deed = source.at(step).bodies[name].deed
            assert (deed.text if deed else None) == (done.text if done else None)


def test_people_lie_in_bed_at_night_and_walk_when_they_go(source: Source) -> None:
    assert {body.pose for body in source.at(600).bodies.values()} == {"sleep"}
    poses = {body.pose for step in range(2300, 5000, 20) for body in source.at(step + 0.5).bodies.values()}
    assert {"walk", "stand", "sit"} <= poses


def test_news_is_as_the_report_counts_it(source: Source) -> None:
    reading = Reading(source.run)
    assert source.news.facts
    for fact in source.news.facts:
        mine = [(learnt.who, learnt.step, learnt.source) for learnt in source.news.chain(fact, source.committed)]
        assert sorted(mine) == sorted((who.resident, who.step, who.source) for who in spread(reading, fact))


def test_a_step_is_there_quickly(source: Source) -> None:
    source.at(100)
    began = time.thread_time()
    for step in range(1000, 5000, 40):
        source.at(step + 0.3)
    assert (time.thread_time() - began) / 100 < 0.005


def test_the_growing_end_is_followed(tmp_path: Path, source: Source) -> None:
    path = copy_of_hamlet(tmp_path, committed=3000)
    growing = Source(path)
    assert growing.committed == 3000
    assert growing.at(5000).step == 3000
    assert not growing.poll()
    for committed in (3500, source.committed):
        with sqlite3.connect(path) as connection:
            connection.execute("UPDATE meta SET value = ? WHERE key = 'committed'", (str(committed),))
        connection.close()
        assert growing.poll()
        assert growing.committed == committed
    for step in (2900, 3300, 4400, source.committed):
        assert growing.at(step) == source.at(step)
    assert growing.happenings == source.happenings
    growing.close()


def test_nothing_is_written(tmp_path: Path) -> None:
    path = copy_of_hamlet(tmp_path)
    before = path.read_bytes()
    opened = Source(path)
    opened.at(3000)
    opened.poll()
    opened.close()
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"no run file at all", None])
def test_a_bad_file_is_one_sentence(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "bad.town"
    path.write_bytes(hamlet().read_bytes()[:150_000] if content is None else content)
    with pytest.raises(RunFileError) as caught:
        Source(path)
    assert "\n" not in caught.value.sentence()


def test_a_newer_file_is_refused(tmp_path: Path) -> None:
    path = copy_of_hamlet(tmp_path)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(RunFileError, match="newer"):
        Source(path)


def test_words_can_be_read_at_any_pace_up_to_sixty(source: Source) -> None:
    speech = Speech(source, Fonts())
    step_seconds = source.clock.step_seconds
    talks = [talk for talk in source.talks.values() if len(talk.lines) >= 4]
    assert talks
    for pace in (1.0, 10.0, 60.0):
        shown: dict[str, list[float]] = {}
        talk = talks[0]
        frames = round((talk.lines[-1].step - talk.started + 60) * step_seconds / pace * 10)
        for number in range(frames):
            step = talk.started + number / 10 * pace / step_seconds
            for bubble in speech.at(step, pace):
                assert len(bubble.lines) <= 3
                if bubble.line.talk == talk.id:
                    shown.setdefault(bubble.line.id, []).append(number / 10)
        assert len(shown) >= 2
        assert all(times[-1] - times[0] + 0.1 >= 3.0 for times in shown.values()), pace
    assert READ >= 3.0


def test_a_still_picture_shows_the_last_words(source: Source) -> None:
    talk = next(talk for talk in source.talks.values() if len(talk.lines) >= 2)
    bubbles = Speech(source, Fonts()).at(float(talk.lines[1].step), 0.0)
    assert [bubble.line.text for bubble in bubbles if bubble.line.talk == talk.id] == [talk.lines[1].text]
