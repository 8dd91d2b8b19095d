"""A town on a server that does everything wrong: is anything lost, and is each failure counted?

    python -m benchmarks.model_faults [SCENARIO] [DAYS] [--seed N] [--share 0.1] [--out RUN]        valentine, 1 day

A server on this machine, in a process of its own, answers 429, 500, garbage, half a body, nothing at all, or hangs, each to a
tenth of all requests at random; of the answers that come, some are fenced, some broken, some cut short. Printed are what the
server did beside what the report counts, what became of each operation's questions, and whether anything is missing: requests
on file, everybody's days without a gap, the file whole, the same life again from the calls on file. Exit code
1 when something is.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.loopback_server import TROUBLES, LoopbackServer, careless, troubles
from kernel import UserMistake
from language import OpenAICompatible
from language.servers import Server
from simulation.compose import read_blueprint
from simulation.measures.reading import Reading
from simulation.measures.report import report_data
from simulation.replaying import verify
from simulation.run import Result, start
from simulation.storing.runfile import RunFile

SHARE = 0.1
TIMEOUT = 0.2
"""Seconds after which a server that hangs is given up; answers take a fiftieth of that. On a busy machine a few tries more than
those that hang may time out."""
FIRST_WAIT = 0.02
"""Seconds before a second try; half a second against real servers."""
BETWEEN = 6
"""Steps that may pass between two acts."""
COUNTED_AS = {"429": "429", "500": "500", "garbage": "garbage", "half": "cut off", "nothing": "cut off", "hang": "timeout"}
MODEL = "openai:m"


def serve(ready: Any, stop: Any, seed: int, share: float) -> None:
    """The bad server; tells its address, and at the end what it did."""
    with LoopbackServer(careless, trouble=troubles(seed, share), keep=False) as server:
        ready.put(server.base_url)
        stop.wait()
        ready.put(dict(server.counts))


def live(scenario: str, days: float, seed: int, share: float, path: Path) -> tuple[Result, dict[str, int]]:
    """The run's result, and how often the server did what."""
    context = multiprocessing.get_context("spawn")
    ready, stop = context.Queue(), context.Event()
    process = context.Process(target=serve, args=(ready, stop, seed, share), daemon=True)
    process.start()
    try:
        server = Server(base_url=ready.get(timeout=30), timeout=TIMEOUT)
        blueprint = read_blueprint(scenario, days=days, seed=seed, model=MODEL)
        result = start(blueprint, path, models={MODEL: OpenAICompatible("m", server=server, first_wait=FIRST_WAIT)})
        stop.set()
        return result, ready.get(timeout=30)
    finally:
        stop.set()
        process.join(10)


def by_kind(did: dict[str, int], told: Counter[str]) -> list[str]:
    """What the server did beside what the report counts."""
    lines = ["| the server | requests | the report's cause | counted |", "|---|---|---|---|"]
    causes = dict.fromkeys(COUNTED_AS.values())
    for cause in causes:
        kinds = [kind for kind in TROUBLES if COUNTED_AS[kind] == cause]
        done = " + ".join(str(did.get(kind, 0)) for kind in kinds)
        lines.append(f"| {', '.join(kinds)} | {done} | {cause} | {told[cause]} |")
    for cause in sorted(set(told) - set(causes)):
        lines.append(f"| (a reply that can't be used) | | {cause} | {told[cause]} |")
    lines.append(f"| answered | {did.get('good', 0)} | | |")
    return lines


def by_operation(run: RunFile, calls: dict[str, Any]) -> list[str]:
    """What became of the questions of each operation, and what went wrong on the way."""
    rows = run.rows(
        "SELECT operation, COUNT(*), SUM(attempts = 1 AND NOT repaired AND fallback IS NULL),"
        " SUM(attempts = 1 AND repaired AND fallback IS NULL), SUM(attempts > 1 AND fallback IS NULL), COUNT(fallback)"
        " FROM calls GROUP BY 1 ORDER BY 2 DESC"
    )
    causes = list(dict.fromkeys([*COUNTED_AS.values(), "invalid"]))
    figures = [(*row, calls[row[0]]["sent"], *(calls[row[0]]["troubles"].get(cause, 0) for cause in causes)) for row in rows]
    figures.append(("all", *(sum(row[i] for row in figures) for i in range(1, 7 + len(causes)))))
    head = ("operation", "calls", "as they came", "repaired", "asked again", "fallen back", "requests", *causes)
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for name, count, *became in figures:
        shares = [f"{100 * n / max(1, count):.1f} %" for n in became[:4]]
        lines.append(f"| {' | '.join([name, str(count), *shares, *map(str, became[4:])])} |")
    return lines


