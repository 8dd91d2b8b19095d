"""Invitations and requests for help, and what became of them.

    Asked               one person asked by another to come, or to help
    asked(reading)      all of them, in order of first asking
    invitation_counts   made, accepted, declined ... as the report gives them

An invitation is one person asking another to one thing, however often. The answer is the first accept or decline of the
one asked after that: in the same conversation, else later to the same person about the same thing. A decline is *with
a reason* when its words rest on a memory or say what they are about.
"""

from __future__ import annotations

from dataclasses import dataclass

from simulation.measures.reading import Reading, Said
from town.speech import Gathering

ANSWERS = ("accept", "decline")


@dataclass(frozen=True, slots=True)
class Asked:
    """`act` is "invite" or "ask_help"; `answer` the utterance that answered, None: none did."""

    act: str
    said: Said
    who: str
    gathering: Gathering | None
    answer: Said | None

    @property
    def accepted(self) -> bool:
        """Answered with yes."""
        return self.answer is not None and self.answer.act == "accept"

    @property
    def declined(self) -> bool:
        """Answered with no."""
        return self.answer is not None and self.answer.act == "decline"

    @property
    def with_reason(self) -> bool:
        """Declined, and said why."""
        answer = self.answer
        return answer is not None and self.declined and (bool(answer.rests_on) or answer.gathering is not None)


def about(reading: Reading, said: Said) -> Gathering | None:
    """The gathering some words are about: named with them, or announced by a fact they pass on."""
    if said.gathering is not None:
        return said.gathering
    facts = (reading.facts.get(fact) for fact in said.passes_on)
    return next((fact.gathering for fact in facts if fact is not None and fact.gathering is not None), None)


def asked(reading: Reading, acts: tuple[str, ...] = ("invite", "ask_help")) -> list[Asked]:
    """Every invitation and request for help, each (who asks, who is asked, for what) once."""
    answers: dict[str, list[Said]] = {}
    for said in reading.said:
        if said.act in ANSWERS:
            answers.setdefault(said.speaker, []).append(said)
    found: dict[tuple[str, str, str, object], Asked] = {}
    for said in reading.said:
        if said.act not in acts:
            continue
        gathering = about(reading, said)
        for who in said.to:
            key = (said.act, said.speaker, who, gathering if gathering is not None else said.conversation)
            if key not in found:
                found[key] = Asked(said.act, said, who, gathering, _answer(answers.get(who, ()), said, gathering))
    return list(found.values())


def _answer(answers: list[Said] | tuple[()], asking: Said, gathering: Gathering | None) -> Said | None:
    later = [answer for answer in answers if answer.step > asking.step]
    at_once = (
        answer
        for answer in later
        if answer.conversation == asking.conversation
        and (gathering is None or answer.gathering is None or answer.gathering == gathering)
    )
    afterwards = (
        answer for answer in later if gathering is not None and answer.gathering == gathering and asking.speaker in answer.to
    )
    return next(at_once, None) or next(afterwards, None)


def invitation_counts(reading: Reading) -> dict[str, int]:
    """`made, accepted, declined, declined_with_reason, unanswered` of invitations; `help_*` of requests for help."""
    everything = asked(reading)
    invitations = [one for one in everything if one.act == "invite"]
    helping = [one for one in everything if one.act == "ask_help"]
    accepted, declined = sum(one.accepted for one in invitations), sum(one.declined for one in invitations)
    return {
        "made": len(invitations),
        "accepted": accepted,
        "declined": declined,
        "declined_with_reason": sum(one.with_reason for one in invitations),
        "unanswered": len(invitations) - accepted - declined,
        "help_asked": len(helping),
        "help_accepted": sum(one.accepted for one in helping),
        "help_declined": sum(one.declined for one in helping),
    }
