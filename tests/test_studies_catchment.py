"""The catchment: seven recorded outcomes, what was shown and read, equal pairs, wrong variants of the rule."""

import json
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.main import run
from kernel import dumps
from studies.catchment import (
    ACTIONS,
    CONDITIONS,
    DECISIONS,
    SELECTORS,
    Action,
    Episode,
    Experience,
    Responsive,
    Rules,
    Seen,
    Situation,
    State,
    live,
    live_all,
    perceive,
    select,
    stalled_collect,
    step,
)
from studies.catchment.expectations import EXPECTATIONS, replays, unmet
from studies.packages.verifying import verify


@pytest.fixture(scope="module")
def episodes() -> dict[str, Episode]:
    return live_all()


def test_the_seven_finals(episodes: dict[str, Episode]) -> None:
    assert {name: (one.final_reserve, one.verdict) for name, one in episodes.items()} == {
        "responsive-priority": (5, "met"),
        "responsive-recency": (0, "missed"),
        "insensitive-priority": (0, "missed"),
        "insensitive-recency": (0, "missed"),
        "literal-success-priority": (5, "met"),
        "literal-no-clear-priority": (0, "missed"),
        "literal-all-rest-priority": (0, "missed"),
    }
    assert sum(len(one.decisions) for one in episodes.values()) == 112


def test_what_is_shown_at_decision_five_makes_the_difference(episodes: dict[str, Episode]) -> None:
    priority, recency = episodes["responsive-priority"], episodes["responsive-recency"]
    early = ("rest", "collect", "rest", "inspect", "rest")
    assert priority.actions[:5] == recency.actions[:5] == early
    assert priority.decisions[5].selection.decisions == [1, 4]
    assert recency.decisions[5].selection.decisions == [3, 4]
    assert (priority.actions[5], recency.actions[5]) == ("clear", "rest")
    assert priority.decisions[5].seen == recency.decisions[5].seen
    assert stalled_collect(priority.archive[1])
    assert not any(stalled_collect(one) for one in recency.decisions[5].selection.shown)


def test_the_losing_arm_was_not_without_a_warning(episodes: dict[str, Episode]) -> None:
    warning = episodes["responsive-recency"].archive[3]
    assert warning.action == "inspect"
    assert warning.after.reading == 1
    assert warning in episodes["responsive-recency"].decisions[5].selection.shown


def test_the_insensitive_pair_acts_alike_on_different_memories(episodes: dict[str, Episode]) -> None:
    one, other = episodes["insensitive-priority"], episodes["insensitive-recency"]
    assert one.actions == other.actions
    assert one.states == other.states
    assert [r.selection.decisions for r in one.decisions] != [r.selection.decisions for r in other.decisions]


@pytest.mark.parametrize(
    ("lived", "twin"),
    [("responsive-priority", "literal-success-priority"), ("responsive-recency", "literal-no-clear-priority")],
)
def test_the_responsive_pair_equals_its_literal_twins_step_by_step(episodes: dict[str, Episode], lived: str, twin: str) -> None:
    assert episodes[lived].actions == episodes[twin].actions
    assert episodes[lived].states == episodes[twin].states


def test_twelve_expectations_span_what_they_should_and_are_met() -> None:
    assert len(EXPECTATIONS) == 12
    spanned = {(one.decision, one.effort > 0, one.memory) for one in EXPECTATIONS}
    assert spanned == {(d, e, m) for d in (11, 12, 15) for e in (True, False) for m in ("empty", "stalled")}
    assert unmet(Responsive()) == []


def test_a_window_of_three_passes_replay_and_fails_an_expectation() -> None:
    wrong = Responsive(window=3)
    episode = live("wrong", wrong, "priority")
    assert episode.actions[12] == "inspect"
    assert episode.final_reserve == 4
    assert episode.verdict == "missed"
    assert replays(episode, wrong) == []
    assert {(one.decision, one.action, did) for one, did in unmet(wrong)} == {(12, "collect", "inspect")}
    assert replays(episode, Responsive()) == [12]


@dataclass(frozen=True)
class _Wrong(Responsive):
    """Wrong variants of the rule, each in one respect."""

    how: str = ""

    def decide(self, situation: Situation) -> Action:
        seen, memory = situation.seen, situation.memory
        if self.how == "ignores effort" and situation.left <= 4:
            return "collect"
        if self.how == "shy after a stall" and situation.left <= 4 and any(stalled_collect(one) for one in memory):
            return "rest"
        if self.how == "idle at the last" and situation.left == 1:
            return "inspect"
        right = Responsive(window=5 if self.how == "eager" else 4)
        return right.decide(replace(situation, seen=seen))


