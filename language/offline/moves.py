"""A move: a planned dialogue act with the rule that words it and the ids it passes on and rests on."""

from __future__ import annotations

from dataclasses import dataclass, field

from language.offline.talk_context import Talk
from language.offline.topics import Topic, spoken
from language.replies import Meeting

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


def passing(topic: Topic) -> tuple[str, ...]:
    """What telling a matter passes on: its news, or the record itself unless it is a confidence or a private thought."""
    if topic.news is not None:
        return (topic.news.id,)
    thought = topic.recollection is not None and topic.recollection.kind == "reflection"
    return () if topic.sensitive or thought else (topic.id,)


def news_words(talk: Talk, text: str) -> str:
    """A news sentence as the speaker says it to the listener, content unchanged, with its full stop."""
    said = spoken(text, talk.me.name, talk.me.pronoun, talk.other.name)
    return said if said.endswith((".", "!", "?")) else said + "."
