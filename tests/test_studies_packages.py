"""Evidence packages: every byte counts, an independent judge, incomplete is invalid and never missed."""

import ast
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.main import run
from kernel import Dice, UsageError
from studies.catchment import CONDITIONS, Episode, Responsive, Rules, State, Telling, live, live_all
from studies.catchment import episode as living
from studies.catchment import records as remembering
from studies.catchment.world import step
from studies.packages.episode import episode_files
from studies.packages.judging import judge
from studies.packages.sealing import RECEIPT, broken, content, differences, mark, seal
from studies.packages.verifying import verify

ROOT = Path(__file__).resolve().parent.parent
Files = dict[str, Any]


def files_of(episode: Episode) -> Files:
    """The files of a package as plain values that may be edited."""
    files = episode_files(episode, evidence="offline", lineage={"study": "test"})
    loaded: Files = json.loads(json.dumps(files))
    return loaded


def judged(files: Files) -> tuple[str, set[str]]:
    """Verdict and the files that problems name, of a package sealed over these files."""
    found = judge({name: content(name, value) for name, value in files.items()})
    return found.verdict, {one.file for one in found.problems}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evidence") / "responsive-priority"
    seal(folder, files_of(live("responsive-priority", Responsive(), "priority")))
    return folder


def test_every_condition_verifies_to_its_recorded_result() -> None:
    assert [judged(files_of(one)) for one in live_all().values()] == [
        (verdict, set()) for verdict in ("met", "missed", "missed", "missed", "met", "missed", "missed")
    ]


def test_a_flipped_byte_anywhere_is_found_and_its_file_named(package: Path) -> None:
    files = sorted(path for path in package.iterdir())
    whole = {path: path.read_bytes() for path in files}
    places = [(path, at) for path in files for at in range(len(whole[path]))]
    marks = {path.name: mark(path) for path in files if path.name != RECEIPT}
    receipt, dice = whole[package / RECEIPT], Dice(8, "auditor", 0, "flips")
    picked = {dice.below(len(places)) for _ in range(2600)}
    assert len(picked) >= 2000
    touched = set()
    for number, place in enumerate(sorted(picked)):
        path, at = places[place]
        raw = bytearray(whole[path])
        raw[at] ^= 1 + dice.below(255)
        changed = {**marks, path.name: (len(raw), hashlib.sha256(raw).hexdigest())}
        problems = differences(bytes(raw), marks) if path.name == RECEIPT else differences(receipt, changed)
        assert [one.file for one in problems] == [path.name], (path.name, at)
        if number % 40 == 0:  # on the disk, too
            path.write_bytes(bytes(raw))
            assert [one.file for one in broken(package)] == [path.name]
            path.write_bytes(whole[path])
        touched.add(path.name)
    assert touched == {path.name for path in files}
    assert broken(package) == []


def test_files_missing_added_or_cut_are_named(package: Path, tmp_path: Path) -> None:
    for name in ("journal.jsonl", "final.json"):
        whole = (package / name).read_bytes()
        (package / name).write_bytes(whole[:-1])
        assert [one.file for one in broken(package)] == [name]
        (package / name).unlink()
        assert [(one.file, one.what) for one in broken(package)] == [(name, "missing")]
        (package / name).write_bytes(whole)
    (package / "note.txt").write_text("hello")
    assert [(one.file, one.what) for one in broken(package)] == [("note.txt", "unlisted")]
    (package / "note.txt").unlink()
    with pytest.raises(UsageError, match="no evidence package"):
        verify(tmp_path)
    with pytest.raises(UsageError, match="something already"):
        seal(package, {})


@pytest.mark.parametrize("raw", [b"", b"[]", b"{", b"{}", b"null", b'{"digest":1,"files":[],"format":"x"}', b"[" * 9000, b"\xff"])
def test_a_receipt_of_any_shape_is_explained(raw: bytes, tmp_path: Path) -> None:
    (tmp_path / RECEIPT).write_bytes(raw)
    assert [one.file for one in verify(tmp_path).judgement.problems] == [RECEIPT]


def test_a_published_digest_tells_a_package_sealed_anew(package: Path) -> None:
    own = verify(package).digest
    assert verify(package, own).valid
    other = verify(package, "0" * 64)
    assert not other.valid
    assert [one.file for one in other.judgement.problems] == [RECEIPT]


