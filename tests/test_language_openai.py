"""The OpenAI-compatible adapter against a small server on this machine that behaves in all the ways servers do."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from language_fields import OPERATION_OF_EACH_KIND, operation

import language.openai_compatible as adapter
from kernel import EndpointUnreachable, ModelError, UsageError
from language import (
    Gateway,
    MemoryLedger,
    OpenAICompatible,
    RateImportance,
    Ratings,
    network_forbidden,
)
from language.dialect import MODES
from language.replies import DayOutline, Turn
from language.schemas import strict_schema

KEY = "sk-very-secret-0123456789"
Behaviour = Callable[["_Handler", dict[str, Any]], None]


class _Handler(BaseHTTPRequestHandler):
    """Does what the server's script says next; the last entry repeats."""

    server: _Server
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        with self.server.lock:
            self.server.asked.append(asked)
            self.server.keys.append(self.headers.get("authorization", ""))
            n = min(len(self.server.asked), len(self.server.script)) - 1
        self.server.script[n](self, asked)

    def log_message(self, format: str, *args: object) -> None:
        pass

    def send(self, status: int, body: object, **headers: str) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(data)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    script: list[Behaviour]

    def handle_error(self, request: object, client_address: object) -> None:
        pass  # a client that gave up is part of the tests


@contextmanager
def served() -> Iterator[_Server]:
    """A server of its own."""
    made = _Server(("127.0.0.1", 0), _Handler)
    made.lock, made.asked, made.keys = threading.Lock(), [], []  # type: ignore[attr-defined]
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield made
    finally:
        made.shutdown()
        made.server_close()
        thread.join(5)


@pytest.fixture
def server() -> Iterator[_Server]:
    with served() as made:
        yield made


def good(text: str) -> Behaviour:
    def answer(handler: _Handler, asked: dict[str, Any]) -> None:
        choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
        usage = {"prompt_tokens": 321, "completion_tokens": 12, "total_tokens": 333}
        handler.send(
            200, {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}
        )

    return answer


def status(code: int, message: str = "no", **headers: str) -> Behaviour:
    return lambda handler, asked: handler.send(code, {"error": {"message": message, "type": "x"}}, **headers)


def hang(handler: _Handler, asked: dict[str, Any]) -> None:
    time.sleep(0.6)


def half_body(handler: _Handler, asked: dict[str, Any]) -> None:
    handler.send_response(200)
    handler.send_header("content-type", "application/json")
    handler.send_header("content-length", "5000")
    handler.end_headers()
    handler.wfile.write(b'{"id": "1", "choices": [{"mess')
    handler.close_connection = True


def only(mode: str, text: str) -> Behaviour:
    """A server that takes no stricter form of answer than `mode`."""

    def answer(handler: _Handler, asked: dict[str, Any]) -> None:
        told = asked.get("response_format", {"type": "text"})
        form = told["type"] + ("_schema" if told["type"] == "json_object" and "schema" in told else "")
        allowed = MODES[MODES.index(mode) :]
        (good(text) if form in allowed else status(400, f"response_format {form} is not supported"))(handler, asked)

    return answer


def model(server: _Server, **settings: Any) -> OpenAICompatible:
    settings = {"api_key": KEY, "timeout": 0.3, "retries": 3, "patience": 5.0, "first_wait": 0.01, **settings}
    return OpenAICompatible("tiny", base_url=f"http://127.0.0.1:{server.server_port}/v1/", **settings)


def ask(provider: OpenAICompatible, op: Any = None, *, times: int = 1) -> tuple[list[Any], MemoryLedger]:
    async def main() -> tuple[list[Any], MemoryLedger]:
        ledger = MemoryLedger()
        gateway = Gateway(provider, ledger=ledger, seed=1)
        try:
            asker = gateway.asker("Ada Tor", 5)
            question = op or operation(RateImportance)
            return [await asker(question) for _ in range(times)], ledger
        finally:
            await gateway.close()

    return asyncio.run(main())


GOOD = '{"importance": [2, 9]}'


