"""What a study is: one YAML file.

    read_study(name or path)    -> Study; names are those of the files beside this one
    Study.with_(...)            the same with what the command line says

Everything a result depends on is in here, or in what `hash` covers; cores and folders aren't.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from kernel import DataFileError, UsageError, digest, nearest, read_model
from kernel.gametime import minutes_of
from memory import Condition

HERE = Path(__file__).parent
HUMAN = "human"
"""The condition of people's answers: they come from a file, not from a model."""

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]


class Study(BaseModel):
    """`seeds` are town runs; `at` a time of the last day; `conditions` by name: the kinds of memory they hide.

    `judge` is "grounding" or a model ("openai:NAME"), asked `passes` times over each set of answers. `lives` adds
    whole-trajectory arms: runs lived without reflection or planning, by name ("no_reflection": "reflection"), interviewed
    with nothing hidden. `human` is a file of `town study collect-human`. `rename`: a seed by which people and places are
    renamed throughout, so that a model can't know them.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: Name
    title: str
    scenario: str
    days: float | None = Field(default=None, gt=0)
    seeds: tuple[int, ...] = Field(min_length=1)
    mind: str | None = None
    model: str = "offline"
    at: str = "20:00"
    conditions: dict[Name, str] = Field(min_length=1)
    questions: str | None = None
    categories: tuple[str, ...] = ()
    residents: tuple[str, ...] = ()
    judge: str = "grounding"
    passes: int = Field(default=2, ge=1)
    lives: dict[Name, str] = Field(default_factory=dict)
    human: str | None = None
    rename: int | None = None
    registered: str | None = None
    unpublished: str | None = None
    """The scenario for models that may have read about `scenario`, unless one is asked for or names are changed."""

    @field_validator("seeds")
    @classmethod
    def _different(cls, seeds: tuple[int, ...]) -> tuple[int, ...]:
        if len(set(seeds)) < len(seeds):
            raise ValueError("a seed is given twice")
        return seeds

    @field_validator("at")
    @classmethod
    def _time(cls, at: str) -> str:
        try:
            minutes_of(at)
        except ValueError:
            raise ValueError(f"'{at}' is not a time of day; write 20:00") from None
        return at

    @field_validator("conditions")
    @classmethod
    def _kinds(cls, conditions: dict[str, str]) -> dict[str, str]:
        for name, kinds in conditions.items():
            if name == HUMAN:
                raise ValueError(f"'{HUMAN}' is the name of people's answers: give their file as 'human'")
            try:
                Condition.parse(kinds)
            except UsageError as error:
                raise ValueError(f"{name}: {error.sentence()}") from None
        return conditions

    @model_validator(mode="after")
    def _something_to_rank(self) -> Study:
        if len(self.all_conditions) < 2:
            raise ValueError("a study compares at least two conditions")
        for name, kinds in self.lives.items():
            unknown = [kind for kind in kinds.split(",") if kind.strip() not in ("reflection", "plan")]
            if unknown:
                raise ValueError(f"lives: {name}: nobody can live without '{unknown[0].strip()}'; reflection or plan")
        return self

    @property
    def all_conditions(self) -> tuple[str, ...]:
        """Names of the conditions of the probe, people's last."""
        return (*self.conditions, *((HUMAN,) if self.human else ()))

    @property
    def parsed(self) -> dict[str, Condition]:
        """The conditions a mind answers under."""
        return {name: Condition.parse(kinds) for name, kinds in self.conditions.items()}

    @property
    def hash(self) -> str:
        """SHA-256 of everything in it."""
        return digest(self.model_dump(mode="json"))

    def asked_for(self, **changes: Any) -> Study:
        """`with_`, except that a real model gets the unpublished scenario unless the user names one or renames."""
        wanted = self.with_(**changes)
        named = changes.get("scenario") is not None or wanted.rename is not None
        if wanted.model == "offline" or named or self.unpublished is None:
            return wanted
        return wanted.with_(scenario=self.unpublished)

    def with_(self, **changes: Any) -> Study:
        """The same with what isn't None replaced. Raises UsageError for what doesn't fit."""
        given = {key: value for key, value in changes.items() if value is not None}
        try:
            return Study.model_validate({**self.model_dump(), **given})
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            what = str(first["msg"]).removeprefix("Value error, ").removeprefix("Input ")
            raise UsageError(f"{where}: {what}" if where else what) from None


def check_study(study: Study) -> None:
    """Whether its scenario, models and plan are there, before anything is begun. Raises DataFileError, UsageError, ModelError."""
    from scenarios import load
    from simulation import models
    from studies.runner.registration import read_registration

    load(study.scenario)
    for spec in (study.model, *(study.judge.split(",") if study.judge != "grounding" else ())):
        models.make_model(spec.strip())
    if study.registered is not None:
        read_registration(Path(study.registered))


def read_study(given: str | Path) -> Study:
    """A study by name or path. Raises DataFileError (file, line, hint) and UsageError for a name that isn't there."""
    path = Path(given)
    if path.suffix not in (".yaml", ".yml"):
        path = HERE / f"{given}.yaml"
        known = sorted(one.stem for one in HERE.glob("*.yaml") if one.stem != "page")
        if not path.is_file():
            close = nearest(str(given), known)
            raise UsageError(f"there is no study '{given}'", hint=f"did you mean {close}?" if close else f"{', '.join(known)}")
    try:
        return read_model(path, Study)[0]
    except DataFileError:
        raise
