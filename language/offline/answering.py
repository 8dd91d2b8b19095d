"""Interviews: a free question answered in the first person, from what a condition lets the resident read.

    answer(op, dice) -> SpokenAnswer

The question's kind is read from its words (`answer_interview.yaml: kinds`): self-knowledge, memory of people
(`answer_people`) and events, plans at a time (`answer_plans`), reactions (`answer_reactions`), reflections. Every
statement of fact comes from a record that is cited; without one the answer is an honest "I don't know".
"""

from __future__ import annotations

import re
from collections.abc import Callable

from kernel import Dice
from language.offline import answer_reactions as reactions
from language.offline.answer_follow import follow_up, resolved
from language.offline.answer_interview import ANSWERS, KINDS, Interview
from language.offline.answer_people import company, for_somebody, who_is
from language.offline.answer_plans import at_home_with, done_so_far, planned
from language.offline.grammar import first_name, join_names, place_words
from language.offline.manner import at_home_with as shares_home
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
    if op.dialogue:
        talk = Interview(resolved(talk), dice)
        found = follow_up(talk)
        if found is not None:
            return found
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
    job = words_of(talk.op.person.occupation)
    works = [s for s in talk.statements("about") if overlap(job, words_of(s.text)) > 0.3 and not KINDS.matches("dwells", s.text)]
    if not talk.op.person.statements:
        return talk.unknown("job_bare")
    told = works[:1] or [s for s in talk.statements("about") if not KINDS.matches("dwells", s.text)][:1]
    return talk.reply("job", [s.id for s in told], **({"statement": talk.mine(told)} if told else {}))


def _interests(talk: Interview) -> SpokenAnswer | None:
    if talk.others_named() or KINDS.matches("plan_time", talk.op.question):
        return None
    own = (*talk.statements("about"), *talk.statements("rhythm"))
    fond = [s for s in own if KINDS.matches("fond", s.text)]
    doing = [s for s in own if KINDS.matches("likes", s.text) and s not in fond and not KINDS.matches("dull", s.text)]
    return _from_statements(talk, "interests", [*fond[:2], *talk.statements("aim")[:1], *doing[:1]][:2])


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
        named = " ".join(s.text for s in told)
        known = (r for r in talk.evidence if r.tag == "acquaintance" and r.about and _is_mate(talk, r.about))
        others = [r for r in known if str(r.about) not in named]
        if others and at_home_with(talk) is None:
            names = join_names([str(r.about) for r in others])
            ids = [*(s.id for s in told), *(r.id for r in others)]
            return talk.reply("living_mates", ids, statement=talk.mine(told[:1]), names=names)
        return talk.reply("living", [s.id for s in told], statement=talk.mine(told))
    if not talk.op.person.statements:
        return talk.unknown("living_bare")
    return talk.reply("living_home", (), home=place_words(talk.op.person.home, talk.me))


def _is_mate(talk: Interview, name: str) -> bool:
    relation = talk.relation(name)
    return relation is not None and shares_home(relation)


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


# ---- the past


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
    return talk.reply("talked_with", [r.id for r in talks], list=join_names(people))


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
    """What moves one: a thought about oneself and the aim behind it; without thoughts, the aims alone."""
    if talk.others_named() or talk.unknown_name():
        return None
    asked = words_of(talk.op.question) - KINDS.idle()
    thoughts = [t for t in talk.topics if t.recollection is not None and t.recollection.kind == "reflection"]
    own = [t for t in talk.topics if t.statement is not None and t.statement.topic == "aim"]
    heavy = [t for t in talk.topics if t.role == "me" and t.recollection is not None and t.recollection.importance >= 6]

    def weight(topic: Topic) -> tuple[float, bool, bool, int]:
        r = topic.recollection
        passing = r is not None and (r.tag == "intention" or KINDS.matches("reports", r.text))
        others = any(name != talk.me for name in talk.people_in(topic.text))
        return -overlap(asked, words_of(topic.text)), passing, others, -(r.importance if r is not None else 0)

    pool = [*sorted(thoughts, key=weight), *sorted(own + heavy, key=weight)]
    pool.sort(key=lambda t: weight(t)[:3])
    if not pool:
        return talk.unknown("inspires_bare")
    first = pool[0]
    lasting = [t for t in pool if weight(t)[1:3] == (False, False)]
    aims = [t for t in (*own, *lasting) if t.id != first.id and overlap(words_of(t.text), words_of(first.text)) < 0.5]
    slots = {"about": first.sentence, "clause_about": first.clause}
    if not aims:
        return talk.reply("inspires", [first.id], **slots)
    return talk.reply("inspires_two", [first.id, aims[0].id], **slots, more=aims[0].sentence, clause_more=aims[0].clause)


def fact(talk: Interview) -> SpokenAnswer:
    """Something asked about the world: the record that has the question's words, or none."""
    unknown = talk.unknown_name()
    if unknown is not None and not talk.others_named():
        return talk.unknown("person_unknown", name=unknown)
    if not talk.topics:
        return talk.unknown("empty_mind")
    topic = talk.best()
    if topic is not None:
        return _told(talk, topic)
    return talk.unknown("fact_no_who" if KINDS.matches("asks_for", talk.op.question) else "fact_no")


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
    asks_for = KINDS.matches("asks_for", talk.op.question)
    if r is not None and r.heard_from and r.heard_from != talk.me:
        themselves = topic.subject == r.heard_from
        rule = "fact_overheard" if r.tag == "overheard" else "fact_themselves" if themselves else "fact_heard"
        return talk.reply(rule, [r.id], **slots, source=r.heard_from, first=first_name(r.heard_from), **_yes(asks_for))
    if topic.role == "me" and KINDS.matches("asks_who", talk.op.question):
        return talk.reply("fact_me", [topic.id], **slots)
    return talk.reply("fact_yes", [topic.id], **slots, **_yes(asks_for))


def _yes(asks_for: bool) -> dict[str, str]:
    """The slot that allows a "yes": not where a question asks who, what or when."""
    return {} if asks_for else {"yes": ANSWERS.raw("yes", {}, frozenset(), Dice(0, "", 0, "")) or ""}


_HANDLERS: tuple[tuple[str, Callable[[Interview], SpokenAnswer | None]], ...] = (
    ("reaction_burning", reactions.burning),
    ("reaction_occupied", reactions.occupied),
    ("reaction_empty", reactions.empty),
    ("reaction_friend", reactions.friend_passes),
    ("gift", for_somebody("gift")),
    ("book", for_somebody("book")),
    ("compliment", for_somebody("compliment")),
    ("company", company),
    ("usual", _usual),
    ("past", _past),
    ("talks", _talks),
    ("news", _news),
    ("interests", _interests),
    ("plan", planned),
    ("introduce", _introduce),
    ("job", _job),
    ("living", _living),
    ("who_is", who_is),
    ("inspires", _inspires),
    ("reaction", reactions.other),
)
"""Kinds of question in the order tried; a handler may pass a question on by answering None."""
