"""What a turn is made of.

Move     a planned dialogue act with the rule that words it and the ids it passes on and rests on
Reply    what the last line asks for, before or instead of a move of one's own
passing, news_words, forms   what telling a matter passes on, and how it is put
"""

from __future__ import annotations

from dataclasses import dataclass, field

from language.offline.grammar import time_words
from language.offline.reading_talk import pattern
from language.offline.talk_context import Talk
from language.offline.topics import Topic, spoken
from language.replies import Meeting
from language.values import News

TIME_FORM = "%Y-%m-%d %H:%M"
"""How a meeting's start is written."""


@dataclass(frozen=True, slots=True)
class Move:
    """A planned act. `rule` words it; `event` is the id of the news whose event it is about."""

    act: str
    rule: str
    slots: dict[str, str] = field(default_factory=dict)
    passes_on: tuple[str, ...] = ()
    rests_on: tuple[str, ...] = ()
    event: str | None = None
    meeting: Meeting | None = None
    ends: bool = False
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply to the last line. `move` None: a mere preface (`text`) to a move of one's own."""

    text: str
    move: Move | None = None
    closed: bool = False
    rests_on: tuple[str, ...] = ()
    passes_on: tuple[str, ...] = ()


def passing(topic: Topic) -> tuple[str, ...]:
    """What telling a matter passes on: its news, or the record itself unless it is a confidence or a private thought."""
    if topic.news is not None:
        return (topic.news.id,)
    thought = topic.recollection is not None and topic.recollection.kind == "reflection"
    return () if topic.sensitive or thought else (topic.id,)


def news_words(talk: Talk, news: News) -> str:
    """A news sentence as the speaker says it to the listener, content unchanged, with its full stop.

    A date written out is said as one says it: "tomorrow at half past four".
    """
    event = news.event
    text = news.text if event is None else pattern("dated").sub(f" {time_words(event.start, talk.now)}", news.text, count=1)
    said = spoken(text, talk.me.name, talk.me.pronoun, talk.other.name)
    return said if said.endswith((".", "!", "?")) else said + "."


def forms(topic: Topic) -> dict[str, str]:
    """The slots a matter fills: sentence, clause, and the activity or wish if it has one."""
    slots = {"sentence": topic.sentence, "clause": topic.clause}
    if topic.ing:
        slots["ing"] = topic.ing
    if topic.do:
        slots["do"] = topic.do
    return slots
