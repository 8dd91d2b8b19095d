"""200 calls at once, of half a second each, against a server on this machine: through the adapter, and aiohttp alone.

    python -m benchmarks.model_throughput [CALLS [AT_ONCE [ROUNDS]]]       2000 200 1

Prints calls a second, processor time a call and the load; of several rounds, in turns, the medians, on a machine that others use.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import statistics
import sys
import time
from typing import Any

from benchmarks.loopback_server import LoopbackServer
from language import CallKey, OpenAICompatible, Person, RateImportance, Request
from language.prompting import render
from language.schemas import strict_schema
from language.servers import Server

AT_ONCE = 200
DELAY = 0.5
PERSON = Person("Ada Tor", 41, "she", "baker", ("patient",), (), "Mill : hut", None, None, 300, 1300)


def serve(ready: Any, stop: Any) -> None:
    """A server in a process of its own, so that it shares no interpreter with what is measured."""
    with LoopbackServer(lambda body: '{"importance": [3, 5]}', delay=DELAY, keep=False) as server:
        ready.put(server.base_url)
        stop.wait()


async def through_the_adapter(url: str, calls: int, at_once: int) -> tuple[float, float]:
    """Calls a second and milliseconds of processor time a call, after a first round that opens the connections."""
    provider = OpenAICompatible("m", server=Server(base_url=url, concurrency=at_once), first_wait=0.1)
    operation = RateImportance(person=PERSON, texts=("The oven was smoking.", "Somebody is leaving for good."))

    async def one(n: int) -> None:
        await provider.ask(Request(CallKey("Ada Tor", n, "rate", 0), operation, 1))  # type: ignore[arg-type]

    await asyncio.gather(*(one(n) for n in range(3 * at_once)))
    began, busy = time.perf_counter(), time.process_time()
    await asyncio.gather(*(one(n) for n in range(calls)))
    seconds, busy = time.perf_counter() - began, time.process_time() - busy
    await provider.close()
    return calls / seconds, 1000 * busy / calls


async def through_aiohttp(url: str, calls: int, at_once: int) -> tuple[float, float]:
    """The same of the library beneath, with the same bodies."""
    import aiohttp

    prompt = render(RateImportance(person=PERSON, texts=("The oven was smoking.", "Somebody is leaving for good.")))
    body = {
        "model": "m",
        "messages": [{"role": "system", "content": prompt.system}, {"role": "user", "content": prompt.user}],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "rate", "schema": strict_schema(RateImportance.reply_type)},
        },
    }
    gate = asyncio.Semaphore(at_once)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as session:

        async def one() -> None:
            async with gate, session.post(f"{url}/chat/completions", json=body) as answer:
                await answer.json()

        await asyncio.gather(*(one() for _ in range(at_once)))
        began, busy = time.perf_counter(), time.process_time()
        await asyncio.gather(*(one() for _ in range(calls)))
        return calls / (time.perf_counter() - began), 1000 * (time.process_time() - busy) / calls


def main(calls: int = 2000, at_once: int = AT_ONCE, rounds: int = 1) -> None:
    """Measures and prints."""
    context = multiprocessing.get_context("spawn")
    ready, stop = context.Queue(), context.Event()
    server = context.Process(target=serve, args=(ready, stop), daemon=True)
    server.start()
    url = ready.get(timeout=30)
    try:
        print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; {calls} calls of {DELAY} s, {at_once} at once")
        print("| through | calls/s | processor ms a call |\n|---|---|---|")
        ways = {"the adapter": through_the_adapter, "aiohttp alone": through_aiohttp}
        found: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
        for _ in range(rounds):
            for name, measure in ways.items():
                found[name].append(asyncio.run(measure(url, calls, at_once)))
        for name, figures in found.items():
            rates, busy = zip(*figures, strict=True)
            spread = f" ({min(rates):.0f}-{max(rates):.0f})" if rounds > 1 else ""
            print(f"| {name} | {statistics.median(rates):.0f}{spread} | {statistics.median(busy):.2f} |")
        print(f"load {os.getloadavg()[0]:.1f} afterwards")
    finally:
        stop.set()
        server.join(5)


if __name__ == "__main__":
    main(*(int(argument) for argument in sys.argv[1:]))
