"""The independent verifier of a town's run: what is on file must belong together before what was owed is scored.

    judge_run(folder) -> Judgement      "met" (all that was owed), "missed" (some of it), "none" (nothing owed, or nothing
                                        missed and something that this run can't tell), or "invalid"

Asks no mind, no engine and no provider, and opens the run file read-only by itself. It recomputes the digest from the
rows; follows every body from tile to tile; looks up every reason, every retrieved and every shown record, and whether it
was there to be remembered; compares what was shown with the question that was really asked; and scores what was owed anew.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from simulation.measures.obligations import score
from simulation.storing.schema import DIGESTED
from studies.packages.judging import Judgement
from studies.packages.sealing import RECEIPT, Problem

RUN = "run.town"
FILES = ("manifest.json", "final.json", "attempts.jsonl", "selections.jsonl", RUN)
ATTEMPTS = (
    "resident", "step", "operation", "n", "model", "request_hash", "attempts", "tokens_in", "tokens_out", "fallback", "repaired",
)  # fmt: skip
SELECTIONS = ("resident", "step", "n", "call", "selector", "considered", "shown", "omitted", "bytes", "tokens")
REASONS = {"records": "memories", "retrievals": "retrievals", "calls": "calls"}
_MOVES = {"E": (1, 0), "W": (-1, 0), "S": (0, 1), "N": (0, -1), ".": (0, 0)}


def judge_run(folder: Path) -> Judgement:
    """Judges a package whose hashes hold."""
    odd = [Problem(name, "missing") for name in FILES if not (folder / name).is_file()]
    odd += [Problem(one.name, "extra") for one in sorted(folder.iterdir()) if one.name not in (*FILES, RECEIPT)]
    if odd:
        return Judgement("invalid", tuple(odd), {})
    try:
        with closing(sqlite3.connect(f"{(folder / RUN).resolve().as_uri()}?mode=ro&immutable=1", uri=True)) as database:
            return _Judge(folder, database).judge()
    except sqlite3.DatabaseError:
        return Judgement("invalid", (Problem(RUN, "unreadable_run"),), {})
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, LookupError, zlib.error):
        return Judgement("invalid", (Problem("manifest.json", "shape"),), {})


class _Judge:
    """One package under judgement."""

    def __init__(self, folder: Path, database: sqlite3.Connection) -> None:
        self._database = database
        self.manifest: dict[str, Any] = json.loads((folder / "manifest.json").read_bytes())
        self.final: dict[str, Any] = json.loads((folder / "final.json").read_bytes())
        self.attempts = [json.loads(line) for line in (folder / "attempts.jsonl").read_bytes().splitlines()]
        self.selections = [json.loads(line) for line in (folder / "selections.jsonl").read_bytes().splitlines()]
        self.meta: dict[str, str] = dict(self.rows("SELECT key, value FROM meta"))
        self.committed = int(self.meta["committed"])
        self.known: dict[str, set[str]] = {}

    def rows(self, sql: str, parameters: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
        """Rows of the run file."""
        return self._database.execute(sql, parameters).fetchall()

    def judge(self) -> Judgement:
        """Everything, file by file, then the score."""
        ids = "resident || '/' || step || '/' || n"
        for table in ("memories", "retrievals"):
            self.known[table] = {row[0] for row in self.rows(f"SELECT {ids} FROM {table}")}
        self.known["calls"] = {
            row[0] for row in self.rows("SELECT resident || '/' || step || '/' || operation || '/' || n FROM calls")
        }
        problems = [*self._manifest(), *self._bodies(), *self._reasons(), *self._words(), *self._recalled(), *self._shown()]
        problems += [*self._told("attempts.jsonl", self.attempts, ATTEMPTS, "calls ORDER BY step, resident, operation, n")]
        problems += [*self._told("selections.jsonl", self.selections, SELECTIONS, "exposures ORDER BY step, resident, n")]
        owed = {one.name: one.as_json() for one in score(self.rows, self.meta)}
        complete = self.committed >= int(self.meta["planned"])
        for key, found in (("obligations", owed), ("complete", complete), ("committed", self.committed)):
            if self.final[key] != found:
                problems.append(Problem("final.json", "final", {"key": key, "said": self.final[key], "found": found}))
        verdicts = [one["verdict"] for one in owed.values()]
        facts = {
            "scenario": self.meta["scenario"], "seed": self.meta["seed"], "steps": self.committed, "owed": len(verdicts),
            "met": verdicts.count("met"), "missed": verdicts.count("missed"), "unscored": verdicts.count("invalid"),
            "obligations": {name: one["verdict"] for name, one in owed.items()},
        }  # fmt: skip
        if not complete:
            fields = {"made": self.committed, "of": int(self.meta["planned"])}
            problems.append(Problem("final.json", "unfinished", fields))
        if problems:
            return Judgement("invalid", tuple(problems), facts)
        met = bool(verdicts) and facts["met"] == len(verdicts)
        return Judgement("met" if met else "missed" if facts["missed"] else "none", (), facts)

    def _manifest(self) -> Iterator[Problem]:
        if self.manifest["digest"] != self._digest():
            yield Problem(RUN, "digest")
        for key, value in self.manifest["meta"].items():
            if self.meta.get(key) != value:
                yield Problem("manifest.json", "meta", {"key": key})
        settings = json.loads(self.meta["spec.scenario"])["settings"]
        if any(settings.get(key) != value for key, value in self.manifest["exposure"].items()):
            yield Problem("manifest.json", "meta", {"key": "exposure"})

    def _digest(self) -> str:
        """As `docs/run-file.md` describes it."""
        every = [
            (step, resident, table, n, rest)
            for table, select in DIGESTED.items()
            for step, resident, n, *rest in self.rows(f"SELECT * FROM ({select}) WHERE step < ?", (self.committed,))
        ]
        every.sort(key=lambda row: (*row[:4], str(row[4][0])))
        listed = [[table, step, resident, n, *rest] for step, resident, table, n, rest in every]
        return hashlib.sha256(json.dumps(listed, ensure_ascii=False, separators=(",", ":"))[1:-1].encode()).hexdigest()

    def _bodies(self) -> Iterator[Problem]:
        """Each path begins on the tile to which the one before had led by then."""
        jumped = {row[0] for row in self.rows("SELECT name FROM comings")}
        last: dict[str, tuple[int, int, int, str]] = {}
        for name, step, x, y, path in self.rows("SELECT resident, step, x, y, path FROM moves ORDER BY resident, step, n"):
            if name in last and name not in jumped:
                start, was_x, was_y, led = last[name]
                for letter in led[: step - start]:  # a path may be broken off by the next
                    was_x, was_y = was_x + _MOVES[letter][0], was_y + _MOVES[letter][1]
                if step < start or (x, y) != (was_x, was_y):
                    yield Problem(RUN, "body", {"who": name, "step": step})
            last[name] = (step, x, y, path)

    def _reasons(self) -> Iterator[Problem]:
        """Every reason of an act or an utterance is on file, and no later than what it is the reason of."""
        for table in ("acts", "utterances"):
            columns = ", ".join(REASONS)
            for resident, step, n, *cells in self.rows(
                f"SELECT resident, step, n, {columns} FROM {table} WHERE step < ?", (self.committed,)
            ):
                for name, cell in zip(REASONS.values(), cells, strict=True):
                    for reason in json.loads(cell):
                        when = int(reason.rsplit("/", 3)[1] if name == "calls" else reason.rsplit("/", 2)[1])
                        if reason not in self.known[name] or when > step:
                            yield Problem(RUN, "cause", {"id": f"{resident}/{step}/{n}", "reason": reason})

    def _words(self) -> Iterator[Problem]:
        """Words that came of a question are the answer's."""
        replies = dict(
            self.rows("SELECT resident || '/' || step || '/' || operation || '/' || n, reply FROM calls WHERE operation = 'say'")
        )
        for resident, step, n, text, call in self.rows(
            "SELECT resident, step, n, text, call FROM utterances WHERE call IS NOT NULL AND step < ?", (self.committed,)
        ):
            reply = replies.get(call)
            if reply is not None and json.loads(reply).get("text") != text:
                yield Problem(RUN, "words", {"id": f"{resident}/{step}/{n}"})

    def _recalled(self) -> Iterator[Problem]:
        """What was retrieved was there to be remembered, and nothing is both chosen and left out."""
        for resident, step, n, chosen, left in self.rows(
            "SELECT resident, step, n, chosen, left_out FROM retrievals WHERE step < ?", (self.committed,)
        ):
            took, gave = ({(row[0], row[1]) for row in json.loads(cell)} for cell in (chosen, left))
            there = all(at < step and f"{resident}/{at}/{i}" in self.known["memories"] for at, i in took | gave)
            if not there or took & gave:
                yield Problem(RUN, "retrieval", {"id": f"{resident}/{step}/{n}"})

    def _shown(self) -> Iterator[Problem]:
        """What was shown keeps the caps, accounts for all that was considered, and is what the question carried."""
        bounds = self.manifest["exposure"]
        most, size = bounds["max_records"], bounds["max_bytes"]
        for resident, step, n, call, selector, considered, shown, omitted, total in self.rows(
            "SELECT resident, step, n, call, selector, considered, shown, omitted, bytes FROM exposures WHERE step < ?",
            (self.committed,),
        ):
            ids, left = json.loads(shown), [one for one, _ in json.loads(omitted)]
            fits = (most is None or len(ids) <= most) and (size is None or total <= size)
            whole = len(ids) + len(left) == considered and not set(ids) & set(left)
            known = all(id in self.known["memories"] and int(id.rsplit("/", 2)[1]) <= step for id in (*ids, *left))
            if not (fits and whole and known and selector == (bounds["exposure"] or "weighted")):
                yield Problem(RUN, "exposure", {"id": f"{resident}/{step}/{n}"})
            carried = self._carried(call)
            if carried is not None and carried != set(ids):
                yield Problem(RUN, "question", {"id": f"{resident}/{step}/{n}"})

    def _carried(self, call: str) -> set[str] | None:
        """Ids of the recollections in a question that was kept as JSON; None for one kept as a prompt."""
        resident, step, operation, n = call.rsplit("/", 3)
        found = self.rows(
            "SELECT request FROM calls WHERE resident = ? AND step = ? AND operation = ? AND n = ?",
            (resident, step, operation, n),
        )
        try:
            asked = json.loads(zlib.decompress(found[0][0]))
        except (ValueError, IndexError, zlib.error):
            return None if found else set()
        if not isinstance(asked, dict):
            return None
        return {
            one["id"] for field in asked.values() if isinstance(field, list) for one in field
            if isinstance(one, dict) and "hours_ago" in one
        }  # fmt: skip

    def _told(self, file: str, told: list[dict[str, Any]], columns: tuple[str, ...], table: str) -> Iterator[Problem]:
        """The lines beside the run file are its rows."""
        found = self.rows(f"SELECT step, {', '.join(columns)} FROM {table}")
        rows = [dict(zip(columns, row[1:], strict=True)) for row in found if row[0] < self.committed]
        if told != rows:
            yield Problem(file, "rows")
