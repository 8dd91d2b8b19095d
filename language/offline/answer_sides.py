"""What one knows of an acquaintance, written about both in the third person, in one's own mouth.

    my_side(text, me, mine, other, theirs)   "Dov Eller bows to her, and Ada bows back" -> "Dov Eller bows to me, and I bow back"
    own_thought(text, me, mine)              the same for a thought of one's own that doesn't begin with oneself
    pronoun_of(name, how, texts)             he, she or "" for somebody, as far as texts and the relation tell
    shortened(text, names)                   everybody by full name once, by first name after that

Where the two are called by different pronouns, every one of one's own is oneself. Where they are called by the same, only
what grammar decides is turned: an object in a clause about the other isn't the other, hence oneself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any

from language.offline.grammar import first_name, pronoun_forms, third_to_base, to_first_person
from language.wording.loader import OFFLINE

_SENTENCES = re.compile(r"(?<=[.;!?])\s+")
_MASK = "\u00b7"
_WORDS = re.compile(r"[a-z]+")


@cache
def _data() -> dict[str, Any]:
    found: dict[str, Any] = OFFLINE.templates("answer_people")["sides"]
    return found


@cache
def _pattern(key: str) -> re.Pattern[str]:
    return re.compile(str(_data()[key]))


def pronoun_of(name: str, how: str, texts: Iterable[str]) -> str:
    """ "he" or "she" as the relation's word or a sentence about them tells, "" when nothing does."""
    for pronoun, words in _data()["called"].items():
        if set(_WORDS.findall(how.lower())) & set(words):
            return str(pronoun)
    for text in texts:
        if text.startswith(f"{name} "):
            found = {pronoun for pronoun in ("he", "she") if _has(text, pronoun)}
            if len(found) == 1:
                return found.pop()
    return ""


def _has(text: str, pronoun: str) -> bool:
    forms = pronoun_forms(pronoun)
    return any(re.search(rf"\b{forms[key]}\b", text, re.IGNORECASE) for key in ("subject", "object", "possessive"))


@lru_cache(maxsize=4096)
def my_side(text: str, me: str, mine: str, other: str, theirs: str) -> str:
    """The text from the side of `me` (called `mine`) on `other` (called `theirs`, "" unknown)."""
    opposite = {"she": "he", "he": "she"}.get(mine, "")
    apart = bool(opposite) and (theirs == opposite or (not theirs and _has(text, opposite)))
    turned = _apart if apart else _alike
    parts = _SENTENCES.split(text)
    return " ".join(_agreed(_ours(turned(part, me, mine, other), part)) for part in parts)


def own_thought(text: str, me: str, mine: str) -> str:
    """A thought of one's own that names oneself after other words: "Baking is what Ada cares about" -> "... I care about"."""
    return text if text.startswith(me) or me not in text else _agreed(_apart(text, me, mine, ""))


def jointly(text: str) -> str:
    """What belongs to two, put as people say it."""
    found, said = _data()["joint"]
    return re.sub(found, said, text)


def led(text: str, mine: str) -> str:
    """The possessive in the words before "I": "Since his wife died I let a room" -> "Since my wife died I let a room"."""
    lead, subject, rest = text.partition(" I ")
    own = str(pronoun_forms(mine)["possessive"])
    return re.sub(rf"\b{own}\b", "my", lead) + subject + rest if subject and "." not in lead else text


def _apart(part: str, me: str, mine: str, other: str) -> str:
    """Both are told apart by their pronouns: all of one's own are oneself."""
    text = _unnamed(part, me, mine)
    subject = str(pronoun_forms(mine)["subject"])
    if re.match(rf"{subject}\b", text, re.IGNORECASE):
        return to_first_person(f"{me}{text[len(subject) :]}", me, mine)
    turned = to_first_person(f"{me}'s {text}", me, mine).removeprefix("My ")
    return _pattern("given").sub(r"\1 me ", _pattern("not_owned").sub("me ", turned))


