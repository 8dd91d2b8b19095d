"""The key is in nothing the program writes or says: whatever a server says, after failures of every kind."""

from __future__ import annotations

import asyncio
import json
import logging
import sqlite3
import sys
import traceback
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from language_fields import operation

import language.openai_compatible as adapter
from benchmarks.loopback_server import LoopbackServer, plausible
from cli.main import run as command
from language import Gateway, MemoryLedger, OpenAICompatible, RateImportance
from language.failures import without_key
from language.servers import Server
from simulation.storing.runfile import RunFile

KEY = "sk-live/+9876543210-quite=secret"
SPELT = "".join(f"\\u{ord(c):04x}" for c in KEY)
DISGUISES = (
    SPELT,
    KEY.replace("/", "\\/"),
    KEY.replace("l", "l\u200b"),
    KEY.replace("-", "-\\u200b"),
    KEY[:9] + "\x01" + KEY[9:],
)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(adapter, "_REFUSED_SECONDS", 0.05)
    monkeypatch.setitem(OpenAICompatible.__init__.__kwdefaults__, "first_wait", 0.0)  # type: ignore[arg-type]
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


class Talkative(LoopbackServer):
    """Says the key in bodies and headers, with whatever status is due: `says` are whole answers as (status, headers, body)."""

    says: tuple[tuple[int, str, bytes], ...] = ()

    async def _reply(self, writer: Any, body: dict[str, Any], trouble: str | None) -> bool:
        status, headers, data = self.says[(sum(self.counts.values()) - 1) % len(self.says)]
        length = len(data) if "content-length" not in headers else 0
        head = f"HTTP/1.1 {status} {KEY}\r\n{headers}" + (f"content-length: {length}\r\n" if length or not headers else "")
        writer.write(head.encode("latin-1") + b"\r\n" + data)
        await writer.drain()
        return "content-length" not in headers


def answered(text: str, **more: Any) -> tuple[int, str, bytes]:
    whole = {"choices": [{"message": {"content": text, **more}}], "usage": {"prompt_tokens": 10**30, "completion_tokens": KEY}}
    return 200, "content-type: application/json\r\n", json.dumps({"id": KEY, "model": KEY, **whole}).encode()


def refused(status: int, *headers: str) -> tuple[int, str, bytes]:
    told = {"error": {"message": f"Incorrect API key provided: {KEY} {SPELT}", "type": KEY, "param": KEY, "code": KEY}}
    return status, "".join(f"{header}\r\n" for header in ("content-type: application/json", *headers)), json.dumps(told).encode()


SAID = {
    **{f"text-{n}": (answered(f'{{"importance": [3, {n % 9 + 1}], "note": "{form}"}}'),)
       for n, form in enumerate((KEY, *DISGUISES))},
    "plain text": (answered(f"My key is {KEY}."),),
    "refusal": (answered("", refusal=KEY),),
    "pieces": (answered([{"type": "text", "text": KEY[:7]}, {"type": "text", "text": KEY[7:]}]),),  # type: ignore[arg-type]
    **{str(status): (refused(status, f"retry-after: {KEY}", f"x-request-id: {KEY}"),)
       for status in (400, 401, 403, 404, 408, 409, 418, 422, 429, 500, 501, 503)},
    "redirect": (refused(307, f"location: /{KEY.replace('/', '_')}?k={KEY}"), answered('{"importance": [3, 4]}')),
    "elsewhere": (refused(307, f"location: http://127.0.0.1:9/v1?k={KEY}"),),
    "nowhere": (refused(302, f"location: {KEY}://"),),
    "garbage": ((200, f"content-type: {KEY}\r\n", KEY.encode() * 9),),
    "half": ((200, f"content-type: application/json\r\ncontent-length: 9000\r\nx: {KEY}\r\n", b'{"' + KEY.encode()),),
    "no HTTP": ((200, f"content-length: {KEY}\r\n", KEY.encode()),),
    "packed": ((200, "content-encoding: gzip\r\n", KEY.encode()),),
}  # fmt: skip


def everything(error: BaseException | None) -> Iterator[str]:
    """All that can be told of an error: words, attributes, traceback, causes."""
    while error is not None:
        yield f"{error!r} {error} {vars(error)}"
        yield "".join(traceback.format_exception(error))
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


