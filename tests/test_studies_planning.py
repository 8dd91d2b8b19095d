"""Planning and what surrounds a study: power by simulation, frozen plans, people's answers, other names."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path

import numpy as np
import pytest
import yaml

from cli.main import run as town
from kernel import DataFileError, UsageError
from simulation.compose import read_blueprint
from simulation.run import start
from simulation.storing.runfile import RunFile
from studies.judging import human_answers
from studies.judging.human_answers import HumanAnswers
from studies.judging.writing_human import collect_human
from studies.questions import read_questions
from studies.ranking import Ranking, write_csv
from studies.ranking.draws import Draws
from studies.renaming import renamed, renames
from studies.runner import Study, read_study
from studies.runner.planning import LADDER, plan, plan_lines
from studies.runner.registration import read_registration, study_hash


def rankings(win: float, residents: int = 12, questions: int = 10, spread: float = 0.1) -> list[Ranking]:
    draws = Draws(0, "planning test")
    found = []
    for who in range(residents):
        mine = win + spread * (float(draws.uniform(1)[0]) - 0.5)
        for n in range(questions):
            first = float(draws.uniform(1)[0]) < mine
            found.append(
                Ranking(f"r{who % 2}", f"p{who}", "memory", f"q{n}", "judge", {"a": 1 if first else 2, "b": 2 if first else 1})
            )
    return found


def test_more_residents_raters_and_larger_effects_need_fewer() -> None:
    data = rankings(0.5)
    small, large = plan(data, 0.05), plan(data, 0.2)
    assert small.enough is not None
    assert large.enough is not None
    assert large.enough < small.enough
    several = plan(data, 0.05, raters=5)
    assert several.enough is not None
    assert several.enough < small.enough
    powers = list(small.power.values())
    assert all(b > a - 0.06 for a, b in itertools.pairwise(powers))
    assert small.seeds == -(-small.enough // 6)  # six residents in each of the two runs
    assert any("One rater so far" in line for line in plan_lines(small))


def test_the_power_said_is_the_power_had() -> None:
    """Real studies of the size said find the effect about as often as said."""
    found = plan(rankings(0.5, residents=40, spread=0.0), 0.15)
    assert found.enough is not None
    hits = 0
    from scipy.stats import ttest_1samp

    draws = Draws(7, "real")
    for _ in range(300):
        wins = draws.uniform(found.enough, found.questions) < 0.65
        margins = (wins - 0.5).mean(axis=1)
        test = ttest_1samp(margins, 0.0)
        hits += bool(test.pvalue < found.alpha and margins.mean() > 0)
    said = found.power[found.enough]
    assert hits / 300 == pytest.approx(said, abs=0.08)


def test_what_cant_be_planned_is_explained(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="can't differ from one half"):
        plan(rankings(0.5), 0.7)
    with pytest.raises(UsageError, match="aren't in the data"):
        plan(rankings(0.5), 0.1, pair=("a", "z"))
    with pytest.raises(UsageError, match="too few"):
        plan(rankings(0.5, residents=2), 0.1)
    tied = [Ranking("r", f"p{i}", "memory", f"q{n}", "j", {"a": 1, "b": 1}) for i in range(5) for n in range(3)]
    assert plan(tied, 0.1).enough == LADDER[0]  # no spread at all: said by the data, not believed by anybody
    path = tmp_path / "r.csv"
    write_csv(path, rankings(0.5))
    assert town(["study", "plan", str(path), "--effect", "0.2"]) == 0
    assert town(["study", "plan", str(path), "--pair", "a"]) == 2
    assert town(["study", "plan", str(path), "--out", str(tmp_path / "p.json")]) == 2
    assert town(["study", "plan", str(tmp_path)]) == 2


def test_a_frozen_plan_is_for_new_seeds_and_fits_its_study(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "study"
    (folder / "data").mkdir(parents=True)
    study = read_study("ablation").with_(scenario="hamlet", seeds=(0, 1))
    (folder / "study.json").write_text(study.model_dump_json(), encoding="utf-8")
    write_csv(folder / "data" / "rankings.csv", rankings(0.5))
    out = tmp_path / "plan.json"
    assert town(["study", "plan", str(folder), "--effect", "0.2", "--out", str(out), "--hypothesis", "a beats b", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    frozen = read_study(out.with_suffix(".yaml"))
    assert frozen.seeds == tuple(range(2, 2 + data["seeds"]))
    registration, written = read_registration(out)
    assert registration.study == study_hash(frozen)
    assert written == registration.hash == data["frozen"]["hash"]
    assert registration.hypothesis == "a beats b"
    assert town(["study", "plan", str(folder), "--effect", "0.2", "--out", str(out)]) == 2  # never written over


def test_a_real_model_gets_the_unpublished_scenario_unless_asked_otherwise() -> None:
    study = read_study("ablation")
    assert study.asked_for(model="offline").scenario == "valentine"
    assert study.asked_for(model="openai:any").scenario == "linden"
    assert study.asked_for(model="openai:any", scenario="valentine").scenario == "valentine"
    assert study.asked_for(model="openai:any", rename=3).scenario == "valentine"


@pytest.mark.parametrize("scenario", [pytest.param("valentine", marks=pytest.mark.slow), "linden", "hamlet"])
def test_renaming_leaves_no_name_behind(scenario: str) -> None:
    before = read_blueprint(scenario)
    after = renamed(before, 5)
    words = renames(before, 5)
    text = " ".join(
        [after.scenario.model_dump_json(), after.map.model_dump_json(), *(one.model_dump_json() for one in after.people)]
    )
    assert not [word for word in words if re.search(rf"\b{re.escape(word)}\b", text)]
    assert len({person.name for person in after.people}) == len(before.people)
    assert [p.pronoun for p in after.people] == [p.pronoun for p in before.people]
    assert [p.age for p in after.people] == [p.age for p in before.people]
    assert list(after.minds) == [person.name for person in after.people]
    assert renamed(before, 5) == after
    assert renamed(before, 6).people != after.people
    assert len(after.map.sectors) == len(before.map.sectors)


def test_a_renamed_town_lives(tmp_path: Path) -> None:
    path = tmp_path / "renamed.town"
    blueprint = renamed(read_blueprint("hamlet", until="08:00", embedder="hash-64"), 1)
    start(blueprint, path)
    with RunFile.open(path) as run:
        people = {row[0] for row in run.rows("SELECT name FROM residents")}
        assert people == {person.name for person in blueprint.people}
        assert "Ada Brook" not in people
        assert not run.rows("SELECT 1 FROM memories WHERE text LIKE '%Ada%' OR text LIKE '%Doyle%'")
        assert run.rows("SELECT 1 FROM acts LIMIT 1")


@pytest.fixture(scope="module")
def noon(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("noon") / "noon.town"
    start(read_blueprint("hamlet", until="09:00", embedder="hash-64"), path)
    return path


def test_a_person_answers_for_a_resident_and_goes_on_later(noon: Path, tmp_path: Path) -> None:
    file, told = tmp_path / "human.yaml", []
    typed = iter(["I am Ada.", "skip", "I bake.", "stop"])
    assert collect_human(noon, "ada", file, lambda _: next(typed), told.append, at="08:00")[0] == 2
    assert any("Ada" in line for line in told)
    typed = iter(["A second try."])

    def ask(_: str) -> str:
        try:
            return next(typed)
        except StopIteration:
            raise EOFError from None

    assert collect_human(noon, "Ada", file, ask, told.append, at="08:00")[0] == 3
    collect_human(noon, "Dov", file, lambda _: "stop", told.append, at="08:00")
    with RunFile.open(noon) as run:
        step = 8 * 360
        assert run.committed > step
    found = HumanAnswers.read(file, read_questions())
    answers = found.of(0, "Ada Brook", step)
    assert list(answers.values()) == ["I am Ada.", "I bake.", "A second try."] or len(answers) == 3
    assert found.of(0, "Ada Brook", step + 1) == {}
    assert found.unused([(0, "Ada Brook", step)]) == []
    assert found.unused([]) == [(0, "Ada Brook")]
    with pytest.raises(UsageError, match="another moment"):
        collect_human(noon, "Ada", file, ask, told.append, at="07:00")


def test_files_of_answers_that_wont_do_are_explained(tmp_path: Path) -> None:
    example = Path(human_answers.__file__).with_name("human-example.yaml")
    with pytest.raises(DataFileError, match="made up, as the file says itself"):
        HumanAnswers.read(example)
    own = yaml.safe_load(example.read_text(encoding="utf-8"))
    del own["made_up"]
    path = tmp_path / "own.yaml"
    path.write_text(yaml.safe_dump(own), encoding="utf-8")
    assert len(HumanAnswers.read(path, read_questions()).of(0, "Ada Brook", 7200)) == 2  # the format itself is right
    twice = {**own, "sheets": own["sheets"] * 2}
    path.write_text(yaml.safe_dump(twice), encoding="utf-8")
    with pytest.raises(DataFileError, match="twice"):
        HumanAnswers.read(path)
    path.write_text("kind: shopping list\n", encoding="utf-8")
    with pytest.raises(DataFileError, match="kind"):
        HumanAnswers.read(path)


def test_studies_are_values() -> None:
    study = read_study("ablation")
    assert isinstance(study, Study)
    assert study.hash == read_study("ablation").hash
    assert np.all([kinds is not None for kinds in study.parsed.values()])


def test_a_life_without_a_part_of_the_mind_is_another_life(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "without.town"
    arguments = ["run", "hamlet", "--until", "11:00", "--embedder", "hash-64", "--rename", "4", "--out", str(path), "--quiet"]
    assert town([*arguments, "--without", "reflections, plan"]) == 0
    with RunFile.open(path) as run:
        assert not run.rows("SELECT 1 FROM memories WHERE tag = 'insight'")
        routine = run.rows("SELECT rests_on, status FROM plans WHERE level = 'day'")
        statements = {row[0] for row in run.rows("SELECT resident || '/' || step || '/' || n FROM memories WHERE step < 0")}
        assert routine  # a day has to be lived, but nothing that happened enters it, and it is never planned again
        assert all(status == "made" and set(json.loads(rests)) <= statements for rests, status in routine)
        assert not run.rows("SELECT 1 FROM retrievals WHERE purpose = 'plan'")
        assert not run.rows("SELECT 1 FROM residents WHERE name LIKE 'Ada%'")
    capsys.readouterr()
    assert town(["run", "hamlet", "--without", "sleep", "--out", str(tmp_path / "no.town")]) == 2
    assert "nobody can live without 'sleep'" in capsys.readouterr().err
