"""The independent verifier of a catchment episode: what is on file must follow from itself before anything is scored.

    judge(files) -> Judgement      every correspondence that fails, by file; and the score

Shares no code with the policies, the selectors or the world's step, and calls no provider: it keeps its own books from
the rules in words (`docs/obligations.md`). It doesn't ask whether an action was a good one, or the policy's; it asks
whether this perception, these memories, this answer, this action and this next state belong together.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from studies.packages.sealing import RECEIPT, Problem

Row = dict[str, Any]
WORLD: Row = {
    "name": "catchment/1", "decisions": 16,
    "rules": {
        "reserve": 4, "effort": 1, "store": 2, "reserve_cap": 8, "effort_cap": 4, "store_cap": 8, "collect_cost": 1,
        "collect_most": 3, "clear_cost": 2, "rain": 3, "rain_after": [6, 9, 12], "upkeep": 2, "target": 5,
    },
}  # fmt: skip
"""The world by this name, written down a second time by hand."""
ROWS = ("journal", "requests", "selections", "archive", "actions", "observations")
FILES = ("manifest.json", "final.json", "attempts.jsonl", *(f"{name}.jsonl" for name in ROWS))
LAST = 16


@dataclass(frozen=True, slots=True)
class Judgement:
    """`verdict` "met", "missed" or "invalid"; `problems` why it is invalid; `facts` what was found, for the reader."""

    verdict: str
    problems: tuple[Problem, ...]
    facts: Mapping[str, Any]


def judge(files: Mapping[str, bytes]) -> Judgement:
    """Judges the files of one package, whose hashes hold."""
    try:
        return _judge(files)
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        return Judgement("invalid", (Problem("manifest.json", "shape"),), {})


def _judge(files: Mapping[str, bytes]) -> Judgement:
    odd = [Problem(name, "missing") for name in FILES if name not in files]
    odd += [Problem(name, "extra") for name in sorted(files) if name not in (*FILES, RECEIPT)]
    if odd:
        return Judgement("invalid", tuple(odd), {})
    read: dict[str, Any] = {}
    for name in FILES:
        try:
            read[name] = _lines(files[name]) if name.endswith(".jsonl") else json.loads(files[name])
        except ValueError:
            return Judgement("invalid", (Problem(name, "unreadable"),), {})
    problems: list[Problem] = []
    for name in FILES:
        try:
            problems += _CHECKS[name](_Book(read))
        except (KeyError, TypeError, AttributeError, IndexError, ValueError):
            problems.append(Problem(name, "shape"))
    book = _Book(read)
    made = len(book.rows["journal"])
    reserve = book.rows["journal"][-1]["after"]["reserve"] if made else WORLD["rules"]["reserve"]
    facts = {"episode": book.manifest["episode"], "decisions": made, "of": LAST, "final_reserve": reserve}
    if made < LAST or not book.final["complete"]:
        problems.append(Problem("final.json", "incomplete", {"made": made, "of": LAST, "why": str(book.final["failure"])}))
    if problems:
        return Judgement("invalid", tuple(problems), facts)
    return Judgement("met" if reserve >= WORLD["rules"]["target"] else "missed", (), facts)


class _Book:
    """The files of a package, read."""

    def __init__(self, read: Mapping[str, Any]) -> None:
        self.manifest: Row = read["manifest.json"]
        self.final: Row = read["final.json"]
        self.attempts: list[Row] = read["attempts.jsonl"]
        self.rows: dict[str, list[Row]] = {name: read[f"{name}.jsonl"] for name in ROWS}


def _lines(raw: bytes) -> list[Any]:
    return [json.loads(line) for line in raw.splitlines()]


def _text(value: object) -> str:
    """Canonical JSON. Values are compared in it, where 1, 1.0 and true are three different things."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _size(value: object) -> int:
    return len(_text(value).encode())


def _differ(one: object, other: object) -> bool:
    return _text(one) != _text(other)


# ---------------------------------------------------------------- one check per file; each yields what doesn't hold


