"""Reflection: salient questions about recent memories, and insights that cite their evidence (section 4.2).

Triggered by the summed importance of events since the last reflection. Insights are records themselves, retrievable
and reflectable: a tree whose leaves are observations. An insight whose citations don't exist is dropped and counted.
"""

from __future__ import annotations

from agents.thought import LEAST, MOST, New, Thought, cited, ids
from kernel import Json
from language import AskQuestions, DrawInsights

EVENT_KINDS = frozenset({"observation", "conversation"})


async def due(thought: Thought) -> bool:
    """Whether the importance gathered so far, this thought's own events included, reaches the threshold.

    Ratings that are on their way are waited for only if it depends on them.
    """
    if not thought.settings.reflect:
        return False
    threshold, most = thought.settings.reflection_threshold, (MOST - LEAST) * len(thought.unrated)
    if gathered(thought) < threshold <= gathered(thought) + most:
        await thought.rated()
    return gathered(thought) >= threshold


def gathered(thought: Thought) -> int:
    """Summed importance of events since the last reflection; of those not rated yet the least it can be."""
    before = thought.get("importance")
    return (before if isinstance(before, int) else 0) + _own_events(thought)


async def reflect(thought: Thought) -> None:
    """Three questions, a retrieval for each, five insights for all of them together; starts the count anew."""
    await thought.rated()
    settings = thought.settings
    recent = thought.draft.latest(settings.reflection_window)
    asked = await thought.ask(
        AskQuestions(person=thought.person, recent=thought.recollections(recent), count=settings.reflection_questions)
    )
    questions = tuple(asked.reply.questions[: settings.reflection_questions])
    evidence = {}
    for question in questions:
        for found in thought.recollect(thought.retrieve(question, "reflect")):
            evidence[found.id] = found
    drawn = await thought.ask(
        DrawInsights(
            person=thought.person, questions=questions, evidence=tuple(evidence.values()), count=settings.reflection_insights
        )
    )
    shown = ids(tuple(evidence.values()))
    news: list[New] = []
    dropped = 0
    for insight in drawn.reply.insights[: settings.reflection_insights]:
        rests_on = cited(insight.rests_on, shown)
        if not rests_on:
            dropped += 1
            continue
        people = tuple(dict.fromkeys(n for r in thought.records(rests_on) for n in r.people))
        news.append(
            New(
                "reflection", insight.text,
                fields={
                    "evidence": rests_on, "about": insight.about, "people": people if insight.about is None else
                    tuple(dict.fromkeys((insight.about, *people))), "tag": "intention" if insight.intention else "insight",
                },
            )
        )  # fmt: skip
    thought.note(news)
    count = thought.get("reflections")
    before = count if isinstance(count, dict) else {}
    thought.put("reflections", {"made": _number(before.get("made")) + 1, "dropped": _number(before.get("dropped")) + dropped})
    thought.put("importance", -_own_events(thought))
    thought.put("summary", None)  # renewed when next needed: one has changed


def _number(value: Json) -> int:
    return value if isinstance(value, int) else 0


def _own_events(thought: Thought) -> int:
    """Importance of this thought's events: they are part of what was just reflected on, so they are taken off again
    when the commit adds them to the count."""
    return sum(record.importance for record in thought.draft.records if record.kind in EVENT_KINDS)
