"""What meddling must do (issue 4): things are reacted to where they are seen, voices are followed, odd states puzzle."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kernel import RunFileError
from simulation.compose import read_blueprint
from simulation.interventions import ask_for, wish_event, wish_object, wish_voice
from simulation.run import resume, start
from simulation.storing.runfile import RunFile

NINE = 9 * 360
OVEN = "Hamlet : Bakery : bakery : oven"
MINUTE = 6


@pytest.fixture(scope="module")
def morning(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("meddling") / "morning.town"
    start(read_blueprint("hamlet", seed=1, until="09:00", embedder="hash-64"), path)
    return path


@pytest.fixture
def town(morning: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(morning, tmp_path / "town.town"))


def rows(path: Path, sql: str, *values: object) -> list[tuple[object, ...]]:
    with RunFile.open(path) as run:
        return run.rows(sql, values)


def whisper(path: Path, who: str, text: str, until: str) -> str:
    with RunFile.open(path) as run:
        wish = wish_voice(run, who, text)
    ask_for(path, wish)
    resume(path, until=until)
    assert wish.who is not None
    return wish.who


def acts(path: Path, who: str, since: int = NINE) -> list[tuple[object, ...]]:
    return rows(path, "SELECT text, target FROM acts WHERE resident = ? AND step >= ? ORDER BY step", who, since)


def test_a_burning_stove_is_reacted_to_within_a_minute_and_unknown_elsewhere_until_told(town: Path) -> None:
    with RunFile.open(town) as run:
        wish = wish_object(run, "oven", "burning")
    ask_for(town, wish)
    resume(town, until="11:00")
    reacted = rows(
        town, "SELECT resident, text FROM acts WHERE step >= ? AND step <= ? AND target = ?", NINE, NINE + MINUTE, OVEN
    )
    assert [name for name, _ in reacted] == ["Ada Brook"]
    for name, step, tag, source in rows(
        town,
        "SELECT resident, MIN(step), tag, heard_from FROM memories WHERE text LIKE '%oven%burning%' AND step >= ? GROUP BY resident",  # noqa: E501
        NINE,
    ):
        room = "SELECT 1 FROM memories WHERE resident = ? AND step = ? AND about = ? AND tag IN ('state', 'thought')"
        assert source is not None or tag == "talk" or rows(town, room, name, step, OVEN), (
            f"{name} knows without having seen or heard"
        )


def test_an_event_out_of_doors_is_reacted_to_within_a_minute_and_unknown_elsewhere(town: Path) -> None:
    with RunFile.open(town) as run:
        wish = wish_event(run, "a tree falls across the path with a crash", "green")
    ask_for(town, wish)
    resume(town, until="09:05")
    seen = {
        name for (name,) in rows(town, "SELECT DISTINCT resident FROM memories WHERE tag = 'event' AND step <= ?", NINE + MINUTE)
    }
    assert "Edda Finch" in seen
    reaction = rows(
        town,
        "SELECT text FROM acts WHERE resident = 'Edda Finch' AND step BETWEEN ? AND ? AND note LIKE '%reaction%'",
        NINE,
        NINE + MINUTE,
    )
    thought = rows(
        town,
        "SELECT text FROM memories WHERE resident = 'Edda Finch' AND tag = 'thought' AND step BETWEEN ? AND ?",
        NINE,
        NINE + MINUTE,
    )
    assert reaction or thought
    knowing = {name for (name,) in rows(town, "SELECT DISTINCT resident FROM memories WHERE text LIKE '%tree falls%'")}
    assert "Clara Doyle" not in knowing
    assert "Ben Carter" not in knowing


@pytest.mark.parametrize(
    ("who", "text", "does", "where"),
    [
        ("ada", "Stay in bed", "", "bed"),
        ("ada", "Go to the green", "", "The Green"),
        ("dov", "Go home and take a nap", "nap", "Dov Eller"),
        ("edda", "Stop what you are doing and dance", "dancing", ""),
        ("ben", "You should swim in the pond", "swimming", "The Green"),
    ],
)
def test_a_voice_that_names_something_doable_is_followed(town: Path, who: str, text: str, does: str, where: str) -> None:
    name = whisper(town, who, text, "10:00")
    done = acts(town, name)
    assert any(does in str(act) and where in str(target) for act, target in done[:3]), done
    planned = rows(town, "SELECT rests_on FROM plans WHERE resident = ? AND written = ? AND level = 'day'", name, NINE)
    assert any(f"{name}/{NINE}/0" in str(rests) for (rests,) in planned), "the plan says what it rests on"


def test_a_voice_against_a_gathering_keeps_its_bearer_away_and_from_saying_yes(town: Path, tmp_path: Path) -> None:
    calm = Path(shutil.copy(town, tmp_path / "calm.town"))
    resume(calm, until="18:30")
    about = "SELECT text FROM acts WHERE resident = 'Clara Doyle' AND step >= ? AND text LIKE '%story hour%'"
    assert rows(calm, about, NINE), "left alone she holds it"
    whisper(town, "clara", "You are against the story hour", "18:30")
    assert rows(town, about, NINE) == []
    assert (
        rows(
            town,
            "SELECT 1 FROM plans WHERE resident = 'Clara Doyle' AND written >= ? AND status = 'made' AND text LIKE '%story hour%'",  # noqa: E501
            NINE,
        )
        == []
    )


def test_a_voice_that_says_to_tell_somebody_something_makes_it_told(town: Path) -> None:
    whisper(town, "edda", "Tell Dov that the well is dry", "20:00")
    told = rows(
        town, "SELECT step, text FROM utterances WHERE resident = 'Edda Finch' AND passes_on LIKE ?", f"%Edda Finch/{NINE}/1%"
    )
    assert told
    assert "well is dry" in str(told[0][1])
    learned = rows(
        town, "SELECT heard_from, text FROM memories WHERE resident = 'Dov Eller' AND fact = ?", f"Edda Finch/{NINE}/1"
    )
    assert learned[0][0] == "Edda Finch"
    assert str(learned[0][1]).endswith("The well is dry.")


ODD = ("singing an old song", "covered in blue moss", "three metres tall", "full of bees", "leaking green soup")


def test_five_states_nobody_listed_draw_differing_reactions_or_puzzlement(morning: Path, tmp_path: Path) -> None:
    thoughts: list[tuple[str, ...]] = []
    for n, state in enumerate(ODD):
        path = Path(shutil.copy(morning, tmp_path / f"{n}.town"))
        with RunFile.open(path) as run:
            wish = wish_object(run, "oven", state)
        ask_for(path, wish)
        resume(path, until="09:02")
        found = rows(
            path, "SELECT text FROM memories WHERE step >= ? AND tag IN ('state', 'thought') AND instr(text, 'oven')", NINE
        )
        assert any(state in str(text) for (text,) in found), state
        reacted = rows(
            path, "SELECT text FROM acts WHERE step >= ? AND step <= ? AND note LIKE '%reaction%'", NINE, NINE + MINUTE
        )
        thoughts.append(tuple(str(text).replace(state, "…") for (text,) in (*reacted, *found[1:])))
    assert all(thoughts), thoughts
    assert len(set(thoughts)) >= 3, thoughts


LIVE = """
import sys
from pathlib import Path
from simulation.compose import read_blueprint
from simulation.run import resume, start
path = Path(sys.argv[1])
if path.exists():
    resume(path)
