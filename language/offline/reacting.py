"""React: go on, talk, act or wait (Park et al. 2023, section 4.3.1).

Most sightings change nothing; that path is short. People are spoken to by acquaintance, character, what is on one's
mind for them, and time; things and happenings are told apart by their words (`reacting_things`).
"""

from __future__ import annotations

import re
from functools import lru_cache

from kernel import Dice
from language.offline.grammar import gerund_to_base
from language.offline.reacting_things import to_thing
from language.offline.registry import responder
from language.offline.temper import leanings, sociability
from language.operations import React
from language.replies import Reaction
from language.values import Recollection, Relation
from language.wording.loader import templates

STRANGER, KNOWN, CLOSE, COMPANY = 0.14, 0.05, 0.16, 0.08
"""Chance of speaking to somebody seen: to a stranger, to somebody known; more by closeness and by sociability."""
EAGER, EAGER_MOST = 0.085, 0.4
"""What each point of importance above 4 of untold news adds, and the most it adds."""
HEARSAY, HEARSAY_MOST = 0.5, 5
"""How much less eager one is to tell what one has only heard."""
TOLD_ENOUGH = 6.0
"""After telling so many one is half as eager to tell more of them."""
SAME_DAY, SAME_DAY_HOURS = 0.4, 12.0
"""How much less one seeks out somebody one has talked with within so many hours."""
AGAIN_HOURS = 2.0
"""Within this time one doesn't speak to the same person again, unless there is weighty news."""
WEIGHTY = 7
CLOSE_ENOUGH = 0.5
"""Closeness from which private things may be told."""
HURRY_MINUTES = 15

GO_ON = Reaction(decision="continue")


@responder(React)
def react(op: React, dice: Dice) -> Reaction:
    """What to do about what was noticed."""
    if op.kind == "person":
        return _to_person(op, dice)
    return to_thing(op, dice) or GO_ON


def _to_person(op: React, dice: Dice) -> Reaction:
    relation = op.relation
    if relation is None or not op.may_talk or undisturbed(op.their_activity) or undisturbed(op.scene.activity):
        return GO_ON
    if any(r.tag == "to-tell" and r.about == relation.name and relation.name not in r.told_to for r in op.context):
        rests = [r.id for r in op.context if r.about == relation.name and r.tag in ("to-tell", "voice")]
        return Reaction(decision="talk", rests_on=rests[:5])
    news = untold(op.context, relation)
    chance = _base(op, relation, news)
    if chance <= 0.0 or not dice.chance(chance):
        return GO_ON
    rests = [news.id] if news is not None else []
    rests.extend(r.id for r in op.context if r.about == relation.name and r.id not in rests)
    return Reaction.model_construct(
        decision="talk", activity=None, minutes=5, address=None, state=None, leaves=None, thought="", rests_on=rests[:5]
    )


def _base(op: React, relation: Relation, news: Recollection | None) -> float:
    company = sociability(op.person)
    if not relation.known:
        chance = STRANGER + 0.8 * COMPANY * company * company
        if "timid" in leanings(op.person):
            chance *= 0.5
    else:
        chance = KNOWN + CLOSE * max(0.0, relation.closeness) + COMPANY * company
        if relation.closeness < -0.15:
            chance *= 0.35
    urgent = 0.0
    if news is not None and (relation.known or company > 0.45):
        worth = news.importance if news.heard_from is None else min(news.importance, HEARSAY_MOST)
        urgent = min(EAGER_MOST, EAGER * max(0, worth - 4)) / (1.0 + len(news.told_to) / TOLD_ENOUGH)
        event = news.news.event if news.news is not None else None
        if event is not None and event.host == op.person.name:
            urgent *= 1.5
        elif news.heard_from is not None:
            urgent *= HEARSAY
        urgent *= 0.4 if not relation.known else 0.6 + 0.4 * company
    open_matter = any(r.about == relation.name and r.tag in ("absence", "voice", "intention") for r in op.context)
    if open_matter:
        urgent = max(urgent, 0.25)
    since = relation.hours_since
    if since is not None and since < AGAIN_HOURS:
        weighty = news is not None and news.importance >= WEIGHTY
        return 0.35 * urgent if weighty and since > 0.4 else 0.0
    if since is not None and since < SAME_DAY_HOURS:
        chance *= SAME_DAY
    if welcoming(op.their_activity) or welcoming(op.scene.activity):
        chance *= 1.35
    chance += urgent
    if _hurried(op) or hurried(op.their_activity):
        chance *= 0.2
    if "busy" in leanings(op.person):
        chance *= 0.8
    return chance


def untold(context: tuple[Recollection, ...], relation: Relation) -> Recollection | None:
    """The weightiest news one may tell this person and hasn't, None when there is none."""
    best: Recollection | None = None
    for memory in context:
        news = memory.news
        if news is None or relation.name in memory.told_to or memory.heard_from == relation.name:
            continue
        if (news.about == relation.name and news.event is None) or (news.private and relation.closeness < CLOSE_ENOUGH):
            continue
        if best is None or memory.importance > best.importance:
            best = memory
    return best


def _hurried(op: React) -> bool:
    for commitment in op.commitments:
        minutes = (commitment.event.start - op.scene.now).total_seconds() / 60
        if 0 <= minutes <= HURRY_MINUTES and not commitment.called_off and commitment.firm:
            return op.relation is None or commitment.event.host != op.relation.name
    return False


@lru_cache(maxsize=8192)
def undisturbed(activity: str) -> bool:
    """Whether somebody doing this isn't spoken to and doesn't speak to passers-by."""
    return _among(activity, "undisturbed")


@lru_cache(maxsize=8192)
def hurried(activity: str) -> bool:
    """Whether somebody doing this is in a hurry."""
    return _among(activity, "hurried")


@lru_cache(maxsize=8192)
def welcoming(activity: str) -> bool:
    """Whether this is done in company or leaves time for a word."""
    return _among(activity, "welcoming")


def _among(activity: str, key: str) -> bool:
    words = {gerund_to_base(word) for word in re.findall(r"[a-z'-]+", activity.lower())}
    return any(entry in words or (" " in entry and entry in activity) for entry in templates("reactions")[key])
