"""Interviews: a free question answered in the first person, from what a condition lets the resident read.

    answer(op, dice) -> SpokenAnswer

The question's kind is read from its words (`answer_interview.yaml: kinds`): self-knowledge, memory of people and events,
plans at a time (`answer_plans`), reactions, reflections. Every statement of fact comes from a record that is cited;
without one the answer is an honest "I don't know".
"""

from __future__ import annotations

import re
from collections.abc import Callable

from kernel import Dice
from language.offline.answer_interview import KINDS, Interview
from language.offline.answer_plans import done_so_far, planned
from language.offline.grammar import first_name, place_words
from language.offline.reading_talk import overlap, words_of
from language.offline.registry import responder
from language.offline.topics import Topic
from language.operations import AnswerQuestion
from language.replies import SpokenAnswer
from language.values import Recollection, Statement

_SENTENCES = re.compile(r"(?<=[.;!?])\s+")


@responder(AnswerQuestion)
def answer(op: AnswerQuestion, dice: Dice) -> SpokenAnswer:
    """The answer, the records it rests on, and whether the question could be answered."""
    talk = Interview(op, dice)
    for kind, handle in _HANDLERS:
        if KINDS.matches(kind, op.question):
            found = handle(talk)
            if found is not None:
                return found
    return fact(talk)


# ---- self-knowledge


def _introduce(talk: Interview) -> SpokenAnswer | None:
    if talk.others_named():
        return None
    told = talk.statements("about")[:2] + talk.statements("aim")[:1]
    return _from_statements(talk, "introduce", told)


def _job(talk: Interview) -> SpokenAnswer | None:
    if talk.others_named():
        return None
    works = [s for s in talk.statements("about") if overlap(words_of(talk.op.person.occupation), words_of(s.text)) > 0.3]
    if not talk.op.person.statements:
        return talk.unknown("job_bare")
    told = works[:1]
    return talk.reply("job", [s.id for s in told], **({"statement": talk.mine(told)} if told else {}))


def _interests(talk: Interview) -> SpokenAnswer | None:
    if talk.others_named() or KINDS.matches("plan_time", talk.op.question):
        return None
    liked = [s for s in (*talk.statements("about"), *talk.statements("rhythm")) if KINDS.matches("likes", s.text)]
    return _from_statements(talk, "interests", (liked or talk.statements("aim"))[:2])


def _living(talk: Interview) -> SpokenAnswer | None:
    if talk.others_named():
        return None
    shared: list[Statement | Recollection] = [
        s for s in (*talk.statements("about"), *talk.statements("rhythm")) if KINDS.matches("household", s.text)
    ]
    known = (r for r in talk.evidence if r.tag == "acquaintance" and r.about and talk.me in r.text)
    mates = [r for r in known if KINDS.matches("household", r.text) and len(_SENTENCES.split(r.text)) == 1]
    if shared or mates:
        told = (shared + [r for r in mates if r.id not in {s.id for s in shared}])[:2]
        return talk.reply("living", [s.id for s in told], statement=talk.mine(told))
    if not talk.op.person.statements:
        return talk.unknown("living_bare")
    return talk.reply("living_home", (), home=place_words(talk.op.person.home, talk.me))


def _usual(talk: Interview) -> SpokenAnswer | None:
    if talk.others_named():
        return None
    return _from_statements(talk, "usual", talk.statements("rhythm")[:4])


def _from_statements(talk: Interview, rule: str, told: list[Statement]) -> SpokenAnswer:
    if not told:
        return talk.unknown(f"{rule}_bare")
    text = talk.mine(told)
    slots = {"statement": text, "age": str(talk.op.person.age)}
    if len(told) == 1:
        slots["clause_statement"] = talk.clause(told[0].text, own=True)
    return talk.reply(rule, [s.id for s in told], **slots)


# ---- reactions


def _burning(talk: Interview) -> SpokenAnswer | None:
    fire = re.search(r"\bfire\b|\bon fire\b", talk.op.question, re.IGNORECASE)
    return talk.reply("fire" if fire else "burning", ()) if KINDS.matches("reaction", talk.op.question) else None


def _reacting(rule: str) -> Callable[[Interview], SpokenAnswer | None]:
    def reply(talk: Interview) -> SpokenAnswer | None:
        return talk.reply(rule, ()) if KINDS.matches("reaction", talk.op.question) else None

    return reply


