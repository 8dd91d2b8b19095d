"""Freezing a plan: the registration, and the study that follows it on seeds nobody has looked at.

rankings_at(where)         the data so far
freeze(where, plan, out)   -> {path, hash, study}
"""

from __future__ import annotations

from pathlib import Path

import yaml

from kernel import RunFileError, UsageError
from studies.ranking import Ranking, read_csv
from studies.runner.folder import StudyFolder
from studies.runner.planning import Plan
from studies.runner.registration import Registration, register, study_hash
from studies.runner.tables import condition_words
from studies.wording import say


def rankings_at(where: Path) -> list[Ranking]:
    """Of a CSV file, or of a study's folder: people's if there are any, else the judge's. Raises RunFileError, DataFileError."""
    from studies.judging.session import Store

    if where.suffix == ".csv":
        return read_csv(where)
    human = Store(where / "judging").rankings()
    if human:
        return human
    if not (where / "data" / "rankings.csv").exists():
        raise RunFileError("there are no rankings yet", place=str(where), hint="run `town study ablation` first")
    return read_csv(where / "data" / "rankings.csv")


def freeze(
    where: Path, found: Plan, out: Path, *, hypothesis: str | None = None, exclusions: str | None = None
) -> dict[str, str]:
    """Writes the plan and, beside it, the study's YAML file. Raises UsageError when there is nothing to freeze."""
    if found.seeds is None:
        raise UsageError("no number of residents is enough for this difference", hint="a larger --effect, or more --raters")
    if not where.is_dir():
        raise UsageError("a file of rankings has no study to freeze", hint="give the study's folder")
    before = StudyFolder(where).study()
    first = max(before.seeds) + 1
    study = before.with_(seeds=tuple(range(first, first + found.seeds)), registered=str(out))
    words = {"first": condition_words(found.pair[0]), "second": condition_words(found.pair[1])}
    plan = Registration(
        hypothesis=hypothesis or say("study", "plan.hypothesis", **words), unit="resident", seeds=found.seeds,
        residents=found.enough or 0, raters=found.raters, stopping=say("study", "plan.stopping", seeds=found.seeds),
        exclusions=exclusions or say("study", "plan.exclusions"), study=study_hash(study), found=found.as_dict(),
    )  # fmt: skip
    written = register(out, plan)
    file = out.with_suffix(".yaml")
    told = study.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
    file.write_text(yaml.safe_dump(told, sort_keys=False, allow_unicode=True), encoding="utf-8")
    return {"path": str(out), "hash": written, "study": str(file)}
