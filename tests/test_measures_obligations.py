"""Obligations: scored at the deadline and only then, from rows alone; invalid is never missed; the file is checked."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.main import run
from scenarios import check_scenario, load
from simulation.checking import check_files
from simulation.compose import read_blueprint
from simulation.measures import Scored, report_data, score
from simulation.run import start
from simulation.storing.runfile import RunFile
from simulation.storing.schema import DDL

ANN, BEN, CAT = "Ann Ash", "Ben Birch", "Cat Cole"
NOON = 4320  # steps of 10 seconds from midnight
META = {"start": "2023-06-02 00:00:00", "step_seconds": "10", "town": "Town", "committed": "8640"}
OUT, IN = (0, 0), (5, 5)


class World:
    """A run file of three people, a cafe with a stove and a green, in memory."""

    def __init__(self) -> None:
        self.db = sqlite3.connect(":memory:")
        for statement in DDL:
            self.db.execute(statement)
        places = [
            ("Town", None, "town", "town", []),
            ("Town : Cafe", "Town", "sector", "cafe", []),
            ("Town : Cafe : room", "Town : Cafe", "arena", "arena", [[5, 5], [5, 6]]),
            ("Town : Cafe : room : stove", "Town : Cafe : room", "object", "stove", [[5, 6]]),
            ("Town : Cafe_2", "Town", "sector", "cafe", []),
            ("Town : Green : lawn", "Town", "arena", "arena", [[0, 0]]),
        ]
        for n, (address, parent, level, kind, tiles) in enumerate(places):
            idle = "cold" if level == "object" else None
            row = (address, parent, level, kind, n, json.dumps(tiles), "[]", None, "[]", idle, "[]", None, None, 0)
            self.db.execute(f"INSERT INTO places VALUES ({', '.join('?' * len(row))})", row)
        for n, name in enumerate((ANN, BEN, CAT)):
            row = (name, n, "clockwork", 30, "she", "", "", None, "{}", -1)
            self.db.execute(f"INSERT INTO residents VALUES ({', '.join('?' * len(row))})", row)
            self.go(name, 0, OUT)

    def go(self, name: str, step: int, tile: tuple[int, int], path: str = "") -> None:
        self.db.execute("INSERT INTO moves VALUES (?, ?, 0, ?, ?, ?)", (name, step, *tile, path))

    def act(self, name: str, step: int, text: str, until: int, target: str = "Town : Cafe : room : stove") -> None:
        row = (name, step, 0, text, "dot", target, until, None, None, 0, 0, None, "[]", "[]", "[]", "[]", "")
        self.db.execute(f"INSERT INTO acts VALUES ({', '.join('?' * len(row))})", row)

    def learn(self, name: str, step: int, fact: str) -> None:
        self.db.execute(
            "INSERT INTO memories (resident, step, n, kind, tag, text, created, importance, people, evidence, fact, tone, how)"
            " VALUES (?, ?, 0, 'conversation', 'learned', 'x', ?, 5, '[]', '[]', ?, 0, '')",
            (name, step, step, fact),
        )

    def score(self, *needs: dict[str, Any], by: str = "2023-06-02T12:00:00", **meta: str) -> Scored:
        spec = {
            "obligations": {"it": {"text": "It is so.", "by": by, "needs": [{"at_least": 1, "minutes": 0} | n for n in needs]}}
        }
        (found,) = score(
            lambda sql, parameters=(): self.db.execute(sql, parameters).fetchall(),
            {**META, "spec.scenario": json.dumps(spec), **meta},
        )
        return found


@pytest.fixture
def world() -> World:
    return World()


def present(**fields: Any) -> dict[str, Any]:
    return {"kind": "present", "place": "Cafe", **fields}


@pytest.mark.parametrize(("step", "verdict"), [(NOON - 1, "met"), (NOON, "met"), (NOON + 1, "missed")])
def test_being_there_a_step_too_late_is_missed(world: World, step: int, verdict: str) -> None:
    world.go(ANN, step, IN)
    assert world.score(present(resident=ANN)).verdict == verdict


def test_having_been_there_is_not_being_there(world: World) -> None:
    world.go(ANN, 100, IN)
    assert world.score(present(resident=ANN)).verdict == "met"
    world.go(ANN, NOON, OUT)
    found = world.score(present(resident=ANN))
    assert (found.verdict, found.needs[0].held, found.needs[0].found) == ("missed", False, "")


def test_a_walk_counts_tile_by_tile(world: World) -> None:
    world.go(ANN, NOON - 2, (3, 5), "EE")
    assert world.score(present()).verdict == "met"
    assert world.score(present(), by="2023-06-02T11:59:50").verdict == "missed"


def test_different_people_are_counted_residents_only_and_none_who_left(world: World) -> None:
    for name in (ANN, BEN, "A Visitor"):
        world.go(name, 10, IN)
    assert world.score(present(at_least=2)).needs[0].found == f"{ANN}, {BEN}"
    assert world.score(present(at_least=3)).verdict == "missed"
    world.db.execute("INSERT INTO comings VALUES (?, 20, 'went', 0, '', 5, 5)", (BEN,))
    assert world.score(present(at_least=2)).verdict == "missed"


def test_every_need_must_hold(world: World) -> None:
    world.go(ANN, 10, IN)
    found = world.score(present(resident=ANN), present(at_least=2))
    assert [need.held for need in found.needs] == [True, False]
    assert found.verdict == "missed"


def test_a_state_is_the_one_at_the_deadline_the_idle_one_before_any(world: World) -> None:
    stove = {"kind": "state", "place": "Cafe : room : stove", "words": ["HOT"]}
    assert world.score(stove).needs[0].found == "cold"
    world.db.execute("INSERT INTO object_states VALUES ('Town : Cafe : room : stove', 50, 0, 'red hot', NULL)")
    assert world.score(stove).verdict == "met"
    world.db.execute("INSERT INTO object_states VALUES ('Town : Cafe : room : stove', ?, 0, 'cold', NULL)", (NOON,))
    assert world.score(stove).verdict == "missed"


@pytest.mark.parametrize(
    ("prepare", "verdict"),
    [
        (lambda w: w.act(ANN, 1000, "Decorating the room", 1060), "met"),
        (lambda w: w.act(ANN, 1000, "Decorating the room", 1059), "missed"),  # not ten minutes
        (lambda w: w.act(ANN, 1000, "sweeping", 1060), "missed"),
        (lambda w: w.act(ANN, 800, "decorating", 860), "missed"),  # before `since`
        (lambda w: w.act(BEN, 1000, "decorating", 1060), "missed"),  # whose body is elsewhere
        (lambda w: w.act(ANN, 1000, "decorating", 1060, "Town : Cafe_2"), "missed"),
        (lambda w: w.act(ANN, NOON - 30, "decorating", NOON + 60), "missed"),  # goes on past the deadline
        (lambda w: (w.act(ANN, 1000, "decorating", 1030), w.act(ANN, 2000, "decorating", 2030)), "met"),
    ],
)
def test_a_deed_is_words_place_body_and_time(world: World, prepare: Callable[[World], Any], verdict: str) -> None:
    world.go(ANN, 10, IN)
    prepare(world)
    deed = {"kind": "done", "place": "Cafe", "words": ["decorat"], "since": "2023-06-02T02:30:00", "minutes": 10}
    assert world.score(deed).verdict == verdict


def test_an_act_that_was_broken_off_counts_as_far_as_it_went(world: World) -> None:
    world.go(ANN, 10, IN)
    world.act(ANN, 1000, "decorating", 1100)
    world.db.execute("INSERT INTO act_ends VALUES (?, 1030, 0, ?, 'replaced')", (ANN, f"{ANN}/1000/0"))
    assert world.score({"kind": "done", "place": "Cafe", "words": ["decorat"], "minutes": 5}).verdict == "met"
    assert world.score({"kind": "done", "place": "Cafe", "words": ["decorat"], "minutes": 6}).verdict == "missed"


def test_knowing_is_having_the_fact_before_the_deadline(world: World) -> None:
    world.db.execute("INSERT INTO facts VALUES ('news', 'news', -1, 'It is news.', NULL, 0, NULL, NULL, 1)")
    known = {"kind": "known", "fact": "news", "at_least": 2}
    world.learn(ANN, 5, "news")
    world.learn(BEN, NOON, "news")
    assert world.score(known).verdict == "missed"
    world.learn(CAT, NOON - 1, "news")
    assert world.score(known).needs[0].found == f"{ANN}, {CAT}"


def test_a_run_that_ended_before_is_invalid_never_missed(world: World) -> None:
    found = world.score(present(), committed=str(NOON - 1))
    assert (found.verdict, found.why, found.needs) == ("invalid", "ended", ())
    assert world.score(present(), committed=str(NOON)).verdict == "missed"


@pytest.mark.parametrize(
    "need",
    [
        {"kind": "known", "fact": "nothing"},
        {"kind": "present", "place": "Nowhere"},
        {"kind": "state", "place": "Nowhere", "words": ["x"]},
    ],
)
def test_what_the_file_cannot_answer_is_invalid(world: World, need: dict[str, Any]) -> None:
    found = world.score(need)
    assert (found.verdict, found.why) == ("invalid", "unreadable")


# -- in scenarios and reports ------------------------------------------------------------------------------------------


def test_every_scenario_of_ours_owes_something() -> None:
    assert {name: len(load(name).obligations) for name in ("valentine", "linden", "hamlet")} == {
        "valentine": 2,
        "linden": 4,
        "hamlet": 2,
    }


GOOD = """
obligations:
  quiet:
    text: At ten on 2 June Dov Eller is on the green.
    by: 2023-06-02 10:00
    needs:
      - {kind: present, place: The Green, resident: Dov Eller}
