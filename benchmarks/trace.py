"""What residents did and asked, recorded from a run of ours: the workload of `benchmarks.ahead`.

    Trace     where everybody stood at every step, and the calls of each resident-step
    record    a run file -> a Trace          load, TRACES   those that come with the benchmarks
    window    some hours of a trace          tiled, overlaid, crowd, unmerged   other workloads made of traces

    python -m benchmarks.trace RUN OUT       records one

Tokens of a call: the mean of its operation (`simulation/model_statistics.yaml`, counted in real prompts), more or less as the
recorded request and reply are longer or shorter than the operation's mean. The runs are offline ones: what was asked and when is
ours; no latency is recorded, latencies are `benchmarks.virtual`'s.
"""

from __future__ import annotations

import sqlite3
import sys
import zlib
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import yaml

from benchmarks.virtual import Request

FOLDER = Path(__file__).with_name("traces")
TRACES = tuple(sorted(path.stem for path in FOLDER.glob("*.npz")))
WAYS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


@dataclass(frozen=True)
class Trace:
    """`tiles`: int16 [resident, step, x and y], one step more than `steps`; `calls`: [call, (resident, step, n, tokens_in,
    tokens_out, rank of the operation)], in order of resident, step, n; `town`: which copy of the map each resident lives on."""

    map: str
    tiles: npt.NDArray[np.int16]
    calls: npt.NDArray[np.int32]
    operations: tuple[str, ...]
    town: npt.NDArray[np.int32]

    @property
    def residents(self) -> int:
        """How many."""
        return len(self.tiles)

    @property
    def steps(self) -> int:
        """How many steps are lived."""
        return self.tiles.shape[1] - 1

    def chains(self) -> dict[tuple[int, int], list[tuple[Request, str]]]:
        """(resident, step) -> its calls, one after another, with their operations."""
        found: dict[tuple[int, int], list[tuple[Request, str]]] = defaultdict(list)
        for resident, step, n, tokens_in, tokens_out, rank in self.calls.tolist():
            found[resident, step].append((Request(resident, step, n, tokens_in, tokens_out), self.operations[rank]))
        return dict(found)

    def save(self, path: Path) -> None:
        """Positions as changes, which compress well."""
        changes = np.diff(self.tiles, axis=1, prepend=0)
        np.savez_compressed(
            path, map=self.map, changes=changes, calls=self.calls, operations=np.array(self.operations), town=self.town
        )


def load(name: str) -> Trace:
    """One of `TRACES`."""
    with np.load(FOLDER / f"{name}.npz") as kept:
        tiles = kept["changes"].cumsum(axis=1, dtype=np.int16)
        return Trace(str(kept["map"]), tiles, kept["calls"], tuple(kept["operations"].tolist()), kept["town"])


