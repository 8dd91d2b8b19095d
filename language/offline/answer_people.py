"""Interview questions about people: who somebody is, what one would give or say to them, whom one likes to be with.

who_is(talk), for_somebody(kind)(talk), company(talk) -> SpokenAnswer | None
told_of(talk, name, most)     the most telling things on record about somebody, each thing once
feeling(talk, name)           what one has come to think of them: an insight before a memo
"""

from __future__ import annotations

import re
from collections.abc import Callable

from language.offline.answer_interview import KINDS, Interview
from language.offline.grammar import first_name
from language.offline.reading_talk import overlap, words_of
from language.offline.topics import Topic
from language.replies import SpokenAnswer
from language.values import Relation

SAME = 0.6
"""Two texts with this share of the shorter one's words in common say the same."""
MOST = 3
"""Things said of somebody."""
_RANK = {"acquaintance": 0, "insight": 1, "learned": 2, "overheard": 2, "memo": 3, "told-of": 3, "identity": 3}
_NOT_TOLD = ("talk", "voice", "promise", "refusal", "intention")


def _told_before(topic: Topic, others: list[Topic], name: str) -> bool:
    words = words_of(topic.text) - words_of(name)
    return any(
        overlap(min(words, other, key=len), max(words, other, key=len)) >= SAME
        for other in (words_of(o.text) - words_of(name) for o in others)
    )


def told_of(talk: Interview, name: str, most: int = MOST) -> list[Topic]:
    """Knowledge, insights, news, then memos; what was merely seen only where there is nothing else."""
    rank = {id(t): _RANK.get(t.recollection.tag if t.recollection else "identity", 9) for t in talk.topics}
    about = [t for t in talk.topics if _concerns(talk, t, name)]
    about.sort(key=lambda t: (rank[id(t)], t.role == "me"))
    found: list[Topic] = []
    for topic in about:
        if len(found) < most and not _told_before(topic, found, name) and (not found or rank[id(topic)] < 9):
            found.append(topic)
    return found


def _concerns(talk: Interview, topic: Topic, name: str) -> bool:
    """Whether a topic tells something of one person, rather than naming them among others."""
    r = topic.recollection
    if r is not None and (r.tag in _NOT_TOLD or r.kind == "plan"):
        return False
    others = [n for n in talk.people_in(topic.text) if n != name]
    if KINDS.matches("meeting", topic.text):
        return False
    if r is not None and KINDS.matches("reports", r.text) and not any(f"{mark} {name}" in r.text for mark in (":", " that")):
        return False  # reports of somebody else
    if topic.subject == name or (r is not None and r.about == name):
        return len(others) <= 1 or topic.subject == name
    return name in topic.text and not others and r is None


def feeling(talk: Interview, name: str) -> Topic | None:
    """The latest insight about somebody that is no news of theirs, else a memo; nothing sour."""
    found = [
        t
        for t in talk.topics
        if t.recollection is not None and t.recollection.about == name and t.recollection.news is None
        and first_name(name) in t.sentence
        and t.recollection.tag in ("insight", "memo") and not KINDS.matches("reports", t.recollection.text)
        and not KINDS.matches("sour", t.recollection.text) and not KINDS.matches("attending", t.recollection.text)
    ]  # fmt: skip
    found.sort(key=lambda t: (t.recollection is not None and t.recollection.tag != "insight", _age(t)))
    return found[0] if found else None


def _age(topic: Topic) -> float:
    return topic.recollection.hours_ago if topic.recollection is not None else 0.0


def who_is(talk: Interview) -> SpokenAnswer | None:
    """Who somebody is to one, and what one knows of them."""
    named = talk.others_named()
    if not named:
        unknown = talk.unknown_name()
        return None if unknown is None else talk.unknown("person_unknown", name=unknown)
    name = named[0]
    if len(words_of(talk.op.question) - words_of(name) - KINDS.idle()) >= 2:
        return None  # asks for something particular, not who somebody is
    topics = told_of(talk, name)
    relation = talk.relation(name)
    how = talk.how_words(relation) if relation is not None else ""
    if not topics:
        if relation is not None and relation.known and how and talk.evidence:
            return talk.reply("person_how", (), other=name, how=how)
        return talk.unknown("person_unknown", name=name)
    about = " ".join(t.sentence for t in topics)
    ids = [t.id for t in topics]
    if relation is not None and not relation.known:
        return talk.reply("person_heard", ids, other=name, about=about)
    slots = {"other": name, "about": about}
    if how and not _says_how(topics[0], relation):
        slots["how"] = how
    return talk.reply("person", ids, **slots)


def _says_how(topic: Topic, relation: Relation | None) -> bool:
    """Whether a topic already says what they are to each other ("is my wife")."""
    return relation is not None and re.search(rf"\b{re.escape(relation.how)}\b", topic.sentence) is not None


