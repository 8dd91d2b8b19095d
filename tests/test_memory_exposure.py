"""What is shown of the past: selectors, caps, what counts as a failed act, and the account of it in a run."""

import asyncio
import json
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from memory_kit import HOUR, ME, recall, record, rid, stream

from agents.exposing import Exposing
from cli.main import run
from kernel import RecordId, dumps
from language import Answer, DrawInsights, Operation, Person, Recollection
from language.replies import Insights, ReplyModel
from memory import SELECTORS, Exposure, Recalled, Selector, Weights, expose, failed_act
from simulation.compose import read_blueprint, with_settings
from simulation.run import resume, start
from simulation.storing.digest import run_digest
from simulation.storing.runfile import RunFile

# -- a failed act is a predicate on what was noticed -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "failed"),
    [
        ({"tag": "state"}, True),  # the way was barred
        ({"tag": "state", "about": "The Ville : cafe : stove"}, False),  # something seen in a state
        ({"tag": "refusal", "heard_from": "Maria Lopez", "about": "Maria Lopez"}, True),
        ({"tag": "refusal", "about": ME}, False),  # one's own no
        ({"tag": "absence", "about": "Maria Lopez"}, True),
        ({"tag": "attended", "about": ME}, False),
        ({"tag": "promise", "heard_from": "Maria Lopez"}, False),
        ({}, False),
    ],
)
def test_what_counts_as_a_failed_act(fields: dict[str, str], failed: bool) -> None:
    assert failed_act(record(0, **fields)) is failed


# -- selectors ---------------------------------------------------------------------------------------------------------


