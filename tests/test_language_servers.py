"""Servers and keys: where they are told, and that no key comes out again, whatever goes wrong."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from pathlib import Path

import pytest
from language_fields import operation

from benchmarks.loopback_server import LoopbackServer, troubles
from cli.main import run as command
from kernel import DataFileError, EndpointUnreachable, TownfolkError, UsageError
from language import Gateway, MemoryLedger, OpenAICompatible, RateImportance
from language.prices import cost, find_rates
from language.servers import Rates, Server, find_server, shown

KEY = "sk-quite-secret-9876543210"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "models.yaml"
    monkeypatch.setenv("TOWNFOLK_MODELS", str(path))
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    return path


def test_servers_by_name_and_the_usual_one(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text(
        "servers:\n  default: {base_url: 'http://127.0.0.1:1/v1', timeout: 9}\n"
        f"  cloud: {{base_url: 'https://u:{KEY}@api.example/v1?k={KEY}', api_key: {KEY}, price: {{input: 1, output: 2}}}}\n"
        "  other: {base_url: 'http://127.0.0.1:2/v1', api_key_env: SOME_KEY}\n"
    )
    assert find_server().timeout == 9
    cloud = find_server("cloud")
    assert (cloud.key, cloud.price) == (KEY, Rates(input=1, output=2))
    assert cloud.endpoint == "https://api.example/v1"
    assert KEY not in repr(cloud).replace(cloud.base_url, "")
    monkeypatch.setenv("SOME_KEY", "sk-other")
    assert find_server("other").key == "sk-other"
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:3/v1")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert (find_server().base_url, find_server().key) == ("http://127.0.0.1:3/v1", KEY)
    assert find_server("other").key == "sk-other", "a key goes only where it stands"
    with pytest.raises(UsageError, match="did you mean cloud"):
        find_server("clod")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("servers: {default: {base_url: 'http://h/v1', api_keys: KEY}}", "unknown key 'servers.default.api_keys'"),
        ("servers: {default: {timeout: KEY}}", "servers.default.timeout: should be a valid number"),
        ("servers: KEY", "servers: should be a valid dictionary"),
        ("KEY", "should be a valid dictionary"),
        ("servers: {default: {base_url: KEY}}", "the address of the server is none"),
        ("servers: {default: {base_url: 'http://h:99999/v1', api_key: KEY}}", "the address of the server is none"),
        ("servers: [1, {api_key: KEY}", "not valid YAML"),
    ],
)
def test_a_wrong_file_is_explained_without_quoting_it(file: Path, text: str, says: str) -> None:
    file.write_text(text.replace("KEY", KEY))
    with pytest.raises((DataFileError, UsageError)) as caught:
        find_server()
    assert says in str(caught.value)
    assert KEY not in str(caught.value)


def test_a_key_with_a_line_break_is_refused_not_shown(file: Path) -> None:
    file.write_text(f'servers: {{default: {{base_url: "http://127.0.0.1:1/v1", api_key: "{KEY}\\nX: y"}}}}')
    with pytest.raises(UsageError, match="characters that no key has") as caught:
        OpenAICompatible("m")
    assert KEY not in str(caught.value)


def test_addresses_are_shown_without_secrets() -> None:
    assert shown("https://me:pass@host:8000/v1/?token=x#y") == "https://host:8000/v1"


def test_prices_are_known_or_not_guessed() -> None:
    known = find_rates("gpt-4o-mini", "https://api.openai.com/v1")
    assert known is not None
    assert cost(known, 1_000_000, 0) == pytest.approx(known.input)
    assert find_rates("gpt-4o-mini", "http://127.0.0.1:8000/v1") is None
    assert find_rates("no-such-model-anywhere", "https://api.openai.com/v1") is None


@pytest.mark.parametrize("trouble", ["429", "500", "garbage", "half", "nothing", "hang", None])
def test_the_key_is_nowhere_after_every_kind_of_trouble(
    trouble: str | None, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """A server that even says the key itself."""
    caplog.set_level(logging.DEBUG)
    told = ""
    answer = '{"importance": [3, %d], "note": "' + KEY + '"}'
    with LoopbackServer(lambda body: answer % 4, trouble=lambda body, n: trouble) as server:
        settings = Server(base_url=server.base_url, api_key=KEY, timeout=0.2, retries=1)
        provider = OpenAICompatible("m", server=settings, first_wait=0.0)

        async def main() -> str:
            ledger = MemoryLedger()
            gateway = Gateway(provider, ledger=ledger, seed=1)
            try:
                answer = await gateway.asker("Ada Tor", 1)(operation(RateImportance))  # type: ignore[arg-type]
                return repr(answer) + repr(ledger.calls)
            finally:
                await gateway.close()

        try:
            told = asyncio.run(main())
        except TownfolkError as error:
            told = f"{error!r} {error} {error.__cause__!r} {vars(error)}"
        assert server.keys[0] == f"Bearer {KEY}"
    assert KEY not in told
    assert KEY not in caplog.text
    assert KEY not in "".join(capfd.readouterr())


def test_the_key_is_in_no_file_a_run_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    record = tmp_path / "calls.jsonl"
    out = tmp_path / "run.town"
    with LoopbackServer(lambda body: f'{{"text": "My key is {KEY}", "importance": [1]}}', trouble=troubles(share=0.05)) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        code = command(
            ["run", "hamlet", "--until", "06:00", "--model", "openai:m", "--out", str(out), "--record", str(record),
             "--embedder", "hash-64", "--budget", "12-calls"]
        )  # fmt: skip
    assert code in (3, 4)
    for path in tmp_path.iterdir():
        assert KEY.encode() not in path.read_bytes(), path
    with sqlite3.connect(out) as connection:
        dump = "\n".join(connection.iterdump())
    connection.close()
    assert KEY not in dump
    assert KEY not in "".join(capfd.readouterr())


def test_a_dead_port_is_named_in_seconds(free_port: int) -> None:
    provider = OpenAICompatible("m", server=Server(base_url=f"http://127.0.0.1:{free_port}/v1", retries=2), first_wait=0.01)

    async def main() -> None:
        gateway = Gateway(provider, ledger=MemoryLedger(), seed=1)
        try:
            await gateway.asker("Ada Tor", 1)(operation(RateImportance))  # type: ignore[arg-type]
        finally:
            await gateway.close()

    with pytest.raises(EndpointUnreachable, match=f"127.0.0.1:{free_port}"):
        asyncio.run(main())


@pytest.fixture
def free_port() -> int:
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
