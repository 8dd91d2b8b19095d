"""The generative mind: what it perceives, remembers, promises and regrets; and that nonsense can't stop it."""

import asyncio
import re
from collections import Counter
from dataclasses import replace
from datetime import datetime

import pytest

from agents import generative, testing
from agents.conversing import in_words
from agents.generative import GenerativeMind
from agents.mind import MindInit
from agents.perception import notice
from agents.persona import person_of
from agents.reacting import Decided
from agents.settings import MindSettings
from agents.thought import New, ParsedSchedule, Thought
from kernel import Clock, RecordId
from language import Answer, HashEmbedder, RateImportance, Ratings, Reaction, nonsense
from memory import KnownMap, MindView, Record, Stream
from personas import load_people
from planning.diary import appointments
from town import Because, Conversation, Fact, Gathering, Intention, Moment, Percept, ProposeAct, ProposeWords, Signal

CLOCK = Clock(datetime(2023, 5, 1), 10)
ME, OTHER, THIRD = "Ada Brook", "Ben Carter", "Clara Doyle"
TEA = Gathering("tea", "Hamlet : The Green : green", 1000, 1360, OTHER)
INVITATION = Fact("tea", "Ben Carter is giving a tea on the green.", about=OTHER, gathering=TEA)


def stream(*records: Record) -> Stream:
    made = Stream(ME, HashEmbedder(), CLOCK)
    made.extend(records)
    return made


def record(n: int, text: str, step: int = 0, **fields: object) -> Record:
    fields = {"kind": "observation", "importance": 3, **fields}
    return Record(RecordId(ME, step, n), text=text, created=step, **fields)  # type: ignore[arg-type]


def seen(subject: str, distance: int, act: str = "reading", **fields: object) -> Percept:
    return Percept("person", subject, act, f"{subject}/{act}", "Hamlet : The Green : green", (distance, 0), distance, **fields)  # type: ignore[arg-type]


def moment(*percepts: Percept, step: int = 10, conversation: Conversation | None = None) -> Moment:
    fresh = frozenset(p.version for p in percepts)
    return Moment(step, CLOCK, (0, 0), "Hamlet : The Green : green", None, True, percepts, fresh, (), conversation)


def test_the_nearest_are_noticed_up_to_the_bandwidth() -> None:
    crowd = [seen(f"Person {n}", n) for n in range(1, 7)]
    noticed = notice(stream(), MindSettings(attention_bandwidth=3), moment(*crowd))
    assert [p.subject for p in noticed] == ["Person 1", "Person 2", "Person 3"]


def test_what_was_just_observed_is_no_news() -> None:
    known = stream(record(0, "Ben Carter is reading at The Green"))
    now = moment(seen(OTHER, 1), seen(THIRD, 2))
    assert [p.subject for p in notice(known, MindSettings(), now)] == [THIRD]
    assert [p.subject for p in notice(known, MindSettings(retention=0), now)] == [OTHER, THIRD]


def test_idle_objects_and_distant_walkers_are_not_events() -> None:
    place = "Hamlet : The Green : green : bench"
    bench = Percept("object", place, "free", "bench@0", place, (1, 0), 1, idle=True)
    stranger = seen(OTHER, 4, walking=True)
    assert notice(stream(), MindSettings(), moment(bench, stranger)) == ()
    assert len(notice(stream(), MindSettings(), moment(bench, seen(OTHER, 2, walking=True)))) == 1


def test_a_gathering_heard_of_is_in_the_diary_but_not_firm() -> None:
    heard = record(0, INVITATION.text, fact=INVITATION, kind="conversation")
    (appointment,) = appointments(stream(heard), ME, 0, 8640)
    assert (appointment.role, appointment.firm, appointment.called_off) == ("guest", False, False)


def test_a_promise_makes_it_firm_and_a_later_refusal_takes_it_back() -> None:
    heard = record(0, INVITATION.text, fact=INVITATION)
    promise = record(1, "promised", fact=INVITATION, tag="promise", about=ME)
    refusal = record(2, "refused", fact=INVITATION, tag="refusal", about=ME)
    assert appointments(stream(heard, promise), ME, 0, 8640)[0].firm
    changed = appointments(stream(heard, promise, refusal), ME, 0, 8640)[0]
    assert not changed.firm
    assert changed.refused


def test_a_retraction_calls_it_off_for_whoever_knows_it() -> None:
    off = Fact("tea-off", "The tea is off.", about=OTHER, retracts="tea")
    heard = record(0, INVITATION.text, fact=INVITATION)
    assert appointments(stream(heard, record(1, off.text, fact=off)), ME, 0, 8640)[0].called_off
    assert not appointments(stream(heard), ME, 0, 8640)[0].called_off


def test_a_meeting_of_ones_own_making_is_firm_once_somebody_has_accepted() -> None:
    mine = Fact(f"{ME}/5/0", "tea for two", about=ME, gathering=Gathering("tea", TEA.place, 1000, 1360, ME))
    made = record(0, mine.text, fact=mine, tag="meeting")
    accepted = record(1, "accepted", fact=mine, tag="promise", about=OTHER)
    assert not appointments(stream(made), ME, 0, 8640)[0].firm
    (appointment,) = appointments(stream(made, accepted), ME, 0, 8640)
    assert appointment.firm
    assert appointment.coming == (OTHER,)


def test_hiding_what_was_said_empties_the_diary() -> None:
    heard = record(0, INVITATION.text, fact=INVITATION)
    from memory import NONE

    assert appointments(MindView(stream(heard), 10, NONE), ME, 0, 8640) == ()


