"""Residents who are added or taken away on the way, and interventions set for a time."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
import yaml

from cli.main import run as command
from kernel import DataFileError, UsageError
from personas import PEOPLE_FOLDER, load_newcomer, load_people
from simulation.checking import check_files
from simulation.compose import read_blueprint
from simulation.forking import fork
from simulation.interventions import ask_for, schedule, wish_arrive, wish_depart, wish_event
from simulation.interventions.perceived import listing
from simulation.replaying import verify
from simulation.run import resume, start
from simulation.storing.digest import run_digest
from simulation.storing.runfile import RunFile

NINE = 9 * 360


@pytest.fixture(scope="module")
def morning(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("newcomers") / "morning.town"
    start(read_blueprint("hamlet", seed=1, until="09:00", embedder="hash-64"), path)
    return path


@pytest.fixture
def town(morning: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(morning, tmp_path / "town.town"))


@pytest.fixture
def una(tmp_path: Path) -> Path:
    """Somebody new, made of a shipped persona: another name, the same house, the same acquaintances."""
    text = (PEOPLE_FOLDER / "hamlet" / "ben-carter.yaml").read_text(encoding="utf-8")
    text = text.replace("Ben Carter's house", "@house").replace("Ben Carter", "Una Voss").replace("Ben", "Una")
    made = yaml.safe_load(text.replace("@house", "Ben Carter's house"))
    path = tmp_path / "una-voss.yaml"
    path.write_text(yaml.safe_dump(made, allow_unicode=True, sort_keys=False), encoding="utf-8")
    return path


def rows(path: Path, sql: str, *values: object) -> list[tuple[object, ...]]:
    with RunFile.open(path) as run:
        return run.rows(sql, values)


def test_a_newcomer_lives_and_one_who_departs_is_gone(town: Path, una: Path, tmp_path: Path) -> None:
    with RunFile.open(town) as run:
        arrive = wish_arrive(run, load_newcomer(una), "bakery")
    ask_for(town, arrive, "Kim")
    resume(town, until="10:03")
    assert rows(town, "SELECT position, mind, since FROM residents WHERE name = 'Una Voss'") == [(5, "generative", NINE)]
    assert rows(town, "SELECT name, step, change, visitor, look FROM comings") == [("Una Voss", NINE, "came", 0, "")]
    assert len(rows(town, "SELECT 1 FROM acts WHERE resident = 'Una Voss'")) > 2
    assert rows(town, "SELECT COUNT(*) FROM plans WHERE resident = 'Una Voss'") != [(0,)]
    seeds = rows(town, "SELECT MIN(step), COUNT(*) FROM memories WHERE resident = 'Una Voss' AND tag = 'identity'")
    assert seeds[0][0] == NINE
    assert rows(town, "SELECT 1 FROM memories WHERE about = 'Una Voss' AND tag = 'seen' AND resident != 'Una Voss'")
    assert rows(town, "SELECT * FROM failures") == []
    with RunFile.open(town) as run:
        depart = wish_depart(run, "ada")
    ask_for(town, depart)
    digest = resume(town, until="12:00").digest
    gone = 10 * 360 + 18
    assert rows(town, "SELECT step, change FROM comings WHERE name = 'Ada Brook'") == [(gone, "went")]
    with RunFile.open(town) as run:
        titles = [next(one.lines()) for one in listing(run)]
    assert titles[0].startswith("#1 arrive · Una Voss, ")
    assert titles[1] == "#2 depart · Ada Brook"
    assert rows(town, "SELECT 1 FROM acts WHERE resident = 'Ada Brook' AND step >= ?", gone) == []
    assert rows(town, "SELECT why FROM act_ends WHERE resident = 'Ada Brook' AND step = ?", gone) == [("left",)]
    assert not rows(town, "SELECT 1 FROM memories WHERE tag = 'seen' AND about = 'Ada Brook' AND step > ?", gone + 1)
    assert verify(town).same
    for step in (NINE, NINE + 1, gone - 10, gone, gone + 5):
        with RunFile.open(town, readonly=False) as run:
            run.set_meta({"committed": str(step)})
        assert resume(town, until="12:00").digest == digest, step
    child = tmp_path / "fork.town"
    fork(town, NINE + 100, child)
    with RunFile.open(child) as run, RunFile.open(town) as parent:
        assert run_digest(run) == run_digest(parent, NINE + 100)
    resume(child, until="10:30")
    assert rows(child, "SELECT COUNT(*) FROM residents") == [(6,)]
    early = tmp_path / "early.town"
    fork(town, NINE - 100, early)
    assert rows(early, "SELECT COUNT(*) FROM residents") == [(5,)]
    assert rows(early, "SELECT COUNT(*) FROM comings") == [(0,)]


def test_who_cannot_come_or_go(town: Path, una: Path) -> None:
    person = load_newcomer(una)
    with RunFile.open(town) as run:
        with pytest.raises(DataFileError, match="knows an unknown 'Ada Brook'"):
            load_newcomer(una, ["Clara Doyle", "Dov Eller", "Edda Finch"])
        with pytest.raises(UsageError, match="lives in this town already"):
            wish_arrive(run, load_people(PEOPLE_FOLDER / "hamlet" / "ben-carter.yaml")[0])
        with pytest.raises(UsageError, match=r"bed 'Nowhere : x : bed' isn't in this town"):
            wish_arrive(run, person.model_copy(update={"bed": "Nowhere : x : bed"}))
        with pytest.raises(UsageError, match="there is no mind 'generativ'"):
            wish_arrive(run, person, mind="generativ")
        with pytest.raises(UsageError, match="there is no resident"):
            wish_depart(run, "zoe")


TIMETABLE = """
interventions:
  - {at: "09:30", kind: object, place: oven, text: burning}
  - {at: "2023-06-02 10:00", kind: visit, who: Zoe Hall, look: a tall woman, to: Edda}
  - {at: "10:01", kind: words, who: Zoe, text: The mill is for sale., to: Edda}
  - {at: "10:30", kind: leave, who: Zoe}
  - {at: "09:45", kind: voice, who: dov, text: Read a book, author: Kim}
  - {at: "09:50", kind: event, place: green, text: a hot air balloon lands, minutes: 5}
