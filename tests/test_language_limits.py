"""Limits: a budget that is never passed, prompts that fit, a number of calls that adapts, a dialect found out once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from language_fields import LINES, OPERATION_OF_EACH_KIND, PERSON, SEEN, TOLD, operation

from benchmarks.loopback_server import LoopbackServer, troubles
from kernel import BudgetReached, EndpointUnreachable, ModelError, UsageError
from language import Budget, Gateway, Limits, MemoryLedger, OpenAICompatible, RateImportance, Speak, Spend, parse_budget
from language.adapting import AdaptiveLimit
from language.dialect import Dialect
from language.failures import Refused, failure_of
from language.fitting import fit, size
from language.prompting import render
from language.servers import Rates, Server
from language.tokens import count_tokens, most_tokens

# ---- budgets


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("5usd", Limits(usd=5.0)), ("$0.50", Limits(usd=0.5)), ("2M-tokens", Limits(tokens=2_000_000)),
        ("1.5k-tokens", Limits(tokens=1500)), ("3000-calls", Limits(calls=3000)), ("5 usd, 10 calls", Limits(usd=5.0, calls=10)),
        (None, Limits()),
    ],
)  # fmt: skip
def test_budgets_as_people_write_them(text: str | None, limits: Limits) -> None:
    assert parse_budget(text) == limits


@pytest.mark.parametrize("text", ["five", "5", "5 pounds", "-3-calls", "2-calls,3-calls", "usd", "1e3-calls"])
def test_what_is_no_budget(text: str) -> None:
    with pytest.raises(UsageError):
        parse_budget(text)


def many(server: LoopbackServer, budget: Budget, n: int, **more: Any) -> tuple[list[Any], MemoryLedger]:
    """n questions at once, 64 in flight at most."""
    given = Server(base_url=server.base_url, concurrency=64, timeout=more.pop("timeout", 5.0), retries=1, **more)
    provider = OpenAICompatible("m", server=given, budget=budget, first_wait=0.0)
    provider.limit = AdaptiveLimit(64, start=64)
    provider.dialect = replace(provider.dialect, known=True)
    ledger = MemoryLedger()

    async def main() -> list[Any]:
        gateway = Gateway(provider, ledger=ledger, seed=1, retries=0)
        try:
            asked = [gateway.asker(f"Ada Tor {i}", 1)(operation(RateImportance)) for i in range(n)]  # type: ignore[arg-type]
            return await asyncio.gather(*asked, return_exceptions=True)
        finally:
            await gateway.close()

    return asyncio.run(main()), ledger


@pytest.mark.parametrize("trouble", [None, troubles(seed=3, share=0.1, kinds=("half", "429", "garbage"))], ids=["fine", "bad"])
def test_never_a_token_past_the_limit_with_64_in_flight(trouble: Any) -> None:
    with LoopbackServer(delay=0.02, trouble=trouble) as server:
        budget = Budget(Limits(tokens=190_000), Spend(tokens=150_000))
        answers, ledger = many(server, budget, 150)
        assert server.most > 8, "they were in flight together"
        assert server.tokens <= budget.spent.tokens - 150_000 <= 40_000
    good = [a for a in answers if not isinstance(a, BaseException)]
    assert any(isinstance(a, BudgetReached) for a in answers)
    assert len(ledger.calls) == len(good), "what was asked is answered and on file"
    assert budget.in_flight == 0
    if trouble is None:  # what is left wouldn't have held one more question in the worst case
        assert budget.spent.tokens - 150_000 == server.tokens
        assert budget.spent.tokens > 190_000 - 2 * most_tokens(render(operation(RateImportance)).text)


def test_money_and_calls_have_limits_too() -> None:
    with LoopbackServer() as server:
        budget = Budget(Limits(calls=20), Spend(calls=5))
        answers, _ = many(server, budget, 40)
        assert len(server.asked) == 15, "what was spent before counts"
        assert sum(isinstance(a, BudgetReached) for a in answers) == 25
    with LoopbackServer() as server:
        budget = Budget(Limits(usd=0.05))
        many(server, budget, 200, price=Rates(input=1.0, output=3.0))
        assert 0.02 < budget.spent.usd <= 0.05


def test_what_never_left_costs_nothing_and_a_hanging_server_the_worst_case() -> None:
    with LoopbackServer(trouble=lambda body, n: "hang") as server:
        budget = Budget(Limits(tokens=10**7))
        told, _ = many(server, budget, 2, timeout=0.2)
        assert all("no answer within 0.2 seconds" in str(error) for error in told)
        assert budget.spent.tokens > 1000
        assert budget.spent.calls == len(server.asked)
    held = Budget(Limits(tokens=100)).reserve_now(100, None)
    held.release()
    held.lost()
    assert held._budget.spent == Spend()


def test_who_has_never_said_anything_is_given_up_after_a_second_try() -> None:
    """Whoever asks, and however often a question may be tried."""
    with LoopbackServer(trouble=lambda body, n: "hang") as server:
        provider = OpenAICompatible("m", server=Server(base_url=server.base_url, timeout=0.2, retries=9), first_wait=0.0)

        async def main() -> None:
            gateway = Gateway(provider, ledger=MemoryLedger(), seed=1)
            asked = [gateway.asker(f"Ada Tor {i}", 1)(operation(RateImportance)) for i in range(9)]  # type: ignore[arg-type]
            try:
                async with asyncio.TaskGroup() as group:
                    for question in asked:
                        group.create_task(question)  # type: ignore[arg-type]
            finally:
                await gateway.close()

        with pytest.raises(ExceptionGroup) as caught:
            asyncio.run(main())
        assert caught.group_contains(EndpointUnreachable, match="no answer within")
        assert len(server.asked) <= 3


def test_who_falls_silent_is_given_up_once_a_questions_tries_are_used_up() -> None:
    silent = False
    with LoopbackServer(trouble=lambda body, n: "hang" if silent else None) as server:
        provider = OpenAICompatible("m", server=Server(base_url=server.base_url, timeout=0.2, retries=1), first_wait=0.0)

        async def main() -> None:
            nonlocal silent
            gateway = Gateway(provider, ledger=MemoryLedger(), seed=1)
            try:
                for i in range(2):
                    await gateway.asker(f"Ada Tor {i}", 1)(operation(RateImportance))  # type: ignore[arg-type]
                    silent = True
            finally:
                await gateway.close()

        with pytest.raises(EndpointUnreachable, match="no answer within"):
            asyncio.run(main())
        assert len(server.asked) == 3


def test_a_cancelled_question_gives_its_place_back() -> None:
    async def main(server: LoopbackServer) -> Budget:
        budget = Budget(Limits(tokens=10**6))
        provider = OpenAICompatible("m", server=Server(base_url=server.base_url), budget=budget)
        gateway = Gateway(provider, ledger=MemoryLedger(), seed=1)
        asking = asyncio.ensure_future(gateway.asker("Ada Tor", 1)(operation(RateImportance)))  # type: ignore[arg-type]
        while not server.asked:
            await asyncio.sleep(0.005)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert provider.limit._active == 0
        await gateway.close()
        return budget

    with LoopbackServer(trouble=lambda body, n: "hang") as server:
        budget = asyncio.run(main(server))
    assert (budget.in_flight, budget.spent.calls) == (0, 1)


# ---- adapting


def run_limit(script: Callable[[AdaptiveLimit], Any]) -> None:
    async def main() -> None:
        await script(AdaptiveLimit(32, start=8))

    asyncio.run(main())


def test_it_grows_when_full_and_halves_once_for_calls_that_began_together() -> None:
    async def script(limit: AdaptiveLimit) -> None:
        slots = [await limit.enter() for _ in range(8)]
        for slot in slots:
            limit.leave(slot, "good")
        assert limit.limit > 8, "the first of them left a full house"
        while limit.limit < 32:
            slots = [await limit.enter() for _ in range(limit.limit)]
            limit.leave(slots.pop(), "good")
            for slot in slots:
                limit.leave(slot, "failed")
        slots = [await limit.enter() for _ in range(32)]
        for slot in slots:
            limit.leave(slot, "overloaded")
        assert (limit.limit, limit.decreases) == (16, 1)
        limit.leave(await limit.enter(), "overloaded")
        assert limit.limit == 16, "one at a time wasn't too many"
        while limit.limit > 1:
            for slot in [await limit.enter() for _ in range(limit.limit)]:
                limit.leave(slot, "overloaded")
        limit.leave(await limit.enter(), "good")
        assert limit.limit == 2

    run_limit(script)


def test_one_call_that_hangs_while_others_are_answered_is_no_overload() -> None:
    async def script(limit: AdaptiveLimit) -> None:
        hanging = await limit.enter()
        for _ in range(8):
            limit.leave(await limit.enter(), "good")
        limit.leave(hanging, "lost")
        assert (limit.limit, limit.decreases) == (8, 0)
        several = [await limit.enter() for _ in range(7)]
        limit.leave(await limit.enter(), "good")
        for slot in several:
            limit.leave(slot, "lost")
        assert (limit.limit, limit.decreases) == (4, 1)

    run_limit(script)


def test_a_few_overloads_among_many_answers_are_tolerated() -> None:
    async def script(limit: AdaptiveLimit) -> None:
        for n in range(200):
            slots = [await limit.enter() for _ in range(limit.limit)]
            for i, slot in enumerate(slots):
                limit.leave(slot, "overloaded" if i and (n + i) % 10 == 0 else "good")
        assert (limit.limit, limit.decreases) == (32, 0), "a tenth, whatever the load"
        for _ in range(20):
            slots = [await limit.enter() for _ in range(limit.limit)]
            for i, slot in enumerate(slots):
                limit.leave(slot, "good" if i < 6 else "overloaded")
        assert 4 <= limit.limit <= 9, "a server for six at once"

    run_limit(script)


def test_waiting_is_in_order_and_can_be_cancelled() -> None:
    async def script(limit: AdaptiveLimit) -> None:
        slots = [await limit.enter() for _ in range(8)]
        order: list[int] = []

        async def one(i: int) -> None:
            slot = await limit.enter()
            order.append(i)
            limit.leave(slot, "failed")

        tasks = [asyncio.ensure_future(one(i)) for i in range(4)]
        await asyncio.sleep(0)
        tasks[1].cancel()
        for slot in slots:
            limit.leave(slot, "failed")
        await asyncio.gather(*tasks, return_exceptions=True)
        assert order == [0, 2, 3]
        assert limit._active == 0

    run_limit(script)


def test_who_is_at_the_earliest_step_goes_first() -> None:
    async def script(limit: AdaptiveLimit) -> None:
        slots = [await limit.enter() for _ in range(8)]
        order: list[tuple[int, str]] = []

        async def one(step: int, name: str) -> None:
            slot = await limit.enter(step)
            order.append((step, name))
            limit.leave(slot, "failed")

        tasks = [asyncio.ensure_future(one(*asked)) for asked in ((9, "a"), (3, "b"), (5, "c"), (3, "d"), (1, "e"))]
        await asyncio.sleep(0)
        tasks[4].cancel()
        await asyncio.sleep(0)
        for slot in slots:
            limit.leave(slot, "failed")
        await asyncio.gather(*tasks, return_exceptions=True)
        assert order == [(3, "b"), (3, "d"), (5, "c"), (9, "a")]
        assert limit._active == 0

    run_limit(script)


def test_a_slow_answer_is_slow_for_its_operation() -> None:
    limit = AdaptiveLimit(8)
    assert not any(limit.slow("rate", 0.5) for _ in range(20))
    assert limit.slow("rate", 5.0)
    assert not limit.slow("plan_day", 5.0), "nobody knows yet how long that takes"


# ---- dialects


def test_a_server_that_says_500_to_a_form_it_does_not_know() -> None:
    """As llama-cpp-python's own server does."""
    from openai import APIStatusError

    class Response:
        headers: ClassVar[dict[str, str]] = {}
        status_code = 500
        request = None

    said = "1 validation error: 'loc': ('body', 'response_format', 'type')"
    error = APIStatusError(said, response=Response(), body=None)  # type: ignore[arg-type]
    found = failure_of(error, "http://h/v1", "m", "", 1.0)
    assert isinstance(found, Refused)
    assert Dialect().instead(found.status, found.said).mode == "json_object_schema"  # type: ignore[union-attr]


