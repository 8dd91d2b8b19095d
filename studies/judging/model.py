"""The model judge: placed here so that results can be written; see below."""

from __future__ import annotations

from typing import Any


def judge_groups(job: Any, groups: Any, human: Any) -> list[dict[str, Any]]:
    raise NotImplementedError


def judge_figures(rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {}
