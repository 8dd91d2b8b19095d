"""Names and grammatical persons.

Parts: names (`first_name`, `possessive`, `join_names`), `pronoun_forms`, `is_about`; `named`; a sentence about somebody turned
into what they say of themselves or are told (`to_first_person`, `to_second_person`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from language.offline.grammar_verbs import inflect_all, tables, third_to_base
from language.wording.loader import templates


def first_name(full: str) -> str:
    """ "Una Voss" -> "Una"."""
    return full.split(" ", 1)[0]


def possessive(name: str) -> str:
    """ "Bo" -> "Bo's", "the Lins" -> "the Lins'"."""
    return name + ("'" if name.endswith("s") and name.startswith(("the ", "The ")) else "'s")


def join_names(names: Sequence[str]) -> str:
    """["A", "B", "C"] -> "A, B and C"; an empty list -> ""."""
    words = templates("lexicon_grammar")["joining"]
    if len(names) < 2:
        return "".join(names)
    joined: str = words["comma"].join(names[:-1]) + words["and"] + names[-1]
    return joined


def pronoun_forms(pronoun: str) -> dict[str, Any]:
    """Forms of he, she or they: subject, object, possessive, own, self, be ("is"/"are"), plural (bool)."""
    forms: dict[str, dict[str, Any]] = templates("lexicon_grammar")["pronouns"]
    return forms.get(pronoun, forms["they"])


def named(text: str, name: str, pronoun: str) -> str:
    """A sentence that starts with a pronoun for `name`, with the name instead: "She bakes." -> "Una Voss bakes."."""
    forms = pronoun_forms(pronoun)
    subject, whose = str(forms["subject"]), str(forms["possessive"])
    for word, full in ((subject, name), (whose, possessive(name))):
        if text.startswith(f"{word.capitalize()} ") and not (forms["plural"] and word == forms["subject"]):
            return f"{full} {text[len(word) + 1 :]}"
    return text


def is_about(text: str, name: str) -> bool:
    """Whether `name` (in full, or the first name) is the subject the text starts with."""
    return _subject(text, name) is not None


def to_first_person(text: str, name: str, pronoun: str) -> str:
    """A sentence whose subject is `name` (or its first name), said by themselves; any other text comes back unchanged.

    "Una Voss is painting a sign at her cafe" -> "I am painting a sign at my cafe".
    """
    return _to_person(text, name, pronoun, "first")


def to_second_person(text: str, name: str, pronoun: str) -> str:
    """A sentence whose subject is `name`, said to them: "Bo is writing his paper" -> "You are writing your paper"."""
    return _to_person(text, name, pronoun, "second")


def _subject(text: str, name: str) -> str | None:
    for form in (name, first_name(name)):
        if not text.startswith(form):
            continue
        rest = text[len(form) :]
        if rest[:1] not in (" ", "'", "’") or rest.startswith(" and "):
            continue
        if form != name and rest[1:2].isupper() and rest[0] == " ":
            continue  # another person with this first name
        return form
    return None


def _pattern(name: str, forms: dict[str, Any]) -> re.Pattern[str]:
    return _naming(name, "|".join(forms[key] for key in ("subject", "object", "possessive", "own", "self")))


@lru_cache(maxsize=4096)
def _naming(name: str, pronouns: str) -> re.Pattern[str]:
    """Compiled once for each person: more patterns than `re` keeps by itself."""
    names = "|".join((re.escape(name), re.escape(first_name(name))))
    return re.compile(
        rf"\b(?P<name>{names})\b(?P<genitive>['’]s?)?|\b(?P<word>(?i:{pronouns}))\b(?P<clitic>['’](?:s|re|ll|d|ve)\b)?"
    )


@lru_cache(maxsize=4096)
def _to_person(text: str, name: str, pronoun: str, person: str) -> str:
    subject = _subject(text, name)
    if subject is None:
        return text
    words = templates("lexicon_grammar")["persons"][person]
    forms = pronoun_forms(pronoun)
    rest = text[len(subject) :]
    if rest[:1] == " ":
        rest = " " + inflect_all(rest[1:], lambda verb: _agreeing(verb, words, singular=True))
        head = words["subject"]
    else:  # "Una's cafe is open"
        head, rest = words["possessive"], rest.removeprefix("'s").removeprefix("’s").removeprefix("'")
    result: str = head + _pronouns(rest, name, words, forms)
    return result[:1].upper() + result[1:]


def _pronouns(text: str, name: str, words: dict[str, str], forms: dict[str, Any]) -> str:
    out: list[str] = []
    at = 0
    for found in _pattern(name, forms).finditer(text):
        if found.start() < at:
            continue
        out.append(text[at : found.start()])
        at = found.end()
        if found["name"]:
            out.append(words["possessive"] if found["genitive"] else words["name"])
            continue
        out.append(_pronoun(found["word"], text[at:], words, forms))
        if found["word"].lower() != forms["subject"]:
            out.append(found["clitic"] or "")
        elif found["clitic"]:
            out.append(words["clitic"] if found["clitic"][1:] in ("s", "re") else found["clitic"])
        else:
            verb = re.match(r"(\s+)([^.;:!?]+)", text[at:])
            if verb:
                agreed = inflect_all(verb[2], lambda word: _agreeing(word, words, singular=not forms["plural"]))
                out.append(verb[1] + _pronouns(agreed, name, words, forms))
                at += verb.end()
    out.append(text[at:])
    return "".join(out)


def _pronoun(word: str, tail: str, words: dict[str, str], forms: dict[str, Any]) -> str:
    low = word.lower()
    if low == forms["subject"]:
        new = words["subject"]
    elif low == forms["self"]:
        new = words["self"]
    elif low == forms["possessive"] and low in (forms["object"], forms["own"]):
        following = re.match(r"\s+([A-Za-z'’-]+)", tail)
        noun = following is not None and following[1].lower() not in tables().not_nouns
        new = words["possessive"] if noun else words["object" if low == forms["object"] else "own"]
    elif low == forms["possessive"]:
        new = words["possessive"]
    else:
        new = words["own" if low == forms["own"] else "object"]
    return new if new == "I" or not word[:1].isupper() else new[:1].upper() + new[1:]


def _agreeing(verb: str, words: dict[str, str], *, singular: bool) -> str:
    low = verb.lower().replace("’", "'")
    special: dict[str, str] = templates("lexicon_grammar")["agreement"]
    if low in special:
        return words[special[low]]
    if not singular or low in tables().modals:
        return verb
    return third_to_base(verb)
