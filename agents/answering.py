"""Interviews: an answer in character from a read-only view as of a step, under a condition (section 6.1).

Everything the answer may rest on (retrieval, relationships, the present plan) is derived from the view, so that what
a condition hides can't come out.
"""

from __future__ import annotations

from dataclasses import replace

from agents import recollecting
from agents.mind import InterviewAnswer
from agents.thought import cited, ids
from kernel import Clock, RecordId
from language import AnswerQuestion, Ask, Person, Scene
from memory import MindView, Readable, Record, relationship
from planning.when import face

EVIDENCE = 30
PEOPLE = 8


async def answer_question(person: Person, question: str, view: MindView, clock: Clock, ask: Ask) -> InterviewAnswer:
    """One answer. The persona's own statements are memories from before the start: hidden observations hide them."""
    step = view.step
    statements = tuple(s for s in person.statements if view.has(RecordId.parse(s.id)))
    who = replace(person, statements=statements)
    found = view.retrieve(question, id=RecordId(person.name, step, 0), step=step, purpose="interview", k=EVIDENCE)
    chosen = [view.get(i) for i in found.ids]
    evidence = recollecting.recollections(chosen, clock, step, lambda _: ())
    people = tuple(recollecting.relation(relationship(view, name), clock, step) for name in _people_in(question, view)[:PEOPLE])
    plans = tuple(
        (face(clock.at(r.span[0])), face(clock.at(r.span[1])), r.text) for r in _plans_of_today(view, clock, step) if r.span
    )
    answer = await ask(
        AnswerQuestion(
            person=who, summary="", scene=Scene(clock.at(step), person.home, ""), question=question, evidence=evidence,
            people=people, plan=plans,
        )
    )  # fmt: skip
    allowed = ids(evidence) | {s.id for s in statements}
    return InterviewAnswer(answer.reply.text, cited(answer.reply.rests_on, allowed), answer.reply.knows)


def _people_in(question: str, view: Readable) -> list[str]:
    """People of one's memory whom a question names, by full or first name, as they come to mind."""
    asked = question.casefold()
    names = dict.fromkeys(name for record in view.mentioning(question) for name in record.people)
    return [n for n in names if n.casefold() in asked or n.split()[0].casefold() in asked]


def _plans_of_today(view: Readable, clock: Clock, step: int) -> list[Record]:
    today = clock.day(step)
    return [r for r in view.tagged("day") if r.span is not None and clock.day(r.span[0]) == today]
