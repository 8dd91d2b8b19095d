"""Single interviews: any resident, any question, as of any step of a run that is going on or over; memory stays untouched.

    Interviewer(run, model)              reads one run file; streams and the town are kept between questions
      .ask(name, question, at, condition)-> Interview
    keep(path, interview)                stores it in `interviews` (no part of the digest)

The resident's stream is read back as of the step, and viewed under the condition. The mind that answers is a fresh one
with an empty stream and no state: what it says can come from the view alone, and nothing it does can reach the run.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from agents import make_mind
from agents.arrival import staff_of
from agents.mind import InterviewAnswer, Mind
from kernel import UsageError, dumps
from language import Embedder, Gateway, LanguageModel
from language.model import Call, CallKey
from memory import FULL, Condition, MindView, Record, Stream
from planning.places import Places
from simulation.compose import mind_init, settings_of, stored_blueprint
from simulation.interventions import tidy
from simulation.models import make_embedder, make_model
from simulation.reading.records import read_facts, read_stream
from simulation.seeds import facts_of
from simulation.storing.library import choose, names, run_clock
from simulation.storing.runfile import RunFile
from simulation.wording import phrase
from town import Grid, build_town

LONGEST_QUESTION = 500


@dataclass(frozen=True)
class Interview:
    """A question answered. `step` as of which; `without` the hidden kinds; `records` what the answer rests on."""

    resident: str
    step: int
    time: str
    without: Condition
    question: str
    answer: str
    knows: bool
    records: tuple[Record, ...]
    model: str

    def lines(self) -> Iterator[str]:
        """The answer, then what it rests on."""
        hidden = phrase("ask", "hidden", kinds=str(self.without)) if self.without.hide else ""
        yield phrase("ask", "title", name=self.resident, time=self.time, hidden=hidden)
        yield phrase("ask", "answer", text=self.answer)
        if self.records:
            yield phrase("ask", "rests_head")
            for record in self.records:
                yield "  " + phrase("ask", "record", text=record.text, kind=record.tag or record.kind, id=record.id)
        elif self.knows:
            yield phrase("ask", "rests_nothing")

    def as_json(self) -> str:
        """{resident, step, time, without, question, answer, knows, rests_on, model}."""
        rests = [{"id": str(r.id), "kind": r.kind, "tag": r.tag, "text": r.text} for r in self.records]
        return dumps(
            {
                "resident": self.resident, "step": self.step, "time": self.time, "without": _hidden(self.without),
                "question": self.question, "answer": self.answer, "knows": self.knows, "rests_on": rests, "model": self.model,
            }
        )  # fmt: skip


class _Silent:
    """A ledger that keeps nothing: interviews leave no calls in the run."""

    def called(self, call: Call) -> None:
        """Forgets it."""

    def stored(self, key: CallKey, request_hash: str) -> str | None:
        """Knows none."""
        return None


class Interviewer:
    """Asks the residents of one run. `model` is a specification, a provider, or None: the run's own."""

    def __init__(self, run: RunFile, model: str | LanguageModel | None = None, embedder: Embedder | None = None) -> None:
        self.run = run
        self.clock = run_clock(run)
        self.names = names(run)
        self._blueprint = stored_blueprint(run)
        spec = model if model is not None else self._blueprint.model_for.get("answer", self._blueprint.model)
        self._model = make_model(spec) if isinstance(spec, str) else spec
        self._embedder = embedder
        self._streams: dict[tuple[str, int], Stream] = {}
        self._minds: dict[str, Mind] = {}

    def step_of(self, at: str | None) -> int:
        """The step a time means: that of the latest state not after it. Raises UsageError for a time before the start."""
        committed = self.run.committed
        if at is None:
            return committed
        step = self.clock.step_at(self.clock.parse(at))
        if step < 0:
            raise UsageError(f"'{at}' is before the run's beginning", hint=f"it starts at {self.clock.start:%Y-%m-%d %H:%M}")
        return min(step, committed)

    def ask(self, name: str, question: str, *, at: str | int | None = None, condition: Condition = FULL) -> Interview:
        """One question to one resident (any part of a name), as of a time or step. Raises UsageError, ModelError."""
        who = choose(tidy(name, 60), self.names)
        asked = tidy(question, LONGEST_QUESTION)
        if not asked:
            raise UsageError("the question is empty", hint="ask something")
        step = min(at, self.run.committed) if isinstance(at, int) else self.step_of(at)
        stream = self._stream(who, step)
        answer = asyncio.run(self._answer(who, asked, MindView(stream, step, condition)))
        records = tuple(stream.get(record) for record in answer.rests_on)
        time = f"{self.clock.at(step):%Y-%m-%d %H:%M}"
        return Interview(who, step, time, condition, asked, answer.text, answer.knows, records, self._model.name)

    async def _answer(self, who: str, question: str, view: MindView) -> InterviewAnswer:
        gateway = Gateway(self._model, ledger=_Silent(), seed=self._blueprint.seed)
        try:
            return await self._mind(who).answer(question, view, gateway.asker(who, view.step))
        finally:
            await gateway.close()

    def _stream(self, who: str, step: int) -> Stream:
        kept = self._streams.get((who, step))
        if kept is None:
            kept = self._streams[who, step] = read_stream(self.run, who, self._vectors, self._facts, step)
        return kept

    def _mind(self, who: str) -> Mind:
        if who not in self._minds:
            persona = next(person for person in self._blueprint.people if person.name == who)
            empty = Stream(who, self._vectors, self.clock)
            _, settings = settings_of(self._blueprint.scenario.settings)
            facts = facts_of(self._blueprint.scenario, self._places.town.name, self.clock)
            init = mind_init(self._blueprint, persona, empty, self._places, facts, settings)
            self._minds[who] = make_mind(self._blueprint.minds[who], init)
        return self._minds[who]

    @cached_property
    def _vectors(self) -> Embedder:
        return self._embedder or make_embedder(self._blueprint.embedder)

    @cached_property
    def _facts(self) -> Any:
        return read_facts(self.run)

    @cached_property
    def _places(self) -> Places:
        town = build_town(self._blueprint.map, self._blueprint.scenario.rename_places)
        return Places(town, Grid(town), self.clock, staff_of(self._blueprint.people, town))


def keep(path: Path, interview: Interview) -> int:
    """Stores an interview in its run file; its number. Raises RunFileError when the file can't be written."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    row = (
        interview.resident, interview.step, dumps(_hidden(interview.without)), interview.question, interview.answer,
        int(interview.knows), dumps([str(record.id) for record in interview.records]), interview.model, now,
    )  # fmt: skip
    columns = "resident, step, without, question, answer, knows, rests_on, model, asked"
    with RunFile.open(path, readonly=False, guest=True) as run:
        return run.insert(f"INSERT INTO interviews ({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)


def _hidden(condition: Condition) -> list[str]:
    return str(condition).split(",") if condition.hide else []