def _unnamed(part: str, me: str, mine: str) -> str:
    """One's own name as the pronoun it stands for."""
    forms = pronoun_forms(mine)

    def word(found: re.Match[str]) -> str:
        if found["genitive"]:
            return str(forms["possessive"])
        subject = _is_subject(part, found.start(), found.end())
        return str(forms["subject" if subject else "object"])

    return _name(me).sub(word, part)


def _alike(part: str, me: str, mine: str, other: str) -> str:
    """Both are called alike: clause by clause, by whose clause it is."""
    forms = pronoun_forms(mine)
    object_, possessive = str(forms["object"]), str(forms["possessive"])
    part = part.replace(f"{other} and {forms['subject']} ", f"{other} and I ", 1)
    about_me, whose = False, ""
    said: list[str] = []
    for clause in _pattern("clause").split(part):
        name = _name(me).match(clause)
        if _pattern("clause").fullmatch(clause):
            whose = clause.strip()
            said.append(clause)
        elif name is not None and not name["genitive"] and _is_subject(clause, 0, name.end()):
            about_me = whose not in _data()["relative"]  # "whatever I break, and is paid": the other goes on
            said.append(_as_mine(clause[name.end() :].strip(), me, mine, whose))
        elif (
            about_me
            and whose not in _data()["relative"]
            and _pattern("verb_first").match(clause)
            and not clause.startswith(first_name(other))
        ):
            said.append(_as_mine(clause, me, mine, whose).removeprefix("I "))
        else:
            about_me = about_me and first_name(other) not in clause
            text = _name(me).sub(lambda m: "my" if m["genitive"] else "me", clause)
            if not about_me:
                text = re.sub(rf"\b{object_}\b(?P<next> [\w']+)?", lambda m: _object(m, object_ == possessive), text)
            said.append(text)
    return "".join(said)


def _as_mine(predicate: str, me: str, mine: str, whose: str) -> str:
    """What follows one's name, said of oneself: its pronouns are the other's, but for what one does for "whom"."""
    forms = pronoun_forms(mine)
    words = [str(forms[key]) for key in ("subject", "object", "possessive")]
    kept = words[:2] if whose in _data()["relative"] and words[1] != words[2] else words
    masked = re.sub(rf"\b({'|'.join(kept)})\b", lambda m: _MASK.join(m[0]), predicate)
    return to_first_person(f"{first_name(me)} {masked}", me, mine).replace(_MASK, "")


def _agreed(text: str) -> str:
    """The verb after "I" and an adverb that hides it."""
    return _pattern("adverb").sub(lambda m: f"{m[1]} {third_to_base(m[2])}", text)


def _object(found: re.Match[str], owns: bool) -> str:
    """ "me" for an object; what may own what follows is left alone."""
    following = (found["next"] or "").strip()
    if owns and following and not _pattern("after_object").fullmatch(following):
        return found[0]
    return f"me{found['next'] or ''}"


def _is_subject(text: str, start: int, end: int) -> bool:
    """Whether a name at [start, end) is what its clause is about."""
    before, after = text[:start].rstrip(), text[end:]
    opens = not before or _pattern("opens").search(before) is not None
    return opens and re.match(r" [a-z]", after) is not None and _pattern("no_verb").match(after.strip()) is None


def _ours(turned: str, part: str) -> str:
    """What two do together: "and they share a list" -> "and we share a list"."""
    if _pattern("they").search(part) is None:
        return turned
    turned = re.sub(r"\bthey\b", "we", re.sub(r"\bThey\b", "We", turned))
    return re.sub(r"\btheir\b", "our", turned)


@lru_cache(maxsize=256)
def _name(me: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{re.escape(me)}|{re.escape(first_name(me))})(?P<genitive>['’]s?)?(?![\w])(?! [A-Z])")


def shortened(text: str, names: Sequence[str]) -> str:
    """Full names after their first mention as first names, where only one of `names` has that first name."""
    given = [first_name(name) for name in names]
    for name in names:
        first = first_name(name)
        at = text.find(name)
        if at < 0 or given.count(first) > 1 or first == name:
            continue
        end = at + len(name)
        text = text[:end] + re.sub(rf"\b{re.escape(name)}\b", first, text[end:])
    return text
