"""Topics: what a recollection is about, turned to the person who says it and the one who hears it.

    topic_of(recollection, me, pronoun, you)   -> Topic, or None when it is no matter for talk
    spoken(text, me, pronoun, you)             -> a third-person sentence as `me` says it to `you`

What it reads texts with is in `reading_talk`.

Everything here is a cached pure function of texts: a talker reads the same memories again and again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, NamedTuple

from language.offline.grammar import (
    gerund,
    gerund_to_base,
    is_about,
    pronoun_forms,
    third_to_base,
    to_first_person,
    to_second_person,
)
from language.offline.reading_talk import NAME, data, listed, pattern, silent
from language.values import News, Recollection, Statement

_SPLIT = re.compile(r"(?<=[.!?;])\s+")
_HE = re.compile(r"\b(he|him|his|himself)\b", re.IGNORECASE)
_SHE = re.compile(r"\b(she|her|hers|herself)\b", re.IGNORECASE)
_CLAUSE = re.compile(r"(?:\b(?:that|how|whether|because|when)|[:;,]) (?=[A-Z][\w-]+ [A-Z][\w-]+)")
_BEFORE_VERB = re.compile(r"\b(that|how|whether|if|who|which|what|because|when)\b|[:;]")
_AT = re.compile(r" at (?:the )?[A-Za-z][^,;]*$")
_AND_ONE = re.compile(r", (?:and|but) (?:I|you|he|she|they|it|we)\b.*$")
_THEIRS = re.compile(r"\b(?:people|everyone|everybody|children|those|others|[a-z]{2,}[^s'’\W]s)\b[^.]*?\btheir\b")
LONGEST = 24
"""A clause of more words isn't said."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A matter for talk.

    id        of the recollection or statement it comes from        recollection  None for a statement
    role      whose matter: "me", "you" or "third"                    subject  the third person's full name, if any
    form      "doing", "wanting", "being" or "other"
    sentence  as I say it to you, with its full stop                  clause  the same inside a sentence, without
    ing, do   the activity or wish as "-ing" / base phrase ("" if none), turned to me and you
    """

    id: str
    text: str
    role: str
    form: str
    sentence: str
    clause: str
    ing: str
    do: str
    np: str
    subject: str | None
    sensitive: bool
    present: bool
    project: bool
    recollection: Recollection | None = None
    statement: Statement | None = None

    @property
    def news(self) -> News | None:
        """The fact it carries."""
        return self.recollection.news if self.recollection is not None else None


def pronoun_in(text: str) -> str:
    """he, she or they: what a sentence calls its subject."""
    he, she = _HE.search(text), _SHE.search(text)
    if he and (not she or he.start() < she.start()):
        return "he"
    return "she" if she else "they"


def spoken(text: str, me: str, pronoun: str, you: str | None, own: bool = False) -> str:
    """A sentence in the third person as `me` says it to `you`: I, you, full names for all others. Content unchanged.

    `own`: it is from one's own persona, so that "At noon she ..." is about oneself.
    """
    return _spoken(text, me, pronoun, _if_named(you, text), own)


def _if_named(you: str | None, text: str) -> str | None:
    """The listener, if the text names them: what doesn't is said to everybody in the same words (and found in the cache)."""
    return you if you is not None and you.split(" ", 1)[0] in text else None


@lru_cache(maxsize=16384)
def _spoken(text: str, me: str, pronoun: str, you: str | None, own: bool) -> str:
    said: list[str] = []
    for part in _SPLIT.split(text.strip()):
        late = _late_subject(part, me, pronoun) if own else None
        whose = str(pronoun_forms(pronoun)["possessive"]).capitalize() + " "
        if own and part.startswith(whose):
            said.append(to_first_person(f"{me}'s {part.removeprefix(whose)}", me, pronoun))
            continue
        if late is not None:
            lead, rest = late
            turned = to_first_person(f"{me} {rest}", me, pronoun)
            turned = lead + (_mention(turned, you, "you", "your") if you else turned)
        elif is_about(part, me):
            head, tail = _of_another(part, me)
            turned = to_first_person(head, me, pronoun) + _mention(tail, me, "me", "my")
            if you:
                turned = _mention(turned, you, "you", "your")
        elif you and is_about(part, you):
            turned = _mention(_to_you(part, you), me, "me", "my")
        else:
            turned = _mention(_of_me(part, me, pronoun) if own else part, me, "me", "my")
            if you:
                turned = _mention(turned, you, "you", "your")
        said.append(turned)
    return _contract(" ".join(said))


