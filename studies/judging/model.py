"""The model judge: a language model ranks the answers to one question by believability.

    judge_groups(model, ...)     verdict rows of one resident's questions, several passes each
    judge_figures(rows)          by judge: judgements, bad replies, order bias, test-retest agreement
    RankAnswers, Placed          the operation and its reply; prompt: `prompt.txt`, `system.txt`

Codes are letters; which answer gets which is drawn for each question, and every other pass shows them in the opposite order,
so that a liking for what stands first cancels out and is reported. Replies are kept in a file on arrival: what was judged isn't
asked again. A reply that doesn't place every answer once is bad: counted, and no ranking.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import Field

from kernel import Dice, dumps, load_yaml
from language import Gateway, LanguageModel, Person, register_prompt
from language.fallbacks import falls_back
from language.model import Call, CallKey
from language.operations import Operation
from language.replies import ReplyModel
from studies.ranking.agreement import kendalls_w

Row = dict[str, Any]
LETTERS = "ABCDEFGHIJ"
AT_ONCE = 8
MEMORIES = 60
"""The weightiest memories the judge is shown, in order of time."""
HERE = Path(__file__).parent


class Placed(ReplyModel):
    """Groups of equally believable answers, the best group first, each a list of codes."""

    order: Annotated[list[list[str]], Field(max_length=20)]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankAnswers(Operation[Placed]):
    """Rank answers to a question as `person`'s own. `memories` are what the person remembers; `answers` are "A: text"."""

    name: ClassVar[str] = "judge"
    reply_type: ClassVar[type[ReplyModel]] = Placed
    resident: str
    memories: tuple[str, ...]
    question: str
    answers: tuple[str, ...]


class FileLedger:
    """Calls in a file of JSON lines, each on disk when it is there. A half-written last line is left out."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._kept: dict[tuple[str, str], str] = {}
        self.fallbacks: dict[str, str] = {}
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
            try:
                one = json.loads(line)
            except ValueError:
                continue
            self._take(one)

    def called(self, call: Call) -> None:
        """Appends the call."""
        one = {
            "key": str(call.key),
            "model": call.model,
            "hash": call.request_hash,
            "reply": call.reply_json,
            "fallback": call.fallback,
        }
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(dumps(one) + "\n")
        self._take(one)

    def stored(self, key: CallKey, request_hash: str) -> str | None:
        """The reply kept for this key and content."""
        return self._kept.get((str(key), request_hash))

    def _take(self, one: Mapping[str, Any]) -> None:
        self._kept[one["key"], one["hash"]] = one["reply"]
        if one["fallback"] is not None:
            self.fallbacks[one["key"]] = one["fallback"]


def judge_groups(
    model: str | LanguageModel, path: str, seed: int, groups: Mapping[str, Sequence[Row]], human: Mapping[str, str], passes: int,
    ledger: Path,
) -> list[Row]:  # fmt: skip
    """Rows {resident, item, category, by, pass, first, ranks, bad}; `first` the condition that stood first, `bad` why a reply
    gave no ranking, or None. Raises ModelError when the model can't be used at all."""
    from simulation.models import make_model

    _registered()
    provider = make_model(model) if isinstance(model, str) else model
    questions = [_Question.of(item, rows, human.get(item), seed) for item, rows in groups.items()]
    if not questions:
        return []
    kept = FileLedger(ledger.with_name(f"{ledger.stem}-{_plain(provider.name)}.jsonl"))
    memories = _memories(path, questions[0].resident, questions[0].step)
    return asyncio.run(_all(provider, kept, questions, memories, seed, passes))


def judge_figures(rows: Sequence[Row]) -> dict[str, Row]:
    """{judge: {judgements, bad_replies, why_bad, first_best, test_retest_w, retested}} of models."""
    by: dict[str, list[Row]] = {}
    for row in rows:
        if row["by"] != "grounding":
            by.setdefault(row["by"], []).append(row)
    return {name: _figures(each) for name, each in by.items()}


