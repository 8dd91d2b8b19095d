"""The inner voice: a directive that is taken as one's own (Park et al. 2023, section 3.3).

    hear_voice    becomes a memory, and, when it says to tell somebody something, news that one has for them
    voices        the latest ones, always at hand when one speaks or plans
    whereabouts   where somebody one has been told to look for was seen last

What a directive says to do is read where the day is planned (the language model, offline or not); here only what to tell whom.
"""

from __future__ import annotations

from agents.perception import place_name
from agents.thought import Thought
from language import Recollection, phrase
from language.typed import read_telling
from memory import Relationships
from planning.schedule import Block
from town.speech import Fact

VOICE = "voice"
TO_TELL = "to-tell"
IMPORTANCE = 9
AT_HAND = 2
DAYS = 2
"""How many voices are kept in mind, and how long."""


def hear_voice(thought: Thought, text: str) -> None:
    """Notes a directive; what is to be told is a fact from now on, first stated by oneself."""
    me = thought.person.name
    people = Relationships(thought.draft).known()
    telling = read_telling(text, people)
    about = telling.to if telling is not None and telling.to is not None else me
    thought.draft.add(
        "conversation", phrase("memory.voice", perceiver=me, text=text), importance=IMPORTANCE, tag=VOICE, about=about
    )
    if telling is None:
        return
    fact = Fact(str(thought.draft.next_id()), telling.text, telling.about)
    names = tuple(name for name in (telling.to, telling.about) if name is not None)
    thought.draft.add("observation", telling.text, importance=IMPORTANCE, tag=TO_TELL, about=telling.to, people=names, fact=fact)


def voices(thought: Thought) -> tuple[Recollection, ...]:
    """The latest voices, and what they said to tell."""
    since = thought.step - thought.clock.steps(days=DAYS)
    found = [r for tag in (VOICE, TO_TELL) for r in thought.draft.tagged(tag)[-AT_HAND:] if r.created >= since]
    return thought.recollections(found)


def whereabouts(thought: Thought, block: Block) -> str:
    """Words for where to look for people named in something the inner voice has asked for: where they were last seen, or what
    one knows of them; "" for anything else."""
    parts = thought.records([id for hour in thought.records([block.plan]) for id in hour.evidence])
    causes = thought.records([id for part in parts for id in part.evidence])
    if not any(record.tag == VOICE for record in causes):
        return ""
    places = []
    for name in Relationships(thought.draft).known():
        if name in block.activity:
            seen = [r for r in thought.draft.concerning(name) if r.tag == "seen" and r.about == name and r.address]
            places.append(place_name(seen[-1].address or "") if seen else thought.relation(name).text)
    return " ".join(places)
