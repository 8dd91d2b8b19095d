"""Reflection: salient questions, then insights that rest on records (Park et al. 2023, section 4.2).

    questions(op, dice) -> Questions      most spoken-of person, heaviest record, own aims, events ahead
    insights(op, dice) -> Insights        found by `insight_kinds`, best supported first, kinds mixed

An insight says nothing that its records don't: its text is made of their words.
"""

from __future__ import annotations

from kernel import Dice
from language.offline.insight_kinds import Candidate, candidates, event_words, people_of, to_third
from language.offline.reading_talk import words_of
from language.offline.recalling import REFLECTION
from language.offline.registry import responder
from language.offline.topics import in_clause, topic_of
from language.operations import AskQuestions, DrawInsights
from language.replies import Insight, Insights, Questions

_NONE: frozenset[str] = frozenset()

LONGEST_TEXT = 150
"""Characters of a record that a question quotes."""


@responder(AskQuestions)
def questions(op: AskQuestions, dice: Dice) -> Questions:
    """The most salient questions about the latest records."""
    me = op.person
    found: list[str] = []

    def add(rule: str, **slots: str) -> None:
        text = REFLECTION.raw(rule, {"me": me.name, **slots}, _NONE, dice)
        if text and text not in found:
            found.append(text)

    weights: dict[str, float] = {}
    for r in op.recent:
        for name in people_of(r, me.name):
            weights[name] = weights.get(name, 0.0) + r.importance
    if weights:
        add("ask_person", other=max(weights, key=lambda name: (weights[name], name)))
    events = [r for r in op.recent if r.news is not None and r.news.event is not None and r.importance >= 5]
    if events and dice.chance(0.5):
        chosen = max(events, key=lambda r: (r.importance, -r.hours_ago))
        if chosen.news is not None and chosen.news.event is not None:
            mine = chosen.news.event.host == me.name
            add("ask_event_own" if mine else "ask_event", ev=event_words(chosen.news.event, dice))
    plain = (r for r in op.recent if r.kind != "plan" and r.tag not in ("identity", "acquaintance", "talk"))
    heavy = [r for r in plain if len(r.text) <= LONGEST_TEXT]
    if heavy:
        chosen = max(heavy, key=lambda r: (r.importance, -r.hours_ago))
        text = chosen.news.text if chosen.news is not None else chosen.text
        if len(text) <= LONGEST_TEXT:
            add("ask_heavy", text=in_clause(text))
    topics = (topic_of(s, me.name, me.pronoun, None) for s in me.statements if s.topic == "aim")
    aims = [topic for topic in topics if topic is not None and topic.ing]
    if aims:
        aim = dice.choice(aims)
        add("ask_aim", ing=to_third(aim.ing, me.pronoun))
    for _ in range(op.count):
        add("ask_days")
    if len(weights) > 1:
        for name in sorted(weights, key=lambda n: (-weights[n], n))[1 : op.count]:
            add("ask_person", other=name)
    return Questions(questions=found[: op.count])


@responder(DrawInsights)
def insights(op: DrawInsights, dice: Dice) -> Insights:
    """Up to `count` insights of different kinds, each with the records it rests on."""
    known = [words_of(r.text) for r in op.evidence if r.kind == "reflection"]
    pool = [c for c in candidates(op, dice) if c.rests_on and not any(words_of(c.text) <= old for old in known)]
    asked = words_of(" ".join(op.questions))
    pool.sort(key=lambda c: -(c.weight + 0.15 * len(words_of(c.text) & asked)))
    chosen: list[Candidate] = []
    kinds: dict[str, int] = {}
    for limit in (1, 2, 9):
        for candidate in pool:
            if len(chosen) >= op.count:
                break
            if candidate in chosen or kinds.get(candidate.kind, 0) >= limit or _repeats(candidate, chosen):
                continue
            chosen.append(candidate)
            kinds[candidate.kind] = kinds.get(candidate.kind, 0) + 1
    return Insights(
        insights=[
            Insight(text=c.text, rests_on=list(c.rests_on)[:5], about=c.about, intention=c.kind == "intention") for c in chosen
        ]
    )


def _repeats(candidate: Candidate, chosen: list[Candidate]) -> bool:
    words = words_of(candidate.text)
    return any(len(words & words_of(c.text)) > 0.75 * len(words) for c in chosen)
