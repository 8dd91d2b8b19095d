"""Conversations: opening, turns, joining, leaving, ends, and bounds whatever minds do."""

from __future__ import annotations

from collections import Counter

import pytest
from town_kit import BED, CAFE, SOFA, STREET, TABLE, act, at_start, chatter, idle, make_engine, run, say, script

from kernel import RecordId
from town import Intention, Moment, ProposeLeave, Utterance
from town.talks import Talk, pause


def uttered(book) -> list[Utterance]:
    return [row[0] for row in book.of("uttered")]


def speakers(book) -> list[str]:
    return [u.speaker for u in uttered(book)]


def closed(book):
    return [conversation for conversation, _ in book.of("conversation") if conversation.ended is not None]


def talker(name: str, opens: tuple[str, ...] = (), *, lines: int = 99, text: str = "well then", passes: bool = False):
    """Says `lines` lines when it is its turn, to all others; the last of them ends it."""

    def think(moment: Moment) -> Intention:
        if moment.step == 0 and opens:
            return Intention((say(opens, text),), wake=100_000)
        turn = next((s.conversation for s in moment.signals if s.kind == "your_turn"), None)
        if turn is not None and not passes:
            already = sum(u.speaker == name for u in turn.utterances)
            others = tuple(p for p in turn.participants if p != name)
            return Intention((say(others, text, turn.id, ends=already + 1 >= lines),), wake=100_000)
        return Intention(wake=100_000)

    return think


def test_an_utterance_takes_the_time_of_its_words():
    assert pause("hello", 2.5, 10) == 1
    assert pause("word " * 25, 2.5, 10) == 1
    assert pause("word " * 26, 2.5, 10) == 2
    assert pause("word " * 26, 2.5, 1) == 11
    assert pause("", 2.5, 10) == 1


def test_two_alternate_and_part():
    engine, book, puppets = make_engine(
        {"Ann": ((8, 2), talker("Ann", ("Bob",), lines=2)), "Bob": ((9, 2), talker("Bob", lines=99))}
    )
    run(engine, 100)
    assert speakers(book) == ["Ann", "Bob", "Ann", "Bob"]  # after Ann's last line Bob has one more
    first, last = uttered(book)[0], uttered(book)[-1]
    assert first.conversation == "Ann/0/0"
    assert [u.id.step for u in uttered(book)] == [0, 1, 2, 3]
    (end,) = closed(book)
    assert end.ended == 3
    assert end.utterances[-1] == last
    assert end.participants == ("Ann", "Bob")
    for name in ("Ann", "Bob"):
        told = [(m.step, s.conversation) for m in puppets[name].moments for s in m.signals if s.kind == "conversation_ended"]
        assert told == [(4, end)]
    assert puppets["Bob"].heard() == [(1, "well then"), (3, "well then")]
    assert engine.world.talks == {}


def test_while_talking_bodies_stand_and_then_walk_on():
    engine, book, puppets = make_engine(
        {
            "Ann": ((2, 6), script({0: [act(TABLE, 300)]})),
            "Bob": ((4, 6), script({2: [say("Ann", "wait a moment please")]})),
        }
    )
    run(engine, 60)
    segments = [row for row in book.of("moved") if row[0] == "Ann"]
    start = segments[1][2]
    assert segments[2] == ("Ann", 2, (start[2],))  # cut where she stood when she was spoken to
    assert segments[3][1] == 4  # Ann and then Bob let the turn pass; she walks on in the step in which it is over
    assert segments[3][2][0] == start[2]
    assert engine.world.by_name["Ann"].there
    assert any(kind == "arrived" for _, kind, _ in puppets["Ann"].signals())


def test_an_act_that_ends_during_a_conversation_is_told_afterwards():
    engine, book, puppets = make_engine(
        {
            "Ann": ((10, 1), script({0: [act(TABLE, 3)], 1: [say("Bob", "hello")], 3: []})),
            "Bob": ((9, 2), talker("Bob", lines=1, text="so much to tell you " * 30)),
        }
    )
    run(engine, 40)
    assert [row[2:] for row in book.of("act_over")] == [(3, "done")]
    kinds = [(step, kind) for step, kind, _ in puppets["Ann"].signals() if kind in ("act_ended", "conversation_ended")]
    assert [kind for _, kind in kinds] == ["conversation_ended", "act_ended"]
    assert kinds[0][0] == kinds[1][0] > 3