def _friend(talk: Interview) -> SpokenAnswer | None:
    if not KINDS.matches("reaction", talk.op.question) and not re.search(
        r"\b(would|do you|will you)\b", talk.op.question, re.IGNORECASE
    ):
        return None
    named = talk.others_named()
    names = [named[0]] if named else [r.about for r in talk.evidence if r.about and r.about != talk.me]
    for name in names:
        topic = talk.matter_of(name)
        if topic is not None:
            return talk.reply("friend", [topic.id], other=first_name(name), topic=topic.clause)
    return talk.reply("friend_bare", ())


def _any_reaction(talk: Interview) -> SpokenAnswer | None:
    asks = re.search(r"\bwhat (would|do|will) you do\b|react|what now|what then", talk.op.question, re.IGNORECASE)
    if asks is None or talk.others_named() or KINDS.matches("plan_time", talk.op.question):
        return None
    return talk.reply("reaction_other", ())


# ---- people


def _for_somebody(rule: str) -> Callable[[Interview], SpokenAnswer | None]:
    def reply(talk: Interview) -> SpokenAnswer | None:
        named = talk.others_named()
        if not named:
            unknown = talk.unknown_name()
            return talk.unknown("person_unknown", name=unknown) if unknown else None
        topic = next(iter(talk.matters_of(named[0])), None)
        if topic is None:
            return talk.unknown("no_idea_for", other=first_name(named[0]))
        return talk.reply(rule, [topic.id], other=named[0], first=first_name(named[0]), topic=topic.clause)

    return reply


def _company(talk: Interview) -> SpokenAnswer | None:
    weights: dict[str, float] = {}
    for r in talk.evidence:
        if r.about and r.about != talk.me and r.tag in ("talk", "memo", "learned", "acquaintance", "insight", "intention"):
            weights[r.about] = weights.get(r.about, 0.0) + 1 + 0.1 * r.importance
    for relation in talk.op.people:
        weights[relation.name] = weights.get(relation.name, 0.0) + 3 * relation.closeness
    for name in sorted(weights, key=lambda n: (-weights[n], n)):
        topic = talk.matter_of(name)
        if topic is not None:
            return talk.reply("company", [topic.id], other=name, about=topic.sentence)
    return talk.unknown("company_bare")


def _who_is(talk: Interview) -> SpokenAnswer | None:
    named = talk.others_named()
    if not named:
        unknown = talk.unknown_name()
        if unknown is None:
            return None
        return talk.unknown("person_unknown", name=unknown)
    name = named[0]
    rest = words_of(talk.op.question) - words_of(name) - KINDS.idle()
    if len(rest) >= 2:
        return None  # asks for something particular, not who somebody is
    topics = talk.matters_of(name)[:3]
    relation = next((r for r in talk.op.people if r.name == name), None)
    if not topics:
        if relation is not None and relation.known and relation.how and talk.evidence:
            return talk.reply("person_how", (), other=name, how=talk.relation_words(relation))
        return talk.unknown("person_unknown", name=name)
    about = " ".join(t.sentence for t in topics)
    if relation is not None and not relation.known:
        return talk.reply("person_heard", [t.id for t in topics], other=name, about=about)
    slots = {"other": name, "about": about}
    if relation is not None and relation.how and relation.how != "stranger":
        slots["how"] = talk.relation_words(relation)
    return talk.reply("person", [t.id for t in topics], **slots)


def _past(talk: Interview) -> SpokenAnswer | None:
    """Where one was and what one did, today or yesterday, as far as one remembers."""
    if talk.others_named():
        return None
    now = talk.op.scene.now
    hours = now.hour + now.minute / 60
    first, last = (hours, hours + 24) if KINDS.matches("yesterday", talk.op.question) else (0.0, hours)
    mine = [(t.recollection.hours_ago, t) for t in talk.topics if t.recollection is not None and t.recollection.tag == "done"]
    done = sorted((e for e in mine if e[1].role == "me" and first <= e[0] <= last), key=lambda e: -e[0])
    told = list({t.sentence: t for _, t in done}.values())[:4]
    if not told:
        today = not KINDS.matches("yesterday", talk.op.question) and not KINDS.matches("plan_time", talk.op.question)
        return (done_so_far(talk) if today else None) or talk.unknown("past_bare")
    return talk.reply("past", [t.id for t in told], list=" ".join(t.sentence for t in told))


