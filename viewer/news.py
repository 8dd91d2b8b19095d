"""Tracked facts and who knows them, from the memories that carry them (rules as in `simulation.measures.facts`).

News.facts[id]        the tracked facts
News.chain(id, step)  who had learnt it by a step, in the order of learning
"""

from __future__ import annotations

from dataclasses import dataclass

from simulation.storing.runfile import RunFile


@dataclass(frozen=True, slots=True)
class Fact:
    """A tracked fact; `name` is the scenario's word for it."""

    id: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Learnt:
    """`who` came to know it at `step` from `source` (None: known of oneself); `words` is the utterance's id."""

    who: str
    step: int
    source: str | None
    words: str | None
    record: str
    place: str | None


class News:
    """Who knows what of the tracked facts."""

    def __init__(self, run: RunFile) -> None:
        self._run = run
        self.facts: dict[str, Fact] = {}
        self._known: dict[str, dict[str, Learnt]] = {}

    def take_facts(self) -> None:
        """Reads the tracked facts there are by now."""
        rows = self._run.rows("SELECT id, COALESCE(name, id), text FROM facts WHERE tracked = 1 ORDER BY COALESCE(name, id)")
        for row in rows:
            if row[0] not in self.facts:
                self.facts[row[0]] = Fact(*row)

    def learn(
        self, fact: str, who: str, step: int, source: str | None, words: str | None, record: str, place: str | None
    ) -> bool:
        """Takes in a memory that carries a fact; True when it is a tracked one that came as news from somebody else."""
        if fact not in self.facts:
            return False
        known = self._known.setdefault(fact, {})
        before = known.get(who)
        # One's own answer is noted in the same step as the news it answers: the news counts.
        if before is not None and not (before.source is None and source is not None and step == before.step):
            return False
        known[who] = Learnt(who, step, source, words, record, place)
        return source is not None

    def chain(self, fact: str, step: float) -> list[Learnt]:
        """Those who knew a fact at a step, by the time of learning."""
        known = self._known.get(fact, {})
        return sorted((learnt for learnt in known.values() if learnt.step <= step), key=lambda learnt: learnt.step)
