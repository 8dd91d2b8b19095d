"""Relationships derived from memory: who is known, how close, who knows whom in the town."""

from __future__ import annotations

import pytest
from memory_kit import CLOCK, ME, record, stream

from kernel import RecordId
from language.embedding import HashEmbedder
from memory import Record, Relationship, Relationships, Stream, density, graph, relationship
from town.speech import Fact

MARIA = "Maria Lopez"


def seed(name: str = MARIA, how: str = "friend", tone: float = 0.4, n: int = 0) -> Record:
    return record(
        -1, f"{name} is a {how} of Klaus Mueller", n=n, tag="acquaintance", about=name, people=(name,), how=how, tone=tone
    )


def talk(step: int, tone: float = 0.5, people: tuple[str, ...] = (MARIA,)) -> Record:
    return record(step, "they talked about games", kind="conversation", tag="talk", people=people, tone=tone)


def test_a_stranger() -> None:
    assert relationship(stream(), MARIA) == Relationship(MARIA, False, "stranger", 0.0)


def test_having_seen_somebody_is_not_knowing_them() -> None:
    seen = stream(record(1, "Maria Lopez walks by", tag="seen", people=(MARIA,), about=MARIA))
    assert not relationship(seen, MARIA).known
    assert Relationships(seen).known() == ()


def test_seeded() -> None:
    found = relationship(stream(seed()), "MARIA lopez")
    assert found == Relationship("MARIA lopez", True, "friend", 0.4, "Maria Lopez is a friend of Klaus Mueller")


def test_spoken_with() -> None:
    found = relationship(stream(talk(100), talk(300)), MARIA)
    assert (found.known, found.how, found.talks, found.last_talk_step) == (True, "acquaintance", 2, 300)
    assert found.text == "they talked about games"
    assert found.closeness == pytest.approx(0.6 * 0.25 / 1.25)


def test_told_of_by_name() -> None:
    fact = Fact("candidacy", "Sam Moore wants to run for mayor", about="Sam Moore")
    heard = record(5, fact.text, tag="learned", fact=fact, heard_from=MARIA, people=(MARIA,))
    memories = stream(heard)
    assert relationship(memories, "sam moore").how == "heard-of"
    assert relationship(memories, "Sam Moore").text == fact.text
    assert not relationship(memories, MARIA).known  # who told it is known by the talk, not by the news
    about_oneself = record(6, "Maria Lopez says that she won", tag="learned", about=MARIA, heard_from=MARIA)
    assert not relationship(stream(about_oneself), MARIA).known
    assert relationship(stream(record(7, "a friend of hers", tag="told-of", about="Mei Lin")), "Mei Lin").known


def test_knowing_a_fact_first_hand_is_not_being_told_of_somebody() -> None:
    fact = Fact("f", "Sam Moore is out", about="Sam Moore")
    assert not relationship(stream(record(5, fact.text, tag="seen", fact=fact)), "Sam Moore").known


def test_memos_and_insights_are_what_one_feels() -> None:
    memo = record(5, "Maria Lopez is kind", kind="conversation", tag="memo", about=MARIA, people=(MARIA,))
    insight = record(9, "Klaus Mueller likes Maria Lopez", kind="reflection", tag="insight", about=MARIA, people=(MARIA,))
    found = relationship(stream(memo), MARIA)
    assert (found.known, found.text, found.feeling_text) == (True, "Maria Lopez is kind", "Maria Lopez is kind")
    found = relationship(stream(seed(), memo, insight), MARIA)
    assert found.text == "Maria Lopez is a friend of Klaus Mueller"
    assert found.feeling_text == "Klaus Mueller likes Maria Lopez"


def test_warmth_draws_closer_and_never_past_the_bound() -> None:
    closeness = [relationship(stream(seed(tone=0.0), *(talk(t) for t in range(n))), MARIA).closeness for n in (0, 1, 5, 50, 500)]
    assert closeness == sorted(closeness)
    assert closeness[0] == 0.0
    assert 0.55 < closeness[-1] < 0.6
    near = relationship(stream(seed(tone=0.9), *(talk(t, 1.0) for t in range(500))), MARIA)
    assert near.closeness == 1.0


def test_a_broken_promise_weighs_twice_a_talk() -> None:
    absence = record(9, "Maria Lopez did not come", tag="absence", about=MARIA, people=(MARIA,), tone=-0.5)
    before = relationship(stream(seed()), MARIA).closeness
    after = relationship(stream(seed(), absence), MARIA).closeness
    made_up = relationship(stream(seed(), absence, talk(20, 0.5), talk(21, 0.5)), MARIA).closeness
    assert after == pytest.approx(0.4 - 0.6 * 0.25 / 1.25)
    assert after < before
    assert made_up == pytest.approx(before)


def test_a_talk_of_three_counts_for_both() -> None:
    memories = stream(talk(5, people=(MARIA, "Mei Lin")))
    assert relationship(memories, MARIA).talks == relationship(memories, "Mei Lin").talks == 1


def test_relations_of_one_and_of_all_agree_as_the_memory_grows() -> None:
    memories = stream(seed(), seed("Mei Lin", "teacher", 0.1, n=1))
    everyone = Relationships(memories)
    assert everyone.known() == (MARIA, "Mei Lin")
    memories.extend(
        [talk(5), talk(6, -0.4, ("Tom Moreno", "Klaus Mueller")), record(7, "Eddy Lin waits", tag="seen", people=("Eddy Lin",))]
    )
    assert everyone.known() == (MARIA, "Mei Lin", "Tom Moreno")  # not oneself, not who was only seen
    for name in (MARIA, "Mei Lin", "Tom Moreno", "Eddy Lin", "Nobody At All"):
        assert everyone.of(name) == relationship(memories, name)


def test_the_towns_graph_and_its_density() -> None:
    def knows(owner: str, *others: str) -> Stream:
        made = Stream(owner, HashEmbedder(), CLOCK)
        made.extend(
            Record(
                RecordId(owner, -1, n),
                "observation",
                f"{other} is known",
                -1,
                5,
                tag="acquaintance",
                about=other,
                how="friend",
                tone=0.3,
            )
            for n, other in enumerate(others)
        )
        return made

    views = {
        "A A": knows("A A", "B B", "C C"),
        "B B": knows("B B", "A A", "Z Z"),  # Z isn't one of the town's minds
        "C C": knows("C C"),
        "D D": knows("D D", "D D"),
    }
    network = graph(views)
    assert list(network.nodes) == ["A A", "B B", "C C", "D D"]
    assert sorted(network.edges) == [("A A", "B B"), ("A A", "C C"), ("B B", "A A")]
    assert network.edges["A A", "C C"] == {"how": "friend", "closeness": 0.3, "talks": 0, "last_talk_step": None}
    assert density(network) == 2 * 1 / (4 * 3)
    assert density(graph({"A A": views["A A"]})) == 0.0
    everybody = {f"P{i} P": knows(f"P{i} P", *(f"P{j} P" for j in range(4) if j != i)) for i in range(4)}
    assert density(graph(everybody)) == 1.0


def test_the_owner_is_the_owner() -> None:
    assert stream().owner == ME