def _to_you(part: str, you: str) -> str:
    """A sentence on the listener said to them; "their" after a plural is somebody else's ("the tunes people got from ...")."""
    masked = _THEIRS.sub(lambda m: m.group(0).replace("their", "th\u00b7ir"), part)
    return to_second_person(masked, you, pronoun_in(part)).replace("th\u00b7ir", "their")


def _of_me(part: str, me: str, pronoun: str) -> str:
    """A sentence of one's own persona with another subject: "An aunt left her a loom" -> "An aunt left me a loom"."""
    return to_first_person(f"{me}'s {part}", me, pronoun).removeprefix("My ")


def _of_another(text: str, me: str) -> tuple[str, str]:
    """A sentence split where somebody else's doings begin ("... that Sam Lee wants ..."): pronouns there aren't one's own."""
    for found in _CLAUSE.finditer(text):
        if not text.startswith(me, found.end()):
            return text[: found.end()], text[found.end() :]
    return text, ""


def _late_subject(text: str, me: str, pronoun: str) -> tuple[str, str] | None:
    """ "At noon she eats" -> ("At noon ", "eats"), for a sentence whose subject comes after a few words."""
    subject = pronoun_forms(pronoun)["subject"]
    names = "|".join((subject, re.escape(me), re.escape(me.split()[0])))
    found = re.match(rf"^(?P<lead>(?!(?:{names})\b)[^.]{{1,60}}?\s|)(?:{names}) ", text, re.IGNORECASE)
    if found is None or (not found.group("lead") and is_about(text, me)):
        return None
    return found.group("lead"), text[found.end() :]


def _mention(text: str, name: str, word: str, possessive: str) -> str:
    if name.split(" ")[0] not in text:
        return text
    named = _named(name)
    subject, form = ("I", 0) if word == "me" else ("you", 1)
    text = named.possessive.sub(possessive, text)
    text = named.agreeing.sub(lambda found: f"{subject} {_agreement()[found['verb']][form]}", text)
    text = named.clause.sub(lambda found: _as_subject(found, subject), text)
    text = named.object.sub(rf"\1 {word}", text)
    return named.alone.sub(word, text)


class _Named(NamedTuple):
    """Where a person is named in a text, and as what."""

    possessive: re.Pattern[str]
    agreeing: re.Pattern[str]
    clause: re.Pattern[str]
    object: re.Pattern[str]
    alone: re.Pattern[str]


@lru_cache(maxsize=4096)
def _named(name: str) -> _Named:
    """Compiled once for each person: more patterns than `re` keeps by itself."""
    whole, given = re.escape(name), re.escape(name.split(" ")[0])
    either = f"(?:{whole}|{given})"
    return _Named(
        possessive=re.compile(rf"\b{either}['’]s?\b"),
        agreeing=re.compile(rf"\b{either} (?P<verb>{'|'.join(_agreement())})\b"),
        clause=re.compile(rf"(?P<head>\b(?:and|but|so|because|that|while|when)) {either} (?P<verb>[a-z]+)\b"),
        object=re.compile(rf"\b(with|to|for|of|and|at|by|from|about) {given}\b(?!['’]|[ ][A-Z])"),
        alone=re.compile(rf"\b{whole}\b(?!['’ ][A-Z])"),
    )


def _as_subject(found: re.Match[str], subject: str) -> str:
    """ "and Ada avoids" -> "and I avoid"; a name that no third person follows is left alone."""
    base = third_to_base(found["verb"])
    return found[0] if base == found["verb"] else f"{found['head']} {subject} {base}"


@cache
def _agreement() -> dict[str, tuple[str, str]]:
    """Verb after a name -> its forms after "I" and "you"."""
    return {third: (first, second) for third, first, second in data()["agreement"]}


def _contract(text: str) -> str:
    for long, short in _contractions():
        text = text.replace(long, short)
    return text


@cache
def _contractions() -> tuple[tuple[str, str], ...]:
    return tuple((long, short) for long, short in data()["contractions"])


