"""The sections of a report in Markdown, each a function from material to lines. Wording: `wording/report.yaml`.

short_rows(m)     (measure, value) pairs: the summary, also shown by the command line
sections(m, ...)  everything after the title
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from simulation.measures import KINDS, Attendance, Learned, attendance, spread
from studies.material import Material
from studies.wording import entries, listed, say

INSTANCES = 12
"""How many instances of an oddity are listed; the JSON file has them all."""


def _r(key: str, /, **fields: object) -> str:
    return say("report", key, **fields)


def table(m: Material, columns: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    """A Markdown table; every row carries the evidence label (design rule 10)."""
    columns = [*columns, _r("evidence")]
    rows = [(*row, m.data["evidence"]) for row in rows]
    lines = [f"| {' | '.join(columns)} |", f"|{'|'.join('---' for _ in columns)}|"]
    return [*lines, *(f"| {' | '.join(str(cell) for cell in row)} |" for row in rows), ""]


def image(alt: str, file: str) -> list[str]:
    """A picture with its description."""
    return [_r("image", alt=alt, file=file), ""]


def short_rows(m: Material) -> list[tuple[str, str]]:
    """The measures in short."""
    data = m.data
    rows = [
        (_r("short.fact", name=name), _r("short.fact_value", known=fact["known_by"], of=fact["of"], second=fact["second_hand"]))
        for name, fact in data["facts"].items()
    ]
    rows.append((_r("short.density"), _r("short.density_value", **data["density"])))
    for gathering in data["gatherings"].values():
        key = "short.gathering_value" if gathering["begun"] else "short.gathering_ahead"
        rows.append((_r("short.gathering", name=gathering["name"]), _r(key, **gathering)))
    for name, obligation in data["obligations"].items():
        verdict = _r(f"obligations.verdict.{obligation['verdict']}")
        rows.append((_r("short.obligation", name=name), _r("short.obligation_value", verdict=verdict, by=obligation["by"])))
    for key in ("invitations", "claims", "utterances", "reflections"):
        rows.append((_r(f"short.{key}"), _r(f"short.{key}_value", **data[key])))
    found = {entries("common", f"kinds.{kind}"): n for kind, n in data["oddities"].items() if n}
    rows.append((_r("short.oddities"), ", ".join(f"{kind}: {n}" for kind, n in found.items()) or _r("short.oddities_value", n=0)))
    calls, fallbacks = (sum(row[key] for row in data["calls"].values()) for key in ("count", "fallbacks"))
    rows.append((_r("short.fallbacks"), _r("short.fallbacks_value", fallbacks=fallbacks, calls=calls)))
    return rows


def short(m: Material) -> list[str]:
    """The summary."""
    return [_r("short.head"), "", *table(m, entries("report", "short.columns"), short_rows(m))]


def obligations(m: Material) -> list[str]:
    """What was owed at a time, and what of it was the case then; nothing where a scenario declares none."""
    found = m.data["obligations"]
    if not found:
        return []
    rows = []
    for name, one in found.items():
        needs = "; ".join(_need(need) for need in one["needs"]) or _r(f"obligations.why.{one['why']}")
        rows.append((name, one["text"], one["by"], _r(f"obligations.verdict.{one['verdict']}"), needs))
    lines = [_r("obligations.head"), "", *table(m, entries("report", "obligations.columns"), rows), _r("obligations.text"), ""]
    exposure = m.data["exposure"]
    return [*lines, _r("obligations.exposure", **exposure), ""] if exposure else lines


def _need(need: dict[str, Any]) -> str:
    held = _r("obligations.held" if need["held"] else "obligations.not_held")
    return _r(f"obligations.{need['kind']}", held=held, found=need["found"] or _r("obligations.nothing"))


def news(m: Material) -> Iterator[str]:
    """Each tracked fact with the tree of who told whom."""
    for name, fact in m.reading.tracked.items():
        learned, figures = spread(m.reading, fact.id), m.data["facts"][name]
        yield from (_r("news.fact", name=name), "", _r("news.text", text=fact.text), "")
        yield _r(
            "news.figures", known=figures["known_by"], of=figures["of"], holders=listed(figures["holders"]) or 0,
            first=figures["first_hand"], second=figures["second_hand"],
        )  # fmt: skip
        if fact.retracts is not None:
            yield _r("news.retracts", retracts=fact.retracts)
        yield ""
        for one in learned:
            if one.source is None or all(other.resident != one.source for other in learned):
                yield from _branch(m, learned, one, 0)
        yield ""


def _branch(m: Material, learned: list[Learned], one: Learned, depth: int) -> Iterator[str]:
    """One who knows, and below them whom they told."""
    if one.source is None:
        yield _r("news.holder" if one.step < 0 else "news.holder_later", who=one.resident, when=m.when(one.step))
    else:
        told = _r("news.told", source=one.source, who=one.resident, when=m.when(one.step), place=m.place(one.place))
        yield f"{'  ' * depth}- {told}"
    for other in learned:
        if other.source == one.resident and other is not one:
            yield from _branch(m, learned, other, depth + 1)


def gathering(m: Material, name: str, picture: str | None) -> Iterator[str]:
    """Attendance at one gathering, person by person."""
    found, data = attendance(m.reading, m.where, m.reading.tracked[name]), m.data["gatherings"][name]
    yield from (_r("gatherings.one", **{**data, "place": m.place(data["place"])}), "")
    if not found.begun:
        yield from (_r("gatherings.ahead"), "")
    else:
        if found.preparing:
            acts = {str(act.id): act for act in m.reading.acts[found.gathering.host]}
            act = acts[found.preparing[0]]
            yield _r("gatherings.prepared", n=len(found.preparing), text=act.text, when=m.when(act.start))
        else:
            yield _r("gatherings.unprepared")
        yield ""
    if picture is not None:
        yield from image(_r("gatherings.alt", name=data["name"]), picture)
    rows = [row for row in (_attendant(found, who) for who in m.reading.names) if row is not None]
    yield from table(m, entries("report", "gatherings.columns"), rows)


def _attendant(found: Attendance, who: str) -> tuple[str, ...] | None:
    yes, no = _r("gatherings.yes"), _r("gatherings.no")
    minutes = found.minutes[who]
    host, came, promised = who == found.gathering.host, who in found.came, who in found.promised
    if not (host or came or promised or who in found.invited):
        return None
    note = ""
    if host:
        note = _r("gatherings.host")
    elif who in found.helpers:
        note = _r("gatherings.helped")
    elif came and not promised:
        note = _r("gatherings.surprise")
    elif promised and not came and found.over:
        note = _r("gatherings.stayed")
    answer = yes if promised else no if who in found.declined else ""
    return who, "" if host else yes if who in found.invited else no, answer, f"{minutes:.0f}" if found.begun else "", note


def talk(m: Material) -> Iterator[str]:
    """How much and how varied."""
    figures = m.data["utterances"]
    yield from (_r("talk.head"), "")
    if not figures["total"]:
        yield from (_r("talk.silent"), "")
        return
    acts = sorted(figures["acts"].items(), key=lambda item: (-item[1], item[0]))
    yield from table(m, entries("report", "talk.columns"), acts)
    yield from (_r("talk.common"), "")
    yield from (_r("talk.line", **common) for common in figures["common"])
    yield ""


def reflection(m: Material) -> list[str]:
    """Occasions and insights."""
    return [_r("reflections.head"), "", _r("reflections.text", **m.data["reflections"]), ""]


def odd(m: Material, json_name: str) -> Iterator[str]:
    """Counts by kind, then instances that a reader can check."""
    yield from (_r("oddities.head"), "", _r("oddities.text"), "")
    names: dict[str, Any] = {kind: entries("common", f"kinds.{kind}") for kind in KINDS}
    yield from table(m, entries("report", "oddities.columns"), [(names[kind], len(m.odd[kind])) for kind in KINDS])
    for kind in KINDS:
        if not m.odd[kind]:
            continue
        yield from (_r("oddities.kind", kind=names[kind]), "")
        for one in m.odd[kind][:INSTANCES]:
            ids = " ".join(_r("oddities.id", id=id) for id in one.ids[:4])
            yield _r("oddities.line", sentence=m.odd_sentence(one), ids=ids)
        if len(m.odd[kind]) > INSTANCES:
            yield _r("oddities.more", n=len(m.odd[kind]) - INSTANCES, json=json_name)
        yield ""


def calls(m: Material) -> list[str]:
    """Questions by operation."""
    keys = ("count", "tokens_in", "tokens_out", "seconds", "fallbacks")
    rows = [(name, *(row[key] for key in keys)) for name, row in m.data["calls"].items()]
    lines = table(m, entries("report", "calls.columns"), rows)
    troubles: Counter[str] = Counter()
    for row in m.data["calls"].values():
        troubles.update(row.get("troubles", {}))
    if troubles:
        told = ", ".join(_r("calls.trouble", cause=cause, n=n) for cause, n in sorted(troubles.items()))
        lines += [_r("calls.troubles", told=told), ""]
    cost = m.data.get("spending", {}).get("cost")
    if cost is not None:
        lines += [_r("calls.cost", usd=cost), ""]
        dear = sorted(m.data["spending"]["by_resident"].items(), key=lambda item: (-(item[1]["cost"] or 0.0), item[0]))
        lines += [*(_r("calls.of_resident", name=name, usd=row["cost"] or 0.0) for name, row in dear), ""]
    if m.data["failures"]:
        lines += [_r("calls.failures", n=m.data["failures"]), ""]
    return lines
