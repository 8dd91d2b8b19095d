"""Taking up what was just said: a reaction to its very content, or a question about it.

reaction(talk, line)   -> Reply: what one thinks of it, asks about it, or has in common with it
taken_up(text)         -> slots for a thing or doing named in somebody's words about themselves
"""

from __future__ import annotations

import re

from language.offline.grammar import first_name, gerund
from language.offline.moves import Move, Reply, passing
from language.offline.reading_talk import NAME, echo, habit, overlap, pattern, says, turned, words_of
from language.offline.talk_context import Talk
from language.offline.topics import Topic, told_topic
from language.values import Line

CURIOUS = 0.4
"""How often one asks about what one was just told, rather than only saying something to it."""
IN_COMMON = 0.2
"""A matter of one's own is near to what was said from this share of its words on."""
LONGEST_QUOTE = 12
"""Words of a wish or doing that one repeats."""


def taken_up(text: str) -> dict[str, str]:
    """Slots for what is named in words in the first person, said back: np, that_np, ing, do; {} when nothing is."""
    found: dict[str, str] = {}
    for sentence in text.replace("!", ".").replace("?", ".").split(". "):
        plain = sentence.rstrip(".")
        wish, doing = pattern("wanting").search(plain), pattern("doing").search(plain)
        if wish is not None and len(wish.group("do").split()) <= LONGEST_QUOTE:
            found.setdefault("do", turned(wish.group("do")))
            found.setdefault("doing_want", gerund(turned(wish.group("do"))))
        elif doing is not None and len(doing.group("ing").split()) <= LONGEST_QUOTE and _says_something(doing.group("ing")):
            found.setdefault("ing", turned(doing.group("ing")))
    return {**found, **_thing(turned(text))}


def _says_something(ing: str) -> bool:
    """Whether a doing is worth repeating: more than a word or two, and nothing that anybody does all day."""
    return len(ing.split()) > 2 and not says("vague", ing) and not pattern("not_doing").match(ing)


def _thing(text: str) -> dict[str, str]:
    thing = echo(text)
    if not thing:
        return {}
    first, _, rest = thing.partition(" ")
    thing = f"{first.lower()} {rest}"
    first = first.lower()
    return {"np": thing, "that_np": f"that {rest}" if first in ("a", "an") else thing}


def _content(talk: Talk, line: Line) -> tuple[str, dict[str, str]]:
    """(whose matter: "own" or "third", slots) of what was told."""
    news = line.news[-1]
    topic = told_topic(news, talk.me.name, talk.me.pronoun, talk.other.name)
    slots: dict[str, str] = {}
    if topic is not None and len((topic.do or topic.ing).split()) <= LONGEST_QUOTE:
        if topic.form == "wanting":
            slots = {"do": topic.do, "doing_want": topic.ing}
        elif topic.form == "doing":
            slots = {"ing": topic.ing}
    own = news.about == talk.other.name
    if news.about and not own:
        slots["subject"] = first_name(news.about)
    return ("own" if own else "third"), {**slots, **_thing(topic.sentence if topic is not None else news.text)}


def reaction(talk: Talk, line: Line) -> Reply:
    """To something told: a question about it, something in common, or a word on it; surprise when there is no more."""
    if not line.news:
        return _without_news(talk, line)
    whose, slots = _content(talk, line)
    if talk.op.rounds_left > 1 and talk.asked() < 2 and talk.dice.chance(CURIOUS):
        asked = {k: v for k, v in slots.items() if "do" not in slots or k not in ("np", "that_np")}
        return Reply("", Move("ask", f"ask_back_{whose}", asked), closed=True)
    near = _in_common(talk, line)
    if near is not None and talk.dice.chance(0.5):
        words = talk.say("react_same", {"clause": near.clause, "sentence": near.sentence})
        return Reply(words, rests_on=(near.id,), passes_on=passing(near))
    if slots.keys() & {"do", "ing", "np"} and talk.dice.chance(0.85):
        return Reply(talk.say(f"react_{whose}", slots))
    if line.news and line.news[-1].about != talk.other.name:
        return Reply(talk.say("react_news"))
    return Reply(talk.say("react_news_own" if "do" in slots else "ack_tell"))


def _without_news(talk: Talk, line: Line) -> Reply:
    """To words that pass nothing on: after somebody they name, or a word of interest."""
    wish = says("wanting", line.text)
    name = next((n for n in re.findall(NAME, line.text) if not wish and n not in (talk.me.name, talk.other.name)), None)
    if name is not None and talk.asked() < 2 and talk.op.rounds_left > 1 and talk.dice.chance(CURIOUS):
        return Reply("", Move("ask", "ask_met", {"subject": first_name(name)}), closed=True)
    if name is not None:
        return Reply(talk.say("react_met", {"subject": first_name(name)}))
    return Reply(talk.say("react_news_own" if wish else "ack_tell"))


def _in_common(talk: Talk, line: Line) -> Topic | None:
    """A matter of one's own that has to do with what was said, not yet known to the other."""
    said = words_of(line.news[-1].text if line.news else line.text)
    for topic in talk.topics:
        if topic.role != "me" or topic.news is not None or talk.confidential(topic) or habit(topic.sentence):
            continue
        if len(topic.sentence.split()) > 18:
            continue
        if topic.recollection is not None and topic.recollection.kind != "observation":
            continue
        words = talk.matter(topic.text)
        if len(words & said) >= 2 and overlap(words, said) >= IN_COMMON and not talk.heard(topic) and not talk.touched(topic):
            return topic
    return None
