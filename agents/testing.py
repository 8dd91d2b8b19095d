"""The conformance kit: what any mind must pass, ours and a plug-in's.

    from agents.testing import check_mind
    check_mind(my_factory)                     # raises AssertionError with what is wrong

    check_determinism       two lives with the same seed are equal, row for row
    check_restore           saved at some step and restored into fresh objects, life goes on the same
    check_pure              preparing a moment twice, or dropping the result, changes nothing
    check_interview         asked at any moment, no trace is left; the answer cites only what exists
    check_possible_acts     no act at an address that isn't in the town, none that is over before it begins
    check_hidden_records    what a condition hides never shows in an answer

The stage is the small town that ships with the program, its people, and the offline model.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from inspect import isawaitable

from agents.arrival import known_at_start, placed_at_start, staff_of
from agents.mind import Mind, MindInit
from agents.persona import identity_records, person_of
from agents.resident import Dweller
from kernel import Clock, Json, RecordId, dumps
from language import Gateway, LanguageModel, OfflineModel, WordllamaEmbedder
from language.ledger import NoLedger
from maps import load_map
from memory import NONE, Exposed, MindView, Record, Retrieval, Stream
from personas import load_people
from planning.places import Places
from planning.schedule import PlanEntry
from town import Act, Because, Conversation, Engine, Grid, Intention, Moment, Outcome, Tile, Utterance, build_town
from town.tree import join

STAGE = "hamlet"
DAY = 8640
Factory = Callable[[MindInit], Mind]


@dataclass
class Rows:
    """A journal in memory: every row as canonical JSON, in order."""

    rows: list[str] = field(default_factory=list)
    acts: list[Act] = field(default_factory=list)

    def _row(self, kind: str, *values: object) -> None:
        self.rows.append(dumps([kind, *(str(value) for value in values)]))

    def moved(self, resident: str, start: int, tiles: tuple[Tile, ...]) -> None:
        """See `town.Journal`, as for all below."""
        self._row("moved", resident, start, tiles)

    def acted(self, act: Act) -> None:
        """An act."""
        self.acts.append(act)
        self._row("act", act)

    def act_over(self, resident: str, act: RecordId, step: int, why: str) -> None:
        """Its end."""
        self._row("act_over", resident, act, step, why)

    def object_changed(self, address: str, step: int, state: str, by: RecordId | None) -> None:
        """An object's state."""
        self._row("object", address, step, state, by)

    def happened(self, event: str, step: int, until: int, place: str, text: str) -> None:
        """An event."""
        self._row("event", event, step, until, place, text)

    def conversation(self, conversation: Conversation, step: int) -> None:
        """A conversation's change."""
        self._row("conversation", conversation, step)

    def uttered(self, utterance: Utterance, because: Because) -> None:
        """Words."""
        self._row("utterance", utterance, because)

    def came(self, name: str, step: int, tile: Tile, look: str, visitor: bool) -> None:
        """As in `Journal`."""
        self._row("came", name, step, tile, look, visitor)

    def went(self, name: str, step: int, tile: Tile, look: str, visitor: bool) -> None:
        """As in `Journal`."""
        self._row("went", name, step, tile, look, visitor)

    def failed(self, resident: str, step: int, error: BaseException) -> None:
        """A mind that raised fails the kit."""
        raise AssertionError(f"{resident}'s mind raised at step {step}: {error!r}") from error

    def committed(self, step: int) -> None:
        """Steps without rows needn't be equal in number."""

    def remembered(self, record: Record, vector: bytes) -> None:
        """A memory."""
        self._row("memory", record)

    def retrieved(self, retrieval: Retrieval) -> None:
        """A retrieval."""
        self._row("retrieval", retrieval)

    def exposed(self, resident: str, step: int, exposed: Exposed) -> None:
        """What was shown for a decision."""
        self._row("exposed", resident, step, exposed)

    def planned(self, resident: str, entry: PlanEntry) -> None:
        """A plan entry."""
        self._row("plan", resident, entry)

    def state_changed(self, resident: str, key: str, step: int, value: Json) -> None:
        """A key of state."""
        self._row("state", resident, key, step, dumps(value))


class Stage:
    """The small town with a mind under test in everybody."""

    def __init__(
        self, factory: Factory, *, seed: int = 0, model: LanguageModel | None = None, twice: bool = False, newborn: bool = True
    ) -> None:
        self.rows = Rows()
        self.clock = Clock(datetime(2023, 5, 1), 10)
        self.town = build_town(load_map(STAGE))
        people = load_people(STAGE)
        grid = Grid(self.town)
        self.gateway = Gateway(model or OfflineModel(), ledger=NoLedger(), seed=seed)
        staff = staff_of(people, self.town)
        places = Places(self.town, grid, self.clock, staff)
        vectors = WordllamaEmbedder()
        self.residents: list[Dweller] = []
        for persona in people:
            stream = Stream(persona.name, vectors, self.clock)
            init = MindInit(
                person=person_of(persona, self.town.name), seed=seed, clock=self.clock, stream=stream, places=places,
                bed=join(self.town.name, persona.bed), known_places=known_at_start(persona, self.town),
            )  # fmt: skip
            mind = factory(init)
            if newborn:
                stream.extend(identity_records(persona, [p.name for p in people]))
            dweller = _Twice if twice else Dweller
            self.residents.append(dweller(mind, stream, self.gateway.asker, self.rows))
        self.engine = Engine(
            self.town, grid, self.clock, self.residents, self.rows,
            placed=placed_at_start(people, self.town), staff=staff, seed=seed,
        )  # fmt: skip

    def live(self, until: int) -> Stage:
        """Runs to a step."""
        asyncio.run(self.engine.run(until))
        return self

    def moved_into(self, other: Stage) -> Stage:
        """Restores this stage's state into a fresh one without first memories (as a resume does)."""
        for mine, theirs in zip(self.residents, other.residents, strict=True):
            records = mine.stream.since()
            theirs.stream.restore(records, mine.stream.vectors(), mine.stream.accessed_steps())
            theirs.mind.restore(dict(mine.mind.state()))
        other.engine.restore(self.engine.state())
        return other