@pytest.mark.parametrize(
    ("how", "intended"),
    [
        ("eager", {(11, 3, "empty"), (11, 3, "stalled")}),
        ("ignores effort", {(12, 0, "empty"), (12, 0, "stalled"), (15, 0, "empty"), (15, 0, "stalled")}),
        ("shy after a stall", {(12, 3, "stalled"), (12, 0, "stalled"), (15, 1, "stalled"), (15, 0, "stalled")}),
        ("idle at the last", {(15, 1, "empty"), (15, 1, "stalled")}),
    ],
)
def test_each_wrong_variant_fails_the_expectations_meant_for_it(how: str, intended: set[tuple[int, int, str]]) -> None:
    wrong = _Wrong(how=how)
    assert replays(live("wrong", wrong, "priority"), wrong) == []
    assert {(one.decision, one.effort, one.memory) for one, _ in unmet(wrong)} == intended


def test_an_obligation_reached_early_is_not_met() -> None:
    rich = Rules(reserve=8)
    episode = live("early", CONDITIONS["literal-all-rest-priority"][0], "recency", rich)
    assert max(state.reserve for state in episode.states) >= rich.target
    assert episode.verdict == "missed"


def test_zero_reserve_is_not_death(episodes: dict[str, Episode]) -> None:
    survivor = episodes["responsive-priority"]
    assert survivor.states[6].reserve == 0
    assert survivor.final_reserve == 5


STATES = st.builds(State, st.integers(0, 8), st.integers(0, 4), st.integers(0, 8), st.booleans(), st.booleans())


@settings(max_examples=200, deadline=None)
@given(STATES, st.integers(0, DECISIONS - 1), st.sampled_from(ACTIONS))
def test_a_step_stays_in_bounds_and_never_obstructs(state: State, decision: int, action: Action) -> None:
    rules = Rules()
    after = step(rules, state, decision, action)
    assert 0 <= after.reserve <= rules.reserve_cap
    assert 0 <= after.effort <= rules.effort_cap
    assert 0 <= after.store <= rules.store_cap
    assert not after.obstructed or state.obstructed
    assert (perceive(after).reading is None) == (action != "inspect")
    if action == "collect" and state.effort == 0:
        assert after.effort == 0
        assert after.reserve <= state.reserve


EXPERIENCES = st.lists(
    st.tuples(st.integers(0, 8), st.sampled_from(ACTIONS), st.integers(0, 8), st.integers(0, 9000)), max_size=16
)


@settings(max_examples=150, deadline=None)
@given(EXPERIENCES, st.sampled_from(SELECTORS), st.integers(0, 4), st.integers(2, 9000))
def test_a_selection_keeps_its_caps_its_order_and_its_evidence(
    rows: list[tuple[int, Action, int, int]], selector: str, records: int, size: int
) -> None:
    archive = [
        Experience("e", i, Seen(before, 1), action, Seen(after, 1), "ä" * note)
        for i, (before, action, after, note) in enumerate(rows)
    ]
    found = select(selector, archive, max_records=records, max_bytes=size)  # type: ignore[arg-type]
    assert len(found.shown) <= records
    assert found.bytes == len(dumps([one.as_json() for one in found.shown]).encode()) <= size
    assert found.decisions == sorted(found.decisions)
    assert sorted([*found.decisions, *(d for d, _ in found.omitted)]) == sorted(found.ranked) == list(range(len(archive)))
    if selector == "priority":
        stalls = [d for d in found.ranked if stalled_collect(archive[d])]
        assert list(found.ranked[: len(stalls)]) == stalls == sorted(stalls, reverse=True)


def test_an_oversized_candidate_is_skipped_not_fatal() -> None:
    archive = [
        Experience("e", 0, Seen(4, 1), "collect", Seen(4, 0)),
        Experience("e", 1, Seen(4, 1), "collect", Seen(4, 0), "x" * 9000),
        Experience("e", 2, Seen(4, 1), "rest", Seen(4, 0)),
    ]
    found = select("priority", archive)
    assert found.decisions == [0, 2]
    assert found.omitted == ((1, "oversized"),)


def test_the_command_prints_saves_and_is_the_same_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["study", "obligation", "--out", str(tmp_path / "a"), "--json"]) == 0
    first = json.loads(capsys.readouterr().out)
    assert {name: one["final_reserve"] for name, one in first["conditions"].items()} == dict(
        zip(CONDITIONS, (5, 0, 0, 0, 5, 0, 0), strict=True)
    )
    assert first["conditions"]["responsive-priority"]["obligation"] == "met"
    assert first["evidence"] == "offline"
    assert first["nested_decisions"] == 112
    for name, one in first["conditions"].items():
        assert verify(tmp_path / "a" / "packages" / name).judgement.verdict == one["obligation"]
    assert run(["study", "obligation", "--out", str(tmp_path / "b")]) == 0
    told = capsys.readouterr().out
    assert "responsive-priority" in told
    assert "no samples" in told
    names = sorted(str(path.relative_to(tmp_path / "a")) for path in (tmp_path / "a").rglob("*") if path.is_file())
    assert names == sorted(str(path.relative_to(tmp_path / "b")) for path in (tmp_path / "b").rglob("*") if path.is_file())
    assert {"reserve.png", "shown.png", "obligation.md", "obligation.json"} <= set(names)
    assert all((tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes() for name in names)
