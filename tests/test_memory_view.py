"""Views as of a step under a condition (nothing hidden comes out, by any method) and drafts."""

from __future__ import annotations

import inspect
from collections.abc import Callable

import pytest
from memory_kit import HOUR, recall, record, rid, stream

from kernel import UsageError
from memory import (
    FULL,
    NO_REFLECTION,
    NO_REFLECTION_NO_PLAN,
    NONE,
    Condition,
    Draft,
    MindView,
    Relationships,
    Stream,
    TownSearch,
    density,
    graph,
    relationship,
    retrieve,
)
from town.speech import Fact

SECRET = "SENTINEL"


def mixed() -> Stream:
    """Of each kind one open record, and one that says SENTINEL in every field that can hold a text."""
    made = []
    for step, kind in enumerate(("observation", "conversation", "reflection", "plan")):
        made.append(record(step, f"an open {kind}", kind=kind, people=("Maria Lopez",), tag="talk", importance=3))
    for step, kind in enumerate(("observation", "conversation", "reflection", "plan"), start=10):
        fact = Fact(f"{SECRET}-{kind}", f"{SECRET} {kind}", about=f"{SECRET} {kind}")
        made.append(
            record(
                step, f"{SECRET} {kind}", kind=kind, people=(f"{SECRET} {kind}",), about=f"{SECRET} {kind}", fact=fact,
                tag="learned", importance=10, heard_from=SECRET, tone=0.9,
            )
        )  # fmt: skip
    return stream(*made)


CONDITIONS = {
    "reflection": NO_REFLECTION,
    "reflection,plan": NO_REFLECTION_NO_PLAN,
    "observation": Condition(frozenset({"observation"})),
    "conversation": Condition(frozenset({"conversation"})),
    "observation,reflection,plan": NONE,
}


def readings(view: MindView, word: str, id_of: int) -> dict[str, Callable[[], object]]:
    """One call, aimed at a hidden record, for every public member of a view."""
    return {
        "accessed": lambda: view.accessed(rid(id_of)),
        "candidates": lambda: view.candidates(),
        "carrying": lambda: view.carrying(f"{SECRET}-{word}"),
        "concerning": lambda: view.concerning(f"{SECRET} {word}"),
        "facts": lambda: view.facts(),
        "get": lambda: view.get(rid(id_of)),
        "has": lambda: view.has(rid(id_of)) or None,
        "importance_of": lambda: view.importance_of(f"{SECRET} {word}"),
        "latest": lambda: (view.latest(99), view.latest(99, kinds=(word,))),  # type: ignore[arg-type]
        "mentioning": lambda: (view.mentioning(f"{SECRET} {word}"), view.mentioning(f"about {SECRET}")),
        "of_kind": lambda: view.of_kind(word),  # type: ignore[arg-type]
        "retrieve": lambda: (
            recall(view, f"{SECRET} {word}"), recall(view, SECRET, people=[f"{SECRET} {word}"]),
            recall(view, SECRET, about=f"{SECRET} {word}"), recall(view, SECRET, kinds=[word]),
        ),
        "since": lambda: view.since(),
        "tagged": lambda: view.tagged("learned"),
        "clock": lambda: view.clock,
        "condition": lambda: view.condition,
        "embedder": lambda: view.embedder,
        "owner": lambda: view.owner,
        "step": lambda: view.step,
    }  # fmt: skip


