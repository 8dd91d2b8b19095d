"""An interview question seen by the one asked: evidence as topics, who is named, how a sentence sounds in one's mouth.

Interview(op, dice)   .topics .evidence .statements(topic) .others_named() .unknown_name() .matter_of(name) .best()
                      .reply(rule, ids, ...) builds the answer
KINDS                 patterns of questions
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache, cached_property

from kernel import Dice
from language.offline.grammar import first_name, pronoun_forms, to_first_person
from language.offline.manner import character, job_words
from language.offline.reading_talk import overlap, words_of
from language.offline.realise import Phrases
from language.offline.topics import Topic, in_clause, spoken, topic_of
from language.operations import AnswerQuestion
from language.replies import SpokenAnswer
from language.values import Recollection, Relation, Statement
from language.wording.loader import OFFLINE

ANSWERS = Phrases("answers", "answer_interview")

ENOUGH = 0.6
"""A record answers a question about the world when it has this share of the question's content words."""

LONGEST = 1500
_SENTENCES = re.compile(r"(?<=[.;!?])\s+")
_NAME = re.compile(r"\b[A-Z][\w'-]+(?: [A-Z][\w-]+)+")
_SINGLE = re.compile(r"(?<=[a-z,] )([A-Z][a-z]{2,})\b")


class _Kinds:
    """Patterns of questions, compiled when first needed."""

    @staticmethod
    @cache
    def pattern(kind: str) -> re.Pattern[str]:
        """The pattern of a kind."""
        return re.compile(str(OFFLINE.templates("answer_interview")["kinds"][kind]), re.IGNORECASE)

    def matches(self, kind: str, text: str) -> bool:
        """Whether `text` is of this kind."""
        return self.pattern(kind).search(text) is not None

    @staticmethod
    @cache
    def idle() -> frozenset[str]:
        """Stems of words a question asks with."""
        return words_of(OFFLINE.templates("answer_interview")["kinds"]["idle"])


KINDS = _Kinds()


def _has(text: str, pronoun: str) -> bool:
    """Whether a pronoun stands in a text in one of its forms."""
    forms = pronoun_forms(pronoun)
    return any(re.search(rf"\b{forms[key]}\b", text) for key in ("subject", "object", "possessive"))