def for_somebody(kind: str) -> Callable[[Interview], SpokenAnswer | None]:
    """A book, a present or a compliment for somebody, from what they wish for or are like."""

    def reply(talk: Interview) -> SpokenAnswer | None:
        named = talk.others_named()
        if not named:
            unknown = talk.unknown_name()
            return talk.unknown("person_unknown", name=unknown) if unknown else _anybody(talk, kind)
        name = named[0]
        told = told_of(talk, name, most=6)
        wish = next((t for t in told if _is_wish(t, name)), None)
        like = next((t for t in told if t is not wish and t.role == "third"), None)
        topic = (like or wish) if kind == "compliment" else (wish or like)
        if topic is None:
            return talk.unknown("no_idea_for", other=name)
        slots = {"other": name, "first": first_name(name), "topic": talk.brief(topic.clause, name)}
        ids = [topic.id]
        if topic is wish and topic.form == "wanting":
            slots["do"] = talk.brief(topic.do, name)
        elif topic is wish and topic.form == "doing":
            slots["ing"] = talk.brief(topic.ing, name)
        rule = f"{kind}_{'do' if 'do' in slots else 'ing' if 'ing' in slots else 'topic'}"
        why = feeling(talk, name)
        if why is not None and not _told_before(why, [topic], name):
            return talk.reply(f"{rule}_why", [*ids, why.id], **slots, why=talk.brief(why.sentence, name))
        return talk.reply(rule, ids, **slots)

    return reply


def _is_wish(topic: Topic, name: str) -> bool:
    """Whether a topic is what somebody is at or hopes for, and not where they go."""
    if topic.subject != name or topic.form not in ("wanting", "doing"):
        return False
    return not KINDS.matches("attending", topic.ing or topic.do)


def _anybody(talk: Interview, kind: str) -> SpokenAnswer | None:
    """For nobody in particular: of oneself, or for whoever comes to mind first."""
    if kind == "compliment" and KINDS.matches("yourself", talk.op.question):
        own = [t for t in talk.topics if t.statement is not None and t.statement.topic == "about"]
        return talk.reply("compliment_self", [own[0].id], topic=own[0].clause) if own else talk.unknown("inspires_bare")
    for relation in sorted(talk.op.people, key=lambda r: (-r.closeness, r.name)):
        wish = next((t for t in told_of(talk, relation.name, 6) if t.form == "wanting" and t.subject == relation.name), None)
        if wish is not None:
            return talk.reply(f"{kind}_do", [wish.id], other=relation.name, first=first_name(relation.name), do=wish.do)
    return talk.unknown("company_bare")


def company(talk: Interview) -> SpokenAnswer | None:
    """Whom of those met one likes best, and why."""
    weights: dict[str, float] = {}
    for r in talk.evidence:
        if r.about and r.about != talk.me and r.tag in ("talk", "memo", "learned", "insight", "intention"):
            weights[r.about] = weights.get(r.about, 0.0) + 1 + 0.1 * r.importance
    met = {r.about for r in talk.evidence if r.tag == "talk"}
    for relation in talk.op.people:
        if relation.name in weights or (relation.known and not weights):
            weights[relation.name] = weights.get(relation.name, 0.0) + 6 * relation.closeness
    for name in sorted(weights, key=lambda n: (n not in met, -weights[n], n)):
        if not any(relation.name == name for relation in talk.op.people):
            continue  # no person
        why, told = feeling(talk, name), told_of(talk, name, most=2)
        topics = ([why] if why is not None else []) + [t for t in told if why is None or not _told_before(t, [why], name)]
        if topics:
            slots = {"other": name, "about": topics[0].sentence, "clause_about": topics[0].clause}
            if len(topics) > 1:
                return talk.reply("company_more", [t.id for t in topics[:2]], **slots, more=topics[1].sentence)
            return talk.reply("company", [topics[0].id], **slots)
    return talk.unknown("company_bare")


def friend(talk: Interview) -> SpokenAnswer:
    """Meeting a friend: somebody one is close to, and something to ask them about."""
    named = talk.others_named()
    known = [r for r in talk.op.people if r.known]
    close = sorted(known, key=lambda r: (not KINDS.matches("of_mine", r.how), -r.closeness, r.name))
    for name in named[:1] or [r.name for r in close]:
        told = [t for t in told_of(talk, name, most=6) if t.subject == name]
        topic = next((t for t in told if _is_wish(t, name)), None)
        if topic is not None and topic.ing:
            return talk.reply("friend_ing", [topic.id], other=first_name(name), ing=talk.brief(topic.ing, name))
        if told:
            return talk.reply("friend", [told[0].id], other=first_name(name), topic=talk.brief(told[0].clause, name))
    return talk.reply("friend_bare", ())
