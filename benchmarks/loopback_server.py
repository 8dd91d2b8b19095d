"""A small OpenAI-compatible server on this machine, for tests and benchmarks: quick, plausible, and as bad as one likes.

    with LoopbackServer(answer=plausible, delay=0.5, trouble=troubles(seed=1, share=0.1)) as server:
        server.base_url, server.asked, server.counts

`answer(body) -> text` makes the reply of a request; `plausible` reads the prompt and answers every operation with something
a resident can use. `trouble(body, n) -> name` says how a request is mistreated (None: not at all); n counts how often this
very prompt was asked before, so that troubles are the same whatever the order of arrival:

    429   500   garbage (no JSON)   half (half a body)   nothing (the connection is closed)   hang (no answer, ever)
"""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections import Counter
from collections.abc import Callable
from hashlib import blake2b
from itertools import pairwise
from types import TracebackType
from typing import Any

Answer = Callable[[dict[str, Any]], str]
Trouble = Callable[[dict[str, Any], int], str | None]
TROUBLES = ("429", "500", "garbage", "half", "nothing", "hang")
_FENCED = re.compile(r"<<<\n(.*)\n>>>", re.DOTALL)


class LoopbackServer:
    """Serves in a thread of its own. `asked` requests, as parsed; `counts` what happened to them; `most` at once.

    `port` 0: a free one. `dies_after` so many requests it is gone, and whoever waits for an answer with it.
    """

    def __init__(
        self,
        answer: Answer | None = None,
        *,
        delay: float = 0.0,
        trouble: Trouble | None = None,
        keep: bool = True,
        embed: Callable[[str], list[float]] | None = None,
        port: int = 0,
        dies_after: int | None = None,
    ) -> None:
        self._answer, self._delay, self._trouble, self._keep, self._embed = answer or plausible, delay, trouble, keep, embed
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str] = []
        self.counts: Counter[str] = Counter()
        self.tokens = 0
        self.most = self._now = 0
        self.port = port
        self._left = dies_after
        self._seen: Counter[bytes] = Counter()
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._serve, daemon=True)

    @property
    def base_url(self) -> str:
        """Where it is reached."""
        return f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> LoopbackServer:
        self._thread.start()
        self._ready.wait(10)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(asyncio.start_server(self._connection, "127.0.0.1", self.port, backlog=1024))
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        self._loop.run_forever()
        server.close()
        tasks = asyncio.all_tasks(self._loop)
        for task in tasks:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
        self._loop.run_until_complete(self._loop.shutdown_asyncgens())
        self._loop.close()

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while await self._request(reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # a client that gave up, or the end of the server
        finally:
            writer.close()

    async def _request(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length = int(re.search(r"(?i)content-length: *(\d+)", head)[1])  # type: ignore[index]
        body = json.loads(await reader.readexactly(length))
        if self._left is not None:
            self._left -= 1
            if self._left < 0:
                self._loop.stop()
                return False
        key = re.search(r"(?i)authorization: *(.*)\r\n", head)
        self.keys.append(key[1] if key else "")
        if self._keep:
            self.asked.append(body)
        if "/embeddings" in head.split("\r\n", 1)[0]:
            return await self._embeddings(writer, body)
        trouble = None
        if self._trouble:
            prompt = blake2b(json.dumps(body["messages"]).encode(), digest_size=16).digest()
            self._seen[prompt] += 1
            trouble = self._trouble(body, self._seen[prompt] - 1)
        self.counts[trouble or "good"] += 1
        self._now += 1
        self.most = max(self.most, self._now)
        try:
            if self._delay:
                await asyncio.sleep(self._delay)
            return await self._reply(writer, body, trouble)
        finally:
            self._now -= 1

    async def _reply(self, writer: asyncio.StreamWriter, body: dict[str, Any], trouble: str | None) -> bool:
        if trouble == "hang":
            await asyncio.sleep(3600)
        if trouble == "nothing":
            return False
        if trouble in ("429", "500"):
            return await self._send(writer, int(trouble), {"error": {"message": "not now", "type": "x"}}, "retry-after: 0\r\n")
        if trouble == "garbage":
            return await self._send(writer, 200, None, raw=b"<html>\x00\xff it works! {]")
        text = self._answer(body)
        tokens_in, tokens_out = sum(len(message["content"]) for message in body["messages"]) // 4, len(text) // 4 + 1
        self.tokens += tokens_in + tokens_out
        message = {"role": "assistant", "content": text}
        answer = {
            "id": "1", "object": "chat.completion", "created": 1, "model": body.get("model", "m"),
            "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
            "usage": {"prompt_tokens": tokens_in, "completion_tokens": tokens_out, "total_tokens": tokens_in + tokens_out},
        }  # fmt: skip
        return await self._send(writer, 200, answer, half=trouble == "half")

    async def _embeddings(self, writer: asyncio.StreamWriter, body: dict[str, Any]) -> bool:
        if self._embed is None:
            return await self._send(writer, 404, {"error": {"message": "no embeddings here", "type": "x"}})
        texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
        rows = [self._embed(text)[: body.get("dimensions")] for text in texts]
        data = [{"object": "embedding", "index": i, "embedding": row} for i, row in enumerate(rows)]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        return await self._send(writer, 200, {"object": "list", "data": data, "model": "m", "usage": usage})

    async def _send(
        self,
        writer: asyncio.StreamWriter,
        status: int,
        body: object,
        extra: str = "",
        *,
        raw: bytes | None = None,
        half: bool = False,
    ) -> bool:
        data = raw if raw is not None else json.dumps(body).encode()
        kind = "text/html" if raw is not None else "application/json"
        head = f"HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\ncontent-length: {len(data)}\r\n{extra}\r\n"
        writer.write(head.encode() + (data[: len(data) // 2] if half else data))
        await writer.drain()
        return not half


def troubles(seed: int = 1, share: float = 0.1, kinds: tuple[str, ...] = TROUBLES) -> Trouble:
    """Each kind of trouble for a share of all requests, at random but always the same for the same prompt and try."""

    def of(body: dict[str, Any], n: int) -> str | None:
        words = json.dumps(body["messages"]) + f"/{n}/{seed}"
        chance = int.from_bytes(blake2b(words.encode(), digest_size=4).digest(), "big") / 2**32
        return kinds[int(chance / share)] if chance < share * len(kinds) else None

    return of


def careless(body: dict[str, Any]) -> str:
    """`plausible` as a middling model writes it down: of ten answers one is fenced, one has a comma too many, one breaks off."""
    text = plausible(body)
    chance = blake2b(json.dumps(body["messages"]).encode(), digest_size=1, key=b"careless").digest()[0] % 10
    if chance == 0:
        return f"Here is the JSON:\n```json\n{text}\n```"
    if chance == 1:
        return f"{text[:-1]},}}"
    return text[: len(text) // 2] if chance == 2 else text


def operation_of(body: dict[str, Any]) -> str:
    """The operation a request asks, from its schema's name, else from the form its prompt ends with."""
    form = body.get("response_format", {})
    if form.get("type") == "json_schema":
        return str(form["json_schema"]["name"])
    text = body["messages"][-1]["content"]
    for name, sign in _SIGNS.items():
        if sign in text:
            return name
    return "self"


_SIGNS = {
    "rate": '{"importance"', "plan_day": '{"parts"', "plan_hours": '{"blocks"', "decompose": '{"tasks"', "settle": '{"address"',
    "react": '{"decision"', "say": '"passes_on"', "recall": '{"summary"', "questions": '{"questions"', "insights": '{"insights"',
    "answer": '"knows"',
}  # fmt: skip


def plausible(body: dict[str, Any]) -> str:
    """A usable reply to any operation, from the words of its prompt."""
    user = body["messages"][-1]["content"]
    found = _FENCED.search(user)
    data = found[1] if found else user
    ids = re.findall(r"^\[([^\]]+)\]", data, re.MULTILINE)[:2]
    reply = _REPLIES.get(operation_of(body), _describe)(data, ids)
    return json.dumps(reply, ensure_ascii=False)


def _after(data: str, title: str) -> list[str]:
    """The lines below a title, up to the next line that ends with a colon."""
    lines = data.partition(f"{title}\n")[2].splitlines()
    out = []
    for line in lines:
        if line.endswith(":"):
            break
        out.append(line)
    return out


def _describe(data: str, ids: list[str]) -> dict[str, Any]:
    return {"text": "A friendly person who takes things as they come and is content with the week so far."}


def _day(data: str, ids: list[str]) -> dict[str, Any]:
    now = re.search(r" (\d\d):\d\d\. ", data)
    start = int(now[1]) if now else 6
    hours = [*range(start, 22, 3), 22] if start < 20 else [start, start + 1, start + 2, start + 3]
    what = ("having breakfast and getting ready", "working on what has to be done", "having lunch", "running errands", "resting")
    parts = [
        {"activity": what[i % len(what)], "start": f"{a:02d}:00" if i else (now[0].strip(" .") if now else f"{a:02d}:00"),
         "end": f"{b:02d}:00", "place": None, "rests_on": ids}
        for i, (a, b) in enumerate(pairwise(hours))
    ]  # fmt: skip
    return {"parts": parts, "thought": "There is enough to do today."}


def _hours(data: str, ids: list[str]) -> dict[str, Any]:
    blocks = []
    for i, line in enumerate(_after(data, "Parts (start | end | activity | place):")):
        start, end, activity, _ = line.split(" | ")
        a, b = (int(t[:2]) * 60 + int(t[3:]) for t in (start, end))
        while a < b:
            minutes = min(60, b - a)
            blocks.append({"activity": activity, "start": f"{a // 60:02d}:{a % 60:02d}", "minutes": max(5, minutes), "part": i})
            a += 60
    return {"blocks": blocks}


def _tasks(data: str, ids: list[str]) -> dict[str, Any]:
    what = re.search(r"To do: (.*)", data)
    minutes = int(re.search(r"for (\d+) minutes", data)[1])  # type: ignore[index]
    pieces = [15] * (minutes // 15) + ([minutes % 15] if minutes % 15 else [])
    return {"tasks": [{"activity": what[1] if what else "resting", "minutes": m, "stays": i > 0} for i, m in enumerate(pieces)]}


def _settle(data: str, ids: list[str]) -> dict[str, Any]:
    options = _after(data, "Options:")
    free = [line for line in options if "; closed" not in line and "; full" not in line] or options
    return {"address": free[0].partition(" -- ")[0], "icon": "tool", "state": "in use", "private": False}


def _react(data: str, ids: list[str]) -> dict[str, Any]:
    talk = "Talking is possible: true" in data and len(data) % 3 == 0
    return {"decision": "talk" if talk else "continue", "thought": "", "rests_on": ids}


def _say(data: str, ids: list[str]) -> dict[str, Any]:
    said = len(_after(data, "The talk so far:"))
    words = ("Good to see you. How is the day?", "Quite busy, but I can't complain.", "I should get on. See you later!")
    return {"text": words[min(said, 2)], "act": ("greet", "remark", "part")[min(said, 2)], "rests_on": ids, "ends": said >= 2}


_REPLIES: dict[str, Callable[[str, list[str]], dict[str, Any]]] = {
    "rate": lambda data, ids: {"importance": [1 + len(line) % 8 for line in data.splitlines()]},
    "plan_day": _day,
    "plan_hours": _hours,
    "decompose": _tasks,
    "settle": _settle,
    "react": _react,
    "say": _say,
    "recall": lambda data, ids: {"summary": "They talked about how the day was going.", "warmth": 0.2},
    "questions": lambda data, ids: {"questions": ["What matters most at present?", "Who is close?", "What comes next?"]},
    "insights": lambda data, ids: {"insights": [{"text": "The days are full and the neighbours kind.", "rests_on": ids}]},
    "answer": lambda data, ids: {"text": "I know what I told you, not more.", "rests_on": ids, "knows": True},
}