def _talks(talk: Interview) -> SpokenAnswer | None:
    """Whom one talked with today or yesterday."""
    if talk.others_named() or talk.unknown_name():
        return None
    now = talk.op.scene.now
    hours = now.hour + now.minute / 60
    first, last = (hours, hours + 24) if KINDS.matches("yesterday", talk.op.question) else (0.0, hours)
    talks = [r for r in talk.evidence if r.tag == "talk" and r.about and first <= r.hours_ago <= last]
    people = list(dict.fromkeys(r.about for r in sorted(talks, key=lambda r: -r.hours_ago) if r.about))
    if not people:
        return talk.unknown("past_bare")
    return talk.reply("talked_with", [r.id for r in talks], list=", ".join(people))


def _news(talk: Interview) -> SpokenAnswer | None:
    """The weightiest of the latest news."""
    if talk.others_named():
        return None
    heard = [t for t in talk.topics if t.recollection is not None and t.news is not None and t.recollection.heard_from]
    if not heard:
        return talk.unknown("fact_no")
    weight = {t.id: (t.recollection.importance, -t.recollection.hours_ago) for t in heard if t.recollection is not None}
    return _told(talk, max(heard, key=lambda t: weight[t.id]))


# ---- reflections and facts


def _inspires(talk: Interview) -> SpokenAnswer | None:
    if talk.others_named() or talk.unknown_name():
        return None
    asked = words_of(talk.op.question) - KINDS.idle()
    reflections = [t for t in talk.topics if t.recollection is not None and t.recollection.kind == "reflection"]
    own = [t for t in talk.topics if t.statement is not None and t.statement.topic == "aim"]
    heavy = [t for t in talk.topics if t.role == "me" and t.recollection is not None and t.recollection.importance >= 6]
    pool: list[Topic] = sorted(reflections + own + heavy, key=lambda t: -overlap(asked, words_of(t.text)))
    if not pool:
        return talk.unknown("inspires_bare")
    first = pool[0]
    second = next((t for t in pool[1:] if t.id != first.id and overlap(words_of(t.text), words_of(first.text)) < 0.8), None)
    slots = {"about": first.sentence, "clause_about": first.clause}
    if second is None or talk.dice.chance(0.4):
        return talk.reply("inspires", [first.id], **slots)
    return talk.reply("inspires_two", [first.id, second.id], **slots, clause_more=second.clause)


def fact(talk: Interview) -> SpokenAnswer:
    """Something asked about the world: the record that has the question's words, or none."""
    unknown = talk.unknown_name()
    if unknown is not None and not talk.others_named():
        return talk.unknown("person_unknown", name=unknown)
    if not talk.topics:
        return talk.unknown("empty_mind")
    topic = talk.best()
    return talk.unknown("fact_no") if topic is None else _told(talk, topic)


def _told(talk: Interview, topic: Topic) -> SpokenAnswer:
    """What a record says, as known, heard or taken back."""
    slots = {"about": topic.sentence, "clause_about": topic.clause}
    r = topic.recollection
    if r is not None and r.news is not None:
        ident = r.news.id
        taken_back = next((o for o in talk.evidence if o.news is not None and o.news.retracts == ident), None)
        if taken_back is not None and taken_back.news is not None:
            said = talk.sentence(taken_back.news.text)
            return talk.reply("fact_off", [taken_back.id, r.id], about=said, clause_about=talk.clause(taken_back.news.text))
        if r.news.retracts is not None:
            return talk.reply("fact_off", [r.id], **slots)
    if r is not None and r.heard_from and r.heard_from != talk.me:
        return talk.reply("fact_heard", [r.id], **slots, source=r.heard_from)
    return talk.reply("fact_yes", [topic.id], **slots)


_HANDLERS: tuple[tuple[str, Callable[[Interview], SpokenAnswer | None]], ...] = (
    ("reaction_burning", _burning),
    ("reaction_occupied", _reacting("occupied")),
    ("reaction_empty", _reacting("empty")),
    ("reaction_friend", _friend),
    ("gift", _for_somebody("gift")),
    ("book", _for_somebody("book")),
    ("compliment", _for_somebody("compliment")),
    ("company", _company),
    ("usual", _usual),
    ("past", _past),
    ("talks", _talks),
    ("news", _news),
    ("interests", _interests),
    ("plan", planned),
    ("introduce", _introduce),
    ("job", _job),
    ("living", _living),
    ("who_is", _who_is),
    ("inspires", _inspires),
    ("reaction", _any_reaction),
)
"""Kinds of question in the order tried; a handler may pass a question on by answering None."""