def test_three_have_fair_turns():
    minds = {
        "Ann": ((8, 2), talker("Ann", ("Bob", "Cid"), lines=4)),
        "Bob": ((9, 2), talker("Bob", lines=99)),
        "Cid": ((8, 3), talker("Cid", lines=99)),
    }
    engine, book, puppets = make_engine(minds)
    run(engine, 200)
    first = Counter(speakers(book)[:9])
    assert first == {"Ann": 3, "Bob": 3, "Cid": 3}
    # When Ann has gone, the others talk on to the bound: 8 rounds of the two who are left, or what was said already.
    assert Counter(speakers(book))["Ann"] == 4
    left = [m.step for m in puppets["Ann"].moments for s in m.signals if s.kind == "conversation_ended"]
    end = [m.step for m in puppets["Bob"].moments for s in m.signals if s.kind == "conversation_ended"]
    assert len(left) == len(end) == 1
    assert left[0] < end[0]
    assert closed(book)[0].participants == ("Bob", "Cid")
    assert closed(book)[0].everybody == ("Ann", "Bob", "Cid")


def test_addressing_one_another_does_not_starve_the_third():
    def fixed(name: str, other: str, opens: bool = False):
        def think(moment: Moment) -> Intention:
            if moment.step == 0 and opens:
                return Intention((say(("Bob", "Cid"), "so"),), wake=100_000)
            turn = next((s.conversation for s in moment.signals if s.kind == "your_turn"), None)
            return Intention((say(other, "so", turn.id),) if turn else (), wake=100_000)

        return think

    engine, book, _ = make_engine(
        {
            "Ann": ((8, 2), fixed("Ann", "Bob", opens=True)),
            "Bob": ((9, 2), fixed("Bob", "Ann")),
            "Cid": ((8, 3), fixed("Cid", "Ann")),
        }
    )
    run(engine, 300)
    spoken = Counter(speakers(book))
    assert sum(spoken.values()) == 24  # eight rounds of three
    assert max(spoken.values()) - min(spoken.values()) <= 2


def test_a_bystander_hears_and_joins():
    def joiner(moment: Moment) -> Intention:
        heard = [p for p in moment.percepts if p.kind == "words"]
        if moment.conversation is None and heard and moment.step < 3:
            return Intention((say("Ann", "may I join?", heard[0].utterance.conversation),), wake=100_000)
        return Intention(wake=100_000)

    engine, book, puppets = make_engine(
        {
            "Ann": ((8, 2), talker("Ann", ("Bob",), lines=3, text="a long story " * 20)),
            "Bob": ((9, 2), talker("Bob")),
            "Joe": ((10, 3), joiner),
            "Far": ((8, 6), joiner),
        }
    )
    run(engine, 100)
    assert speakers(book)[:3] == ["Ann", "Joe", "Ann"]
    assert closed(book)[0].everybody == ("Ann", "Bob", "Joe")
    assert puppets["Far"].heard() == []
    assert any(c.participants == ("Ann", "Bob", "Joe") and step == 1 for c, step in book.of("conversation"))


def test_leaving_without_a_word_ends_a_talk_of_two():
    engine, book, puppets = make_engine(
        {
            "Ann": ((8, 2), talker("Ann", ("Bob",))),
            "Bob": ((9, 2), script({1: [ProposeLeave("Ann/0/0")]})),
        }
    )
    run(engine, 20)
    assert speakers(book) == ["Ann"]
    assert closed(book)[0].ended == 1
    for name in ("Ann", "Bob"):
        assert (2, "conversation_ended", "") in puppets[name].signals()


def test_a_new_act_leaves_the_conversation():
    engine, book, _ = make_engine(
        {
            "Ann": ((8, 2), talker("Ann", ("Bob",))),
            "Bob": ((9, 2), script({1: [act(STREET, 100)]})),
        }
    )
    run(engine, 40)
    assert closed(book)[0].ended == 1
    assert engine.world.by_name["Bob"].arena == STREET


def test_never_ending_talkers_are_bounded():
    engine, book, _ = make_engine({"Ann": ((8, 2), talker("Ann", ("Bob",))), "Bob": ((9, 2), talker("Bob"))}, max_rounds=5)
    run(engine, 500)
    assert len(uttered(book)) == 10
    assert len(closed(book)) == 1


def test_the_silent_and_the_raising_lose_their_turn():
    def raising(moment: Moment) -> Intention:
        if moment.step > 0:
            raise RuntimeError("stage fright")
        return Intention(wake=100_000)

    for other in (talker("Bob", passes=True), raising):
        engine, book, _ = make_engine({"Ann": ((8, 2), talker("Ann", ("Bob",))), "Bob": ((9, 2), other)}, max_rounds=4)
        run(engine, 300)
        assert speakers(book) == ["Ann"] * 8  # she talks on, to the bound of four rounds of two
        assert len(closed(book)) == 1
    engine, book, puppets = make_engine({"Ann": ((8, 2), at_start(say("Bob", "hello"))), "Bob": ((9, 2), idle)})
    run(engine, 300)
    assert closed(book)[0].ended == 2  # Bob passes at 1, Ann at 2
    assert (3, "conversation_ended", "") in puppets["Bob"].signals()


