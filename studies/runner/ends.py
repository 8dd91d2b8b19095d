"""End-to-end measures over seeds (Park et al. 2023, section 7.1), with what only asking shows.

    ends_of(found)    diffusion twice, density, coordination, hallucination; a row per run

*Was told*: a memory carries the news (provenance). *Says so*: asked with full memory, an answer tells it, and the record
carries that answer. Only the second is what the paper measured. *Otherwise*: of these, whom nobody told the news itself; they
know from what else they remember (a request to help with it, say). *Unverified*: an answer claims to know and the record
carries none of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from studies.runner.conducting import Conducted
from studies.runner.worker import Row

FULL = "full"


def ends_of(found: Conducted) -> dict[str, Any]:
    """By run, in order of seeds."""
    each = {}
    for seed, run in found.runs():
        data = found.ends.get(run)
        if data is not None:
            each[run] = {"seed": seed, **_of(found, run, data)}
    return each


def _of(found: Conducted, run: str, data: Mapping[str, Any]) -> dict[str, Any]:
    start, end = data["density"]["start"], data["density"]["end"]
    made, unsupported = data["claims"]["made"], data["claims"]["unsupported"]
    return {
        "diffusion": _diffusion(found, run, data["facts"]),
        "density": {"start": start, "end": end, "growth": round(end - start, 4)},
        "coordination": {
            name: {**{key: one[key] for key in ("invited", "promised", "came", "over")},
                   "absent_asked": [why for why in data["why_not"] if why["gathering"] == name]}
            for name, one in data["gatherings"].items()
        },
        "hallucination": {
            "claims": made, "unsupported": unsupported, "rate": round(unsupported / made, 4) if made else None,
            **_answers(found, run),
        },
        "digest": data["digest"],
    }  # fmt: skip


def _diffusion(found: Conducted, run: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    out = {}
    for name, fact in facts.items():
        asked = says = otherwise = unverified = 0
        told = {one["resident"] for one in fact["chain"]}
        for who, rows in found.answers.get(run, {}).items():
            verdicts = {row["item"]: row for row in found.verdicts.get(run, {}).get(who, ()) if row["by"] == "grounding"}
            for row in rows:
                if row.get("condition") != FULL or not _is_about(row, fact):
                    continue
                asked += 1
                verdict = verdicts.get(row["item"], {}).get("details", {}).get(FULL)
                if row["knows"] and verdict is not None:
                    says += verdict["to_point"] > 0
                    otherwise += verdict["to_point"] > 0 and who not in told
                    unverified += verdict["to_point"] == 0
        out[name] = {
            "of": fact["of"], "told": fact["known_by"], "asked": asked, "says_so": says, "otherwise": otherwise,
            "unverified": unverified,
        }  # fmt: skip
    return out


def _is_about(row: Row, fact: Mapping[str, Any]) -> bool:
    """Whether a question was about this piece of news: one of its blanks is in the news' own words."""
    return any(row["blanks"].get(blank) and row["blanks"][blank] in fact["text"] for blank in ("deed", "gathering"))


def _answers(found: Conducted, run: str) -> dict[str, Any]:
    """Claims in answers given with full memory that the record doesn't carry."""
    claims = wrong = 0
    for rows in found.verdicts.get(run, {}).values():
        for row in rows:
            one = row.get("details", {}).get(FULL)
            if one is not None and row["category"] != "reactions":  # what one would do isn't on record
                claims += one["to_point"] + one["beside"] + one["unsupported"] + one["contradicted"]
                wrong += one["unsupported"] + one["contradicted"]
    return {"answer_claims": claims, "answer_ungrounded": wrong, "answer_rate": round(wrong / claims, 4) if claims else None}
