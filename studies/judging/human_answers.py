"""Answers that people wrote for residents: the human baseline (Park et al. 2023, section 6.2.5), as a YAML file.

    HumanAnswers.read(path, bank)    .of(seed, resident) -> item -> answer
    HumanAnswers.dump(...)           the same as text, for `town study collect-human`

A person sees a resident's replay and memory and answers in their stead; one person per resident.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, Field

from kernel import read_model
from studies.questions import Bank


class _Sheet(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    resident: str
    seed: int
    step: int
    author: str
    answers: dict[str, str] = Field(default_factory=dict)
    questions: dict[str, str] = Field(default_factory=dict)


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: str = Field(pattern="^human answers$")
    made_up: bool = False
    sheets: list[_Sheet] = Field(default_factory=list)


@dataclass(frozen=True)
class HumanAnswers:
    """`sheets` as read."""

    file: str
    sheets: Sequence[_Sheet]

    @classmethod
    def read(cls, path: Path, bank: Bank | None = None) -> HumanAnswers:
        """Raises DataFileError: file, line, what, hint; also for questions the bank doesn't have, and a resident twice."""
        found, located = read_model(path, _File)
        if found.made_up:
            raise located.problem("these answers are made up, as the file says itself", "made_up", hint="people's answers don't")
        seen: set[tuple[int, str]] = set()
        items = {question.item for question in bank.questions} if bank is not None else set()
        for n, sheet in enumerate(found.sheets):
            if (sheet.seed, sheet.resident) in seen:
                raise located.problem(f"{sheet.resident} is answered for twice in the run of seed {sheet.seed}", "sheets", n)
            seen.add((sheet.seed, sheet.resident))
            for item in sheet.answers:
                if bank is not None and item not in items:
                    raise located.problem(
                        f"there is no question '{item}'", "sheets", n, "answers", item, hint="the study asks other questions"
                    )
        return cls(str(path), found.sheets)

    def of(self, seed: int, resident: str, step: int) -> dict[str, str]:
        """Item -> answer, as far as a person wrote any as of the step; blank ones are none."""
        for sheet in self.sheets:
            if (sheet.seed, sheet.resident, sheet.step) == (seed, resident, step):
                return {item: text.strip() for item, text in sheet.answers.items() if text.strip()}
        return {}

    def unused(self, asked: Collection[tuple[int, str, int]]) -> list[tuple[int, str]]:
        """(seed, resident) of sheets that are of none of the (seed, resident, step) asked: of another run, or another moment."""
        return [(s.seed, s.resident) for s in self.sheets if (s.seed, s.resident, s.step) not in asked]


def dump_sheets(sheets: Sequence[Mapping[str, object]]) -> str:
    """The text of a file of sheets."""
    return yaml.safe_dump(
        {"kind": "human answers", "sheets": [dict(sheet) for sheet in sheets]}, sort_keys=False, allow_unicode=True, width=110
    )