@pytest.mark.parametrize("text", CONDITIONS)
def test_hidden_records_come_out_through_no_method(text: str) -> None:
    memories = mixed()
    recall(memories, SECRET)  # whatever is cached by the full stream
    view = MindView(memories, 100, CONDITIONS[text])
    hidden = [r for r in memories.since() if r.kind in view.condition.hide and SECRET in r.text]
    assert hidden
    public = {name for name in (*dir(view), *vars(view)) if not name.startswith("_")}
    for record_ in hidden:
        calls = readings(view, record_.kind, record_.created)
        assert set(calls) == public  # a new method needs its line in `readings`
        for name, call in calls.items():
            try:
                got = call()
            except KeyError:
                continue
            shown = repr(got)
            if name == "retrieve":  # the query itself is no leak
                assert not any(
                    s.id.step in range(10, 14) and memories.get(s.id) in hidden for f in got for s in f.chosen + f.left_out
                ), name  # type: ignore[attr-defined]
                continue
            assert f"{SECRET} {record_.kind}" not in shown, name
            assert f"step={record_.created}, n=0" not in shown, name
    columns = view.candidates()
    assert len(columns.records) == len(columns.vectors) == len(columns.norms) == len(columns.accessed) == len(view)
    assert len(columns.importance) == len(columns.kinds) == len(view)
    assert 10 not in columns.importance[[r.kind in view.condition.hide for r in columns.records]]
    assert all(columns.locate(r.id) is None for r in hidden)


@pytest.mark.parametrize("text", CONDITIONS)
def test_nothing_derived_from_a_view_shows_hidden_records(text: str) -> None:
    memories = mixed()
    view = MindView(memories, 100, CONDITIONS[text])
    for kind in view.condition.hide:
        name = f"{SECRET} {kind}"
        assert relationship(memories, name).known
        assert not relationship(view, name).known
        assert relationship(view, name).closeness == 0.0
        assert name not in Relationships(view).known()
        assert all(hit.record.kind not in view.condition.hide for hit in TownSearch({"K": view}).search(name, 99))
        assert not Draft(view, "K", 100).has(rid(10 + ["observation", "conversation", "reflection", "plan"].index(kind)))
    full, part = ({"Klaus Mueller": v, f"{SECRET} reflection": stream()} for v in (memories, view))
    assert graph(full).number_of_edges() == 1
    if "reflection" in view.condition.hide:
        assert graph(part).number_of_edges() == 0
    assert density(graph(part)) == 0.0


def test_presets_and_their_reading() -> None:
    assert Condition.parse("") == FULL
    assert Condition.parse("reflection") == NO_REFLECTION
    assert Condition.parse(" Plans, Reflections ") == NO_REFLECTION_NO_PLAN
    assert Condition.parse("reflection,plan,observation") == NONE
    assert Condition.parse("observation").hide == {"observation", "conversation"}
    assert str(NO_REFLECTION_NO_PLAN) == "reflection,plan"
    assert Condition.parse(str(NONE)) == NONE
    assert str(FULL) == ""
    with pytest.raises(UsageError, match="did you mean reflection"):
        Condition.parse("reflexion")
    with pytest.raises(UsageError, match="kinds are observation, conversation"):
        Condition.parse("xyz")


def test_a_view_is_of_the_world_as_earlier_steps_left_it() -> None:
    memories = stream(record(-1), record(5), record(6), record(7))
    assert [r.created for r in MindView(memories, 6).since()] == [-1, 5]
    assert len(MindView(memories, 0)) == 1
    assert len(MindView(memories, -1)) == 0
    assert recall(MindView(memories, -1)).chosen == ()
    view = MindView(memories, 100)
    memories.append(record(8))
    assert len(view) == 4
    assert not view.has(rid(8))
    assert recall(view).considered == 4


def test_last_accesses_are_as_of_the_views_step() -> None:
    memories = stream(record(0), record(1), record(2))
    memories.touch([rid(0)], 50)
    memories.touch([rid(0), rid(1)], 90)
    memories.touch([rid(2)], 95)
    assert [MindView(memories, 60).accessed(rid(t)) for t in range(3)] == [50, 1, 2]
    assert [MindView(memories, 91).accessed(rid(t)) for t in range(3)] == [90, 90, 2]
    view = MindView(memories, 200)
    before = recall(view, step=HOUR)
    memories.touch([rid(2)], 300)
    assert view.accessed(rid(2)) == 95
    assert recall(view, step=HOUR) == before
    with pytest.raises(KeyError):
        view.accessed(rid(77))