def gaps(reading: Reading) -> list[str]:
    """Whose life has a hole, and when: steps in which a resident does nothing that is on file."""
    run, clock, found = reading.run, reading.clock, []
    ends: dict[str, int] = dict(run.rows("SELECT act, step FROM act_ends"))
    for (name,) in run.rows("SELECT name FROM residents ORDER BY position"):
        reached = 0
        for step, n, until in run.rows("SELECT step, n, until FROM acts WHERE resident = ? ORDER BY step, n", (name,)):
            if step > reached + BETWEEN:
                found.append(f"{name} {clock.at(reached):%d %H:%M}-{clock.at(step):%H:%M}")
            reached = ends.get(f"{name}/{step}/{n}", until)
        if reached + BETWEEN < reading.committed:
            found.append(f"{name} from {clock.at(reached):%d %H:%M}")
    return found


def main(arguments: list[str]) -> int:
    """Lives, prints, judges."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.model_faults")
    parser.add_argument("scenario", nargs="?", default="valentine")
    parser.add_argument("days", nargs="?", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--share", type=float, default=SHARE, help="of all requests, for each kind of trouble (0: none)")
    parser.add_argument("--out", type=Path)
    told = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        try:
            return judged(told.scenario, told.days, told.seed, told.share, told.out or Path(folder) / "faults.town")
        except UserMistake as error:
            parser.error(error.sentence())


def judged(scenario: str, days: float, seed: int, share: float, path: Path) -> int:
    """Lives, prints, and says whether anything is missing."""
    result, did = live(scenario, days, seed, share, path)
    print(
        f"{scenario}: {result.residents} residents, {result.steps} steps, {result.game_days:g} days, {result.wall_seconds:.0f} s,"
        f" {time.process_time():.0f} s of a processor,"
        f" load {os.getloadavg()[0]:.1f}; evidence: model (scripted); {result.notice or 'to the end'}\n"
    )
    with RunFile.open(path) as run:
        data = report_data(run)
        causes: Counter[str] = Counter()
        for row in data["calls"].values():
            causes.update(row["troubles"])
        print("\n".join([*by_kind(did, causes), "", *by_operation(run, data["calls"]), ""]))
        late = causes["timeout"] - did.get("hang", 0)  # answers that this machine was too busy to take in time
        missing = {
            cause: sum(did.get(kind, 0) for kind, name in COUNTED_AS.items() if name == cause) - causes[cause]
            for cause in set(COUNTED_AS.values()) - {"timeout"}
        }
        sent = sum(row["sent"] for row in data["calls"].values())
        holes = gaps(Reading(run))
        whole = run.rows("PRAGMA integrity_check")[0][0]
        print(f"oddities: {', '.join(f'{kind} {n}' for kind, n in data['oddities'].items() if n) or 'none'}")
        checks = {
            f"lived to the end ({result.steps} steps)": not result.interrupted and not result.exit_code,
            f"every request is on file ({sent} of {sum(did.values())})": sent == sum(did.values()),
            "every failure is counted by its cause": all(0 <= short <= max(0, late) for short in missing.values()),
            f"no more than a few answers came too late for this machine ({late})": 0 <= late <= 2 + sum(did.values()) // 500,
            f"nobody's life has a hole ({', '.join(holes) or 'none'})": not holes,
            f"no resident's mind failed ({data['failures']})": data["failures"] == 0,
            f"the file is whole ({whole})": whole == "ok",
        }
    again = verify(path)
    checks[f"the same life again from the calls on file ({again.digest[:12]})"] = again.same
    print("\n".join(f"{'yes' if good else 'NO '}  {what}" for what, good in checks.items()))
    return 0 if all(checks.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
