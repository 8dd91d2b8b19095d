"""Interview questions about what one would do: in character, and from one's own life as far as it may be read.

burning(talk), occupied(talk), empty(talk), friend_passes(talk), other(talk) -> SpokenAnswer | None

What anybody would do needs no record; who shares one's home, what one has for breakfast and what one planned for the
evening come from records, which are then cited.
"""

from __future__ import annotations

import re

from language.offline.answer_interview import KINDS, Interview
from language.offline.answer_people import friend
from language.offline.answer_plans import at_home_with, meal
from language.offline.grammar import first_name
from language.replies import SpokenAnswer

_FIRE = re.compile(r"\bfire\b", re.IGNORECASE)
_WOULD = re.compile(r"\b(would|do you|will you)\b", re.IGNORECASE)
_DO = re.compile(r"\bwhat (would|do|will) you do\b|react|what now|what then", re.IGNORECASE)


def _asks(talk: Interview) -> bool:
    return KINDS.matches("reaction", talk.op.question)


def burning(talk: Interview) -> SpokenAnswer | None:
    """Something burns on the stove, or out in the street."""
    if not _asks(talk):
        return None
    if _FIRE.search(talk.op.question):
        mate = at_home_with(talk)
        return talk.reply("fire_mate", [mate[1]], mate=first_name(mate[0])) if mate else talk.reply("fire", ())
    found = meal(talk, "breakfast")
    return talk.reply("burning_meal", [found[1]], ing=found[0]) if found else talk.reply("burning", ())


def occupied(talk: Interview) -> SpokenAnswer | None:
    """Somebody else is in there."""
    if not _asks(talk):
        return None
    mate = at_home_with(talk)
    return talk.reply("occupied_mate", [mate[1]], mate=first_name(mate[0])) if mate else talk.reply("occupied", ())


def empty(talk: Interview) -> SpokenAnswer | None:
    """Nothing to cook with."""
    if not _asks(talk):
        return None
    found = meal(talk, "dinner")
    return talk.reply("empty_meal", [found[1]], ing=found[0]) if found else talk.reply("empty", ())


def friend_passes(talk: Interview) -> SpokenAnswer | None:
    """A friend walks by."""
    return friend(talk) if _asks(talk) or _WOULD.search(talk.op.question) else None


def other(talk: Interview) -> SpokenAnswer | None:
    """Anything else that happens."""
    if _DO.search(talk.op.question) is None or talk.others_named() or KINDS.matches("plan_time", talk.op.question):
        return None
    return talk.reply("reaction_other", ())
