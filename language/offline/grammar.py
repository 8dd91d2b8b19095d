"""Small English morphology without dependencies: the one module to import it from.

Parts: verbs (`grammar_verbs`), persons and names (`grammar_persons`), words for hours and places (`grammar_words`).
What no rule covers is data: `wording/lexicon_grammar.yaml`.
"""

from __future__ import annotations

from language.offline.grammar_persons import (
    first_name,
    is_about,
    join_names,
    named,
    possessive,
    pronoun_forms,
    to_first_person,
    to_second_person,
)
from language.offline.grammar_verbs import base_to_third, gerund, gerund_to_base, is_gerund, third_to_base, verbs_to_base
from language.offline.grammar_words import clock_words, day_part, day_words, place_words, sentence, time_words

__all__ = [
    "base_to_third",
    "clock_words",
    "day_part",
    "day_words",
    "first_name",
    "gerund",
    "gerund_to_base",
    "is_about",
    "is_gerund",
    "join_names",
    "named",
    "place_words",
    "possessive",
    "pronoun_forms",
    "sentence",
    "third_to_base",
    "time_words",
    "to_first_person",
    "to_second_person",
    "verbs_to_base",
]
