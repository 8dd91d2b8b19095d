"""Reacting: go on, talk, act or wait, to people, to objects and to what happens (section 4.3.1).

In the original objects can't cause a reaction, so that a burning stove is never noticed; here they can.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from agents import recollecting
from agents.perception import wording
from agents.thought import New, Thought, cited, ids
from language import React, Reaction, phrase
from memory import Readable
from planning.diary import appointments
from planning.places import Places
from town.acts import Because
from town.percepts import Percept
from town.protocols import ProposeAct

MOST_ASKED = 2
"""Percepts one considers reacting to in one moment."""
LIKED = 0.2
"""Closeness from which one joins somebody's conversation."""
MUNDANE = 2
"""Importance up to which a state of an object seen before isn't considered again."""


@dataclass(frozen=True, slots=True)
class Decided:
    """What one decided to do about a percept. `call` and retrievals are its reasons."""

    percept: Percept
    reaction: Reaction
    because: Because


def mundane(stream: Readable, noticed: tuple[Percept, ...]) -> frozenset[str]:
    """Versions of percepts that one has seen before, word for word, and that were nothing to one then."""
    found = ((percept.version, stream.importance_of(wording(percept))) for percept in noticed if percept.kind == "object")
    return frozenset(version for version, importance in found if importance is not None and importance <= MUNDANE)


def considered(thought: Thought, noticed: tuple[Percept, ...], mundane: frozenset[str]) -> Iterator[Percept]:
    """The percepts that are worth a question."""
    return (percept for percept in noticed if _considered(thought, percept, mundane))


async def decide(thought: Thought, noticed: tuple[Percept, ...], mundane: frozenset[str]) -> Decided | None:
    """Asks about the nearest notable percepts until one changes what is done; None: continue."""
    for percept in islice(considered(thought, noticed, mundane), MOST_ASKED):
        await thought.presentable()
        decided = await _ask(thought, percept)
        if decided.reaction.thought:
            thought.note([New("observation", decided.reaction.thought, fields={"about": percept.subject, "tag": "thought"})])
        if decided.reaction.decision != "continue":
            return decided
    return None


def _considered(thought: Thought, percept: Percept, mundane: frozenset[str]) -> bool:
    """Whether it's worth a question: nothing mundane, nobody busy, nobody one has just talked with."""
    if percept.kind not in ("person", "words"):
        return percept.version not in mundane
    if percept.kind == "words" and not _invites_company(thought, percept):
        return False
    if percept.busy or (thought.moment.act is not None and thought.moment.act.private):
        return False
    last = thought.get("last_talk")
    if isinstance(last, int) and thought.step - last < thought.clock.steps(minutes=thought.settings.talk_rest_minutes):
        return False
    since = thought.relation(percept.subject).hours_since
    return since is None or since * 60 >= thought.settings.talk_cooldown_minutes


def _invites_company(thought: Thought, percept: Percept) -> bool:
    """Whether words of others' conversation are near, of somebody one likes, and about something: one may join in."""
    words = percept.utterance
    if words is None or words.ends or not words.passes_on or thought.person.name in words.to:
        return False
    return percept.distance <= thought.settings.earshot_aside and thought.relation(words.speaker).closeness >= LIKED


async def _ask(thought: Thought, percept: Percept) -> Decided:
    seen = wording(percept, thought.met())
    person = percept.kind in ("person", "words")
    query = phrase("query.about", perceiver=thought.person.name, other=percept.subject) if person else seen
    found = thought.retrieve(query, "react", k=thought.settings.topics, people=(percept.subject,) if person else ())
    context = list(thought.recollect(found))
    if person:
        shown = ids(tuple(context))
        weighty = [r for _, r in thought.draft.facts() if r.importance >= 5 and str(r.id) not in shown]
        context.extend(thought.recollections(weighty[-5:]))
    step, clock = thought.step, thought.clock
    schedule = thought.schedule()
    diary = appointments(thought.draft, thought.person.name, step, step + clock.steps(hours=18))
    answer = await thought.ask(
        React(
            person=thought.person, scene=thought.scene(), seen=seen, kind="person" if person else percept.kind,
            subject=percept.subject,
            relation=thought.relation(percept.subject) if person else None, may_talk=person and not percept.busy,
            their_activity=_doing(percept), state="" if person else percept.text, context=tuple(context),
            commitments=tuple(recollecting.commitment(a, clock) for a in diary if not a.refused),
            rest_of_day=schedule.rest_of_day(step) if schedule else (),
        )
    )  # fmt: skip
    rests_on = cited(answer.reply.rests_on, ids(tuple(context)))
    because = Because(
        records=rests_on, retrievals=(found.id,), percepts=(percept.version,), calls=(answer.call,),
        note=phrase("reason.reaction"),
    )  # fmt: skip
    return Decided(percept, answer.reply, because)


def _doing(percept: Percept) -> str:
    """What a person is doing, in words; nothing for things."""
    if percept.kind == "words" and percept.utterance is not None:
        return phrase("act.talking", partners=", ".join(percept.utterance.to))
    return percept.text if percept.kind == "person" else ""


def as_act(thought: Thought, decided: Decided, places: Places) -> ProposeAct:
    """A reaction that is an act (or a moment's waiting), at the place it names, the object's own, or here."""
    reaction, percept = decided.reaction, decided.percept
    target = reaction.address if reaction.address in places.town.by_address else None
    if target is None:
        target = percept.subject if percept.kind == "object" else thought.moment.place
    waiting = reaction.decision == "wait"
    return ProposeAct(
        text=phrase("act.waiting") if waiting or not reaction.activity else reaction.activity,
        icon="think" if waiting else reaction.icon,
        target=thought.moment.place if waiting else target,
        until=thought.step + thought.clock.steps(minutes=min(reaction.minutes, 5 if waiting else reaction.minutes)),
        state=reaction.state, leaves=reaction.leaves, because=decided.because,
    )  # fmt: skip
