"""Verbs between base form, third person and -ing form.

Parts: the tables read from `wording/lexicon_grammar.yaml`; `third_to_base`, `base_to_third`, `gerund`,
`gerund_to_base`, `verbs_to_base`, `is_gerund`; `inflect_all`, which finds a phrase's first verb and those coordinated
with it; spelling rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from language.wording.loader import templates

_VOWELS = "aeiou"
_E_LOST = re.compile(r"(?:v|u|[aiy]z|[dr]g|[nr]c|[rn]s|[bptdgkfz]l|lg)$")
"""Stems that lost an -e before -ing."""
_E_LOST_IF_SHORT = re.compile(r"(?:[eu]t|a[gksdmp]|i[ksdmnrp]|us|o[sdp])$")


class Tables(NamedTuple):
    """Forms of the verbs known, and words that steer the search for verbs."""

    third: dict[str, str]
    base_of_third: dict[str, str]
    gerunds: dict[str, str]
    base_of_gerund: dict[str, str]
    doubling: frozenset[str]
    verbs: frozenset[str]
    doubtful: frozenset[str]
    not_third: frozenset[str]
    adverbs: frozenset[str]
    modals: frozenset[str]
    determiners: frozenset[str]
    not_nouns: frozenset[str]
    other_subjects: frozenset[str]
    particles: frozenset[str]
    agreeing: frozenset[str]


@lru_cache(maxsize=1)
def tables() -> Tables:
    """The lexicon as look-up tables, read once."""
    data = templates("lexicon_grammar")
    irregular: dict[str, list[str]] = data["irregular"]
    third = {base: forms[0] for base, forms in irregular.items()}
    gerunds = {base: forms[1] for base, forms in irregular.items()}
    doubling = frozenset(data["doubling"])
    verbs = frozenset(data["verbs"].split()) | frozenset(irregular)
    base_of_gerund = {_regular_gerund(verb, doubling): verb for verb in sorted(verbs | doubling) if verb not in gerunds}
    base_of_gerund |= {form: base for base, form in gerunds.items()}
    base_of_third = {_regular_third(verb): verb for verb in sorted(verbs | doubling) if verb not in third}
    base_of_third |= {form: base for base, form in third.items()}
    return Tables(
        third=third,
        base_of_third=base_of_third,
        gerunds=gerunds,
        base_of_gerund=base_of_gerund,
        doubling=doubling,
        verbs=verbs,
        doubtful=frozenset(data["doubtful_verbs"].split()),
        not_third=frozenset(data["not_third"]),
        adverbs=frozenset(data["adverbs"]),
        modals=frozenset(data["modals"]),
        determiners=frozenset(data["determiners"]),
        not_nouns=frozenset(data["not_nouns"]),
        other_subjects=frozenset(data["other_subjects"]),
        particles=frozenset(data["particles"]),
        agreeing=frozenset(word for word in data["agreement"] if word.endswith("n't")),
    )


def third_to_base(verb: str) -> str:
    """ "waters" -> "water"; a word that isn't in the third person comes back unchanged."""
    low = verb.lower()
    lexicon = tables()
    if low in lexicon.base_of_third:
        return _cased(verb, lexicon.base_of_third[low])
    if (
        low in lexicon.not_third
        or low in lexicon.verbs
        or not low.endswith("s")
        or low.endswith(("ss", "us", "is"))
        or len(low) < 3
    ):
        return verb
    if low.endswith("ies") and len(low) > 4:
        return verb[:-3] + "y"
    if low.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")):
        return verb[:-2]
    return verb[:-1]


def base_to_third(verb: str) -> str:
    """ "water" -> "waters", "carry" -> "carries"."""
    low = verb.lower()
    return _cased(verb, tables().third.get(low) or _regular_third(low))


def gerund(phrase: str) -> str:
    """The phrase with its first verb, and verbs coordinated with it, in the -ing form.

    "water the plants" -> "watering the plants"; "wash up and make tea" -> "washing up and making tea". A phrase that
    is in this form already comes back unchanged.
    """
    return inflect_all(phrase, _gerund_of)


def verbs_to_base(phrase: str) -> str:
    """The phrase with its first verb, and verbs coordinated with it, from the third person to the base form.

    "waters the plants and feeds the cat" -> "water the plants and feed the cat".
    """
    return inflect_all(phrase, third_to_base)


def thirds_to_gerund(phrase: str) -> str:
    """ "waters the plants and feeds the cat" -> "watering the plants and feeding the cat"."""
    return inflect_all(phrase, lambda verb: _gerund_of(third_to_base(verb)))


def gerund_to_base(phrase: str) -> str:
    """Inverse of `gerund`: "watering the plants" -> "water the plants"."""
    return inflect_all(phrase, _base_of_gerund)


def is_gerund(word: str) -> bool:
    """Whether a word is a verb's -ing form ("reading" is, "thing", "morning" and "spring" are not)."""
    low = word.lower()
    if low in tables().base_of_gerund:
        return low not in tables().verbs
    return len(low) > 5 and low.endswith("ing") and any(c in "aeiouy" for c in low[:-3]) and not low.endswith(("thing", "ning"))


