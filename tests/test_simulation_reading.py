"""Reading a run out: log, reasons, whereabouts and story say what is on file, and only that."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from kernel import RecordId, UsageError
from language import Call, CallKey
from memory import Record, Retrieval, Scored
from planning.schedule import PlanEntry
from simulation.reading.lifelog import Entry, by_the_hour, follow_log, read_out, resident_log, town_log
from simulation.reading.whereabouts import stays, tile_at
from simulation.reading.why import explain, in_words
from simulation.storing.journal import RunJournal
from simulation.storing.runfile import RunFile
from town import Act, Because, Conversation, Fact, Gathering, Utterance

A, B = "Ann Moss", "Bo Reed"
CAFE = "Wick : Cafe : room"
HOUR = 360
FAIR = Fact("fair", "Ann Moss holds a fair at the cafe.", A, gathering=Gathering("fair", CAFE, 3 * HOUR, 4 * HOUR, A))


def rid(who: str, step: int, n: int = 0) -> RecordId:
    return RecordId(who, step, n)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[RunFile]:
    meta = {
        "committed": "0", "planned": str(5 * HOUR), "start": "2023-02-13 08:00", "step_seconds": "10", "title": "Two in Wick",
        "model": "offline", "models": "{}", "embedder": "hash-8",
    }  # fmt: skip
    run = RunFile.create(tmp_path / "wick.town", meta)
    for position, name in enumerate((A, B)):
        run.write(
            "INSERT INTO residents VALUES (?, ?, 'stub', 30, 'they', 'baker', 'Wick : House : room', NULL, '{}', -1)",
            [(name, position)],
        )
    run.write(
        "INSERT INTO places VALUES (?, 'Wick : Cafe', 'arena', 'arena', 0, '[[1,0],[2,0]]', '[]', NULL, '[]', NULL, '[]',"
        " NULL, NULL, 0)",
        [(CAFE,)],
    )
    _live(RunJournal(run, tracked={"fair": "fair"}, steps_per_hour=HOUR))
    yield run
    run.close()


def _live(journal: RunJournal) -> None:
    """Four hours in Wick."""
    seed = Record(rid(A, -1), "observation", "Ann Moss is fond of fairs.", -1, 5, tag="identity")
    journal.remembered(seed, bytes(8))
    journal.remembered(Record(rid(A, -1, 1), "observation", FAIR.text, -1, 8, fact=FAIR, tag="learned"), bytes(8))
    # step 0: Ann plans and bakes (two equal acts in a row), Bo walks to the cafe
    journal.planned(
        A, PlanEntry(rid(A, 0), "day", 0, 4 * HOUR, "bake for the fair", None, "made", "the day begins", (rid(A, -1),))
    )
    because = Because(plan=rid(A, 0), calls=("Ann Moss/0/settle/0",), retrievals=(rid(A, 0),), note="the plan of the day")
    journal.retrieved(
        Retrieval(
            rid(A, 0),
            0,
            "plan",
            "what to do",
            (Scored(rid(A, -1), 1.0, 0.25, 0.5, 1.75),),
            (Scored(rid(A, -1, 1), 0, 1, 0.125, 1.125),),
            2,
        )
    )
    journal.called(Call(CallKey(A, 0, "settle", 0), "offline", "h", "where to bake?", '{"address":"oven"}', "", 1, 7, 3, 0.0))
    journal.acted(Act(rid(A, 0), "baking rolls", "bread", f"{CAFE} : oven", 0, 90, because=because))
    journal.moved(A, 0, ((1, 0),))
    journal.moved(B, 0, ((4, 0), (3, 0), (2, 0)))
    journal.committed(0)
    journal.act_over(A, rid(A, 0), 90, "done")
    journal.acted(Act(rid(A, 90), "baking rolls", "bread", f"{CAFE} : oven", 90, 180))
    journal.committed(90)
    # a talk: Ann tells Bo of the fair
    talk = Conversation("Ann Moss/180/0", 180, CAFE, (A, B), (A, B), (), A)
    journal.act_over(A, rid(A, 90), 180, "replaced")
    journal.uttered(
        Utterance(
            rid(A, 180), talk.id, A, (B,), "I hold a fair, do come!", "invite", (FAIR,), (rid(A, -1, 1),), FAIR.gathering,
            call="Ann Moss/180/say/0",
        ),
        Because(percepts=("Bo Reed@start",)),
    )  # fmt: skip
    journal.conversation(talk, 180)
    journal.committed(180)
    journal.uttered(Utterance(rid(B, 181), talk.id, B, (A,), "I can't, I mend roofs.", "decline", ends=True), Because())
    journal.conversation(Conversation(talk.id, 180, CAFE, (A, B), (A, B), (), None, 182), 182)
    journal.remembered(
        Record(
            rid(B, 182), "observation", FAIR.text, 182, 6, (A,), A, fact=FAIR, heard_from=A, source=rid(A, 180), tag="learned"
        ),
        bytes(8),
    )
    journal.committed(182)
    # Bo thinks, changes the plan, sees the oven burning, and goes
    journal.object_changed(f"{CAFE} : oven", 200, "burning", None)
    journal.remembered(
        Record(rid(B, 240), "reflection", "Bo Reed minds missing fairs.", 240, 7, evidence=(rid(B, 182),), tag="intention"), None
    )
    journal.planned(B, PlanEntry(rid(B, 10), "hour", 300, 400, "mend a roof", None, "dropped", "a fair is on", ()))
    journal.acted(
        Act(
            rid(B, 240),
            "putting out the fire",
            "fire",
            f"{CAFE} : oven",
            240,
            250,
            because=Because(percepts=(f"{CAFE} : oven@200", "Ann Moss/90/0")),
        )
    )
    journal.committed(240)
    journal.moved(B, 250, ((2, 0), (3, 0)))
    journal.act_over(B, rid(B, 240), 250, "done")
    journal.failed(B, 250, ValueError("oh"))
    journal.committed(4 * HOUR - 1)
    journal.flush()


def lines(run: RunFile, name: str, *, ids: bool = False) -> list[str]:
    return list(read_out(run, resident_log(run, name), True, ids=ids))


def test_a_day_reads_in_spans_talks_and_changes(run: RunFile) -> None:
    assert lines(run, A) == [
        "",
        "Monday 2023-02-13",
        "08:00        plans the day: 08:00 bake for the fair",
        "08:00-08:30  baking rolls (oven, Cafe)",
        "08:30-08:30  talks with Bo Reed (room, Cafe)",
        '        08:30  Ann Moss: "I hold a fair, do come!"',
        '        08:30  Bo Reed: "I can\'t, I mend roofs."',
    ]
    assert lines(run, B, ids=True)[-3:] == [
        "08:40        gives up: mend a roof (because a fair is on)  [Bo Reed/10/0]",
        "08:40-08:41  putting out the fire (oven, Cafe)  [Bo Reed/240/0]",
        "08:40        reflects: Bo Reed minds missing fairs.  [Bo Reed/240/0]",
    ]


def test_acts_of_one_hour_are_told_as_one() -> None:
    def act(step: int, until: int, text: str, place: str, part_of: str = "baking") -> Entry:
        return Entry(step, until, "act", text, A, place, part_of=part_of)

    talk = Entry(12, 14, "talk", "", A)
    acts = [
        act(0, 10, "sifting flour", f"{CAFE} : table"), act(10, 20, "baking", f"{CAFE} : oven"), talk,
        act(20, 30, "sifting flour", f"{CAFE} : table"), act(30, 40, "resting", "Wick : House : room", ""),
        act(50, 60, "baking", f"{CAFE} : oven"),
    ]  # fmt: skip
    assert [(e.step, e.until, e.kind, e.text, e.place) for e in by_the_hour(acts)] == [
        (0, 30, "act", "baking: sifting flour", CAFE),
        (12, 14, "talk", "", None),
        (30, 40, "act", "resting", "Wick : House : room"),
        (50, 60, "act", "baking", f"{CAFE} : oven"),
    ]


def test_the_town_log_holds_what_is_notable(run: RunFile) -> None:
    assert [(entry.kind, entry.who, entry.step) for entry in town_log(run)] == [
        ("invite", A, 180), ("decline", B, 181), ("news", B, 182), ("intention", B, 240), ("failure", B, 250),
    ]  # fmt: skip
    assert [entry.step for entry in town_log(run, since=182)] == [182, 240, 250]


def test_following_tells_everything_once_and_in_order(run: RunFile, monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter((95, 185, 230, 5 * HOUR))
    run.set_meta({"committed": "10"})
    monkeypatch.setattr("simulation.reading.lifelog.time.sleep", lambda _: run.set_meta({"committed": str(next(times))}))
    followed = list(follow_log(run, B, ids=False, json=False))
    assert followed[0] == "Bo Reed, baker"
    assert sorted(followed[1:]) == sorted(lines(run, B))


def test_why_an_act_quotes_plan_retrieval_question_and_answer(run: RunFile) -> None:
    assert list(in_words(explain(run, "ann/0/0"))) == [
        "Ann Moss, 2023-02-13 08:00: baking rolls (oven, Cafe)",
        "The reason in a sentence: the plan of the day",
        "It carries out a plan:",
        "  day, 2023-02-13 08:00 to 2023-02-13 12:00: bake for the fair [Ann Moss/0/0] (because the day begins)",
        "    Ann Moss is fond of fairs. (observation, importance 5, known from the start) [Ann Moss/-1/0]",
        'What came to mind for "what to do" (plan):',
        "  1.75 = recency 1.00 + importance 0.25 + relevance 0.50: Ann Moss is fond of fairs. [Ann Moss/-1/0]",
        "  What was left out:",
        "    1.12 = recency 0.00 + importance 1.00 + relevance 0.12: Ann Moss holds a fair at the cafe. [Ann Moss/-1/1]",
        "Question to offline (settle):",
        "  where to bake?",
        "Answer:",
        '  {"address":"oven"}',
    ]


def test_why_words_name_what_they_pass_on_and_admit_what_is_missing(run: RunFile) -> None:
    assert list(in_words(explain(run, "words:Ann Moss/180/0"))) == [
        'Ann Moss to Bo Reed, 2023-02-13 08:30: "I hold a fair, do come!"',
        "It passes on:",
        "  Ann Moss holds a fair at the cafe. [fair]",
        "What had been noticed:",
        "  Bo Reed@start",
        "It rests on these memories:",
        "  Ann Moss holds a fair at the cafe. (observation, importance 8, known from the start) [Ann Moss/-1/1]",
        "The call [Ann Moss/180/say/0] is not on file.",
    ]


def test_why_follows_percepts_and_evidence(run: RunFile) -> None:
    act = explain(run, "act:Bo Reed/240/0")
    assert [(p["kind"], p["text"]) for p in act["percepts"]] == [("state", "burning"), ("act", "baking rolls")]
    memory = list(in_words(explain(run, "memory:bo/240/0")))
    assert memory[1:] == [
        "It was drawn from these memories:",
        "  Ann Moss holds a fair at the cafe. (observation, importance 6, 2023-02-13 08:30) [Bo Reed/182/0]",
    ]
    heard = list(in_words(explain(run, "bo/182/0")))
    assert heard[1:4] == [
        "Heard from Ann Moss [Ann Moss/180/0]", "It was heard in these words:",
        '  Ann Moss to Bo Reed, 2023-02-13 08:30: "I hold a fair, do come!"',
    ]  # fmt: skip
    assert list(in_words(explain(run, "words:bo/181/0")))[-1] == "No further reason is on file."


@pytest.mark.parametrize(
    ("text", "sentence"), [("nonsense", "not an id"), ("ann/99/0", "nothing in this run"), ("zed/0/0", "no resident")]
)
def test_why_refuses_what_is_not_there(run: RunFile, text: str, sentence: str) -> None:
    with pytest.raises(UsageError, match=sentence):
        explain(run, text)


def test_whereabouts_are_exact_to_the_step(run: RunFile) -> None:
    assert [tile_at(run, B, step) for step in (0, 1, 2, 100, 249, 250, 251)] == [
        (4, 0), (3, 0), (2, 0), (2, 0), (2, 0), (2, 0), (3, 0),
    ]  # fmt: skip
    assert list(stays(run, B, 0, 4)) == [((4, 0), 0, 1), ((3, 0), 1, 2), ((2, 0), 2, 4)]
