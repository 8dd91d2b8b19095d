"""Batch interviews: residents x questions x moments x conditions, in that order, from one frozen history.

    Plan(...)                              what is to be asked; `plan_of` reads it from what a user writes
    interview_all(asking, plan, done)      -> iterator of Interviewed | Unasked; deterministic; asks nothing that is in `done`
    conduct(path, plan, ...)               the same, each answer kept in the run file before the next is asked; -> Outcome

Each question is asked on its own, of a resident who doesn't remember the one before: the view as of a step is made once
per resident, moment and condition. After Park et al. 2023, section 6: a probe of what a mind can reach, not of a life
lived without it. For a model that takes its time the questions of one moment are asked several at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from kernel import RunFileError, UsageError, dumps, nearest
from language import LanguageModel
from memory import Condition
from simulation.interview import AT_ONCE, Interviewer, tidy_question
from simulation.interviewed import ABLATIONS, Interview, condition_name
from simulation.storing.interviews import Keeper, Key, Row, hidden, kept, last_batch
from simulation.storing.library import choose
from simulation.storing.runfile import RunFile
from studies.blanks import Blanks
from studies.questions import Asked, Bank, Question, Unasked


@dataclass(frozen=True, slots=True)
class Plan:
    """What is asked of whom, when and with what hidden. `steps` are moments; `conditions` by name, in order."""

    bank: Bank
    residents: tuple[str, ...]
    steps: tuple[int, ...]
    conditions: Mapping[str, Condition]

    @property
    def count(self) -> int:
        """How many interviews that is, if every blank can be filled."""
        return len(self.bank.questions) * len(self.residents) * len(self.steps) * len(self.conditions)


@dataclass(frozen=True, slots=True)
class Interviewed:
    """One question of a bank, answered. `condition` is its name in the plan; `again`: it was on file already."""

    asked: Asked
    condition: str
    interview: Interview
    again: bool = False

    @property
    def question(self) -> Question:
        """The question of the bank."""
        return self.asked.question

    def as_dict(self) -> dict[str, Any]:
        """{item, category, condition, knowable, blanks, ... as of `Interview.as_dict`}."""
        return {
            "item": self.question.item, "category": self.question.category, "condition": self.condition,
            "knowable": self.question.knowable, "blanks": dict(self.asked.blanks), **self.interview.as_dict(),
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Left:
    """A question that couldn't be put to a resident at a moment, and the blank that couldn't be filled."""

    resident: str
    step: int
    unasked: Unasked


@dataclass
class Outcome:
    """What a batch came to. `asked` anew, `again` already on file, `left` not askable; `admitted` per condition and
    category, of what can be known: (answers that admit not to know, answers); `unknowable`: (answers that claim to know
    what nobody can, questions of that kind)."""

    run: str
    model: str
    evidence: str
    plan: Plan
    asked: int = 0
    again: int = 0
    fallbacks: int = 0
    not_kept: str = ""
    stopped: bool = False
    left: list[Left] = field(default_factory=list)
    admitted: dict[str, dict[str, tuple[int, int]]] = field(default_factory=dict)
    unknowable: tuple[int, int] = (0, 0)

    def note(self, one: Interviewed) -> None:
        """Counts one answer."""
        self.again += one.again
        self.asked += not one.again
        self.fallbacks += one.interview.fallback is not None
        if not one.question.knowable:
            claimed, of = self.unknowable
            self.unknowable = (claimed + one.interview.knows, of + 1)
            return
        row = self.admitted.setdefault(one.condition, {})
        unknown, answers = row.get(one.question.category, (0, 0))
        row[one.question.category] = (unknown + (not one.interview.knows), answers + 1)

    def as_json(self) -> str:
        """See docs/interviews.md."""
        admitted = {
            condition: {category: {"answers": of, "admitted": n} for category, (n, of) in row.items()}
            for condition, row in self.admitted.items()
        }
        return dumps(
            {
                "run": self.run, "evidence": self.evidence, "model": self.model, "questions": self.plan.bank.file,
                "residents": list(self.plan.residents), "steps": list(self.plan.steps),
                "conditions": {name: hidden(condition) for name, condition in self.plan.conditions.items()},
                "asked": self.asked, "again": self.again, "fallbacks": self.fallbacks, "admitted": admitted,
                "unknowable": {"answers": self.unknowable[1], "claimed": self.unknowable[0]},
                "left": [{"resident": one.resident, "step": one.step, "item": one.unasked.question.item,
                          "blank": one.unasked.blank} for one in self.left],
                "not_kept": self.not_kept, "stopped": self.stopped,
            }
        )  # fmt: skip


Report = Callable[[int, int, str, str, int], None]
"""Called after each answer with (answers so far, answers planned, resident, time, fallbacks so far)."""


def plan_of(
    asking: Interviewer,
    bank: Bank,
    *,
    residents: Sequence[str] = (),
    categories: Sequence[str] = (),
    at: Sequence[str] = (),
    conditions: Mapping[str, Condition] | None = None,
    resume: bool = False,
) -> Plan:
    """A plan from what a user writes: parts of names (all of none), times (the latest state of none).

    `resume`: the latest state is that of the last batch on file, since a town that is going on has gone on meanwhile.
    Raises UsageError for names, categories and times that aren't there.
    """
    people = tuple(dict.fromkeys(choose(part, asking.names) for part in residents)) or tuple(asking.names)
    last = last_batch(asking.run, asking.model) if resume else None
    steps = tuple(dict.fromkeys(asking.step_of(time) for time in at)) or (asking.step_of(None) if last is None else last,)
    return Plan(bank.only(categories), people, steps, conditions or {"full": ABLATIONS["full"]})


def conditions_of(names: str, without: Sequence[str]) -> dict[str, Condition]:
    """Conditions from what a user writes: names in ABLATIONS joined by commas ("all": all of them), and sets of hidden
    kinds ("reflection,plan"; "" or "nothing" hides nothing). Those of `names` come first; of none at all, full memory.

    Raises UsageError.
    """
    found: dict[str, Condition] = {}
    for word in filter(None, (part.strip() for part in names.split(","))):
        known = list(ABLATIONS) if word == "all" else [word.replace("-", "_").casefold()]
        for name in known:
            if name not in ABLATIONS:
                close = nearest(name, ABLATIONS)
                hint = f"did you mean {close}?" if close else f"there are {', '.join(ABLATIONS)}, or all"
                raise UsageError(f"there is no condition '{word}'", hint=hint)
            found[name] = ABLATIONS[name]
    for kinds in without:
        condition = Condition.parse("" if kinds.strip().casefold() == "nothing" else kinds)
        if condition not in found.values():
            found[condition_name(condition)] = condition
    return found or {"full": ABLATIONS["full"]}


def interview_all(run: RunFile | Interviewer, plan: Plan, done: Mapping[Key, Row] | None = None) -> Iterator[Interviewed | Left]:
    """Every resident, moment, question and condition of a plan, in this order. What is in `done` isn't asked again.

    Lazy: a caller that stops asking stops the interviews. Raises UsageError, ModelError.
    """
    asking = run if isinstance(run, Interviewer) else Interviewer(run)
    blanks = Blanks(asking.run, plan.bank.invented)
    for who in plan.residents:
        for step in plan.steps:
            questions = []
            for one in plan.bank.ask(blanks.of(who, step)):
                if isinstance(one, Unasked):
                    yield Left(who, step, one)
                else:
                    questions.append(one)
            wanted = ((one, name, condition) for one in questions for name, condition in plan.conditions.items())
            while some := list(islice(wanted, AT_ONCE)):
                yield from _some(asking, who, step, some, done or {})


def _some(
    asking: Interviewer, who: str, step: int, some: Sequence[tuple[Asked, str, Condition]], done: Mapping[Key, Row]
) -> Iterator[Interviewed]:
    texts = [tidy_question(asked.text) for asked, _, _ in some]
    on_file = [
        done.get((who, step, tuple(hidden(condition)), text, asked.question.item))
        for text, (asked, _, condition) in zip(texts, some, strict=True)
    ]
    fresh = [(text, one[2]) for text, one, row in zip(texts, some, on_file, strict=True) if row is None]
    answers = iter(asking.ask_all(who, step, fresh) if fresh else ())
    for text, (asked, name, condition), row in zip(texts, some, on_file, strict=True):
        if row is None:
            yield Interviewed(asked, name, next(answers))
        else:
            yield Interviewed(asked, name, asking.again(who, step, text, condition, row), again=True)


def conduct(
    path: Path,
    plan: Callable[[Interviewer], Plan],
    *,
    model: str | LanguageModel | None = None,
    resume: bool = False,
    each: Callable[[], Callable[[Interviewed], None] | None] = lambda: None,
    report: Report | None = None,
) -> Outcome:
    """Conducts a batch on a run file, which may be going on; every answer is kept in it before the next is asked.

    `resume`: answers of the same model that are on file aren't asked for again. `each` is called once there is something
    to ask, and what it gives is told of each answer. Where the file can't be written the answers aren't kept, and the
    outcome says so; stopped by Ctrl-C, it says that. Raises UsageError, RunFileError, ModelError.
    """
    with RunFile.open(path) as run, ExitStack() as stack:
        asking = Interviewer(run, model)
        what = plan(asking)
        outcome = Outcome(str(path), asking.model, asking.evidence, what)
        done = kept(run, asking.model) if resume else {}
        tell = each()
        keeper: Keeper | None = None
        try:
            keeper = stack.enter_context(Keeper(path))
        except RunFileError as error:
            outcome.not_kept = error.sentence()
        try:
            for one in interview_all(asking, what, done):
                if isinstance(one, Left):
                    outcome.left.append(one)
                    continue
                if keeper is not None and not one.again:
                    keeper.keep(one.interview, one.question.item)
                outcome.note(one)
                if tell is not None:
                    tell(one)
                if report is not None:
                    told = one.interview
                    report(outcome.asked + outcome.again, what.count, told.resident, told.time, outcome.fallbacks)
        except KeyboardInterrupt:
            outcome.stopped = True
        return outcome