else:
    start(read_blueprint("hamlet", until="09:30", embedder="hash-64"), path)
"""
ASK = """
import sys, time
from pathlib import Path
from simulation.interventions import ask_for, wish_go, wish_visit, wish_words
from simulation.storing.runfile import RunFile
path, name = Path(sys.argv[1]), sys.argv[2]
def ask(make, *values, **more):
    with RunFile.open(path) as run:
        wish = make(run, *values, **more)
    print(ask_for(path, wish, name), flush=True)
ask(wish_visit, name, at="green")
for n in range(11):
    ask(wish_words, name, f"This is line {n}.") if n % 2 else ask(wish_go, name, way=("north", "south")[n % 4 // 2])
    time.sleep(0.02)
"""


def test_two_visitors_are_moved_at_once_while_the_town_lives_and_dies(tmp_path: Path) -> None:
    path = tmp_path / "busy.town"
    living = subprocess.Popen([sys.executable, "-c", LIVE, str(path)])
    try:
        bound = time.monotonic() + 60
        while time.monotonic() < bound:
            try:
                with RunFile.open(path) as run:
                    if run.committed > 0:
                        break
            except RunFileError:
                pass
            time.sleep(0.01)
        askers = [
            subprocess.Popen([sys.executable, "-c", ASK, str(path), name], stdout=subprocess.PIPE, text=True)
            for name in ("Zoe Hall", "Mo Rey")
        ]
        assert askers[1].stdout is not None
        assert askers[1].stdout.readline()
        askers[1].send_signal(signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
        living.kill()
        living.wait()
        living = subprocess.Popen([sys.executable, "-c", LIVE, str(path)])
        told = [asker.communicate(timeout=60)[0].split() for asker in askers]
        assert living.wait(timeout=60) == 0
    finally:
        living.kill()
        living.wait()
    assert len(told[0]) == 12
    digest = resume(path, until="09:40").digest
    asked = rows(path, "SELECT id, kind, who, text, step, outcome FROM interventions ORDER BY id")
    assert {int(number) for numbers in told for number in numbers} <= {row[0] for row in asked}
    assert all(step is not None for *_, step, _ in asked), "nothing lost"
    assert rows(path, "SELECT name, COUNT(*) FROM comings GROUP BY name ORDER BY name") == [("Mo Rey", 1), ("Zoe Hall", 1)]
    said = rows(path, "SELECT resident, text, COUNT(*) FROM utterances WHERE text LIKE 'This is line%' GROUP BY 1, 2")
    unsaid = rows(path, "SELECT resident, text FROM memories WHERE tag = 'unsaid'")
    assert all(count == 1 for *_, count in said), "nothing done twice"
    assert said or unsaid
    with RunFile.open(path, readonly=False) as run:
        run.set_meta({"committed": "360"})
    assert resume(path, until="09:40").digest == digest