def test_a_good_answer_with_its_usage(server: _Server) -> None:
    server.script = [good(GOOD)]
    provider = model(server)
    [answer], ledger = ask(provider)
    assert answer.reply == Ratings(importance=[2, 9])
    call = ledger.calls[0]
    assert (call.model, call.tokens_in, call.tokens_out, call.raw, call.fallback) == ("openai:tiny", 321, 12, GOOD, None)
    assert 0 < call.seconds < 5
    assert "Ole Berg is leaving for good." in call.request_text
    asked = server.asked[0]  # type: ignore[attr-defined]
    assert asked["model"] == "tiny"
    assert [message["role"] for message in asked["messages"]] == ["system", "user"]
    assert asked["response_format"]["json_schema"]["schema"]["required"] == ["importance"]
    assert server.keys == [f"Bearer {KEY}"]  # type: ignore[attr-defined]


def packed(text: str) -> Behaviour:
    """A good answer, compressed, in the form the client says it takes, and in pieces."""

    def answer(handler: _Handler, asked: dict[str, Any]) -> None:
        assert "gzip" in handler.headers["accept-encoding"]
        data = gzip.compress(json.dumps({"choices": [{"message": {"content": text}}]}).encode())
        handler.send_response(200)
        for name, value in (("content-type", "text/plain"), ("content-encoding", "gzip"), ("transfer-encoding", "chunked")):
            handler.send_header(name, value)
        handler.end_headers()
        for piece in (data[:9], data[9:], b""):
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))

    return answer


def test_the_second_question_is_put_as_the_first(server: _Server) -> None:
    """Only the first is made by the library from the ground up."""
    server.script = [good(GOOD), packed(GOOD), status(307, location="/elsewhere"), good(GOOD), status(500), good(GOOD)]
    answers, ledger = ask(model(server), times=4)
    assert [answer.reply for answer in answers] == [Ratings(importance=[2, 9])] * 4
    assert [answer.fallback for answer in answers] == [None] * 4
    assert server.keys == [f"Bearer {KEY}"] * 6  # type: ignore[attr-defined]
    first, *others = server.asked  # type: ignore[attr-defined]
    assert others == [first] * 5
    assert [dict(call.troubles) for call in ledger.calls] == [{}, {}, {}, {"500": 1}]
    assert ledger.calls[1].tokens_in > 0, "no usage told: counted here"


@pytest.mark.parametrize("before", [0, 1])
def test_the_key_does_not_go_along_to_another_server(server: _Server, before: int) -> None:
    """Whether the first question is sent elsewhere, by the library, or a later one."""
    with served() as elsewhere:
        elsewhere.script = [good(GOOD)]
        sent_on = status(307, location=f"http://127.0.0.1:{elsewhere.server_port}/v1/chat/completions")
        server.script = [*[good(GOOD)] * before, sent_on]
        answers, ledger = ask(model(server), times=2)
        assert [answer.reply for answer in answers] == [Ratings(importance=[2, 9])] * 2
        assert len(elsewhere.keys) == 2 - before  # type: ignore[attr-defined]
        assert not any(KEY in key for key in elsewhere.keys)  # type: ignore[attr-defined]
    assert [call.tokens_in for call in ledger.calls] == [321] * 2


def test_errors_are_told_alike_the_first_and_the_second_time(server: _Server) -> None:
    """By the openai package, and by what stands in for it from the second question on."""

    def plain(handler: _Handler, asked: dict[str, Any]) -> None:
        handler.send(400, "words", x="y")

    for wrong in (status(400, "no such thing"), status(401), status(500), status(429), half_body, hang, plain):
        told = []
        for before in ([], [good(GOOD)]):
            server.script = [*before, wrong]
            server.asked.clear()  # type: ignore[attr-defined]
            provider = model(server, retries=0)
            provider.dialect = replace(provider.dialect, known=True, form=3)
            try:
                answers, ledger = ask(provider, times=1 + len(before))
                told.append((answers[-1].fallback, dict(ledger.calls[-1].troubles)))
            except EndpointUnreachable as error:
                told.append((f"ModelError: {error.what}", None))
        assert told[0][0] == told[1][0]


