"""Interviews: any resident, any question, as of any step of a run that is going on or over; memory stays untouched.

    Interviewer(run, model)                  reads one run file; streams and the town are kept between questions
      .ask(name, question, at, condition)    -> Interview
      .compare(name, question, at)           -> Comparison: the same question under each ablation, side by side
      .ask_all(who, step, asked)             -> several questions of one moment, a few at once if the model takes time
      .readable(name, at, condition)         -> how many records of each kind a condition lets one read
    (the values: `interviewed`; a dialogue at a terminal: `dialogue`; beside a window: `interview_desk`; keeping answers
    in the run file: `storing.interviews`)

The resident's stream is read back as of the step, and viewed under the condition. The mind that answers is a fresh one
with an empty stream and no state: what it says can come from the view alone, and nothing it does can reach the run.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from agents import make_mind
from agents.arrival import staff_of
from agents.mind import Mind
from kernel import RecordId, UsageError
from language import Embedder, Gateway, LanguageModel, Line
from language.model import Call, CallKey
from memory import FULL, Condition, MindView, Stream
from memory.record import Kind
from personas import Persona
from planning.places import Places
from simulation.compose import settings_of, stored_blueprint
from simulation.interventions import tidy
from simulation.interviewed import (
    ABLATIONS,
    KINDS,
    Comparison,
    Evidence,
    Interview,
    Side,
    Turn,
    condition_name,
    hidden_words,
)
from simulation.models import OFFLINE, make_embedder, make_model
from simulation.reading.records import read_facts, read_stream
from simulation.recruiting import mind_init
from simulation.seeds import facts_of
from simulation.storing.interviews import Row, hidden, keep
from simulation.storing.library import choose, lived_step, names, run_clock
from simulation.storing.runfile import RunFile
from simulation.wording import phrase
from town import Grid, build_town

LONGEST_QUESTION = 500
LONGEST_ANSWER = 2000
"""Characters of an earlier answer that a follow-up sees."""
AT_ONCE = 8
"""Questions to a model that takes its time, asked at once."""
STREAMS_KEPT = 16
"""Snapshots (resident, step) kept between questions."""


class _Notes:
    """A ledger that keeps nothing of an interview but why its answer is a fallback's, if it is."""

    def __init__(self) -> None:
        self.fallback: str | None = None

    def called(self, call: Call) -> None:
        """Notes the fallback of an answer."""
        if call.key.operation == "answer":
            self.fallback = call.fallback

    def stored(self, key: CallKey, request_hash: str) -> str | None:
        """Knows none."""
        return None


