"""An interview question seen by the one asked: evidence as topics, who is named, how a sentence sounds in one's mouth.

Interview(op, dice)   .topics .evidence .statements(topic) .others_named() .unknown_name() .relation(name) .best()
                      .reply(rule, ids, ...) builds the answer
KINDS                 patterns of questions
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache, cached_property

from kernel import Dice
from language.offline.answer_sides import jointly, led, my_side, own_thought, pronoun_of, shortened
from language.offline.grammar import first_name, to_first_person
from language.offline.manner import character, job_words
from language.offline.reading_talk import overlap, words_of
from language.offline.realise import Phrases
from language.offline.topics import Topic, in_clause, spoken, topic_of
from language.operations import AnswerQuestion
from language.replies import SpokenAnswer
from language.values import Recollection, Relation, Statement
from language.wording.loader import OFFLINE

ANSWERS = Phrases("answers", "answer_interview", "answer_people", "answer_reactions")

ENOUGH = 0.6
"""A record answers a question about the world when it has this share of the question's content words."""

LONGEST = 1500
_ABOUT_PEOPLE = ("acquaintance", "talk", "memo", "told-of", "learned", "overheard", "insight", "identity")
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


class Interview:
    """One `AnswerQuestion` and the dice of its call."""

    def __init__(self, op: AnswerQuestion, dice: Dice) -> None:
        self.op, self.dice = op, dice
        self.me = op.person.name
        self.evidence = op.evidence
        self._tags = character(op.person)
        self._pronouns: dict[str, str] = {}

    @cached_property
    def topics(self) -> tuple[Topic, ...]:
        """Everything sayable, retrieved records first, then the persona's own statements."""
        found: dict[str, Topic] = {}
        own = (s for s in self.op.person.statements if s.topic != "speech")
        sources: tuple[Recollection | Statement, ...] = (*self.evidence, *own)
        for source in sources:
            source = self._from_my_side(source)
            topic = topic_of(source, self.me, self.op.person.pronoun, None) or self._whole(source)
            if topic is not None:
                found.setdefault(topic.id, topic)
        return tuple(found.values())

    @staticmethod
    def _whole(source: Recollection | Statement) -> Topic | None:
        """What one knows of an acquaintance is sayable in an interview whatever its length."""
        if isinstance(source, Statement) or source.tag != "acquaintance":
            return None
        return Topic(
            source.id, source.text, "third", "other", source.text, in_clause(source.text, (source.about or "",)), "", "", "",
            source.about, False, True, False, source, None,
        )  # fmt: skip

    def _from_my_side(self, source: Recollection | Statement) -> Recollection | Statement:
        """What one knows of an acquaintance from the start is written about both; a thought after a colon begins anew."""
        if isinstance(source, Statement):
            return source
        if source.tag == "acquaintance" and source.about is not None:
            turned = my_side(source.text, self.me, self.op.person.pronoun, source.about, self._called(source.about))
        else:
            head, colon, tail = source.text.partition(": ")
            turned = head + colon + to_first_person(tail, self.me, self.op.person.pronoun)
            if source.kind == "reflection" and source.about is None and not colon:
                turned = own_thought(source.text, self.me, self.op.person.pronoun)
        return source if turned == source.text else replace(source, text=turned)

    def _called(self, name: str) -> str:
        """he or she, for somebody else, as far as what may be read tells; "" when it doesn't."""
        if name not in self._pronouns:
            relation = self.relation(name)
            texts = (r.text for r in self.evidence if r.tag != "acquaintance" and self.me not in r.text)
            self._pronouns[name] = pronoun_of(name, relation.how if relation is not None else "", texts)
        return self._pronouns[name]

    def statements(self, topic: str) -> list[Statement]:
        """The persona's sentences of one section that may be read."""
        return [s for s in self.op.person.statements if s.topic == topic]

    def sentence(self, text: str, own: bool = False) -> str:
        """A third-person sentence in one's own mouth, with its full stop; `own`: from one's own persona."""
        if own and KINDS.matches("together", text):
            text = re.sub(r"\btheir\b", "our", re.sub(r"\bthey\b", "we", text))
        said = spoken(text, self.me, self.op.person.pronoun, None, own)
        if own:
            said = led(said, self.op.person.pronoun)
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
        """Known people whom the question names, in full or by first name, in the order of naming."""
        asked = self.op.question
        full = [n for n in self._names if n in asked and self._is_person(n)]
        if full:
            return sorted(full, key=asked.find)
        given = {m.group(0) for m in _NAME.finditer(asked)}
        if any(name != self.me for name in given if not self._sentence_start(name)):
            return []
        return [n for n in self._names if re.search(rf"\b{re.escape(first_name(n))}\b", asked) and self._is_person(n)]

    def _is_person(self, name: str) -> bool:
        return any(r.name == name for r in self.op.people) or any(
            (r.about == name and r.tag in _ABOUT_PEOPLE) or r.heard_from == name for r in self.evidence
        )

    def _sentence_start(self, name: str) -> bool:
        return self.op.question.startswith(name)

    def people_in(self, text: str) -> list[str]:
        """Known people a text names in full."""
        return [name for name in self._names if name in text and self._is_person(name)]

    def unknown_name(self) -> str | None:
        """A personal name in the question that nothing on record knows, if it reads like one."""
        asked = self.op.question
        known = " ".join((*self._names, self.me, *(r.text for r in self.evidence), *(s.text for s in self.op.person.statements)))
        if any(KINDS.matches(kind, asked) for kind in ("who_is", "gift", "book", "compliment", "said")):
            for match in _NAME.finditer(asked):
                name = match.group(0).removesuffix("'s")
                if self._sentence_start(name) and KINDS.matches("opening_word", name):
                    name = name.partition(" ")[2]
                if name and name not in known and not KINDS.matches("determined", asked[: match.start()]):
                    return name
            for match in _SINGLE.finditer(_NAME.sub("", asked)):
                if match.group(1) not in known and not KINDS.matches("determined", asked[: match.start()]):
                    return match.group(1)
        return None

    def brief(self, text: str, name: str) -> str:
        """A text on somebody whom the question names already: by first name."""
        return shortened(f"{name} {text}", [name, self.me]).removeprefix(f"{name} ")

    def relation(self, name: str) -> Relation | None:
        """What one has with somebody."""
        return next((relation for relation in self.op.people if relation.name == name), None)

    def how_words(self, relation: Relation) -> str:
        """ "a friend of mine", "my wife": the relation's word as one says it; "" for a stranger."""
        how = relation.how
        if not how or KINDS.matches("no_relation", how):
            return ""
        if how.split(" ")[0] in ("a", "an", "the", "my"):
            return how
        article = "an" if how[:1] in "aeiou" else "a"
        return (
            ANSWERS.raw("of_mine" if KINDS.matches("of_mine", how) else "my", {"how": how, "a": article}, frozenset(), self.dice)
            or how
        )

    # ---- the world

    def best(self) -> Topic | None:
        """The topic that has enough of the question's words, the best first; news before anything else."""
        asked = words_of(self.op.question) - KINDS.idle() - words_of(self.me)
        if not asked:
            return None
        scored = [(self._score(asked, t), n, t) for n, t in enumerate(self.topics)]
        top = [entry for entry in scored if entry[0] >= ENOUGH]
        return max(top, key=lambda entry: (entry[0] + self._bonus(entry[2]), -entry[1]))[2] if top else None

    @staticmethod
    def _bonus(topic: Topic) -> float:
        """News before anything else, and of news what its own host announces."""
        news = topic.news
        if news is None:
            return 0.0
        return 0.2 + 0.05 * (news.event is not None and news.about == news.event.host)

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
        said = ANSWERS.say(rule, {"me": self.me, "job": self.job(), **slots}, self._tags, self.dice)
        return shortened(jointly(said), [*self.people_in(said), self.me])[:LONGEST]
