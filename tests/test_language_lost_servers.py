"""Servers that are not there, never answer, or die in a run: one sentence, nothing lost, the same life afterwards."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

import language.openai_compatible as adapter
from benchmarks.loopback_server import LoopbackServer
from cli.main import run as command
from simulation.replaying import verify
from simulation.storing.runfile import RunFile

MODEL_USED_IN_VAIN = 3
"""Exit code (docs/cli.md)."""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(adapter, "_REFUSED_SECONDS", 0.1)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.chdir(tmp_path)


def served_at(monkeypatch: pytest.MonkeyPatch, port: int, timeout: float = 5.0) -> str:
    """Lets the usual server be the one at a port of this machine; -> its address."""
    url = f"http://127.0.0.1:{port}/v1"
    Path("models.yaml").write_text(f"servers: {{default: {{base_url: '{url}', timeout: {timeout}}}}}\n", encoding="utf-8")
    monkeypatch.setenv("TOWNFOLK_MODELS", "models.yaml")
    return url


def live(*more: str) -> int:
    return command(["run", "hamlet", "--seed", "1", "--model", "openai:m", "--embedder", "hash-64", "--out", "a.town", *more])


def told(capfd: pytest.CaptureFixture[str], url: str) -> str:
    """What was said to standard error: one sentence with the address and how to go on, no traceback."""
    said = capfd.readouterr().err.strip()
    assert said.count("\n") == 0, said
    assert said.startswith(f"{url}: ")
    assert said.endswith("go on with: town resume a.town")
    return said


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def test_a_dead_port(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    url = served_at(monkeypatch, free_port())
    assert live("--until", "06:30") == MODEL_USED_IN_VAIN
    assert "no connection" in told(capfd, url)
    assert command(["resume", "a.town"]) == MODEL_USED_IN_VAIN, "it is kept, and still nobody answers"
    assert "no connection" in told(capfd, url)


def test_a_port_that_takes_connections_and_never_answers(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen(64)
        url = served_at(monkeypatch, silent.getsockname()[1], timeout=0.3)
        assert live("--until", "06:30") == MODEL_USED_IN_VAIN
        assert "no answer within 0.3 seconds" in told(capfd, url)


def test_a_server_that_dies_and_comes_back(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    """Whatever was answered stays answered: the life is that of a run whose server stayed, call for call."""
    until = "07:00"
    with LoopbackServer() as server:
        served_at(monkeypatch, server.port)
        assert live("--until", until, "--json") == 0
        whole = json.loads(capfd.readouterr().out)
        asked = server.counts["good"]
    Path("a.town").rename("whole.town")
    with LoopbackServer(dies_after=asked // 2) as server:
        url = served_at(monkeypatch, server.port)
        assert live("--until", until) == MODEL_USED_IN_VAIN
        told(capfd, url)
    with RunFile.open(Path("a.town")) as run:
        kept = run.rows("SELECT COUNT(*) FROM calls WHERE fallback IS NULL")[0][0]
        assert 0 < run.committed < whole["steps"]
    with LoopbackServer(port=server.port) as again:
        assert command(["resume", "a.town", "--json"]) == 0
        resumed = json.loads(capfd.readouterr().out)
        assert again.counts["good"] == asked - kept, "nothing is asked twice"
    assert (resumed["digest"], resumed["steps"]) == (whole["digest"], whole["steps"])
    assert verify(Path("a.town")).same
