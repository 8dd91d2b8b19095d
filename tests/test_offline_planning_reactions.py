"""The offline model's responders for settling, reacting, rating and the self-summary."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from kernel import Dice
from language.offline import responder_for
from language.offline.rating import weigh
from language.offline.reacting_things import kind_of
from language.offline.settling import icon_for
from language.operations import RateImportance, React, Settle, SummariseSelf
from language.replies import Ratings, Reaction, SelfSummary, Settling
from language.values import Commitment, Event, News, Person, PlaceOption, Recollection, Relation, Scene, Statement
from language.wording.loader import templates

NOW = datetime(2023, 2, 13, 10)
UNA = Person(
    "Una Voss", 50, "she", "potter", ("calm", "handy"),
    (Statement("Una Voss/-1/0", "Una Voss wants to build a kiln behind the barn.", "aim"),
     Statement("Una Voss/-1/1", "Una Voss throws pots that nobody else would dare to fire.", "about")),
    "Dale : Una Voss's house : main room", "Dale : Pot Shop : shop : counter", (540, 1020), 420, 1320, 0.4, 0.6,
)  # fmt: skip
SHY = replace(UNA, name="Bo Ek", pronoun="he", traits=("timid", "quiet"), talkative=0.2)
HOME = "Dale : Una Voss's house"


def option(
    address: str, *affords: str, mine: bool = False, away: int = 5, opened: bool = True, taken: bool = False
) -> PlaceOption:
    return PlaceOption(address, affords, mine, opened, away, "", taken)


OPTIONS = (
    option(f"{HOME} : main room : table", "eat", "sit", "write", mine=True),
    option(f"{HOME} : main room : bed", "sleep", mine=True),
    option(f"{HOME} : main room : cooking area", "cook", mine=True),
    option(f"{HOME} : bathroom : shower", "shower", mine=True),
    option("Dale : Pot Shop : shop : counter", "serve", "sell", mine=True),
    option("Dale : Fish Shop : shop : counter", "serve", "sell", away=1),
    option("Dale : Blue Cafe : room : seating", "eat", "drink", "sit", "read", "write"),
    option("Dale : Blue Cafe : room : piano", "make_music"),
    option("Dale : green : meadow", "stroll", "picnic"),
    option("Dale : Bo Ek's house : main room : table", "eat", "sit", "write", away=1),
    option("Dale : baths : men's bathroom : shower", "shower", away=1),
    option("Dale : library : hall : long table", "read", "write", "study"),
)


def settle(
    activity: str, hint: str | None = None, *, here: str = f"{HOME} : main room", options: tuple[PlaceOption, ...] = OPTIONS
) -> Settling:
    operation = Settle(person=UNA, scene=Scene(NOW, here, ""), activity=activity, minutes=10, hint=hint, options=options)
    reply = responder_for(Settle)(operation, Dice(1, "Una Voss", 3, "settle/0"))
    assert isinstance(reply, Settling)
    return Settling.model_validate(reply.model_dump())


@pytest.mark.parametrize(
    ("activity", "hint", "address"),
    [
        ("eating breakfast", "home", f"{HOME} : main room : table"),
        ("cooking soup", None, f"{HOME} : main room : cooking area"),
        ("taking a shower", None, f"{HOME} : bathroom : shower"),
        ("serving customers", "the counter", "Dale : Pot Shop : shop : counter"),
        ("having lunch", "the Blue Cafe", "Dale : Blue Cafe : room : seating"),
        ("playing a sad tune", "the Blue Cafe", "Dale : Blue Cafe : room : piano"),
        ("zorbling frobs", "the Blue Cafe", "Dale : Blue Cafe : room : seating"),
        ("taking a walk", None, "Dale : green : meadow"),
        ("reading old maps", "the library", "Dale : library : hall : long table"),
        ("chewing the end of the pencil", "the library", "Dale : library : hall : long table"),
        ("having dinner with Bo", "Bo Ek's house", "Dale : Bo Ek's house : main room : table"),
    ],
)
def test_where_a_task_is_done(activity: str, hint: str | None, address: str) -> None:
    assert settle(activity, hint).address == address


def test_a_task_stays_where_one_is() -> None:
    there = tuple(replace(o, minutes_away=0) if "Blue Cafe" in o.address else o for o in OPTIONS)
    assert (
        settle("writing a letter", here="Dale : Blue Cafe : room", options=there).address == "Dale : Blue Cafe : room : seating"
    )


def test_closed_and_full_places_are_left_out() -> None:
    shut = tuple(replace(o, open=False) if "Blue Cafe" in o.address else o for o in OPTIONS)
    assert "Blue Cafe" not in settle("having lunch", "the Blue Cafe", options=shut).address
    full = tuple(replace(o, taken=True) if o.address.endswith("main room : table") and o.mine else o for o in OPTIONS)
    assert settle("eating breakfast", options=full).address == "Dale : Blue Cafe : room : seating"


def test_without_options_one_stays() -> None:
    assert settle("dancing", options=()).address == f"{HOME} : main room"


def test_icons_states_and_privacy() -> None:
    shower = settle("taking a shower")
    assert (shower.icon, shower.private) == ("shower", True)
    assert shower.state in {"running", "full of steam"}
    assert settle("taking a walk").state is None
    assert [
        icon_for(a, n)
        for a, n in (("brewing coffee", "cook"), ("watching a film", "sit"), ("hanging garlands", "tidy"), ("x", ""))
    ] == [
        "coffee",
        "film",
        "decorate",
        "work",
    ]


def test_every_icon_is_one_of_the_map_rooms() -> None:
    from maps import icons

    data = templates("planning_places")["icons"]
    used = {icon for icon, _ in data["words"]} | set(data["affordances"].values()) | {data["outdoors"], data["other"]}
    assert used <= set(icons())


# --- things --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "kind"),
    [
        ("burning", "fire"),
        ("full of smoke", "fire"),
        ("leaking", "water"),
        ("under water", "water"),
        ("smashed to bits", "broken"),
        ("sticky and full of crumbs", "dirty"),
        ("decorated with paper hearts", "decorated"),
        ("sold out", "empty"),
        ("glowing green", "uncanny"),
        ("swarming with ants", "animal"),
        ("covered in blue feathers", "strewn"),
        ("full of apples", "strewn"),
        ("with a pot boiling over", "boiling"),
        ("smelling of burnt sugar", "gas"),
        ("humming a tune", "uncanny"),
        ("frozen solid", "puzzled"),
        ("on the roof", "puzzled"),
        ("split in two", "broken"),
        ("out of beans", "empty"),
        ("ajar", None),
        ("ringing", "alarm"),
        ("occupied", "occupied"),
        ("wearing a tiny hat", "puzzled"),
        ("in quantum superposition", "puzzled"),
        ("put out, a little scorched", None),
        ("brewing", None),
        ("being played", None),
        ("covered with papers", None),
        ("in use", None),
        ("off", None),
        ("wiped dry", None),
        ("set for six", None),
    ],
)
def test_kinds_of_states(state: str, kind: str | None) -> None:
    assert kind_of(state, "stove") == kind


def test_whatever_acts_leave_behind_needs_no_second_reaction() -> None:
    for kind, entry in templates("reactions")["reactions"].items():
        for choice in entry["do"]:
            if "leaves" in choice:
                assert kind_of(choice["leaves"]) is None, (kind, choice["leaves"])


def see(
    state: str, who: Person = UNA, *, kind: str = "object", subject: str = "Dale : Blue Cafe : room : stove", seed: int = 1
) -> Reaction:
    operation = React(
        person=who,
        scene=Scene(NOW, "Dale : Blue Cafe : room", "drinking tea"),
        seen=state,
        kind=kind,
        subject=subject,
        state=state,
    )
    reply = responder_for(React)(operation, Dice(seed, who.name, 4, "react/0"))
    assert isinstance(reply, Reaction)
    return Reaction.model_validate(reply.model_dump())


def test_fire_is_put_out_by_the_handy_and_fled_by_the_timid() -> None:
    handy = [see("burning", seed=s) for s in range(20)]
    assert sum(r.decision == "act" for r in handy) >= 18
    assert {r.leaves for r in handy if r.decision == "act"} <= {"put out, a little scorched", "off"}
    timid = [see("burning", SHY, seed=s) for s in range(20)]
    fled = [r for r in timid if r.activity and "getting away" in r.activity]
    assert len(fled) >= 6
    assert all(r.leaves is None and r.address == "Dale : Blue Cafe : room" for r in fled)


def test_an_unheard_of_state_is_admitted_to_be_puzzling() -> None:
    found = [see("wearing a tiny hat", seed=s) for s in range(20)]
    assert all("wearing a tiny hat" in r.thought for r in found)
    assert {r.decision for r in found} == {"act", "continue"}
    assert all(r.leaves is None for r in found)


def test_working_order_is_passed_over() -> None:
    assert all(see(s) == Reaction(decision="continue") for s in ("brewing", "in use", "clean", "being played on"))


def test_what_is_taken_is_waited_for_only_when_needed() -> None:
    busy = React(
        person=UNA,
        scene=Scene(NOW, "Dale : h : bath", "taking a shower"),
        seen="",
        kind="object",
        subject="Dale : h : bath : shower",
        state="occupied",
    )
    assert responder_for(React)(busy, Dice(1, "a", 1, "r")).decision == "wait"  # type: ignore[attr-defined]
    assert see("occupied").decision == "continue"


def test_events_are_helped_with_or_wondered_at() -> None:
    helped = see("An old man has collapsed by the door.", kind="event", subject="e1")
    assert helped.decision == "act"
    assert "an old man has collapsed by the door" in helped.thought
    odd = [see("Purple snow falls upward", kind="event", subject="e2", seed=s) for s in range(10)]
    assert sum("urple snow falls upward" in r.thought for r in odd) >= 2


# --- people --------------------------------------------------------------------------------------------------------

IDA = Relation("Ida Holm", True, "friend", 0.5, "", 3, 20.0)
SUPPER = Event("harvest supper", "Dale : barn", NOW + timedelta(hours=30), NOW + timedelta(hours=32), "Una Voss")
NEWS = Recollection(
    "f/1/0",
    "Una Voss holds a supper.",
    "observation",
    5.0,
    8,
    news=News("supper", "Una Voss holds a supper.", "Una Voss", event=SUPPER),
)


def talks(relation: Relation, *, who: Person = UNA, n: int = 400, **fields: object) -> float:
    values: dict[str, object] = {
        "scene": Scene(NOW, "Dale : Blue Cafe : room", "mending a chair"),
        "may_talk": True,
        "their_activity": "mending a net",
        **fields,
    }
    operation = React(person=who, seen="", kind="person", subject=relation.name, relation=relation, **values)  # type: ignore[arg-type]
    answer = responder_for(React)
    return sum(answer(operation, Dice(s, who.name, s, "react/0")).decision == "talk" for s in range(n)) / n  # type: ignore[attr-defined]


def test_whom_one_talks_to() -> None:
    friend = talks(IDA)
    stranger = talks(Relation("Kim Ode", False, "stranger", 0.0))
    foe = talks(replace(IDA, closeness=-0.6))
    assert 0.04 < friend < 0.4
    assert 0.0 < stranger < friend
    assert foe < friend / 2
    assert talks(IDA, who=SHY) < friend


def test_untold_news_makes_eager_and_told_news_does_not() -> None:
    assert talks(IDA, context=(NEWS,)) > talks(IDA) + 0.2
    assert talks(IDA, context=(replace(NEWS, told_to=("Ida Holm",)),)) == talks(IDA)
    private = replace(NEWS, news=News("x", "Una Voss likes Bo Ek.", "Una Voss", private=True))
    assert talks(replace(IDA, closeness=0.2), context=(private,)) == talks(replace(IDA, closeness=0.2))


def test_not_again_at_once_not_when_busy_not_in_a_hurry() -> None:
    assert talks(replace(IDA, hours_since=1.0)) == 0.0
    assert talks(replace(IDA, hours_since=1.0), context=(NEWS,)) > 0.0
    assert talks(IDA, may_talk=False) == 0.0
    assert talks(IDA, their_activity="teaching her class") == 0.0
    soon = Commitment("c/1/0", replace(SUPPER, start=NOW + timedelta(minutes=8), host="Bo Ek"), "guest")
    assert talks(IDA, commitments=(soon,)) < talks(IDA) / 2


def test_talking_cites_what_is_on_ones_mind() -> None:
    operation = React(
        person=UNA,
        scene=Scene(NOW, "x", "resting"),
        seen="",
        kind="person",
        subject="Ida Holm",
        relation=IDA,
        may_talk=True,
        context=(NEWS,),
    )
    replies = [responder_for(React)(operation, Dice(s, "Una Voss", s, "r")) for s in range(30)]
    assert {tuple(r.rests_on) for r in replies if r.decision == "talk"} == {("f/1/0",)}  # type: ignore[attr-defined]


# --- importance ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("Bo Ek is brewing tea at the Blue Cafe", 1, 2),
        ("the desk at the library is in use", 1, 1),
        ("having lunch", 1, 2),
        ("Bo Ek is talking with Ida Holm at the Blue Cafe", 2, 2),
        ("From 9:00 to 10:00, Bo Ek plans on mending nets", 2, 2),
        ("Bo Ek talked with Ida Holm: they talked about the weather", 3, 5),
        ("about Ida Holm: Ida mends nets", 3, 5),
        ("Ida Holm told Bo Ek: Una Voss is holding a harvest festival", 6, 7),
        ("Bo Ek promised Una Voss to come to the supper", 6, 8),
        ("Sam Rau is running for mayor", 7, 9),
        ("the stove at the Blue Cafe is burning", 8, 10),
        ("Kim Ode broke up with Bo Ek", 10, 10),
        ("Ida Holm died in the night", 10, 10),
        ("going to the harvest festival", 5, 7),
    ],
)
def test_importance(text: str, low: int, high: int) -> None:
    assert low <= weigh(text) <= high


def test_ratings_are_steady_in_order_and_raised_by_aims() -> None:
    texts = ("Bo Ek has bricks for a kiln behind the barn", "Bo Ek is asleep", "Bo Ek has bricks for a kiln behind the barn")
    operation = RateImportance(person=UNA, texts=texts)
    replies = [responder_for(RateImportance)(operation, Dice(s, "Una Voss", s, "rate/0")) for s in range(3)]
    assert all(isinstance(r, Ratings) and r == replies[0] for r in replies)
    first, second, third = replies[0].importance  # type: ignore[attr-defined]
    assert first == third > weigh(texts[0])
    assert second == 1


def test_a_days_sum_calls_for_two_or_three_reflections() -> None:
    seen = [
        "Bo Ek is mending a net at the jetty",
        "the counter at the Pot Shop is attended",
        "Ida Holm is talking with Bo Ek at the green",
    ] * 30
    said = [
        "Una Voss talked with Ida Holm: they talked about the kiln",
        "Ida Holm told Una Voss: Sam Rau sells his boat",
        "about Ida Holm: she is tired",
    ] * 9
    planned = ["going to the harvest supper", "throwing pots", "having lunch"] * 3
    assert 250 <= sum(weigh(t) for t in seen + said + planned) <= 480


# --- self ----------------------------------------------------------------------------------------------------------


def test_the_self_summary_says_only_what_is_known() -> None:
    insight = Recollection("r/5/0", "Una Voss is glad to have Ida Holm as a neighbour", "reflection", 3.0, 6)
    operation = SummariseSelf(person=UNA, core=(), occupation=(), progress=(insight,))
    reply = responder_for(SummariseSelf)(operation, Dice(1, "Una Voss", 1, "self/0"))
    assert isinstance(reply, SelfSummary)
    for expected in ("Una Voss", "calm", "handy", "potter", "build a kiln", "nobody else would dare", "glad to have Ida Holm"):
        assert expected in reply.text
    assert len(reply.text) <= 1200