def _manifest(book: _Book) -> Iterator[Problem]:
    manifest = book.manifest
    if _differ(manifest["world"], WORLD):
        yield Problem("manifest.json", "world")
    selector = manifest["selector"]
    if selector["name"] not in ("recency", "priority") or (selector["max_records"], selector["max_bytes"]) != (2, 8192):
        yield Problem("manifest.json", "selector")
    if not (manifest["policy"]["name"] and manifest["episode"] and manifest["versions"]):
        yield Problem("manifest.json", "unnamed")


def _journal(book: _Book) -> Iterator[Problem]:
    """Each row begins where the last ended, and its books balance."""
    yield from _numbered(book, "journal")
    rules = WORLD["rules"]
    before: Row = {key: rules[key] for key in ("reserve", "effort", "store")} | {"obstructed": True, "looked": False}
    for n, row in enumerate(book.rows["journal"]):
        if _differ(row["before"], before):
            yield _at("journal", n, "chain")
        if _differ(row["after"], _balance(row["before"], row["action"], n)):
            yield _at("journal", n, "balance")
        before = row["after"]


def _balance(had: Row, action: str, n: int) -> Row:
    """What is left after an action: income less expense, kept as one would keep a ledger."""
    rules = WORLD["rules"]
    able = had["effort"] >= {"collect": rules["collect_cost"], "clear": rules["clear_cost"]}.get(action, 0)
    effort = {"rest": 1, "collect": -rules["collect_cost"], "clear": -rules["clear_cost"], "inspect": 0}[action] if able else 0
    drawn = min(rules["collect_most"], had["store"], rules["reserve_cap"] - had["reserve"]) if action == "collect" and able else 0
    blocked = had["obstructed"] and not (action == "clear" and able)
    rain = 0 if blocked else rules["rain"] * rules["rain_after"].count(n)
    due = rules["upkeep"] * (n % 2)
    return {
        "reserve": max(had["reserve"] + drawn - due, 0), "effort": min(had["effort"] + effort, rules["effort_cap"]),
        "store": min(had["store"] - drawn + rain, rules["store_cap"]), "obstructed": blocked, "looked": action == "inspect",
    }  # fmt: skip


def _sight(state: Row) -> Row:
    reading = (1 if state["obstructed"] else 0) if state["looked"] else None
    return {"reserve": state["reserve"], "effort": state["effort"], "reading": reading}


def _observations(book: _Book) -> Iterator[Problem]:
    yield from _numbered(book, "observations")
    for n, (row, lived) in enumerate(zip(book.rows["observations"], book.rows["journal"], strict=False)):
        if _differ(row["seen"], _sight(lived["after"])):
            yield _at("observations", n, "seen")


def _archive(book: _Book) -> Iterator[Problem]:
    """A record binds what was seen before, what was done and what was seen after, of this episode."""
    yield from _numbered(book, "archive")
    for n, (row, lived) in enumerate(zip(book.rows["archive"], book.rows["journal"], strict=False)):
        expected = {
            "episode": book.manifest["episode"], "decision": n, "before": _sight(lived["before"]), "action": lived["action"],
            "after": _sight(lived["after"]),
        }  # fmt: skip
        if _differ({key: value for key, value in row.items() if key != "note"}, expected):
            yield _at("archive", n, "record")


def _selections(book: _Book) -> Iterator[Problem]:
    """The ranking, what of it was shown under the caps, and what was left out and why."""
    yield from _numbered(book, "selections")
    caps = book.manifest["selector"]
    for n, row in enumerate(book.rows["selections"]):
        past = book.rows["archive"][:n]
        if row["selector"] != caps["name"]:
            yield _at("selections", n, "selector")
        ranked = list(reversed(range(len(past))))
        if caps["name"] == "priority":
            ranked = [i for i in ranked if _stalled(past[i])] + [i for i in ranked if not _stalled(past[i])]
        shown, omitted = _chosen(past, ranked, caps)
        if _differ(row["ranked"], ranked):
            yield _at("selections", n, "ranked")
        if _differ(row["shown"], sorted(shown)):
            yield _at("selections", n, "shown")
        if _differ(row["omitted"], omitted):
            yield _at("selections", n, "omitted")
        if row["bytes"] != _size([past[i] for i in sorted(shown)]):
            yield _at("selections", n, "bytes")


def _stalled(record: Row) -> bool:
    return bool(record["action"] == "collect") and not record["after"]["reserve"] > record["before"]["reserve"]