@pytest.mark.parametrize("says", list(SAID))
def test_whatever_a_server_says(says: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> None:
    caplog.set_level(logging.DEBUG)
    told: list[str] = []
    ledger = MemoryLedger()

    async def main(url: str) -> None:
        settings = Server(base_url=url, api_key=KEY, timeout=0.5, retries=1, patience=2.0)
        gateway = Gateway(OpenAICompatible("m", server=settings, first_wait=0.0), ledger=ledger, seed=1)
        try:
            told.append(repr(await gateway.asker("Ada Tor", 1)(operation(RateImportance))))  # type: ignore[arg-type]
        except Exception as error:  # noqa: BLE001  whatever it is
            told.extend(everything(error))
        finally:
            await gateway.close()

    with Talkative() as server:
        server.says = SAID[says]
        asyncio.run(main(server.base_url))
        assert server.keys[0] == f"Bearer {KEY}", "it was sent where it belongs"
    spoken = "\n".join([*told, repr(ledger.calls), caplog.text, *capfd.readouterr()])
    assert spoken.strip()
    assert KEY not in spoken
    assert SPELT not in spoken
    assert KEY not in spoken.replace("\u200b", "").replace("\\", "").replace("u200b", "").replace("\x01", "").replace("x01", "")


@pytest.mark.parametrize("form", [KEY, *DISGUISES, json.dumps(SPELT), f"x{KEY}{KEY}y"])
def test_the_key_is_found_however_it_is_written(form: str) -> None:
    found = without_key(f'{{"text": "{form}"}}', KEY)
    assert KEY not in found
    assert not found or "***" in found
    assert without_key("Nothing to see, \\u00e9 \\/ \u200b here", KEY) == "Nothing to see, \\u00e9 \\/ \u200b here"


def saying(body: dict[str, Any]) -> str:
    """A usable answer in which the first text is the key, written plainly or not."""
    reply = json.loads(plausible(body))
    forms = (KEY, DISGUISES[2], KEY)

    def put(value: Any, n: int) -> Any:
        if isinstance(value, dict):
            return {k: put(v, n) if k not in ("address", "start", "end", "act", "decision") else v for k, v in value.items()}
        if isinstance(value, list):
            return [put(item, n) for item in value]
        return f"{value} {forms[n]}" if isinstance(value, str) and " " in value else value

    n = len(body["messages"][-1]["content"]) % 3
    return json.dumps(put(reply, n), ensure_ascii=n == 0)


def blobs(path: Path) -> Iterator[str]:
    """Every cell of a run file, unpacked where it is packed."""
    with sqlite3.connect(path) as connection:
        for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for row in connection.execute(f"SELECT * FROM {table}"):
                for cell in row:
                    if isinstance(cell, bytes):
                        with suppress(zlib.error):
                            cell = zlib.decompress(cell)
                        yield cell.decode("utf-8", "replace")
                    else:
                        yield str(cell)
    connection.close()


def mixed(body: dict[str, Any], n: int) -> str | None:
    """Every kind of trouble in turn."""
    kinds = (None, "429", None, "500", "garbage", None, "half", "nothing", None)
    return None if n else kinds[len(body["messages"][-1]["content"]) % len(kinds)]


def test_no_file_and_no_output_of_a_whole_run_holds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """Run, recording, report, log, export, estimate, interview, replay and pack, with and without --json."""
    caplog.set_level(logging.DEBUG)
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("TOWNFOLK_MODELS", str(home / "models.yaml"))
    with LoopbackServer(saying, trouble=mixed, embed=lambda text: [float(len(text) % (n + 2)) + 1 for n in range(8)]) as server:
        (home / "models.yaml").write_text(
            f"servers:\n  default: {{base_url: '{server.base_url}', api_key: '{KEY}', timeout: 2, patience: 5}}\n",
            encoding="utf-8",
        )
        lived = ["run", "hamlet", "--until", "06:35", "--model", "openai:m", "--embedder", "openai:e", "--record", "calls.jsonl"]
        assert command([*lived, "--out", "a.town", "--json"]) == 0
        assert command([*lived, "--out", "b.town", "--budget", "9-calls"]) == 4
        with RunFile.open(Path("a.town")) as run:
            name = run.rows("SELECT name FROM residents ORDER BY position")[0][0]
            calls = run.rows("SELECT COUNT(*) FROM calls")[0][0]
        assert calls > 15
        for after in (
            ["report", "a.town", "--out", "report"], ["report", "a.town", "--json"], ["log", "a.town", "--json"],
            ["log", "a.town", "--resident", name], ["memory", "a.town", name, "--json"],
            ["export", "a.town", "--out", "exported"], ["estimate", "hamlet", "--model", "openai:m", "--probe", "--json"],
            ["ask", "a.town", name, "Which key do you know?", "--model", "openai:m", "--json"],
            ["replay", "a.town", "--json"], ["pack", "a.town", "--json"],
        ):  # fmt: skip
            assert command(after) == 0, after
        assert all(key == f"Bearer {KEY}" for key in server.keys)
    assert command([*lived, "--embedder", "hash-64", "--out", "c.town", "--json"]) == 3, "the server is gone"
    said = "".join(capfd.readouterr())
    assert '"digest"' in said
    assert KEY not in said
    assert KEY not in caplog.text
    files = [path for path in tmp_path.rglob("*") if path.is_file() and path.parent != home]
    assert {path.name for path in files} >= {"a.town", "b.town", "c.town", "calls.jsonl", "report.md"}
    for path in files:
        words = "\n".join(blobs(path)) if path.suffix == ".town" else path.read_bytes().decode("utf-8", "replace")
        if path.name in ("a.town", "calls.jsonl"):
            assert "***" in words, "it was said, and heard"
        for form in (KEY, SPELT, *DISGUISES, KEY.replace("/", "\\/")):
            assert form not in words, path
            assert json.dumps(form)[1:-1] not in words, path


def test_not_even_a_defect_of_ours_shows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    """A mistake in the adapter is on file as one, and the traceback that is logged holds no values."""
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)

    def broken(self: OpenAICompatible, *_: Any) -> Any:
        held = self._key
        raise ZeroDivisionError(f"{len(held) / 0}")

    for where in ("_body", "_connected"):
        with LoopbackServer() as server, monkeypatch.context() as patch:
            patch.setenv("OPENAI_BASE_URL", server.base_url)
            patch.setattr(OpenAICompatible, where, broken)
            given = ["--until", "06:10", "--model", "openai:m", "--embedder", "hash-64", "--out", f"{where}.town"]
            code = command(["run", "hamlet", *given])
        assert code in (0, 3)
        assert KEY not in "\n".join(blobs(Path(f"{where}.town")))
    assert "ZeroDivisionError" in caplog.text
    assert KEY not in caplog.text
    try:
        broken(OpenAICompatible("m", server=Server(base_url="http://127.0.0.1:9/v1", api_key=KEY)))
    except ZeroDivisionError as error:  # what the interpreter would print of it, whoever has put what in the way
        sys.excepthook(type(error), error, error.__traceback__)
    said = "".join(capfd.readouterr())
    assert "ZeroDivisionError" in said
    assert KEY not in said