def test_letting_a_turn_pass_on_purpose():
    def shy(moment: Moment) -> Intention:
        turn = next((s.conversation for s in moment.signals if s.kind == "your_turn"), None)
        return Intention((ProposeLeave(turn.id, stay=True),) if turn else (), wake=100_000)

    engine, book, _ = make_engine({"Ann": ((8, 2), talker("Ann", ("Bob",), lines=2)), "Bob": ((9, 2), shy)})
    run(engine, 50)
    assert speakers(book) == ["Ann", "Ann"]
    assert closed(book)[0].ended == 3  # Bob lets his last chance pass


@pytest.mark.parametrize(
    ("bob", "reason"),
    [
        (((1, 1), at_start(act(BED, 500, asleep=True))), "asleep"),
        (((3, 2), at_start(act(SOFA, 500, private=True))), "busy"),
        (((8, 6), idle), "gone"),
    ],
)
def test_openings_to_people_who_cannot_be_spoken_to_are_refused(bob, reason):
    engine, book, puppets = make_engine({"Ann": ((2, 2), script({9: [say("Bob", "psst")]})), "Bob": bob})
    run(engine, 30)
    assert uttered(book) == []
    assert [o.refused for o in puppets["Ann"].outcomes if o.refused] == [reason]
    assert (10, "refused", reason) in puppets["Ann"].signals()
    assert puppets["Bob"].heard() == []


def test_nobody_talks_asleep():
    engine, _, puppets = make_engine(
        {"Ann": ((1, 1), script({0: [act(BED, 50, asleep=True)], 9: [say("Bob", "zzz")]})), "Bob": ((2, 2), idle)}
    )
    run(engine, 30)
    assert [o.refused for o in puppets["Ann"].outcomes if o.refused] == ["asleep"]
    assert puppets["Bob"].heard() == []


def test_those_unfit_are_dropped_and_the_others_spoken_to():
    engine, book, _ = make_engine(
        {"Ann": ((8, 2), at_start(say(("Ann", "Far", "Nobody", "Bob"), "hello"))), "Bob": ((9, 2), idle), "Far": ((1, 1), idle)}
    )
    run(engine, 2)
    assert uttered(book)[0].to == ("Bob",)
    assert book.of("conversation")[0][0].participants == ("Ann", "Bob")


def test_simultaneous_openings_go_by_resident_order():
    engine, book, puppets = make_engine(
        {
            "Ann": ((8, 2), at_start(say("Bob", "hello Bob"))),
            "Bob": ((9, 2), at_start(say("Cid", "hello Cid"))),
            "Cid": ((8, 3), at_start(say("Ann", "hello Ann"))),
        }
    )
    run(engine, 20)
    assert [u.text for u in uttered(book)] == ["hello Bob"]
    assert [puppets[name].outcomes[0].refused for name in ("Ann", "Bob", "Cid")] == [None, "busy", "busy"]
    assert puppets["Cid"].heard() == [(1, "hello Bob")]


def test_speaking_out_of_turn_is_refused():
    engine, book, puppets = make_engine(
        {
            "Ann": ((8, 2), script({0: [say("Bob", "one two three " * 20)], 1: [say("Bob", "me again", "Ann/0/0")]})),
            "Bob": ((9, 2), script({1: [say("Ann", "too early", "Ann/0/0")]})),
        }
    )
    run(engine, 2)
    assert len(uttered(book)) == 1
    assert puppets["Ann"].outcomes[1].refused == "turn"
    assert puppets["Bob"].outcomes[1].refused == "turn"


def test_a_talk_of_many_hostile_minds_ends():
    names = ["Ann", "Bob", "Cid", "Dee"]
    tiles = [(8, 2), (9, 2), (8, 3), (9, 3)]
    minds = {
        name: (tile, chatter(tuple(n for n in names if n != name) if name == "Ann" else None, "on and on"))  # type: ignore[arg-type]
        for name, tile in zip(names, tiles, strict=True)
    }
    engine, book, _ = make_engine(minds)
    run(engine, 2000)
    assert len(uttered(book)) == 8 * 4
    assert engine.world.talks == {}


def test_everybody_leaving_gives_each_one_last_turn():
    talk = Talk("A/0/0", 0, CAFE, ["A", "B", "C"])

    def say_in(speaker: str, step: int, *, ends: bool = False) -> list[str]:
        others = tuple(p for p in "ABC" if p != speaker)
        return talk.said(Utterance(RecordId(speaker, step, 0), talk.id, speaker, others, "x", "part", ends=ends), step, 1, 8)

    assert say_in("A", 0, ends=True) == []
    assert talk.turn == "B"
    assert say_in("B", 1, ends=True) == []
    assert talk.turn == "C"
    assert sorted(say_in("C", 2)) == ["A", "B", "C"]
    assert talk.ended == 2
