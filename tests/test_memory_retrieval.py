"""Three-term retrieval: the paper's rule, the peers' known defects, exact ties, filters, budget, speed."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np
import pytest
from memory_kit import HOUR, recall, record, rid, stream

from memory import Retrieval, Scored, Weights, token_estimate
from memory.decay import powers, steps_per_hour


def only(**weights: float) -> Weights:
    return Weights(**{"recency": 0.0, "importance": 0.0, "relevance": 0.0, **weights})


# -- defects found in peers' code --------------------------------------------------------------------------------------


def test_the_newer_of_two_records_has_the_higher_recency() -> None:
    found = recall(stream(record(0, "an old kettle"), record(5 * HOUR, "a new kettle")))
    assert [(s.id.step, s.recency) for s in found.chosen] == [(5 * HOUR, 1.0), (0, 0.0)]


def test_recency_goes_by_game_hours_since_the_last_access() -> None:
    memories = stream(record(0), record(1 * HOUR), record(2 * HOUR))
    memories.touch([rid(0)], 8 * HOUR)  # the oldest has just been thought of
    found = recall(memories, weights=only(recency=1.0), step=10 * HOUR)
    hours = {rid(0): 2, rid(HOUR): 9, rid(2 * HOUR): 8}
    low, high = 0.995**9, 0.995**2
    for scored in found.chosen:
        assert scored.recency == pytest.approx((0.995 ** hours[scored.id] - low) / (high - low), abs=1e-9)
    assert found.ids == (rid(0), rid(2 * HOUR), rid(HOUR))


def test_one_record_scores_half_in_each_term() -> None:
    found = recall(stream(record(0)))
    assert found.chosen == (Scored(rid(0), 0.5, 0.5, 0.5, 1.5),)
    assert (found.left_out, found.considered) == ((), 1)


def test_ten_identical_records_have_finite_scores_and_a_stable_order() -> None:
    memories = stream(*(record(0, "the same kettle", n=n) for n in range(10)))
    found = recall(memories, k=4)
    assert found.chosen == tuple(Scored(rid(0, n), 0.5, 0.5, 0.5, 1.5) for n in range(4))
    assert [s.id.n for s in found.left_out] == [4, 5, 6, 7, 8]
    assert all(math.isfinite(s.total) for s in (*found.chosen, *found.left_out))


def test_ties_go_by_id_whatever_order_the_records_were_stored_in() -> None:
    memories = stream(*(record(0, "the same kettle", n=n) for n in (7, 3, 9, 0, 5)))
    assert not memories.ordered
    assert [s.id.n for s in recall(memories, k=3).chosen] == [0, 3, 5]


def test_conversations_are_retrievable() -> None:
    talk = record(3, "Klaus Mueller and Maria Lopez talked about the kettle", kind="conversation")
    assert talk.id in recall(stream(record(1, "a walk"), talk)).ids


# -- the score ---------------------------------------------------------------------------------------------------------


def test_each_term_is_min_max_normalised_and_weighted() -> None:
    memories = stream(
        record(0, "kettle", importance=1),
        record(HOUR, "a wholly different thing", importance=9),
        record(2 * HOUR, "kettle", importance=5),
    )
    found = recall(memories, "kettle", weights=Weights(recency=2.0, importance=3.0, relevance=5.0))
    by_id = {s.id: s for s in found.chosen}
    assert [by_id[rid(t * HOUR)].importance for t in range(3)] == [0.0, 1.0, 0.5]
    assert [by_id[rid(t * HOUR)].relevance for t in range(3)] == [1.0, 0.0, 1.0]
    for scored in found.chosen:
        assert scored.total == pytest.approx(2 * scored.recency + 3 * scored.importance + 5 * scored.relevance, abs=2e-9)
    assert list(found.chosen) == sorted(found.chosen, key=lambda s: -s.total)


def test_relevance_is_the_cosine() -> None:
    texts = ["a kettle on the stove", "kettle kettle stove garden", "the garden in spring", "kettle"]
    memories = stream(*(record(i, text) for i, text in enumerate(texts)))
    found = recall(memories, "kettle stove", weights=only(relevance=1.0))
    vectors = memories.embedder.embed([*texts, "kettle stove"]).astype(np.float64)  # type: ignore[attr-defined]
    cosines = vectors[:4] @ vectors[4] / (np.linalg.norm(vectors[:4], axis=1) * np.linalg.norm(vectors[4]))
    expected = (cosines - cosines.min()) / (cosines.max() - cosines.min())
    for scored in found.chosen:
        assert scored.relevance == pytest.approx(expected[scored.id.step], abs=1e-8)


def test_a_query_or_record_without_words_has_no_relevance_to_tell() -> None:
    memories = stream(record(0, "kettle"), record(1, "..."))
    assert {s.relevance for s in recall(memories, "?!").chosen} == {0.5}
    assert {s.id.step: s.relevance for s in recall(memories, "kettle").chosen} == {0: 1.0, 1: 0.0}


def test_a_vector_will_do_as_a_query() -> None:
    memories = stream(record(0, "kettle"), record(1, "garden"))
    vector = memories.embedder.embed(["garden"])
    found = recall(memories, vector, weights=only(relevance=1.0))  # type: ignore[arg-type]
    assert found.ids[0] == rid(1)
    assert found.query == ""


def test_the_original_codes_score_can_be_switched_on() -> None:
    weights = Weights.original_code()
    assert (weights.recency, weights.importance, weights.relevance) == (0.5, 2.0, 3.0)
    memories = stream(*(record(t * HOUR, "kettle") for t in range(3)))
    found = recall(memories, weights=weights)
    assert [s.id.step for s in found.chosen] == [0, HOUR, 2 * HOUR]  # its oldest comes first
    low, middle, high = 0.995**3, 0.995**2, 0.995
    assert [s.recency for s in found.chosen] == pytest.approx([1.0, (middle - low) / (high - low), 0.0], abs=1e-9)


def test_powers_agree_with_arithmetic_and_refuse_nonsense() -> None:
    steps = np.array([0, 1, 359, 360, 1023, 1024, 17_280, 1_000_000, -5], dtype=np.int64)
    got = powers(0.995, steps, steps_per_hour(10))
    assert got == pytest.approx([0.995 ** (max(0, int(s)) / 360) for s in steps], rel=1e-12)
    assert powers(0.5, np.array([10]), 1).tolist() == [2.0**-10]
    assert powers(1.0, np.array([10**9]), 1).tolist() == [1.0]
    assert steps_per_hour(600) == Decimal(6)
    for decay in (0.0, -1.0, 1.01):
        with pytest.raises(ValueError, match="decay"):
            powers(decay, steps)


# -- what is considered, and how much of it is taken -------------------------------------------------------------------


def test_filters_narrow_the_candidates() -> None:
    maria = record(1, "Maria Lopez plays a game", people=("Maria Lopez",), about="Maria Lopez")
    plan = record(2, "Klaus Mueller plans to see Maria Lopez", kind="plan", people=("Maria Lopez",))
    tom = record(3, "Tom Moreno sells apples", people=("Tom Moreno",), about="Tom Moreno")
    memories = stream(record(0, "it rains"), maria, plan, tom)
    assert set(recall(memories, kinds=["plan"]).ids) == {plan.id}
    assert set(recall(memories, people=["maria LOPEZ"]).ids) == {maria.id, plan.id}
    assert set(recall(memories, people=["Maria Lopez", "tom moreno"]).ids) == {maria.id, plan.id, tom.id}
    assert set(recall(memories, about="MARIA LOPEZ").ids) == {maria.id}
    found = recall(memories, exclude=[maria.id, rid(99)])
    assert maria.id not in found.ids
    assert found.considered == 3
    nothing = recall(memories, people=["Nobody Known"])
    assert (nothing.chosen, nothing.left_out, nothing.considered) == ((), (), 0)


def test_normalising_is_over_the_filtered_candidates_only() -> None:
    memories = stream(record(0, importance=1, kind="plan"), record(0, n=1, importance=3), record(0, n=2, importance=5))
    found = recall(memories, kinds=["observation"])
    assert sorted(s.importance for s in found.chosen) == [0.0, 1.0]


def test_an_empty_memory_and_no_wish_at_all() -> None:
    assert recall(stream()) == Retrieval(rid(10 * HOUR), 10 * HOUR, "test", "kettle", (), (), 0)
    assert recall(stream(record(0)), k=0).chosen == ()


def test_k_and_the_next_best() -> None:
    memories = stream(*(record(t) for t in range(50)))
    found = recall(memories, k=30)
    assert (len(found.chosen), len(found.left_out), found.considered) == (30, 5, 50)
    assert found.chosen[-1].total >= found.left_out[0].total
    assert not set(found.ids) & {s.id for s in found.left_out}
    every = recall(memories, k=500)
    assert (len(every.chosen), len(every.left_out)) == (50, 0)
    assert every.chosen[:30] == found.chosen
    assert every.chosen[30:35] == found.left_out


def test_a_token_budget_cuts_by_rank() -> None:
    memories = stream(*(record(t, "kettle " + "x" * 33) for t in range(20)))  # 40 characters: 11 tokens
    assert token_estimate("kettle " + "x" * 33) == 11
    whole = recall(memories)
    found = recall(memories, token_budget=35)
    assert found.chosen == whole.chosen[:3]
    assert found.left_out == whole.chosen[3:8]
    assert recall(memories, token_budget=33).chosen == whole.chosen[:3]
    assert recall(memories, token_budget=32).chosen == whole.chosen[:2]
    assert recall(memories, token_budget=0).chosen == ()


def test_retrieving_changes_nothing() -> None:
    memories = stream(*(record(t) for t in range(20)))
    before = (memories.accessed_steps(), memories.vectors())
    first = recall(memories, k=3)
    assert (memories.accessed_steps(), memories.vectors()) == before
    assert recall(memories, k=3) == first


def test_selection_agrees_with_sorting_everything() -> None:
    rng = np.random.default_rng(1)
    memories = stream(
        *(record(int(t), f"kettle {t % 7} garden {t % 5}", n=int(t) % 3, importance=int(rng.integers(1, 11))) for t in range(400))
    )
    every = recall(memories, "kettle 3", k=400).chosen
    assert list(every) == sorted(every, key=lambda s: (-s.total, s.id))
    for k in (1, 7, 30, 399):
        assert recall(memories, "kettle 3", k=k).chosen == every[:k]


def test_gathering_few_rows_scores_as_multiplying_all() -> None:
    few = [record(t, f"garden {t}", people=("Maria Lopez",)) for t in range(0, 400, 40)]
    rest = [record(t, f"kettle {t}") for t in range(400) if t % 40]
    memories = stream(*sorted((*few, *rest), key=lambda r: r.id))
    alone = stream(*few)
    assert recall(memories, "garden 80", people=["Maria Lopez"]).chosen == recall(alone, "garden 80").chosen
