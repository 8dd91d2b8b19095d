"""A few people of no scenario, with memories and news, for tests of the offline talker."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from kernel import Dice
from language import named
from language.offline.talking import say
from language.operations import Speak
from language.replies import Turn
from language.values import Commitment, Event, Line, News, Person, Recollection, Relation, Scene, Statement

TOWN = "The Vale : "
NOW = datetime(2031, 5, 12, 10, 0)
BAKERY = TOWN + "Bakery : shop"
PARK = TOWN + "Mill Park : park"


def person(
    name: str, pronoun: str, occupation: str, traits: tuple[str, ...], said: list[tuple[str, str]], **more: object
) -> Person:
    statements = tuple(Statement(f"{name}/-1/{n}", text, topic) for n, (topic, text) in enumerate(said))
    fields: dict[str, object] = {
        "name": name, "age": 33, "pronoun": pronoun, "occupation": occupation, "traits": traits, "statements": statements,
        "home": f"{TOWN}{name}'s house : main room", "workplace": None, "work_hours": None, "wakes": 420, "sleeps": 1380,
    }  # fmt: skip
    return Person(**{**fields, **more})  # type: ignore[arg-type]


NORA = person(
    "Nora Field", "she", "owner of the bakery", ("warm", "hospitable"),
    [("about", "Nora Field bakes with old recipes."), ("aim", "Nora Field hopes to buy a second oven.")],
    workplace=BAKERY + " : counter", work_hours=(420, 960), talkative=0.8,
)  # fmt: skip
EMIL = person(
    "Emil Stone", "he", "retired navy officer", ("crisp", "dutiful"),
    [
        ("about", "Emil Stone served in the navy."),
        ("aim", "Emil Stone plans to restore an old dinghy."),
        ("speech", "Short, crisp sentences."),
    ],
    sleeps=1260,
)  # fmt: skip
MILA = person(
    "Mila Berg", "she", "student", ("lively", "curious"),
    [
        ("about", "Mila Berg studies botany."),
        ("aim", "Mila Berg is writing an essay on mosses for her class."),
        ("aim", "Mila Berg wants to learn the accordion."),
    ],
    formality=0.1, talkative=0.8,
)  # fmt: skip
OTTO = person(
    "Otto Kern", "he", "poet", ("thoughtful",),
    [("about", "Otto Kern can't stand parties."), ("aim", "Otto Kern is finishing a cycle of twelve poems.")],
)  # fmt: skip

SUPPER = Event("harvest supper", BAKERY, datetime(2031, 5, 13, 18, 0), datetime(2031, 5, 13, 20, 0), "Nora Field")
SUPPER_NEWS = News(
    "supper", "Nora Field is holding a harvest supper at the Bakery on Tuesday from six to eight.", "Nora Field", False, SUPPER
)
LAMP = News("lamp", "The old lighthouse lamp was stolen on Sunday night.", None)


def relation(other: Person, how: str = "friend", closeness: float = 0.4, **more: object) -> Relation:
    return Relation(
        **{"name": other.name, "known": True, "how": how, "closeness": closeness, "talks": 1, "hours_since": 30.0, **more}
    )  # type: ignore[arg-type]


def carries(news: News, ident: str, heard_from: str | None = None, told_to: tuple[str, ...] = (), **more: object) -> Recollection:
    fields = {"kind": "conversation", "hours_ago": 2.0, "importance": 8, "about": news.about, "tag": "learned", **more}
    return Recollection(id=ident, text=news.text, news=news, heard_from=heard_from, told_to=told_to, **fields)  # type: ignore[arg-type]


def memory(ident: str, text: str, about: str | None = None, **more: object) -> Recollection:
    fields = {"kind": "observation", "hours_ago": 3.0, "importance": 5, **more}
    return Recollection(id=ident, text=text, about=about, **fields)  # type: ignore[arg-type]


HOSTING = Commitment("Nora Field/-1/9", SUPPER, "host")


def speak(me: Person, to: Relation, seed: int = 0, **more: object) -> Turn:
    scene = more.pop("scene", Scene(NOW, PARK, "feeding the ducks", (me.name, to.name)))
    fields = {"topics": (), "lines": (), "summary": "", **more}
    op = Speak(person=me, scene=scene, listeners=(to,), **fields)  # type: ignore[arg-type]
    return say(op, Dice(seed, me.name, seed, "say/0"))


def converse(
    one: Person, two: Person, first: Relation, second: Relation, seed: int = 0, **given: tuple[object, ...]
) -> list[Turn]:
    """A whole conversation; `given` may hold topics_one, topics_two, commitments_one, commitments_two, shared_one ..."""
    turns: list[Turn] = []
    lines: list[Line] = []
    known = {
        r.news.id: r.news
        for key, values in given.items()
        if key.startswith(("topics", "shared"))
        for r in values
        if r.news  # type: ignore[attr-defined]
    }
    for someone in (one, two):
        for s in someone.statements:
            text = named(s.text, someone.name, someone.pronoun)
            known.setdefault(s.id, News(s.id, text, someone.name))
    for k in range(20):
        me, to, which = (one, first, "one") if k % 2 == 0 else (two, second, "two")
        scene = Scene(
            NOW + timedelta(seconds=20 * k), PARK, "feeding the ducks" if me is one else "reading a novel", (one.name, two.name)
        )
        turn = speak(
            me, to, seed * 100 + k, scene=scene, lines=tuple(lines), rounds_left=8 - k // 2,
            **{key.removesuffix(f"_{which}"): value for key, value in given.items() if key.endswith(f"_{which}")},
        )  # fmt: skip
        turns.append(turn)
        news = tuple(known[i] for i in turn.passes_on if i in known)
        event = known[turn.event].event if turn.event in known else None
        if turn.meeting is not None:
            start = datetime.fromisoformat(turn.meeting.start)
            event = Event(turn.meeting.name, turn.meeting.place, start, start + timedelta(minutes=turn.meeting.minutes), me.name)
        lines.append(Line(me.name, turn.text, turn.act, news, event))
        if turn.ends and (k == 0 or turns[-2].ends or turn.act != "part"):
            break
    return turns


def without_statements(someone: Person) -> Person:
    return replace(someone, statements=())