def _figures(rows: Sequence[Row]) -> Row:
    good = [row for row in rows if row["ranks"]]
    bad: dict[str, int] = {}
    for row in rows:
        if row["bad"] is not None:
            bad[row["bad"]] = bad.get(row["bad"], 0) + 1
    passes: dict[tuple[str, str, str], list[Row]] = {}
    for row in good:
        passes.setdefault((row["run"], row["resident"], row["item"]), []).append(row)
    agreement = [kendalls_w([one["ranks"] for one in each]) for each in passes.values() if len(each) > 1]
    found = [w for w in agreement if w is not None]
    firsts = [row["ranks"].get(row["first"]) == 1 for row in good]
    return {
        "judgements": len(rows), "bad_replies": len(rows) - len(good), "why_bad": dict(sorted(bad.items())),
        "first_best": round(sum(firsts) / len(firsts), 4) if firsts else None,
        "test_retest_w": round(math.fsum(found) / len(found), 4) if found else None, "retested": len(found),
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Question:
    resident: str
    step: int
    item: str
    category: str
    text: str
    answers: Mapping[str, str]
    order: tuple[str, ...]

    @classmethod
    def of(cls, item: str, rows: Sequence[Row], human: str | None, seed: int) -> _Question:
        first = rows[0]
        answers = {row["condition"]: row["answer"] for row in rows}
        if human is not None:
            answers["human"] = human
        order = Dice(seed, first["resident"], first["step"], f"judge/{item}").shuffled(list(answers))
        return cls(first["resident"], first["step"], item, first["category"], first["question"], answers, tuple(order))

    def shown(self, number: int) -> tuple[str, ...]:
        """Conditions in the order of their letters, in a pass."""
        turned = number // 2 % len(self.order)
        order = self.order[turned:] + self.order[:turned]
        return order[::-1] if number % 2 else order


async def _all(
    provider: LanguageModel, kept: FileLedger, questions: Sequence[_Question], memories: tuple[str, ...], seed: int, passes: int
) -> list[Row]:
    gateway = Gateway(provider, ledger=kept, seed=seed)
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(n: int, question: _Question, number: int) -> Row:
        shown = question.shown(number)
        texts = tuple(f"{code}: {question.answers[name].strip() or '...'}" for code, name in zip(LETTERS, shown, strict=False))
        operation = RankAnswers(
            person=_reader(), resident=question.resident, memories=memories, question=question.text, answers=texts
        )
        key = CallKey(question.resident, question.step, RankAnswers.name, n * passes + number)
        async with gate:
            answer = await gateway.ask(key, operation)
        reason = kept.fallbacks.get(str(key))
        ranks, bad = (
            ({}, "fallback") if reason is not None else _ranks(answer.reply.order, dict(zip(LETTERS, shown, strict=False)))
        )
        return {
            "resident": question.resident, "item": question.item, "category": question.category, "by": provider.name,
            "pass": number, "first": shown[0], "ranks": ranks, "bad": bad, "details": {},
        }  # fmt: skip

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(one(n, question, number)) for n, question in enumerate(questions) for number in range(passes)
            ]
    except ExceptionGroup as several:
        raise several.exceptions[0] from None
    finally:
        await provider.close()
    return [task.result() for task in tasks]


def _ranks(order: Sequence[Sequence[str]], codes: Mapping[str, str]) -> tuple[dict[str, int], str | None]:
    """Ranks by condition, or why there are none."""
    ranks: dict[str, int] = {}
    for group in order:
        rank = len(ranks) + 1
        for code in group:
            name = codes.get(code.strip().upper())
            if name is None:
                return {}, "unknown letter"
            if name in ranks:
                return {}, "letter twice"
            ranks[name] = rank
    return (ranks, None) if len(ranks) == len(codes) else ({}, "letters left out")


def _memories(path: str, resident: str, step: int) -> tuple[str, ...]:
    from simulation.storing.library import run_clock
    from simulation.storing.runfile import RunFile
    from studies.judging.sources import memory_of

    with RunFile.open(Path(path)) as run:
        return tuple(memory_of(run, resident, step, run_clock(run), MEMORIES))


@cache
def _registered() -> None:
    """Tells the language room how to put the question, and what stands in for a reply that never came: nothing."""
    register_prompt(
        RankAnswers.name,
        (HERE / "prompt.txt").read_text(encoding="utf-8"),
        (HERE / "system.txt").read_text(encoding="utf-8"),
    )
    falls_back(RankAnswers)(lambda _: Placed(order=[]))


@cache
def _reader() -> Person:
    """Who asks: nobody in the town. An operation needs somebody."""
    fields = load_yaml(HERE / "reader.yaml").data
    return Person(**{**fields, "traits": (), "statements": (), "workplace": None, "work_hours": None})


def _plain(name: str) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in name)