# ---------------------------------------------------------------- the judge shares nothing and finds what doesn't fit


def test_the_judge_shares_no_code_with_policy_selector_or_world() -> None:
    seen: set[str] = set()
    todo = ["studies/packages/judging.py"]
    while todo:
        path = todo.pop()
        for node in ast.walk(ast.parse((ROOT / path).read_text())):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                file = f"{name.replace('.', '/')}.py"
                if name not in seen and (ROOT / file).is_file():
                    todo.append(file)
                seen.add(name)
    assert not [name for name in seen if "catchment" in name or name.startswith(("memory", "language", "agents", "town"))]


def _row(file: str, row: int, **changes: Any) -> Callable[[Files], None]:
    def edit(files: Files) -> None:
        for key, value in changes.items():
            *path, last = key.split("__")
            target = files[file][row] if file.endswith(".jsonl") else files[file]
            for part in path:
                target = target[part]
            target[last] = value

    return edit


def _dropped(file: str, row: int) -> Callable[[Files], None]:
    def edit(files: Files) -> None:
        del files[file][row]

    return edit


def _added(file: str, row: int) -> Callable[[Files], None]:
    def edit(files: Files) -> None:
        files[file].insert(row, dict(files[file][row]))

    return edit


@pytest.mark.parametrize(
    ("file", "edit"),
    [
        ("manifest.json", _row("manifest.json", 0, world__rules__target=4)),
        ("manifest.json", _row("manifest.json", 0, world__rules__upkeep=1)),
        ("manifest.json", _row("manifest.json", 0, selector__max_bytes=9000)),
        ("manifest.json", _row("manifest.json", 0, selector__max_records=3)),
        ("selections.jsonl", _row("manifest.json", 0, selector__name="recency")),
        ("manifest.json", _row("manifest.json", 0, policy__name="")),
        ("archive.jsonl", _row("manifest.json", 0, episode="another")),
        ("journal.jsonl", _row("journal.jsonl", 15, after__reserve=6)),
        ("journal.jsonl", _row("journal.jsonl", 7, before__store=5)),
        ("journal.jsonl", _row("journal.jsonl", 5, after__obstructed=True)),
        ("journal.jsonl", _row("journal.jsonl", 3, after__looked=False)),
        ("journal.jsonl", _row("journal.jsonl", 5, action="rest")),
        ("observations.jsonl", _row("observations.jsonl", 3, seen__reading=0)),
        ("observations.jsonl", _row("observations.jsonl", 4, seen__reserve=3)),
        ("observations.jsonl", _row("observations.jsonl", 3, seen__reading=True)),
        ("journal.jsonl", _row("journal.jsonl", 3, after__reserve=2.0)),
        ("extra.json", lambda files: files.update({"extra.json": {}})),
        ("archive.jsonl", _row("archive.jsonl", 1, after__reserve=5)),
        ("archive.jsonl", _row("archive.jsonl", 2, episode="borrowed")),
        ("selections.jsonl", _row("selections.jsonl", 5, shown=[3, 4])),
        ("selections.jsonl", _row("selections.jsonl", 5, ranked=[4, 3, 2, 1, 0])),
        ("selections.jsonl", _row("selections.jsonl", 5, bytes=1)),
        ("selections.jsonl", _row("selections.jsonl", 5, omitted=[])),
        ("selections.jsonl", _row("selections.jsonl", 9, selector="recency")),
        ("requests.jsonl", _row("requests.jsonl", 5, memory=[])),
        ("requests.jsonl", _row("requests.jsonl", 5, memory_bytes=320)),
        ("requests.jsonl", _row("requests.jsonl", 5, left=10)),
        ("requests.jsonl", _row("requests.jsonl", 5, target=4)),
        ("requests.jsonl", _row("requests.jsonl", 5, seen__effort=2)),
        ("attempts.jsonl", _row("attempts.jsonl", 5, action="rest")),
        ("attempts.jsonl", _row("attempts.jsonl", 5, reply="rest")),
        ("attempts.jsonl", _row("attempts.jsonl", 5, attempt=1)),
        ("attempts.jsonl", _row("attempts.jsonl", 5, reason="why not")),
        ("actions.jsonl", _row("actions.jsonl", 5, action="rest")),
        ("final.json", _row("final.json", 0, final_reserve=6)),
        ("final.json", _row("final.json", 0, obligation="missed")),
        ("final.json", _row("final.json", 0, decisions=15)),
        ("final.json", _row("final.json", 0, complete=False)),
        *(
            (f"{name}.jsonl", _dropped(f"{name}.jsonl", 6))
            for name in ("journal", "requests", "selections", "archive", "actions")
        ),
        *((f"{name}.jsonl", _added(f"{name}.jsonl", 6)) for name in ("observations", "attempts", "archive", "actions")),
    ],
)
def test_an_edit_sealed_anew_is_found_in_its_file(file: str, edit: Callable[[Files], None]) -> None:
    files = files_of(live("e", Responsive(), "priority"))
    edit(files)
    verdict, named = judged(files)
    assert verdict == "invalid"
    assert file in named