def test_a_user_in_the_address_is_refused_in_a_sentence() -> None:
    with pytest.raises(UsageError, match="user's name") as caught:
        OpenAICompatible("tiny", base_url="http://me:pass@127.0.0.1:1/v1")
    assert "me" not in str(caught.value).split(": ")[0]
    assert "pass" not in str(caught.value)


def test_a_fenced_answer(server: _Server) -> None:
    server.script = [good(f"Sure!\n```json\n{GOOD}\n```")]
    [answer], _ = ask(model(server))
    assert answer.reply == Ratings(importance=[2, 9])


@pytest.mark.parametrize("mode", MODES)
def test_the_form_of_answers_is_found_out_once(server: _Server, mode: str) -> None:
    server.script = [only(mode, GOOD)]
    provider = model(server)
    answers, _ = ask(provider, times=3)
    assert [answer.fallback for answer in answers] == [None] * 3
    assert provider.mode == mode
    assert len(server.asked) == 3 + MODES.index(mode)  # type: ignore[attr-defined]


def test_retry_after_is_honoured(server: _Server) -> None:
    server.script = [status(429, retry_after="1"), good(GOOD)]
    began = time.monotonic()
    [answer], ledger = ask(model(server))
    assert answer.fallback is None
    assert 1.0 <= time.monotonic() - began < 20  # waited as told; the upper bound is only against hanging
    assert ledger.calls[0].attempts == 1


@pytest.mark.parametrize(
    "first", [status(500), status(503, retry_after="0"), half_body, hang], ids=["500", "503", "half", "hang"]
)
def test_a_transient_failure_is_tried_again(server: _Server, first: Behaviour) -> None:
    server.script = [first, good(GOOD)]
    [answer], _ = ask(model(server))
    assert answer.reply == Ratings(importance=[2, 9])
    assert answer.fallback is None
    assert len(server.asked) == 2  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("always", "says"),
    [
        (status(500), "the server answered 500"),
        (hang, "no answer within 0.3 seconds"),
        (half_body, "the answer breaks off"),
        (status(429, retry_after="3600"), "the server answered 429"),
        (status(401, f"Incorrect API key provided: {KEY}"), "refuses the key"),
        (status(404, "model not found"), "knows no such model"),
    ],
    ids=["500", "hang", "half", "later", "401", "404"],
)
def test_a_server_that_never_works_stops_the_run_in_bounded_time(server: _Server, always: Behaviour, says: str) -> None:
    server.script = [always]
    began = time.monotonic()
    with pytest.raises(EndpointUnreachable) as caught:
        ask(model(server))
    assert time.monotonic() - began < 5
    assert says in str(caught.value)
    assert f"127.0.0.1:{server.server_port}" in str(caught.value)


def test_one_bad_answer_among_good_ones_only_fails_its_call(server: _Server, monkeypatch: pytest.MonkeyPatch) -> None:
    server.script = [good(GOOD), status(500)]
    answers, ledger = ask(model(server, retries=0), times=2)
    assert answers[0].fallback is None
    assert answers[1].fallback == "ModelError: the server answered 500"
    assert ledger.calls[1].attempts == 3
    server.asked.clear()  # type: ignore[attr-defined]
    answers, _ = ask(model(server, retries=0), times=3)
    assert [answer.fallback is None for answer in answers] == [True, False, False], "six failures in a moment may be an accident"
    monkeypatch.setattr(adapter, "_GONE_SECONDS", 0.0)  # but not when nothing has worked for long
    server.asked.clear()  # type: ignore[attr-defined]
    with pytest.raises(EndpointUnreachable):
        ask(model(server, retries=0), times=3)


def test_a_dead_port_is_named_within_the_bound() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    provider = OpenAICompatible("tiny", base_url=f"http://127.0.0.1:{port}/v1", api_key=KEY, retries=2, first_wait=0.01)
    began = time.monotonic()
    with pytest.raises(EndpointUnreachable, match=f"http://127.0.0.1:{port}/v1: no connection"):
        ask(provider)
    assert time.monotonic() - began < 5


