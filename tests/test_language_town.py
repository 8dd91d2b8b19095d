"""A town on a real server: it lives through a bad one, is recorded and replayed, stops at its budget and goes on."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from benchmarks.loopback_server import LoopbackServer, troubles
from cli.main import run as command
from kernel import EndpointUnreachable, RunFileError, UsageError
from language import OpenAICompatible
from language.embedding_served import ServedEmbedder
from language.servers import Server
from simulation.compose import read_blueprint
from simulation.measures.report import report_data
from simulation.models import Means, make_models, parse_budget
from simulation.run import resume, start
from simulation.storing.runfile import RunFile

UNTIL = "06:50"


def live(path: Path, server: LoopbackServer, means: Means | None = None, until: str = UNTIL, **given: Any) -> Any:
    provider = OpenAICompatible("m", server=Server(base_url=server.base_url, timeout=1.0, **given), first_wait=0.0)
    blueprint = read_blueprint("hamlet", seed=1, until=until, model="openai:m", embedder="hash-64")
    return start(blueprint, path, models={"openai:m": provider}, means=means)


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Any]:
    folder = tmp_path_factory.mktemp("good")
    with LoopbackServer() as server:
        result = live(folder / "good.town", server, Means(record=folder / "calls.jsonl"))
    assert (result.interrupted, result.fallbacks) == (False, 0)
    assert result.calls > 20
    return folder / "good.town", folder / "calls.jsonl", result


def test_a_server_that_does_everything_wrong_loses_nothing(tmp_path: Path, good: tuple[Path, Path, Any]) -> None:
    path = tmp_path / "bad.town"
    with LoopbackServer(trouble=troubles(seed=2, share=0.1)) as server:
        result = live(path, server)
        counts = server.counts
    assert not result.interrupted, result.notice
    if not result.fallbacks:
        assert result.digest == good[2].digest, "what went wrong on the way changes nothing in the town"
    with RunFile.open(path) as run:
        told: Counter[str] = Counter()
        for row in run.rows("SELECT troubles FROM calls"):
            told.update(json.loads(row[0]))
        sent = run.rows("SELECT SUM(sent) FROM calls")[0][0]
        data = report_data(run)["calls"]
    assert sent == sum(counts.values()), "every request is on file"
    assert told["429"] == counts["429"]
    assert told["500"] == counts["500"]
    assert told["garbage"] == counts["garbage"]
    assert told["cut off"] == counts["half"] + counts["nothing"]
    assert told["timeout"] == counts["hang"]
    summed: Counter[str] = Counter()
    for row in data.values():
        summed.update(row["troubles"])
    assert summed == told, "the report counts each"


def test_a_recording_gives_the_same_life_again(tmp_path: Path, good: tuple[Path, Path, Any]) -> None:
    path, record, result = good
    for source in (record, path):  # a recording, and a run file itself
        again = tmp_path / f"{source.suffix}.town"
        assert again != path
        blueprint = read_blueprint("hamlet", seed=1, until=UNTIL, model=f"replay:{source}", embedder="hash-64")
        replayed = start(blueprint, again)
        assert (replayed.digest, replayed.interrupted) == (result.digest, False)


def test_a_missing_reply_stops_the_replay_and_names_the_operation(tmp_path: Path, good: tuple[Path, Path, Any]) -> None:
    lines = good[1].read_text().splitlines()
    cut = tmp_path / "cut.jsonl"
    cut.write_text("\n".join(line for line in lines if json.loads(line)["key"][2] != "decompose") + "\n")
    blueprint = read_blueprint("hamlet", seed=1, until=UNTIL, model=f"replay:{cut}", embedder="hash-64")
    stopped = start(blueprint, tmp_path / "cut.town")
    assert stopped.interrupted
    assert "no reply is recorded for the operation 'decompose' of" in stopped.notice


def test_a_budget_stops_saves_and_goes_on(
    tmp_path: Path, good: tuple[Path, Path, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "run.town"
    with LoopbackServer() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        args = ["--until", UNTIL, "--model", "openai:m", "--json", "--embedder", "hash-64"]
        assert command(["run", "hamlet", "--seed", "1", "--out", str(path), "--budget", "12-calls", *args]) == 4
        told = capsys.readouterr()
        assert "the budget is used up: 12 of 12 calls spent" in told.err
        assert "town resume" in told.err
        assert len(server.asked) == 12
        assert command(["resume", str(path), "--budget", "12-calls", "--json"]) == 4, "what was spent is carried over"
        assert len(server.asked) == 12
        capsys.readouterr()
        assert command(["resume", str(path), "--budget", "1M-tokens", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["digest"] == good[2].digest
        assert len(server.asked) == good[2].calls, "nothing was asked twice"
        assert command(["run", "hamlet", "--out", str(tmp_path / "x.town"), "--budget", "5usd", *args]) == 2
        assert "nobody knows what 'm' costs there" in capsys.readouterr().err
    with RunFile.open(path) as run:
        assert json.loads(run.get("spent"))["calls"] == good[2].calls


def test_only_some_operations_go_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run.town"
    with LoopbackServer() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        args = ["run", "hamlet", "--until", UNTIL, "--out", str(path), "--embedder", "hash-64", "--quiet"]
        assert command([*args, "--model", "offline", "--model-for", "self,say=openai:m"]) == 0
        assert {body["response_format"]["json_schema"]["name"] for body in server.asked} <= {"self", "say"}
    with RunFile.open(path) as run:
        assert set(run.rows("SELECT DISTINCT operation FROM calls WHERE model = 'openai:m'")) <= {("self",), ("say",)}
        assert run.rows("SELECT COUNT(*) FROM calls WHERE model = 'offline'")[0][0] > 0


def embed(text: str) -> list[float]:
    vector = [0.0] * 32
    for word in text.casefold().split():
        vector[sum(map(ord, word)) % 32] += 1.0 + len(word) / 7
    return vector


def test_embeddings_of_a_server_and_the_way_from_one_embedder_to_another(
    tmp_path: Path, good: tuple[Path, Path, Any], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "run.town"
    args = ["--until", "06:20", "--out", str(path), "--json"]
    with LoopbackServer(embed=embed) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        assert command(["run", "hamlet", "--embedder", "openai:small", *args]) == 0
        with RunFile.open(path) as run:
            assert run.get("embedder") == "openai:small/32"
            lengths = run.rows("SELECT DISTINCT LENGTH(embedding) FROM memories")
            assert lengths == [(32,)]
        capsys.readouterr()
        assert command(["resume", str(path), "--embedder", "wordllama-256"]) == 2
        told = capsys.readouterr().err
        assert "embedded with 'openai:small/32', not with 'wordllama-256'" in told
        assert f"town reembed {path} --embedder wordllama-256" in told
        assert command(["resume", str(path), "--embedder", "openai:small", "--until", "06:30", "--quiet"]) == 0
    assert command(["reembed", str(path), "--embedder", "hash-64", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["after"] == "hash-64"
    assert command(["resume", str(path), "--embedder", "hash-64", "--until", "06:40", "--quiet"]) == 0


def test_a_server_without_embeddings_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with LoopbackServer() as server, pytest.raises(EndpointUnreachable, match=server.base_url):
        ServedEmbedder("m", server=Server(base_url=server.base_url, retries=0)).embed(["a word"])


def test_wishes_that_cannot_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["run", "hamlet", "--context", "100"]) == 2
    assert "too small to think in" in capsys.readouterr().err
    assert command(["run", "hamlet", "--record", str(tmp_path / "no" / "calls.jsonl")]) == 2
    assert "no such folder" in capsys.readouterr().err
    with pytest.raises(UsageError):
        parse_budget("much")
    assert make_models.__doc__
    assert resume.__doc__
    with pytest.raises(RunFileError):
        resume(tmp_path / "none.town")


def test_an_estimate_before_the_bill(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    assert command(["estimate", "hamlet", "--model", "openai:gpt-4o-mini", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["calls"] > 300
    assert found["tokens"] > 300 * 400
    assert 0 < found["usd"] < 5
    assert found["hours"] > 0
    assert sum(row["calls"] for row in found["operations"].values()) == pytest.approx(found["calls"], abs=1)
    assert command(["estimate", "hamlet", "--model", "offline", "--model-for", "say=openai:no-such", "--days", "2"]) == 0
    told = capsys.readouterr().out
    assert "price unknown" in told
    assert "Nobody knows what openai:no-such costs" in told
    with LoopbackServer() as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        assert command(["estimate", "hamlet", "--model", "openai:m", "--probe", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["probed"] is True
        assert len(server.asked) == 3
    assert command(["estimate", "hamlet"]) == 0
    assert "costs nothing" in capsys.readouterr().out