"""


def _scenario(folder: Path, obligations: str) -> Path:
    source = (Path(__file__).parent.parent / "scenarios" / "hamlet.yaml").read_text()
    path = folder / "own.yaml"
    head, _, rest = source.partition("# Scored at their deadline")
    path.write_text(head + "memories:" + rest.partition("memories:")[2] + obligations)
    return path


@pytest.mark.parametrize(
    ("old", "new", "where", "hint"),
    [
        ("Dov Eller}", "Dov Ellr}", "Dov Ellr", "Dov Eller"),
        ("place: The Green", "place: The Gren", "The Gren", "The Green"),
        ("2023-06-02 10:00", "2023-06-09 10:00", "outside the run", "2023-06-02"),
        ("is on the green.", "is on the green", "text of 'quiet'", "full stop"),
        ("kind: present", "kind: present, at_least: 9", "only 5 people", "fewer"),
        ("kind: present", "kind: state", "needs 'words'", "add 'words"),
        ("kind: present", "kind: known, fact: tower-clok", "no fact 'tower-clok'", "tower-clock"),
        ("place: The Green", "place: The Green, since: 2023-06-02 11:00", "after the deadline", "10:00"),
        ("kind: present", "kind: presence", "needs", ""),
        ("needs:\n      - {kind: present, place: The Green, resident: Dov Eller}", "needs: []", "needs nothing", "present"),
        ("    by: 2023-06-02 10:00\n", "", "'by' is missing", "add 'by"),
        ("place: The Green", "plaice: The Green", "plaice", "place"),
    ],
)
def test_a_wrong_obligation_is_found_with_line_and_way_out(tmp_path: Path, old: str, new: str, where: str, hint: str) -> None:
    assert old in GOOD
    path = _scenario(tmp_path, GOOD.replace(old, new))
    problems = check_files([path])[1]
    assert problems
    told = problems[0]
    assert told.file == str(path)
    assert told.line is not None
    assert told.line > len(path.read_text().partition("obligations:")[0].splitlines())
    assert where in told.sentence()
    assert hint in (told.hint or "")


def test_declaring_an_obligation_changes_nothing_that_is_lived(tmp_path: Path) -> None:
    assert check_scenario(_scenario(tmp_path, GOOD)) == []
    digests = []
    for number, obligations in enumerate((GOOD, "")):
        path = _scenario(tmp_path, obligations)
        digests.append(start(read_blueprint(str(path), days=0.3, embedder="hash-64"), tmp_path / f"{number}.town").digest)
    assert digests[0] == digests[1]


def test_the_report_lists_met_missed_and_invalid(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    late = GOOD.partition("obligations:")[2].replace("quiet", "later").replace("10:00", "12:00")
    path = _scenario(tmp_path, GOOD.replace("by: 2023-06-02 10:00", "by: 2023-06-02 01:00") + late)
    town = tmp_path / "a.town"
    start(read_blueprint(str(path), days=0.1, mind="clockwork", embedder="hash-64"), town)
    with RunFile.open(town) as opened:
        data = report_data(opened)
    assert {name: one["verdict"] for name, one in data["obligations"].items()} == {"quiet": "missed", "later": "invalid"}
    assert data["exposure"] == {}
    assert run(["report", str(town), "--out", str(tmp_path / "report")]) == 0
    assert "owed: later" in capsys.readouterr().out
    text = (tmp_path / "report" / "report.md").read_text()
    assert "the run ended before the deadline" in text
    assert "What was owed" in text
