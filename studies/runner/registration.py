"""Registered or exploratory: whether what is reported was fixed before the data were seen.

    register(path, plan)     freezes a plan with a hash
    standing(found)          {registered: hash or None, why}

A plan holds hypothesis, unit, N, stopping rule, exclusions, and the study's own hash. Results of a study that names no plan,
or whose plan was changed, or that doesn't follow it, are headed exploratory.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from kernel import UsageError, digest

if TYPE_CHECKING:
    from studies.runner.conducting import Conducted
    from studies.runner.spec import Study


class Registration(BaseModel):
    """A frozen plan. `study` is the hash of the study without its `registered` field."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    hypothesis: str = Field(min_length=1)
    unit: str
    seeds: int = Field(ge=1)
    residents: int = Field(ge=1)
    raters: int = Field(ge=1)
    stopping: str
    exclusions: str
    study: str
    found: dict[str, Any] = Field(default_factory=dict)
    """What the simulation said that N was chosen by."""

    @property
    def hash(self) -> str:
        """SHA-256 of everything in it."""
        return digest(self.model_dump(mode="json"))


def study_hash(study: Study) -> str:
    """The hash of a study whatever plan it names."""
    return study.model_copy(update={"registered": None}).hash


def register(path: Path, plan: Registration) -> str:
    """Writes a plan with its hash; the hash. Raises UsageError when the file is there."""
    if path.exists():
        raise UsageError(f"'{path}' exists already", hint="a registered plan isn't written over")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"hash": plan.hash, "plan": plan.model_dump(mode="json")}, indent=1) + "\n", encoding="utf-8")
    return plan.hash


def read_registration(path: Path) -> tuple[Registration, str]:
    """(plan, hash written beside it). Raises UsageError for what can't be read."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        return Registration.model_validate(data["plan"]), str(data["hash"])
    except FileNotFoundError:
        raise UsageError(f"there is no plan '{path}'", hint="`town study plan --out FILE` makes one") from None
    except (ValueError, KeyError, TypeError, ValidationError):
        raise UsageError(f"'{path}' is no plan of `town study plan`", hint="it was damaged or isn't one") from None


def standing(found: Conducted) -> dict[str, Any]:
    """{registered: hash or None, why: a key of the wording "standing"}."""
    study = found.study
    if study.registered is None:
        return {"registered": None, "why": "none"}
    try:
        plan, written = read_registration(Path(study.registered))
    except UsageError:
        return {"registered": None, "why": "unreadable"}
    if plan.hash != written:
        return {"registered": None, "why": "changed"}
    if plan.study != study_hash(study):
        return {"registered": None, "why": "other"}
    if len(found.runs()) < plan.seeds:
        return {"registered": None, "why": "short"}
    return {"registered": written, "why": "kept"}
