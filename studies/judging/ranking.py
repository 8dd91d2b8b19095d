"""What people's rankings come to: the figures and the table of `town rank`.

human_results(rankings, conditions)   as data, with the published ratings beside them where rule 10 allows it
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from studies.ranking import Ranking, compare, shown_beside
from studies.ranking.skill import conditions_of


def human_results(rankings: Sequence[Ranking], evidence: str = "human", resamples: int = 400) -> dict[str, Any]:
    """{evidence, conditions, order, pairs, kruskal_wallis, agreement, categories, published, ...}."""
    names = conditions_of(rankings)
    found = compare(rankings, names, resamples=resamples).as_dict()
    published = shown_beside(evidence, names)
    categories = {
        category: compare([r for r in rankings if r.category == category], names, resamples=100, passes=50).as_dict()[
            "conditions"
        ]
        for category in dict.fromkeys(r.category for r in rankings)
    }
    return {
        "evidence": evidence, "judge": "human" if evidence == "human" else evidence, **found, "categories": categories,
        "published": None if published is None else {name: {"mu": mu, "sigma": sigma} for name, (mu, sigma) in published.items()},
    }  # fmt: skip
