"""Beds that are taken, and what was to prepare something that is off."""

from datetime import datetime
from pathlib import Path

from kernel import Clock, RecordId
from language import HashEmbedder
from memory import Record, Stream
from planning.diary import appointments
from simulation import RunFile, read_blueprint, start
from town import Fact, Gathering

ME, HOST = "Ada Brook", "Ben Carter"
GREEN = "Hamlet : The Green : green"


def told(n: int, fact: Fact) -> Record:
    return Record(
        RecordId(ME, 5, n), "conversation", fact.text, 5, 5, people=(HOST,), about=HOST, fact=fact, heard_from=HOST, tag="learned"
    )


def test_what_prepared_a_cancelled_thing_is_off_too() -> None:
    tea = Fact("tea", "Ben Carter is giving a tea.", about=HOST, gathering=Gathering("tea", GREEN, 1000, 1360, HOST))
    laying = Fact(
        f"{HOST}/4/0", "They lay the table.", about=HOST, gathering=Gathering("laying the table", GREEN, 800, 1000, HOST)
    )
    stroll = Fact(f"{HOST}/4/1", "They take a stroll.", about=HOST, gathering=Gathering("stroll", GREEN, 500, 700, HOST))
    stream = Stream(ME, HashEmbedder(), Clock(datetime(2023, 5, 1), 10))
    stream.extend([told(0, tea), told(1, laying), told(2, stroll)])
    assert not any(a.called_off for a in appointments(stream, ME, 0, 2000))
    stream.extend([told(3, Fact("rain", "The tea is off.", about=HOST, retracts="tea"))])
    assert {a.gathering.name: a.called_off for a in appointments(stream, ME, 0, 2000)} == {
        "stroll": False, "laying the table": True, "tea": True,
    }  # fmt: skip


def test_whose_bed_is_taken_sleeps_beside_it_and_gets_up(tmp_path: Path) -> None:
    """Two share a bed that holds one; the one left standing at midnight used never to wake again."""
    scenario = Path(__file__).parent / "probes" / "persona.yaml"
    start(read_blueprint(str(scenario), seed=0, until="08:00"), tmp_path / "bed.town")
    run = RunFile.open(tmp_path / "bed.town", readonly=True)
    acts = run.rows("SELECT step, asleep, target FROM acts WHERE resident = 'Tobias Reyne' ORDER BY step, n")
    assert [(asleep, target.split(" : ")[-1]) for step, asleep, target in acts if step < 5] == [(1, "bed"), (1, "main room")]
    assert [asleep for step, asleep, _ in acts if step > 6 * 360 + 72][:3] == [0, 0, 0]
    run.close()
