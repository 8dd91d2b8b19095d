"""Perceiving: from structured percepts to observations in one's own words (Park et al. 2023, section 4.1).

called    what one calls somebody: by name, a visitor who hasn't said theirs by their looks
notice    which percepts are news: the nearest `attention_bandwidth`, not among the last `retention` observations
observe   stores them, and what was heard with them; keeps account of who is present at an appointment
"""

from __future__ import annotations

from collections.abc import Container

from agents.settings import MindSettings
from agents.thought import New, Thought
from kernel import Json
from language import phrase
from memory import Kind, Readable
from planning.places import Places
from town.percepts import Percept
from town.protocols import Moment
from town.tree import Arena, leaf, parent

OBSERVED: tuple[Kind, ...] = ("observation",)
IDLE_IMPORTANCE = 1
"""Idle states are rated 1 without a call."""


def place_name(address: str) -> str:
    """A place in words: its sector's name, and the room's when that says more ("kitchen at Lin family's house")."""
    names = address.split(" : ")
    return names[1] if len(names) > 1 else address


def called(name: str, look: str, met: Container[str]) -> str:
    """What one calls somebody. `look` "" for residents, whose names everybody knows; `met`: visitors who have said theirs."""
    return name if not look or name in met else phrase("visitor.stranger", look=look)


def wording(percept: Percept, met: Container[str] = ()) -> str:
    """A percept in words, third person; a visitor who isn't in `met` is a stranger who looks like this or that."""
    subject = called(percept.subject, percept.look, met)
    if percept.kind == "person":
        key = "observation.walking" if percept.walking else "observation.person"
        return phrase(key, subject=subject, act=percept.text, place=place_name(percept.place))
    if percept.kind == "object":
        return phrase("observation.object", object=leaf(percept.subject), place=place_name(percept.subject), state=percept.text)
    if percept.kind == "event":
        return phrase("observation.event", text=percept.text, place=place_name(percept.place))
    return phrase("observation.words", subject=subject, text=percept.text)


def notice(stream: Readable, settings: MindSettings, moment: Moment, met: Container[str] = ()) -> tuple[Percept, ...]:
    """Percepts that are fresh, not idle and not remembered from just now, nearest first, at most the bandwidth.

    Words addressed in one's own conversation always get through: one listens to whom one talks with.
    """
    if not moment.fresh:
        return ()
    heard = tuple(p for p in moment.percepts if p.kind == "words" and p.version in moment.fresh)
    candidates = [p for p in moment.percepts if p.kind != "words" and p.version in moment.fresh and not p.idle and not _aside(p)]
    if candidates:
        latest = stream.latest(settings.retention, kinds=OBSERVED) if settings.retention else ()
        recent = {record.text for record in latest}
        candidates = [p for p in candidates if wording(p, met) not in recent][: settings.attention_bandwidth]
    return (*heard, *candidates)


def _aside(percept: Percept) -> bool:
    """A walker merely passing through isn't an event until they come close."""
    return percept.kind == "person" and percept.walking and percept.distance > 2


def observe(thought: Thought, noticed: tuple[Percept, ...], places: Places) -> None:
    """Stores what was noticed."""
    _meet(thought, noticed)
    met = thought.met()
    news: list[New] = []
    for percept in noticed:
        if percept.kind == "words":
            news.extend(_heard(thought, percept))
            continue
        people = (percept.subject,) if percept.kind == "person" else ()
        news.append(
            New(
                "observation",
                wording(percept, met),
                fields={
                    "people": people, "about": percept.subject, "address": percept.place,
                    "tag": {"person": "seen", "object": "state", "event": "event"}[percept.kind],
                },
            )
        )  # fmt: skip
    if news:
        thought.note(news)
    learn_places(thought, places)


def _meet(thought: Thought, noticed: tuple[Percept, ...]) -> None:
    """Keeps in mind how visitors look, and who of them has said their name."""
    strangers = thought.strangers()
    before = dict(strangers)
    for percept in thought.moment.percepts:
        if percept.look:
            strangers.setdefault(percept.subject, percept.look)
    for percept in noticed:
        if percept.look and percept.utterance is not None and percept.utterance.act == "introduce":
            strangers[percept.subject] = ""
    if strangers != before:
        thought.put("strangers", dict[str, Json](strangers))


def _heard(thought: Thought, percept: Percept) -> list[New]:
    """Facts passed on by words in earshot: learned by the addressed, overheard by those close by."""
    utterance = percept.utterance
    me = thought.person.name
    if utterance is None or utterance.speaker == me:
        return []
    addressed = me in utterance.to
    if not addressed and percept.distance > thought.settings.earshot_aside:
        return []
    found: list[New] = []
    for fact in utterance.passes_on:
        thought.put(f"told/{fact.id}", thought.shared_with(fact.id, (utterance.speaker,)))
        if thought.draft.carrying(fact.id):
            continue
        people = tuple(dict.fromkeys(n for n in (fact.about, utterance.speaker) if n is not None))
        found.append(
            New(
                "conversation",
                phrase("memory.heard", speaker=thought.called(utterance.speaker), perceiver=me, text=fact.text),
                fields={
                    "people": people, "about": fact.about, "address": percept.place, "fact": fact,
                    "heard_from": utterance.speaker, "source": utterance.id,
                    "tag": "learned" if addressed else "overheard",
                },
            )
        )  # fmt: skip
    return found


def learn_places(thought: Thought, places: Places) -> None:
    """Adds the room one stands in, with what is in it, to one's own map; and the states things are seen in."""
    place = thought.moment.place
    node = places.town.by_address.get(place)
    things = [thing.address for thing in node.objects] if isinstance(node, Arena) else []
    states = {
        percept.subject: percept.text
        for percept in thought.moment.percepts
        if percept.kind == "object" and parent(percept.subject) == place
    }
    if all(thought.known.knows(address) for address in (place, *things)) and all(
        thought.known.state(address) == state for address, state in states.items()
    ):
        return
    for key, value in thought.known.copy().learn([place, *things], states).items():
        thought.put(key, value)