class _Twice(Dweller):
    """Prepares every moment twice and uses the second: a mind that isn't pure gives itself away."""

    def prepare(self, moment: Moment):  # type: ignore[no-untyped-def]
        """The second of two preparations."""

        async def second() -> Intention:
            for _ in range(2):
                prepared = super(_Twice, self).prepare(moment)
                intention = await prepared if isawaitable(prepared) else prepared
            return intention

        return second()

    def commit(self, moment: Moment, intention: Intention, outcome: Outcome) -> None:
        """As usual."""
        super().commit(moment, intention, outcome)


def check_determinism(factory: Factory, until: int = DAY) -> None:
    """Same seed, same life."""
    first, second = (Stage(factory, seed=3).live(until).rows.rows for _ in range(2))
    _same(first, second, "two lives with one seed differ")


def check_restore(factory: Factory, until: int = DAY, cuts: tuple[int, ...] = (1, 2500, 4321, 6000)) -> None:
    """Whatever the step at which it is saved and restored, the rest of the life is the same."""
    whole = Stage(factory).live(until).rows.rows
    for cut in cuts:
        before = Stage(factory).live(cut)
        after = before.moved_into(Stage(factory, newborn=False))
        after.live(until)
        _same(whole, before.rows.rows + after.rows.rows, f"restored at step {cut}, life goes on differently")


def check_pure(factory: Factory, until: int = DAY) -> None:
    """Preparing twice is preparing once."""
    once, twice = Stage(factory).live(until), Stage(factory, twice=True).live(until)
    _same(once.rows.rows, twice.rows.rows, "preparing a moment twice changes what follows: `prepare` isn't pure")


def check_interview(factory: Factory, question: str, until: int = DAY, at: int = 5000) -> None:
    """Asked in the middle of the day, nobody lives differently; citations exist."""
    quiet = Stage(factory).live(until)
    asked = Stage(factory).live(at)
    for resident in asked.residents:
        view = MindView(resident.stream, at)
        answer = asyncio.run(resident.mind.answer(question, view, asked.gateway.asker(resident.name, at)))
        assert answer.text.strip(), f"{resident.name} gives an empty answer"
        missing = [str(i) for i in answer.rests_on if not view.has(i)]
        assert not missing, f"{resident.name}'s answer rests on records that don't exist: {missing}"
    asked.live(until)
    _same(quiet.rows.rows, asked.rows.rows, "an interview left a trace")


def check_possible_acts(factory: Factory, until: int = DAY) -> None:
    """Acts are at places of the town and end after they begin; everybody does something."""
    stage = Stage(factory).live(until)
    for act in stage.rows.acts:
        assert act.target in stage.town.by_address, f"{act.doer} acts at '{act.target}', which isn't in the town"
        assert act.until > act.start, f"{act.doer}'s act '{act.text}' is over before it begins"
    idle = {resident.name for resident in stage.residents} - {act.doer for act in stage.rows.acts}
    assert not idle, f"never act: {sorted(idle)}"


def check_hidden_records(factory: Factory, questions: tuple[str, ...], sentinel: str, at: int = 3000) -> None:
    """A record that a condition hides never shows in an answer, whatever is asked."""
    stage = Stage(factory).live(at)
    for resident in stage.residents:
        kinds = ("observation", "conversation", "reflection", "plan")
        resident.stream.extend(
            Record(RecordId(resident.name, at, n), kind, sentinel, at, 10, people=(resident.name,))  # type: ignore[arg-type]
            for n, kind in enumerate(kinds)
        )
        view = MindView(resident.stream, at + 1, NONE)
        for question in (*questions, sentinel):
            answer = asyncio.run(resident.mind.answer(question, view, stage.gateway.asker(resident.name, at)))
            leaked = question != sentinel and sentinel.casefold() in answer.text.casefold()
            assert not leaked, f"{resident.name}'s answer shows a hidden record"
            assert not answer.rests_on, f"{resident.name}'s answer rests on hidden records"


def check_mind(factory: Factory, question: str, sentinel: str) -> None:
    """All checks. `question` is any interview question, `sentinel` a text that nothing else would produce."""
    check_possible_acts(factory)
    check_determinism(factory)
    check_pure(factory)
    check_restore(factory)
    check_interview(factory, question)
    check_hidden_records(factory, (question,), sentinel)


def _same(first: list[str], second: list[str], what: str) -> None:
    for n, (one, two) in enumerate(zip(first, second, strict=False)):
        assert one == two, f"{what}, first at row {n}:\n  {one}\n  {two}"
    assert len(first) == len(second), f"{what}: {len(first)} rows against {len(second)}"
