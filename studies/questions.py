"""Question banks: what residents are asked in batch, with blanks that are filled for each of them from the run.

    read_questions(path)     -> Bank; the shipped one (`questions.yaml`) when no path is given
    Bank.only(categories)    -> Bank with some of its categories
    Bank.ask(values)         -> the questions as one resident is asked them, and those that can't be
    (what fills the blanks: `studies.blanks`)

After Park et al. 2023, section 6.1: five categories of five questions.
"""

from __future__ import annotations

import string
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from kernel import DataFileError, Located, UsageError, nearest, read_model
from simulation.interview import LONGEST_QUESTION

SHIPPED = Path(__file__).with_name("questions.yaml")

BLANKS = ("deed", "first", "gathering", "invented", "met", "met_other", "partner", "partner_first")
"""Names of the blanks a question may have."""


class _Question(BaseModel):
    """One question of a file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    ask: str
    otherwise: str | None = None
    knowable: bool = True


class _File(BaseModel):
    """A file of questions."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    invented: tuple[str, ...] = ()
    categories: dict[str, dict[str, _Question]] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class Question:
    """A question of a bank. `item` is CATEGORY.NAME; `knowable` False: nobody can know, only an admission is right."""

    item: str
    category: str
    ask: str
    otherwise: str | None = None
    knowable: bool = True


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as one resident is asked it. `blanks` are those that were filled, with what."""

    question: Question
    text: str
    blanks: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Unasked:
    """A question that can't be put to a resident, since a blank can't be filled and it says nothing else to ask."""

    question: Question
    blank: str


@dataclass(frozen=True, slots=True)
class Bank:
    """Questions in the order of their file. `invented`: names of people who aren't there, to draw from."""

    file: str
    questions: tuple[Question, ...]
    invented: tuple[str, ...] = ()

    @property
    def categories(self) -> tuple[str, ...]:
        """Their names, in order."""
        return tuple(dict.fromkeys(question.category for question in self.questions))

    def only(self, categories: Collection[str]) -> Bank:
        """The questions of some categories (all of none). Raises UsageError for a category it doesn't have."""
        for name in categories:
            if name not in self.categories:
                close = nearest(name, self.categories)
                hint = f"did you mean {close}?" if close else f"there are {', '.join(self.categories)}"
                raise UsageError(f"there is no category of questions '{name}'", hint=hint)
        kept = tuple(q for q in self.questions if not categories or q.category in categories)
        return replace(self, questions=kept)

    def ask(self, values: Mapping[str, str | None]) -> list[Asked | Unasked]:
        """The questions with their blanks filled. `values`: blank -> what fills it, None: nothing does."""
        return [_filled(question, values) for question in self.questions]


def read_questions(path: str | Path | None = None) -> Bank:
    """A bank of questions. Raises DataFileError: file, line, what, hint."""
    found, located = read_model(path or SHIPPED, _File)
    for problem in _problems(found, located):
        raise problem
    questions = tuple(
        Question(f"{category}.{name}", category, one.ask.strip(), one.otherwise, one.knowable)
        for category, items in found.categories.items()
        for name, one in items.items()
    )
    return Bank(str(path or SHIPPED), questions, found.invented)


def _problems(found: _File, located: Located) -> Iterator[DataFileError]:
    for n, name in enumerate(found.invented):
        if len(name.split()) < 2:
            yield located.problem(
                f"'{name}' is not a full name", "invented", n, hint="a first and a last name, so that it reads as a person"
            )
    for category, items in found.categories.items():
        if not items:
            yield located.problem(
                f"the category '{category}' has no questions", "categories", category, hint="add one, or leave it out"
            )
        for name, one in items.items():
            for key, text in (("ask", one.ask), ("otherwise", one.otherwise)):
                if text is not None:
                    yield from _text_problems(text, located, ("categories", category, name, key), bool(found.invented))
            if one.otherwise is not None and not _blanks(one.ask):
                yield located.problem(
                    "'otherwise' is never asked: the question has no blanks", "categories", category, name, "otherwise",
                    hint="leave it out",
                )  # fmt: skip


def _text_problems(text: str, located: Located, path: tuple[str, ...], invents: bool) -> Iterator[DataFileError]:
    if not text.strip():
        yield located.problem("the question is empty", *path, hint="write a question")
    if len(text) > LONGEST_QUESTION - 100:
        yield located.problem(f"the question has {len(text)} characters", *path, hint=f"at most {LONGEST_QUESTION - 100}")
    try:
        blanks = _blanks(text)
    except ValueError as error:
        yield located.problem(f"the braces don't match: {error}", *path, hint="a blank is written {met}")
        return
    for blank in blanks:
        if blank not in BLANKS:
            close = nearest(blank, BLANKS)
            hint = f"did you mean {{{close}}}?" if close else f"blanks are {', '.join(f'{{{b}}}' for b in BLANKS)}"
            yield located.problem(f"there is no blank {{{blank}}}", *path, hint=hint)
        elif blank == "invented" and not invents:
            yield located.problem("nobody is invented in this file", *path, hint="add 'invented: [Full Name, ...]'")
    if path[-1] == "otherwise" and set(blanks) - {"first"}:
        yield located.problem("'otherwise' can't have blanks of its own", *path, hint="only {first}")


def _blanks(text: str) -> list[str]:
    """Names of the blanks of a template. Raises ValueError for braces that don't match."""
    return [name for _, name, _, _ in string.Formatter().parse(text) if name is not None]


def _filled(question: Question, values: Mapping[str, str | None]) -> Asked | Unasked:
    template = question.ask
    missing = next((blank for blank in _blanks(template) if values.get(blank) is None), None)
    if missing is not None:
        if question.otherwise is None:
            return Unasked(question, missing)
        template = question.otherwise
    filled = {blank: str(values[blank]) for blank in _blanks(template)}
    return Asked(question, template.format(**filled), filled)
