"""Reading a line that a user has typed for a visitor: which act it is, and what in it states something.

    read_line(text, name, people, asked) -> Typed
    read_telling(text, people)              -> what an inner voice says to tell whom
    STATEMENTS                              how many statements of one line are taken up

The words stay as they are; nothing is added. Which model thinks for the residents doesn't matter: they hear the words. Patterns
are data (`wording/typed.yaml`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from language.offline.grammar import first_name
from language.wording.loader import SHARED, phrase

STATEMENTS = 3
LEAST_WORDS = 3
"""Words below which a sentence states nothing that could be passed on."""

TypedAct = Literal["greet", "introduce", "ask", "answer", "remark", "tell", "accept", "decline", "part"]

_SENTENCE = re.compile(r"[^.!?…]+[.!?…]*[\"'”’)]*")


@dataclass(frozen=True, slots=True)
class Stated:
    """A statement as it may be passed on: one sentence in the third person; `about` the resident it names first, if any."""

    text: str
    about: str | None


@dataclass(frozen=True, slots=True)
class Typed:
    """A line as an utterance. `named`: the speaker says their own name in it; `ends`: it is a leave-taking."""

    act: TypedAct
    statements: tuple[Stated, ...] = ()
    named: bool = False
    ends: bool = False


def read_line(text: str, name: str, people: Sequence[str], *, asked: str = "", called: str = "") -> Typed:
    """Reads a line said by `name`. `people` are the residents' full names, `asked` the act it answers ("" for none), and
    `called` what a third person would call the speaker (the name unless it hasn't been told)."""
    stated = tuple(_statements(text, name, called or name, people))[:STATEMENTS]
    named = _names_self(text, name)
    if _says("parting", text):
        return Typed("part", stated, named, ends=True)
    if asked in ("invite", "ask_help"):
        if _says("yes", text):
            return Typed("accept", stated, named)
        if _says("no", text):
            return Typed("decline", stated, named)
    if named:
        return Typed("introduce", stated, named)
    if "?" in text:
        return Typed("ask", stated)
    if asked in ("ask", "ask_why"):
        return Typed("answer", stated)
    if stated:
        return Typed("tell", stated)
    return Typed("greet" if _says("greeting", text) else "remark")


@dataclass(frozen=True, slots=True)
class Telling:
    """Something to be told: `to` a person (None: whoever), `text` the statement, `about` whom."""

    to: str | None
    text: str
    about: str | None


def read_telling(text: str, people: Sequence[str]) -> Telling | None:
    """ "Tell Ada that the well is dry" -> what to tell whom; None for what isn't such a directive. `people` in full."""
    found = _pattern("telling").search(text.strip())
    if found is None:
        return None
    what = next((value for key, value in found.groupdict().items() if key.startswith("what") and value), "")
    whom = next((value for key, value in found.groupdict().items() if key.startswith("to") and value), "")
    to = next((person for person in people if whom.casefold() in (person.casefold(), first_name(person).casefold())), None)
    if not what or (to is None and not _says("everybody", whom)):
        return None
    whole = _in_full(what.strip().rstrip(".!…"), people)
    about = next((person for person in people if person in whole), None)
    return Telling(to, f"{whole[:1].upper()}{whole[1:]}.", about)


def _statements(text: str, name: str, called: str, people: Sequence[str]) -> list[Stated]:
    found: list[Stated] = []
    for sentence in (match[0].strip() for match in _SENTENCE.finditer(text)):
        if "?" in sentence or len(sentence.split()) < LEAST_WORDS or _names_self(sentence, name):
            continue
        if any(_says(key, sentence) for key in ("between_us", "greeting", "parting", "no_statement")):
            continue
        whole = _in_full(sentence, people)
        about = next((person for person in people if person in whole), None)
        if _says("first_person", sentence):
            whole = phrase("visitor.said", speaker=called, text=sentence.rstrip(".!…"))
            about = about or called
        found.append(Stated(whole[:1].upper() + whole[1:], about))
    return found


def _in_full(sentence: str, people: Sequence[str]) -> str:
    """First names that only one resident has, in full: who hears it later needn't know whom it was about."""
    firsts = [first_name(person) for person in people]
    for person, first in zip(people, firsts, strict=True):
        if firsts.count(first) == 1 and person not in sentence:
            sentence = re.sub(rf"\b{re.escape(first)}\b", lambda _, whole=person: whole, sentence, count=1)  # type: ignore[misc]
    return sentence


def _names_self(text: str, name: str) -> bool:
    if _says("introduction", text):
        return True
    for form in (name, first_name(name)):
        for found in re.finditer(rf"\b{re.escape(form)}\b", text, re.IGNORECASE):
            if _says("own_name", text[: found.start()]):
                return True
    return False


def _says(key: str, text: str) -> bool:
    return _pattern(key).search(text) is not None


@cache
def _pattern(key: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in SHARED.variants(f"typed.{key}")), re.IGNORECASE)