"""


@pytest.fixture
def timetable(tmp_path: Path) -> Path:
    path = tmp_path / "plan.yaml"
    path.write_text(TIMETABLE, encoding="utf-8")
    return path


def test_what_is_set_for_a_time_takes_effect_at_exactly_that_step(town: Path, timetable: Path, tmp_path: Path) -> None:
    assert len(schedule(town, timetable)) == 6
    taken = "SELECT kind, step, due, author FROM interventions ORDER BY due"
    assert [row[1] for row in rows(town, taken)] == [None] * 6
    resume(town, until="09:40")  # stops and goes on in between
    middle = rows(town, taken)
    assert [step for _, step, _, _ in middle] == [9 * 360 + 180, None, None, None, None, None]
    with RunFile.open(town) as run:
        other = wish_event(run, "a brass band plays", "green")
    ask_for(town, other)
    digest = resume(town, until="11:00").digest
    found = [row for row in rows(town, taken) if row[2] is not None]
    assert all(step == due for _, step, due, _ in found)
    assert [author for *_, author in found] == ["plan.yaml", "Kim", "plan.yaml", "plan.yaml", "plan.yaml", "plan.yaml"]
    assert rows(town, "SELECT step, state FROM object_states WHERE address LIKE '%oven' AND by IS NULL AND step > 0") == [
        (3420, "burning")
    ]
    assert rows(town, "SELECT step FROM events WHERE text LIKE '%balloon%'") == [(3540,)]
    assert rows(town, "SELECT step, change FROM comings") == [(3600, "came"), (3780, "went")]
    assert verify(town).same
    for step in (NINE + 1, 3420, 3500, 3600, 3601):
        with RunFile.open(town, readonly=False) as run:
            run.set_meta({"committed": str(step)})
        assert resume(town, until="11:00").digest == digest, step
    child = tmp_path / "fork.town"
    fork(town, "09:10", child)
    assert [row[1] for row in rows(child, taken)] == [None] * 6, "what is set for later comes along"
    resume(child, until="11:00")
    assert rows(child, "SELECT step, change FROM comings") == [(3600, "came"), (3780, "went")]


def test_beside_a_new_run_and_in_a_scenario(timetable: Path, tmp_path: Path) -> None:
    path = tmp_path / "new.town"
    assert (
        command(
            [
                "run",
                "hamlet",
                "--until",
                "09:35",
                "--mind",
                "clockwork",
                "--quiet",
                "--out",
                str(path),
                "--interventions",
                str(timetable),
            ]
        )
        == 0
    )
    assert rows(path, "SELECT COUNT(*), SUM(step IS NOT NULL) FROM interventions") == [(6, 1)]
    blueprint = read_blueprint("hamlet", until="09:35", mind="clockwork", embedder="hash-64")
    entries = yaml.safe_load(TIMETABLE)["interventions"][:1]
    scenario = type(blueprint.scenario).model_validate({**blueprint.scenario.model_dump(), "interventions": entries})
    own = tmp_path / "own.town"
    start(type(blueprint)(**{**vars(blueprint), "scenario": scenario}), own)
    assert rows(own, "SELECT kind, step, author FROM interventions") == [("object", 3420, "hamlet")]


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ('{at: "25:99", kind: voice, who: dov, text: x}', "plan.yaml:2: '25:99' is not a time"),
        ('{at: "10:00", kind: voice, text: x}', "plan.yaml:2: 'voice' needs 'who'"),
        ('{at: "10:00", kind: storm}', "plan.yaml:2: interventions.0.kind"),
        ('{at: "10:00", kind: event, place: green, txt: x}', "did you mean 'text'"),
        ('{at: "10:00", kind: go, who: Zoe}', "'go' needs somewhere to go"),
        ('{at: "10:00", kind: event, place: green, text: x, who: dov}', "'event' has no 'who'"),
        ('{at: "10:00", kind: arrive, persona: nobody.yaml}', "plan.yaml:2"),
    ],
)  # fmt: skip
def test_check_names_file_line_and_hint(tmp_path: Path, entry: str, sentence: str) -> None:
    path = tmp_path / "plan.yaml"
    path.write_text(f"interventions:\n  - {entry}\n", encoding="utf-8")
    _, problems = check_files([path])
    assert problems
    assert sentence in " ".join(problem.sentence() for problem in problems)


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ('{at: "08:00", kind: voice, who: dov, text: x}', "08:00 is over"),
        ('{at: "10:00", kind: voice, who: zoe, text: x}', "there is no resident 'zoe'"),
        ('{at: "10:00", kind: object, place: ovem, text: x}', "there is no object"),
        ('{at: "10:00", kind: words, who: Zoe, text: hello}', "there is no visitor in town"),
        ('{at: "10:00", kind: visit, who: Ada Brook}', "lives in this town"),
    ],
)  # fmt: skip
def test_what_a_run_cant_grant_is_refused_before_anything_is_set(town: Path, tmp_path: Path, entry: str, sentence: str) -> None:
    path = tmp_path / "plan.yaml"
    path.write_text(f'interventions:\n  - {{at: "10:00", kind: voice, who: dov, text: x}}\n  - {entry}\n', encoding="utf-8")
    with pytest.raises(DataFileError, match=sentence) as caught:
        schedule(town, path)
    assert caught.value.line == 3
    assert rows(town, "SELECT COUNT(*) FROM interventions") == [(0,)]
