"""What one turn is planned from: a `Say` operation seen from its speaker, with the questions planners ask of it.

Talk(op, dice)        lines so far, what is known and told, matters for talk, manner, slots for wording
.say(rule, slots)     words for a rule in the speaker's manner
.event_slots(event)   an event in words, from the speaker's point of view
.heard(topic)         whether the listener has it already
PHRASES               the rules of all talk files
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cached_property

from kernel import Dice
from language.offline.grammar import day_part, first_name, join_names, place_words, pronoun_forms, time_words
from language.offline.manner import at_home_with, at_work, job_slots, manner, sector
from language.offline.reading_talk import overlap, says, silent, words_of
from language.offline.realise import Phrases
from language.offline.topics import Topic, topic_of
from language.operations import Speak
from language.values import Commitment, Event, Line, News, Recollection, Relation, Statement

PHRASES = Phrases("talk", "talk_opening", "talk_asking", "talk_telling", "talk_inviting", "talk_replying", "talk_closing")

SAME = 0.7
"""Two texts that share this part of their content words say the same."""

TOUCHED = 0.4
"""From this part of its content words on a matter has come up."""

NO_MATTER = frozenset({"absence", "promise", "refusal", "talk", "memo", "thought", "day", "hour", "task", "voice", "meeting"})
"""Tags of records that are no matter for talk as such: the diary, or the memory of talking itself."""

FOND = frozenset({"couple", "family", "close", "friend"})

HURRY = timedelta(minutes=20)


class Talk:
    """One `Say` operation and the dice of its call."""

    def __init__(self, op: Speak, dice: Dice) -> None:
        self.op = op
        self.dice = dice
        self.me = op.person
        self.other: Relation = op.listeners[0]
        self.now: datetime = op.scene.now
        self.lines = op.lines
        self.mine = tuple(line for line in op.lines if line.speaker == self.me.name)
        self.last: Line | None = op.lines[-1] if op.lines and op.lines[-1].speaker != self.me.name else None
        if self.last is not None:
            for relation in op.listeners:
                if relation.name == self.last.speaker:
                    self.other = relation
        self.serving = at_work(self.me, op.scene)
        soon = any(self.now <= c.event.start <= self.now + HURRY and c.firm and not c.called_off for c in op.commitments)
        self.hurry = soon or op.rounds_left <= 2
        tags = manner(self.me, self.other, op.scene, serving=self.serving, hurry=self.hurry)
        extra = set()
        if self.other.talks >= 2:
            extra.add("regular")
        if self.other.hours_since is not None and self.other.hours_since < 14:
            extra.add("again")
        if self.other.talks == 0 and not tags & FOND:
            extra.add("first")
        if at_home_with(self.other) or tags & {"couple", "family"}:
            extra.add("household")
        if len(op.listeners) > 1:
            extra.add("group")
        if self.last is not None and "?" in self.last.text:
            extra.add("asked")
        activity = op.scene.activity.strip().rstrip(".")
        if activity and not says("vague", activity) and not silent().search(f"X is {activity}"):
            extra.add("engaged")
        self.activity = _own(activity, self.me.pronoun) if "engaged" in extra and len(activity.split()) <= 9 else ""
        self.tags = tags | extra

    # ---- who and where

    @cached_property
    def named(self) -> bool:
        """Whether the speaker knows the listener's name by now."""
        other = self.other
        return (
            other.known
            or other.name in self.op.stranger_names_known
            or any(line.speaker == other.name and line.act == "introduce" for line in self.lines)
        )

    @cached_property
    def names(self) -> tuple[str, ...]:
        """First names of all who take part."""
        return tuple(first_name(name) for name in (self.me.name, *(r.name for r in self.op.listeners)))

    @cached_property
    def slots(self) -> dict[str, str]:
        """The slots that any rule may use."""
        scene = self.op.scene
        found = {
            "me": self.me.name,
            "i": first_name(self.me.name),
            "place": place_words(scene.place, self.me.name),
            "part_now": day_part(self.now.hour * 60 + self.now.minute),
        }
        if self.named:
            found["you"] = first_name(self.other.name)
            if len(self.op.listeners) > 1 and self.last is None:
                found["you"] = join_names([first_name(r.name) for r in self.op.listeners if r.known] or [found["you"]])
        if self.activity:
            found["doing"] = self.activity
        found.update(job_slots(self.me.occupation))
        for commitment in sorted(self.op.commitments, key=lambda c: (c.event.start, c.id)):
            event = commitment.event
            if commitment.firm and not commitment.called_off and self.now < event.start <= self.now + timedelta(hours=3):
                found["next"] = event.name if self.is_meeting(event) else self.event_words(event)
                break
        return found

    def closeness(self) -> float:
        """-1 .. 1"""
        return self.other.closeness

    def asked(self) -> int:
        """How many questions of small talk the speaker has asked so far."""
        return sum(line.act == "ask" for line in self.mine)

    # ---- matters for talk

    @cached_property
    def recollections(self) -> dict[str, Recollection]:
        """All recollections given, by id."""
        return {r.id: r for r in (*self.op.topics, *self.op.shared)}

    @cached_property
    def topics(self) -> tuple[Topic, ...]:
        """Recollections and the speaker's own statements that are matters for talk, first things first."""
        me, you = self.me, self.other.name
        found: list[Topic] = []
        own = tuple(s for s in me.statements if s.topic != "speech")
        said = {s.id for s in me.statements}
        heard = (r for r in self.recollections.values() if r.tag not in NO_MATTER and r.kind != "plan" and r.id not in said)
        sources: tuple[Recollection | Statement, ...] = (*heard, *own)
        for source in sources:
            topic = topic_of(source, me.name, me.pronoun, you)
            if topic is not None:
                found.append(topic)
        return tuple(found)

    @cached_property
    def passed(self) -> frozenset[str]:
        """Ids of the news that went round in this conversation."""
        return frozenset(news.id for line in self.lines for news in line.news)

    @cached_property
    def _said(self) -> tuple[frozenset[str], ...]:
        return tuple(words_of(line.text) for line in self.lines)

    @cached_property
    def _shared(self) -> tuple[frozenset[str], ...]:
        return tuple(words_of(r.text) for r in self.op.shared)

    @cached_property
    def _all_said(self) -> frozenset[str]:
        return frozenset().union(*self._said)

    @cached_property
    def _all_shared(self) -> frozenset[str]:
        return frozenset().union(*self._shared)

    @cached_property
    def _names(self) -> frozenset[str]:
        return words_of(f"{self.me.name} {self.other.name}")

    def matter(self, text: str) -> frozenset[str]:
        """What a text is about: its content words without the names of the two who talk."""
        return words_of(text) - self._names

    def linked(self, text: str) -> float:
        """How much a text has to do with what was said last: the share of its words that were in it, 0..1."""
        return overlap(self.matter(text), self._said[-1]) if self.last is not None else 0.0

    def mixes(self, topic: Topic) -> bool:
        """Whether a sentence on somebody else says "his" or "her" of the speaker as well: not to be passed on as it stands."""
        forms = pronoun_forms(self.me.pronoun)
        return any(
            f" {forms[key]} " in f" {topic.text.lower().rstrip('.')} " for key in ("subject", "object", "possessive", "self")
        )

    def spoken_of(self, text: str) -> bool:
        """Whether this conversation has said so already, or has been about an event it names."""
        words = self.matter(text)
        if any(line.event is not None and words_of(line.event.name) <= words for line in self.lines):
            return True
        if overlap(words, self._all_said) < SAME:
            return False
        return any(overlap(words, said) >= SAME for said in self._said)

    def said_by_me(self, text: str) -> bool:
        """Whether all that a text is about was in the speaker's own last lines."""
        words = words_of(text)
        return any(words <= words_of(line.text) for line in self.mine[-2:])

    def touched(self, topic: Topic) -> bool:
        """Whether a matter has come up in this conversation, if only in part."""
        words = self.matter(topic.text)
        return any(overlap(words, said) >= TOUCHED for said in self._said[:-1])

    def heard(self, topic: Topic) -> bool:
        """Whether the listener has it already: told by me, told me, or said in this conversation."""
        name = self.other.name
        recollection = topic.recollection
        if topic.id in self.passed or (topic.news is not None and topic.news.id in self.passed):
            return True
        if recollection is not None and (name in recollection.told_to or recollection.heard_from == name):
            return True
        told = self.recollections.get(topic.id)
        if told is not None and name in told.told_to:
            return True
        if self.spoken_of(topic.text):
            return True
        if topic.news is None:
            words = self.matter(topic.text)
            if overlap(words, self._all_shared) < SAME:
                return False
            return any(r.id != topic.id and overlap(words, w) >= SAME for r, w in zip(self.op.shared, self._shared, strict=True))
        return False

    def confidential(self, topic: Topic) -> bool:
        """Whether it isn't to be said to this listener."""
        news = topic.news
        if news is not None and news.private and (self.closeness() < 0.6 or news.about == self.other.name):
            return True
        if topic.sensitive:
            concerned = self.other.name in topic.text and topic.role != "you"
            return concerned or topic.role == "you" or self.closeness() < 0.6
        return False

    def dislike_of(self, name: str | None) -> Recollection | None:
        """A recollection that shows the speaker dislikes somebody."""
        if name is None or name == self.me.name:
            return None
        for r in self.recollections.values():
            if name in r.text and says("negative", r.text) and r.text.startswith(first_name(self.me.name)):
                return r
        return None

    # ---- events

    def news_of(self, event: Event) -> News | None:
        """The fact that announces an event, as the speaker knows it or has just heard it."""
        for line in reversed(self.lines):
            for news in line.news:
                if news.event is not None and same_event(news.event, event):
                    return news
        for r in self.recollections.values():
            if r.news is not None and r.news.event is not None and same_event(r.news.event, event):
                return r.news
        return None

    def commitment_to(self, event: Event) -> Commitment | None:
        """What the diary has of an event."""
        return next((c for c in self.op.commitments if same_event(c.event, event)), None)

    def event_id(self, event: Event) -> str | None:
        """Id of the fact that announces an event; the diary's record when no fact is at hand."""
        news = self.news_of(event)
        if news is not None:
            return news.id
        commitment = self.commitment_to(event)
        return commitment.id if commitment is not None else None

    def event_words(self, event: Event) -> str:
        """ "my harvest supper", "your concert", "coffee with you"."""
        meeting = self.is_meeting(event)
        slots = {"evn": event.name if meeting else bare(event.name), "host": first_name(event.host)}
        kind = "meet" if meeting else "ev"
        whose = "mine" if event.host == self.me.name else "yours" if event.host == self.other.name else "theirs"
        return PHRASES.raw(f"{kind}_{whose}", slots, self.tags, self.dice) or slots["evn"]

    @staticmethod
    def is_meeting(event: Event) -> bool:
        """Whether it is a meeting of two rather than something announced to people."""
        name = event.name.lower()
        return any(str(a.parts[0][1]) in name for a in PHRASES.rules()["meeting_words"])

    def event_slots(self, event: Event) -> dict[str, str]:
        """Slots about an event: ev (whose), evn (its bare name), evplace, evtime, evday, evclock, host."""
        return {
            "ev": self.event_words(event),
            "evn": event.name if self.is_meeting(event) else bare(event.name),
            "a_evn": _article(bare(event.name)),
            "evplace": place_words(event.place, self.me.name),
            "evtime": time_words(event.start, self.now),
            "evday": time_words(event.start, self.now, exact=False),
            "host": first_name(event.host),
        }

    # ---- words

    def say(self, rule: str, slots: Mapping[str, str] | None = None) -> str:
        """Words for a rule, "" when nothing fits."""
        return PHRASES.say(rule, {**self.slots, **slots} if slots else self.slots, self.tags, self.dice)

    def sector(self) -> str:
        """Building or ground one stands in."""
        return sector(self.op.scene.place)


def bare(name: str) -> str:
    """An event's name without an article."""
    for article in ("the ", "The ", "a ", "A ", "an ", "An "):
        if name.startswith(article):
            return name[len(article) :]
    return name


def same_event(one: Event, two: Event) -> bool:
    """Events are the same when name, host and start agree."""
    return one.name == two.name and one.host == two.host and one.start == two.start


def _article(noun: str) -> str:
    return f"{'an' if noun[:1].lower() in 'aeio' else 'a'} {noun}"


def _own(activity: str, pronoun: str) -> str:
    possessive = pronoun_forms(pronoun)["possessive"]
    return activity.replace(f" {possessive} ", " my ")
