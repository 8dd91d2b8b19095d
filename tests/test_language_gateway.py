"""The gateway: whatever a model answers, a usable reply comes back, counted and on file."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import fields, replace
from typing import Any, TypeVar

import pytest
from language_fields import DIARY, HOME, NEWS, OPERATION_OF_EACH_KIND, OVEN, PERSON, POND, SCENE, SEEN, TOLD, operation

from kernel import BudgetReached, EndpointUnreachable, ModelError
from language import (
    HANG,
    OPERATIONS,
    AnswerQuestion,
    Decompose,
    DrawInsights,
    Gateway,
    MemoryLedger,
    ModelReply,
    NoLedger,
    OfflineModel,
    PlanDay,
    PlanHours,
    RateImportance,
    Ratings,
    React,
    Reaction,
    Recollection,
    ScriptedModel,
    Settle,
    Settling,
    Speak,
    SummariseSelf,
    Turn,
    fallback_of,
    nonsense,
    render,
    request_hash,
    request_text,
    responder_for,
)
from language.scripted import GARBAGE

T = TypeVar("T")

TELLTALE = ("error", "traceback", "exception", "language model", "json", "lorem", "<html", "undefined", "sk-0", "\u202e", "\x00")


def now(coroutine: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine that never suspends, without an event loop."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
    raise AssertionError("it suspended")


def ask(model: Any, op: Any, **settings: Any) -> tuple[Any, MemoryLedger, Gateway]:
    ledger = MemoryLedger()
    gateway = Gateway(model, ledger=ledger, seed=1, **settings)
    return now(gateway.asker("Ada Tor", 5)(op)), ledger, gateway


def test_operations_of_each_kind_are_all_there() -> None:
    assert {type(op) for op in OPERATION_OF_EACH_KIND} == set(OPERATIONS)


@pytest.mark.parametrize("op", OPERATION_OF_EACH_KIND, ids=lambda op: op.name)
@pytest.mark.parametrize("seed", range(20))
def test_nonsense_gives_a_valid_reply_and_a_reason(op: Any, seed: int) -> None:
    answer, ledger, gateway = ask(nonsense(seed), op)
    assert isinstance(answer.reply, op.reply_type)
    assert answer.fallback
    assert ledger.calls[0].fallback == answer.fallback
    assert ledger.calls[0].attempts == 3
    assert gateway.statistics[op.name].fallbacks == 1
    assert gateway.statistics[op.name].retried == 2
    told = answer.reply.model_dump_json().casefold()
    assert not [word for word in TELLTALE if word in told]
    assert answer.reply == fallback_of(op)
    ledger.calls[0].raw.encode()  # what is stored can be written as UTF-8


@pytest.mark.parametrize("op", OPERATION_OF_EACH_KIND, ids=lambda op: op.name)
@pytest.mark.parametrize("garbage", GARBAGE, ids=lambda garbage: repr(garbage)[:20])
def test_no_single_piece_of_garbage_is_taken_for_an_answer(op: Any, garbage: Any) -> None:
    answer, _, _ = ask(ScriptedModel([garbage]), op, retries=0)
    assert answer.fallback


@pytest.mark.parametrize("kind", OPERATIONS, ids=lambda kind: kind.name)
def test_every_operation_has_prompt_fallback_and_responder(kind: Any) -> None:
    op = operation(kind)
    prompt = render(op)
    assert prompt.version >= 1
    assert isinstance(fallback_of(op), op.reply_type)
    try:
        responder = responder_for(kind)
    except ModelError:
        pytest.skip("no responder yet")
    assert callable(responder)


def test_a_good_text_answer_is_used_and_kept() -> None:
    text = '```json\n{"importance": [2, 9], "note": "extra keys are fine"}\n```'
    model = ScriptedModel([ModelReply(text=text, tokens_in=120, tokens_out=9, seconds=0.5, question="Rate these.")])
    answer, ledger, gateway = ask(model, operation(RateImportance))
    assert answer.reply == Ratings(importance=[2, 9])
    assert answer.fallback is None
    assert answer.call == "Ada Tor/5/rate/0"
    call = ledger.calls[0]
    assert (call.raw, call.reply_json, call.request_text) == (text, '{"importance":[2,9]}', "Rate these.")
    assert (call.attempts, call.tokens_in, call.tokens_out, call.seconds, call.repaired) == (1, 120, 9, 0.5, False)
    stats = gateway.statistics["rate"]
    assert (stats.count, stats.tokens_in, stats.tokens_out, stats.seconds, stats.fallbacks) == (1, 120, 9, 0.5, 0)


@pytest.mark.parametrize(
    "text",
    [
        "Here you go: {importance: [2, 9],}",
        '{"importance": [2, 9',
        "<think>{hm}</think>{'importance': [2, 9]}",
    ],
)
def test_broken_json_is_repaired_and_counted(text: str) -> None:
    answer, ledger, gateway = ask(ScriptedModel([text]), operation(RateImportance))
    assert answer.reply == Ratings(importance=[2, 9])
    assert ledger.calls[0].repaired
    assert gateway.statistics["rate"].repaired == 1


@pytest.mark.parametrize("text", ["[2, 9]", '{"reply": {"importance": [2, 9]}}', '{"importance": ["2", 9]}'])
def test_answers_in_a_slightly_other_shape_are_understood(text: str) -> None:
    answer, _, _ = ask(ScriptedModel([text]), operation(RateImportance))
    assert answer.reply == Ratings(importance=[2, 9])


def test_a_wrong_answer_is_asked_again_with_the_complaint() -> None:
    model = ScriptedModel([{"importance": [2]}, {"importance": [2, 11]}, {"importance": [2, 9]}])
    answer, ledger, _ = ask(model, operation(RateImportance))
    assert answer.reply == Ratings(importance=[2, 9])
    assert answer.fallback is None
    assert ledger.calls[0].attempts == 3
    assert [request.attempt for request in model.requests] == [0, 1, 2]
    complaints = [request.complaint for request in model.requests]
    assert complaints[0] == ""
    assert "2 ratings were asked for, 1 given" in complaints[1]
    assert "importance.1" in complaints[2]


def test_a_reply_of_another_operation_isnt_taken() -> None:
    answer, _, _ = ask(ScriptedModel([Settling(address=POND)] * 3), operation(RateImportance))
    assert answer.fallback == "ReplyInvalid: a Ratings was asked for, not a Settling"
    assert answer.reply == Ratings(importance=[3, 3])


def test_equal_questions_of_one_moment_are_counted() -> None:
    model = ScriptedModel(lambda request: {"importance": [2, 2 + request.key.n]})
    ledger = MemoryLedger()
    asker = Gateway(model, ledger=ledger, seed=1).asker("Ada Tor", 5)
    op = operation(RateImportance)
    assert [now(asker(op)).reply.importance[1] for _ in range(3)] == [2, 3, 4]
    assert [call.key.n for call in ledger.calls] == [0, 1, 2]


def test_a_stored_reply_is_used_again_and_the_model_not_asked() -> None:
    ledger = MemoryLedger()
    op = operation(RateImportance)
    first = now(Gateway(ScriptedModel([{"importance": [2, 9]}]), ledger=ledger, seed=1).asker("Ada Tor", 5)(op))
    silent = ScriptedModel([])
    gateway = Gateway(silent, ledger=ledger, seed=1)
    again = now(gateway.asker("Ada Tor", 5)(op))
    assert again.reply == first.reply
    assert silent.requests == []
    assert len(ledger.calls) == 1
    assert (gateway.statistics["rate"].reused, gateway.statistics["rate"].count) == (1, 0)
    other = now(gateway.asker("Ada Tor", 5)(replace(op, texts=("Something else.", "And more."))))
    assert other.fallback
    assert other.fallback.startswith("ReplyMissing")


def test_operations_can_be_given_to_other_models() -> None:
    general, raters = ScriptedModel([]), ScriptedModel([{"importance": [1, 1]}], name="raters")
    ledger = MemoryLedger()
    gateway = Gateway(general, by_operation={"rate": raters}, ledger=ledger, seed=1)
    assert now(gateway.asker("Ada Tor", 5)(operation(RateImportance))).fallback is None
    assert ledger.calls[0].model == "raters"
    assert gateway.models == {"": "scripted", "rate": "raters"}
    now(gateway.close())
    assert general.closed
    assert raters.closed


@pytest.mark.parametrize("error", [EndpointUnreachable("no connection"), BudgetReached("enough")])
def test_some_errors_stop_the_run(error: Exception) -> None:
    with pytest.raises(type(error)):
        ask(ScriptedModel([error]), operation(RateImportance))


def test_other_errors_are_failed_attempts_that_never_quote_the_provider() -> None:
    model = ScriptedModel([RuntimeError("secret sk-123"), ModelError("half a body"), {"importance": [4, 4]}])
    answer, ledger, _ = ask(model, operation(RateImportance))
    assert answer.reply == Ratings(importance=[4, 4])
    assert ledger.calls[0].attempts == 3
    failed, _, _ = ask(ScriptedModel([RuntimeError("secret sk-123")] * 3), operation(RateImportance))
    assert failed.fallback == "RuntimeError in the model 'scripted'"


def test_a_provider_that_hangs_is_given_up() -> None:
    async def main() -> Any:
        gateway = Gateway(ScriptedModel([HANG, {"importance": [4, 4]}]), ledger=NoLedger(), seed=1, patience=0.05)
        return await gateway.asker("Ada Tor", 5)(operation(RateImportance))

    assert asyncio.run(main()).reply == Ratings(importance=[4, 4])


def test_a_hanging_call_can_be_cancelled() -> None:
    async def main() -> None:
        ledger = MemoryLedger()
        gateway = Gateway(ScriptedModel([HANG]), ledger=ledger, seed=1)
        asking = asyncio.ensure_future(gateway.asker("Ada Tor", 5)(operation(RateImportance)))  # type: ignore[arg-type]
        await asyncio.sleep(0.01)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert ledger.calls == []

    asyncio.run(main())


# ---- checks against the operation


def test_citations_that_dont_exist_are_dropped_and_counted() -> None:
    turn = {
        "text": "Ole is holding a feast!", "act": "tell", "event": "wedding",
        "passes_on": ["feast", "wedding"], "rests_on": ["Ada Tor/7/0", "Ada Tor/-1/0", "Ada Tor/99/0", "feast"],
    }  # fmt: skip
    answer, _, gateway = ask(ScriptedModel([turn]), operation(Speak))
    assert answer.reply.passes_on == ["feast"]
    assert answer.reply.rests_on == ["Ada Tor/7/0", "Ada Tor/-1/0"]
    assert answer.reply.event is None
    assert gateway.statistics["say"].dropped == 4


def test_insights_without_support_are_dropped() -> None:
    insights = [
        {"text": "Ada Tor is fond of Ole Berg.", "rests_on": ["Ada Tor/7/0", "nobody/1/1"]},
        {"text": "Ada Tor will be rich.", "rests_on": ["nobody/1/1"]},
    ]
    answer, _, _ = ask(ScriptedModel([{"insights": insights}]), operation(DrawInsights))
    assert [(i.text, i.rests_on) for i in answer.reply.insights] == [("Ada Tor is fond of Ole Berg.", ["Ada Tor/7/0"])]
    answer, _, _ = ask(ScriptedModel([{"insights": insights[1:]}] * 3), operation(DrawInsights))
    assert answer.fallback
    assert answer.reply.insights == []


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (OVEN, OVEN),
        ("mill: bakery: shop: oven", OVEN),
        ("oven", OVEN),
        ("Mill : Bakery : shop : ovens", OVEN),
        ("Mill : Pond", None),
        ("The Moon", None),
        ("", None),
    ],
)
def test_addresses_are_among_the_options(said: str, meant: str | None) -> None:
    answer, _, _ = ask(ScriptedModel([{"address": said, "icon": "not an icon!"}] * 3), operation(Settle))
    if meant is None:
        assert answer.fallback
    else:
        assert answer.fallback is None
        assert answer.reply.address == meant
        assert answer.reply.icon == "dot"


def test_reactions_that_arent_possible_are_refused() -> None:
    op = replace(operation(React), may_talk=False)
    answer, _, _ = ask(ScriptedModel([{"decision": "talk"}, {"decision": "act"}, {"decision": "wait"}]), op)
    assert answer.reply.decision == "wait"
    answer, _, _ = ask(ScriptedModel([{"decision": "act", "activity": "looking", "address": "The Moon"}]), op)
    assert answer.reply.address is None
    answer, _, _ = ask(ScriptedModel([{"decision": "act", "activity": "opening a window", "address": "oven"}]), op)
    assert answer.reply.address == OVEN


def test_meetings_need_a_place_one_knows_and_a_time_to_come() -> None:
    def meeting(place: str, start: str) -> dict[str, Any]:
        return {"text": "Shall we meet?", "act": "invite", "meeting": {"name": "walk", "place": place, "start": start}}

    turns = [
        meeting("The Moon", "2023-05-01 15:00"),
        meeting(POND, "2023-04-30 15:00"),
        meeting("pond : shore", "2023-05-01T15:00:00"),
    ]
    model = ScriptedModel(turns)
    answer, _, _ = ask(model, operation(Speak))
    assert answer.fallback is None
    assert (answer.reply.meeting.place, answer.reply.meeting.start) == (POND, "2023-05-01 15:00")
    assert ["place" in r.complaint or "passed" in r.complaint for r in model.requests] == [False, True, True]


def test_an_untidy_day_is_put_straight() -> None:
    parts = [
        {"activity": "resting", "start": "8 pm", "end": "21:00"},
        {"activity": "baking", "start": "5:00", "end": "12:30"},
        {"activity": "eating", "start": "12:00", "end": "13:00"},
        {"activity": "nothing", "start": "13:00", "end": "13:00"},
    ]
    answer, _, _ = ask(ScriptedModel([{"parts": parts}]), operation(PlanDay))
    assert answer.fallback is None
    spans = [(part.activity, part.start, part.end) for part in answer.reply.parts]
    assert spans == [("baking", "05:00", "12:30"), ("eating", "12:30", "13:00"), ("resting", "20:00", "21:00")]


def test_blocks_and_tasks_fill_what_was_asked() -> None:
    blocks = [
        {"activity": "baking", "start": "5:00", "minutes": 300, "part": 7},
        {"activity": "soup", "start": "11:30", "minutes": 90},
    ]
    answer, _, _ = ask(ScriptedModel([{"blocks": blocks}]), operation(PlanHours))
    assert [(b.start, b.minutes, b.part) for b in answer.reply.blocks] == [("05:00", 300, 0), ("11:30", 30, 0)]
    answer, _, _ = ask(ScriptedModel([{"blocks": blocks[1:]}] * 3), operation(PlanHours))
    assert answer.fallback
    tasks = [{"activity": "kneading", "minutes": 30}, {"activity": "baking", "minutes": 10}]
    answer, _, _ = ask(ScriptedModel([{"tasks": tasks}]), operation(Decompose))
    assert [task.minutes for task in answer.reply.tasks] == [30, 20]


def test_texts_are_one_clean_line() -> None:
    dirty = "Hello\n\n  Ole\u202e, \x07how are\u200b you?"
    typed, _, _ = ask(ScriptedModel([Turn(text=dirty)]), operation(Speak))
    untyped, _, _ = ask(ScriptedModel([{"text": dirty}]), operation(Speak))
    assert typed.reply.text == untyped.reply.text == "Hello Ole, how are you?"


def test_what_the_question_says_may_be_said_again() -> None:
    heard = Recollection("Ada Tor/3/0", "The screen said Internal Server Error.", "observation", 1.0, 3)
    reply = {"text": "I saw an Internal Server Error on the screen.", "rests_on": ["Ada Tor/3/0"]}
    op = operation(AnswerQuestion)
    assert ask(ScriptedModel([reply] * 3), op)[0].fallback
    assert ask(ScriptedModel([reply]), replace(op, evidence=(heard,)))[0].fallback is None


# ---- fallbacks


def test_the_fallback_day_is_the_persons_own_with_the_diary_in_it() -> None:
    parts = fallback_of(operation(PlanDay)).parts  # type: ignore[attr-defined]
    assert [(p.start, p.end, p.place, p.rests_on) for p in parts] == [
        ("05:00", "12:30", "Mill : Bakery", ["Ada Tor/-1/1"]),
        ("12:30", "14:30", HOME, ["Ada Tor/-1/2"]),
        ("14:30", "16:00", "Mill : Pond", ["Ada Tor/-1/3"]),
        ("16:00", "18:00", POND, [DIARY.id]),
        ("18:00", "19:00", "Mill : Pond", ["Ada Tor/-1/3"]),
        ("19:00", "20:00", HOME, ["Ada Tor/-1/4"]),
        ("20:00", "21:00", HOME, []),
    ]
    assert parts[3].activity == "attending harvest feast"
    assert parts[1].activity == "eating soup"


def test_the_fallback_day_of_someone_without_habits_has_meals_work_and_rest() -> None:
    plain = replace(PERSON, statements=())
    parts = fallback_of(PlanDay(person=plain, summary="", scene=SCENE)).parts  # type: ignore[attr-defined]
    assert [(p.start, p.end) for p in parts] == [("04:30", "05:00"), ("05:00", "12:00"), ("12:00", "13:00"), ("13:00", "21:00")]
    assert parts[1].place == PERSON.workplace


def test_the_fallback_of_the_rest_of_a_day_starts_now() -> None:
    late = replace(SCENE, now=SCENE.now.replace(hour=20, minute=50))
    parts = fallback_of(PlanDay(person=PERSON, summary="", scene=late, replanning="tired")).parts  # type: ignore[attr-defined]
    assert [(p.start, p.end) for p in parts] == [("20:50", "21:50")]


def test_other_fallbacks() -> None:
    assert fallback_of(operation(Settle)) == Settling(address=OVEN)
    assert fallback_of(operation(React)) == Reaction(decision="continue")
    assert [(b.start, b.minutes, b.part) for b in fallback_of(operation(PlanHours)).blocks][-3:] == [  # type: ignore[attr-defined]
        ("10:00", 60, 0), ("11:00", 60, 0), ("12:00", 60, 1),
    ]  # fmt: skip
    assert [t.minutes for t in fallback_of(operation(Decompose)).tasks] == [15, 15, 15, 5]  # type: ignore[attr-defined]
    turn = fallback_of(operation(Speak))
    assert isinstance(turn, Turn)
    assert (turn.act, turn.ends) == ("part", True)
    assert "Ole" in turn.text
    assert fallback_of(operation(SummariseSelf)).text.startswith("Ada Tor has baked")  # type: ignore[attr-defined]


# ---- the offline model and the text of operations


def test_the_offline_model_never_suspends_and_answers_the_same_twice() -> None:
    op = operation(RateImportance)
    try:
        responder_for(RateImportance)
    except ModelError:
        pytest.skip("no responder yet")
    first, _, _ = ask(OfflineModel(), op)
    second, _, _ = ask(OfflineModel(), op)
    assert first == second
    assert first.fallback is None


def test_every_field_counts_in_the_hash() -> None:
    for op in OPERATION_OF_EACH_KIND:
        base = request_hash(op)
        assert base == request_hash(replace(op))
        assert len(base) == 32
        for field in fields(op):
            if field.name != "person":
                assert request_hash(replace(op, **{field.name: "changed"})) != base, (op.name, field.name)
        edited = replace(PERSON, statements=PERSON.statements[1:])
        assert request_hash(replace(op, person=edited)) != base
    for value in (TOLD, SEEN):
        op = operation(AnswerQuestion)
        for field in fields(Recollection):
            other = replace(value, **{field.name: NEWS if field.name == "news" and value is SEEN else "changed"})
            assert request_text(replace(op, evidence=(other,))) != request_text(replace(op, evidence=(value,))), field.name


def test_request_text_is_json_that_names_the_person() -> None:
    import json

    told = json.loads(request_text(operation(RateImportance)))
    assert told == {
        "operation": "rate", "person": "Ada Tor", "texts": ["The oven was smoking.", "Ole Berg is leaving for good."],
    }  # fmt: skip
