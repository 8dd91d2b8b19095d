"""Ranking: from ranks that judges gave to ratings with intervals, win rates and tests (Park et al. 2023, section 6.3).

Names are imported when they are first used, so that a short command doesn't load scipy and its kin.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from studies.ranking.agreement import kendalls_w, test_retest
    from studies.ranking.comparing import Comparison, compare
    from studies.ranking.published import PUBLISHED, shown_beside
    from studies.ranking.rankings import Ranking, midranks, ranks_of, read_csv, write_csv
    from studies.ranking.significance import cohens_d, dunn_holm, kruskal_wallis
    from studies.ranking.skill import Rating, rate, rated

_HOMES = {
    "Comparison": "comparing",
    "PUBLISHED": "published",
    "Ranking": "rankings",
    "Rating": "skill",
    "cohens_d": "significance",
    "compare": "comparing",
    "dunn_holm": "significance",
    "kendalls_w": "agreement",
    "kruskal_wallis": "significance",
    "midranks": "rankings",
    "ranks_of": "rankings",
    "rate": "skill",
    "rated": "skill",
    "read_csv": "rankings",
    "shown_beside": "published",
    "test_retest": "agreement",
    "write_csv": "rankings",
}

__all__ = [
    "PUBLISHED",
    "Comparison",
    "Ranking",
    "Rating",
    "cohens_d",
    "compare",
    "dunn_holm",
    "kendalls_w",
    "kruskal_wallis",
    "midranks",
    "ranks_of",
    "rate",
    "rated",
    "read_csv",
    "shown_beside",
    "test_retest",
    "write_csv",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(f"studies.ranking.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'studies.ranking' has no attribute '{name}'")
