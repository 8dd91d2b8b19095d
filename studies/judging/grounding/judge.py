"""The verdict on one answer, and the ranking of several.

    GroundingJudge(known_of)
      .verdict(resident, step, asked, text)   -> Verdict
      .rank(resident, step, asked, answers)   -> (ranks, verdicts) of the answers of several conditions

An answer is taken apart into sentences. Each either admits not to know, or says nothing that could be checked, or is a
claim: *to the point* (carried by an entry that answers the question), *beside it* (carried by another entry),
*unsupported* (by none) or *contradicted* (an entry says otherwise). The score of a question the record can answer is

    completeness (distinct entries to the point / needed, at most 1) x precision (claims to the point / all, contradicted twice)

An answer without a claim to the point has no points, and loses some for claims that the record doesn't carry; admitting
not to know what the record holds is an omission: no points. Where the record holds nothing, only that admission is right.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from studies.judging.grounding.asked import AskedFor, Key, key_of
from studies.judging.grounding.record import Known, KnownOf, Support
from studies.judging.grounding.words import lists, read, refuses, sentences
from studies.ranking.rankings import ranks_of

LEAST = 2
"""Content words from which a sentence can be checked."""
UNSUPPORTED, CONTRADICTED, BESIDE = -0.25, -0.5, 0.05


@dataclass(frozen=True, slots=True)
class Verdict:
    """`to_point`, `beside`, `unsupported`, `contradicted` count claims; `omitted`: the record holds what was asked and
    nothing of it was said; `refused`: nothing but an admission was given; `right_refusal`: rightly so."""

    score: float
    to_point: int = 0
    beside: int = 0
    unsupported: int = 0
    contradicted: int = 0
    refused: bool = False
    right_refusal: bool = False
    omitted: bool = False
    empty: bool = False

    def as_dict(self) -> dict[str, float | int | bool]:
        """All fields."""
        return {
            "score": round(self.score, 6), "to_point": self.to_point, "beside": self.beside, "unsupported": self.unsupported,
            "contradicted": self.contradicted, "refused": self.refused, "right_refusal": self.right_refusal,
            "omitted": self.omitted, "empty": self.empty,
        }  # fmt: skip


class GroundingJudge:
    """Judges answers of the residents of one run. Tests replace its three questions one by one."""

    name = "grounding"

    def __init__(self, records: KnownOf) -> None:
        self.records = records

    def rank(
        self, resident: str, step: int, asked: AskedFor, answers: Mapping[str, str]
    ) -> tuple[dict[str, int], dict[str, Verdict]]:
        """Ranks (equal scores tie) and verdicts by condition."""
        verdicts = {name: self.verdict(resident, step, asked, text) for name, text in answers.items()}
        return ranks_of({name: verdict.score for name, verdict in verdicts.items()}), verdicts

    def verdict(self, resident: str, step: int, asked: AskedFor, text: str) -> Verdict:
        """What an answer is worth."""
        known = self.records.at(resident, step)
        key = key_of(known, asked, self.records.clock)
        refused, to_point, beside, unsupported, contradicted = False, 0, 0, 0, 0
        said: set[int] = set()
        parts = sentences(text)
        for sentence in parts:
            if self.admits(sentence):
                refused = True
                continue
            found = self.support(known, sentence)
            if found is None:
                continue
            if found.carrying:
                met = self.relevant(key, found)
                if found.thin and not met:
                    continue
                to_point += bool(met)
                beside += not met
                said |= met
            elif found.against is not None:
                contradicted += 1
            else:
                unsupported += 1
        counts = (to_point, beside, unsupported, contradicted)
        score = self._score(key, len(said), counts, refused, said_something=bool(parts))
        claims = sum(counts)
        return Verdict(
            score, *counts,
            refused=refused and not claims,
            right_refusal=refused and not claims and not key.entries and not key.open,
            omitted=bool(key.entries) and not to_point,
            empty=not parts,
        )  # fmt: skip

    def admits(self, sentence: str) -> bool:
        """Whether a sentence admits not to know."""
        return refuses(sentence)

    def support(self, known: Known, sentence: str) -> Support | None:
        """What the record says to a sentence; None when there is nothing to check in it."""
        words = read(sentence, known.everybody)
        introduced = any(sentence.casefold().startswith(phrase) for phrase in lists()["introductions"])
        if introduced and words.people:
            name = next((i for i, entry in enumerate(known.entries) if entry.id == "persona/name"), None)
            return Support((name,)) if name is not None and known.resident in words.people else Support(against=name)
        others = words.people - {known.resident}
        if len(words.stems) < LEAST and not (words.stems and (others or words.times)):
            alone = known.holding(next(iter(words.stems))) if len(words.stems) == 1 and not words.denies else ()
            return Support(alone, thin=True) if alone else None
        return known.support(words)

    def relevant(self, key: Key, found: Support) -> set[int]:
        """The entries that answer the question, of those that carry a claim."""
        return set(found.carrying) & key.entries

    @staticmethod
    def _score(key: Key, said: int, counts: tuple[int, int, int, int], refused: bool, said_something: bool) -> float:
        to_point, beside, unsupported, contradicted = counts
        claims = sum(counts)
        if not said_something:
            return -0.5
        wrong = UNSUPPORTED * unsupported + CONTRADICTED * contradicted
        if key.open:  # nothing to know: a sensible answer says something, and nothing the record speaks against
            return 0.0 if refused else max(0.5 + 0.25 * min(1, to_point + beside) + CONTRADICTED * contradicted, -0.5)
        if not key.entries:
            return 1.0 if refused and not claims else max(wrong, -0.5) if not refused else 0.25
        if not to_point:
            return max(BESIDE * min(beside, 1) + wrong, -0.5) if claims else 0.0
        return min(1.0, said / key.need) * to_point / (claims + contradicted)
