"""The catchment with a language model: complete episodes as units, failures with their lineage, denominators, resuming."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from cli.main import run
from kernel import BudgetReached, ModelError, UsageError
from language import ModelReply, OpenAICompatible, Request, ScriptedModel, nonsense, render
from studies.catchment import SCHEDULES, Experience, Seen, Situation
from studies.catchment.choosing import Choose, question_of
from studies.catchment.trial import Plan, Trial, run_trial, tabled, trial_data, trial_notes, trial_rows
from studies.intervals import wilson
from studies.packages.verifying import verify


def answer(request: Request) -> dict[str, str]:
    """A model that reads its memory as the responsive rule does, from the words alone."""
    asked = request.operation
    assert isinstance(asked, Choose)
    decision = int(asked.decision)
    if decision == 5:
        effort = int(asked.seen.partition("effort ")[2].partition(",")[0])
        stalled = any("did collect" in line and _reserve(line, "had ") >= _reserve(line, "then had ") for line in asked.memory)
        return {"action": "clear" if stalled and effort >= 3 else "rest", "why": "so"}
    return {"action": SCHEDULES["no-clear"][decision], "why": "so"}


def _reserve(line: str, before: str) -> int:
    return int(line.partition(before)[2].partition("reserve ")[2].partition(",")[0])


def trial(folder: Path, script: Any, **plan: Any) -> tuple[Trial, ScriptedModel]:
    model = ScriptedModel(script)
    return run_trial(Plan("scripted", **{"episodes": 2, **plan}), model, folder), model


def test_memory_in_words_makes_the_same_difference(tmp_path: Path) -> None:
    found, model = trial(tmp_path, answer)
    rows = tabled(found)
    assert {name: (row["met"], row["missed"], row["invalid"]) for name, row in rows.items()} == {
        "recency": (0, 2, 0),
        "priority": (2, 0, 0),
    }
    assert rows["priority"]["interval"] == wilson(2, 2) == [0.3424, 1.0]
    assert rows["recency"]["rate"] == 0.0
    assert model.closed
    assert len(model.requests) == 2 * 2 * 16
    for one in found.launched:
        assert verify(tmp_path / "packages" / one.name).valid
    attempts = [
        json.loads(line) for line in (tmp_path / "packages" / found.launched[0].name / "attempts.jsonl").read_text().splitlines()
    ]
    assert all(json.loads(row["reply"])["action"] == row["action"] for row in attempts)
    assert all("decision" in row["question"] for row in attempts)


def test_what_is_asked_holds_the_clock_the_sight_and_the_memory_only() -> None:
    lived = Experience("e", 3, Seen(4, 2), "inspect", Seen(2, 2, 1))
    question = question_of(Situation(4, Seen(2, 2, 1), (lived,)), 5)
    prompt = render(question).text
    assert "This is decision 4; 12 are left" in prompt
    assert "reserve 2, effort 2, inlet reading 1" in prompt
    assert "decision 3: had reserve 4, effort 2; did inspect; then had reserve 2, effort 2, inlet reading 1" in prompt
    assert "must be 5 or more" in prompt
    assert "store 2" not in prompt
    assert "$" not in prompt


def test_an_unusable_answer_is_asked_again_and_kept(tmp_path: Path) -> None:
    def stumbling(request: Request) -> Any:
        return "I would rather not." if request.attempt == 0 and int(request.operation.decision) == 7 else answer(request)  # type: ignore[attr-defined]

    found, model = trial(tmp_path, stumbling, episodes=1)
    assert [one.verdict for one in found.launched] == ["missed", "met"]
    rows = [
        json.loads(line) for line in (tmp_path / "packages" / "model-priority-000" / "attempts.jsonl").read_text().splitlines()
    ]
    at = [row for row in rows if row["decision"] == 7]
    assert [(row["attempt"], row["action"], bool(row["reason"])) for row in at] == [(0, None, True), (1, "rest", False)]
    assert at[0]["reply"] == "I would rather not."
    again = [request for request in model.requests if request.attempt == 1]
    assert all(request.complaint for request in again)


def test_a_failed_episode_is_invalid_kept_and_tried_again_by_name(tmp_path: Path) -> None:
    def once(request: Request) -> Any:
        if request.key.resident == "model-recency-000" and request.key.step == 9:
            return ModelError("the server is resting")
        return answer(request)

    found, _ = trial(tmp_path, once, episodes=1)
    assert [(one.name, one.verdict) for one in found.launched] == [
        ("model-recency-000", "invalid"),
        ("model-recency-000-retry1", "missed"),
        ("model-priority-000", "met"),
    ]
    failed = tmp_path / "packages" / "model-recency-000"
    assert json.loads((failed / "final.json").read_text()) == {
        "complete": False, "decisions": 9, "failure": "ModelError: the server is resting", "final_reserve": 0,
        "obligation": "invalid",
    }  # fmt: skip
    assert [one.file for one in verify(failed).judgement.problems] == ["final.json"]
    manifest = json.loads((tmp_path / "packages" / "model-recency-000-retry1" / "manifest.json").read_text())
    assert manifest["lineage"] == {"attempt": 1, "place": 0, "retries": "model-recency-000", "study": "obligation-model"}
    row = tabled(found)["recency"]
    assert (row["planned"], row["launched"], row["complete"], row["invalid"], row["retried"]) == (1, 2, 1, 1, 1)


def test_garbage_never_crashes_never_counts_and_stops_the_study(tmp_path: Path) -> None:
    found = run_trial(Plan("nonsense", episodes=5), nonsense(3), tmp_path)
    assert found.stopped == "patience"
    assert {one.verdict for one in found.launched} == {"invalid"}
    rows = tabled(found)
    assert sum(row["launched"] for row in rows.values()) == 3
    assert all(row["missed"] == row["met"] == 0 and row["rate"] is None and row["places_empty"] == 5 for row in rows.values())
    assert "Stopped: 3 failures" in "\n".join(trial_notes(found))
    assert [row[0] for row in trial_rows(found)] == ["recency", "priority"]


def test_a_budget_stops_between_and_the_rest_is_never_launched(tmp_path: Path) -> None:
    asked = iter(range(10_000))

    def spending(request: Request) -> Any:
        return BudgetReached("enough") if next(asked) >= 40 else answer(request)

    found, _ = trial(tmp_path, spending, episodes=3)
    assert found.stopped == "budget"
    assert [one.verdict for one in found.launched] == ["missed", "met"]
    assert tabled(found)["priority"]["places_empty"] == 2


def test_it_goes_on_where_it_stopped_and_asks_nothing_twice(tmp_path: Path) -> None:
    asked = iter(range(10_000))

    def dying(request: Request) -> Any:
        return KeyboardInterrupt() if next(asked) >= 50 else answer(request)

    with pytest.raises(KeyboardInterrupt):
        trial(tmp_path / "a", dying)
    first, model = trial(tmp_path / "a", answer)
    whole, _ = trial(tmp_path / "b", answer)
    assert trial_data(first) == trial_data(whole)
    assert len(model.requests) == 4 * 16 - 3 * 16
    for file in (tmp_path / "b").rglob("*"):
        if file.is_file():
            assert file.read_bytes() == (tmp_path / "a" / file.relative_to(tmp_path / "b")).read_bytes()


def test_another_plan_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    trial(tmp_path, answer, episodes=1)
    with pytest.raises(UsageError, match="another trial"):
        trial(tmp_path, answer, episodes=2)


# -- a server on this machine ------------------------------------------------------------------------------------------


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        words = asked["messages"][-1]["content"]
        text = self.server.say(words)  # type: ignore[attr-defined]
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        usage = {"prompt_tokens": 300, "completion_tokens": 10, "total_tokens": 310}
        body = json.dumps(
            {"id": "1", "object": "chat.completion", "created": 1, "model": "tiny", "choices": [choice], "usage": usage}
        ).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def served() -> Iterator[Callable[[Callable[[str], str]], str]]:
    """say -> the address of a server that answers so."""
    servers = []

    def serve(say: Callable[[str], str]) -> str:
        made = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
        made.daemon_threads, made.block_on_close, made.say = True, False, say  # type: ignore[attr-defined]
        threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        servers.append(made)
        return f"http://127.0.0.1:{made.server_port}/v1/"

    yield serve
    for made in servers:
        made.shutdown()
        made.server_close()


def resting(words: str) -> str:
    decision = int(words.partition("This is decision ")[2].partition(";")[0])
    return "Sure. " + json.dumps({"action": "collect" if decision > 11 else "rest", "why": "to be safe"})


def test_a_served_model_lives_whole_episodes(tmp_path: Path, served: Callable[[Callable[[str], str]], str]) -> None:
    model = OpenAICompatible("tiny", base_url=served(resting), api_key="sk-none")
    found = run_trial(Plan("openai:tiny", episodes=1), model, tmp_path)
    assert [one.verdict for one in found.launched] == ["missed", "missed"]
    assert tabled(found)["recency"]["tokens_in"] == 16 * 300
    assert trial_data(found)["evidence"] == "model"


def test_the_command_with_a_served_model(
    tmp_path: Path,
    served: Callable[[Callable[[str], str]], str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", served(resting))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    words = ["study", "obligation", "--model", "openai:tiny", "--episodes", "1", "--out", str(tmp_path)]
    assert run(words) == 0
    told = capsys.readouterr().out
    assert "Evidence: model" in told
    assert "0.00 [0.00, 0.79]" in told
    assert run([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["selectors"]["priority"]["missed"] == 1


def test_the_offline_model_is_refused_with_a_way_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["study", "obligation", "--model", "offline", "--out", str(tmp_path)]) == 2
    assert "leave --model out" in capsys.readouterr().err


def test_a_typed_answer_to_another_question_is_an_attempt_not_an_action(tmp_path: Path) -> None:
    from language import Ratings

    found, _ = trial(tmp_path, lambda request: ModelReply(value=Ratings(importance=[1])), episodes=1)
    assert {one.verdict for one in found.launched} == {"invalid"}