def _chosen(past: Sequence[Row], ranked: Sequence[int], caps: Row) -> tuple[list[int], list[Row]]:
    shown: list[int] = []
    omitted: list[Row] = []
    for i in ranked:
        if len(shown) == caps["max_records"]:
            omitted.append({"decision": i, "why": "full"})
        elif _size([past[j] for j in [*shown, i]]) > caps["max_bytes"]:
            omitted.append({"decision": i, "why": "oversized"})
        else:
            shown.append(i)
    return shown, omitted


def _requests(book: _Book) -> Iterator[Problem]:
    """What the decider was given is what was to be seen and what was selected, to the byte."""
    yield from _numbered(book, "requests")
    for n, row in enumerate(book.rows["requests"]):
        memory = [book.rows["archive"][i] for i in book.rows["selections"][n]["shown"]]
        if _differ(row["seen"], _sight(book.rows["journal"][n]["before"])):
            yield _at("requests", n, "seen")
        if _differ(row["memory"], memory):
            yield _at("requests", n, "memory")
        if row["memory_bytes"] != _size(row["memory"]) or row["memory_bytes"] > book.manifest["selector"]["max_bytes"]:
            yield _at("requests", n, "bytes")
        if row["left"] != LAST - n or row["target"] != WORLD["rules"]["target"]:
            yield _at("requests", n, "clock")


def _actions(book: _Book) -> Iterator[Problem]:
    yield from _numbered(book, "actions")
    for n, (row, lived) in enumerate(zip(book.rows["actions"], book.rows["journal"], strict=False)):
        if row["action"] != lived["action"]:
            yield _at("actions", n, "action")


def _attempts(book: _Book) -> Iterator[Problem]:
    """Every action comes of the last answer at its decision, and every answer before that one was unusable."""
    made = len(book.rows["actions"])
    by: dict[int, list[Row]] = {}
    for row in book.attempts:
        by.setdefault(row["decision"], []).append(row)
    if list(by) != list(range(len(by))) or len(by) not in (made, made + 1):
        yield Problem("attempts.jsonl", "numbered", {"row": len(by)})
    for n, rows in by.items():
        acted = book.rows["actions"][n]["action"] if n < made else None
        if [row["attempt"] for row in rows] != list(range(len(rows))):
            yield _at("attempts", n, "numbered")
        if [row["action"] for row in rows] != [None] * (len(rows) - 1) + [acted]:
            yield _at("attempts", n, "action")
        if any((row["action"] is None) != bool(row["reason"]) for row in rows):
            yield _at("attempts", n, "reason")
        if book.manifest["evidence"] == "offline" and any(row["reply"] != row["action"] for row in rows):
            yield _at("attempts", n, "reply")
        if any(row["action"] is not None and row["action"] not in row["reply"] for row in rows):
            yield _at("attempts", n, "reply")


def _final(book: _Book) -> Iterator[Problem]:
    final, journal = book.final, book.rows["journal"]
    reserve = journal[-1]["after"]["reserve"] if journal else WORLD["rules"]["reserve"]
    complete = len(journal) == LAST and not final["failure"]
    score = ("met" if reserve >= WORLD["rules"]["target"] else "missed") if complete else "invalid"
    told = {"decisions": len(journal), "final_reserve": reserve, "complete": complete, "obligation": score}
    for key, value in told.items():
        if _differ(final[key], value):
            yield Problem("final.json", "final", {"key": key, "said": final[key], "found": value})


def _numbered(book: _Book, name: str) -> Iterator[Problem]:
    """As many rows as the journal has, numbered from 0, none beyond the last decision."""
    rows = book.rows[name]
    if [row["decision"] for row in rows] != list(range(len(book.rows["journal"]))) or len(rows) > LAST:
        yield Problem(f"{name}.jsonl", "numbered", {"row": len(rows)})


def _at(name: str, n: int, what: str) -> Problem:
    return Problem(f"{name}.jsonl", what, {"row": n})


_CHECKS = {
    "manifest.json": _manifest, "final.json": _final, "attempts.jsonl": _attempts, "journal.jsonl": _journal,
    "requests.jsonl": _requests, "selections.jsonl": _selections, "archive.jsonl": _archive, "actions.jsonl": _actions,
    "observations.jsonl": _observations,
}  # fmt: skip