WRONG_WORLDS: dict[str, Callable[[Rules, State, int, Any], State]] = {
    "rain falls through the obstruction": lambda rules, state, n, action: step(
        rules, State(state.reserve, state.effort, state.store + (3 if n == 6 else 0), state.obstructed, state.looked), n, action
    ),
    "rain comes a decision later": lambda rules, state, n, action: step(Rules(rain_after=(7, 10, 13)), state, n, action),
    "upkeep is one": lambda rules, state, n, action: step(Rules(upkeep=1), state, n, action),
    "collecting moves four": lambda rules, state, n, action: step(Rules(collect_most=4), state, n, action),
    "clearing is free": lambda rules, state, n, action: step(Rules(clear_cost=0), state, n, action),
    "effort has no cap": lambda rules, state, n, action: step(Rules(effort_cap=9), state, n, action),
}


@pytest.mark.parametrize("wrong", sorted(WRONG_WORLDS))
def test_a_world_that_breaks_its_rules_is_found(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(living, "step", WRONG_WORLDS[wrong])
    verdict, named = judged(files_of(live("e", Responsive(), "priority")))
    assert verdict == "invalid"
    assert "journal.jsonl" in named


def test_a_selector_that_breaks_its_rule_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(remembering._RANKS, "priority", lambda one: -one.decision)
    assert judged(files_of(live("e", Responsive(), "priority"))) == ("invalid", {"selections.jsonl"})


def test_a_wrong_policy_is_valid_evidence_of_what_it_did() -> None:
    """The judge asks what belongs together; that the rule is wrong is for the literal expectations to find."""
    assert judged(files_of(live("e", Responsive(window=3), "priority"))) == ("missed", set())


@pytest.mark.parametrize("made", [0, 1, 7, 15])
def test_an_incomplete_episode_is_invalid_never_missed(made: int) -> None:
    telling = Telling("broken", *CONDITIONS["responsive-recency"])
    for _ in range(made):
        action = telling.policy.decide(telling.situation())
        telling.attempts.append(living.Attempt(len(telling.rows), 0, action, action))
        telling.act(action)
    files = files_of(telling.end("the provider went away"))
    assert files["final.json"]["obligation"] == "invalid"
    assert judged(files) == ("invalid", {"final.json"})
    files["final.json"].update(complete=True, failure="", obligation="missed")
    assert judged(files)[0] == "invalid"


@pytest.mark.parametrize("value", [None, 3, "x", [], {}, [[]], [None], [{"decision": "a"}]])
@pytest.mark.parametrize("name", ["manifest.json", "final.json", "journal.jsonl", "selections.jsonl", "attempts.jsonl"])
def test_files_of_any_shape_are_invalid_not_a_crash(name: str, value: object) -> None:
    files = files_of(live("e", Responsive(), "priority"))
    files[name] = value
    assert judged(files)[0] == "invalid"


# ---------------------------------------------------------------- the command


def test_the_command_tells_valid_from_invalid(package: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["verify", str(package)]) == 0
    assert "met: final reserve 5" in capsys.readouterr().out
    assert run(["verify", str(package), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["valid"], found["verdict"], found["problems"]) == (True, "met", [])
    whole = (package / "journal.jsonl").read_bytes()
    (package / "journal.jsonl").write_bytes(whole.replace(b"rest", b"lest", 1))
    assert run(["verify", str(package)]) == 1
    assert "journal.jsonl: was changed" in capsys.readouterr().out
    (package / "journal.jsonl").write_bytes(whole)
    assert run(["verify", str(tmp_path / "nowhere")]) == 2
    assert "no evidence package" in capsys.readouterr().err