def test_a_full_view_retrieves_as_the_stream_did_then() -> None:
    memories = stream(*(record(t * 30, f"kettle {t % 4}", importance=1 + t % 9) for t in range(60)))
    memories.touch([rid(0), rid(60)], 700)
    then = [recall(memories, "kettle 2", step=1800, k=10)]
    memories.append(record(1800, "kettle 2", importance=10))
    memories.touch(then[0].ids, 1800)
    assert recall(MindView(memories, 1800), "kettle 2", step=1800, k=10) == then[0]


def test_records_out_of_order_are_seen_by_their_step() -> None:
    memories = stream(record(5), record(3), record(9))
    assert [r.created for r in MindView(memories, 6).since()] == [5, 3]
    assert recall(MindView(memories, 6)).considered == 2


# -- drafts ------------------------------------------------------------------------------------------------------------


def test_a_draft_shows_what_is_pending_and_writes_nothing() -> None:
    memories = stream(record(0, "rain", importance=2), record(1, people=("Tom Moreno",)))
    draft = Draft(memories, "Klaus Mueller", 50)
    assert draft.next_id() == rid(50, 0)
    fact = Fact("news", "Tom Moreno has a dog", about="Tom Moreno")
    seen = draft.add("observation", "Tom Moreno walks a dog", importance=4, people=("Tom Moreno",), tag="seen")
    told = draft.add("conversation", "rain", importance=6, fact=fact, tag="learned", heard_from="Maria Lopez")
    assert (seen.id, told.id, seen.created) == (rid(50, 0), rid(50, 1), 50)
    assert draft.records == (seen, told)
    assert draft.latest(3) == [memories.get(rid(1)), seen, told]
    assert draft.latest(1) == [told]
    assert draft.latest(2, kinds=("observation",)) == [memories.get(rid(1)), seen]
    assert draft.get(told.id) is told
    assert draft.get(rid(0)).text == "rain"
    assert draft.has(seen.id)
    assert draft.mentioning("tom") == [memories.get(rid(1)), seen, told]
    assert draft.concerning("Tom Moreno") == [memories.get(rid(1)), seen, told]
    assert draft.importance_of("rain") == 6
    assert draft.tagged("seen") == [seen]
    assert draft.of_kind("conversation") == [told]
    assert draft.carrying("news") == [told]
    assert draft.facts() == ((fact, told),)
    assert draft.accessed(seen.id) == 50
    assert draft.since(1) == [memories.get(rid(1)), seen, told]
    assert draft.since(3) == [told]
    assert len(draft) == 4
    assert len(memories) == 2
    assert memories.importance_of("rain") == 2
    with pytest.raises(KeyError):
        draft.get(rid(99))


def test_a_draft_keeps_the_retrievals_it_made() -> None:
    memories = stream(record(0, "rain"), record(1, "kettle"))
    draft = Draft(memories, "Klaus Mueller", 50)
    draft.add("observation", "a kettle whistles")
    first = draft.retrieve("kettle", purpose="react")
    second = draft.retrieve("rain", purpose="plan", k=1)
    assert draft.retrievals == (first, second)
    assert (first.id, second.id) == (rid(50, 0), rid(50, 1))
    assert (first.step, first.purpose, first.query) == (50, "react", "kettle")
    assert first.considered == 2  # what one just noticed is the question, not an answer
    assert first == retrieve(memories, "kettle", id=rid(50), step=50, purpose="react")
    memories.apply(draft.records, draft.retrievals)
    assert memories.accessed_steps() == [50, 50, 50]
    assert memories.latest(1)[0].text == "a kettle whistles"


def test_draft_view_and_stream_read_alike() -> None:
    """All three implement `Readable`: same methods, same parameters."""
    from memory import Readable

    for name, method in inspect.getmembers(Readable, inspect.isfunction):
        if name.startswith("_") and name != "__len__":
            continue
        for made in (Stream, MindView, Draft):
            theirs = inspect.signature(getattr(made, name)).parameters
            missing = set(inspect.signature(method).parameters) - set(theirs)
            assert not missing, (made, name, missing)
