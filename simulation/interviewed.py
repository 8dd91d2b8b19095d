"""What an interview is: a question, its answer and what it rests on; and the same question under several conditions.

    Interview, Turn      one question answered; a question and answer that a follow-up continues
    Side, Comparison     one question under one condition, with what that lets one read; several side by side
    ABLATIONS            the conditions of Park et al. section 6, by name
(who asks: `simulation.interview`)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from kernel import dumps
from memory import FULL, NO_REFLECTION, NO_REFLECTION_NO_PLAN, NONE, Condition, Record
from memory.record import Kind
from simulation.storing.interviews import hidden
from simulation.wording import phrase

KINDS: tuple[Kind, ...] = ("observation", "conversation", "reflection", "plan")

ABLATIONS: Mapping[str, Condition] = MappingProxyType(
    {
        "full": FULL,
        "no_reflection": NO_REFLECTION,
        "no_reflection_no_plan": NO_REFLECTION_NO_PLAN,
        "no_memory": NONE,
    }
)
"""The four conditions of the paper's evaluation that a machine can answer under, from full memory to none; in this order."""

Evidence = Literal["offline", "model"]


@dataclass(frozen=True, slots=True)
class Turn:
    """A question and its answer, earlier in the same dialogue."""

    question: str
    answer: str


@dataclass(frozen=True)
class Interview:
    """A question answered. `step` as of which; `without` the hidden kinds; `records` what the answer rests on.

    `fallback` is the reason when the model gave no usable answer and the counted fallback spoke, else None; `evidence`
    the kind of model that answered (design rule 10); `follows` how many questions of the dialogue came before.
    """

    resident: str
    step: int
    time: str
    without: Condition
    question: str
    answer: str
    knows: bool
    records: tuple[Record, ...]
    model: str
    evidence: Evidence = "offline"
    fallback: str | None = None
    follows: int = 0

    def lines(self) -> Iterator[str]:
        """The answer, then what it rests on."""
        yield phrase("ask", "title", name=self.resident, time=self.time, hidden=hidden_words(self.without))
        yield from self.answer_lines()

    def answer_lines(self) -> Iterator[str]:
        """The same without its title, for a dialogue."""
        yield phrase("ask", "answer", text=self.answer)
        if self.fallback is not None:
            yield phrase("ask", "fallback", reason=self.fallback)
        if self.records:
            yield phrase("ask", "rests_head")
            for record in self.records:
                yield "  " + phrase("ask", "record", text=record.text, kind=record.tag or record.kind, id=record.id)
        elif self.knows:
            yield phrase("ask", "rests_nothing")

    def as_dict(self) -> dict[str, Any]:
        """{resident, step, time, without, question, answer, knows, rests_on, model, evidence, fallback, follows}."""
        rests = [{"id": str(r.id), "kind": r.kind, "tag": r.tag, "text": r.text} for r in self.records]
        return {
            "resident": self.resident, "step": self.step, "time": self.time, "without": hidden(self.without),
            "question": self.question, "answer": self.answer, "knows": self.knows, "rests_on": rests, "model": self.model,
            "evidence": self.evidence, "fallback": self.fallback, "follows": self.follows,
        }  # fmt: skip

    def as_json(self) -> str:
        """`as_dict` on one line."""
        return dumps(self.as_dict())


@dataclass(frozen=True)
class Side:
    """One side of a comparison. `name` of the condition (a key of ABLATIONS, or its hidden kinds), `readable` how many
    records of each kind it lets one read (0 for a hidden kind), in the order of KINDS."""

    name: str
    condition: Condition
    interview: Interview
    readable: Mapping[Kind, int]

    @property
    def hidden(self) -> tuple[Kind, ...]:
        """Kinds that can't be read, in the order of KINDS."""
        return tuple(kind for kind in KINDS if kind in self.condition.hide)

    def used(self) -> Mapping[Kind, int]:
        """How many records of each kind the answer rests on."""
        return {kind: sum(record.kind == kind for record in self.interview.records) for kind in KINDS}


@dataclass(frozen=True)
class Comparison:
    """One question to one resident at one step, answered under several conditions."""

    resident: str
    step: int
    time: str
    question: str
    sides: tuple[Side, ...]

    def as_dict(self) -> dict[str, Any]:
        """{resident, step, time, question, sides: {NAME: {readable, used, ... as of `Interview.as_dict`}}}."""
        sides = {
            side.name: {**side.interview.as_dict(), "readable": dict(side.readable), "used": dict(side.used())}
            for side in self.sides
        }
        return {"resident": self.resident, "step": self.step, "time": self.time, "question": self.question, "sides": sides}


def hidden_words(condition: Condition) -> str:
    """A condition as part of a title: nothing, or what it hides."""
    return phrase("ask", "hidden", kinds=", ".join(hidden(condition))) if condition.hide else ""


def condition_name(condition: Condition) -> str:
    """Its name in ABLATIONS, or the kinds it hides: "without observation, conversation"."""
    known = next((name for name, one in ABLATIONS.items() if one == condition), None)
    return known or phrase("ask", "condition", kinds=", ".join(hidden(condition)))