def record(path: Path) -> Trace:
    """Of a whole run. The file is only read."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as db:
        meta = dict(db.execute("SELECT key, value FROM meta"))
        names = [name for (name,) in db.execute("SELECT name FROM residents ORDER BY position")]
        steps = int(meta["committed"])
        tiles = np.zeros((len(names), steps + 1, 2), dtype=np.int16)
        index = {name: n for n, name in enumerate(names)}
        for name, step, x, y, ways in db.execute("SELECT resident, step, x, y, path FROM moves ORDER BY resident, step, n"):
            at, (i, j) = step, (x, y)
            tiles[index[name], at:] = i, j
            for way in ways[: max(0, steps - step)]:
                at, i, j = at + 1, i + WAYS[way][0], j + WAYS[way][1]
                tiles[index[name], at:] = i, j
        rows = db.execute("SELECT resident, step, operation, request, reply FROM calls ORDER BY rowid").fetchall()
    db.close()
    lengths = defaultdict(list)
    asked = []
    for name, step, operation, request, reply in rows:
        sizes = len(zlib.decompress(request)), len(reply)
        lengths[operation].append(sizes)
        asked.append((index[name], step, operation, *sizes))
    means = {operation: tuple(np.mean(sizes, axis=0)) for operation, sizes in lengths.items()}
    source = Path(__file__).parents[1] / "simulation" / "model_statistics.yaml"
    usual = yaml.safe_load(source.read_text())["scenarios"]["valentine"]["operations"]
    operations = tuple(sorted(means))
    counted: dict[tuple[int, int], int] = defaultdict(int)
    calls = []
    for resident, step, operation, size_in, size_out in asked:
        mean_in, mean_out = means[operation]
        tokens_in = round(usual[operation]["tokens_in"] + (size_in - mean_in) / 4)
        tokens_out = round(usual[operation]["tokens_out"] * size_out / mean_out)
        n = counted[resident, step]
        counted[resident, step] += 1
        calls.append((resident, step, n, max(tokens_in, 100), max(tokens_out, 5), operations.index(operation)))
    # Stable: the calls of a resident-step stay in the order in which they were made.
    calls.sort(key=lambda call: call[:2])
    return Trace(_map_of(meta), tiles, np.array(calls, dtype=np.int32), operations, np.zeros(len(names), dtype=np.int32))


def _map_of(meta: dict[str, str]) -> str:
    return {"valentine": "the_ville"}.get(meta["scenario"], meta["scenario"])


def window(trace: Trace, start: int, steps: int) -> Trace:
    """`steps` from `start` on."""
    asked = trace.calls[(trace.calls[:, 1] >= start) & (trace.calls[:, 1] < start + steps)].copy()
    asked[:, 1] -= start
    return replace(trace, tiles=trace.tiles[:, start : start + steps + 1], calls=asked)


def _together(traces: list[Trace], residents: int, *, apart: bool) -> Trace:
    tiles, calls, towns, found = [], [], [], 0
    for n, trace in enumerate(traces):
        few = min(trace.residents, residents - found)
        asked = trace.calls[trace.calls[:, 0] < few].copy()
        asked[:, 0] += found
        tiles.append(trace.tiles[:few])
        calls.append(asked)
        towns.append(np.full(few, n if apart else 0, dtype=np.int32))
        found += few
    return replace(traces[0], tiles=np.concatenate(tiles), calls=np.concatenate(calls), town=np.concatenate(towns))


def tiled(traces: list[Trace], residents: int) -> Trace:
    """Copies of the map side by side, nobody walks from one to another (AI Metropolis's way to larger towns)."""
    count = -(-residents // traces[0].residents)
    return _together([traces[n % len(traces)] for n in range(count)], residents, apart=True)


def overlaid(traces: list[Trace], residents: int) -> Trace:
    """All on one map: several lives of the town at once, so that everybody has more people about."""
    count = -(-residents // traces[0].residents)
    return _together([traces[n % len(traces)] for n in range(count)], residents, apart=False)


def unmerged(trace: Trace, operation: str = "settle", calls: int = 9) -> Trace:
    """As if where and how to do something were asked in nine calls one after another, as Generative Agents do, not in one.

    Each reads what the one read and writes its share.
    """
    rank = trace.operations.index(operation)
    rows = []
    for resident, step, _, tokens_in, tokens_out, which in trace.calls.tolist():
        count = calls if which == rank else 1
        rows += [[resident, step, 0, tokens_in, max(5, tokens_out // count), which]] * count
    changed = np.array(rows, dtype=np.int32)
    same = np.concatenate([[False], (changed[1:, :2] == changed[:-1, :2]).all(axis=1)])
    order = np.arange(len(changed))
    changed[:, 2] = order - np.maximum.accumulate(np.where(same, 0, order))
    return replace(trace, calls=changed)


def crowd(trace: Trace, tile: tuple[int, int]) -> Trace:
    """Everybody stands on one tile and asks what they asked: nobody can be ahead of anybody."""
    tiles = np.empty_like(trace.tiles)
    tiles[:] = tile
    return replace(trace, tiles=tiles)


if __name__ == "__main__":
    record(Path(sys.argv[1])).save(Path(sys.argv[2]))