def test_the_key_is_in_no_message(server: _Server, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    for code in (400, 401, 403, 418, 429, 500):
        server.asked.clear()  # type: ignore[attr-defined]
        server.script = [status(code, f"bad key {KEY}")]
        provider = model(server, retries=1)
        try:
            answers, ledger = ask(provider)
            told = repr(answers) + repr(ledger.calls)
        except ModelError as error:
            chain: list[str] = []
            link: BaseException | None = error
            while link is not None:
                chain.append(f"{link!r} {link} {link.__dict__}")
                link = link.__cause__ or (None if link.__suppress_context__ else link.__context__)
            told = " ".join(chain)
        assert KEY not in told
        assert KEY not in repr(provider)
    assert KEY not in caplog.text


def test_endpoint_and_key_come_from_the_environment(server: _Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    server.script = [good(GOOD)]
    assert ask(OpenAICompatible("tiny"))[0][0].fallback is None
    monkeypatch.delenv("OPENAI_API_KEY")
    assert ask(OpenAICompatible("tiny"))[0][0].fallback is None
    assert server.keys[0] == f"Bearer {KEY}"  # type: ignore[attr-defined]
    assert KEY not in server.keys[1]  # type: ignore[attr-defined]


def test_no_more_calls_at_once_than_allowed(server: _Server) -> None:
    under_way, most = 0, 0

    def slow(handler: _Handler, asked: dict[str, Any]) -> None:
        nonlocal under_way, most
        with server.lock:  # type: ignore[attr-defined]
            under_way += 1
            most = max(most, under_way)
        time.sleep(0.05)
        with server.lock:  # type: ignore[attr-defined]
            under_way -= 1
        good(GOOD)(handler, asked)

    async def main() -> list[Any]:
        provider = model(server, concurrency=3, timeout=5.0)
        gateway = Gateway(provider, ledger=MemoryLedger(), seed=1)
        try:
            askers = [gateway.asker(f"Ada Tor {i}", 5) for i in range(9)]
            return await asyncio.gather(*(asker(operation(RateImportance)) for asker in askers))  # type: ignore[arg-type]
        finally:
            await gateway.close()

    server.script = [slow]
    assert [answer.fallback for answer in asyncio.run(main())] == [None] * 9
    assert 2 <= most <= 3


def test_the_network_switch(monkeypatch: pytest.MonkeyPatch, server: _Server) -> None:
    outside = OpenAICompatible("tiny", base_url="https://models.example/v1", api_key=KEY)
    with network_forbidden(), pytest.raises(EndpointUnreachable, match="switched off"):
        ask(outside)
    monkeypatch.setenv("TOWNFOLK_NO_NETWORK", "1")
    with pytest.raises(EndpointUnreachable, match=r"models\.example"):
        ask(outside)
    server.script = [good(GOOD)]
    assert ask(model(server))[0][0].fallback is None  # this machine is no network


@pytest.mark.parametrize("op", OPERATION_OF_EACH_KIND, ids=lambda op: op.name)
def test_schemas_are_strict_all_the_way_down(op: Any) -> None:
    def check(node: dict[str, Any]) -> None:
        assert set(node) <= {"type", "enum", "const", "anyOf", "items", "properties", "required", "additionalProperties"}
        if "properties" in node:
            assert node["additionalProperties"] is False
            assert node["required"] == list(node["properties"])
        for below in (
            *node.get("properties", {}).values(),
            *node.get("anyOf", ()),
            *([node["items"]] if "items" in node else ()),
        ):
            check(below)

    check(strict_schema(op.reply_type))


def test_a_schema_in_full() -> None:
    part = strict_schema(DayOutline)["properties"]["parts"]["items"]
    assert part["properties"]["place"] == {"anyOf": [{"type": "string"}, {"type": "null"}]}
    meeting = strict_schema(Turn)["properties"]["meeting"]["anyOf"][0]
    assert meeting["required"] == ["name", "place", "start", "minutes"]


def test_with_another_library_beneath_every_question_goes_through_the_whole_of_it(
    server: _Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("language.http.PlainClient.way_to")
    server.script = [good(GOOD)]
    answers, _ = ask(model(server), times=3)
    assert [answer.fallback for answer in answers] == [None] * 3
