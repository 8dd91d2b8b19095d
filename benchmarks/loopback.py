"""Whether virtual time tells the truth: the same lives against a real server on 127.0.0.1.

    python -m benchmarks.loopback [SCALE]

A process of its own answers HTTP after the seconds that a question asks for; the real event loop waits for it. What that takes is
compared with virtual seconds and the scheduler's processor seconds added: they should agree within 5 %. Latencies are taken times
SCALE (0.1), so that a quiet hour of 25 residents takes half a minute. On a busy machine the processes wait for each other: the
load is printed.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import sys
import time
from multiprocessing.connection import Connection

from benchmarks.ahead import HOUR, QUIET, day
from benchmarks.modes import race_of, replay
from benchmarks.virtual import LATENCIES, Request, Slots


async def _serve(told: Connection) -> None:
    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).split(b" ", 2)
                await asyncio.sleep(float(head[1].rpartition(b"/")[2]))
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(handle, "127.0.0.1", 0, backlog=1024)
    told.send(server.sockets[0].getsockname()[1])
    async with server:
        await server.serve_forever()


def serve(told: Connection) -> None:
    """The server's process; tells its port."""
    asyncio.run(_serve(told))


class Served(Slots):
    """Answers come from the server on `port`; connections are kept."""

    port = 0

    async def answer(self, request: Request) -> None:
        """Comes back when the server has answered."""
        if not hasattr(self, "idle"):
            self.idle: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
        takes = self.seconds(request)
        self.busy += takes
        self.calls += 1
        reader, writer = self.idle.pop() if self.idle else await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(f"GET /{takes:.6f} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        await reader.readuntil(b"ok")
        self.idle.append((reader, writer))

    async def close(self) -> None:
        """Closes the connections."""
        for _, writer in self.idle:
            writer.close()
            await writer.wait_closed()


def compare(scale: float, mode: str = "ooo", seed: int = 0) -> tuple[float, float, float]:
    """-> seconds against the server, virtual seconds, the scheduler's processor seconds."""
    trace = day(seed, QUIET, HOUR)
    drawn = LATENCIES["lognormal"](seed)
    lived = replay(trace, mode, Slots(lambda request: scale * drawn(request)))
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs,), daemon=True)
    process.start()
    try:
        slots = Served(lambda request: scale * drawn(request))
        slots.port = ours.recv()

        async def main() -> float:
            race = race_of(trace, mode, slots)
            began = time.perf_counter()
            await race.run()
            took = time.perf_counter() - began
            await slots.close()
            return took

        return asyncio.run(main()), lived.seconds, lived.processor
    finally:
        process.terminate()
        process.join()


def main(scale: float = 0.1) -> None:
    """Prints both, and how far they are apart."""
    for mode in ("sync", "ooo"):
        real, virtual, processor = compare(scale, mode)
        off = real / (virtual + processor) - 1
        print(
            f"{mode:5} served {real:7.2f} s   virtual {virtual:7.2f} s + processor {processor:5.2f} s   {100 * off:+.1f} %"
            f"   (load {os.getloadavg()[0]:.1f})"
        )


if __name__ == "__main__":
    main(*map(float, sys.argv[1:]))
