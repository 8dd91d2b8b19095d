"""A language model as the one who decides in the catchment: same world, same selectors, same evidence.

    Choose, Choice             the question and its answer
    choose_episode(...)        one episode; a decision without a usable answer ends it, and no action is made up for it
    question_of(situation)     what the model is asked at a decision

Nothing falls back: an action nobody chose would be evidence of nothing. Every answer, usable or not, is an attempt on file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import Field

from kernel import BudgetReached, ModelError, ReplyInvalid, load_yaml
from language import LanguageModel, ModelReply, Operation, Person, Request, register_prompt
from language.encoding import request_text
from language.model import CallKey
from language.parsing import parse
from language.replies import ReplyModel
from studies.catchment.episode import Attempt, Episode, Telling
from studies.catchment.policies import Situation
from studies.catchment.records import Experience, SelectorName
from studies.catchment.world import Action, Rules, Seen

NAME = "choose"
RETRIES = 2
"""Further answers asked for at a decision whose answer couldn't be used."""
LONGEST = 4000
"""Characters of an answer that are kept."""

_HERE = Path(__file__).parent
register_prompt(NAME, (_HERE / "choose.txt").read_text(encoding="utf-8"))


class Choice(ReplyModel):
    """The action chosen, and why in a sentence."""

    action: Action
    why: Annotated[str, Field(max_length=2000)] = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choose(Operation[Choice]):
    """What to do at a decision. `seen` and `memory` in words; `decision`, `left` and `target` as text, since a whole
    number in a prompt is a time of day."""

    name: ClassVar[str] = NAME
    reply_type: ClassVar[type[ReplyModel]] = Choice
    decision: str
    left: str
    target: str
    seen: str
    memory: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModelPolicy:
    """Stands for a model in an episode's evidence; decisions come through `choose_episode`."""

    model: str

    @property
    def name(self) -> str:
        """ "model"."""
        return "model"

    @property
    def parameters(self) -> Mapping[str, object]:
        """The model's name, and how often it may be asked again."""
        return {"model": self.model, "retries": RETRIES}

    def decide(self, situation: Situation) -> Action:
        """Never: a model is waited for."""
        raise NotImplementedError("a model decides through choose_episode")


async def choose_episode(
    name: str, model: LanguageModel, selector: SelectorName, *, seed: int = 0, rules: Rules | None = None
) -> Episode:
    """One episode with a model deciding; complete, or broken off with its failure. Raises BudgetReached."""
    telling = Telling(name, ModelPolicy(model.name), selector, rules or Rules())
    while not telling.over:
        question = question_of(telling.situation(), telling.rules.target)
        action, failure = await _choose(telling, model, question, seed)
        if action is None:
            return telling.end(failure, seed)
        telling.act(action)
    return telling.end(seed=seed)


async def _choose(telling: Telling, model: LanguageModel, question: Choose, seed: int) -> tuple[Action | None, str]:
    """The action of the first usable answer, or None and what was wrong with the last."""
    decision, complaint = len(telling.rows), ""
    for attempt in range(RETRIES + 1):
        key = CallKey(telling.name, decision, NAME, 0)
        got, reason, action = ModelReply(), "", None
        try:
            got = await model.ask(Request(key, question, seed, attempt, complaint))  # type: ignore[arg-type]
            choice = got.value if got.value is not None else parse(got.text, Choice)[0]
            if not isinstance(choice, Choice):
                raise ReplyInvalid("the answer was to another question")
            action = choice.action
        except BudgetReached:
            raise
        except ModelError as error:
            reason = f"{type(error).__name__}: {error.what}"
            complaint = error.what if isinstance(error, ReplyInvalid) else ""
        except Exception as error:  # noqa: BLE001  a provider's own mistake mustn't stop the study; it is on file
            reason, complaint = type(error).__name__, ""
        said = got.text if got.value is None else got.value.model_dump_json()
        telling.attempts.append(
            Attempt(
                decision, attempt, said[:LONGEST].encode("utf-8", "replace").decode(), action, reason, got.tokens_in,
                got.tokens_out, got.question or request_text(question),
            )
        )  # fmt: skip
        if action is not None:
            return action, ""
    return None, telling.attempts[-1].reason


def question_of(situation: Situation, target: int) -> Choose:
    """What the model is asked: the clock, what is seen, and the memory shown, in words."""
    return Choose(
        person=_keeper(), decision=str(situation.decision), left=str(situation.left), target=str(target),
        seen=_seen(situation.seen), memory=tuple(_remembered(one) for one in situation.memory),
    )  # fmt: skip


def _seen(seen: Seen) -> str:
    words = _words()
    reading = "" if seen.reading is None else words["reading"].format(reading=seen.reading)
    return str(words["seen"].format(reserve=seen.reserve, effort=seen.effort, reading=reading))


def _remembered(one: Experience) -> str:
    fields = {"decision": one.decision, "action": one.action, "before": _seen(one.before), "after": _seen(one.after)}
    return str(_words()["memory"].format(**fields))


@cache
def _words() -> dict[str, Any]:
    data: dict[str, Any] = load_yaml(_HERE / "keeper.yaml").data
    return data


@cache
def _keeper() -> Person:
    given = _words()["person"]
    return Person(
        name=given["name"], age=given["age"], pronoun=given["pronoun"], occupation=given["occupation"],
        traits=tuple(given["traits"]), statements=(), home=given["home"], workplace=None, work_hours=None, wakes=420, sleeps=1380,
    )  # fmt: skip
