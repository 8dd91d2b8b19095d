"""The ratings the paper prints (Park et al. 2023, figure 8), and when they may be shown (design rule 10).

They are humans' ratings of a real model's and humans' answers: beside anything but human rankings of the same five
conditions they would invite a comparison that means nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from types import MappingProxyType

PUBLISHED: Mapping[str, tuple[float, float]] = MappingProxyType(
    {
        "full": (29.89, 0.72),
        "no_reflection": (26.88, 0.69),
        "no_reflection_no_plan": (25.64, 0.68),
        "human": (22.95, 0.69),
        "no_memory": (21.21, 0.70),
    }
)
"""(mu, sigma) by condition."""


def shown_beside(evidence: str, conditions: Collection[str]) -> Mapping[str, tuple[float, float]] | None:
    """The published ratings if these are human rankings of the same five conditions, else None."""
    return PUBLISHED if evidence == "human" and set(conditions) == set(PUBLISHED) else None