def test_another_way_to_put_it() -> None:
    first = Dialect()
    assert first.instead(400, "response_format is not supported").mode == "json_object_schema"  # type: ignore[union-attr]
    other = first.instead(400, "Unsupported parameter: 'max_tokens', use 'max_completion_tokens'")
    assert other is not None
    body = other.body(render(operation(RateImportance)), 77)
    assert body["max_completion_tokens"] == 77
    assert "max_tokens" not in body
    assert first.instead(400, "System role not supported").system is False  # type: ignore[union-attr]
    assert first.instead(400, "This model's maximum context length is 4096 tokens") is None
    assert first.instead(500, "x") is None
    learned = first.learned(replace(first, form=2))
    assert (learned.mode, learned.known) == ("json_object", True)
    assert learned.learned(replace(learned, form=3)).mode == "json_object", "one accident doesn't loosen the form for good"


# ---- prompts that fit

words = st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), max_size=300)


@given(
    which=st.sampled_from(OPERATION_OF_EACH_KIND), context=st.sampled_from((2048, 3000, 4096)), many=st.integers(0, 40),
    text=words, complaint=words,
)  # fmt: skip
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_prompt_is_over_its_context(which: Any, context: int, many: int, text: str, complaint: str) -> None:
    changed: dict[str, Any] = {}
    for name in type(which).__dataclass_fields__:
        value = getattr(which, name)
        if isinstance(value, tuple) and value and name != "texts":
            longer = tuple(replace(value[0], text=f"{i} {text}") if hasattr(value[0], "text") else value[0] for i in range(many))
            changed[name] = value + longer
        elif isinstance(value, str) and name in ("summary", "seen", "activity", "question"):
            changed[name] = text * 8 + value
    person = replace(PERSON, statements=PERSON.statements * (1 + many // 4))
    try:
        prompt = fit(replace(which, person=person, **changed), complaint, context=context)
    except ModelError:
        assert context - render(which).reply < 1100, "only where next to nothing is left beside the answer"
        return
    assert count_tokens(prompt.text) + prompt.reply <= context
    assert size(prompt) + prompt.reply <= context
    assert "41 years old" in prompt.system
    assert PERSON.statements[0].text in prompt.system, "identity stays"


def test_rank_decides_what_goes_and_the_newest_lines_stay() -> None:
    topics = tuple(replace(SEEN, id=f"Ada Tor/{i}/0", text=f"Memory {i} " + "of long ago " * 8) for i in range(60))
    lines = tuple(replace(LINES[0], text=f"Line {i} " + "and so on " * 8) for i in range(30))
    asked = replace(operation(Speak), topics=(TOLD, *topics), lines=lines)  # type: ignore[type-var]
    prompt = fit(asked, context=2500)
    kept = [i for i in range(60) if f"Memory {i} " in prompt.user]
    assert kept == list(range(len(kept)))
    assert len(kept) < 60
    assert TOLD.text in prompt.user
    assert "Line 29 " in prompt.user
    assert prompt.cut == 60 - len(kept) + 30 - sum(f"Line {i} " in prompt.user for i in range(30))
    assert fit(asked, context=None).cut == 0
    assert fit(asked, context=100_000) == render(asked)
