"""Plans in steps: what a new plan of a running day keeps, how blocks cover it, where a resident may go."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from kernel import Clock, RecordId
from language.replies import DayOutline, HourBlock, HourPlan, Part
from planning.day import _before, _blocks, _unchanged, make_spans, minutes_of_parts
from planning.schedule import Block, Schedule, Slot
from planning.schedule import Part as Planned

CLOCK = Clock(datetime(2024, 5, 6), 10)
DAY = date(2024, 5, 6)


def rid(n: int) -> RecordId:
    return RecordId("Una Voss", 2160, n)


def part(n: int, start: int, end: int, activity: str, place: str | None = None) -> Planned:
    return Planned(start * 6, end * 6, activity, place, rid(n), (rid(100 + n),))


OLD = Schedule(
    2160,
    7920,
    (part(0, 360, 600, "sorting seeds", "the barn"), part(1, 600, 720, "mending nets"), part(2, 720, 1320, "reading")),
)


def outline(*parts: tuple[str, str, str, str | None]) -> DayOutline:
    return DayOutline(parts=[Part(activity=a, start=s, end=e, place=p) for s, e, a, p in parts])


def test_what_a_new_plan_repeats_stays_the_same_record() -> None:
    step = 420 * 6 + 3
    again = outline(
        ("7:00", "10:00", "sorting seeds", "the barn"),
        ("10:00", "11:00", "mending nets", None),
        ("11:00", "22:00", "reading", None),
    )
    spans = make_spans(again, CLOCK, DAY, step, 1320 * 6)
    kept = _unchanged(OLD, spans, step, CLOCK)
    assert {i: p.plan for i, p in kept.items()} == {0: rid(0)}  # under way and with the same end; the others have moved
    assert _before(OLD, "mending nets", step) == (rid(101),)
    assert _before(OLD, "flying kites", step) == ()


def test_a_block_that_begins_within_the_minute_is_no_gap() -> None:
    parts = [Planned(2162, 3600, "reading, then eating", None, rid(0))]  # wakes at 6:00:20
    plan = HourPlan(
        blocks=[
            HourBlock(activity="reading", start="6:00", minutes=120), HourBlock(activity="eating", start="8:00", minutes=120),
        ]
    )  # fmt: skip
    blocks = _blocks(plan, parts, [0], CLOCK, DAY)
    assert [(b.start, b.end, b.activity) for b in blocks] == [(2162, 2880, "reading"), (2880, 3600, "eating")]


def test_parts_are_told_in_minutes_since_the_days_midnight() -> None:
    assert minutes_of_parts([part(0, 1380, 1500, "dancing")], CLOCK, DAY) == ((1380, 1500, "dancing", None),)


def test_a_schedule_survives_json() -> None:
    made = Schedule(
        0,
        10,
        OLD.parts,
        (Block(0, 5, "reading", "home", rid(1), 0),),
        (Slot(0, 2, "turning pages", rid(1), True), Slot(2, 5, "reading", rid(1))),
    )
    assert Schedule.from_json(made.to_json()) == made


@pytest.mark.parametrize("now", [0, 2160])
def test_spans_leave_no_gap(now: int) -> None:
    spans = make_spans(outline(("9:00", "10:00", "a", None), ("11:00", "12:00", "b", None)), CLOCK, DAY, now, 7920)
    assert [s.start for s in spans] == [now, spans[0].end]
    assert spans[-1].end >= 7920 - 540