def in_clause(text: str, names: tuple[str, ...] = ()) -> str:
    """A sentence as it goes on after other words: no full stop, no capital unless it starts with "I" or a name."""
    text = text.strip().rstrip(".!")
    first = text.split(" ", 1)[0]
    if first in ("I", "I'm", "I've", "I'd", "I'll") or re.match(NAME, text) or any(text.startswith(n) for n in names):
        return text
    return text[:1].lower() + text[1:]


@lru_cache(maxsize=16384)
def _analysed(text: str, me: str, pronoun: str, you: str | None, own: bool, news: bool) -> tuple[Any, ...] | None:
    body = text.strip()
    for head in listed("heads"):
        found = head.match(body)
        if found:
            body = found.group("body")
            break
    if not news and silent().search(body):
        return None
    subject_first = [part for part in _SPLIT.split(body) if is_about(part, me) or (you and is_about(part, you))]
    if len(body.split()) > LONGEST:
        short = [part for part in (subject_first or _SPLIT.split(body)) if len(part.split()) <= LONGEST]
        if not short:
            return None
        body = max(short, key=lambda part: bool(pattern("project").search(part)))
    said = spoken(body, me, pronoun, you, own)
    role = "third"
    subject = None
    if own or is_about(body, me):
        role = "me"
    elif you and is_about(body, you):
        role = "you"
    else:
        name = re.match(NAME, body)
        subject = name.group(0).removesuffix("'s") if name else None
    form, ing, do, np = "other", "", "", ""
    plain = said.rstrip(".!")
    wanting = _main(pattern("wanting"), plain)
    doing = _main(pattern("doing"), plain)
    being = pattern("being").match(plain) if ("." not in plain) else None
    if wanting and (not doing or wanting.start() <= doing.start()):
        form, (do, ing) = "wanting", _wish(pattern("and_state").sub("", _AND_ONE.sub("", wanting.group("do"))))
    elif doing and " " in doing.group("ing") and not pattern("not_doing").match(doing.group("ing")):
        form, ing = "doing", _AND_ONE.sub("", doing.group("ing"))
    elif being:
        form, np = "being", being.group("np")
    present = not re.search(r"\b(was|were|had|did|didn't)\b", plain)
    names = (subject,) if subject else ()
    ended = said if said.endswith((".", "!", "?")) else said + "."
    return (
        body, role, form, ended, in_clause(said, names), ing, do, np, subject,
        bool(pattern("sensitive").search(body)), present, bool(pattern("project").search(ing or do)),
    )  # fmt: skip


def _wish(do: str) -> tuple[str, str]:
    """A wish as base phrase and -ing phrase; time wanted for something is a wish for that thing."""
    found = pattern("time_for").match(do)
    if found is None:
        return do, gerund(do)
    if found.group("ing"):
        return gerund_to_base(found.group("ing")), found.group("ing")
    return found.group("do"), gerund(found.group("do"))


def _main(verb: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The match in the main clause of a single sentence: what somebody else wants in a subclause isn't one's own wish."""
    found = verb.search(text) if "." not in text else None
    return None if found is None or _BEFORE_VERB.search(text[: found.start()]) else found


def without_place(phrase: str) -> str:
    """ "reading at the library" -> "reading": where it was seen, at the end of an observation."""
    return _AT.sub("", phrase) or phrase


def topic_of(source: Recollection | Statement, me: str, pronoun: str, you: str | None) -> Topic | None:
    """The topic in a recollection or a statement, None when it is no matter for talk."""
    news = source.news if isinstance(source, Recollection) else None
    text = source.text if news is None else news.text
    found = _analysed(text, me, pronoun, _if_named(you, text), isinstance(source, Statement), news is not None)
    if found is None:
        return None
    body, role, form, sentence, clause, ing, do, np, subject, sensitive, present, project = found
    recollection = source if isinstance(source, Recollection) else None
    statement = None if recollection is not None else source
    return Topic(
        source.id, body, role, form, sentence, clause, ing, do, np, subject, sensitive, present, project,
        recollection, statement,  # type: ignore[arg-type]
    )  # fmt: skip


def told_topic(news: News, me: str, pronoun: str, you: str) -> Topic | None:
    """The topic in news just heard, as `me` would speak of it to `you`."""
    return topic_of(Recollection(news.id, news.text, "conversation", 0.0, 5, news.about, news), me, pronoun, you)