class Interviewer:
    """Asks the residents of one run. `model` is a specification, a provider, or None: the run's own.

    Not for two threads at once, nor for another thread than the one that opened `run` (`interview_desk` is).
    """

    def __init__(self, run: RunFile, model: str | LanguageModel | None = None, embedder: Embedder | None = None) -> None:
        self.run = run
        self.clock = run_clock(run)
        self._blueprint = stored_blueprint(run)
        spec = model if model is not None else self._blueprint.model_for.get("answer", self._blueprint.model)
        self._model = make_model(spec) if isinstance(spec, str) else spec
        self._embedder = embedder
        self._streams: dict[tuple[str, int], Stream] = {}
        self._views: dict[tuple[str, int, Condition], MindView] = {}
        self._minds: dict[str, Mind] = {}
        self._came: dict[str, int] = {}

    @property
    def names(self) -> list[str]:
        """All residents, those who came on the way too."""
        return names(self.run)

    @property
    def model(self) -> str:
        """Name of the model that answers."""
        return self._model.name

    @property
    def evidence(self) -> Evidence:
        """What kind of evidence its answers are."""
        return "offline" if self._model.name == OFFLINE else "model"

    def step_of(self, at: str | None) -> int:
        """The step a time means (the latest state when None). Raises UsageError for a time outside what was lived."""
        return lived_step(self.run, at)

    def time_of(self, step: int) -> str:
        """Calendar time of a step, to the minute."""
        return f"{self.clock.at(step):%Y-%m-%d %H:%M}"

    def ask(
        self,
        name: str,
        question: str,
        *,
        at: str | int | None = None,
        condition: Condition = FULL,
        dialogue: Sequence[Turn] = (),
    ) -> Interview:
        """One question to one resident (any part of a name), as of a time or step, after the turns of `dialogue`.

        Raises UsageError, ModelError.
        """
        who = choose(tidy(name, 60), self.names)
        return self.ask_all(who, self._moment(at), [(question, condition)], dialogue)[0]

    def compare(
        self,
        name: str,
        question: str,
        *,
        at: str | int | None = None,
        conditions: Mapping[str, Condition] = ABLATIONS,
        dialogue: Sequence[Turn] = (),
    ) -> Comparison:
        """One question under several conditions, side by side, each with what it may read. Raises UsageError, ModelError."""
        who = choose(tidy(name, 60), self.names)
        step = self._moment(at)
        answers = self.ask_all(who, step, [(question, condition) for condition in conditions.values()], dialogue)
        sides = tuple(
            Side(label, condition, answer, self.readable(who, at=step, condition=condition))
            for (label, condition), answer in zip(conditions.items(), answers, strict=True)
        )
        return Comparison(who, step, self.time_of(step), answers[0].question if answers else tidy_question(question), sides)

    def readable(self, name: str, *, at: str | int | None = None, condition: Condition = FULL) -> Mapping[Kind, int]:
        """How many records of each kind a resident may read as of a moment under a condition, in the order of KINDS."""
        records = self._view(choose(name, self.names), self._moment(at), condition).since()
        return {kind: sum(record.kind == kind for record in records) for kind in KINDS}

    def ask_all(
        self, who: str, step: int, asked: Sequence[tuple[str, Condition]], dialogue: Sequence[Turn] = ()
    ) -> list[Interview]:
        """Several questions to one resident (full name) as of one step, each on its own; answers in the same order.

        Up to AT_ONCE are asked at once; the answers don't depend on that. Raises UsageError, ModelError.
        """
        if step <= self._since(who) > 0:
            since = self.time_of(self._since(who))
            raise UsageError(f"{who} wasn't in the town yet on {self.time_of(step)}", hint=f"they came on {since}")
        questions = [(tidy_question(question), condition) for question, condition in asked]
        lines = tuple(_lines(who, dialogue))
        views = [(question, self._view(who, step, condition)) for question, condition in questions]
        return asyncio.run(self._gathered(who, views, lines))

    async def _gathered(self, who: str, asked: Sequence[tuple[str, MindView]], lines: tuple[Line, ...]) -> list[Interview]:
        """The first question of each view goes ahead: what it derives from the view is there for the others."""
        first = {id(view): n for n, (_, view) in reversed(list(enumerate(asked)))}
        ahead = [n for n, (_, view) in enumerate(asked) if first[id(view)] == n]
        found: dict[int, Interview] = {}
        gate = asyncio.Semaphore(AT_ONCE)

        async def one(n: int) -> None:
            async with gate:
                found[n] = await self._answer(who, *asked[n], lines)

        try:
            for some in (ahead, [n for n in range(len(asked)) if n not in ahead]):
                async with asyncio.TaskGroup() as group:
                    for n in some:
                        group.create_task(one(n))
        except ExceptionGroup as several:  # the first says what is wrong; the others were called off with it
            raise several.exceptions[0] from None
        finally:
            await self._model.close()
        return [found[n] for n in range(len(asked))]

    async def _answer(self, who: str, question: str, view: MindView, lines: tuple[Line, ...]) -> Interview:
        notes = _Notes()
        asker = Gateway(self._model, ledger=notes, seed=self._blueprint.seed).asker(who, view.step)
        mind = self._mind(who)
        # a mind that knows no dialogues needn't take one
        answer = await (mind.answer(question, view, asker, lines) if lines else mind.answer(question, view, asker))
        records = tuple(view.get(record) for record in answer.rests_on if view.has(record))
        return Interview(
            who, view.step, self.time_of(view.step), view.condition, question, answer.text, answer.knows, records,
            self._model.name, self.evidence, notes.fallback, len(lines) // 2,
        )  # fmt: skip

    def again(self, who: str, step: int, question: str, condition: Condition, row: Row) -> Interview:
        """An interview that is on file, as it was answered then by the same model."""
        view = self._view(who, step, condition)
        found = (RecordId.parse(id) for id in row.rests_on)
        records = tuple(view.get(id) for id in found if view.has(id))
        return Interview(
            who, step, self.time_of(step), condition, question, row.answer, row.knows, records, self._model.name,
            self.evidence, row.fallback,
        )  # fmt: skip

    def _moment(self, at: str | int | None) -> int:
        return max(0, min(at, self.run.committed)) if isinstance(at, int) else self.step_of(at)

    def _view(self, who: str, step: int, condition: Condition) -> MindView:
        """The view of a snapshot under a condition; kept with it, since minds keep what they derive from a view beside it."""
        stream = self._stream(who, step)
        kept = self._views.get((who, step, condition))
        if kept is None:
            kept = self._views[who, step, condition] = MindView(stream, step, condition)
        return kept

    def _stream(self, who: str, step: int) -> Stream:
        kept = self._streams.pop((who, step), None)
        if kept is None:
            # a running town makes new facts: they are read again with each snapshot
            kept = read_stream(self.run, who, self._vectors, read_facts(self.run), step)
            while len(self._streams) >= STREAMS_KEPT:
                oldest = next(iter(self._streams))
                del self._streams[oldest]
                self._views = {key: view for key, view in self._views.items() if key[:2] != oldest}
        self._streams[who, step] = kept
        return kept

    def _mind(self, who: str) -> Mind:
        if who not in self._minds:
            (kind, persona, since), *_ = self.run.rows("SELECT mind, persona, since FROM residents WHERE name = ?", (who,))
            empty = Stream(who, self._vectors, self.clock)
            _, settings = settings_of(self._blueprint.scenario.settings)
            facts = facts_of(self._blueprint.scenario, self._places.town.name, self.clock)
            init = mind_init(
                self._blueprint, Persona.model_validate_json(persona), empty, self._places, facts, settings,
                since=since if since >= 0 else None,
            )  # fmt: skip
            self._minds[who] = make_mind(kind, init)
        return self._minds[who]

    def _since(self, who: str) -> int:
        """The step at which somebody came to town, -1: they were there from the start."""
        if who not in self._came:
            self._came[who] = int(self.run.rows("SELECT since FROM residents WHERE name = ?", (who,))[0][0])
        return self._came[who]

    @cached_property
    def _vectors(self) -> Embedder:
        return self._embedder or make_embedder(self._blueprint.embedder)

    @cached_property
    def _places(self) -> Places:
        town = build_town(self._blueprint.map, self._blueprint.scenario.rename_places)
        return Places(town, Grid(town), self.clock, staff_of(self._blueprint.people, town))


def tidy_question(question: str) -> str:
    """A question as it is asked: on one line, at most LONGEST_QUESTION characters. Raises UsageError for an empty one."""
    asked = tidy(question, LONGEST_QUESTION)
    if not asked:
        raise UsageError("the question is empty", hint="ask something")
    return asked


def _lines(who: str, dialogue: Sequence[Turn]) -> Iterator[Line]:
    interviewer = phrase("ask", "interviewer")
    for turn in dialogue:
        yield Line(interviewer, tidy_question(turn.question), "question")
        yield Line(who, tidy(turn.answer, LONGEST_ANSWER), "answer")


__all__ = [
    "ABLATIONS",
    "KINDS",
    "Comparison",
    "Interview",
    "Interviewer",
    "Side",
    "Turn",
    "condition_name",
    "hidden",
    "hidden_words",
    "keep",
    "tidy_question",
]
