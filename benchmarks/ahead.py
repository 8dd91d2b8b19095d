"""Out of order against lock-step, AI Metropolis's rule and hindsight: recorded lives, virtual time.

    python -m benchmarks.ahead [WORKLOAD ...] [--seeds N] [--json FILE]     without a name: the quick ones

Seed s lives day s % 2 of run s // 2 % 4 (`benchmarks.trace`) with latencies drawn by s: 0.08 s + 0.2 ms per token read + 33 ms
per token written, lognormal with sigma 0.5; from seed 8 on days repeat with other latencies. Ratios are paired by seed: geometric
mean and 95 % bootstrap interval. `sync` is lock-step as built; `sync apart` one that doesn't wait either for what only the mind
itself reads; `in a row` ours with calls one after another and everybody waiting for all of them. `at once`: the answering time of
all calls divided by the time the town took. `--json` adds to the file what was measured, by workload and radius.

Virtual time, our workload, against our version of their rule: never their graphics cards' seconds.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from benchmarks.modes import bound, lock_step, oracle, replay, think_times
from benchmarks.trace import TRACES, Trace, crowd, load, overlaid, tiled, unmerged, window
from benchmarks.virtual import LATENCIES, Slots, geometric_mean, interval

HOUR = 360
DAY = 24 * HOUR
BUSY, QUIET = 12 * HOUR, 6 * HOUR
HALL = (47, 33)
"""A tile of a room that can hold a crowd."""
RESULTS = Path(__file__).with_name("results")
HEADING = "virtual time; our workload; against our version of their rule"
RADII = (4, 8)


@cache
def _run(name: str) -> Trace:
    return load(name)


def day(seed: int, start: int = 0, steps: int = DAY) -> Trace:
    """Some of a recorded day."""
    return window(_run(TRACES[seed // 2 % len(TRACES)]), seed % 2 * DAY + start, steps)


def days(seed: int, start: int, steps: int = HOUR) -> list[Trace]:
    """The same hours of all recorded days, another first for each seed."""
    count = 2 * len(TRACES)
    return [day((seed + n) % count, start, steps) for n in range(count)]


@dataclass(frozen=True)
class Workload:
    """`make` a trace of a seed; `slots`: calls at once; `seeds` at most; `checked`: counts violations for so many seeds."""

    what: str
    make: Callable[[int], Trace]
    slots: int | None = None
    seeds: int = 10
    checked: int = 10
    quick: bool = False


WORKLOADS = {
    "day": Workload("W1  25 residents, whole day", day, checked=2),
    "busy": Workload("W2  25 residents, 12:00-13:00", lambda s: day(s, BUSY, HOUR), quick=True),
    "quiet": Workload("W3  25 residents, 6:00-7:00", lambda s: day(s, QUIET, HOUR), quick=True),
    "tiled-100-busy": Workload("W4  100 on 4 copies of the map, 12:00", lambda s: tiled(days(s, BUSY), 100), None, 10, 2),
    "tiled-500-busy": Workload("W4  500 on 20 copies, 12:00, 256 slots", lambda s: tiled(days(s, BUSY), 500), 256, 10, 1),
    "tiled-500-quiet": Workload("W4  500 on 20 copies, 6:00, 256 slots", lambda s: tiled(days(s, QUIET), 500), 256, 10, 1),
    "tiled-1000-busy": Workload("W4  1,000 on 40 copies, 12:00, 256 slots", lambda s: tiled(days(s, BUSY), 1000), 256, 10, 0),
    "one-100-busy": Workload("W5  100 in one town, 12:00", lambda s: overlaid(days(s, BUSY), 100), None, 10, 2),
    "one-200-busy": Workload("W5  200 in one town, 12:00", lambda s: overlaid(days(s, BUSY), 200), None, 10, 1),
    "busy-nine-calls": Workload("W2  the same, nine calls a decision", lambda s: unmerged(day(s, BUSY, HOUR))),
    "quiet-nine-calls": Workload("W3  the same, nine calls a decision", lambda s: unmerged(day(s, QUIET, HOUR))),
    "crowd": Workload("W6  25 in one hall, 12:00", lambda s: crowd(day(s, BUSY, HOUR), HALL), quick=True),
}


def measure(load_: Workload, radius: int, seeds: int) -> dict[str, list[float]]:
    """One list over the seeds for each figure."""
    found: dict[str, list[float]] = {}
    for seed in range(min(seeds, load_.seeds)):
        trace = load_.make(seed)
        seconds = LATENCIES["lognormal"](seed)

        def slots() -> Slots:
            return Slots(seconds, load_.slots)  # noqa: B023

        times, row = think_times(trace, slots()), think_times(trace, slots(), "row").whole
        checked = seed < load_.checked
        ours = replay(trace, "ooo", slots(), radius=radius, checked=checked)
        in_a_row = replay(trace, "ooo", slots(), radius=radius, calls="row")
        theirs = replay(trace, "aim", slots(), radius=radius, checked=checked)
        if load_.slots is None:
            together, apart = lock_step(think_times(trace, slots(), "graph")), lock_step(times)
        else:  # has to be lived
            together, apart = (replay(trace, "sync", slots(), calls=calls).seconds for calls in ("graph", "apart"))
        work = row.sum() / load_.slots if load_.slots is not None else 0.0
        figures = {
            "single": float(row.sum()), "sync": together, "sync apart": apart, "aim": theirs.seconds, "ooo": ours.seconds,
            "ooo in a row": in_a_row.seconds,
            "oracle": max(oracle(trace, times, radius), work), "bound": max(bound(trace, times, radius), work),
            "at_once": ours.busy / ours.seconds, "violations": ours.violations, "violations_aim": theirs.violations,
            "checked": ours.checked if checked else 0, "lead": ours.lead,
            "microseconds": 1e6 * ours.processor / (trace.residents * trace.steps) if not checked else 0.0,
        }  # fmt: skip
        for name, value in figures.items():
            found.setdefault(name, []).append(float(value))
    return found


RATIOS = {
    "sync/ooo": ("sync", "ooo"), "sync apart/ooo": ("sync apart", "ooo"), "in a row/ooo": ("ooo in a row", "ooo"),
    "single/ooo": ("single", "ooo"), "aim/ooo": ("aim", "ooo"), "sync/aim": ("sync", "aim"), "of oracle": ("oracle", "ooo"),
    "of bound": ("bound", "ooo"), "sync/bound": ("sync", "bound"),
}  # fmt: skip


def ratios(found: dict[str, list[float]]) -> dict[str, tuple[float, float, float, float]]:
    """Name -> geometric mean, its interval, the least."""
    out = {}
    for name, (one, other) in RATIOS.items():
        paired = [a / b for a, b in zip(found[one], found[other], strict=True)]
        out[name] = (geometric_mean(paired), *interval(paired), min(paired))
    return out


def row(load_: Workload, radius: int, found: dict[str, list[float]]) -> str:
    """A row of the table."""
    means = ratios(found)
    three = (means[name] for name in ("sync/ooo", "sync apart/ooo", "aim/ooo"))
    cells = [f"{mean:5.2f} [{low:.2f}, {high:.2f}]" for mean, low, high, _ in three]
    rest = [
        f"{means['in a row/ooo'][0]:5.2f}",
        f"{means['single/ooo'][0]:6.1f}",
        *(f"{100 * means[name][0]:5.0f} %" for name in ("of oracle", "of bound")),
    ]
    at_once = sum(found["at_once"]) / len(found["at_once"])
    violations = f"{sum(found['violations']):.0f} / {sum(found['violations_aim']):.0f}" if sum(found["checked"]) else "-"
    head = f"{load_.what:42} {radius}  {len(found['ooo']):2}"
    return "  ".join([head, *cells, *rest, f"{means['sync/bound'][0]:5.2f}", f"{at_once:6.1f}", f"{violations:>8}"])


TITLE = (
    f"{'':42} r  n   {'sync/ooo':18}  {'sync apart/ooo':18}  {'aim/ooo':18}  in a row  single/ooo  oracle   bound"
    "  sync/bound at once  violations (ours / aim's)"
)


def overhead(residents: Sequence[int] = (25, 100, 500)) -> dict[str, float]:
    """W7: processor time of the scheduler per resident-step when nobody asks anything, microseconds; the best of three."""
    out = {}
    for count in residents:
        trace = tiled(days(0, BUSY), count)
        silent = replace(trace, calls=trace.calls[:0])
        lived = [replay(silent, "ooo", Slots(LATENCIES["zero"](0))).processor for _ in range(3)]
        out[f"{count} residents"] = 1e6 * min(lived) / (silent.residents * silent.steps)
    return out


def main(arguments: Sequence[str] = ()) -> None:
    """Measures and prints; adds to the file of `--json`."""
    words = list(arguments)
    seeds, path = 10, None
    for option in ("--seeds", "--json"):
        if option in words:
            at = words.index(option)
            value = words[at + 1]
            del words[at : at + 2]
            seeds, path = (int(value), path) if option == "--seeds" else (seeds, Path(value))
    chosen = words or [name for name, one in WORKLOADS.items() if one.quick]
    kept = json.loads(path.read_text()) if path is not None and path.exists() else {}
    print(f"{HEADING}\n{TITLE}", flush=True)
    for name in chosen:
        if name == "overhead":
            continue
        for radius in RADII:
            found = measure(WORKLOADS[name], radius, seeds)
            print(row(WORKLOADS[name], radius, found), flush=True)
            kept[f"{name}/r{radius}"] = {"ratios": ratios(found), "seconds": found}
            _keep(path, kept)  # at once: the largest take long
    if not words or "overhead" in words:
        kept["overhead"] = overhead()
        load1 = os.getloadavg()[0]
        print(f"\nW7  nobody asks: processor microseconds per resident-step (load {load1:.1f})")
        for count, each in kept["overhead"].items():
            print(f"    {count:14} {each:6.1f}")
        _keep(path, kept)


def _keep(path: Path | None, kept: dict[str, object]) -> None:
    if path is not None:
        path.write_text(json.dumps({**kept, "heading": HEADING}, indent=1, sort_keys=True) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