def test_retrieval_ranks_by_age_or_by_failed_acts_first() -> None:
    memories = stream(
        record(0, "a kettle", importance=10),
        record(HOUR, "no", tag="refusal", heard_from="Maria Lopez"),
        record(2 * HOUR, "rain"),
        record(3 * HOUR, "closed", tag="state"),
        record(4 * HOUR, "snow"),
    )
    order = {s: [id.step // HOUR for id in recall(memories, weights=Weights(selector=s), k=4).ids] for s in SELECTORS}
    assert order["recency"] == [4, 3, 2, 1]
    assert order["priority"] == [3, 1, 4, 2]
    assert order["weighted"][0] == 0


RECALLED = st.lists(st.tuples(st.integers(0, 30), st.booleans(), st.text(max_size=60)), max_size=20, unique_by=lambda x: x[0])


@settings(max_examples=150, deadline=None)
@given(
    RECALLED,
    st.sampled_from(SELECTORS),
    st.one_of(st.none(), st.integers(1, 10)),
    st.one_of(st.none(), st.integers(2, 900)),
)
def test_an_exposure_keeps_both_caps_and_accounts_for_everything(
    rows: list[tuple[int, bool, str]], selector: Selector, most: int | None, size: int | None
) -> None:
    recalled = [Recalled(rid(step), place, failed, text, {"text": text}) for place, (step, failed, text) in enumerate(rows)]
    found = expose(Exposure(selector, most, size), recalled, len)
    by_id = {one.id: one for one in recalled}
    assert most is None or len(found.shown) <= most
    assert found.bytes == len(dumps([by_id[id].content for id in found.shown]).encode())
    assert size is None or found.bytes <= size
    assert list(found.shown) == sorted(found.shown, key=lambda id: (id.step, id.n))
    assert sorted([*found.shown, *(id for id, _ in found.omitted)]) == sorted(by_id)
    if selector == "priority" and size is None:
        failed = sum(one.failed for one in recalled)
        assert sum(by_id[id].failed for id in found.shown) == min(failed, len(found.shown))


# -- at the door to the model, whatever the mind -----------------------------------------------------------------------


class _Asked:
    """An `Ask` that keeps what it was asked."""

    def __init__(self) -> None:
        self.operations: list[Any] = []

    async def __call__(self, operation: Operation[Any]) -> Answer[Any]:
        self.operations.append(operation)
        return Answer(cast(ReplyModel, Insights(insights=[])), f"{ME}/9/insights/{len(self.operations) - 1}")


def _evidence(*hours: float) -> tuple[Recollection, ...]:
    return tuple(
        Recollection(
            id=str(rid(round(1000 - 360 * h))), text=f"{h} hours ago", kind="observation", hours_ago=h, importance=3, about=None,
            news=None, heard_from=None, told_to=(), tag="",
        )
        for h in hours
    )  # fmt: skip


def _ask(exposure: Exposure, evidence: tuple[Recollection, ...]) -> tuple[DrawInsights, Exposing]:
    inner = _Asked()
    exposing = Exposing(inner, exposure)
    asyncio.run(exposing(DrawInsights(person=cast(Person, None), questions=("why?",), evidence=evidence)))
    return inner.operations[0], exposing


def test_a_question_carries_only_what_is_shown_in_the_minds_order() -> None:
    asked, exposing = _ask(Exposure("recency", max_records=2), _evidence(1, 2, 0.5, 3))
    assert [one.hours_ago for one in asked.evidence] == [1, 0.5]
    (found,) = exposing.log
    assert found.call == f"{ME}/9/insights/0"
    assert (found.considered, len(found.shown), len(found.omitted)) == (4, 2, 2)
    asked, _ = _ask(Exposure("weighted", max_records=2), _evidence(1, 2, 0.5, 3))
    assert [one.hours_ago for one in asked.evidence] == [1, 2]


def test_what_is_told_oldest_first_counts_from_its_end() -> None:
    asked, _ = _ask(Exposure("weighted", max_records=2), _evidence(4, 3, 2, 1))
    assert [one.hours_ago for one in asked.evidence] == [2, 1]


def test_a_question_without_memories_passes_untouched() -> None:
    asked, exposing = _ask(Exposure("recency", max_records=2), ())
    assert asked.evidence == ()
    assert exposing.log == []


# -- in a run ----------------------------------------------------------------------------------------------------------

CAPS = {"max_records": 4, "max_bytes": 900}
DAYS = 0.4


@pytest.fixture(scope="module", params=SELECTORS)
def lived(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("exposed") / f"{request.param}.town"
    start(with_settings(read_blueprint("hamlet", seed=1, days=DAYS, embedder="hash-64"), exposure=request.param, **CAPS), path)
    return path


def test_every_decision_keeps_the_caps_and_is_on_file(lived: Path) -> None:
    with RunFile.open(lived) as opened:
        rows = opened.rows("SELECT resident, step, call, selector, considered, shown, omitted, bytes FROM exposures")
        known = set(opened.rows("SELECT resident, step, n FROM memories"))
        calls = {f"{r}/{s}/{o}/{n}" for r, s, o, n in opened.rows("SELECT resident, step, operation, n FROM calls")}
    assert len(rows) > 20
    for resident, step, call, selector, considered, shown, omitted, size in rows:
        ids = [RecordId.parse(id) for id in json.loads(shown)]
        left = json.loads(omitted)
        assert selector == lived.stem
        assert call in calls
        assert len(ids) <= 4
        assert size <= 900
        assert len(ids) + len(left) == considered
        assert all(id in known and id.resident == resident and id.step <= step for id in ids)
        assert {why for _, why in left} <= {"full", "oversized"}
    assert any(json.loads(row[6]) for row in rows)


def test_a_bounded_run_resumes_to_itself(lived: Path, tmp_path: Path) -> None:
    if lived.stem != "priority":
        return  # once is enough: what is journaled is the same code for every selector
    part = tmp_path / "part.town"
    start(with_settings(read_blueprint("hamlet", seed=1, days=0.35, embedder="hash-64"), exposure=lived.stem, **CAPS), part)
    resume(part, until="09:36")
    with RunFile.open(part) as one, RunFile.open(lived) as other:
        assert one.committed == other.committed
        assert run_digest(one) == run_digest(other)
        assert one.rows("SELECT * FROM exposures ORDER BY 1, 2, 3") == other.rows("SELECT * FROM exposures ORDER BY 1, 2, 3")


def test_why_tells_what_was_shown_and_what_was_not(lived: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with RunFile.open(lived) as opened:
        rows = opened.rows(
            "SELECT 'words', u.resident, u.step, u.n FROM utterances u JOIN exposures e ON e.call = u.call AND e.omitted <> '[]'"
        )
    kind, *id = rows[0]
    assert run(["why", str(lived), f"{kind}:{'/'.join(map(str, id))}"]) == 0
    told = capsys.readouterr().out
    assert f"chosen by {lived.stem}" in told
    assert "Not shown:" in told


@pytest.mark.parametrize("wrong", [["--exposure", "prioritty"], ["--max-records", "0"], ["--max-bytes", "1"]])
def test_impossible_bounds_are_refused(wrong: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "hamlet", "--out", str(tmp_path / "x.town"), *wrong]) == 2
    assert "setting" in capsys.readouterr().err
    assert not (tmp_path / "x.town").exists()
