"""Figures of rankings as lines for the terminal, in Markdown tables.

lines_of(data)    evidence first (design rule 10)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from studies.runner.tables import Table, condition_words, number, pair_rows, probability, ratings_rows
from studies.wording import entries, say


def lines_of(data: Mapping[str, Any]) -> Iterator[str]:
    """What `studies.judging.ranking.human_results` found."""
    evidence = data["evidence"]
    yield from (say("study", f"evidence.{evidence}"), "")
    yield say("study", "ranked", **{key: data[key] for key in ("rankings", "units", "raters", "tied", "partial")})
    yield ""
    yield from Table("ratings", entries("study", "ratings.columns"), ratings_rows(data), evidence).markdown()
    yield from Table("pairs", entries("study", "pairs.columns"), pair_rows(data["pairs"]), evidence).markdown()
    test, agreement = data["kruskal_wallis"], data["agreement"]
    if test is not None:
        p = probability(test["p"])
        yield say("study", "pairs.omnibus", **{**test, "p": p if p.startswith("<") else f"= {p}"})
    if agreement["kendalls_w"] is not None:
        yield say("study", "agreement", w=agreement["kendalls_w"], n=agreement["questions"])
    if data["published"] is not None:
        rows = [
            [condition_words(name), number(data["conditions"][name]["mu"]), number(one["mu"]), number(one["sigma"])]
            for name, one in data["published"].items()
        ]
        yield from ("", say("study", "published.text"), "")
        yield from Table("published", entries("study", "published.columns"), rows, evidence).markdown()
