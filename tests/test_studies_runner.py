"""The study runner: a small study whole, killed and taken up, with everything that can be wrong in it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import FIRST_COMPLETED, wait
from pathlib import Path

import pytest

from cli.main import run as town
from kernel import DataFileError, RunFileError, TownfolkError, UsageError
from language.model import Request
from language.scripted import ScriptedModel
from simulation.compose import read_blueprint
from simulation.run import start
from simulation.storing.runfile import RunFile
from studies.runner import Study, StudyFolder, conduct, read_study, write_results
from studies.runner.conducting import Conducted, _Conducting, _Pool, runs_by_seed
from studies.runner.registration import Registration, register, standing, study_hash
from studies.runner.results import results

CONDUCT = """
import sys
from pathlib import Path
from studies.runner import StudyFolder, conduct, read_study
folder, runs = Path(sys.argv[1]), Path(sys.argv[2])
from studies.runner.conducting import runs_by_seed
conduct(read_study(sys.argv[3]), StudyFolder(folder), cores=0, given=runs_by_seed(runs, "hamlet"))
"""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    for seed in (0, 1):
        start(read_blueprint("hamlet", seed=seed, until="13:00", embedder="hash-64"), folder / f"hamlet-{seed}.town")
    return folder


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("study") / "small.yaml"
    path.write_text(
        'name: small\ntitle: A small one\nscenario: hamlet\nseeds: [0, 1]\nat: "12:00"\n'
        "conditions: {full: '', no_reflection_no_plan: 'reflection,plan', no_memory: 'observation,reflection,plan'}\n"
        "categories: [memory, plans]\nresidents: [Ada, Ben]\n",
        encoding="utf-8",
    )
    return path


@pytest.fixture(scope="module")
def done(runs: Path, small: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Conducted, StudyFolder]:
    folder = StudyFolder(tmp_path_factory.mktemp("done") / "study")
    found = conduct(read_study(small), folder, cores=0, given=runs_by_seed(runs, "hamlet"))
    write_results(found, folder, resamples=20)
    return found, folder


def interviews(folder: Path) -> dict[str, list[tuple[object, ...]]]:
    found = {}
    for path in sorted((folder / "runs").glob("*.town")):
        with RunFile.open(path) as run:
            found[path.name] = run.rows(
                "SELECT resident, step, without, question, item, answer FROM interviews ORDER BY 1, 2, 3, 4, 5"
            )
    return found


def test_a_study_leaves_everything_in_one_folder(done: tuple[Conducted, StudyFolder]) -> None:
    _, folder = done
    data = json.loads((folder.path / "results.json").read_text(encoding="utf-8"))
    assert data["evidence"] == "offline"
    assert set(data["conditions"]) == {"full", "no_reflection_no_plan", "no_memory"}
    assert all({"mu", "sigma", "low", "high", "n"} <= set(one) for one in data["conditions"].values())
    assert data["order"][0] == "full"
    assert data["order"][-1] == "no_memory"
    assert data["runs"]["launched"] == data["runs"]["usable"] == 2
    assert data["answers"]["answers"] == 2 * 2 * 10 * 3
    assert data["published"] is None
    assert data["ends"]["probe-seed0"]["diffusion"]["story-hour"]["of"] == 5
    text = (folder.path / "report.md").read_text(encoding="utf-8")
    assert text.startswith("Evidence: offline.")
    assert "**Exploratory.**" in text
    assert "access to the record, not believability" in text
    assert "29.89" not in text  # the paper's ratings stand beside human rankings only
    page = (folder.path / "report.html").read_text(encoding="utf-8")
    assert "<table>" in page
    made = json.loads((folder.path / "manifest.json").read_text(encoding="utf-8"))
    assert len(made["runs"]["probe-seed0"]["hash.people"]) == len(made["prompts_sha256"]) == 64
    for name in ("data/answers.csv", "data/verdicts.parquet", "data/rankings.csv", "tables/ratings.csv", "plots/ratings.png"):
        assert (folder.path / name).stat().st_size > 100
    for table in (folder.path / "tables").glob("*.csv"):
        assert "evidence" in table.read_text(encoding="utf-8").splitlines()[0]


def test_taken_up_it_asks_nothing_twice_and_says_the_same(done: tuple[Conducted, StudyFolder], small: Path) -> None:
    _, folder = done
    before = interviews(folder.path)
    again = conduct(read_study(small), folder, cores=0)
    assert interviews(folder.path) == before
    assert all(row["again"] for run in again.answers.values() for rows in run.values() for row in rows)
    figures = json.loads((folder.path / "results.json").read_text(encoding="utf-8"))
    fresh = json.loads(json.dumps(results(again, resamples=20)))
    assert {**fresh, "runs": None} == {**figures, "runs": None}


@pytest.mark.parametrize("answers", [57, pytest.param(1, marks=pytest.mark.slow)])
def test_killed_at_some_moment_it_comes_to_the_same(
    done: tuple[Conducted, StudyFolder], runs: Path, small: Path, tmp_path: Path, answers: int
) -> None:
    _, whole = done
    folder = tmp_path / "killed"
    living = subprocess.Popen([sys.executable, "-c", CONDUCT, str(folder), str(runs), str(small)])
    while living.poll() is None:
        paths = list((folder / "runs").glob("*.town")) if (folder / "runs").exists() else []
        if sum(_count(path) for path in paths) >= answers:
            os.kill(living.pid, signal.SIGKILL)
            break
        time.sleep(0.01)
    living.wait()
    kept = interviews(folder)
    found = conduct(read_study(small), StudyFolder(folder), cores=0, given=runs_by_seed(runs, "hamlet"))
    after = interviews(folder)
    assert all(set(rows) <= set(after[name]) for name, rows in kept.items())
    assert after == interviews(whole.path)  # nothing is missing, and nothing is there twice
    figures = json.loads((whole.path / "results.json").read_text(encoding="utf-8"))
    assert {**json.loads(json.dumps(results(found, resamples=20))), "runs": None} == {**figures, "runs": None}


def _count(path: Path) -> int:
    try:
        with RunFile.open(path) as run:
            return int(run.rows("SELECT COUNT(*) FROM interviews")[0][0])
    except RunFileError:
        return 0


@pytest.mark.slow
def test_processes_change_nothing(done: tuple[Conducted, StudyFolder], runs: Path, small: Path, tmp_path: Path) -> None:
    found = conduct(read_study(small), StudyFolder(tmp_path / "two"), cores=2, given=runs_by_seed(runs, "hamlet"))
    assert interviews(tmp_path / "two") == interviews(done[1].path)
    assert found.verdicts == done[0].verdicts


def _dies_once(marker: str) -> str:
    if not Path(marker).exists():
        Path(marker).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return "lived"


@pytest.mark.slow
def test_a_killed_process_costs_nothing_but_time(small: Path, tmp_path: Path) -> None:
    with _Pool(1) as pool:
        conducting = _Conducting(read_study(small), StudyFolder(tmp_path), pool, None, {}, None)
        said: list[str] = []
        for n in range(3):
            conducting._submit(("run", str(n)), said.append, _dies_once, str(tmp_path / "marker"))
        while conducting.waiting:
            for future in wait(conducting.waiting, return_when=FIRST_COMPLETED).done:
                if future in conducting.waiting:
                    conducting._take(future)
        assert said == ["lived"] * 3
        assert conducting.found.failures == []
        assert pool.renewals == 1
        pool.renewals = 3
        with pytest.raises(TownfolkError, match="again and again"):
            pool.renew()


def test_a_run_that_fails_is_counted_and_the_others_go_on(runs: Path, small: Path, tmp_path: Path) -> None:
    broken = tmp_path / "runs"
    shutil.copytree(runs, broken)
    (broken / "hamlet-1.town").write_bytes(b"no database")
    study = read_study(small).with_(categories=("memory",))
    found = conduct(
        study, StudyFolder(tmp_path / "out"), cores=0, given={0: broken / "hamlet-0.town", 1: broken / "hamlet-1.town"}
    )
    data, _ = write_results(found, StudyFolder(tmp_path / "out"), resamples=10)
    assert (data["runs"]["launched"], data["runs"]["usable"], data["runs"]["failed"]) == (2, 1, 1)
    assert "failed: " in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    assert data["answers"]["answers"] == 2 * 5 * 3


def test_empty_answers_and_missing_conditions_are_reported(done: tuple[Conducted, StudyFolder]) -> None:
    found, _ = done
    run = found.answers["probe-seed0"]["Ada Brook"]
    before = run[0]["answer"]
    run[0]["answer"] = "  "
    verdict = found.verdicts["probe-seed0"]["Ada Brook"][0]
    lost = verdict["ranks"].pop("no_memory")
    try:
        data = results(found, resamples=10)
        assert data["answers"]["empty"] == {run[0]["condition"]: 1}
        assert data["conditions"]["no_memory"]["missing"] == data["partial"] == 1
    finally:
        run[0]["answer"] = before
        verdict["ranks"]["no_memory"] = lost


@pytest.mark.slow
def test_human_answers_are_a_condition_of_their_own(runs: Path, small: Path, tmp_path: Path) -> None:
    file = tmp_path / "human.yaml"
    file.write_text(
        "kind: human answers\nsheets:\n- {resident: Ada Brook, seed: 0, step: 4320, author: tester,"
        " answers: {memory.person_invented: 'I know nobody of that name.', plans.noon: ''}}\n",
        encoding="utf-8",
    )
    study = read_study(small).with_(human=str(file))
    data = results(conduct(study, StudyFolder(tmp_path / "out"), cores=0, given=runs_by_seed(runs, "hamlet")), resamples=10)
    assert data["conditions"]["human"]["n"] == 1
    assert data["conditions"]["human"]["missing"] == 39
    assert data["evidence"] == "offline"
    file.write_text("kind: human answers\nsheets:\n- {resident: A, seed: 0, step: 1, author: x, answers: {memory.nothing: a}}\n")
    with pytest.raises(DataFileError, match=r"no question 'memory\.nothing'"):
        conduct(study, StudyFolder(tmp_path / "other"), cores=0)


def test_a_model_judges_beside_the_record(runs: Path, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import simulation.models

    def by_length(request: Request) -> dict[str, list[list[str]]]:
        lengths = {text[0]: len(text) for text in request.operation.answers}  # type: ignore[attr-defined]
        places = sorted(set(lengths.values()), reverse=True)
        return {"order": [[code for code in lengths if lengths[code] == place] for place in places]}

    monkeypatch.setattr(simulation.models, "make_model", lambda name: ScriptedModel(by_length, name=name))
    study = read_study(small).with_(judge="tall,small", passes=2)
    folder = StudyFolder(tmp_path / "out")
    data, _ = write_results(conduct(study, folder, cores=0, given=runs_by_seed(runs, "hamlet")), folder, resamples=10)
    assert (data["evidence"], data["rankings"], data["raters"]) == ("model", 2 * 2 * 10 * 2 * 2, 4)
    assert data["tests"]["agreement"]["kendalls_w"] > 0.9
    assert data["judging"]["tall"]["bad_replies"] == 0
    assert data["verdicts"]["full"]["answers"] == 40  # the record is still read, for the end-to-end measures
    text = (folder.path / "report.md").read_text(encoding="utf-8")
    assert text.startswith("Evidence: model.")
    assert "First shown best" in text


@pytest.mark.slow
def test_whole_lives_are_another_experiment(small: Path, tmp_path: Path) -> None:
    study = read_study(small).with_(days=0.4, at="09:00", seeds=(0,), lives={"no_reflection_no_plan": "reflection,plan"})
    folder = StudyFolder(tmp_path / "out")
    data, _ = write_results(conduct(study, folder, cores=0), folder, resamples=10)
    assert data["runs"]["launched"] == 2
    assert data["lives"]["unit"] == "run"
    assert set(data["lives"]["conditions"]) == {"lived full", "lived no_reflection_no_plan"}
    with RunFile.open(folder.run_path("no_reflection_no_plan", 0)) as run:
        assert not run.rows("SELECT 1 FROM memories WHERE kind = 'reflection' AND step >= 0 AND tag = 'insight'")
    assert "another experiment" in (folder.path / "report.md").read_text(encoding="utf-8")


def test_studies_that_wont_do_are_explained(tmp_path: Path, done: tuple[Conducted, StudyFolder]) -> None:
    with pytest.raises(UsageError, match=r"no study 'ablatio' \(did you mean ablation\?\)"):
        read_study("ablatio")
    for text, complaint in (
        ("name: x\ntitle: x\nscenario: hamlet\nseeds: [0, 0]\nconditions: {full: '', a: plan}\n", "a seed is given twice"),
        (
            "name: x\ntitle: x\nscenario: hamlet\nseeds: [0]\nconditions: {full: '', a: memry}\n",
            "'memry' is not a kind of memory",
        ),
        ("name: x\ntitle: x\nscenario: hamlet\nseeds: [0]\nconditions: {full: ''}\n", "at least two conditions"),
        ("name: x\ntitle: x\nscenario: hamlet\nseeds: [0]\nconditions: {full: '', a: plan}\njugde: x\n", "did you mean 'judge'"),
        ("name: x\ntitle: x\nscenario: hamlet\nseeds: []\nconditions: {full: '', a: plan}\n", "seeds"),
    ):
        path = tmp_path / "bad.yaml"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(DataFileError, match=complaint):
            read_study(path)
    with pytest.raises(RunFileError, match="other settings"):
        done[1].open(read_study("ablation"))
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "something").write_text("mine")
    with pytest.raises(RunFileError, match="holds something else"):
        StudyFolder(tmp_path / "full").open(read_study("ablation"))
    with pytest.raises(RunFileError, match="no finished run"):
        runs_by_seed(tmp_path, "hamlet")


def test_only_an_unchanged_plan_of_the_same_study_registers_it(done: tuple[Conducted, StudyFolder], tmp_path: Path) -> None:
    found, _ = done
    plan = Registration(
        hypothesis="full ranks above no_memory", unit="resident", seeds=2, residents=5, raters=1, stopping="after two seeds",
        exclusions="none", study=study_hash(found.study),
    )  # fmt: skip
    path = tmp_path / "plan.json"
    written = register(path, plan)

    def stands(study: Study) -> dict[str, object]:
        return standing(Conducted(study, lived=found.lived))

    registered = found.study.model_copy(update={"registered": str(path)})
    assert stands(registered) == {"registered": written, "why": "kept"}
    assert stands(found.study)["why"] == "none"
    assert stands(registered.model_copy(update={"at": "13:00"}))["why"] == "other"
    path.write_text(path.read_text(encoding="utf-8").replace("two seeds", "a few"), encoding="utf-8")
    assert stands(registered)["why"] == "changed"
    path.write_text("{}", encoding="utf-8")
    assert stands(registered)["why"] == "unreadable"
    with pytest.raises(UsageError, match="exists already"):
        register(path, plan)


def test_the_command(runs: Path, small: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert town(["study", "ablation", "--study", str(small), "--runs", str(runs), "--out", str(out), "--cores", "1"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("Evidence: offline.")
    assert "95 % interval" in said
    assert "not believability" in said
    assert town(["study", "ablation", "--study", "nothing"]) == 2
    assert town(["study", "ablation", "--study", str(small), "--out", str(out), "--at", "25:99"]) == 2
    assert "is not a time of day" in capsys.readouterr().err
    for arguments, complaint in (
        (["--scenario", "nowhere"], "nowhere"),
        (["--judge", "nonsense:x"], "nonsense"),
        (["--plan", "none.json"], "no plan"),
        (["--days", "-1"], "days: should be greater than 0"),
        (["--human", "none.yaml"], "no such file"),
    ):
        assert town(["study", "ablation", "--study", str(small), "--out", str(tmp_path / "never"), *arguments]) == 2
        assert complaint in capsys.readouterr().err
    assert not (tmp_path / "never").exists()
    for path in (out / "runs").glob("*.town"):  # every run lost
        path.write_bytes(b"no database")
    assert town(["study", "ablation", "--study", str(small), "--runs", str(runs), "--out", str(out), "--cores", "1"]) == 2
    assert "no run of the study came to its end" in capsys.readouterr().err