class Interview:
    """One `AnswerQuestion` and the dice of its call."""

    def __init__(self, op: AnswerQuestion, dice: Dice) -> None:
        self.op, self.dice = op, dice
        self.me = op.person.name
        self.evidence = op.evidence
        self._tags = character(op.person)

    @cached_property
    def topics(self) -> tuple[Topic, ...]:
        """Everything sayable, retrieved records first, then the persona's own statements."""
        found: dict[str, Topic] = {}
        own = (s for s in self.op.person.statements if s.topic != "speech")
        sources: tuple[Recollection | Statement, ...] = (*self.evidence, *own)
        for source in sources:
            topic = topic_of(self._from_my_side(source), self.me, self.op.person.pronoun, None)
            if topic is not None:
                found.setdefault(topic.id, topic)
        return tuple(found.values())

    def _from_my_side(self, source: Recollection | Statement) -> Recollection | Statement:
        """What one knows of an acquaintance from the start is written from one's own side: "Dov Eller, her landlord, bows to
        her": where the other is a he, "her" is oneself."""
        mine, other = self.op.person.pronoun, {"she": "he", "he": "she"}.get(self.op.person.pronoun, "")
        if isinstance(source, Statement) or source.tag != "acquaintance" or source.about is None or not other:
            return source
        parts = _SENTENCES.split(source.text)
        turned = [
            to_first_person(f"{self.me}'s {part}", self.me, mine).removeprefix("My ")
            if part.startswith(source.about) and _has(part, other) and _has(part, mine)
            else part
            for part in parts
        ]
        return source if turned == parts else replace(source, text=" ".join(turned))

    def statements(self, topic: str) -> list[Statement]:
        """The persona's sentences of one section that may be read."""
        return [s for s in self.op.person.statements if s.topic == topic]

    def sentence(self, text: str, own: bool = False) -> str:
        """A third-person sentence in one's own mouth, with its full stop; `own`: from one's own persona."""
        said = spoken(text, self.me, self.op.person.pronoun, None, own)
        return said if said.endswith((".", "!", "?")) else said + "."

    def clause(self, text: str, own: bool = False) -> str:
        """The same, inside a sentence."""
        return in_clause(self.sentence(text, own))

    def mine(self, sources: Iterable[Statement | Recollection]) -> str:
        """Several sentences in one's own mouth."""
        return " ".join(self.sentence(s.text, isinstance(s, Statement)) for s in sources)

    def job(self) -> str:
        """The occupation with its article."""
        return job_words(self.op.person.occupation)

    # ---- people

    @cached_property
    def _names(self) -> tuple[str, ...]:
        names: dict[str, None] = {r.name: None for r in self.op.people}
        for r in self.evidence:
            if r.about and " " in r.about and ":" not in r.about:
                names.setdefault(r.about)
            if r.heard_from:
                names.setdefault(r.heard_from)
            for name in _NAME.findall(r.text):
                names.setdefault(name.removesuffix("'s"))
        names.pop(self.me, None)
        return tuple(names)

    def others_named(self) -> list[str]:
        """Known people whom the question names, in full or by first name."""
        asked = self.op.question
        full = [n for n in self._names if n in asked]
        if full:
            return full
        given = {m.group(0) for m in _NAME.finditer(asked)}
        if any(name != self.me for name in given if not self._sentence_start(name)):
            return []
        return [n for n in self._names if re.search(rf"\b{re.escape(first_name(n))}\b", asked) and self._is_person(n)]

    def _is_person(self, name: str) -> bool:
        return any(r.name == name for r in self.op.people) or any(r.about == name or r.heard_from == name for r in self.evidence)

    def _sentence_start(self, name: str) -> bool:
        return self.op.question.startswith(name)

    def unknown_name(self) -> str | None:
        """A personal name in the question that nothing on record knows, if it reads like one."""
        asked = self.op.question
        known = " ".join((*self._names, self.me, *(r.text for r in self.evidence), *(s.text for s in self.op.person.statements)))
        if KINDS.matches("who_is", asked) or KINDS.matches("gift", asked) or KINDS.matches("said", asked):
            for match in _NAME.finditer(asked):
                name = match.group(0).removesuffix("'s")
                if self._sentence_start(name):
                    name = name.partition(" ")[2]
                if name and name not in known:
                    return name
            for match in _SINGLE.finditer(asked):
                if match.group(1) not in known:
                    return match.group(1)
        return None

    def matters_of(self, name: str) -> list[Topic]:
        """What is on record about somebody, best first: knowledge, insights, news, then sightings."""
        rank = {"acquaintance": 0, "insight": 1, "learned": 1, "memo": 2, "identity": 2}
        found: dict[str, Topic] = {}
        for t in self.topics:
            r = t.recollection
            if r is None or r.tag in ("talk", "voice", "promise", "refusal"):
                continue
            if r.about == name or t.subject == name or (name in t.text and len(_SENTENCES.split(t.text)) == 1):
                found.setdefault(t.text, t)
        return sorted(found.values(), key=lambda t: (rank.get(t.recollection.tag if t.recollection else "", 3), t.role == "me"))

    def matter_of(self, name: str) -> Topic | None:
        """The most telling thing on record about somebody: what they want or do before anything else."""
        found = self.matters_of(name)
        active = [t for t in found if t.form in ("wanting", "doing") and t.subject == name]
        active.sort(key=lambda t: t.news is not None and t.news.event is not None)
        return next(iter(active or found), None)

    def relation_words(self, relation: Relation) -> str:
        """ "a friend": the relation's word with an article."""
        how = relation.how
        if how.split(" ")[0] in ("a", "an", "the", "my"):
            return how
        return ("an " if how[:1] in "aeio" else "a ") + how

    # ---- the world

    def best(self) -> Topic | None:
        """The topic that has enough of the question's words, the best first; news before anything else."""
        asked = words_of(self.op.question) - KINDS.idle() - words_of(self.me)
        if not asked:
            return None
        scored = [(self._score(asked, t), n, t) for n, t in enumerate(self.topics)]
        top = [entry for entry in scored if entry[0] >= ENOUGH]
        return max(top, key=lambda entry: (entry[0] + 0.2 * (entry[2].news is not None), -entry[1]))[2] if top else None

    @staticmethod
    def _score(asked: frozenset[str], topic: Topic) -> float:
        words = words_of(topic.text)
        news = topic.news
        if news is not None and news.event is not None:
            words |= words_of(f"{news.event.name} {news.event.host} {news.event.place}")
        return overlap(asked, words)

    # ---- words

    def reply(self, rule: str, ids: Sequence[str], /, **slots: str) -> SpokenAnswer:
        """An answer worded by a rule, with the records it rests on."""
        return SpokenAnswer(text=self._say(rule, slots), rests_on=list(dict.fromkeys(ids))[:30])

    def unknown(self, rule: str, /, **slots: str) -> SpokenAnswer:
        """Not to know, in words."""
        return SpokenAnswer(text=self._say(rule, slots), rests_on=[], knows=False)

    def _say(self, rule: str, slots: dict[str, str]) -> str:
        return ANSWERS.say(rule, {"me": self.me, "job": self.job(), **slots}, self._tags, self.dice)[:LONGEST]
