"""Interviews: an answer in character from a read-only view as of a step, under a condition (section 6.1).

    answer_question(...)    the answer, and the records it rests on
    plan_in_force(...)      today's plan as of the step, from plan records alone

Everything the answer may rest on (retrieval, self-summary, relationships, the present plan) is derived from the view, so
that what a condition hides can't come out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from weakref import WeakKeyDictionary

from agents import recollecting
from agents.mind import InterviewAnswer
from agents.thought import cited, ids
from kernel import Clock, RecordId
from language import AnswerQuestion, Ask, Line, Person, Recollection, Scene, SummariseSelf, phrase
from memory import MindView, Readable, Record, relationship
from planning.when import face

EVIDENCE = 30
PEOPLE = 8
OF_SOMEBODY = 6
"""Records about a person the question names, beside what comes to mind for the question itself."""
SELF = 10
RECENT = 6
"""How many of the latest talks, of the latest news, and of the latest insights."""
TELLING = ("acquaintance", "insight", "memo", "talk", "learned")
"""Tags of records that tell who somebody is, the most telling first."""


async def answer_question(
    person: Person, question: str, view: MindView, clock: Clock, ask: Ask, dialogue: tuple[Line, ...] = ()
) -> InterviewAnswer:
    """One answer. The persona's own statements are memories from before the start: hidden observations hide them."""
    step = view.step
    statements = tuple(s for s in person.statements if view.has(RecordId.parse(s.id)))
    who = replace(person, statements=statements)
    before = " ".join(line.text for line in dialogue[-2:])  # what a follow-up refers to
    named = people_named(f"{question} {before}", view)
    plan = plan_in_force(view, clock, step)
    asked = (question, before) if before else (question,)
    found = [view.get(i) for text in asked for i in _retrieve(view, text, EVIDENCE)]
    chosen = _distinct((*found, *(r for name in named for r in _telling(view, name)), *_latest(view), *(r for _, _, r in plan)))
    evidence = recollecting.recollections(chosen, clock, step, lambda _: ())
    people = tuple(recollecting.relation(relationship(view, name), clock, step) for name in _people(named, found, view))
    today = tuple((face(clock.at(start)), face(clock.at(end)), record.text) for start, end, record in plan)
    answer = await ask(
        AnswerQuestion(
            person=who, summary=await _summary(who, view, clock, ask), scene=Scene(clock.at(step), person.home, ""),
            question=question, evidence=evidence, people=people, plan=today, dialogue=dialogue,
        )
    )  # fmt: skip
    allowed = ids(evidence) | {s.id for s in statements}
    return InterviewAnswer(answer.reply.text, cited(answer.reply.rests_on, allowed), answer.reply.knows)


_SUMMARIES: WeakKeyDictionary[MindView, str] = WeakKeyDictionary()
"""Self-summaries of views that are asked several questions: each belongs to one view, hence to one step and condition."""


async def _summary(person: Person, view: MindView, clock: Clock, ask: Ask) -> str:
    """The self-summary of appendix A, made of this view alone; the mind's cached one may rest on what is hidden."""
    if view not in _SUMMARIES:
        _SUMMARIES[view] = await _summarised(person, view, clock, ask)
    return _SUMMARIES[view]


async def _summarised(person: Person, view: MindView, clock: Clock, ask: Ask) -> str:

    def recall(key: str) -> tuple[Recollection, ...]:
        found = _retrieve(view, phrase(key, perceiver=person.name), SELF)
        return recollecting.recollections([view.get(i) for i in found], clock, view.step, lambda _: ())

    core, occupation, progress = recall("query.core"), recall("query.occupation"), recall("query.progress")
    if not (core or occupation or progress):
        return ""
    answer = await ask(SummariseSelf(person=person, core=core, occupation=occupation, progress=progress))
    return answer.reply.text


def _retrieve(view: MindView, query: str, count: int) -> Sequence[RecordId]:
    step = view.step
    return view.retrieve(query, id=RecordId(view.owner, step, 0), step=step, purpose="interview", k=count).ids


def plan_in_force(view: Readable, clock: Clock, step: int) -> list[tuple[int, int, Record]]:
    """(start, end, record) of today's plan by the hour, as of a step: a plan made anew replaces what was left of an
    earlier one; neighbouring hours of one activity are one."""
    today = clock.day(step)
    parts: list[tuple[int, int, Record]] = []
    for record in view.tagged("hour"):
        if record.span is None or clock.day(record.span[0]) != today:
            continue
        made = record.created
        kept = [(start, end if old.created == made else min(end, made), old) for start, end, old in parts]
        parts = [(start, end, old) for start, end, old in kept if start < end]
        parts.append((*record.span, record))
    joined: list[tuple[int, int, Record]] = []
    for start, end, record in sorted(parts, key=lambda part: (part[0], part[2].id)):
        last = joined[-1] if joined else None
        if last is not None and last[1] == start and _activity(last[2]) == _activity(record):
            joined[-1] = (last[0], end, last[2])
        else:
            joined.append((start, end, record))
    return joined


def _activity(record: Record) -> str:
    """What is planned, without the time: what follows the owner's name."""
    return record.text.partition(record.id.resident)[2]


def people_named(question: str, view: Readable) -> list[str]:
    """People of one's memory whom a question names, by full or first name, in the order of the question."""
    asked = question.casefold()
    known = dict.fromkeys(name for record in view.mentioning(question) for name in record.people if name != view.owner)
    full = [name for name in known if name.casefold() in asked]
    given = {name.casefold() for name in full for name in name.split()}
    found = full + [n for n in known if n not in full and _word(n.split()[0], asked) and n.split()[0].casefold() not in given]
    return sorted(found, key=lambda name: (asked.find(name.split()[0].casefold()), name))


def _word(name: str, asked: str) -> bool:
    return re.search(rf"\b{re.escape(name.casefold())}\b", asked) is not None


def _telling(view: Readable, name: str) -> list[Record]:
    """What tells who somebody is: what one knows from the start, insights, then the latest talks and news."""
    about = [r for r in view.concerning(name) if r.tag in TELLING]
    about.sort(key=lambda r: (TELLING.index(r.tag), -r.created, -r.id.n))
    return about[:OF_SOMEBODY]


def _latest(view: Readable) -> list[Record]:
    """The latest talks, news and insights: what is on one's mind whatever is asked."""
    return [record for tag in ("talk", "learned", "insight") for record in view.tagged(tag)[-RECENT:]]


def _people(named: Sequence[str], found: Iterable[Record], view: Readable) -> list[str]:
    """Whose relationships matter: those named, then those in what came to mind, the most frequent first."""
    counts: dict[str, int] = {}
    for record in found:
        for name in record.people:
            if name != view.owner and name not in named:
                counts[name] = counts.get(name, 0) + 1
    others = sorted(counts, key=lambda name: (-counts[name], name))
    return [*named, *others][:PEOPLE]


def _distinct(records: Iterable[Record]) -> list[Record]:
    return list({record.id: record for record in records}.values())