def inflect_all(phrase: str, inflect: Callable[[str], str]) -> str:
    """`inflect` applied to the phrase's first verb and to the verbs coordinated with it."""
    words = phrase.split(" ")
    at = _first_verb(words)
    if at is None:
        return phrase
    lexicon = tables()
    original = list(words)
    words[at] = _with_punctuation(words[at], inflect)
    for i in range(at + 1, len(words) - 1):
        joint = words[i].lower()
        if joint in lexicon.other_subjects:
            break  # what follows has a subject of its own
        if joint in ("and", "or", "then") or words[i].endswith((",", ";")):
            j = i + 1
            while j < len(words) - 1 and (_bare(words[j]) in lexicon.adverbs or _bare(words[j]) in ("and", "or")):
                j += 1
            if _coordinated_verb(original, j, follows_verb=all(_bare(w) in lexicon.particles for w in words[at + 1 : i])):
                words[j] = _with_punctuation(words[j], inflect)
    return " ".join(words)


def _first_verb(words: Sequence[str]) -> int | None:
    lexicon = tables()
    for i, word in enumerate(words):
        low = _bare(word)
        if not low or low in lexicon.adverbs or (low.endswith("ly") and low not in lexicon.verbs and i + 1 < len(words)):
            continue
        return i
    return None


def _coordinated_verb(words: Sequence[str], at: int, *, follows_verb: bool) -> bool:
    """Whether the word at `at`, after "and" or a comma, goes on with a verb rather than with one more noun."""
    lexicon = tables()
    low = _bare(words[at])
    if low in lexicon.agreeing:
        return True
    base = lexicon.base_of_third.get(low) or lexicon.base_of_gerund.get(low) or low
    if base not in lexicon.verbs:  # "saws and zorbles boards": right after a verb stands a verb
        return follows_verb and low.endswith("s") and not low.endswith("ss") and third_to_base(words[at - 2]) != words[at - 2]
    if low in lexicon.base_of_gerund or base not in lexicon.doubtful or (follows_verb and low != base):
        return True
    following = _bare(words[at + 1]) if at + 1 < len(words) else ""
    if low != base and following and not words[at].endswith((",", ";")):  # "saws and planes boards", not "apples and drinks"
        return following in lexicon.determiners or following in lexicon.particles or following not in lexicon.not_nouns
    return following in lexicon.determiners or following in lexicon.particles


def _with_punctuation(word: str, inflect: Callable[[str], str]) -> str:
    core = word.rstrip(",;.:!?")
    return inflect(core) + word[len(core) :]


def _bare(word: str) -> str:
    return word.strip(',;.:!?"“”()').lower()


def _gerund_of(verb: str) -> str:
    low = verb.lower()
    lexicon = tables()
    if low in lexicon.gerunds:
        return _cased(verb, lexicon.gerunds[low])
    if low in lexicon.base_of_gerund and low not in lexicon.verbs:
        return verb
    if "-" in low:
        head, _, tail = verb.rpartition("-")
        return f"{head}-{_gerund_of(tail)}"
    if is_gerund(low) and low not in lexicon.verbs:
        return verb
    return _cased(verb, _regular_gerund(low, lexicon.doubling))


def _base_of_gerund(verb: str) -> str:
    low = verb.lower()
    lexicon = tables()
    if low in lexicon.base_of_gerund:
        return _cased(verb, lexicon.base_of_gerund[low])
    if "-" in low:
        head, _, tail = verb.rpartition("-")
        return f"{head}-{_base_of_gerund(tail)}"
    if not is_gerund(low):
        return verb
    stem = verb[:-3]
    return stem[:-1] if _doubled(stem) else stem + "e" if _wants_e(stem) else stem


def _doubled(stem: str) -> bool:
    return len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in "lszfeo"


def _wants_e(stem: str) -> bool:
    if len(stem) > 2 and stem[-1] in "sz" and stem[-2] in _VOWELS and stem[-3] in _VOWELS:
        return True
    if _E_LOST.search(stem) is not None or (stem.endswith("at") and stem[-3:-2] not in "aeo"):
        return True
    return _E_LOST_IF_SHORT.search(stem) is not None and _syllables(stem) == 1 and _closed(stem)


def _closed(word: str) -> bool:
    """Ends consonant-vowel-consonant, so that a short vowel would have doubled its last letter."""
    if len(word) < 3:
        return len(word) == 2 and word[0] in _VOWELS and word[1] not in _VOWELS + "wxy"
    before = word[-3] not in _VOWELS or word[-4:-2] == "qu" or (word[-3:-1] == "ui" and word[-4:-3] == "q")
    return word[-1] not in _VOWELS + "wxyh" and word[-2] in _VOWELS and before


def _syllables(word: str) -> int:
    return len(re.findall(r"[aeiouy]+", word.replace("qu", "q")))


def _regular_gerund(verb: str, doubling: frozenset[str]) -> str:
    if verb.endswith("e") and not verb.endswith(("ee", "oe", "ye")) and len(verb) > 2:
        return verb[:-1] + "ing"
    closed = _closed(verb) or (verb.startswith("qu") and _closed(verb[2:]))
    if verb in doubling or (closed and _syllables(verb) == 1):
        return verb + verb[-1] + "ing"
    return verb + "ing"


def _regular_third(verb: str) -> str:
    if verb.endswith("y") and verb[-2:-1] not in _VOWELS:
        return verb[:-1] + "ies"
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "es"
    return verb + "s"


def _cased(model: str, word: str) -> str:
    return word[:1].upper() + word[1:] if model[:1].isupper() else word