@pytest.mark.parametrize("seed", [0, 1])
def test_a_model_that_talks_nonsense_leaves_people_a_sensible_day(seed: int) -> None:
    stage = testing.Stage(generative.make, model=nonsense(seed)).live(testing.DAY)
    texts = [r.text for resident in stage.residents for r in resident.stream.since()]
    spoiled = [t for t in texts if re.search(r"error|exception|traceback|<html|\{\"|null|sorry, (but )?i|as an ai", t, re.I)]
    assert not spoiled
    acts = stage.rows.acts
    sleeps = Counter(act.doer for act in acts if act.asleep)
    assert set(sleeps) == {resident.name for resident in stage.residents}
    for resident in stage.residents:
        mine = [act for act in acts if act.doer == resident.name]
        assert len({act.target for act in mine}) >= 3, f"{resident.name} stays in one spot"
        assert sum(act.until - act.start for act in mine if act.asleep) > 0
    counted = stage.gateway.statistics
    assert sum(s.fallbacks for s in counted.values()) > 0
    assert all(s.fallbacks == s.count for s in counted.values()), "some nonsense was taken for an answer"


def test_what_is_remembered_has_reasons_that_exist() -> None:
    stage = testing.Stage(generative.make)
    stage.live(testing.DAY)
    for resident in stage.residents:
        for entry in resident.stream.since():
            for reason in entry.evidence:
                assert resident.stream.has(reason), f"{entry.id} rests on {reason}, which doesn't exist"
    told = [row for row in stage.rows.rows if row.startswith('["utterance"')]
    assert told, "nobody says a word all day"


def test_a_fact_is_passed_on_only_in_words() -> None:
    fact = "Samuel Reed is training for the regatta in June."
    assert in_words(fact, "I'm training for the regatta, every morning.")
    assert in_words(INVITATION.text, "Come to my tea on the green?")
    assert not in_words(fact, "You remembered! It's still on.")
    assert not in_words(fact, "I learnt to swim when I was five.")


def test_whoever_keeps_a_thought_to_oneself_would_have_done_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every deliberation is thought twice: as it is, and as if somebody might have to wait for it."""
    deliberate, keeps = GenerativeMind._deliberate, GenerativeMind._keeps_to_oneself
    kept: list[bool] = []

    async def twice(self: GenerativeMind, thought: Thought, noticed: tuple[Percept, ...]) -> Intention:
        ask = stage.gateway.asker(self.name, thought.step)
        twin = Thought(self._init, self._state, self._known, self._parsed, thought.moment, ask)
        monkeypatch.setattr(GenerativeMind, "_keeps_to_oneself", lambda *_: False)
        openly = await deliberate(self, twin, noticed)
        monkeypatch.setattr(GenerativeMind, "_keeps_to_oneself", lambda *of: kept.append(keeps(*of)) or kept[-1])
        intention = await deliberate(self, thought, noticed)
        assert intention == openly
        assert not (kept[-1] and intention.proposals)
        return intention

    monkeypatch.setattr(GenerativeMind, "_deliberate", twice)
    stage = testing.Stage(generative.make)
    stage.live(testing.DAY)
    assert kept.count(True) > 30
    assert kept.count(False) > 100


def test_a_memory_is_rated_once_and_in_time() -> None:
    asked: list[RateImportance] = []

    class Answering:
        waits = True

        async def __call__(self, operation: RateImportance) -> Answer[Ratings]:
            asked.append(operation)
            await asyncio.sleep(0)
            return Answer(Ratings(importance=[7] * len(operation.texts)), "call")

    async def main() -> None:
        person = person_of(next(p for p in load_people("hamlet") if p.name == ME), "Hamlet")
        init = MindInit(person, 0, CLOCK, stream(record(0, "a known thing")), None, "bed")  # type: ignore[arg-type]
        thought = Thought(init, {}, KnownMap(), ParsedSchedule(), moment(), Answering())  # type: ignore[arg-type]
        thought.note([New("observation", "a kettle sings", fields={"tag": "state"}), New("observation", "a known thing")])
        thought.note([New("observation", "a kettle sings", fields={"tag": "state"}), New("observation", "a dog barks", 2)])
        await thought.presentable()
        assert [r.text for r in thought.unrated] == ["a kettle sings"] * 2  # merely seen: nobody is shown it
        thought.note([New("conversation", "Ben Carter has a cold", fields={"tag": "memo"})])
        await thought.presentable()
        assert not thought.unrated
        assert [r.importance for r in thought.draft.records] == [7, 3, 7, 2, 7]
        thought.note([New("observation", "nobody will ask")])
        thought.drop()

    asyncio.run(main())
    assert [operation.texts for operation in asked] == [("a kettle sings",), ("Ben Carter has a cold",)]


def test_whoever_meets_somebody_where_the_way_is_barred_talks_and_then_does_something(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stage = testing.Stage(generative.make).live(CLOCK.steps(hours=10))
    mind, body = stage.residents[0].mind, stage.engine.world.bodies[0]
    assert isinstance(mind, GenerativeMind)
    assert body.act is not None
    step = stage.engine.step
    met = seen(stage.engine.world.bodies[1].name, 1)
    asked = Moment(
        step, stage.clock, body.tile, body.arena, replace(body.act, until=step + 100, asleep=False), False, (met,),
        frozenset({met.version}), (Signal("blocked", "full"),), None,
    )  # fmt: skip

    async def talk(*_: object) -> Decided:
        return Decided(met, Reaction(decision="talk"), Because())

    monkeypatch.setattr(generative.reacting, "decide", talk)
    deliberation = mind.prepare(asked)
    assert not isinstance(deliberation, Intention)
    intention = asyncio.run(deliberation(stage.gateway.asker(mind.name, step)))  # type: ignore[arg-type]
    assert [type(proposal) for proposal in intention.proposals] == [ProposeWords, ProposeAct]
